/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

int clip_blob_file_open (int blobs_fd, const char *name, gint64 size, GError **error);

G_END_DECLS
