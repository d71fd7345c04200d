/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-atoms.h"
#include "clip-x11-event-source.h"
G_BEGIN_DECLS

/* A connection to an X server as a source of a GMainContext, on whose thread it lives. */
typedef struct ClipX11Display ClipX11Display;

typedef void (*ClipX11TimeFunc) (xcb_timestamp_t now, gpointer user_data);

ClipX11Display *clip_x11_display_open (const char *name,
                                       GMainContext *context,
                                       GError **error);
void clip_x11_display_free (ClipX11Display *self);
void clip_x11_display_listen (ClipX11Display *self,
                              ClipX11EventFunc on_event,
                              ClipX11SettledFunc on_settled,
                              ClipX11LostFunc on_lost,
                              gpointer user_data);
int clip_x11_display_fd (ClipX11Display *self);

xcb_connection_t *clip_x11_display_connection (ClipX11Display *self);
GMainContext *clip_x11_display_context (ClipX11Display *self);
ClipX11Atoms *clip_x11_display_atoms (ClipX11Display *self);
xcb_atom_t clip_x11_display_atom (ClipX11Display *self, ClipX11Atom which);
xcb_window_t clip_x11_display_root (ClipX11Display *self);
gsize clip_x11_display_chunk_bytes (ClipX11Display *self);
gboolean clip_x11_display_is_ours (ClipX11Display *self, xcb_window_t window);
guint16 clip_x11_display_held (ClipX11Display *self);
void clip_x11_display_watch_selection (ClipX11Display *self, xcb_atom_t selection);
gboolean clip_x11_display_is_owner_change (ClipX11Display *self,
                                           const xcb_generic_event_t *event);

xcb_window_t clip_x11_display_add_window (ClipX11Display *self,
                                          ClipX11EventFunc on_event,
                                          gpointer user_data);
void clip_x11_display_heed_properties (ClipX11Display *self, xcb_window_t window);
void clip_x11_display_route (ClipX11Display *self,
                             xcb_window_t window,
                             ClipX11EventFunc on_event,
                             gpointer user_data);
void clip_x11_display_remove_window (ClipX11Display *self, xcb_window_t window);
void clip_x11_display_drop_window (ClipX11Display *self, xcb_window_t window);
void clip_x11_display_retire_window (ClipX11Display *self, xcb_window_t window);
void clip_x11_display_ask_time (ClipX11Display *self,
                                ClipX11TimeFunc on_time,
                                gpointer user_data);

void clip_x11_display_clear_buffers (ClipX11Display *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Display, clip_x11_display_free)

G_END_DECLS
