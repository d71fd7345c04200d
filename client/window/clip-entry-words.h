/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-word-marks.h"

#include <cliphist.h>
G_BEGIN_DECLS

char *clip_entry_words_title (CliphistEntry *entry, ClipWordMark *out_mark);
char *clip_entry_words_about (CliphistEntry *entry, gint64 now_us);
const char *clip_entry_words_find_kind (const char *text);
char *clip_entry_words_safe (const char *text);

G_END_DECLS
