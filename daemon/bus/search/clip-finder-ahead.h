/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

/* Makes thumbnails before anybody asks for them. */
typedef struct ClipFinderAhead ClipFinderAhead;

ClipFinderAhead *clip_finder_ahead_new (ClipStore *store);
void clip_finder_ahead_free (ClipFinderAhead *self);
void clip_finder_ahead_begin (ClipFinderAhead *self);

G_END_DECLS
