/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_THUMBNAIL_PNG,
  CLIP_THUMBNAIL_PAM, /* https://netpbm.sourceforge.net/doc/pam.html, always RGB_ALPHA */
} ClipThumbnailForm;

GPid clip_thumbnail_program_start (const ClipPayload *payload,
                                   ClipThumbnailForm form,
                                   guint pixels,
                                   int out_fd,
                                   GError **error);
gboolean clip_thumbnail_program_finish (GPid pid, GError **error);

G_END_DECLS
