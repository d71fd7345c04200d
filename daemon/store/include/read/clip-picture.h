/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_PICTURE_PNG,
  CLIP_PICTURE_PAM, /* https://netpbm.sourceforge.net/doc/pam.html, always RGB_ALPHA */
} ClipPictureForm;

GPid clip_picture_start (const ClipPayload *payload,
                         ClipPictureForm form,
                         guint pixels,
                         int out_fd,
                         GError **error);
gboolean clip_picture_finish (GPid pid, GError **error);

G_END_DECLS
