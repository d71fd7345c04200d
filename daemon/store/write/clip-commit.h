/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-job-private.h"
G_BEGIN_DECLS

/* Jobs that share a transaction. */
void clip_commit_jobs (ClipLedger *ledger, GQueue *batch, GQueue *through);
gboolean clip_commit_is_short (ClipLedger *ledger);
gboolean clip_commit_use_reserve (ClipLedger *ledger, GQueue *batch, GQueue *through);
void clip_commit_keep_reserve (ClipLedger *ledger);

G_END_DECLS
