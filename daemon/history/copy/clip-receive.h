/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-store.h"
#include "clip-transfer-progress.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* one content that has come in, not yet an entry */
typedef struct
{
  char *mime;
  ClipStage *stage;
  goffset size;
  gboolean is_enough; /* for an entry, as its builder found */
} ClipStagedContent;

void clip_staged_content_free (ClipStagedContent *self);

typedef struct
{
  goffset limit;     /* in bytes; 0 = anything */
  goffset unwritten; /* how far the disk may be behind, see clip_stage_set_unwritten() */
  guint first_ms;
  guint idle_ms;
  ClipTransferProgress *progress; /* (nullable): told what has come */
  goffset counted;                /* what it knows of already, in bytes */
  ClipLimits limits;              /* their floor of free space */
} ClipReceiveTerms;

/* What came of it. */
typedef struct
{
  ClipStagedContent *content; /* (nullable) */
  GBytes *bytes;              /* (nullable): of clip_receive_bytes() */
  GError *error;              /* (nullable): why there is neither */
  ClipVerdict verdict;        /* what a display knows about the end */
  gboolean is_open;           /* the display gave something to read from */
} ClipReceived;

/* @received: the caller's; steal what is to outlive the call. clip_receive_fd() may call
 * it before it returns. */
typedef void (*ClipReceivedFunc) (ClipReceived *received, gpointer user_data);

void clip_receive_fd (ClipStore *store,
                      ClipTransfers *transfers,
                      const char *mime,
                      int source_fd_take,
                      const ClipReceiveTerms *terms,
                      GCancellable *cancellable,
                      ClipReceivedFunc done,
                      gpointer user_data);

void clip_receive_content (ClipBackend *backend,
                           ClipOffer *offer,
                           const char *mime,
                           ClipStore *store,
                           ClipTransfers *transfers,
                           const ClipReceiveTerms *terms,
                           GCancellable *cancellable,
                           ClipReceivedFunc done,
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
                         ClipReceivedFunc done,
                         gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStagedContent, clip_staged_content_free)

G_END_DECLS
