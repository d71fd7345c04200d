/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-ledger.h"
G_BEGIN_DECLS

gboolean clip_adopt_lock (int fd, gint64 patience_us, GError **error);
gboolean clip_adopt_entries (ClipLedger *ledger, int fd, GError **error);
gboolean clip_adopt_set_aside (const char *path, GError **error);
gboolean clip_adopt_clear (const char *dir, GError **error);

G_END_DECLS
