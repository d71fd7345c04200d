/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

typedef struct ClipUnread ClipUnread;

ClipUnread *clip_unread_watch (GDBusConnection *bus);
void clip_unread_unref (ClipUnread *self);
gboolean clip_unread_check (ClipUnread *self,
                            GDBusMethodInvocation *invocation,
                            gint64 pid,
                            GError **error);

G_END_DECLS
