/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-error.h"
#include "clip-record.h"
#include "clip-tags.h"

/* readers do not see it any more, whether or not somebody has been there to remove it */
static gboolean
has_to_go (const ClipRecord *record, gint64 age_us)
{
  gint64 now_us = g_get_real_time ();

  return !record->pinned && ((record->expires_us > 0 && record->expires_us <= now_us) ||
                             (age_us > 0 && record->last_us <= now_us - age_us));
}

/* a time that came while it was pinned is not heeded any more: it would be gone at
   once */
static gboolean
forget_past (ClipLedger *ledger, const ClipRecord *record, GError **error)
{
  if (record->expires_us <= 0 || record->expires_us > g_get_real_time ())
    return TRUE;
  return clip_database_run (clip_ledger_database (ledger), CLIP_SQL_SET_EXPIRY, error,
                            "ii", record->id, (gint64) 0);
}

static gboolean
load (ClipLedger *ledger, gint64 id, ClipRecord *record, GError **error)
{
  ClipRows state = clip_record_load (ledger, id, record, error);
  gint64 age_us;

  if (state == CLIP_ROWS_ROW && !clip_change_obeyed_age (ledger, &age_us, error))
    return FALSE;
  if (state == CLIP_ROWS_ROW && has_to_go (record, age_us))
    state = CLIP_ROWS_END;
  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                 "id %" G_GINT64_FORMAT " not found", id);
  return state == CLIP_ROWS_ROW;
}

static ClipChangeStep
finish (ClipLedger *ledger, gint64 id, gint64 *n_changed)
{
  clip_ledger_log (ledger, CLIP_EVENT_CHANGED, id, 0);
  (*n_changed)++;
  return CLIP_CHANGE_DONE;
}

/**
 * clip_change_move:
 * @out_id: the id that it has afterwards: its own where it is the newest
 *
 * Gives the entry the next id, as when it is copied again.
 *
 * Errors: as clip_change_pin().
 */
ClipChangeStep
clip_change_move (ClipLedger *ledger, gint64 id, gint64 *out_id, GError **error)
{
  ClipRecord record = { 0 };

  if (!load (ledger, id, &record, error))
    return CLIP_CHANGE_FAILED;
  *out_id = id;
  if (id == clip_ledger_sums (ledger)->last_id)
    return CLIP_CHANGE_DONE;
  *out_id = ++clip_ledger_sums (ledger)->last_id;
  record.last_us = MAX (record.last_us, g_get_real_time ());
  record.copies++;
  if (!clip_record_move (ledger, *out_id, &record, error))
    return CLIP_CHANGE_FAILED;
  clip_ledger_log (ledger, CLIP_EVENT_MOVED, *out_id, id);
  return CLIP_CHANGE_DONE;
}

/**
 * clip_change_pin:
 * @n_changed: (inout): grows by one, unless the entry is that already
 *
 * One that is no longer pinned keeps an expiry that is yet to come.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_FAILED.
 */
ClipChangeStep
clip_change_pin (ClipLedger *ledger,
                 gint64 id,
                 gboolean pinned,
                 gint64 *n_changed,
                 GError **error)
{
  ClipRecord record = { 0 };

  if (!load (ledger, id, &record, error))
    return CLIP_CHANGE_FAILED;
  if (record.pinned == !!pinned)
    return CLIP_CHANGE_DONE;
  if (!clip_database_run (clip_ledger_database (ledger), CLIP_SQL_SET_PINNED, error, "ii",
                          id, (gint64) !!pinned))
    return CLIP_CHANGE_FAILED;
  if (!pinned && !forget_past (ledger, &record, error))
    return CLIP_CHANGE_FAILED;
  clip_record_count_pin (clip_ledger_sums (ledger), &record, pinned ? 1 : -1);
  if (!pinned)
    clip_ledger_sums (ledger)->first_loose =
        MIN (clip_ledger_sums (ledger)->first_loose, id);
  return finish (ledger, id, n_changed);
}

/**
 * clip_change_expire_at:
 * @expires_us: microseconds since the epoch; 0 = never
 *
 * Errors: as clip_change_pin().
 */
ClipChangeStep
clip_change_expire_at (ClipLedger *ledger,
                       gint64 id,
                       gint64 expires_us,
                       gint64 *n_changed,
                       GError **error)
{
  ClipRecord record = { 0 };

  if (!load (ledger, id, &record, error) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_SET_EXPIRY, error, "ii",
                          id, expires_us))
    return CLIP_CHANGE_FAILED;
  return finish (ledger, id, n_changed);
}

/* @tags: all that the entry has from now on. Errors: as clip_change_pin(). */
ClipChangeStep
clip_change_tag (ClipLedger *ledger,
                 gint64 id,
                 const char *const *tags,
                 gint64 *n_changed,
                 GError **error)
{
  ClipRecord record = { 0 };

  if (!load (ledger, id, &record, error) || !clip_tags_set (ledger, id, tags, error))
    return CLIP_CHANGE_FAILED;
  return finish (ledger, id, n_changed);
}

/* @value: (nullable): %NULL forgets it */
ClipChangeStep
clip_change_note (ClipLedger *ledger, const char *key, const char *value, GError **error)
{
  gboolean done = value ? clip_database_run (clip_ledger_database (ledger),
                                             CLIP_SQL_SET_NOTE, error, "ss", key, value)
                        : clip_database_run (clip_ledger_database (ledger),
                                             CLIP_SQL_DROP_NOTE, error, "s", key);

  if (!done)
    return CLIP_CHANGE_FAILED;
  clip_ledger_log (ledger, CLIP_EVENT_NOTE, 0, 0);
  return CLIP_CHANGE_DONE;
}
