/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

#include "clip-error.h"

/* what is set of one entry */
typedef struct
{
  ClipChange base;
  gint64 id;
  gboolean pinned;
  gint64 expires_us; /* 0 = never */
  char **tags;
  gboolean is_no_copy; /* it moves for another reason */
} Set;

typedef struct
{
  ClipChange base;
  char *key;
  char *value; /* (nullable): it is forgotten */
} Note;

/* readers do not see it any more, whether or not somebody has been there to remove it */
static gboolean
has_to_go (const ClipEntryRows *record, gint64 age_us)
{
  gint64 now_us = g_get_real_time ();

  return !record->pinned && ((record->expires_us > 0 && record->expires_us <= now_us) ||
                             (age_us > 0 && record->last_us <= now_us - age_us));
}

/* a time that came while it was pinned is not heeded any more: it would be gone at
   once */
static gboolean
forget_past (ClipTransaction *transaction, const ClipEntryRows *record, GError **error)
{
  if (record->expires_us <= 0 || record->expires_us > g_get_real_time ())
    return TRUE;
  return clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_SET_EXPIRY,
                              error, "ii", record->id, (gint64) 0);
}

static gboolean
load (ClipTransaction *transaction, gint64 id, ClipEntryRows *record, GError **error)
{
  ClipRows state = clip_entry_rows_load (transaction, id, record, error);
  gint64 age_us;

  if (state == CLIP_ROWS_ROW && !clip_step_obeyed_age (transaction, &age_us, error))
    return FALSE;
  if (state == CLIP_ROWS_ROW && has_to_go (record, age_us))
    state = CLIP_ROWS_END;
  if (state == CLIP_ROWS_END)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND,
                 "id %" G_GINT64_FORMAT " not found", id);
  return state == CLIP_ROWS_ROW;
}

static ClipChangeStep
finish (ClipChange *change, ClipTransaction *transaction, gboolean done)
{
  if (!done)
    return CLIP_CHANGE_FAILED;
  clip_transaction_add_event (transaction, CLIP_EVENT_CHANGED, ((Set *) change)->id, 0);
  change->now.outcome.n++;
  return CLIP_CHANGE_DONE;
}

static ClipChangeStep
run_move (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const gint64 id = ((Set *) change)->id;
  ClipTotals *totals = clip_transaction_totals (transaction);
  ClipEntryRows record = { 0 };

  if (!load (transaction, id, &record, error))
    return CLIP_CHANGE_FAILED;
  change->now.outcome.id = id;
  if (id == totals->last_id)
    return CLIP_CHANGE_DONE;
  change->now.outcome.id = ++totals->last_id;
  record.last_us = MAX (record.last_us, g_get_real_time ());
  record.copies += ((Set *) change)->is_no_copy ? 0 : 1;
  if (!clip_entry_rows_move (transaction, totals->last_id, &record, error))
    return CLIP_CHANGE_FAILED;
  clip_transaction_add_event (transaction, CLIP_EVENT_MOVED, totals->last_id, id);
  return CLIP_CHANGE_DONE;
}

static const ClipChangeKind move_kind = {
  .name = "move",
  .is_asked_for = TRUE,
  .bytes = sizeof (Set),
  .run = run_move,
};

/* Moves the entry to the top, as when it is copied again; ends with the id that it has
 * then: its own where it is the newest. Fails with CLIP_ERROR_NOT_FOUND where there is no
 * such entry; as do the next four. */
ClipChange *
clip_change_move (gint64 id)
{
  Set *self = clip_change_new (&move_kind);

  self->id = id;
  return &self->base;
}

/* as clip_change_move(), above one that was copied before and came later: no copy more */
ClipChange *
clip_change_raise (gint64 id)
{
  Set *self = clip_change_new (&move_kind);

  self->id = id;
  self->is_no_copy = TRUE;
  return &self->base;
}

/* @n_changed: (inout): grows by one, unless the entry is that already. One that is no
 * longer pinned keeps an expiry that is yet to come. */
