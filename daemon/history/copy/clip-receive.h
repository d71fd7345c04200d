/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
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
} ClipReceived;

void clip_received_free (ClipReceived *self);

typedef struct
{
  goffset limit;     /* in bytes; 0 = anything */
  goffset unwritten; /* how far the disk may be behind, see clip_stage_set_unwritten() */
  guint first_ms;
  guint idle_ms;
  ClipGauge *gauge;  /* (nullable): told what has come */
  goffset gauged;    /* what it knows of already, in bytes */
  ClipLimits limits; /* their floor of free space */
} ClipReceiveTerms;

/* @received_take: (nullable): %NULL with @error, which is the caller's. It may be called
 * before the function that was given it returns. */
typedef void (*ClipReceivedFunc) (ClipReceived *received_take,
                                  const GError *error,
                                  gpointer user_data);

void clip_receive_fd (ClipStore *store,
                      ClipTransfers *transfers,
                      const char *mime,
                      int source_fd_take,
                      const ClipReceiveTerms *terms,
                      GCancellable *cancellable,
                      ClipReceivedFunc done,
                      gpointer user_data);

/* What has come of a content that a display was asked for. */
typedef struct
{
  ClipReceived *content; /* (nullable): of clip_receive_content() */
  GBytes *bytes;         /* (nullable): of clip_receive_bytes() */
  ClipVerdict verdict;   /* what the display knows of the end */
  gboolean is_open;      /* there was something to read from */
  GError *error;         /* (nullable): why there is neither */
} ClipReceipt;

/* @receipt: the caller's; what is taken out of it is to be stolen */
typedef void (*ClipReceiptFunc) (ClipReceipt *receipt, gpointer user_data);

void clip_receive_content (ClipBackend *backend,
                           ClipOffer *offer,
                           const char *mime,
                           ClipStore *store,
                           ClipTransfers *transfers,
                           const ClipReceiveTerms *terms,
                           GCancellable *cancellable,
                           ClipReceiptFunc done,
                           gpointer user_data);

/* how much of a content is read into memory */
typedef enum
{
  CLIP_RECEIVE_ALL, /* what is longer than the limit fails */
  CLIP_RECEIVE_HEAD,
} ClipReceivePart;

void clip_receive_bytes (ClipBackend *backend,
                         ClipOffer *offer,
                         const char *mime,
                         ClipTransfers *transfers,
                         ClipReceivePart part,
                         gsize limit,
                         guint idle_ms,
                         GCancellable *cancellable,
                         ClipReceiptFunc done,
                         gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipReceived, clip_received_free)

G_END_DECLS
