/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* the most pixels of a side; what is drawn in a terminal has fewer */
#define CLIP_PAM_MOST_SIDE 2048

#define CLIP_PAM_PIXEL_BYTES 4

/* An image of red, green, blue and alpha, a byte each, row after row. */
typedef struct
{
  guint width;
  guint height;
  GBytes *pixels;
} ClipPam;

gboolean clip_pam_parse (GBytes *file, ClipPam *out_image, GError **error);
void clip_pam_clear (ClipPam *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipPam, clip_pam_clear)

G_END_DECLS
