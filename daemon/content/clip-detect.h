/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* the most bytes of a content that its type, its class and its preview are taken from */
#define CLIP_HEAD_BYTES 4096

const char *clip_detect_mime (const void *head, gsize length, gboolean whole);
const char *clip_detect_image (const void *head, gsize length);
gboolean clip_detect_blank (const void *data, gsize length);
gboolean clip_detect_blank_html (const void *data, gsize length);

G_END_DECLS
