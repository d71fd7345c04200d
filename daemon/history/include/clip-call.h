/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-fd.h"
#include "clip-gauge.h"
#include "clip-history.h"
#include "clip-join.h"
#include "clip-process.h"
#include "clip-row.h"
G_BEGIN_DECLS

/* What a caller asks of the history with descriptors in hand: put these contents in,
 * write that one out, or those, or the list. A gauge, where there is one, tells how far
 * that is. */

goffset clip_inputs_expected (GPtrArray *inputs);
gboolean clip_call_check_source (int fd, GError **error);
gboolean clip_call_check_sink (int fd, GError **error);

typedef struct
{
  char *mime; /* "" is found out from the bytes */
  int fd;
  ClipFdLook look;
} ClipInput;

typedef struct
{
  ClipOutcome added; /* id 0: dropped */
  ClipDrop drop;
  gboolean is_empty; /* with %CLIP_DROP_BLANK: there was not a byte */
} ClipStored;

GPtrArray *clip_inputs_new (void);
void clip_inputs_add (GPtrArray *inputs, const char *mime, int fd_take);

/* whether the caller is about to end, which may be known before it is cancelled */
typedef ClipOutlook (*ClipCallOutlook) (gpointer user_data);

void clip_call_store_async (ClipHistory *history,
                            GPtrArray *inputs_take,
                            const ClipSettings *settings,
                            gboolean select,
                            gint64 replaces,
                            ClipCallOutlook outlook,
                            ClipGauge *gauge,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean clip_call_store_finish (GAsyncResult *result,
                                 ClipStored *out_stored,
                                 GError **error);

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
                           ClipGauge *gauge,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
goffset clip_call_send_finish (GAsyncResult *result, GError **error);

void clip_call_join_async (ClipHistory *history,
                           ClipJoin *join_take,
                           int sink_fd_take,
                           ClipGauge *gauge,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
goffset clip_call_join_finish (GAsyncResult *result, GError **error);

void clip_call_print_async (ClipHistory *history,
                            const ClipQuery *query,
                            ClipRowFormat format,
                            gint64 width,
                            int sink_fd_take,
                            ClipGauge *gauge,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gint64 clip_call_print_finish (GAsyncResult *result, GError **error);

void clip_call_trim_async (ClipHistory *history,
                           const ClipSettings *settings,
                           gboolean pretends,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
gint64 clip_call_trim_finish (GAsyncResult *result, GError **error);

G_END_DECLS
