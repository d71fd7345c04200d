/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-hash.h"
G_BEGIN_DECLS

/* where a file goes while it has no name, on file systems that need one */
#define CLIP_BLOBS_TMP "tmp"

/* The folder of the blobs: files that are written once, then linked under the hash of
 * their bytes, and never change. Used from any thread. */
typedef struct ClipBlobs ClipBlobs;

ClipBlobs *clip_blobs_open (const char *dir, GError **error);
ClipBlobs *clip_blobs_ref (ClipBlobs *self);
void clip_blobs_unref (ClipBlobs *self);
int clip_blobs_fd (const ClipBlobs *self);
gboolean clip_blobs_follow (ClipBlobs *self, GError **error);
void clip_blobs_use_names (ClipBlobs *self);

int clip_blobs_create (ClipBlobs *self, char **out_temporary, GError **error);
gboolean clip_blobs_sync (int fd, GError **error);
gboolean clip_blobs_link (ClipBlobs *self,
                          int fd,
                          const char *temporary,
                          const char *name,
                          gboolean *out_taken,
                          GError **error);
gboolean clip_blobs_keep (ClipBlobs *self, const char *name, GError **error);
int clip_blobs_unlink (ClipBlobs *self, const char *name);
gboolean clip_blobs_space (ClipBlobs *self,
                           gint64 *out_free,
                           gint64 *out_total,
                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipBlobs, clip_blobs_unref)

G_END_DECLS
