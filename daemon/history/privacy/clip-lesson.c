/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads a secret, so that it is recognized when it comes back: one type after the other. Some compositors answer for an old
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
  GPtrArray *mimes; /* borrowed from the offer */
  guint n_asked;
  guint n_pending;
  GBytes *value; /* (nullable): of the type that was asked for last */
  gboolean is_broken;
  GPtrArray *values; /* of GBytes: of the types before it, those that were read whole */
  gboolean has_first;
  ClipLessonDone done;
  gpointer user_data;
} Lesson;

static void
lesson_free (Lesson *self)
{
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->mimes);
  g_object_unref (self->backend);
  g_object_unref (self->offer);
  clip_secrets_unref (self->secrets);
  g_free (self);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Lesson *self = user_data;
  const gboolean is_valid = !clip_offer_is_replaced (self->offer);
  const gboolean is_known = is_valid && self->has_first;

  clip_backend_settle_finish (CLIP_BACKEND (source), result);
  for (guint i = 0; is_valid && i < self->values->len; i++)
    {
      gsize length;
      const void *data = g_bytes_get_data (self->values->pdata[i], &length);

      clip_secrets_learn (self->secrets, data, length, g_get_monotonic_time ());
    }
  g_debug ("a secret: %s", is_known ? "will be known again" : "could not be read");
  self->done (is_known, self->user_data);
  lesson_free (self);
}

static void read_next (Lesson *self);

/* one that gave nothing is asked for nothing more */
static void
end_one (Lesson *self)
{
  g_autoptr (GBytes) value = NULL;
  gsize length;

  if (--self->n_pending > 0)
    return;
  value = g_steal_pointer (&self->value);
  length = value ? g_bytes_get_size (value) : 0;
  if (length > 0 && (length == CLIP_SECRETS_MAX_BYTES || !self->is_broken))
    {
      self->has_first |= self->n_asked == 1;
      g_ptr_array_add (self->values, g_steal_pointer (&value));
      read_next (self);
    }
  else
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

static void
read_next (Lesson *self)
{
  if (self->n_asked == self->mimes->len)
    {
      clip_backend_settle_async (self->backend, on_settled, self);
      return;
    }
  self->n_pending = 1;
  self->is_broken = FALSE;
  clip_backend_read_async (self->backend, self->offer,
                           g_ptr_array_index (self->mimes, self->n_asked++), on_opened,
                           NULL, on_verdict, self);
}

/**
 * clip_lesson_begin:
 * @mimes: of the offer: what a secret is read in, the best type first; of long contents the beginnings
 * are learnt
 * @transfers: outlives the lesson
 * @done: called once, and not from here, with whether the first of them was learnt
 */
void
clip_lesson_begin (ClipBackend *backend,
                   ClipOffer *offer,
                   GPtrArray *mimes,
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
                    .mimes = g_ptr_array_ref (mimes),
                    .values =
                        g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref),
                    .done = done,
                    .user_data = user_data };
  read_next (self);
}
