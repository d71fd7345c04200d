/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-change-private.h"
G_BEGIN_DECLS

/* Changes that share a transaction; queues of ClipChange. */
void clip_change_batch_commit (ClipTransaction *transaction,
                               GQueue *batch,
                               GQueue *through);
void clip_change_batch_fail (GQueue *batch, GQueue *through, const GError *error);
void clip_change_batch_turn_short (ClipTransaction *transaction, gboolean is_waiting);
gboolean clip_change_batch_is_short (ClipTransaction *transaction);
gboolean clip_change_batch_use_reserve (ClipTransaction *transaction,
                                        GQueue *batch,
                                        GQueue *through);
void clip_change_batch_keep_reserve (ClipTransaction *transaction);

G_END_DECLS
