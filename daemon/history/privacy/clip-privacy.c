/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Is what the clipboard holds a secret? The rules, in whose file each is, where it comes
 * from, and the test that it has:
 *
 *   a mark among the types is one
 *       clip-secrecy, nspasteboard.org, Windows; test-markers
 *   a hint is asked for, a refusal is one
 *       clip-secret-check, KDE's password hint; test-markers
 *   what cannot be understood is one
 *       clip-secrecy; test-secrecy
 *   its bytes come back: it is one
 *       clip-secret-fingerprints, other managers; test-privacy
 *   not read, and a bare text comes
 *       clip-secret-state, KeePassXC's single paste; test-privacy
 *   a text comes while a marked copy is read, also behind another copy, or a
 *   second after one that was not: a bare one, and with other types, what is not known to
 *   be another
 *       here, managers that are quicker than we; test-privacy, test-patience
 *   selected with a mark, and a bare text is selected within a second
 *       here, managers that select it anew; test-primary
 *   a desktop keeps a part of one
 *       clip-secret-state, Mutter; test-selection-owner
 *   a bridge brings one unmarked
 *       clip-bridge-quarantine, Xwayland; test-privacy
 *   an ignored program's copy
 *       clip-bridge-quarantine, setting ignore-app; test-privacy
 *   it was there before a restart
 *       clip-drop-note; test-drop-note
 *   for two seconds after one
 *       clip-secret-state, `wl-paste --watch`; test-call
 *
 * Where two of them disagree the stricter one holds. What becomes of the state at each
 * event is drawn in clip-secret-state.c.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-privacy.h"

#include "clip-bridge-quarantine.h"
#include "clip-drop-note.h"
#include "clip-mime.h"
#include "clip-secret-check.h"
#include "clip-secret-state.h"

#include <string.h>

struct ClipPrivacy
{
  ClipSecretState state;
  ClipSecretFingerprints *fingerprints;
  ClipBridgeQuarantine *quarantine;
  ClipDropNote *note;
  gboolean is_unanswered;   /* what was copied last: its owner does not say what it is */
  GPtrArray *reading;       /* of ClipCapture: marked copies, until that is over */
  GPtrArray *suspects;      /* of ClipCapture: to be compared with these */
  gint64 doubtful_until_us; /* so long a bare text may be one that was replaced */
  gint64 selected_until_us; /* so long one that was selected may be selected anew */
  gint64 silent_until_us;   /* that a text is not kept was said a moment ago */
};

/* a program that marks copies all the time keeps those of others out: once a minute */
static void
say_not_kept (ClipPrivacy *self)
{
  const gint64 now_us = g_get_monotonic_time ();

  if (now_us < self->silent_until_us)
    return;
  g_message ("a text is not kept: it may be a marked copy, brought back");
  self->silent_until_us = now_us + G_TIME_SPAN_MINUTE;
}

