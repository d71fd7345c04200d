/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

#define CLIP_TYPE_X11 (clip_x11_get_type ())
G_DECLARE_FINAL_TYPE (ClipX11, clip_x11, CLIP, X11, ClipBackend)

ClipBackend *clip_x11_new (const char *display_name, gboolean primary, GError **error);

G_END_DECLS
