/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-x11-convert.h"
#include "clip-x11-limits.h"

#include <xcb/xfixes.h>
G_BEGIN_DECLS

/* One content on its way from the owner of a selection into a pipe, or into memory. */
typedef struct ClipX11Receive ClipX11Receive;

/* What is to be fetched. */
typedef struct
{
  guint64 id;
  guint64 offer;
  xcb_atom_t selection;
  xcb_window_t owner;
} ClipX11ReceiveJob;

typedef void (*ClipX11AnnouncedFunc) (ClipX11Receive *self,
                                      guint32 at_least_bytes,
                                      gpointer user_data);
typedef void (*ClipX11OpenedFunc) (ClipX11Receive *self,
                                   int source_fd_take,
                                   gpointer user_data);
typedef void (*ClipX11ReceivedFunc) (ClipX11Receive *self,
                                     GError *error_take,
                                     gpointer user_data);

ClipX11Receive *clip_x11_receive_new (ClipX11Display *display,
                                      const ClipX11ReceiveJob *job,
                                      const ClipX11Limits *limits,
                                      ClipX11AnnouncedFunc on_announced,
                                      ClipX11OpenedFunc on_opened,
                                      ClipX11ReceivedFunc on_received,
                                      gpointer user_data);
void clip_x11_receive_free (ClipX11Receive *self);
void clip_x11_receive_start (ClipX11Receive *self, ClipX11Convert *convert_take);
guint64 clip_x11_receive_id (ClipX11Receive *self);
int clip_x11_receive_steal_content (ClipX11Receive *self);
void clip_x11_receive_fail (ClipX11Receive *self, GError *error_take);
void clip_x11_receive_owner_changed (ClipX11Receive *self,
                                     const xcb_xfixes_selection_notify_event_t *event);
void clip_x11_receive_owner_gone (ClipX11Receive *self, guint64 offer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipX11Receive, clip_x11_receive_free)

G_END_DECLS
