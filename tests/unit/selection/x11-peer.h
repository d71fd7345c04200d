/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <xcb/xcb.h>
G_BEGIN_DECLS

/* A program of the tests' own on an X server: for what real ones do not do on command. It
 * works while the main context runs. */
typedef struct X11Peer X11Peer;

X11Peer *x11_peer_new (const char *display);
void x11_peer_free (X11Peer *self);
xcb_atom_t x11_peer_atom (X11Peer *self, const char *name);
xcb_timestamp_t x11_peer_now (X11Peer *self);

/* as an owner */
typedef enum
{
  PEER_TELLS,   /* in one property */
  PEER_INCR,    /* in chunks of one byte, properly ended */
  PEER_DOUBLES, /* INCR, and each chunk is put in two strokes */
  PEER_STALLS,  /* INCR, and after the first chunk nothing */
  PEER_DIES,    /* INCR, and after the first chunk the connection is closed */
  PEER_RETYPES, /* INCR, and the second chunk has another type */
  PEER_SILENT,  /* no answer */
  PEER_REFUSES,
} X11Manner;

void x11_peer_offer (X11Peer *self,
                     const char *target,
                     X11Manner manner,
                     const char *text);
void x11_peer_list (X11Peer *self, const char *target);
void x11_peer_hide_targets (X11Peer *self, X11Manner manner);
void x11_peer_own_when_asked (X11Peer *self);
guint x11_peer_own_count (X11Peer *self);
void x11_peer_own (X11Peer *self, const char *selection);
void x11_peer_own_as_of (X11Peer *self, const char *selection, xcb_timestamp_t when);
void x11_peer_own_at_once (X11Peer *self, const char *selection, guint times);
void x11_peer_disown (X11Peer *self, const char *selection);
void x11_peer_forge_loss (X11Peer *self, const char *selection);
guint x11_peer_asked (X11Peer *self, const char *target);
xcb_timestamp_t x11_peer_asked_when (X11Peer *self);
void x11_peer_hold (X11Peer *self, gboolean hold);
guint x11_peer_held (X11Peer *self);
void x11_peer_grab (X11Peer *self, gboolean grab);

void x11_peer_show_window (X11Peer *self, const char *program);
void x11_peer_manage (X11Peer *self);
void x11_peer_press_button (X11Peer *self, gboolean down);

gboolean x11_peer_has_owner (X11Peer *self, const char *selection);
gboolean x11_peer_is_owner (X11Peer *self, const char *selection);
xcb_window_t x11_peer_owner_of (X11Peer *self, const char *selection);

/* as a requestor */
void x11_peer_ask_of (X11Peer *self,
                      const char *selection,
                      const char *target,
                      const char *property);
void x11_peer_ask (X11Peer *self,
                   const char *target,
                   const char *property,
                   xcb_timestamp_t when);
void x11_peer_ask_pairs (X11Peer *self, const char *property, const char *const *pairs);
void x11_peer_ask_window (X11Peer *self,
                          xcb_window_t owner,
                          const char *target,
                          const char *property);
guint x11_peer_answers (X11Peer *self);
const char *x11_peer_answer (X11Peer *self);
guint x11_peer_changes (X11Peer *self, const char *property);
GBytes *x11_peer_read (X11Peer *self, const char *property, char **out_type);
void x11_peer_shut_window (X11Peer *self);
void x11_peer_shut_owner (X11Peer *self, const char *selection);
void x11_peer_shut_windows_of_others (X11Peer *self);
void x11_peer_ask_for_windows_of_others (X11Peer *self,
                                         const char *target,
                                         const char *property);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (X11Peer, x11_peer_free)

G_END_DECLS
