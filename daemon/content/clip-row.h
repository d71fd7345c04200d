/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_FORMAT_LINE,     /* ID TAB PREVIEW LF, as the existing tool prints it */
  CLIP_FORMAT_JSON,     /* one object a line */
  CLIP_FORMAT_NUL,      /* ID TAB PREVIEW NUL */
  CLIP_FORMAT_TERMINAL, /* a line, in which control characters are shown as pictures */
  CLIP_FORMAT_MARKED,   /* and what was searched stands out */
} ClipRowFormat;

gboolean clip_row_format_from_name (const char *name, ClipRowFormat *out_format);
void clip_row_append (GString *out,
                      const ClipRow *row,
                      ClipRowFormat format,
                      gint64 width);
void clip_entry_append_json (GString *out, const ClipEntry *entry);
void clip_json_append_string (GString *out, const char *text, gssize length);

G_END_DECLS
