/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
#include "clip-stage.h"
G_BEGIN_DECLS

/* what is read of a content at a time */
#define CLIP_STAGE_READ_BYTES (128 * 1024)

struct ClipStage
{
  gatomicrefcount refs;
  ClipBlobs *blobs;
  int fd;
  gboolean spilled; /* it is a file beside the blobs */
  gint era;         /* and those were in this folder of theirs */
  char *temporary;  /* the name that the file has for now, where it needs one */

  GMutex mutex;
  GCond idle;
  goffset unwritten;  /* how far the write-back may be behind */
  goffset total;      /* guarded by mutex: how many bytes are there */
  gboolean following; /* guarded by mutex: the helper is at work */
  int saved_errno;    /* guarded by mutex: what stopped it */

  ClipHasher *hasher; /* the helper's while it follows, then the sealer's */
  goffset hashed;

  gboolean sealed; /* from here on: the sealer's */
  gint64 size;
  ClipHash hash;
  char *name;
  dev_t device; /* of the file found under the name */
  ino_t inode;  /* 0 = there is none: ours will be it */
  gboolean synced;
  gboolean linked;
};

G_END_DECLS
