/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "cliphist-types.h"
G_BEGIN_DECLS

#define CLIPHIST_TYPE_QUERY (cliphist_query_get_type ())
G_DECLARE_FINAL_TYPE (CliphistQuery, cliphist_query, CLIPHIST, QUERY, GObject)

CliphistQuery *cliphist_query_new (const char *const *words);

G_END_DECLS