/* reads what was noted before the restart */
ClipPrivacy *
clip_privacy_new (ClipStore *store)
{
  ClipPrivacy *self = g_new0 (ClipPrivacy, 1);

  self->fingerprints = clip_secret_fingerprints_new ();
  self->quarantine = clip_bridge_quarantine_new ();
  g_signal_connect_swapped (self->quarantine, "given-up", G_CALLBACK (say_not_kept),
                            self);
  self->note = clip_drop_note_new (store);
  self->reading = g_ptr_array_new_with_free_func (g_object_unref);
  self->suspects = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
clip_privacy_free (ClipPrivacy *self)
{
  if (!self)
    return;
  clip_secret_fingerprints_unref (self->fingerprints);
  /* it lives on while a display is asked */
  g_signal_handlers_disconnect_by_data (self->quarantine, self);
  g_object_unref (self->quarantine);
  g_ptr_array_unref (self->reading);
  g_ptr_array_unref (self->suspects);
  clip_drop_note_free (self->note);
  g_free (self);
}

static void
tell (ClipPrivacy *self, ClipSecretEvent event)
{
  clip_secret_state_event (&self->state, event, g_get_monotonic_time ());
}

/**
 * clip_privacy_ask:
 *
 * Returns: whether what a program finds on the clipboard, or found there just now, is a
 * secret
 */
ClipPrivacyAnswer
clip_privacy_ask (const ClipPrivacy *self)
{
  if (self->state.held == CLIP_SECRET_STATE_HELD ||
      self->state.held == CLIP_SECRET_STATE_UNREAD)
    return CLIP_PRIVACY_SECRET;
  if (self->state.held == CLIP_SECRET_STATE_ASKED && self->is_unanswered)
    return CLIP_PRIVACY_UNANSWERED;
  return clip_secret_state_lasts (&self->state, g_get_monotonic_time ())
             ? CLIP_PRIVACY_NOT_KNOWN
             : CLIP_PRIVACY_NO_SECRET;
}

/* whether it holds what is one, or may be one */
gboolean
clip_privacy_holds_one (const ClipPrivacy *self)
{
  return self->state.held != CLIP_SECRET_STATE_NONE;
}

/* borrowed; the same as long as we are there */
ClipSecretFingerprints *
clip_privacy_fingerprints (ClipPrivacy *self)
{
  return self->fingerprints;
}

/* its text may come back at once, and nothing will tell */
static void
leave_unread (ClipPrivacy *self, ClipOffer *offer)
{
  if (clip_offer_secrecy (offer) != CLIP_SECRECY_NONE)
    clip_secret_state_recall (&self->state, TRUE, g_get_monotonic_time ());
}

/* A program offers something new. One that does not say what, or not so that it can be
 * understood, may have a secret: a `store` of a watcher beside us may get its text. */
void
clip_privacy_copied (ClipPrivacy *self, ClipOffer *offer)
{
  if (clip_offer_secrecy (offer) != CLIP_SECRECY_NONE)
    clip_secret_fingerprints_met (self->fingerprints, g_get_monotonic_time ());
  if (!*clip_offer_mimes (offer))
    leave_unread (self, offer);
  self->is_unanswered = clip_offer_is_silent (offer);
  switch (clip_offer_secrecy (offer))
    {
    case CLIP_SECRECY_SECRET:
      tell (self, CLIP_SECRET_EVENT_MARK);
      break;
    case CLIP_SECRECY_ASK:
      tell (self, CLIP_SECRET_EVENT_HINT);
      break;
    case CLIP_SECRECY_NONE:
      tell (self, clip_offer_is_silent (offer) ? CLIP_SECRET_EVENT_HINT
                                               : CLIP_SECRET_EVENT_PLAIN);
      break;
    }
}

static gboolean
has_plain_text (ClipOffer *offer)
{
  const char *const *mimes = clip_offer_mimes (offer);

  if (clip_offer_secrecy (offer) != CLIP_SECRECY_NONE)
    return FALSE;
  for (gsize i = 0; mimes[i]; i++)
    if (clip_mime_is_plain (mimes[i]))
      return TRUE;
  return FALSE;
}

/* as a manager offers what it has kept of a copy, without its mark; Mutter passes on the
 * messages of X programs (TARGETS) among the types, and those of old ones have more of
 * their own (OWNER_OS, LENGTH: ICCCM 2.6.2) */
static gboolean
is_bare_text (ClipOffer *offer)
{
  const char *const *mimes = clip_offer_mimes (offer);
  gboolean has_text = FALSE;

  if (clip_offer_secrecy (offer) != CLIP_SECRECY_NONE)
    return FALSE;
  for (gsize i = 0; mimes[i]; i++)
    if (clip_mime_is_plain (mimes[i]))
      has_text = TRUE;
    else if (strchr (mimes[i], '/') && clip_mime_may_reoffer (mimes[i]))
      return FALSE;
  return has_text;
}

/* Another manager may offer the text of a marked copy again before we have read it, there
 * or on the X server below: then nothing tells it from the next copy, but that no person
 * copies again so soon. On the display above a bridge may bring it: that waits in
 * quarantine. */
static gboolean
is_being_read (const ClipPrivacy *self, ClipBackend *backend)
{
  for (guint i = 0; i < self->reading->len; i++)
    if (clip_capture_backend (self->reading->pdata[i]) == backend ||
        !clip_backend_mirrors (backend))
      return TRUE;
  return FALSE;
}

/* The primary selection is another one, but a watcher may store what is selected. What
 * is carried over to the clipboard is known by its bytes: a program that selects all the
 * time, without focus, keeps no copy out. */
void
clip_privacy_selected (ClipPrivacy *self, ClipOffer *offer)
{
  const gint64 now_us = g_get_monotonic_time ();

  if (clip_offer_secrecy (offer) == CLIP_SECRECY_NONE)
    return;
  self->selected_until_us = now_us + CLIP_SECRET_BROUGHT_BACK_US;
  clip_secret_state_recall (&self->state, FALSE, now_us);
  clip_secret_fingerprints_met (self->fingerprints, now_us);
}

/* whether what is selected may be a secret that was copied or selected a moment ago, on
   any display */
gboolean
clip_privacy_suspects_selected (const ClipPrivacy *self, ClipOffer *offer)
{
  const gint64 now_us = g_get_monotonic_time ();

  return is_bare_text (offer) &&
         (now_us < self->selected_until_us ||
          clip_secret_state_may_come_back (&self->state, now_us) ||
          now_us < self->doubtful_until_us || self->reading->len > 0);
}

/**
 * clip_privacy_suspects:
 * @backend: that it is on. What a bridge brings to another one is asked about there.
 *
 * A desktop may go on offering a part of a copy whose owner has gone; of a secret,
 * without its mark. Another manager may do so, too: what was read is known by its bytes,
 * and of what was not, yet or because it could be pasted once, nothing else tells.
 *
 * Returns: whether @offer is that: the clipboard holds the secret again then
 */
gboolean
clip_privacy_suspects (ClipPrivacy *self, ClipOffer *offer, ClipBackend *backend)
{
  const gint64 now_us = g_get_monotonic_time ();
  const gboolean is_brought_back =
      clip_secret_state_may_come_back (&self->state, now_us)
          ? has_plain_text (offer)
          : is_bare_text (offer) &&
                (now_us < self->doubtful_until_us || is_being_read (self, backend));
  const gboolean is_left =
      clip_offer_is_remnant (offer) && clip_secret_state_lasts (&self->state, now_us);

  if (!is_brought_back && !is_left)
    return FALSE;
  say_not_kept (self);
  tell (self, CLIP_SECRET_EVENT_MARK);
  return TRUE;
}

/* why what was there when we began is not to be kept; %CLIP_DROP_NONE: nothing is known
   of it */
ClipDrop
clip_privacy_noted (const ClipPrivacy *self)
{
  return clip_drop_note_why (self->note);
}

/* @why: what was copied is not even looked at; %CLIP_DROP_NONE: it is */
void
clip_privacy_refused (ClipPrivacy *self, ClipOffer *offer, ClipDrop why)
{
  if (why != CLIP_DROP_NONE)
    leave_unread (self, offer);
  if (clip_drop_is_private (why))
    tell (self, CLIP_SECRET_EVENT_MARK);
  /* we may end before it is known */
  if (why == CLIP_DROP_NONE && clip_privacy_holds_one (self))
    why = CLIP_DROP_SECRET;
  clip_drop_note_set (self->note, why);
}

/* what an ignored program copies the bridge does not bring in either */
void
clip_privacy_ignored (ClipPrivacy *self, ClipBackend *backend, ClipOffer *offer)
{
  if (!clip_backend_mirrors (backend))
    clip_bridge_quarantine_ignore (self->quarantine, offer);
}

/* what was copied on the display that mirrors the others was carried over to one of
   them */
void
clip_privacy_carried (ClipPrivacy *self)
{
  clip_bridge_quarantine_carried (self->quarantine);
}

/* @are_told: from what was read */
static void
release_suspects (ClipPrivacy *self, gboolean are_told)
{
  while (self->suspects->len > 0)
    {
      g_autoptr (ClipCapture) suspect = g_ptr_array_steal_index (self->suspects, 0);

      if (are_told)
        clip_capture_let_go (suspect);
      else
        {
          say_not_kept (self);
          clip_capture_abandon (suspect, CLIP_DROP_SECRET);
        }
    }
}

/**
 * clip_privacy_watch:
 * @offer: of @capture
 * @backend: the display that @capture is of
 * @other: (nullable): the one that it may have come from, where @backend mirrors
 *
 * What is copied on the display that mirrors the others does not come over their bridge,
 * and may have come over it: nothing of that is kept before @other has told what it
 * knows.
 */
void
clip_privacy_watch (ClipPrivacy *self,
                    ClipCapture *capture,
                    ClipOffer *offer,
                    ClipBackend *backend,
                    ClipBackend *other)
{
  if (clip_privacy_holds_one (self))
    {
      g_ptr_array_add (self->reading, g_object_ref (capture));
      if (!clip_backend_mirrors (backend))
        clip_bridge_quarantine_begin (self->quarantine, capture);
    }
  else if (has_plain_text (offer) && is_being_read (self, backend))
    {
      /* with other types beside it: kept once it is known to be none of these */
      clip_capture_hold (capture);
      g_ptr_array_add (self->suspects, g_object_ref (capture));
    }
  if (clip_backend_mirrors (backend) && other)
    {
      clip_capture_set_origin (capture, other);
      clip_bridge_quarantine_hold (self->quarantine, capture, other);
    }
}

static gboolean
is_unread (const ClipCaptured *captured)
{
  return captured->is_unknown && !captured->is_doubtful;
}

/* What @capture is has become known, or will not be. Returns: whether it was marked */
static gboolean
end_reading (ClipPrivacy *self, ClipCapture *capture, const ClipCaptured *captured)
{
  if (!g_ptr_array_remove (self->reading, capture))
    return FALSE;
  if (is_unread (captured))
    release_suspects (self, FALSE);
  else if (self->reading->len == 0)
    release_suspects (self, TRUE);
  return TRUE;
}

/* the owner of the current copy says that it is none: nothing waits for its contents */
void
clip_privacy_denied (ClipPrivacy *self, ClipCapture *capture)
{
  const ClipCaptured nothing = { 0 };

  clip_bridge_quarantine_end (self->quarantine, capture, &nothing);
  if (!end_reading (self, capture, &nothing))
    return;
  tell (self, CLIP_SECRET_EVENT_PLAIN);
  clip_drop_note_set (self->note, CLIP_DROP_NONE);
}

/**
 * clip_privacy_captured:
 * @is_current: whether the clipboard still holds it
 * @has_failed: nothing is known of it then: it may still be the secret that it was taken
 * for
 */
void
clip_privacy_captured (ClipPrivacy *self,
                       ClipCapture *capture,
                       const ClipCaptured *captured,
                       gboolean is_current,
                       gboolean has_failed)
{
  const gboolean is_secret = clip_drop_is_private (captured->drop);
  const gint64 now_us = g_get_monotonic_time ();

  g_ptr_array_remove (self->suspects, capture);
  clip_bridge_quarantine_end (self->quarantine, capture, captured);
  /* that it is none may be the answer of what has replaced it, too */
  if (end_reading (self, capture, captured) &&
      (captured->is_doubtful || (!is_secret && !is_current)))
    self->doubtful_until_us = now_us + CLIP_SECRET_BROUGHT_BACK_US;
  if (is_current)
    clip_drop_note_set (self->note, captured->drop);
  if (!is_current && is_secret)
    clip_secret_state_recall (&self->state, is_unread (captured), now_us);
  else if (is_current && is_secret)
    tell (self, captured->is_unknown ? CLIP_SECRET_EVENT_UNREAD : CLIP_SECRET_EVENT_READ);
  else if (is_current && !has_failed)
    tell (self, CLIP_SECRET_EVENT_PLAIN);
}

/* we offer an entry */
void
clip_privacy_ours (ClipPrivacy *self)
{
  tell (self, CLIP_SECRET_EVENT_PLAIN);
  clip_drop_note_set (self->note, CLIP_DROP_NONE);
}

/* the entry that the clipboard holds: a daemon that starts now would keep it again */
void
clip_privacy_deleted (ClipPrivacy *self)
{
  clip_drop_note_set (self->note, CLIP_DROP_DELETED);
}

/* its owner has gone, or wanted it to be empty, and no program has taken its place */
void
clip_privacy_cleared (ClipPrivacy *self)
{
  tell (self, CLIP_SECRET_EVENT_CLEARED);
}
