/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 *              PLAIN   HINT    MARK    READ    UNREAD   CLEARED
 *   NONE       -       ASKED   HELD    HELD    UNREAD** -
 *   ASKED      NONE*   ASKED   HELD    HELD    UNREAD** NONE*
 *   HELD       NONE*   ASKED   HELD    HELD    UNREAD** NONE*
 *   UNREAD     NONE*   ASKED   HELD    HELD    UNREAD** NONE*,**
 *
 *   *    what was held may still be around: for two seconds a `store` of a watcher beside
 *        us may be it
 *   **   for one second a text may be it, which another manager brings back
 */
#include "clip-secret-state.h"

static const ClipSecretHeld after[CLIP_SECRET_N_EVENTS] = {
  [CLIP_SECRET_EVENT_PLAIN] = CLIP_SECRET_STATE_NONE,
  [CLIP_SECRET_EVENT_HINT] = CLIP_SECRET_STATE_ASKED,
  [CLIP_SECRET_EVENT_MARK] = CLIP_SECRET_STATE_HELD,
  [CLIP_SECRET_EVENT_READ] = CLIP_SECRET_STATE_HELD,
  [CLIP_SECRET_EVENT_UNREAD] = CLIP_SECRET_STATE_UNREAD,
  [CLIP_SECRET_EVENT_CLEARED] = CLIP_SECRET_STATE_NONE,
};

/* @now_us: monotonic time */
void
clip_secret_state_event (ClipSecretState *self, ClipSecretEvent event, gint64 now_us)
{
  const ClipSecretHeld before = self->held;

  self->held = after[event];
  if (before != CLIP_SECRET_STATE_NONE && self->held == CLIP_SECRET_STATE_NONE)
    self->until_us = now_us + CLIP_SECRET_LASTS_US;
  if (event == CLIP_SECRET_EVENT_UNREAD ||
      (before == CLIP_SECRET_STATE_UNREAD && event == CLIP_SECRET_EVENT_CLEARED))
    self->unread_until_us = now_us + CLIP_SECRET_BROUGHT_BACK_US;
}

/* what has gone already turns out to have been one, perhaps */
void
clip_secret_state_recall (ClipSecretState *self, gboolean is_unread, gint64 now_us)
{
  self->until_us = now_us + CLIP_SECRET_LASTS_US;
  if (is_unread)
    self->unread_until_us = now_us + CLIP_SECRET_BROUGHT_BACK_US;
}

/* whether what a program finds on the clipboard, or found there just now, may be a
   secret */
gboolean
clip_secret_state_lasts (const ClipSecretState *self, gint64 now_us)
{
  return self->held != CLIP_SECRET_STATE_NONE || now_us < self->until_us;
}

/* whether a text may be a secret that was not read, brought back */
gboolean
clip_secret_state_may_come_back (const ClipSecretState *self, gint64 now_us)
{
  return now_us < self->unread_until_us;
}
