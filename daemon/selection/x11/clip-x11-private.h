/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For tests, which have less time. */
#pragma once
#include "clip-backend.h"
#include "clip-x11-limits.h"
G_BEGIN_DECLS

ClipBackend *clip_x11_new_with_limits (const char *display_name,
                                       gboolean primary,
                                       const ClipX11Limits *limits,
                                       GError **error);

G_END_DECLS
