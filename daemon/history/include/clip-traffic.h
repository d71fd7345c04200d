/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-gauge.h"
G_BEGIN_DECLS

/* The contents that are on their way between displays and the history: of those that last
 * long somebody may want to say how far they are. */
typedef struct ClipTraffic ClipTraffic;

typedef enum
{
  CLIP_TRAFFIC_IN,  /* of a copy */
  CLIP_TRAFFIC_OUT, /* of a paste */
} ClipTrafficWay;

typedef struct
{
  guint n; /* that have lasted long enough */
  goffset done;
  goffset total; /* 0 = of one of them nobody knows */
} ClipTrafficSum;

typedef void (*ClipTrafficFunc) (gpointer user_data);

ClipTraffic *clip_traffic_new (guint long_ms, guint interval_ms);
void clip_traffic_free (ClipTraffic *self);
ClipGauge *clip_traffic_join (ClipTraffic *self, ClipTrafficWay way, gpointer transfer);
void clip_traffic_watch (ClipTraffic *self, ClipTrafficFunc changed, gpointer user_data);
ClipTrafficSum clip_traffic_sum (ClipTraffic *self, ClipTrafficWay way);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTraffic, clip_traffic_free)

G_END_DECLS
