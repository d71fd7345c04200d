/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* Calls that have come and whose answers are not on the bus yet, of each connection. GIO
 * takes every call off the bus at once, and puts it behind all others: whoever sends
 * faster than we answer would keep these waiting. Nor is a page of a list made for a
 * connection that has not got those before it. */

/* of one connection; more than a process may have under way of what lasts */
#define CLIP_BACKLOG_MAX_CALLS 300

typedef struct ClipBacklog ClipBacklog;

ClipBacklog *clip_backlog_new (GDBusConnection *bus);
void clip_backlog_unref (ClipBacklog *self);
gboolean clip_backlog_has_room (ClipBacklog *self,
                                GDBusMethodInvocation *invocation,
                                GError **error);
void clip_backlog_add_page (ClipBacklog *self,
                            GDBusMethodInvocation *invocation,
                            GVariant *page);

G_END_DECLS
