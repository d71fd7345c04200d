/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipHistory, for clip-history, and for clip-history-select, which owns selections for
 * a caller. */
#pragma once
#include "clip-clipboard.h"
#include "clip-displays.h"
#include "clip-hearing.h"
#include "clip-history.h"
#include "clip-limiter.h"
#include "clip-pause.h"
#include "clip-primary.h"
G_BEGIN_DECLS

struct _ClipHistory
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipStreams *streams;
  ClipTraffic *traffic;
  ClipSettings *settings;
  ClipDisplays *displays;
  ClipClipboard *clipboard;
  ClipPrimary *primary;
  ClipPause *pause;
  ClipLimiter *limiter; /* (nullable) */
  GPtrArray *backends;
  ClipHearing *hearing;
};

G_END_DECLS
