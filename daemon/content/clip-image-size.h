/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

gboolean clip_image_size (const void *head,
                          gsize length,
                          guint32 *out_width,
                          guint32 *out_height);

G_END_DECLS
