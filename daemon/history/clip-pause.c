/* SPDX-License-Identifier: LGPL-2.1-or-later */
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

/**
 * clip_pause_new:
 * @changed: called when a pause begins or ends
 *
 * Takes up a pause that was in force before the restart.
 */
ClipPause *
clip_pause_new (ClipStore *store, ClipPauseFunc changed, gpointer user_data)
{
  ClipPause *self = g_new0 (ClipPause, 1);
  g_autofree char *note = clip_store_get_note (store, CLIP_NOTE_PAUSED);

  self->store = g_object_ref (store);
  self->changed = changed;
  self->changed_data = user_data;
  self->until_us = note ? g_ascii_strtoll (note, NULL, 10) : 0;
  wait_for_end (self);
  return self;
}

void
clip_pause_free (ClipPause *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_object_unref (self->store);
  g_free (self);
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

  g_clear_handle_id (&self->timer, g_source_remove);
  self->until_us = until_us;
  wait_for_end (self);
  clip_store_set_note_async (self->store, CLIP_NOTE_PAUSED, note, callback, user_data);
  self->changed (self->changed_data);
}

/* 0 = not paused, -1 = until told, otherwise when it ends; a pause whose time has come is
 * over */
gint64
clip_pause_until (const ClipPause *self)
{
  return self->until_us < 0 || self->until_us > g_get_real_time () ? self->until_us : 0;
}
