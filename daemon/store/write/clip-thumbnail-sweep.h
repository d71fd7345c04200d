/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transaction.h"
G_BEGIN_DECLS

void clip_thumbnail_sweep (ClipTransaction *transaction, const char *dir);

G_END_DECLS
