/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-hint.h"

#include "clip-secrecy.h"

#define HINT_MS 500

typedef struct
{
  ClipOffer *offer; /* keeps the hint */
  const char *hint;
  ClipTransfers *transfers;
  GCancellable *cancellable;
  guint n_pending;
  gboolean opened;
  ClipHintDone done;
  gpointer user_data;
} Question;

static void
end_one (Question *self)
{
  if (--self->n_pending > 0)
    return;
  g_object_unref (self->offer);
  g_clear_object (&self->cancellable);
  g_free (self);
}

static void
on_read (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Question *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) value = clip_transfers_read_finish (result, &error);
  gsize length = 0;
  const void *data = value ? g_bytes_get_data (value, &length) : NULL;

  self->done (!value || clip_secrecy_refuses (self->hint, data, length)
                  ? CLIP_HINT_SECRET
                  : CLIP_HINT_PUBLIC,
              self->user_data);
  end_one (self);
}

static void
on_opened (int source_fd_take, gpointer user_data)
{
  Question *self = user_data;

  self->opened = TRUE;
  self->n_pending++;
  clip_transfers_read_async (self->transfers, source_fd_take, CLIP_SECRECY_VALUE_BYTES,
                             HINT_MS, self->cancellable, on_read, self);
}

static void
on_verdict (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *self = user_data;
  g_autoptr (GError) error = NULL;

  clip_backend_receive_finish (CLIP_BACKEND (source), result, &error);
  if (error)
    g_debug ("password hint not answered: %s", error->message);
  if (!self->opened)
    self->done (CLIP_HINT_UNANSWERED, self->user_data);
  end_one (self);
}

/**
 * clip_hint_ask:
 * @hint: one of the types of @offer
 * @transfers: outlives the question
 * @cancellable: ends it
 * @done: called once, and not from here
 */
void
clip_hint_ask (ClipBackend *backend,
               ClipOffer *offer,
               const char *hint,
               ClipTransfers *transfers,
               GCancellable *cancellable,
               ClipHintDone done,
               gpointer user_data)
{
  Question *self = g_new0 (Question, 1);

  *self = (Question){ .offer = g_object_ref (offer),
                      .hint = hint,
                      .transfers = transfers,
                      .cancellable = g_object_ref (cancellable),
                      .n_pending = 1,
                      .done = done,
                      .user_data = user_data };
  clip_backend_read_async (backend, offer, hint, on_opened, cancellable, on_verdict,
                           self);
}
