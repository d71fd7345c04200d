/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

/* The contents of many entries, one after the other. Knows no sink: it says what comes
 * next. */
typedef struct ClipJoin ClipJoin;

/* so much is gathered before it goes out; one more content may come on top */
#define CLIP_JOIN_BYTES (192 * 1024)
#define CLIP_JOIN_MAX_SEPARATOR_BYTES 4096

/* What comes next: bytes, and behind them a file. Either may be missing. */
typedef struct
{
  const void *data; /* borrowed from who filled it in, until the next part */
  gsize length;
  int fd; /* of a blob, at offset 0, or -1 */
  gint64 size;
} ClipPart;

ClipJoin *clip_join_new (const gint64 *ids,
                         gsize n_ids,
                         const void *separator,
                         gsize separator_length,
                         const char *mime,
                         GError **error);
void clip_join_free (ClipJoin *self);
gboolean clip_join_next (ClipJoin *self,
                         ClipReader *reader,
                         ClipPart *out_part,
                         gboolean *out_more,
                         GError **error);
gint64 clip_join_total (const ClipJoin *self);

void clip_part_clear (ClipPart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipJoin, clip_join_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ClipPart, clip_part_clear)

G_END_DECLS
