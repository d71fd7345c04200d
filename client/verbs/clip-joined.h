/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

int clip_joined_open (ClipReader *reader,
                      const GArray *ids,
                      const char **out_mime,
                      GError **error);

G_END_DECLS
