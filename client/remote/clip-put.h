/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-remote.h"
G_BEGIN_DECLS

gboolean clip_put (ClipRemote *remote,
                   int fd,
                   const char *mime,
                   guint64 *out_id,
                   gboolean *out_replaced,
                   char **out_dropped,
                   GError **error);
gboolean clip_put_stdin (ClipRemote *remote,
                         const char *mime,
                         char **out_dropped,
                         GError **error);
gboolean clip_put_is_secret (void);

G_END_DECLS
