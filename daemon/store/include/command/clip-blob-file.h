/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-hash.h"
G_BEGIN_DECLS

/* By this a file is known to be as it was: whoever changes it changes this, too. */
typedef struct
{
  gint64 inode;
  gint64 changed_ns; /* of its contents or its attributes */
} ClipBlobState;

void clip_blob_state_take (ClipBlobState *self, int blobs_fd, const char *name);
void clip_blob_state_take_fd (ClipBlobState *self, int fd);
gboolean clip_blob_state_equal (const ClipBlobState *a, const ClipBlobState *b);
char *clip_blob_name (const ClipHash *hash, guint number);
gboolean clip_blob_name_is_valid (const char *name);
gboolean clip_blob_name_fits (const char *name, const ClipHash *hash);
gboolean clip_blob_file_check (int fd,
                               const char *name,
                               const ClipHash *hash,
                               const gint *stops,
                               GError **error);
int clip_blob_file_open (int blobs_fd, const char *name, gint64 size, GError **error);

G_END_DECLS
