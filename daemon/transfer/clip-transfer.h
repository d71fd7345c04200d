/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-pipes.h"

#include <gio/gio.h>
G_BEGIN_DECLS

typedef struct ClipTransfers ClipTransfers;

/* Told on the transfer's own thread after every step that moved bytes. */
typedef void (*ClipTransferMoved) (goffset moved, gpointer user_data);

/* What is to be moved. Zero means: none, no limit, the default. */
typedef struct
{
  int source_fd;  /* owned by the transfer from the call on; -1 with @bytes */
  GBytes *bytes;  /* an inline content instead; the transfer takes a reference */
  int sink_fd;    /* owned by the transfer from the call on */
  goffset size;   /* of the source, in bytes, or CLIP_TO_END */
  goffset limit;  /* fails with CLIP_ERROR_TOO_LARGE beyond it; 0 = none */
  guint first_ms; /* how long the first byte may take; 0 = as idle_ms */
  guint idle_ms;  /* fails with CLIP_ERROR_STALLED when no byte moved for so long; 0 =
                     30000 */
  gboolean
      is_capture; /* set by the call: the source is another process's, else the sink */
  gboolean sink_in_memory; /* a memory file: writing into it waits for no disk */
  ClipTransferMoved on_moved;
  gpointer moved_data;
  goffset
      keep_free; /* fails with CLIP_ERROR_NO_SPACE where the disk of the sink has no more
                        bytes left than this; 0 = no floor */
} ClipTransferJob;

ClipTransfers *clip_transfers_new (void);
void clip_transfers_free (ClipTransfers *self);

guint clip_transfers_n_hanging (ClipTransfers *self);
ClipPipes *clip_transfers_pipes (ClipTransfers *self);

void clip_transfers_serve_async (ClipTransfers *self,
                                 const ClipTransferJob *job,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
void clip_transfers_capture_async (ClipTransfers *self,
                                   const ClipTransferJob *job,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
goffset clip_transfers_finish (GAsyncResult *result,
                               gboolean *out_reader_left,
                               GError **error);

void clip_transfers_read_async (ClipTransfers *self,
                                int source_fd_take,
                                gsize limit,
                                guint idle_ms,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
void clip_transfers_read_head_async (ClipTransfers *self,
                                     int source_fd_take,
                                     gsize limit,
                                     guint idle_ms,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
GBytes *clip_transfers_read_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTransfers, clip_transfers_free)

G_END_DECLS
