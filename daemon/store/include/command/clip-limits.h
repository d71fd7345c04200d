/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Who brings ids along keeps them up to here, and above that gets new ones: they have
 * room to grow before a salvage takes the last one for damage, which it does above twice
 * as much. */
#define CLIP_MAX_KEPT_ID (G_GINT64_CONSTANT (1) << 39)

/* those that entries go for, as bits */
typedef enum
{
  CLIP_LIMIT_ITEMS = 1 << 0,
  CLIP_LIMIT_BYTES = 1 << 1,
  CLIP_LIMIT_AGE = 1 << 2,
  CLIP_LIMIT_SPACE = 1 << 3,
} ClipLimit;

/* The limits in force for one change; 0 or negative = none. Pinned entries neither count
 * nor go. */
typedef struct
{
  gint64 max_items; /* -1 = none: 0 empties the history */
  gint64 max_total_bytes;
  gint64 max_age_us;        /* since an entry was last copied */
  gint64 max_dedupe_search; /* -1 = the whole history; N looks at the newest N + 1 */
  gint64 min_free_bytes; /* below this much room left, an addition makes room or fails */
  gint64 min_free_percent;
  gboolean thorough; /* what is too old goes wherever it is, not only from the lowest id
                      * on */
  guint cautious; /* ClipLimit: those that spare a history of which they would take more
                   * than a tenth */
} ClipLimits;

#define CLIP_NO_LIMITS \
  { \
    .max_items = -1, .max_dedupe_search = -1 \
  }

/* one of so many is not missed */
#define CLIP_LIMITS_SHARE 10

/* what a change takes of the disk for itself, whatever it adds: for the log, and its
   index */
#define CLIP_LIMITS_WORKING_BYTES ((gint64) 512 * 1024)

/* how much is to stay free of a disk of so many bytes */
static inline gint64
clip_limits_floor (const ClipLimits *limits, gint64 total_bytes)
{
  return MAX (limits->min_free_bytes, total_bytes / 100 * limits->min_free_percent);
}

/* whether it takes no more than that */
static inline gboolean
clip_limits_weigh (const ClipLimits *limits, ClipLimit limit)
{
  return (limits->cautious & limit) != 0;
}

G_END_DECLS
