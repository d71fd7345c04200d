/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The display that a copy may have come from is asked for all that it knows. If it has
 * told of a secret a moment ago, this may be the same one, unmarked: once that has been
 * read it is recognized (clip-secret-fingerprints). Of one that was replaced too soon to
 * be read nothing is known: what comes over the bridge soon after may be it. While a
 * program there that is ignored owns the clipboard, it is that one's, unless it has been
 * carried over to there.
 */
#include "clip-bridge-quarantine.h"

/* a bridge on a busy machine is slow; and a copy that follows a password this soon, which
   may be lost, is seldom one that matters */
#define UNKNOWN_US (3 * G_USEC_PER_SEC)

struct _ClipBridgeQuarantine
{
  GObject parent_instance;
  GPtrArray *secrets;      /* ClipCapture: what may be one, until that is known */
  GPtrArray *held;         /* ClipCapture: wait for those */
  ClipOffer *ignored;      /* (nullable): the last of a program that is ignored */
  gint64 unknown_until_us; /* monotonic: so long an unread secret may be on its way */
};

enum
{
  GIVEN_UP, /* a copy: it may be a secret that could not be read */
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipBridgeQuarantine, clip_bridge_quarantine, G_TYPE_OBJECT)

static void
clip_bridge_quarantine_finalize (GObject *object)
{
  ClipBridgeQuarantine *self = CLIP_BRIDGE_QUARANTINE (object);

  g_ptr_array_unref (self->secrets);
  g_ptr_array_unref (self->held);
  g_clear_object (&self->ignored);
  G_OBJECT_CLASS (clip_bridge_quarantine_parent_class)->finalize (object);
}

static void
clip_bridge_quarantine_class_init (ClipBridgeQuarantineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = clip_bridge_quarantine_finalize;
  signals[GIVEN_UP] =
      g_signal_new ("given-up", CLIP_TYPE_BRIDGE_QUARANTINE, G_SIGNAL_RUN_LAST, 0, NULL,
                    NULL, NULL, G_TYPE_NONE, 0);
}

static void
clip_bridge_quarantine_init (ClipBridgeQuarantine *self)
{
  self->secrets = g_ptr_array_new_with_free_func (g_object_unref);
  self->held = g_ptr_array_new_with_free_func (g_object_unref);
}

ClipBridgeQuarantine *
clip_bridge_quarantine_new (void)
{
  return g_object_new (CLIP_TYPE_BRIDGE_QUARANTINE, NULL);
}

/* @capture: of what may be a secret, on a display that the bridge begins at */
void
clip_bridge_quarantine_begin (ClipBridgeQuarantine *self, ClipCapture *capture)
{
  g_ptr_array_add (self->secrets, g_object_ref (capture));
}

/* what may be one that could not be read waits for no other */
static void
let_go (ClipBridgeQuarantine *self)
{
  const gboolean is_unknown = g_get_monotonic_time () < self->unknown_until_us;

  while ((is_unknown || self->secrets->len == 0) && self->held->len > 0)
    {
      g_autoptr (ClipCapture) held = g_ptr_array_steal_index (self->held, 0);

      if (is_unknown)
        {
          clip_capture_abandon (held, CLIP_DROP_NONE);
          g_signal_emit (self, signals[GIVEN_UP], 0);
        }
      else
        clip_capture_let_go (held);
    }
}

/* @capture: any of which it is known now whether it is one */
void
clip_bridge_quarantine_end (ClipBridgeQuarantine *self,
                            ClipCapture *capture,
                            const ClipCaptured *captured)
{
  if (!g_ptr_array_remove (self->secrets, capture))
    return;
  if (captured->is_unknown)
    self->unknown_until_us = g_get_monotonic_time () + UNKNOWN_US;
  let_go (self);
}

/* @offer: of a program that is ignored, on a display that the bridge begins at */
void
clip_bridge_quarantine_ignore (ClipBridgeQuarantine *self, ClipOffer *offer)
{
  g_set_object (&self->ignored, offer);
}

/* that display has got what was copied here: so this was no program of its own */
void
clip_bridge_quarantine_carried (ClipBridgeQuarantine *self)
{
  g_clear_object (&self->ignored);
}

typedef struct
{
  ClipBridgeQuarantine *self;
  ClipCapture *capture;
  gboolean may_be_ignored; /* there was one that owned the clipboard */
} Question;

static void
on_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Question *question = user_data;
  g_autoptr (ClipBridgeQuarantine) self = question->self;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  if (question->may_be_ignored && self->ignored)
    {
      g_autoptr (ClipCapture) capture = question->capture;

      clip_capture_abandon (capture, CLIP_DROP_NONE);
      return;
    }
  g_ptr_array_add (self->held, question->capture);
  let_go (self);
}

/**
 * clip_bridge_quarantine_hold:
 * @origin: where the copy may have come from
 *
 * Keeps nothing of @capture before @origin has told what it knows.
 */
void
clip_bridge_quarantine_hold (ClipBridgeQuarantine *self,
                             ClipCapture *capture,
                             ClipBackend *origin)
{
  Question *question = g_new (Question, 1);

  *question = (Question){ g_object_ref (self), g_object_ref (capture),
                          self->ignored && !clip_offer_is_replaced (self->ignored) };
  clip_capture_hold (capture);
  clip_backend_sync_async (origin, on_synced, question);
}
