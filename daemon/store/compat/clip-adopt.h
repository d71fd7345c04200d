/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transaction.h"
G_BEGIN_DECLS

gboolean clip_adopt (ClipTransaction *transaction,
                     const char *path,
                     int fd,
                     gboolean *out_adopted,
                     GError **error);
gboolean clip_adopt_clear (const char *dir, GError **error);

G_END_DECLS
