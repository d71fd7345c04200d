/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipHistory, for what serves callers. */
#pragma once
#include "clip-clipboard.h"
#include "clip-display-sync.h"
#include "clip-displays.h"
#include "clip-entry-builder.h"
#include "clip-history.h"
#include "clip-limiter.h"
#include "clip-pause.h"
#include "clip-primary.h"
#include "clip-streams.h"
G_BEGIN_DECLS

struct _ClipHistory
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers; /* (nullable): what is closed has none, as is the next */
  ClipStreams *streams;
  ClipLongTransfers *long_transfers;
  ClipSettings *settings;
  ClipDisplays *displays;
  ClipClipboard *clipboard;
  ClipPrimary *primary;
  ClipPause *pause;
  ClipLimiter *limiter; /* (nullable) */
  GPtrArray *backends;
  ClipDisplaySync *display_sync;
};

ClipDisplaySync *clip_history_display_sync (ClipHistory *self);
void clip_history_guard (ClipHistory *self,
                         ClipEntryBuilder *builder,
                         const ClipSettings *settings);

G_END_DECLS
