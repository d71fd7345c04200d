/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-fd.h"
#include "clip-history.h"
#include "clip-transfer-progress.h"
G_BEGIN_DECLS

/* A caller has contents that become an entry. */
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
  gboolean is_plain; /* all that came is plain text; the entry may have had more */
} ClipStored;

GPtrArray *clip_inputs_new (void);
void clip_inputs_add (GPtrArray *inputs, const char *mime, int fd_take);
goffset clip_inputs_expected (GPtrArray *inputs);

/* whether the caller is about to end, which may be known before it is cancelled */
typedef gboolean (*ClipCallIsLeaving) (gpointer user_data);

void clip_call_store_async (ClipHistory *history,
                            GPtrArray *inputs_take,
                            const ClipSettings *settings,
                            gboolean select,
                            gint64 replaces,
                            ClipCallIsLeaving is_leaving,
                            ClipTransferProgress *progress,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
gboolean clip_call_store_finish (GAsyncResult *result,
                                 ClipStored *out_stored,
                                 GError **error);

G_END_DECLS
