/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The note in the store is what counts, even if another process wrote it: a command
 * without a bus pauses the history beside the session's daemon. While a note of our own
 * is on its way to the disk, nothing that was written before it does.
 */
#include "clip-pause.h"

#include "clip-reader.h"
#include "clip-wall-timer.h"

struct ClipPause
{
  ClipStore *store;
  ClipPauseFunc changed;
  gpointer changed_data;
  gint64 until_us; /* 0 = not paused, -1 = until told */
  ClipWallTimer *timer;
  gint64 noted_us; /* what the note said when it was looked at */
  guint n_writing; /* notes of our own that are on their way */
};

static void
begin (ClipPause *self, gint64 until_us)
{
  self->until_us = until_us;
  clip_wall_timer_set (self->timer, MAX (until_us, 0));
}

/* also when the clock was set, and its end is yet to come */
static void
on_time (gpointer user_data)
{
  ClipPause *self = user_data;

  if (clip_pause_until (self) == 0)
    clip_pause_set (self, 0, NULL, NULL);
  else
    begin (self, self->until_us);
}

/* a history that was begun anew says nothing of a pause, and ends none */
static gboolean
read_note (ClipPause *self, gint64 *out_until_us)
{
  g_autofree char *note = clip_store_get_note (self->store, CLIP_NOTE_PAUSED);

  *out_until_us = note ? g_ascii_strtoll (note, NULL, 10) : 0;
  return note != NULL;
}

/* one that stays as it was, because ours found the disk full, ends no pause either */
static void
heed_note (ClipPause *self)
{
  gint64 until_us;

  if (self->n_writing > 0 || !read_note (self, &until_us) || until_us == self->noted_us)
    return;
  self->noted_us = until_us;
  if (until_us == self->until_us)
    return;
  begin (self, until_us);
  self->changed (self->changed_data);
}

/**
 * clip_pause_new:
 * @changed: called when a pause begins or ends
 *
 * Takes up a pause that was in force before the restart.
 */
ClipPause *
clip_pause_new (ClipStore *store, ClipPauseFunc changed, gpointer user_data)
{
  ClipPause *self = g_rc_box_new0 (ClipPause);

  self->store = g_object_ref (store);
  self->changed = changed;
  self->changed_data = user_data;
  self->timer = clip_wall_timer_new (on_time, self);
  read_note (self, &self->noted_us);
  begin (self, self->noted_us);
  g_signal_connect_swapped (store, "notes-changed", G_CALLBACK (heed_note), self);
  return self;
}

/* a caller that waits for its note to be on the disk may still be answered */
void
clip_pause_free (ClipPause *self)
{
  if (!self)
    return;
  g_clear_pointer (&self->timer, clip_wall_timer_free);
  g_signal_handlers_disconnect_by_data (self->store, self);
  g_clear_object (&self->store);
  g_rc_box_release (self);
}

typedef struct
{
  ClipPause *self;
  GAsyncReadyCallback callback; /* (nullable) */
  gpointer user_data;
} Writing;

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Writing *writing = user_data;
  ClipPause *self = writing->self;

  if (--self->n_writing == 0 && self->store)
    heed_note (self);
  g_rc_box_release (self);
  if (writing->callback)
    writing->callback (source, result, writing->user_data);
}

/**
 * clip_pause_set:
 * @until_us: microseconds since the epoch; 0 = go on, -1 = until told
 * @callback: (nullable): called when a restart does not end it any more; it finishes with
 * clip_store_change_finish()
 *
 * Here it is in force at once.
 */
void
clip_pause_set (ClipPause *self,
                gint64 until_us,
                GAsyncReadyCallback callback,
                gpointer user_data)
{
  g_autofree char *note = g_strdup_printf ("%" G_GINT64_FORMAT, until_us);
  Writing *writing = g_new (Writing, 1);

  *writing = (Writing){ g_rc_box_acquire (self), callback, user_data };
  self->n_writing++;
  begin (self, until_us);
  clip_store_change_async (self->store, clip_change_note (CLIP_NOTE_PAUSED, note),
                           on_written, writing);
  self->changed (self->changed_data);
}

/* 0 = not paused, -1 = until told, otherwise when it ends; a pause whose time has come is
 * over */
gint64
clip_pause_until (const ClipPause *self)
{
  return self->until_us < 0 || self->until_us > g_get_real_time () ? self->until_us : 0;
}
