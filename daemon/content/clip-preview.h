/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* a text with more than that before its first word has none */
#define CLIP_PREVIEW_SEARCHED_BYTES (16 << 20)

char *clip_preview_make (const char *mime, const void *head, gsize length, gint64 size);
char *clip_preview_make_wide (const char *mime,
                              const void *head,
                              gsize length,
                              gint64 size,
                              gint64 width);
gboolean clip_preview_is_image (const char *preview, gsize length);
gboolean clip_preview_is_uris (const char *preview);
gboolean clip_preview_image_pixels (const char *preview,
                                    gsize length,
                                    guint32 *out_width,
                                    guint32 *out_height);
gboolean clip_preview_is_prefix (const char *preview, const void *head, gsize length);
gsize clip_preview_cut (const char *text, gsize length, gint64 width);
void clip_preview_append (GString *out, const char *preview, gsize length, gint64 width);
gboolean clip_preview_is_hidden (gunichar c);
void clip_preview_append_safe (GString *out,
                               const char *preview,
                               gsize length,
                               gint64 width);

G_END_DECLS
