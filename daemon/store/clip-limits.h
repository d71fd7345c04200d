/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* The limits in force for one change; 0 or negative = none. Pinned entries neither count
 * nor go. */
typedef struct
{
  gint64 max_items; /* -1 = none: 0 empties the history */
  gint64 max_total_bytes;
  gint64 max_dedupe_search; /* -1 = the whole history; N looks at the newest N + 1 */
  gint64 min_free_bytes; /* below this much room left, an addition fails with NO_SPACE */
  gint64 min_free_percent;
} ClipLimits;

#define CLIP_NO_LIMITS \
  { \
    .max_items = -1, .max_dedupe_search = -1 \
  }

typedef struct
{
  gint64 id;         /* of the entry now */
  gint64 moved_from; /* the id that it had; 0 = new */
  gint64 n_trimmed;
} ClipAdded;

G_END_DECLS
