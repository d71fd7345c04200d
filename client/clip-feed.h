/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

typedef struct ClipForeign ClipForeign;

/* how many entries of a foreign history are not in the archive that was made of it */
typedef struct
{
  guint64 n_left_out;   /* secret or empty */
  guint64 n_incomplete; /* a file of it is missing */
} ClipFeedCounts;

gboolean clip_feed (ClipForeign *foreign,
                    int fd,
                    ClipFeedCounts *out_counts,
                    GError **error);

G_END_DECLS
