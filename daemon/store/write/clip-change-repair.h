/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-aside.h"
#include "clip-change.h"
#include "clip-report.h"
G_BEGIN_DECLS

ClipChangeStep clip_change_repair (ClipLedger *ledger,
                                   ClipAside *aside,
                                   const ClipFinding *finding,
                                   GError **error);

G_END_DECLS
