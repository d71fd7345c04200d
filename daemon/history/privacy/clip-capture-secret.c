/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether what was copied is a secret, as its types say, or a password hint that is asked for first. One
 * that may be read is, to be known when it comes back; it becomes no entry.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-capture-private.h"

#include "clip-hint.h"
#include "clip-lesson.h"
#include "clip-mime.h"

/* of a secret, more are not read */
#define MAX_TEXTS 8

static void
on_learnt (gboolean is_known, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  clip_capture_end (
      self, (ClipCaptured){ .drop = CLIP_DROP_SENSITIVE, .is_unknown = !is_known });
}

/* Whoever reads a password that can be pasted once has pasted it. On Wayland the program that
 * offers one so names its texts as X11 does, as no password manager with a window needs to; GTK
 * does, too (Firefox's private windows), and has one name more. */
static gboolean
may_be_pasted_once (ClipCapture *self)
{
  return !g_str_equal (clip_backend_name (self->backend), "x11") &&
         clip_offer_has_mime (self->offer, "UTF8_STRING") &&
         !clip_offer_has_mime (self->offer, "COMPOUND_TEXT");
}

/* whoever offers it again may do so in any of them: what a copy is read in, and what other text it has */
static GPtrArray *
list_texts (ClipCapture *self)
{
  const char *const *offered = clip_offer_mimes (self->offer);
  GPtrArray *mimes = g_ptr_array_new ();

  g_ptr_array_extend (mimes, self->mimes, NULL, NULL);
  for (gsize i = 0; offered[i] && mimes->len < MAX_TEXTS; i++)
    if (clip_mime_is_text (offered[i]) && clip_mime_is_kept (offered[i]) &&
        !clip_mime_is_plain (offered[i]) && !g_ptr_array_find (mimes, offered[i], NULL))
      g_ptr_array_add (mimes, (gpointer) offered[i]);
  return mimes;
}

/* so that it is recognized when it comes back without its marker */
static void
learn_secret (ClipCapture *self)
{
  g_autoptr (GPtrArray) texts = list_texts (self);

  if (self->mimes->len > 0 && self->secrets && !may_be_pasted_once (self))
    clip_lesson_begin (self->backend, self->offer, texts, self->transfers, self->secrets,
                       on_learnt, g_object_ref (self));
  else
    on_learnt (FALSE, g_object_ref (self));
}

static void ask_next_hint (ClipCapture *self);

/* what cannot be read is taken for a secret; whoever cancelled us has let the transfers go */
static void
on_hint (ClipHintAnswer answer, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  GError *error = NULL;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    clip_capture_fail (self, error);
  else if (answer == CLIP_HINT_PUBLIC)
    ask_next_hint (self);
  else if (answer == CLIP_HINT_SECRET)
    learn_secret (self);
  else
    on_learnt (FALSE, g_object_ref (self));
}

/* one after the other, as their owner is a program of one thread; one that refuses is enough */
static void
ask_next_hint (ClipCapture *self)
{
  const char *const *mimes = clip_offer_mimes (self->offer);
  const char *hint = NULL;

  while (!hint && mimes[self->next_hint])
    {
      const char *mime = mimes[self->next_hint++];

      hint = clip_secrecy_of_name (mime) == CLIP_SECRECY_ASK ? mime : NULL;
    }
  if (hint)
    clip_hint_ask (self->backend, self->offer, hint, self->transfers, self->receiving,
                   on_hint, g_object_ref (self));
  else
    clip_capture_receive_next (self);
}

/* goes on with clip_capture_receive_next(), or ends it */
void
clip_capture_ask_secrecy (ClipCapture *self)
{
  if (clip_offer_secrecy (self->offer) == CLIP_SECRECY_SECRET)
    learn_secret (self);
  else
    ask_next_hint (self);
}
