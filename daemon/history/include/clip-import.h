/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
#include "clip-transfer-progress.h"
G_BEGIN_DECLS

/* An archive into the history. */

typedef struct
{
  gint64 n_added;
  gint64 n_known;     /* that were there already */
  gint64 n_skipped;   /* secret, ignored, expired or empty ones */
  gint64 n_tags_left; /* that other entries had already */
} ClipImportResult;

void clip_import_async (ClipHistory *history,
                        int fd_take,
                        const ClipSettings *settings,
                        ClipTransferProgress *progress,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data);
gboolean clip_import_finish (GAsyncResult *result,
                             ClipImportResult *out_result,
                             GError **error);

G_END_DECLS
