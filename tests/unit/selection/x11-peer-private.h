/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of the tests' X program share: x11-peer.c connects and tells them of
 * events, x11-peer-owner.c answers others, x11-peer-ask.c asks them. */
#pragma once
#include "x11-peer.h"
G_BEGIN_DECLS

struct X11Peer
{
  xcb_connection_t *connection;
  GSource *source;
  xcb_window_t window;
  GPtrArray *offered;
  GArray *sendings;
  gboolean owns_when_asked;
  guint n_owned;
  X11Manner targets_manner;
  gboolean dead;
  gboolean hold;
  GArray *held;               /* requests to be answered later */
  xcb_timestamp_t asked_when; /* what the last request says */
  guint n_answers;
  char *answer;
  GHashTable *changes; /* atom -> times that it was set on our window */
};

/* (transfer full) (nullable) */
char *x11_peer_atom_name (X11Peer *self, xcb_atom_t atom);

void x11_peer_owner_init (X11Peer *self);
void x11_peer_owner_clear (X11Peer *self);
void x11_peer_owner_on_request (X11Peer *self,
                                const xcb_selection_request_event_t *request);
void x11_peer_owner_on_property (X11Peer *self,
                                 const xcb_property_notify_event_t *change);

void x11_peer_ask_init (X11Peer *self);
void x11_peer_ask_clear (X11Peer *self);
void x11_peer_ask_on_answer (X11Peer *self, const xcb_selection_notify_event_t *answer);
void x11_peer_ask_on_property (X11Peer *self, const xcb_property_notify_event_t *change);

G_END_DECLS
