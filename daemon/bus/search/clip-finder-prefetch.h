/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

/* Makes thumbnails before they are asked for. */
typedef struct ClipFinderPrefetch ClipFinderPrefetch;

ClipFinderPrefetch *clip_finder_prefetch_new (ClipStore *store);
void clip_finder_prefetch_free (ClipFinderPrefetch *self);
void clip_finder_prefetch_begin (ClipFinderPrefetch *self);

G_END_DECLS
