/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What goes because there is too much, or because its time has come: what has expired,
 * and then the oldest, until the limits are kept. Each is found by a search in an index,
 * so that the cost is that of what goes, whatever remains.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

typedef struct
{
  ClipChange base;
  ClipLimits limits;
  gboolean pretends; /* only says what it would remove */
} Trim;

/* its id is 0 where there is none */
gboolean
clip_step_find_oldest (ClipTransaction *transaction, ClipOldest *oldest, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_OLDEST_LOOSE, error, "i",
      clip_transaction_totals (transaction)->first_loose);
  ClipRows state = clip_statements_next (clip_transaction_db (transaction), rows, error);

  *oldest = (ClipOldest){ 0 };
  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  oldest->id = sqlite3_column_int64 (rows, 0);
  oldest->last_us = sqlite3_column_int64 (rows, 1);
  return TRUE;
}

static gboolean
has_too_many (const ClipTotals *totals, const ClipLimits *limits)
{
  return limits->max_items >= 0 && totals->count - totals->pinned > limits->max_items;
}

static gboolean
has_too_much (const ClipTotals *totals, const ClipLimits *limits)
{
  return limits->max_total_bytes > 0 &&
         totals->bytes - totals->pinned_bytes > limits->max_total_bytes;
}

static gboolean
is_too_old (gint64 last_us, const ClipLimits *limits, gint64 now_us)
{
  return limits->max_age_us > 0 && last_us <= now_us - limits->max_age_us;
}

/* the newest copy goes only where the history is to be empty: a clip that is larger than
 * what all together may be would otherwise never be one */
static gboolean
has_to_go (const ClipTotals *totals,
           const ClipLimits *limits,
           const ClipOldest *oldest,
           gint64 keep_id,
           gint64 now_us)
{
  return has_too_many (totals, limits) ||
         (oldest->id != keep_id && (has_too_much (totals, limits) ||
                                    is_too_old (oldest->last_us, limits, now_us)));
}

/* a statement lists what goes */
static ClipChangeStep
remove_listed (ClipTransaction *transaction,
               sqlite3_stmt *rows_take,
               gint64 *n_removed,
               GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (!clip_transaction_collect (transaction, rows_take, ids, error) ||
      !clip_step_remove_each (transaction, ids, n_removed, error))
    return CLIP_CHANGE_FAILED;
  return ids->len >= clip_transaction_step_rows (transaction) ? CLIP_CHANGE_MORE
                                                              : CLIP_CHANGE_DONE;
}

/* what lies below it is known to be pinned from now on */
gboolean
clip_step_remove_oldest (ClipTransaction *transaction,
                         gint64 id,
                         gint64 *n_removed,
                         GError **error)
{
  clip_transaction_totals (transaction)->first_loose = id + 1;
  return clip_step_remove (transaction, id, n_removed, error);
}

static ClipChangeStep
trim_oldest (ClipTransaction *transaction,
             const ClipLimits *limits,
             gint64 keep_id,
             ClipOutcome *outcome,
             GError **error)
{
  const ClipTotals *totals = clip_transaction_totals (transaction);
  gint64 now_us = g_get_real_time ();

  for (guint i = 0; i < clip_transaction_step_rows (transaction); i++)
    {
      gboolean is_full = has_too_many (totals, limits) || has_too_much (totals, limits);
      ClipOldest oldest;

      if (limits->max_age_us <= 0 && !is_full)
        return CLIP_CHANGE_DONE;
      if (!clip_step_find_oldest (transaction, &oldest, error))
        return CLIP_CHANGE_FAILED;
      if (oldest.id == 0 || !has_to_go (totals, limits, &oldest, keep_id, now_us))
        return CLIP_CHANGE_DONE;
      if (!clip_step_remove_oldest (transaction, oldest.id, &outcome->n, error))
        return CLIP_CHANGE_FAILED;
      outcome->n_pushed_out += is_full && keep_id != 0;
    }
  return CLIP_CHANGE_MORE;
}

