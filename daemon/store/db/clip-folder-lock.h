/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

int clip_folder_lock (const char *dir, gboolean alone, GError **error);

G_END_DECLS
