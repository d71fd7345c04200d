/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether what was copied is a secret:
 *
 *   a mark among its types       -> it is one                 (clip-secrecy)
 *   a hint among its types       -> its owner is asked for each, one after the other; a
 *                                   refusal is enough, and so is what cannot be read
 *   neither                      -> it is none, as far as anything says so
 *
 * A secret that may be read is, one type after the other, to be known when it comes back.
 * Some compositors answer for an old offer with what has replaced it: so what was read
 * counts only if the offer still stands once everything has been heard that came before
 * the answer; else for a moment, to tell another manager's copy of it from the next one.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-secret-check.h"

#include "clip-mime.h"
#include "clip-receive.h"
#include "clip-secrecy.h"

/* how long an owner may take: a copy that is none waits for the answer to its hint */
#define HINT_MS 500

/* of a secret, more are not read */
#define MAX_TEXTS 8

typedef struct
{
  ClipBackend *backend;
  ClipOffer *offer;
  GPtrArray *mimes; /* borrowed from the offer: the types that a copy is read in */
  ClipTransfers *transfers;
  ClipSecretFingerprints *fingerprints; /* (nullable) */
  GCancellable *cancellable;            /* the caller's */
  gulong cancelled_id;
  GCancellable *asking; /* also when the time is over */
  guint timer;
  guint next_hint; /* among all that are offered */
  const char *hint;
  guint n_texts;     /* of @mimes, that were asked for */
  GPtrArray *values; /* of GBytes: those that were read whole */
  gboolean has_first;
  ClipSecretCheckFunc done;
  gpointer user_data;
} Check;

static void
finish (Check *self, ClipSecretKind kind)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_signal_handler (&self->cancelled_id, self->cancellable);
  self->done (kind, self->user_data);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->mimes);
  g_object_unref (self->backend);
  g_object_unref (self->offer);
  g_object_unref (self->cancellable);
  g_object_unref (self->asking);
  clip_secret_fingerprints_unref (self->fingerprints);
  g_free (self);
}

/* --- a secret is read --- */

static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Check *self = user_data;
  const gboolean is_valid = !clip_offer_is_replaced (self->offer);
  const gint64 now_us = g_get_monotonic_time ();
  ClipSecretKind kind = is_valid ? CLIP_SECRET_KNOWN : CLIP_SECRET_DOUBTFUL;
  const ClipSecretOrigin origin =
      clip_offer_selection (self->offer) == CLIP_SELECTION_PRIMARY
          ? CLIP_SECRET_OF_PRIMARY
          : CLIP_SECRET_OF_DISPLAY;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  for (guint i = 0; i < self->values->len; i++)
    {
      gsize length;
      const void *data = g_bytes_get_data (self->values->pdata[i], &length);

      if (is_valid)
        clip_secret_fingerprints_learn (self->fingerprints, origin, data, length, now_us);
      else
        clip_secret_fingerprints_suspect (self->fingerprints, origin, data, length,
                                          now_us);
    }
  if (!self->has_first)
    kind = CLIP_SECRET_UNREAD;
  g_debug ("a secret: %s",
           kind == CLIP_SECRET_KNOWN ? "will be known again" : "could not be read");
  finish (self, kind);
}

static void read_next (Check *self);

/* one that gave nothing is asked for nothing more */
static void
on_text (ClipReceived *received, gpointer user_data)
{
  Check *self = user_data;
  const gsize length = received->bytes ? g_bytes_get_size (received->bytes) : 0;

  if (length > 0 && (length == CLIP_SECRET_FINGERPRINTS_MAX_BYTES ||
                     received->verdict != CLIP_VERDICT_BROKEN))
    {
      self->has_first |= self->n_texts == 1;
      g_ptr_array_add (self->values, g_steal_pointer (&received->bytes));
      read_next (self);
    }
  else
    clip_backend_sync_async (self->backend, on_synced, self);
}

/* the one that cancelled us may have let the transfers go */
static void
read_next (Check *self)
{
  if (self->n_texts == self->mimes->len || clip_offer_is_replaced (self->offer) ||
      g_cancellable_is_cancelled (self->asking))
    clip_backend_sync_async (self->backend, on_synced, self);
  else
    clip_receive_bytes (self->backend, self->offer,
                        g_ptr_array_index (self->mimes, self->n_texts++), self->transfers,
                        CLIP_RECEIVE_HEAD, CLIP_SECRET_FINGERPRINTS_MAX_BYTES,
                        CLIP_SECRET_CHECK_MS, self->asking, on_text, self);
}

/* To read a password that can be pasted once is to paste it. On Wayland `wl-copy` offers
 * such ones, whose texts end in these two names; GTK, Chromium and arboard (Bitwarden)
 * have them in another order, and no password manager with a window offers one. */
