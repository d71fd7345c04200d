/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

gboolean clip_drawing_show (const ClipPayload *payload);

G_END_DECLS
