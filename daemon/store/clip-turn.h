/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-job.h"
G_BEGIN_DECLS

/* Jobs that share a transaction. */
gboolean clip_turn_commit (ClipLedger *ledger, GQueue *batch, GQueue *through);

G_END_DECLS
