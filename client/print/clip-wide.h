/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-detect.h"
#include "clip-reader.h"
#include "clip-utf8.h"

#include <string.h>
G_BEGIN_DECLS

char *clip_wide_preview (ClipReader *reader, const ClipRow *row, gint64 width);

/* what is stored of a text has so many code points at least: one has four bytes at
   most */
#define CLIP_WIDE_WIDTH (CLIP_HEAD_BYTES / 4)

/* whether there may be more to show than is stored of it */
static inline gboolean
clip_wide_is (const ClipRow *row, gint64 width)
{
  const gsize ellipsis = strlen (CLIP_UTF8_ELLIPSIS);

  return width > CLIP_WIDE_WIDTH && row->preview_length > ellipsis &&
         memcmp (row->preview + row->preview_length - ellipsis, CLIP_UTF8_ELLIPSIS,
                 ellipsis) == 0;
}

G_END_DECLS
