/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* a repair has it for as long as it takes to read all of a history */
#define CLIP_FOLDER_PATIENCE_US (60 * G_USEC_PER_SEC)

int clip_folder_lock (const char *dir,
                      gboolean alone,
                      gint64 patience_us,
                      GError **error);

G_END_DECLS
