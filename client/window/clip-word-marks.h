/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
G_BEGIN_DECLS

typedef struct
{
  gsize start, end; /* in bytes; alike: there is none */
} ClipWordMark;

GArray *clip_word_marks_find (CliphistQuery *query, const char *text, ClipWordMark first);

G_END_DECLS
