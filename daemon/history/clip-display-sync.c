/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A watcher beside us hears of a copy when we do, and what it stores may reach us before
 * the news of the display does: above all where it is the watcher that has us started,
 * and no display is connected yet. So a caller with something to keep waits for the first
 * display, and then for each of them to have told what is selected.
 */
#include "clip-display-sync.h"

#include "clip-backend.h"
#include "clip-error.h"

/* a display that takes longer is not waited for */
#define PATIENCE_MS 1500

/* for so long one that was lost may be there still, and will be connected to again */
#define LOST_US (10 * G_USEC_PER_SEC)

struct ClipDisplaySync
{
  GPtrArray *backends; /* borrowed */
  GPtrArray *rounds;   /* of GTask, each with a Round */
  gboolean expects;    /* whether a display that is there may not have been found yet */
  gint64 lost_us;      /* monotonic: when the last one was lost; 0: none was */
};

typedef struct
{
  ClipDisplaySync *display_sync; /* NULL once it has ended */
  guint n_asked;                 /* displays that have not answered */
  gboolean asked;                /* whether they have been */
  guint timer;
  guint ending; /* an idle */
} Round;

static void
round_free (gpointer data)
{
  Round *self = data;

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->ending, g_source_remove);
  g_free (self);
}

/* (transfer full) (nullable): NULL where it has ended before */
static GTask *
leave (GTask *task)
{
  Round *round = g_task_get_task_data (task);
  GTask *left;

  if (!round->display_sync)
    return NULL;
  g_clear_handle_id (&round->timer, g_source_remove);
  g_clear_handle_id (&round->ending, g_source_remove);
  left = g_object_ref (task);
  g_ptr_array_remove (round->display_sync->rounds, task);
  round->display_sync = NULL;
  return left;
}

/* whether none is left that could tell, and one may be there again in a moment */
static gboolean
is_lost (const ClipDisplaySync *self)
{
  return self->backends->len == 0 && self->lost_us != 0 &&
         g_get_monotonic_time () - self->lost_us < LOST_US;
}

static void
end (GTask *task)
{
  const Round *round = g_task_get_task_data (task);
  const gboolean knows = !round->display_sync || !is_lost (round->display_sync);
  g_autoptr (GTask) left = leave (task);

  if (left && knows)
    g_task_return_boolean (left, TRUE);
  else if (left)
    g_task_return_new_error (left, CLIP_ERROR, CLIP_ERROR_STALLED,
                             "the display was lost a moment ago");
}

static gboolean
on_told (gpointer user_data)
{
  Round *round = g_task_get_task_data (user_data);

  round->ending = 0;
  end (user_data);
  return G_SOURCE_REMOVE;
}

/* what a display announces from the main loop comes before that */
static void
end_if_told (GTask *task)
{
  Round *round = g_task_get_task_data (task);

  if (round->display_sync && round->n_asked == 0)
    round->ending = g_idle_add_full (G_PRIORITY_DEFAULT, on_told, task, NULL);
}

static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Round *round = g_task_get_task_data (task);

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  round->n_asked--;
  end_if_told (task);
}

static void
ask (GTask *task)
{
  Round *round = g_task_get_task_data (task);
  GPtrArray *backends = round->display_sync->backends;

  round->asked = TRUE;
  round->n_asked = backends->len;
  for (guint i = 0; i < backends->len; i++)
    clip_backend_sync_async (backends->pdata[i], on_synced, g_object_ref (task));
  end_if_told (task);
}

/* one that was not found in time has nothing to tell; one that was may hold a secret */
static gboolean
on_patience_ended (gpointer user_data)
{
  Round *round = g_task_get_task_data (user_data);
  const gboolean is_unanswered = round->n_asked > 0;
  g_autoptr (GTask) left = NULL;

  g_debug ("a display does not tell what is selected");
  round->timer = 0;
  round->display_sync->expects = FALSE;
  left = leave (user_data);
  if (is_unanswered)
    g_task_return_new_error (left, CLIP_ERROR, CLIP_ERROR_STALLED,
                             "a display does not tell what is selected");
  else
    g_task_return_boolean (left, TRUE);
  return G_SOURCE_REMOVE;
}

/* @backends: (element-type ClipBackend): those that are connected; lives longer */
ClipDisplaySync *
clip_display_sync_new (GPtrArray *backends)
{
  ClipDisplaySync *self = g_new0 (ClipDisplaySync, 1);

  self->backends = backends;
  self->rounds = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

/* those that wait are told that it is over */
void
clip_display_sync_free (ClipDisplaySync *self)
{
  while (self->rounds->len > 0)
    {
      g_autoptr (GTask) task = leave (self->rounds->pdata[0]);

      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                               "the daemon is ending");
    }
  g_ptr_array_unref (self->rounds);
  g_free (self);
}

/* displays are about to be looked for: clip_display_sync_found() says that it is done */
void
clip_display_sync_expect (ClipDisplaySync *self)
{
  self->expects = TRUE;
}

/* one of those that were connected */
void
clip_display_sync_lost (ClipDisplaySync *self)
{
  self->lost_us = g_get_monotonic_time ();
}

/* what can be reached is connected; it may be nothing */
void
clip_display_sync_found (ClipDisplaySync *self)
{
  self->expects = FALSE;
  for (guint i = 0; i < self->rounds->len; i++)
    {
      GTask *task = self->rounds->pdata[i];

      if (!((Round *) g_task_get_task_data (task))->asked)
        ask (task);
    }
}

/* whether a display may have something to tell */
gboolean
clip_display_sync_is_needed (ClipDisplaySync *self)
{
  return self->expects || self->backends->len > 0 || is_lost (self);
}

/**
 * clip_display_sync_run_async:
 *
 * Ends when each display has told of every change that has happened by now.
 *
 * Errors: %CLIP_ERROR_STALLED: one has kept us waiting for too long, or was lost, and is
 * asked anew the next time; %G_IO_ERROR_CANCELLED: we are ending.
 */
void
clip_display_sync_run_async (ClipDisplaySync *self,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);
  Round *round = g_new0 (Round, 1);

  g_task_set_source_tag (task, clip_display_sync_run_async);
  round->display_sync = self;
  round->timer = g_timeout_add (PATIENCE_MS, on_patience_ended, task);
  g_task_set_task_data (task, round, round_free);
  g_ptr_array_add (self->rounds, task);
  if (!self->expects)
    ask (task);
}

/* FALSE with the error set: nothing may be kept then */
gboolean
clip_display_sync_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