static ClipChangeStep
remove_expired (ClipTransaction *transaction,
                gint64 keep_id,
                gint64 *n_removed,
                GError **error)
{
  return remove_listed (
      transaction,
      clip_statements_query (clip_transaction_db (transaction), CLIP_SQL_LIST_EXPIRED,
                             error, "iii", g_get_real_time (), keep_id,
                             (gint64) clip_transaction_step_rows (transaction)),
      n_removed, error);
}

/**
 * clip_step_trim:
 * @keep_id: the entry that was just added, or 0: it goes neither for the sake of bytes
 * nor because of the time
 *
 * Removes what has expired, then the oldest entries, until the limits are kept. Pinned
 * ones stay. Only what goes for want of room, because of the new one, counts as pushed
 * out.
 */
ClipChangeStep
clip_step_trim (ClipTransaction *transaction,
                const ClipLimits *limits,
                gint64 keep_id,
                ClipOutcome *outcome,
                GError **error)
{
  ClipChangeStep step = remove_expired (transaction, keep_id, &outcome->n, error);

  /* a copy waits for no more of what all goes at one time, unless it has no room: that is
   * a trim's */
  if (step == CLIP_CHANGE_MORE && keep_id != 0 &&
      !has_too_much (clip_transaction_totals (transaction), limits) &&
      clip_transaction_step_rows (transaction) == CLIP_TRANSACTION_ROWS)
    return CLIP_CHANGE_DONE;
  return step == CLIP_CHANGE_DONE
             ? trim_oldest (transaction, limits, keep_id, outcome, error)
             : step;
}

static gboolean
is_thorough (const ClipLimits *limits)
{
  return limits->thorough && limits->max_age_us > 0;
}

/* Wherever it is: an import brings it in above what is newer. That looks at every entry,
 * which only somebody who asks for a trim waits for. */
static ClipChangeStep
remove_too_old (ClipTransaction *transaction,
                const ClipLimits *limits,
                gint64 *n_removed,
                GError **error)
{
  if (!is_thorough (limits))
    return CLIP_CHANGE_DONE;
  return remove_listed (
      transaction,
      clip_statements_query (clip_transaction_db (transaction), CLIP_SQL_LIST_TOO_OLD,
                             error, "iii",
                             clip_transaction_totals (transaction)->first_loose,
                             g_get_real_time () - limits->max_age_us,
                             (gint64) clip_transaction_step_rows (transaction)),
      n_removed, error);
}

/* where the limits are thorough, what is too old goes wherever it is, and the oldest go
 * for the floor of free space, too */
static ClipChangeStep
trim (ClipTransaction *transaction, ClipChangeProgress *now, GError **error)
{
  ClipChangeStep step =
      remove_too_old (transaction, &now->limits, &now->outcome.n, error);
  ClipOldest oldest;

  if (step == CLIP_CHANGE_DONE)
    step = clip_step_trim (transaction, &now->limits, 0, &now->outcome, error);
  if (step == CLIP_CHANGE_DONE)
    step = clip_step_trim_to_floor (transaction, now, error);
  if (step != CLIP_CHANGE_DONE || now->limits.max_age_us <= 0)
    return step;
  if (!clip_step_find_oldest (transaction, &oldest, error))
    return CLIP_CHANGE_FAILED;
  now->outcome.oldest_us = oldest.last_us;
  return CLIP_CHANGE_DONE;
}

/* the count and the bytes of what goes first */
static gboolean
discount (ClipTransaction *transaction,
          sqlite3_stmt *rows_take,
          ClipTotals *totals,
          gint64 *n,
          GError **error)
{
  clip_autorows sqlite3_stmt *rows = rows_take;

  if (clip_statements_next (clip_transaction_db (transaction), rows, error) !=
      CLIP_ROWS_ROW)
    return FALSE;
  *n += sqlite3_column_int64 (rows, 0);
  totals->count -= sqlite3_column_int64 (rows, 0);
  totals->bytes -= sqlite3_column_int64 (rows, 1);
  return TRUE;
}

