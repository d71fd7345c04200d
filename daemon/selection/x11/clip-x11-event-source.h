/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <xcb/xcb.h>
G_BEGIN_DECLS

/* What the X11 thread waits for: events of the server, descriptors, deadlines. */
typedef void (*ClipX11EventFunc) (xcb_generic_event_t *event, gpointer user_data);
typedef void (*ClipX11SettledFunc) (gpointer user_data);
typedef void (*ClipX11LostFunc) (const char *why, gpointer user_data);

GSource *clip_x11_event_source_new (xcb_connection_t *connection,
                                    GMainContext *context,
                                    ClipX11EventFunc on_event,
                                    ClipX11SettledFunc on_settled,
                                    ClipX11LostFunc on_lost,
                                    gpointer user_data);
const char *clip_x11_event_source_why_lost (int code);
void clip_x11_event_source_clear (GSource **source);

guint32 clip_x11_event_sequence (const xcb_generic_event_t *event);
gboolean clip_x11_is_before (guint32 a, guint32 b);

GSource *clip_x11_deadline_new (GMainContext *context,
                                GSourceFunc on_late,
                                gpointer data);
void clip_x11_deadline_set (GSource *deadline, guint ms);

typedef gboolean (*ClipX11FdFunc) (int fd, GIOCondition condition, gpointer user_data);

GSource *clip_x11_watch_fd (GMainContext *context,
                            int fd,
                            GIOCondition condition,
                            ClipX11FdFunc on_ready,
                            gpointer user_data);

G_END_DECLS
