/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
#include "clip-join.h"
#include "clip-row.h"
#include "clip-transfer-progress.h"
G_BEGIN_DECLS

/* A caller wants many contents, or the list, as one stream. */
void clip_call_join_async (ClipHistory *history,
                           ClipJoin *join_take,
                           int sink_fd_take,
                           ClipTransferProgress *progress,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
goffset clip_call_join_finish (GAsyncResult *result, GError **error);

void clip_call_print_async (ClipHistory *history,
                            const ClipQuery *query,
                            ClipRowFormat format,
                            gint64 width,
                            int sink_fd_take,
                            ClipTransferProgress *progress,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gint64 clip_call_print_finish (GAsyncResult *result, GError **error);

G_END_DECLS
