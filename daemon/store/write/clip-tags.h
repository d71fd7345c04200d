/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transaction.h"
G_BEGIN_DECLS

/* The tags of an entry, changed within a transaction. */
gboolean clip_tags_add (ClipTransaction *transaction,
                        gint64 id,
                        const char *const *tags,
                        GError **error);
gboolean clip_tags_set (ClipTransaction *transaction,
                        gint64 id,
                        const char *const *tags,
                        GError **error);

G_END_DECLS
