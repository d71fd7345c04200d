/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Everything that takes entries away. What may concern many goes step by step, each step
 * a transaction, so that the log stays small and nobody waits long.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

#include "clip-adopt.h"
#include "clip-change-batch.h"
#include "clip-sweep.h"

typedef struct
{
  ClipChange base;
  GArray *ids; /* gint64 */
} Delete;

typedef struct
{
  ClipChange base;
  ClipWipe wanted;
  gint64 asked_us; /* monotonic */
} Wipe;

/* one that is not there does not count */
gboolean
clip_step_remove (ClipTransaction *transaction,
                  gint64 id,
                  gint64 *n_removed,
                  GError **error)
{
  ClipEntryRows record = { 0 };
  ClipRows state = clip_entry_rows_load (transaction, id, &record, error);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  if (!clip_entry_rows_drop (transaction, &record, error))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED, id, 0);
  (*n_removed)++;
  return TRUE;
}

/* (element-type gint64): those that are not there do not count */
gboolean
clip_step_remove_each (ClipTransaction *transaction,
                       const GArray *ids,
                       gint64 *n_removed,
                       GError **error)
{
  for (guint i = 0; i < ids->len; i++)
    if (!clip_step_remove (transaction, g_array_index (ids, gint64, i), n_removed, error))
      return FALSE;
  return TRUE;
}

static ClipChangeStep
run_delete (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  return clip_step_remove_each (transaction, ((Delete *) change)->ids,
                                &change->now.outcome.n, error)
             ? CLIP_CHANGE_DONE
             : CLIP_CHANGE_FAILED;
}

static void
clear_delete (ClipChange *change)
{
  g_array_unref (((Delete *) change)->ids);
}

static const ClipChangeKind delete_kind = {
  .name = "delete",
  .is_asked_for = TRUE,
  .gives_room = TRUE,
  .bytes = sizeof (Delete),
  .run = run_delete,
  .clear = clear_delete,
};

/**
 * clip_change_delete:
 * @ids: those that are not there do not count
 *
 * Deletes entries, pinned ones too, all or none.
 */
ClipChange *
clip_change_delete (const gint64 *ids, gsize n_ids)
{
  Delete *self = clip_change_new (&delete_kind);

  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (n_ids)
    g_array_append_vals (self->ids, ids, (guint) n_ids);
  return &self->base;
}

static ClipChangeStep
run_delete_newest (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  ClipEntryRows record = { 0 };
  ClipRows state;
  gint64 id;

  if (clip_statements_number (clip_transaction_db (transaction), CLIP_SQL_NEWEST, &id,
                              error, "") == CLIP_ROWS_FAILED)
    return CLIP_CHANGE_FAILED;
  state = clip_entry_rows_load (transaction, id, &record, error);
  if (state != CLIP_ROWS_ROW || record.pinned)
    return state == CLIP_ROWS_FAILED ? CLIP_CHANGE_FAILED : CLIP_CHANGE_DONE;
  return clip_step_remove (transaction, id, &change->now.outcome.n, error)
             ? CLIP_CHANGE_DONE
             : CLIP_CHANGE_FAILED;
}

static const ClipChangeKind delete_newest_kind = {
  .name = "delete newest",
  .is_asked_for = TRUE,
  .gives_room = TRUE,
  .bytes = sizeof (ClipChange),
  .run = run_delete_newest,
};

/* the newest entry; a pinned one stays, and so does what is below it */
ClipChange *
clip_change_delete_newest (void)
{
  return clip_change_new (&delete_newest_kind);
}

static gboolean
log_all (ClipTransaction *transaction, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *rows;

  if (clip_transaction_totals (transaction)->count > CLIP_EVENT_MOST_REMOVED)
    {
      clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0);
      return TRUE;
    }
  rows = clip_statements_query (clip_transaction_db (transaction), CLIP_SQL_LIST_IDS,
                                error, "");
  if (!clip_transaction_collect (transaction, rows, ids, error))
    return FALSE;
  for (guint i = 0; i < ids->len; i++)
    clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED,
                                g_array_index (ids, gint64, i), 0);
  return TRUE;
}

static gboolean
suspect_all (ClipTransaction *transaction, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_LIST_BLOBS, error, "");
  ClipRows state;

  while ((state = clip_statements_next (clip_transaction_db (transaction), rows,
                                        error)) == CLIP_ROWS_ROW)
    clip_transaction_suspect_row (transaction,
                                  (const char *) sqlite3_column_text (rows, 0));
  return state == CLIP_ROWS_END;
}

static gboolean
empty_tables (ClipTransaction *transaction, GError **error)
{
  static const ClipSql emptying[] = { CLIP_SQL_WIPE_ENTRIES, CLIP_SQL_WIPE_CONTENTS,
                                      CLIP_SQL_WIPE_BLOBS,   CLIP_SQL_WIPE_DUPS,
                                      CLIP_SQL_WIPE_TAGS,    CLIP_SQL_WIPE_NAMES };

  for (guint i = 0; i < G_N_ELEMENTS (emptying); i++)
    if (!clip_statements_run (clip_transaction_db (transaction), emptying[i], error, ""))
      return FALSE;
  return TRUE;
}

/* Emptying the tables whole costs little, if the pages are not overwritten one by one.
 * They need not be: the file is cut behind what is left. What remains of each table, its
 * root, is overwritten. */
static gboolean
empty_and_cut (ClipTransaction *transaction, GError **error)
{
  ClipStatements *database = clip_transaction_db (transaction);
  gboolean done = clip_statements_run (database, CLIP_SQL_SET_FAST_DELETE, error, "") &&
                  empty_tables (transaction, error) &&
                  clip_transaction_cut (transaction, error);

  clip_statements_run (database, CLIP_SQL_SET_SECURE_DELETE, NULL, "");
  return done;
}

