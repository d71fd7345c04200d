/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
G_BEGIN_DECLS

char *clip_search_text_find_no_filter (const char *text);
char *clip_search_text_find_tag (const char *text);
CliphistQuery *clip_search_text_parse (const char *text,
                                       CliphistKind kind,
                                       gboolean pinned);

G_END_DECLS
