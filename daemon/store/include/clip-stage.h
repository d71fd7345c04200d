/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-hash.h"
G_BEGIN_DECLS

/* contents up to this size are kept in the database, larger ones in a file */
#define CLIP_INLINE_BYTES (64 * 1024)

typedef struct ClipBlobs ClipBlobs;

/* A content on its way into the store: an unnamed file that a transfer fills, in memory
 * while it is small, then beside the blobs, hashed and written back behind the transfer
 * by a helper thread. Dropping it leaves nothing. */
typedef struct ClipStage ClipStage;

/* what stands under the name that a stage settled for */
typedef enum
{
  CLIP_CLAIM_FAILED,
  CLIP_CLAIM_READY, /* its own file, or one with the same bytes, or nothing yet */
  CLIP_CLAIM_AGAIN, /* something else by now: it must be settled again */
} ClipClaim;

ClipStage *clip_stage_new (ClipBlobs *blobs, GError **error);
ClipStage *clip_stage_new_full (ClipBlobs *blobs, int fd_take);
ClipStage *clip_stage_ref (ClipStage *self);
void clip_stage_unref (ClipStage *self);

int clip_stage_fd (const ClipStage *self);
gboolean clip_stage_is_in_memory (const ClipStage *self);
goffset clip_stage_spill (ClipStage *self, GError **error);
void clip_stage_set_unwritten (ClipStage *self, goffset bytes);
void clip_stage_advance (ClipStage *self, goffset total);
GBytes *clip_stage_head (ClipStage *self, gsize limit, GError **error);

gboolean clip_stage_seal (ClipStage *self, gint64 size, GError **error);
gboolean clip_stage_settle (ClipStage *self, GError **error);
ClipClaim clip_stage_claim (ClipStage *self, GError **error);
gboolean clip_stage_link (ClipStage *self, GError **error);
const char *clip_stage_name (const ClipStage *self);
const ClipHash *clip_stage_hash (const ClipStage *self);
gboolean clip_stage_is_linked (const ClipStage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStage, clip_stage_unref)

G_END_DECLS
