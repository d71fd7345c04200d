/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-join.h"
#include "clip-transfer-progress.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* Long streams out of the history: many contents, or the whole list; and one into it. */
typedef struct ClipStreams ClipStreams;

/* a stream holds a thread, a connection and a buffer: so many at a time, which is more
 * than callers may have: what gives way needs a moment to end */
#define CLIP_STREAMS_MAX 48

/* Says what comes next, on the thread of the stream; @out_more is FALSE at the end, and
 * then there is no part. That it is asked again means that the last part has gone. */
typedef gboolean (*ClipStreamNext) (gpointer source,
                                    ClipReader *reader,
                                    ClipPart *out_part,
                                    gboolean *out_more,
                                    GError **error);

/* Does all of it itself, on the thread of the stream; @stop_fd: what can be read from it
 * is to end it; -1 = none. */
typedef gboolean (*ClipStreamRun) (gpointer source, int stop_fd, GError **error);

typedef struct
{
  ClipStreamNext next; /* or */
  ClipStreamRun run;
  gpointer source; /* borrowed until the callback */
  int sink_fd;     /* owned by the stream from the call on; -1 where it runs itself */
  guint idle_ms;   /* fails with CLIP_ERROR_STALLED when no byte moved for so long; 0 =
                      30000 */
  ClipTransferProgress *progress; /* (nullable): borrowed until the callback */
} ClipStreamJob;

ClipStreams *clip_streams_new (const char *dir, ClipTransfers *transfers);
void clip_streams_free (ClipStreams *self);
void clip_streams_run_async (ClipStreams *self,
                             const ClipStreamJob *job,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
goffset clip_streams_run_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStreams, clip_streams_free)

G_END_DECLS
