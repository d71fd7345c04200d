/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-pipes.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* What all transfers of a process share: hands for the work that may block, room for
 * larger pipes, and the word that it is over. Every call is safe in any thread. */
typedef struct ClipTransferPool ClipTransferPool;

ClipTransferPool *clip_transfer_pool_new (GFunc work);
void clip_transfer_pool_free (ClipTransferPool *self);

void clip_transfer_pool_push (ClipTransferPool *self, gpointer data);
void clip_transfer_pool_add_hand (ClipTransferPool *self);
void clip_transfer_pool_drop_hand (ClipTransferPool *self);
guint clip_transfer_pool_n_late (ClipTransferPool *self);
void clip_transfer_pool_dismiss (ClipTransferPool *self);
GCancellable *clip_transfer_pool_dismissed (ClipTransferPool *self);
ClipPipes *clip_transfer_pool_pipes (ClipTransferPool *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTransferPool, clip_transfer_pool_free)

G_END_DECLS
