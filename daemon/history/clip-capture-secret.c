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

/* (nullable): the text or the image that a secret is, where it may be read */
static const char *
find_secret (ClipCapture *self)
{
  return self->mimes->len > 0 && self->secrets && !may_be_pasted_once (self)
             ? g_ptr_array_index (self->mimes, 0)
             : NULL;
}

/* so that it is recognized when it comes back without its marker */
static void
learn_secret (ClipCapture *self)
{
  const char *mime = find_secret (self);

  if (mime)
    clip_lesson_begin (self->backend, self->offer, mime, self->transfers, self->secrets,
                       on_learnt, g_object_ref (self));
  else
    on_learnt (FALSE, g_object_ref (self));
}

/* what cannot be read is taken for a secret; whoever cancelled us has let the transfers go */
static void
on_hint (ClipHintAnswer answer, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  GError *error = NULL;

  if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
    clip_capture_fail (self, error);
  else if (answer == CLIP_HINT_PUBLIC)
    clip_capture_receive_next (self);
  else if (answer == CLIP_HINT_SECRET)
    learn_secret (self);
  else
    on_learnt (FALSE, g_object_ref (self));
}

/* goes on with clip_capture_receive_next(), or ends it */
void
clip_capture_ask_secrecy (ClipCapture *self)
{
  const char *hint;
  ClipSecrecy secrecy = clip_mime_secrecy (clip_offer_mimes (self->offer), &hint);

  if (secrecy == CLIP_SECRECY_SECRET)
    learn_secret (self);
  else if (secrecy == CLIP_SECRECY_ASK)
    clip_hint_ask (self->backend, self->offer, hint, self->transfers, self->receiving,
                   on_hint, g_object_ref (self));
  else
    clip_capture_receive_next (self);
}
