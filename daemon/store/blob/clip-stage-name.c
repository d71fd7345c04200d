/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a content that is sealed becomes a file of the history. It settles for a name: its
 * hash, with the bytes on the disk, or the file that has the same bytes already. In the
 * transaction that refers to it, it claims that nothing has changed since, and is linked.
 * Only these two happen under the lock of the database, and neither reads the bytes.
 */
#include "clip-blob-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-stage-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define OPEN_TRIES 10

static gboolean
has_same_bytes (ClipStage *self, int other, GError **error)
{
  g_autofree char *ours = g_malloc (CLIP_STAGE_READ_BYTES);
  g_autofree char *theirs = g_malloc (CLIP_STAGE_READ_BYTES);

  for (goffset offset = 0; offset < self->size; offset += CLIP_STAGE_READ_BYTES)
    {
      gsize n = (gsize) MIN (self->size - offset, CLIP_STAGE_READ_BYTES);

      if (!clip_read_exactly (self->fd, ours, n, offset, error) ||
          !clip_read_exactly (other, theirs, n, offset, error) ||
          memcmp (ours, theirs, n) != 0)
        return FALSE;
    }
  return TRUE;
}

static gboolean
look_at (ClipStage *self, const char *name, struct stat *status)
{
  return fstatat (clip_blobs_fd (self->blobs), name, status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* The file that has the name, if it is as long as ours; else -1, and whether there is
 * none. Others link and unlink it meanwhile, so one that is there but was not is tried
 * again. */
static int
open_other (ClipStage *self, const char *name, gboolean *out_free)
{
  int fd = -1;

  *out_free = FALSE;
  for (guint i = 0; i < OPEN_TRIES && fd < 0 && !*out_free; i++)
    {
      struct stat status;

      fd = clip_blob_file_open (clip_blobs_fd (self->blobs), name, self->size, NULL);
      *out_free = fd < 0 && !look_at (self, name, &status);
    }
  return fd;
}

/* whether the name will do: it is free, or a file with our bytes has it */
static gboolean
suits (ClipStage *self, const char *name)
{
  gboolean is_free;
  clip_autofd int fd = open_other (self, name, &is_free);
  struct stat status;

  self->inode = 0;
  if (fd < 0)
    return is_free;
  if (fstat (fd, &status) < 0 || !has_same_bytes (self, fd, NULL))
    return FALSE;
  self->device = status.st_dev;
  self->inode = status.st_ino;
  return TRUE;
}

static gboolean
sync_bytes (ClipStage *self, GError **error)
{
  if (!self->synced && !clip_blobs_sync (self->fd, error))
    return FALSE;
  self->synced = TRUE;
  return TRUE;
}

static gboolean
is_of_this_era (ClipStage *self)
{
  return !self->spilled || self->era == clip_blobs_era (self->blobs);
}

/* The folder of the blobs was removed, and there is another, perhaps on another disk.
 * What is open can still be read, and is copied there. */
static gboolean
move_along (ClipStage *self, GError **error)
{
  if (is_of_this_era (self))
    return TRUE;
  g_clear_pointer (&self->temporary, g_free);
  self->spilled = self->linked = self->synced = FALSE;
  if (clip_stage_spill (self, error) >= 0)
    return TRUE;
  self->spilled = TRUE;
  self->era--;
  return FALSE;
}

/**
 * clip_stage_settle:
 *
 * Finds the name that a sealed stage will have, and waits until its bytes are on the
 * disk, unless a file there has them already. Compares bytes where the hash is taken, so
 * it is called outside of any transaction.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_stage_settle (ClipStage *self, GError **error)
{
  guint number = 0;

  if (!move_along (self, error))
    return FALSE;
  if (self->linked)
    return TRUE;
  do
    {
      g_free (self->name);
      self->name = clip_blob_name (&self->hash, number++);
    }
  while (!suits (self, self->name));
  return self->inode != 0 || sync_bytes (self, error);
}

/**
 * clip_stage_claim:
 *
 * Called with the database locked, where nobody else links or unlinks: whether the name
 * is still free, or still that of the file with our bytes.
 */
ClipClaim
clip_stage_claim (ClipStage *self, GError **error)
{
  struct stat status;
  gboolean there = look_at (self, self->name, &status);

  if (!is_of_this_era (self))
    return CLIP_CLAIM_AGAIN;
  /* a transaction that gave it the name was lost, and the name with it: a file without
   * one gets none again, so its bytes move to another */
  if (!there && errno == ENOENT && self->linked)
    {
      self->era--;
      return CLIP_CLAIM_AGAIN;
    }
  if (!there && (errno != ENOENT || self->linked))
    {
      clip_set_errno (error, errno, "look at blob '%s'", self->name);
      return CLIP_CLAIM_FAILED;
    }
  if (self->linked || (!there && self->inode == 0) ||
      (there && status.st_dev == self->device && status.st_ino == self->inode))
    return CLIP_CLAIM_READY;
  return CLIP_CLAIM_AGAIN;
}

/**
 * clip_stage_link:
 *
 * After clip_stage_claim(), under the same lock: gives our file its name where no other
 * has it. Another stage of the same transaction may have been first, with the same bytes.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
gboolean
clip_stage_link (ClipStage *self, GError **error)
{
  gboolean taken = TRUE;

  while (self->inode == 0 && !self->linked)
    {
      if (!clip_blobs_link (self->blobs, self->fd, self->temporary, self->name, &taken,
                            error))
        return FALSE;
      self->linked = !taken;
      if (!clip_stage_settle (self, error))
        return FALSE;
    }
  return TRUE;
}

/* of its file, below the folder of the blobs; borrowed */
const char *
clip_stage_name (const ClipStage *self)
{
  return self->name;
}

/* of its bytes; borrowed */
const ClipHash *
clip_stage_hash (const ClipStage *self)
{
  return &self->hash;
}

/* whether the file under the name is this stage's own */
gboolean
clip_stage_is_linked (const ClipStage *self)
{
  return self->linked;
}
