/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a secret, so that it is recognized when it comes back. Some compositors answer for an old
 * offer with what has replaced it: so what was read counts only if the offer still stands once
 * everything has been heard that came before the answer.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-lesson.h"

#define PATIENCE_MS 500

typedef struct
{
  ClipBackend *backend;
  ClipOffer *offer;
  ClipSecrets *secrets;
  ClipTransfers *transfers;
  guint n_pending;
  GBytes *value; /* (nullable) */
  gboolean is_broken;
  ClipLessonDone done;
  gpointer user_data;
} Lesson;

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Lesson *self = user_data;
  gsize length = 0;
  const void *data = self->value ? g_bytes_get_data (self->value, &length) : NULL;
  const gboolean is_whole = length == CLIP_SECRETS_MAX_BYTES || !self->is_broken;
  const gboolean is_known =
      length > 0 && is_whole && !clip_offer_is_replaced (self->offer);

  clip_backend_settle_finish (CLIP_BACKEND (source), result);
  if (is_known)
    clip_secrets_learn (self->secrets, data, length, g_get_monotonic_time ());
  g_debug ("a secret: %s", is_known ? "will be known again" : "could not be read");
  self->done (is_known, self->user_data);
  g_clear_pointer (&self->value, g_bytes_unref);
  g_object_unref (self->backend);
  g_object_unref (self->offer);
  clip_secrets_unref (self->secrets);
}

static void
end_one (Lesson *self)
{
  if (--self->n_pending == 0)
    clip_backend_settle_async (self->backend, on_settled, self);
}

static void
on_read (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Lesson *self = user_data;

  self->value = clip_transfers_read_finish (result, NULL);
  end_one (self);
}

static void
on_opened (int source_fd_take, gpointer user_data)
{
  Lesson *self = user_data;

  self->n_pending++;
  clip_transfers_read_head_async (self->transfers, source_fd_take, CLIP_SECRETS_MAX_BYTES,
                                  PATIENCE_MS, NULL, on_read, self);
}

static void
on_verdict (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Lesson *self = user_data;

  self->is_broken = clip_backend_receive_finish (CLIP_BACKEND (source), result, NULL) ==
                    CLIP_VERDICT_BROKEN;
  end_one (self);
}

/**
 * clip_lesson_begin:
 * @mime: the text or the image that is a secret; of a long one its beginning is learnt
 * @transfers: outlives the lesson
 * @done: called once, and not from here, with whether anything was learnt
 */
void
clip_lesson_begin (ClipBackend *backend,
                   ClipOffer *offer,
                   const char *mime,
                   ClipTransfers *transfers,
                   ClipSecrets *secrets,
                   ClipLessonDone done,
                   gpointer user_data)
{
  Lesson *self = g_new0 (Lesson, 1);

  *self = (Lesson){ .backend = g_object_ref (backend),
                    .offer = g_object_ref (offer),
                    .secrets = clip_secrets_ref (secrets),
                    .transfers = transfers,
                    .n_pending = 1,
                    .done = done,
                    .user_data = user_data };
  clip_backend_read_async (backend, offer, mime, on_opened, NULL, on_verdict, self);
}
