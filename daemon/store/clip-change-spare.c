/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a limit must not take. A number in a configuration file, or a default that was never
 * chosen, may come upon a history that has grown under another one: where it would take more
 * than a tenth, it is not obeyed, until somebody says so. What is weighed is the history
 * before a copy is added: one that was within its limits is never too large for them.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-error.h"

/* one of so many is not missed */
#define SHARE 10

/* the age that was obeyed last: after a holiday all is too old, and nobody has changed
 * anything */
#define AGE_NOTE "max-age"

/* Too much is more than a tenth of what there is. The ids stand for the entries: to count
 * those would take as long as there are many. */
static gboolean
takes_too_old (ClipLedger *ledger, gint64 age_us, gboolean *out_takes, GError **error)
{
  const ClipSums *sums = &ledger->sums;
  gint64 id = sums->first_loose + (sums->last_id - sums->first_loose) / SHARE;
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, CLIP_SQL_OLDEST_LOOSE, error, "i", id);
  ClipRows state = clip_database_next (ledger->database, rows, error);

  *out_takes = state == CLIP_ROWS_ROW &&
               sqlite3_column_int64 (rows, 1) <= g_get_real_time () - age_us;
  return state != CLIP_ROWS_FAILED;
}

/* 0 = none is; readers go by it, too */
gboolean
clip_change_obeyed_age (ClipLedger *ledger, gint64 *out_age_us, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, CLIP_SQL_GET_NOTE, error, "s", AGE_NOTE);
  ClipRows state = clip_database_next (ledger->database, rows, error);

  *out_age_us = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, 0) : 0;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
set_obeyed_age (ClipLedger *ledger, gint64 age_us, GError **error)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, age_us);

  return clip_change_note (ledger, AGE_NOTE, age_us > 0 ? value : NULL, error) ==
         CLIP_CHANGE_DONE;
}

/* one that has been in force is obeyed, whatever it takes */
static gboolean
spare_old (ClipLedger *ledger, ClipLimits *limits, gboolean *out_spared, GError **error)
{
  gint64 obeyed_us;

  *out_spared = FALSE;
  if (!clip_change_obeyed_age (ledger, &obeyed_us, error))
    return FALSE;
  if (limits->max_age_us > 0 && (obeyed_us == 0 || limits->max_age_us < obeyed_us) &&
      !takes_too_old (ledger, limits->max_age_us, out_spared, error))
    return FALSE;
  if (*out_spared)
    limits->max_age_us = 0;
  else if (limits->max_age_us != obeyed_us)
    return set_obeyed_age (ledger, limits->max_age_us, error);
  return TRUE;
}

static gboolean
is_weighed (const ClipLimits *limits, ClipLimit limit)
{
  return (limits->cautious & limit) != 0;
}

/**
 * clip_change_spare:
 * @limits: (inout): those that would take too much are lifted
 * @out_spared: (out): which they are
 */
gboolean
clip_change_spare (ClipLedger *ledger,
                   ClipLimits *limits,
                   guint *out_spared,
                   GError **error)
{
  const ClipSums *sums = &ledger->sums;
  gint64 n_over = sums->count - sums->pinned - limits->max_items;
  gint64 bytes_over = sums->bytes - sums->pinned_bytes - limits->max_total_bytes;
  gboolean old = FALSE;

  *out_spared = 0;
  if (is_weighed (limits, CLIP_LIMIT_ITEMS) && limits->max_items >= 0 &&
      n_over > sums->count / SHARE)
    {
      *out_spared |= CLIP_LIMIT_ITEMS;
      limits->max_items = -1;
    }
  if (is_weighed (limits, CLIP_LIMIT_BYTES) && limits->max_total_bytes > 0 &&
      bytes_over > sums->bytes / SHARE)
    {
      *out_spared |= CLIP_LIMIT_BYTES;
      limits->max_total_bytes = 0;
    }
  if (is_weighed (limits, CLIP_LIMIT_AGE) && !spare_old (ledger, limits, &old, error))
    return FALSE;
  *out_spared |= old ? CLIP_LIMIT_AGE : 0;
  return TRUE;
}

/* --- room on the disk --- */

