/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-ledger.h"
G_BEGIN_DECLS

void clip_thumbnail_sweep (ClipLedger *ledger, const char *dir);

G_END_DECLS
