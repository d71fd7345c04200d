/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-limits.h"
#include "clip-x11-mailbox.h"
#include "clip-x11-property.h"
G_BEGIN_DECLS

/* One content on its way from history, through a pipe, to a program that pastes. */
typedef struct ClipX11Feed ClipX11Feed;

/* What is to be fed. */
typedef struct
{
  guint64 id;
  guint64 source;
  const char *name; /* the type, as history calls it */
  ClipX11Property place;
  xcb_atom_t type;
} ClipX11FeedJob;

typedef enum
{
  CLIP_X11_LANDED, /* all of it, or the announcement of an INCR, is in the property */
  CLIP_X11_ENDED,  /* the last that is heard of it; a refusal if it had not landed */
} ClipX11FeedState;

typedef void (*ClipX11FeedFunc) (ClipX11Feed *self,
                                 ClipX11FeedState state,
                                 gpointer user_data);

ClipX11Feed *clip_x11_feed_new (ClipX11Display *display,
                                const ClipX11FeedJob *job,
                                const ClipX11Limits *limits,
                                ClipX11Mailbox *news,
                                ClipX11FeedFunc on_state,
                                gpointer user_data);
void clip_x11_feed_free (ClipX11Feed *self);
guint64 clip_x11_feed_id (const ClipX11Feed *self);
const ClipX11Property *clip_x11_feed_place (const ClipX11Feed *self);
gboolean clip_x11_feed_is_incr (const ClipX11Feed *self);
void clip_x11_feed_answered (ClipX11Feed *self, gboolean whole);
void clip_x11_feed_notify (ClipX11Feed *self, const xcb_generic_event_t *event);
void clip_x11_feed_abort (ClipX11Feed *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Feed, clip_x11_feed_free)

G_END_DECLS
