/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "hoard.h"
G_BEGIN_DECLS

/* What a history holds, against what it should, and what its store has said. */
GString *hoard_listen (ClipStore *store);
void hoard_assert_bytes (ClipStore *store,
                         gint64 id,
                         const char *mime,
                         const char *expected);
void hoard_assert_list (ClipStore *store, const char *expected);
void hoard_assert_totals (ClipStore *store, gint64 count, gint64 bytes, gint64 pinned);

G_END_DECLS
