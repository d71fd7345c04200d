/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-ledger.h"
G_BEGIN_DECLS

/* The tags of an entry, changed within a transaction. */
gboolean clip_tags_add (ClipLedger *ledger,
                        gint64 id,
                        const char *const *tags,
                        GError **error);
gboolean clip_tags_set (ClipLedger *ledger,
                        gint64 id,
                        const char *const *tags,
                        GError **error);

G_END_DECLS
