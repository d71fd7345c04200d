/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* what the header of an image says */
typedef struct
{
  const char *format; /* as Go names it and scripts match it; static; NULL: no image */
  gboolean is_listed; /* the existing tool shows it as an image */
  guint32 width;      /* pixels; 0 also where it was not found */
  guint32 height;
} ClipImageSize;

gboolean clip_image_size (const void *data, gsize length, ClipImageSize *out_size);

G_END_DECLS
