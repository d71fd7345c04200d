/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A content that comes through a pipe: one that ends before its size is an error. Not
   installed. */
#pragma once
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
G_BEGIN_DECLS

#define CLIPHIST_TYPE_STREAM (cliphist_stream_get_type ())
G_DECLARE_FINAL_TYPE (CliphistStream, cliphist_stream, CLIPHIST, STREAM, GUnixInputStream)

GInputStream *cliphist_stream_new (int fd_take,
                                   guint64 size,
                                   GDBusConnection *connection);

G_END_DECLS
