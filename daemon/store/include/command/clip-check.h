/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-report.h"
G_BEGIN_DECLS

/* what a repair sets aside lies in here, beside the blobs */
#define CLIP_ASIDE_NAME "damaged"

/* and in here a new database is made of a damaged one */
#define CLIP_SALVAGE_NAME "salvage"

ClipReport *clip_check (const char *dir, const gint *stops, GError **error);

G_END_DECLS
