/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
#include "clip-transfer-progress.h"
G_BEGIN_DECLS

/* A caller wants one content of an entry. */
/* fills @sink_fd_take with a content; "opened" is called once, as soon as it is known
 * what will come */
typedef gboolean (*ClipCallOpened) (const ClipPayload *payload,
                                    gpointer user_data,
                                    GError **error);

void clip_call_send_async (ClipHistory *history,
                           gint64 id,
                           const char *mime,
                           int sink_fd_take,
                           ClipCallOpened opened,
                           ClipTransferProgress *progress,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
goffset clip_call_send_finish (GAsyncResult *result, GError **error);

G_END_DECLS
