/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Everything that takes entries away. What may concern many goes step by step, each step
 * a transaction, so that the log stays small and nobody waits long.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-adopt.h"
#include "clip-aside.h"
#include "clip-error.h"
#include "clip-record.h"

/* one that is not there does not count */
gboolean
clip_change_remove (ClipLedger *ledger, gint64 id, gint64 *n_removed, GError **error)
{
  ClipRecord record = { 0 };
  ClipRows state = clip_record_load (ledger, id, &record, error);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  if (!clip_record_drop (ledger, &record, error))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_REMOVED, id, 0);
  (*n_removed)++;
  return TRUE;
}

/* appends the ids that a statement selects */
gboolean
clip_change_collect (ClipLedger *ledger,
                     sqlite3_stmt *rows_take,
                     GArray *ids,
                     GError **error)
{
  clip_autorows sqlite3_stmt *rows = rows_take;
  ClipRows state;

  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    {
      gint64 id = sqlite3_column_int64 (rows, 0);

      g_array_append_val (ids, id);
    }
  return state == CLIP_ROWS_END;
}

/**
 * clip_change_delete:
 * @ids: (element-type gint64): those that are not there do not count
 *
 * Deletes entries, pinned or not, all or none of them.
 */
ClipChangeStep
clip_change_delete (ClipLedger *ledger,
                    const GArray *ids,
                    gint64 *n_removed,
                    GError **error)
{
  for (guint i = 0; i < ids->len; i++)
    if (!clip_change_remove (ledger, g_array_index (ids, gint64, i), n_removed, error))
      return CLIP_CHANGE_FAILED;
  return CLIP_CHANGE_DONE;
}

/* the newest entry; a pinned one stays, and so does what is below it */
ClipChangeStep
clip_change_delete_newest (ClipLedger *ledger, gint64 *n_removed, GError **error)
{
  ClipRecord record = { 0 };
  gint64 id;
  ClipRows state;

  if (clip_database_number (clip_ledger_database (ledger), CLIP_SQL_NEWEST, &id, error,
                            "") == CLIP_ROWS_FAILED)
    return CLIP_CHANGE_FAILED;
  state = clip_record_load (ledger, id, &record, error);
  if (state != CLIP_ROWS_ROW || record.pinned)
    return state == CLIP_ROWS_FAILED ? CLIP_CHANGE_FAILED : CLIP_CHANGE_DONE;
  return clip_change_remove (ledger, id, n_removed, error) ? CLIP_CHANGE_DONE
                                                           : CLIP_CHANGE_FAILED;
}

static gboolean
run_all (ClipLedger *ledger, const ClipSql *statements, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!clip_database_run (clip_ledger_database (ledger), statements[i], error, ""))
      return FALSE;
  return TRUE;
}

static gboolean
log_all (ClipLedger *ledger, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *rows;

  if (clip_ledger_sums (ledger)->count > CLIP_EVENT_MOST_REMOVED)
    {
      clip_ledger_log (ledger, CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0);
      return TRUE;
    }
  rows =
      clip_database_query (clip_ledger_database (ledger), CLIP_SQL_LIST_IDS, error, "");
  if (!clip_change_collect (ledger, rows, ids, error))
    return FALSE;
  for (guint i = 0; i < ids->len; i++)
    clip_ledger_log (ledger, CLIP_EVENT_REMOVED, g_array_index (ids, gint64, i), 0);
  return TRUE;
}

static gboolean
suspect_all (ClipLedger *ledger, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (clip_ledger_database (ledger), CLIP_SQL_LIST_BLOBS, error, "");
  ClipRows state;

  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    clip_ledger_suspect (ledger, (const char *) sqlite3_column_text (rows, 0));
  return state == CLIP_ROWS_END;
}

/* Emptying the tables whole costs little, if the pages are not overwritten one by one.
 * They need not be: the file is cut where the first of them was. What remains of each
 * table, its root, is overwritten. */
static ClipChangeStep
wipe_all (ClipLedger *ledger, gint64 *n_removed, GError **error)
{
  static const ClipSql emptying[] = {
    CLIP_SQL_SET_FAST_DELETE, CLIP_SQL_WIPE_ENTRIES,     CLIP_SQL_WIPE_CONTENTS,
    CLIP_SQL_WIPE_BLOBS,      CLIP_SQL_WIPE_DUPS,        CLIP_SQL_WIPE_TAGS,
    CLIP_SQL_WIPE_NAMES,      CLIP_SQL_RETURN_ALL_PAGES,
  };
  gboolean done;

  if (!log_all (ledger, error) || !suspect_all (ledger, error))
    return CLIP_CHANGE_FAILED;
  done = run_all (ledger, emptying, G_N_ELEMENTS (emptying), error);
  clip_ledger_forget_name (ledger);
  clip_database_run (clip_ledger_database (ledger), CLIP_SQL_SET_SECURE_DELETE, NULL, "");
  if (!done)
    return CLIP_CHANGE_FAILED;
  clip_ledger_set_mark (ledger, CLIP_MARK_IMAGE, TRUE);
  *n_removed += clip_ledger_sums (ledger)->count;
  clip_ledger_sums (ledger)->count = clip_ledger_sums (ledger)->bytes = 0;
  clip_ledger_sums (ledger)->pinned = clip_ledger_sums (ledger)->pinned_bytes = 0;
  clip_ledger_sums (ledger)->first_loose = clip_ledger_sums (ledger)->last_id + 1;
  return CLIP_CHANGE_DONE;
}

static ClipChangeStep
wipe_some (ClipLedger *ledger,
           gboolean pinned_too,
           gint64 since_us,
           gint64 *n_removed,
           GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_LIST_SINCE, error, "iii", since_us,
      (gint64) !!pinned_too, (gint64) clip_ledger_step_rows (ledger));

  if (!clip_change_collect (ledger, rows, ids, error) ||
      clip_change_delete (ledger, ids, n_removed, error) != CLIP_CHANGE_DONE)
    return CLIP_CHANGE_FAILED;
  if (ids->len == clip_ledger_step_rows (ledger))
    return CLIP_CHANGE_MORE;
  if (since_us <= 0)
    clip_ledger_sums (ledger)->first_loose = clip_ledger_sums (ledger)->last_id + 1;
  return CLIP_CHANGE_DONE;
}

/**
 * clip_change_wipe:
 * @since_us: only what was last copied since then; 0 = everything
 *
 * Ids go on from where they were.
 */
ClipChangeStep
clip_change_wipe (ClipLedger *ledger,
                  gboolean pinned_too,
                  gint64 since_us,
                  gint64 *n_removed,
                  GError **error)
{
  /* who wipes the history means what was set aside of it, too */
  if (since_us <= 0 && clip_ledger_dir (ledger) &&
      !(clip_aside_clear (clip_ledger_dir (ledger), error) &&
        clip_adopt_clear (clip_ledger_dir (ledger), error)))
    return CLIP_CHANGE_FAILED;
  if (since_us <= 0 && (pinned_too || clip_ledger_sums (ledger)->pinned == 0))
    return wipe_all (ledger, n_removed, error);
  return wipe_some (ledger, pinned_too, since_us, n_removed, error);
}
