/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-save-targets.h"

struct ClipSaveTargets
{
  gatomicrefcount refs;     /* a display that is asked has one */
  ClipSaveTargetsFunc look; /* NULL: there is no one to ask */
  gpointer look_data;
  GPtrArray *requests;
};

typedef struct
{
  ClipSaveTargets *save_targets;
  ClipRequest *request;
} Saving;

/* @look: says what has become of the copy */
ClipSaveTargets *
clip_save_targets_new (ClipSaveTargetsFunc look, gpointer user_data)
{
  ClipSaveTargets *self = g_new0 (ClipSaveTargets, 1);

  g_atomic_ref_count_init (&self->refs);
  self->look = look;
  self->look_data = user_data;
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

static void
unref (ClipSaveTargets *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_ptr_array_unref (self->requests);
  g_free (self);
}

void
clip_save_targets_free (ClipSaveTargets *self)
{
  if (!self)
    return;
  self->look = NULL;
  unref (self);
}

/* answers all of them, where the answer is known: without a word they would wait for
   nothing */
void
clip_save_targets_look (ClipSaveTargets *self)
{
  ClipSaved saved = self->look ? self->look (self->look_data) : CLIP_SAVED_NEVER;

  if (saved == CLIP_SAVED_NOT_YET)
    return;
  for (guint i = 0; i < self->requests->len; i++)
    clip_request_finish (g_ptr_array_index (self->requests, i), saved == CLIP_SAVED);
  g_ptr_array_set_size (self->requests, 0);
}

/* everything that it has copied has been told of by now */
static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saving *saving = user_data;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  g_ptr_array_add (saving->save_targets->requests, saving->request);
  clip_save_targets_look (saving->save_targets);
  unref (saving->save_targets);
  g_free (saving);
}

/* @request: of an owner on @backend */
void
clip_save_targets_add (ClipSaveTargets *self, ClipBackend *backend, ClipRequest *request)
{
  Saving *saving = g_new (Saving, 1);

  g_atomic_ref_count_inc (&self->refs);
  *saving = (Saving){ self, g_object_ref (request) };
  clip_backend_sync_async (backend, on_synced, saving);
}