/* counts what trim() would remove, and removes nothing */
static ClipChangeStep
preview (ClipTransaction *transaction,
         const ClipLimits *wanted,
         ClipChangeProgress *now,
         GError **error)
{
  const ClipLimits *limits = &now->limits;
  ClipTotals totals = *clip_transaction_totals (transaction);
  gint64 now_us = g_get_real_time ();
  gint64 old_us;
  clip_autorows sqlite3_stmt *rows = NULL;
  ClipRows state;

  if (!discount (transaction,
                 clip_statements_query (clip_transaction_db (transaction),
                                        CLIP_SQL_SUM_EXPIRED, error, "i", now_us),
                 &totals, &now->outcome.n, error) ||
      !clip_step_weigh (transaction, &totals, wanted, now, error) ||
      !clip_step_find_floor (transaction, now, error))
    return CLIP_CHANGE_FAILED;
  old_us = is_thorough (limits) ? now_us - limits->max_age_us : G_MININT64;
  if (!discount (transaction,
                 clip_statements_query (clip_transaction_db (transaction),
                                        CLIP_SQL_SUM_TOO_OLD, error, "iii",
                                        totals.first_loose, old_us, now_us),
                 &totals, &now->outcome.n, error))
    return CLIP_CHANGE_FAILED;
  rows = clip_statements_query (clip_transaction_db (transaction), CLIP_SQL_LIST_LOOSE,
                                error, "ii", totals.first_loose, now_us);
  while ((state = clip_statements_next (clip_transaction_db (transaction), rows,
                                        error)) == CLIP_ROWS_ROW)
    {
      ClipOldest oldest = { sqlite3_column_int64 (rows, 0),
                            sqlite3_column_int64 (rows, 1) };

      if (oldest.last_us <= old_us)
        continue;
      if (!has_to_go (&totals, limits, &oldest, 0, now_us) &&
          clip_transaction_totals (transaction)->bytes - totals.bytes >= now->room_bytes)
        break;
      totals.count--;
      totals.bytes -= sqlite3_column_int64 (rows, 2);
      now->outcome.n++;
    }
  return state == CLIP_ROWS_FAILED ? CLIP_CHANGE_FAILED : CLIP_CHANGE_DONE;
}

/* An archive may bring a million that go at one time: others come between the steps. The
 * limits are weighed behind these, as what has come counts, too. */
static ClipChangeStep
run_trim (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const Trim *self = (Trim *) change;
  ClipChangeProgress *now = &change->now;
  ClipChangeStep step = CLIP_CHANGE_DONE;

  if (self->pretends)
    return preview (transaction, &self->limits, now, error);
  if (!now->is_weighed)
    step = remove_expired (transaction, 0, &now->outcome.n, error);
  change->yields = step == CLIP_CHANGE_MORE;
  if (step != CLIP_CHANGE_DONE)
    return step;
  return clip_step_weigh (transaction, clip_transaction_totals (transaction),
                          &self->limits, now, error)
             ? trim (transaction, now, error)
             : CLIP_CHANGE_FAILED;
}

/* to keep limits is nothing that anybody asked for */
static const ClipChangeKind trim_kind = {
  .name = "trim",
  .gives_room = TRUE,
  .bytes = sizeof (Trim),
  .run = run_trim,
};

/**
 * clip_change_trim:
 * @pretends: whether only to count
 *
 * Removes what has expired, then the oldest entries, until the limits are kept, and says
 * when to look again.
 */
ClipChange *
clip_change_trim (const ClipLimits *limits, gboolean pretends)
{
  Trim *self = clip_change_new (&trim_kind);

  self->limits = *limits;
  self->pretends = pretends;
  self->base.gives_room = !pretends;
  return &self->base;
}
