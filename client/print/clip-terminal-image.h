/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

gboolean clip_terminal_image_show (const ClipPayload *payload, const char *pane);

G_END_DECLS
