/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a limit must not take. A number in a configuration file, or a default that was
 * never chosen, may come upon a history that has grown under another one: where it would
 * take more than a tenth, it is not obeyed, until somebody says so. What is weighed is
 * the history before a copy is added: one that was within its limits is never too large
 * for them.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

/* the age that was obeyed last: after a holiday all is too old, and nobody has changed
 * anything */
#define AGE_NOTE "max-age"

/* Too much is more than a tenth of what there is. The ids stand for the entries: to count
 * those would take as long as there are many. */
static gboolean
takes_too_old (ClipTransaction *transaction,
               gint64 age_us,
               gboolean *out_takes,
               GError **error)
{
  const ClipTotals *totals = clip_transaction_totals (transaction);
  gint64 id =
      totals->first_loose + (totals->last_id - totals->first_loose) / CLIP_LIMITS_SHARE;
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_OLDEST_LOOSE, error, "i", id);
  ClipRows state = clip_statements_next (clip_transaction_db (transaction), rows, error);

  *out_takes = state == CLIP_ROWS_ROW &&
               sqlite3_column_int64 (rows, 1) <= g_get_real_time () - age_us;
  return state != CLIP_ROWS_FAILED;
}

/* 0 = none is; readers go by it, too */
gboolean
clip_step_obeyed_age (ClipTransaction *transaction, gint64 *out_age_us, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_GET_NOTE, error, "s", AGE_NOTE);
  ClipRows state = clip_statements_next (clip_transaction_db (transaction), rows, error);

  *out_age_us = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, 0) : 0;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
set_obeyed_age (ClipTransaction *transaction, gint64 age_us, GError **error)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, age_us);

  return clip_step_note (transaction, AGE_NOTE, age_us > 0 ? value : NULL, error);
}

/* one that has been in force is obeyed, whatever it takes */
static gboolean
spare_old (ClipTransaction *transaction,
           ClipLimits *limits,
           gboolean *out_spared,
           GError **error)
{
  gint64 obeyed_us;

  *out_spared = FALSE;
  if (!clip_step_obeyed_age (transaction, &obeyed_us, error))
    return FALSE;
  if (limits->max_age_us > 0 && (obeyed_us == 0 || limits->max_age_us < obeyed_us) &&
      !takes_too_old (transaction, limits->max_age_us, out_spared, error))
    return FALSE;
  if (*out_spared)
    limits->max_age_us = 0;
  else if (limits->max_age_us != obeyed_us)
    return set_obeyed_age (transaction, limits->max_age_us, error);
  return TRUE;
}

/**
 * clip_step_weigh:
 * @totals: of what is weighed; of a trim without what has expired
 * @limits: that were asked for
 * @progress: (inout): gets those that are to be obeyed: without the ones that would take
 * too much
 *
 * Once for a change: a history that was within its limits before the first step stays so.
 */
gboolean
clip_step_weigh (ClipTransaction *transaction,
                 const ClipTotals *totals,
                 const ClipLimits *limits,
                 ClipChangeProgress *progress,
                 GError **error)
{
  gint64 n_over = totals->count - totals->pinned - limits->max_items;
  gint64 bytes_over = totals->bytes - totals->pinned_bytes - limits->max_total_bytes;
  guint *spared = &progress->outcome.spared;
  gboolean old = FALSE;

  if (progress->is_weighed)
    return TRUE;
  progress->is_weighed = TRUE;
  progress->limits = *limits;
  *spared = 0;
  if (clip_limits_weigh (limits, CLIP_LIMIT_ITEMS) && limits->max_items >= 0 &&
      n_over > totals->count / CLIP_LIMITS_SHARE)
    {
      *spared |= CLIP_LIMIT_ITEMS;
      progress->limits.max_items = -1;
    }
  if (clip_limits_weigh (limits, CLIP_LIMIT_BYTES) && limits->max_total_bytes > 0 &&
      bytes_over > totals->bytes / CLIP_LIMITS_SHARE)
    {
      *spared |= CLIP_LIMIT_BYTES;
      progress->limits.max_total_bytes = 0;
    }
  if (clip_limits_weigh (limits, CLIP_LIMIT_AGE) &&
      !spare_old (transaction, &progress->limits, &old, error))
    return FALSE;
  *spared |= old ? CLIP_LIMIT_AGE : 0;
  return TRUE;
}
