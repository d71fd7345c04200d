/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

void clip_sent_fds_watch (GDBusConnection *bus);
void clip_sent_fds_drop (GDBusMessage *message_take);

G_END_DECLS
