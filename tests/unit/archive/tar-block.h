/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-tar.h"

#include <string.h>

/* sums a header up again after it was changed */
static inline void
seal_header (guint8 *block)
{
  guint sum = 0;

  memset (block + 148, ' ', 8);
  for (guint i = 0; i < CLIP_TAR_BLOCK; i++)
    sum += block[i];
  g_snprintf ((char *) block + 148, 8, "%06o", sum);
}
