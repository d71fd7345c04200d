/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The note in the store is what counts, even if another process wrote it: a command
 * without a bus pauses the history beside the session's daemon. While a note of our own
 * is on its way to the disk, nothing that was written before it does.
 */
#include "clip-pause.h"

#include "clip-reader.h"

/* a wall clock may be set: look again at least so often */
#define MAX_WAIT_S 3600

struct ClipPause
{
  ClipStore *store;
  ClipPauseFunc changed;
  gpointer changed_data;
  gint64 until_us; /* 0 = not paused, -1 = until told */
  guint timer;
  gint64 noted_us; /* what the note said when it was looked at */
  guint n_writing; /* notes of our own that are on their way */
};

static void wait_for_end (ClipPause *self);

static gboolean
on_timer (gpointer user_data)
{
  ClipPause *self = user_data;

  self->timer = 0;
  if (clip_pause_until (self) == 0)
    clip_pause_set (self, 0, NULL, NULL);
  else
    wait_for_end (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_end (ClipPause *self)
{
  gint64 left_us = self->until_us - g_get_real_time ();

  if (self->until_us > 0)
    self->timer = g_timeout_add_seconds (
        (guint) CLAMP (left_us / G_USEC_PER_SEC + 1, 1, MAX_WAIT_S), on_timer, self);
}

static void
begin (ClipPause *self, gint64 until_us)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  self->until_us = until_us;
  wait_for_end (self);
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
  g_clear_handle_id (&self->timer, g_source_remove);
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
