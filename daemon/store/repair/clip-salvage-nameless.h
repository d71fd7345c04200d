/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-hash.h"

#include <sqlite3.h>
G_BEGIN_DECLS

gint64 clip_salvage_nameless (sqlite3 *source,
                              sqlite3 *target,
                              gint64 entry,
                              int kind,
                              const ClipHash *hash,
                              const void *data,
                              gsize length,
                              const char **out_mime);

G_END_DECLS
