/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
G_BEGIN_DECLS

char *clip_entry_words_title (CliphistEntry *entry, guint *out_start, guint *out_end);
char *clip_entry_words_about (CliphistEntry *entry, gint64 now_us);
const char *clip_entry_words_find_kind (const char *text);
char *clip_entry_words_safe (const char *text);

G_END_DECLS
