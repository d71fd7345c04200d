/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What goes because there is too much, or because its time has come: what has expired,
 * and then the oldest, until the limits are kept. Each is found by a search in an index,
 * so that the cost is that of what goes, whatever remains.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

/* the oldest entry that is not pinned */
typedef struct
{
  gint64 id; /* 0 = there is none */
  gint64 last_us;
} Oldest;

static gboolean
find_oldest (ClipLedger *ledger, Oldest *oldest, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (clip_ledger_database (ledger), CLIP_SQL_OLDEST_LOOSE, error,
                           "i", clip_ledger_sums (ledger)->first_loose);
  ClipRows state = clip_database_next (clip_ledger_database (ledger), rows, error);

  *oldest = (Oldest){ 0 };
  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  oldest->id = sqlite3_column_int64 (rows, 0);
  oldest->last_us = sqlite3_column_int64 (rows, 1);
  return TRUE;
}

static gboolean
has_too_many (const ClipSums *sums, const ClipLimits *limits)
{
  return limits->max_items >= 0 && sums->count - sums->pinned > limits->max_items;
}

static gboolean
has_too_much (const ClipSums *sums, const ClipLimits *limits)
{
  return limits->max_total_bytes > 0 &&
         sums->bytes - sums->pinned_bytes > limits->max_total_bytes;
}

static gboolean
is_too_old (gint64 last_us, const ClipLimits *limits, gint64 now_us)
{
  return limits->max_age_us > 0 && last_us <= now_us - limits->max_age_us;
}

/* the newest copy goes only where the history is to be empty: a clip that is larger than
 * what all together may be would otherwise never be one */
static gboolean
has_to_go (const ClipSums *sums,
           const ClipLimits *limits,
           const Oldest *oldest,
           gint64 keep_id,
           gint64 now_us)
{
  return has_too_many (sums, limits) ||
         (oldest->id != keep_id &&
          (has_too_much (sums, limits) || is_too_old (oldest->last_us, limits, now_us)));
}

static gboolean
remove_expired (ClipLedger *ledger, gint64 keep_id, gint64 *n_removed, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_LIST_EXPIRED, error, "iii",
      g_get_real_time (), keep_id, (gint64) clip_ledger_step_rows (ledger));

  return clip_change_collect (ledger, rows, ids, error) &&
         clip_change_delete (ledger, ids, n_removed, error) == CLIP_CHANGE_DONE;
}

/* what lies below the oldest is known to be pinned from now on */
static gboolean
remove_oldest (ClipLedger *ledger, gint64 id, gint64 *n_removed, GError **error)
{
  clip_ledger_sums (ledger)->first_loose = id + 1;
  return clip_change_remove (ledger, id, n_removed, error);
}

static ClipChangeStep
trim_oldest (ClipLedger *ledger,
             const ClipLimits *limits,
             gint64 keep_id,
             gint64 *n_removed,
             GError **error)
{
  gint64 now_us = g_get_real_time ();

  for (guint i = 0; i < clip_ledger_step_rows (ledger); i++)
    {
      Oldest oldest;

      if (limits->max_age_us <= 0 && !has_too_many (clip_ledger_sums (ledger), limits) &&
          !has_too_much (clip_ledger_sums (ledger), limits))
        return CLIP_CHANGE_DONE;
      if (!find_oldest (ledger, &oldest, error))
        return CLIP_CHANGE_FAILED;
      if (oldest.id == 0 ||
          !has_to_go (clip_ledger_sums (ledger), limits, &oldest, keep_id, now_us))
        return CLIP_CHANGE_DONE;
      if (!remove_oldest (ledger, oldest.id, n_removed, error))
        return CLIP_CHANGE_FAILED;
    }
  return CLIP_CHANGE_MORE;
}

/**
 * clip_change_trim:
 * @keep_id: the entry that was just added, or 0: it goes neither for the sake of bytes
 * nor because of the time
 *
 * Removes what has expired, then the oldest entries, until the limits are kept. Pinned
 * ones stay.
 */
ClipChangeStep
clip_change_trim (ClipLedger *ledger,
                  const ClipLimits *limits,
                  gint64 keep_id,
                  gint64 *n_removed,
                  GError **error)
{
  gint64 n_before = *n_removed;

  if (!remove_expired (ledger, keep_id, n_removed, error))
    return CLIP_CHANGE_FAILED;
  if (*n_removed - n_before >= clip_ledger_step_rows (ledger))
    return CLIP_CHANGE_MORE;
  return trim_oldest (ledger, limits, keep_id, n_removed, error);
}

static gboolean
is_thorough (const ClipLimits *limits)
{
  return limits->thorough && limits->max_age_us > 0;
}

/* Wherever it is: an import brings it in above what is newer. That looks at every entry,
 * which only somebody who asks for a trim waits for. */
