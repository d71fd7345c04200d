/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_SNIPPET_PLAIN,
  CLIP_SNIPPET_SAFE,   /* control characters are shown as pictures */
  CLIP_SNIPPET_PLACED, /* the same, and it is known where the match is */
  CLIP_SNIPPET_MARKED, /* safe, and the match in bold and inverse */
} ClipSnippetStyle;

gsize clip_snippet_start (const ClipRow *row, gint64 width);
void clip_snippet_append (GString *out,
                          const ClipRow *row,
                          gint64 width,
                          ClipSnippetStyle style);
void clip_snippet_keep (ClipEntry *entry, const ClipRow *row, gint64 width);

G_END_DECLS
