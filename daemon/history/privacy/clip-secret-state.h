/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Whether the clipboard holds a secret, or held one a moment ago. Pure: its clock is the
 * caller's, monotonic time in microseconds. */
typedef enum
{
  CLIP_SECRET_STATE_NONE,
  CLIP_SECRET_STATE_ASKED,  /* its owner is asked: not known yet */
  CLIP_SECRET_STATE_HELD,   /* it is one, and is known when it comes back, or will be */
  CLIP_SECRET_STATE_UNREAD, /* it is one, and nothing would tell that it comes back */
  CLIP_SECRET_N_STATES
} ClipSecretHeld;

typedef enum
{
  CLIP_SECRET_EVENT_PLAIN,   /* a copy whose types say nothing; ours; or none after all */
  CLIP_SECRET_EVENT_HINT,    /* a copy that says something, to be asked for */
  CLIP_SECRET_EVENT_MARK,    /* a copy that says it is one, or is not to be looked at */
  CLIP_SECRET_EVENT_READ,    /* what is held is one, and has been read */
  CLIP_SECRET_EVENT_UNREAD,  /* or could not be */
  CLIP_SECRET_EVENT_CLEARED, /* no program offers it any longer */
  CLIP_SECRET_N_EVENTS
} ClipSecretEvent;

typedef struct
{
  ClipSecretHeld held;
  gint64 until_us;        /* so long it may still be around */
  gint64 unread_until_us; /* so long a secret that was not read may be brought back */
} ClipSecretState;

/* a `store` from the command is dropped so long after the selection was a secret */
#define CLIP_SECRET_LASTS_US (2 * G_USEC_PER_SEC)
/* another manager fills an empty clipboard at once */
#define CLIP_SECRET_BROUGHT_BACK_US G_USEC_PER_SEC

void clip_secret_state_event (ClipSecretState *self,
                              ClipSecretEvent event,
                              gint64 now_us);
void clip_secret_state_recall (ClipSecretState *self, gboolean is_unread, gint64 now_us);
gboolean clip_secret_state_lasts (const ClipSecretState *self, gint64 now_us);
gboolean clip_secret_state_may_come_back (const ClipSecretState *self, gint64 now_us);

G_END_DECLS