static ClipChangeStep
remove_too_old (ClipLedger *ledger,
                const ClipLimits *limits,
                gint64 *n_removed,
                GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  sqlite3_stmt *rows;

  if (!is_thorough (limits))
    return CLIP_CHANGE_DONE;
  rows = clip_database_query (clip_ledger_database (ledger), CLIP_SQL_LIST_TOO_OLD, error,
                              "iii", clip_ledger_sums (ledger)->first_loose,
                              g_get_real_time () - limits->max_age_us,
                              (gint64) clip_ledger_step_rows (ledger));
  if (!clip_change_collect (ledger, rows, ids, error) ||
      clip_change_delete (ledger, ids, n_removed, error) != CLIP_CHANGE_DONE)
    return CLIP_CHANGE_FAILED;
  return ids->len >= clip_ledger_step_rows (ledger) ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

/**
 * clip_change_trim_all:
 *
 * As clip_change_trim(), of a history to which nothing is added: where the limits are
 * thorough, what is too old goes wherever it is, and the oldest go for the floor of free
 * space, too. Says when to look again.
 */
ClipChangeStep
clip_change_trim_all (ClipLedger *ledger,
                      const ClipLimits *limits,
                      ClipTrimmed *trimmed,
                      GError **error)
{
  ClipChangeStep step = remove_too_old (ledger, limits, &trimmed->n, error);
  Oldest oldest;

  if (step != CLIP_CHANGE_DONE)
    return step;
  step = clip_change_trim (ledger, limits, 0, &trimmed->n, error);
  if (step == CLIP_CHANGE_DONE)
    step = clip_change_trim_to_floor (ledger, limits, trimmed, error);
  if (step != CLIP_CHANGE_DONE || limits->max_age_us <= 0)
    return step;
  if (!find_oldest (ledger, &oldest, error))
    return CLIP_CHANGE_FAILED;
  trimmed->oldest_us = oldest.last_us;
  return CLIP_CHANGE_DONE;
}

/* the count and the bytes of what goes first */
static gboolean
discount (ClipLedger *ledger,
          sqlite3_stmt *rows_take,
          ClipSums *sums,
          gint64 *n,
          GError **error)
{
  clip_autorows sqlite3_stmt *rows = rows_take;

  if (clip_database_next (clip_ledger_database (ledger), rows, error) != CLIP_ROWS_ROW)
    return FALSE;
  *n += sqlite3_column_int64 (rows, 0);
  sums->count -= sqlite3_column_int64 (rows, 0);
  sums->bytes -= sqlite3_column_int64 (rows, 1);
  return TRUE;
}

static gboolean
discount_first (ClipLedger *ledger,
                gint64 now_us,
                gint64 old_us,
                ClipSums *sums,
                gint64 *n,
                GError **error)
{
  return discount (ledger,
                   clip_database_query (clip_ledger_database (ledger),
                                        CLIP_SQL_SUM_EXPIRED, error, "i", now_us),
                   sums, n, error) &&
         discount (ledger,
                   clip_database_query (clip_ledger_database (ledger),
                                        CLIP_SQL_SUM_TOO_OLD, error, "iii",
                                        sums->first_loose, old_us, now_us),
                   sums, n, error);
}

/**
 * clip_change_preview:
 *
 * Counts what clip_change_trim_all() would remove, and removes nothing.
 */
ClipChangeStep
clip_change_preview (ClipLedger *ledger,
                     const ClipLimits *limits,
                     ClipTrimmed *trimmed,
                     GError **error)
{
  ClipSums sums = *clip_ledger_sums (ledger);
  gint64 now_us = g_get_real_time ();
  gint64 old_us = is_thorough (limits) ? now_us - limits->max_age_us : G_MININT64;
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;

  if (!clip_change_find_floor (ledger, limits, trimmed, error) ||
      !discount_first (ledger, now_us, old_us, &sums, &trimmed->n, error))
    return CLIP_CHANGE_FAILED;
  rows = clip_database_query (clip_ledger_database (ledger), CLIP_SQL_LIST_LOOSE, error,
                              "ii", sums.first_loose, now_us);
  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    {
      Oldest oldest = { sqlite3_column_int64 (rows, 0), sqlite3_column_int64 (rows, 1) };

      if (oldest.last_us <= old_us)
        continue;
      if (!has_to_go (&sums, limits, &oldest, 0, now_us) &&
          clip_ledger_sums (ledger)->bytes - sums.bytes >= trimmed->room_bytes)
        break;
      sums.count--;
      sums.bytes -= sqlite3_column_int64 (rows, 2);
      trimmed->n++;
    }
  return state == CLIP_ROWS_FAILED ? CLIP_CHANGE_FAILED : CLIP_CHANGE_DONE;
}