static gboolean
may_be_pasted_once (const Check *self)
{
  const char *const *offered = clip_offer_mimes (self->offer);
  const char *before = NULL, *last = NULL;

  for (gsize i = 0; offered[i]; i++)
    if (clip_mime_is_plain (offered[i]))
      {
        before = last;
        last = offered[i];
      }
  return clip_backend_spends_pastes (self->backend) &&
         g_strcmp0 (before, "STRING") == 0 && g_str_equal (last, "UTF8_STRING");
}

/* another manager may offer it again in any type: those that a copy is read in, and its
   other texts */
static void
add_texts (Check *self)
{
  const char *const *offered = clip_offer_mimes (self->offer);

  for (gsize i = 0; offered[i] && self->mimes->len < MAX_TEXTS; i++)
    if (clip_mime_is_text (offered[i]) && clip_mime_is_kept (offered[i]) &&
        !clip_mime_is_plain (offered[i]) &&
        !g_ptr_array_find (self->mimes, offered[i], NULL))
      g_ptr_array_add (self->mimes, (gpointer) offered[i]);
}

/* so that it is recognized when it comes back without its mark */
static void
read_secret (Check *self)
{
  if (self->mimes->len == 0 || !self->fingerprints || may_be_pasted_once (self))
    {
      finish (self, CLIP_SECRET_UNREAD);
      return;
    }
  add_texts (self);
  read_next (self);
}

/* --- its owner is asked --- */

static void ask_next_hint (Check *self);

static void
on_hint (ClipReceived *received, gpointer user_data)
{
  Check *self = user_data;
  gsize length = 0;
  const void *value =
      received->bytes ? g_bytes_get_data (received->bytes, &length) : NULL;

  if (g_cancellable_is_cancelled (self->cancellable))
    finish (self, CLIP_SECRET_NONE);
  else if (!received->is_open)
    finish (self, CLIP_SECRET_UNREAD); /* the owner may have gone */
  else if (clip_secrecy_refuses (self->hint, value, length))
    read_secret (self);
  else
    ask_next_hint (self);
}

/* one after the other, as their owner is a program of one thread */
static void
ask_next_hint (Check *self)
{
  const char *const *offered = clip_offer_mimes (self->offer);

  for (self->hint = NULL; !self->hint && offered[self->next_hint]; self->next_hint++)
    if (clip_secrecy_of_name (offered[self->next_hint]) == CLIP_SECRECY_ASK)
      self->hint = offered[self->next_hint];
  if (self->hint)
    clip_receive_bytes (self->backend, self->offer, self->hint, self->transfers,
                        CLIP_RECEIVE_ALL, CLIP_SECRECY_VALUE_BYTES, HINT_MS, self->asking,
                        on_hint, self);
  else
    finish (self, CLIP_SECRET_NONE);
}

/* --- it has so much time --- */

/* a hint that has not come by then is none that can be understood */
static gboolean
on_late (gpointer user_data)
{
  Check *self = user_data;

  self->timer = 0;
  g_cancellable_cancel (self->asking);
  return G_SOURCE_REMOVE;
}

static void
on_caller_cancelled (GCancellable *cancellable G_GNUC_UNUSED, gpointer user_data)
{
  g_cancellable_cancel (user_data);
}

static void
limit_time (Check *self)
{
  self->timer = g_timeout_add (CLIP_SECRET_CHECK_MS, on_late, self);
  self->cancelled_id =
      g_cancellable_connect (self->cancellable, G_CALLBACK (on_caller_cancelled),
                             g_object_ref (self->asking), g_object_unref);
}

/**
 * clip_secret_check:
 * @mimes: (element-type utf8): of the offer: what a copy of it is read in, the best type
 * first
 * @transfers: outlives the check, unless @cancellable is cancelled
 * @fingerprints: (nullable): learns what turns out to be one
 * @done: called once, perhaps before this returns; when @cancellable was cancelled, with
 * %CLIP_SECRET_NONE where nothing more is known
 */
void
clip_secret_check (ClipBackend *backend,
                   ClipOffer *offer,
                   GPtrArray *mimes,
                   ClipTransfers *transfers,
                   ClipSecretFingerprints *fingerprints,
                   GCancellable *cancellable,
                   ClipSecretCheckFunc done,
                   gpointer user_data)
{
  Check *self = g_new0 (Check, 1);

  *self =
      (Check){ .backend = g_object_ref (backend),
               .offer = g_object_ref (offer),
               .mimes = g_ptr_array_new (),
               .transfers = transfers,
               .fingerprints =
                   fingerprints ? clip_secret_fingerprints_ref (fingerprints) : NULL,
               .cancellable = g_object_ref (cancellable),
               .asking = g_cancellable_new (),
               .values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref),
               .done = done,
               .user_data = user_data };
  g_ptr_array_extend (self->mimes, mimes, NULL, NULL);
  limit_time (self);
  if (clip_offer_secrecy (offer) == CLIP_SECRECY_SECRET)
    read_secret (self);
  else
    ask_next_hint (self);
}
