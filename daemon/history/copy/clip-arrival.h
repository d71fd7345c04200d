/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-gauge.h"
#include "clip-store.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* one content that has come in, not yet an entry */
typedef struct
{
  char *mime;
  ClipStage *stage;
  goffset size;
} ClipArrival;

typedef struct
{
  goffset limit;     /* in bytes; 0 = anything */
  goffset unwritten; /* how far the disk may be behind, see clip_stage_set_unwritten() */
  guint first_ms;
  guint idle_ms;
  ClipGauge *gauge; /* (nullable): told what has come */
  goffset gauged;   /* what it knows of already, in bytes */
  ClipLimits limits; /* their floor of free space */
} ClipArrivalTerms;

void clip_arrival_free (ClipArrival *self);

void clip_arrival_async (ClipStore *store,
                         ClipTransfers *transfers,
                         const char *mime,
                         int source_fd_take,
                         const ClipArrivalTerms *terms,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data);
ClipArrival *clip_arrival_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipArrival, clip_arrival_free)

G_END_DECLS