/* nothing is there any more */
static void
forget_all (ClipTransaction *transaction)
{
  ClipTotals *totals = clip_transaction_totals (transaction);

  clip_transaction_set_mark (transaction, CLIP_MARK_IMAGE, TRUE);
  totals->count = totals->bytes = totals->pinned = totals->pinned_bytes = 0;
  totals->first_loose = totals->last_id + 1;
}

static ClipChangeStep
wipe_all (ClipTransaction *transaction, gint64 *n_removed, GError **error)
{
  if (!log_all (transaction, error) || !suspect_all (transaction, error) ||
      !empty_and_cut (transaction, error))
    return CLIP_CHANGE_FAILED;
  *n_removed += clip_transaction_totals (transaction)->count;
  forget_all (transaction);
  return CLIP_CHANGE_DONE;
}

static ClipChangeStep
wipe_some (ClipTransaction *transaction,
           const ClipWipe *wanted,
           guint n_most,
           gint64 *n_removed,
           GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_LIST_SINCE, error, "iiii",
      wanted->since_us, (gint64) !!wanted->pinned_too, (gint64) n_most, wanted->last_id);

  if (!clip_transaction_collect (transaction, rows, ids, error) ||
      !clip_step_remove_each (transaction, ids, n_removed, error))
    return CLIP_CHANGE_FAILED;
  if (ids->len == n_most)
    return CLIP_CHANGE_MORE;
  if (wanted->since_us <= 0)
    clip_transaction_totals (transaction)->first_loose =
        MIN (wanted->last_id, clip_transaction_totals (transaction)->last_id) + 1;
  return CLIP_CHANGE_DONE;
}

/* To cut the file takes as much room in the log as there is in the file, where a page
 * that stays lies behind one that goes: where there is less, a few entries go at a time,
 * until all have gone that were there at first. */
static ClipChangeStep
wipe_by_steps (ClipTransaction *transaction,
               const ClipWipe *wanted,
               gint64 *n_removed,
               GError **error)
{
  const guint n_most =
      MIN (clip_transaction_step_rows (transaction), CLIP_TRANSACTION_ROWS_SHORT);
  /* those that are damaged, too */
  const ClipWipe each = { .since_us = G_MININT64,
                          .pinned_too = TRUE,
                          .last_id = wanted->last_id };
  ClipChangeStep step = wipe_some (transaction, &each, n_most, n_removed, error);

  if (step != CLIP_CHANGE_DONE || clip_transaction_totals (transaction)->count > 0)
    return step;
  /* names, and what is damaged */
  if (!empty_tables (transaction, error))
    return CLIP_CHANGE_FAILED;
  forget_all (transaction);
  return CLIP_CHANGE_DONE;
}

static gboolean
suspect_names (char **names_take, gpointer user_data)
{
  g_auto (GStrv) names = names_take;

  for (char **name = names; *name; name++)
    clip_transaction_suspect (user_data, *name);
  return TRUE;
}

/* What a crash left goes, too; what a row refers to stays. A folder that cannot be listed
 * keeps such files; those of the rows that go are known by these. */
static void
suspect_files (ClipTransaction *transaction)
{
  int blobs_fd = clip_blobs_fd (clip_transaction_blobs (transaction));

  clip_sweep_temporary (blobs_fd);
  clip_sweep_names (blobs_fd, suspect_names, transaction);
}

/**
 * clip_step_wipe:
 * @wanted: keeps for the next step that this one was one of some
 *
 * Ids go on from where they were.
 */
ClipChangeStep
clip_step_wipe (ClipTransaction *transaction,
                ClipWipe *wanted,
                gint64 *n_removed,
                GError **error)
{
  const ClipTotals *totals = clip_transaction_totals (transaction);
  const gboolean is_all =
      wanted->since_us <= 0 && (wanted->pinned_too || totals->pinned == 0);
  ClipChangeStep step;

  /* who wipes the history means what was set aside of it, too */
  if (wanted->since_us <= 0 &&
      !(clip_aside_clear (clip_transaction_dir (transaction), error) &&
        clip_adopt_clear (clip_transaction_dir (transaction), error)))
    return CLIP_CHANGE_FAILED;
  if (wanted->last_id == 0)
    wanted->last_id = totals->last_id;
  wanted->by_steps |= clip_change_batch_is_short (transaction);
  if (is_all && !wanted->by_steps)
    step = wipe_all (transaction, n_removed, error);
  else if (is_all)
    step = wipe_by_steps (transaction, wanted, n_removed, error);
  else
    step = wipe_some (transaction, wanted, clip_transaction_step_rows (transaction),
                      n_removed, error);
  if (step == CLIP_CHANGE_DONE)
    suspect_files (transaction);
  return step;
}

static ClipChangeStep
run_wipe (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  Wipe *self = (Wipe *) change;

  clip_transaction_set_wiped (transaction, self->asked_us);
  return clip_step_wipe (transaction, &self->wanted, &change->now.outcome.n, error);
}

static const ClipChangeKind wipe_kind = {
  .name = "wipe",
  .is_asked_for = TRUE,
  .gives_room = TRUE,
  .bytes = sizeof (Wipe),
  .run = run_wipe,
};

/* @since_us: only what was last copied since then; 0 = everything. What has begun to come
 * is newer in any case, and is not added any more */
ClipChange *
clip_change_wipe (gboolean pinned_too, gint64 since_us)
{
  Wipe *self = clip_change_new (&wipe_kind);

  self->wanted = (ClipWipe){ .since_us = since_us, .pinned_too = pinned_too };
  self->asked_us = g_get_monotonic_time ();
  return &self->base;
}
