/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What rows have left behind in the pages of a database never reaches its file. */
const char *clip_scrub_vfs_name (void);
gboolean clip_scrub_vfs_clear_page (guint8 *page, gsize size, gboolean is_first);

G_END_DECLS