/* what the database has to spare is as good as free */
static gboolean
find_missing (ClipLedger *ledger,
              const ClipLimits *limits,
              gint64 *out_missing,
              GError **error)
{
  gint64 space, total, n_pages, page_bytes, floor_bytes;

  *out_missing = 0;
  if (!clip_blobs_space (ledger->blobs, &space, &total, error))
    return FALSE;
  floor_bytes = MAX (limits->min_free_bytes, total / 100 * limits->min_free_percent);
  if (space >= floor_bytes)
    return TRUE;
  if (clip_database_number (ledger->database, CLIP_SQL_GET_FREE_PAGES, &n_pages, error,
                            "") == CLIP_ROWS_FAILED ||
      clip_database_number (ledger->database, CLIP_SQL_GET_PAGE_BYTES, &page_bytes, error,
                            "") == CLIP_ROWS_FAILED)
    return FALSE;
  *out_missing = MAX (floor_bytes - space - n_pages * page_bytes, 0);
  return TRUE;
}

/* whether @bytes may go for the sake of a new entry */
static gboolean
can_give (const ClipLedger *ledger, const ClipLimits *limits, gint64 bytes)
{
  const ClipSums *sums = &ledger->sums;

  return bytes <= sums->bytes - sums->pinned_bytes &&
         (!is_weighed (limits, CLIP_LIMIT_SPACE) || bytes <= sums->bytes / SHARE);
}

static ClipChangeStep
refuse (gint64 missing, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
               "keep a copy: %" G_GINT64_FORMAT
               " bytes are missing of those that are to stay free",
               missing);
  return CLIP_CHANGE_FAILED;
}

static gboolean
find_oldest (ClipLedger *ledger, gint64 *out_id, GError **error)
{
  return clip_database_number (ledger->database, CLIP_SQL_OLDEST_LOOSE, out_id, error,
                               "i", ledger->sums.first_loose) != CLIP_ROWS_FAILED;
}

/* the oldest go, until what is missing is made up for: their files are gone a moment later.
 * Others may have taken them away meanwhile. */
static ClipChangeStep
give (ClipLedger *ledger, ClipAdded *added, GError **error)
{
  for (guint i = 0; i < ledger->step_rows && added->room_bytes > 0; i++)
    {
      gint64 before = ledger->sums.bytes;
      gint64 oldest;

      if (!find_oldest (ledger, &oldest, error) ||
          (oldest && !clip_change_remove (ledger, oldest, &added->n_trimmed, error)))
        return CLIP_CHANGE_FAILED;
      if (oldest == 0)
        return refuse (added->room_bytes, error);
      ledger->sums.first_loose = oldest + 1;
      added->room_bytes -= before - ledger->sums.bytes;
    }
  return added->room_bytes > 0 ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

/**
 * clip_change_make_room:
 * @added: (inout): zeroed before the first call
 *
 * Sees to the floor of free space before an entry is added: the oldest that are not pinned
 * go, but none where that would not be enough.
 *
 * Errors: %CLIP_ERROR_NO_SPACE.
 */
ClipChangeStep
clip_change_make_room (ClipLedger *ledger,
                       const ClipLimits *limits,
                       ClipAdded *added,
                       GError **error)
{
  gint64 missing;

  if (limits->min_free_bytes <= 0 && limits->min_free_percent <= 0)
    return CLIP_CHANGE_DONE;
  if (added->room_bytes > 0)
    return give (ledger, added, error);
  if (!find_missing (ledger, limits, &missing, error))
    return CLIP_CHANGE_FAILED;
  if (missing == 0)
    return CLIP_CHANGE_DONE;
  if (!can_give (ledger, limits, missing))
    return refuse (missing, error);
  added->room_bytes = missing;
  return give (ledger, added, error);
}

/* where none may go for its sake: whether that much stays free. Errors:
 * %CLIP_ERROR_NO_SPACE. */
gboolean
clip_change_check_room (ClipLedger *ledger, const ClipLimits *limits, GError **error)
{
  gint64 missing;

  if (limits->min_free_bytes <= 0 && limits->min_free_percent <= 0)
    return TRUE;
  return find_missing (ledger, limits, &missing, error) &&
         (missing == 0 || refuse (missing, error) == CLIP_CHANGE_DONE);
}
