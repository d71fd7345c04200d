/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transfer-progress.h"
G_BEGIN_DECLS

/* The contents that move between displays and the history: how far those are that last
 * long. */
typedef struct ClipLongTransfers ClipLongTransfers;

typedef enum
{
  CLIP_TRANSFER_IN,  /* of a copy */
  CLIP_TRANSFER_OUT, /* of a paste */
} ClipTransferDirection;

typedef struct
{
  guint n; /* that have lasted long enough */
  goffset done;
  goffset total; /* 0 = that of one of them is unknown */
} ClipLongTransfersSum;

typedef void (*ClipLongTransfersFunc) (gpointer user_data);

ClipLongTransfers *clip_long_transfers_new (guint long_ms, guint interval_ms);
void clip_long_transfers_free (ClipLongTransfers *self);
ClipTransferProgress *clip_long_transfers_add (ClipLongTransfers *self,
                                               ClipTransferDirection direction,
                                               gpointer object);
void clip_long_transfers_watch (ClipLongTransfers *self,
                                ClipLongTransfersFunc changed,
                                gpointer user_data);
ClipLongTransfersSum clip_long_transfers_sum (ClipLongTransfers *self,
                                              ClipTransferDirection direction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipLongTransfers, clip_long_transfers_free)

G_END_DECLS