gboolean
clip_step_pin (ClipTransaction *transaction,
               gint64 id,
               gboolean pinned,
               gint64 *n_changed,
               GError **error)
{
  ClipTotals *totals = clip_transaction_totals (transaction);
  ClipEntryRows record = { 0 };

  if (!load (transaction, id, &record, error))
    return FALSE;
  if (record.pinned == !!pinned)
    return TRUE;
  if (!clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_SET_PINNED, error,
                            "ii", id, (gint64) !!pinned) ||
      (!pinned && !forget_past (transaction, &record, error)))
    return FALSE;
  clip_entry_rows_count_pin (totals, &record, pinned ? 1 : -1);
  if (!pinned)
    totals->first_loose = MIN (totals->first_loose, id);
  clip_transaction_add_event (transaction, CLIP_EVENT_CHANGED, id, 0);
  ++*n_changed;
  return TRUE;
}

static ClipChangeStep
run_pin (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const Set *self = (Set *) change;

  return clip_step_pin (transaction, self->id, self->pinned, &change->now.outcome.n,
                        error)
             ? CLIP_CHANGE_DONE
             : CLIP_CHANGE_FAILED;
}

static const ClipChangeKind pin_kind = {
  .name = "pin",
  .is_asked_for = TRUE,
  .bytes = sizeof (Set),
  .run = run_pin,
};

ClipChange *
clip_change_pin (gint64 id, gboolean pinned)
{
  Set *self = clip_change_new (&pin_kind);

  self->id = id;
  self->pinned = pinned;
  return &self->base;
}

static ClipChangeStep
run_expire (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const Set *self = (Set *) change;
  ClipEntryRows record = { 0 };

  return finish (change, transaction,
                 load (transaction, self->id, &record, error) &&
                     clip_statements_run (clip_transaction_db (transaction),
                                          CLIP_SQL_SET_EXPIRY, error, "ii", self->id,
                                          self->expires_us));
}

static const ClipChangeKind expire_kind = {
  .name = "expire",
  .is_asked_for = TRUE,
  .bytes = sizeof (Set),
  .run = run_expire,
};

/* @expires_us: microseconds since the epoch; 0 = never */
ClipChange *
clip_change_expire (gint64 id, gint64 expires_us)
{
  Set *self = clip_change_new (&expire_kind);

  self->id = id;
  self->expires_us = expires_us;
  return &self->base;
}

static ClipChangeStep
run_tag (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const Set *self = (Set *) change;
  ClipEntryRows record = { 0 };

  return finish (change, transaction,
                 load (transaction, self->id, &record, error) &&
                     clip_entry_rows_set_tags (transaction, self->id,
                                               (const char *const *) self->tags, error));
}

static void
clear_tag (ClipChange *change)
{
  g_strfreev (((Set *) change)->tags);
}

static const ClipChangeKind tag_kind = {
  .name = "tag",
  .is_asked_for = TRUE,
  .bytes = sizeof (Set),
  .run = run_tag,
  .clear = clear_tag,
};

/* @tags: all that it has from now on */
ClipChange *
clip_change_tag (gint64 id, const char *const *tags)
{
  Set *self = clip_change_new (&tag_kind);

  self->id = id;
  self->tags = g_strdupv ((char **) tags);
  return &self->base;
}

/* @value: (nullable): %NULL forgets it */
gboolean
clip_step_note (ClipTransaction *transaction,
                const char *key,
                const char *value,
                GError **error)
{
  ClipStatements *db = clip_transaction_db (transaction);

  if (!(value ? clip_statements_run (db, CLIP_SQL_SET_NOTE, error, "ss", key, value)
              : clip_statements_run (db, CLIP_SQL_DROP_NOTE, error, "s", key)))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_NOTE, 0, 0);
  return TRUE;
}

static ClipChangeStep
run_note (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const Note *self = (Note *) change;

  return clip_step_note (transaction, self->key, self->value, error) ? CLIP_CHANGE_DONE
                                                                     : CLIP_CHANGE_FAILED;
}

static void
clear_note (ClipChange *change)
{
  g_free (((Note *) change)->key);
  g_free (((Note *) change)->value);
}

static const ClipChangeKind note_kind = {
  .name = "note",
  .is_note = TRUE,
  .bytes = sizeof (Note),
  .run = run_note,
  .clear = clear_note,
};

/* A small value that belongs to the history and outlives the daemon.
 * @value: (nullable): NULL forgets it */
ClipChange *
clip_change_note (const char *key, const char *value)
{
  Note *self = clip_change_new (&note_kind);

  self->key = g_strdup (key);
  self->value = g_strdup (value);
  return &self->base;
}
