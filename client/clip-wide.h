/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-detect.h"
#include "clip-reader.h"
#include "clip-utf8.h"

#include <string.h>
G_BEGIN_DECLS

char *clip_wide_preview (ClipReader *reader, const ClipRow *row, gint64 width);

/* whether there may be more to show than is stored of it: a character has four bytes at most */
static inline gboolean
clip_wide_is (const ClipRow *row, gint64 width)
{
  const gsize ellipsis = strlen (CLIP_UTF8_ELLIPSIS);

  return width > CLIP_HEAD_BYTES / 4 && row->preview_length > ellipsis &&
         memcmp (row->preview + row->preview_length - ellipsis, CLIP_UTF8_ELLIPSIS,
                 ellipsis) == 0;
}

G_END_DECLS
