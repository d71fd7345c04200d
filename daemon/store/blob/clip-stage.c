/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A content begins in a memory file: making and dropping a file on a disk waits for the
 * journal of its file system whenever that is busy, and a word, which ends up in a row,
 * needs none. What turns out to be larger than a row takes moves to the blobs' own file
 * system: it spills.
 *
 * While a transfer fills the file, a helper thread follows a window behind: it starts the
 * write-back of what is there, and hashes it out of the page cache. When the last byte
 * has come there is little left to hash and little left to write, which makes a capture
 * nearly twice as fast as to do one after the other.
 *
 * Then the stage is sealed: its hash is known. It settles for a name: its hash, with the
 * bytes on the disk, or the file that has the same bytes already. In the transaction that
 * refers to it, it claims that nothing has changed since, and is linked. Only these two
 * happen under the lock of the database, and neither reads the bytes.
 */
#include "clip-stage.h"

#include "clip-blob-file.h"
#include "clip-blobs.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-thread.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* what the helper takes at a time; a transfer shorter than this does without */
#define WINDOW_BYTES (4 * 1024 * 1024)

#define MAX_HELPERS 2

/* what is compared of two contents at a time */
#define READ_BYTES (256 * 1024)

/* mapped pages that wait for the disk count as our own memory, and a larger piece is not
 * hashed sooner */
#define MAPPED_BYTES (256 * 1024)

#define OPEN_TRIES 10

/* files of one hash that are compared: more than one there is only where somebody wanted
 * to have others wait for it */
#define MOST_COMPARED 4

struct ClipStage
{
  gatomicrefcount refs;
  ClipBlobs *blobs;
  int fd;
  gboolean spilled; /* it is a file beside the blobs */
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

static ClipStage *
new_with (ClipBlobs *blobs, int fd_take)
{
  ClipStage *self = g_new0 (ClipStage, 1);

  g_atomic_ref_count_init (&self->refs);
  self->blobs = clip_blobs_ref (blobs);
  self->fd = fd_take;
  self->hasher = clip_hasher_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->idle);
  return self;
}

/**
 * clip_stage_new:
 *
 * Touches no disk.
 *
 * Returns: (transfer full): an empty file in memory, to be filled through clip_stage_fd()
 *
 * Errors: %G_FILE_ERROR (no descriptors left).
 */
ClipStage *
clip_stage_new (ClipBlobs *blobs, GError **error)
{
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  int fd = clip_memfd (nothing, error);

  return fd >= 0 ? new_with (blobs, fd) : NULL;
}

/**
 * clip_stage_new_full:
 * @fd_take: for which clip_is_sealed() says yes
 *
 * Returns: (transfer full): all of a content, to which nothing is added
 */
ClipStage *
clip_stage_new_full (ClipBlobs *blobs, int fd_take)
{
  return new_with (blobs, fd_take);
}

ClipStage *
clip_stage_ref (ClipStage *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static void
stage_free (ClipStage *self)
{
  if (self->temporary && !self->linked)
    unlinkat (clip_blobs_fd (self->blobs), self->temporary, 0);
  clip_fd_clear (&self->fd);
  clip_hasher_free (self->hasher);
  clip_blobs_unref (self->blobs);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->idle);
  g_free (self->temporary);
  g_free (self->name);
  g_free (self);
}

static gpointer
free_in_thread (gpointer data)
{
  stage_free (data);
  return NULL;
}

/* the last reference to a large file without a name gives all of its pages back, which
 * takes a while: not on whatever thread that happens to be */
void
clip_stage_unref (ClipStage *self)
{
  GThread *thread = NULL;

  if (!self || !g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->spilled && !self->linked)
    thread = g_thread_try_new ("clip-drop", free_in_thread, self, NULL);
  if (thread)
    g_thread_unref (thread);
  else
    stage_free (self);
}

/* the file, at the offset where the transfer left it; the stage's own, until it spills */
int
clip_stage_fd (const ClipStage *self)
{
  return self->fd;
}

/* whether it has no file yet */
gboolean
clip_stage_is_in_memory (const ClipStage *self)
{
  return !self->spilled;
}

/**
 * clip_stage_spill:
 *
 * Moves a content that is too large for memory to the disk, where it can be linked; once
 * is enough. clip_stage_fd() is another descriptor then, at the same offset. May wait for
 * the disk; nobody may be writing meanwhile.
 *
 * Returns: the bytes that were there, or -1
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR.
 */
goffset
clip_stage_spill (ClipStage *self, GError **error)
{
  clip_autofd int fd = -1;
  g_autofree char *temporary = NULL;
  goffset bytes;

  if (self->spilled)
    return lseek (self->fd, 0, SEEK_CUR);
  if (!clip_blobs_follow (self->blobs, error))
    return -1;
  fd = clip_blobs_create (self->blobs, &temporary, error);
  if (fd < 0)
    return -1;
  bytes = clip_copy_file (self->fd, fd, error);
  if (bytes < 0)
    {
      g_prefix_error (error, "keep what was received: ");
      if (temporary)
        unlinkat (clip_blobs_fd (self->blobs), temporary, 0);
      return -1;
    }
  clip_fd_clear (&self->fd);
  self->fd = g_steal_fd (&fd);
  self->temporary = g_steal_pointer (&temporary);
  self->spilled = TRUE;
  return bytes;
}

/* where it cannot be mapped. Returns: 0 or the error */
static int
hash_by_reading (ClipStage *self, gsize length)
{
  g_autofree guint8 *buffer = g_malloc (length);

  for (gsize done = 0; done < length;)
    {
      gssize n =
          pread (self->fd, buffer + done, length - done, self->hashed + (goffset) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? errno : EIO;
      done += (gsize) n;
    }
  clip_hasher_add (self->hasher, buffer, length);
  return 0;
}

/* Where it lies in the page cache: user space copies no byte of a payload. Nothing but
 * this process has the file, so it does not become shorter meanwhile. Returns: 0 or the
 * error */
static int
hash_piece (ClipStage *self, gsize length)
{
  void *piece = clip_map_file (self->fd, self->hashed, length);

  if (!piece)
    return hash_by_reading (self, length);
  clip_hasher_add (self->hasher, piece, length);
  munmap (piece, length);
  return 0;
}

static int
hash_window (ClipStage *self, gsize length)
{
  const goffset end = self->hashed + (goffset) length;
  int result = 0;

  while (result == 0 && self->hashed < end)
    {
      gsize piece_bytes = (gsize) MIN (end - self->hashed, MAPPED_BYTES);

      result = hash_piece (self, piece_bytes);
      if (result == 0)
        self->hashed += (goffset) piece_bytes;
    }
  return result;
}

/* A hint, and while bytes still come for two windows at most: what others sync waits
 * behind them. The disk has begun with a window once what may be unwritten lies behind
 * it. */
static void
begin_write_back (ClipStage *self, goffset at)
{
  if (at >= self->unwritten)
    sync_file_range (self->fd, at - self->unwritten, WINDOW_BYTES, SYNC_FILE_RANGE_WRITE);
}

/* What the disk could not write is told once for each descriptor, sync_file_range(2):
 * fdatasync() would know nothing of it any more. Returns: 0 or the error; a file system
 * that knows no such hint has none. */
static int
await_write_back (ClipStage *self, goffset at)
{
  if (at < self->unwritten + WINDOW_BYTES ||
      sync_file_range (self->fd, at - self->unwritten - WINDOW_BYTES, WINDOW_BYTES,
                       SYNC_FILE_RANGE_WAIT_BEFORE) == 0)
    return 0;
  return errno == ENOSYS || errno == EINVAL || errno == ESPIPE ? 0 : errno;
}

static gboolean
wants_window (ClipStage *self)
{
  self->following = self->spilled && self->saved_errno == 0 &&
                    self->total - self->hashed >= WINDOW_BYTES;
  return self->following;
}

/* on a helper thread; the data is the reference that clip_stage_advance() took */
static void
follow (gpointer data, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (ClipStage) self = data;

  clip_thread_stand_back ();
  g_mutex_lock (&self->mutex);
  while (wants_window (self))
    {
      const goffset at = self->hashed;
      int hashed;
      int written;

      g_mutex_unlock (&self->mutex);
      begin_write_back (self, at);
      hashed = hash_window (self, WINDOW_BYTES);
      written = await_write_back (self, at);
      g_mutex_lock (&self->mutex);
      self->saved_errno = hashed != 0 ? hashed : written;
    }
  g_cond_broadcast (&self->idle);
  g_mutex_unlock (&self->mutex);
}

/* threads of their own, which a reader never gets: they stand back */
static GThreadPool *
helpers (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (follow, NULL, MAX_HELPERS, TRUE, NULL));
  return pool;
}

/**
 * clip_stage_set_unwritten:
 * @bytes: a multiple of 4 MiB; 0, as it is at first, for as soon as they come
 *
 * How far the write-back may be behind the transfer, for a source that should not wait
 * for the disk: before any byte has come.
 */
void
clip_stage_set_unwritten (ClipStage *self, goffset bytes)
{
  self->unwritten = bytes;
}

/**
 * clip_stage_advance:
 * @total: how many bytes are in the file by now; they must stay as they are
 *
 * Lets the hash and the write-back follow. Never blocks; may be called from any thread.
 */
void
clip_stage_advance (ClipStage *self, goffset total)
{
  gboolean starts;

  g_mutex_lock (&self->mutex);
  self->total = MAX (self->total, total);
  starts = !self->following && wants_window (self);
  g_mutex_unlock (&self->mutex);
  if (starts)
    g_thread_pool_push (helpers (), clip_stage_ref (self), NULL);
}

/**
 * clip_stage_head:
 * @limit: how much of it, in bytes
 *
 * Returns: (transfer full): the bytes at the beginning that are there by now
 *
 * Errors: %G_FILE_ERROR.
 */
GBytes *
clip_stage_head (ClipStage *self, gsize limit, GError **error)
{
  g_autofree char *data = g_malloc (limit + 1);
  gssize n = pread (self->fd, data, limit, 0);

  if (n >= 0)
    return g_bytes_new_take (g_steal_pointer (&data), (gsize) n);
  clip_set_errno (error, errno, "read what was received");
  return NULL;
}

static gboolean
check_size (ClipStage *self, gint64 size, GError **error)
{
  struct stat status;

  if (fstat (self->fd, &status) < 0)
    return clip_set_errno (error, errno, "look at what was received");
  if (status.st_size == size)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "%" G_GINT64_FORMAT " bytes were received, and %" G_GINT64_FORMAT
               " are there",
               size, (gint64) status.st_size);
  return FALSE;
}

static void
wait_idle (ClipStage *self)
{
  g_mutex_lock (&self->mutex);
  self->total = 0;
  while (self->following)
    g_cond_wait (&self->idle, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

/* the disk begins before the hash of the rest does */
static void
begin_rest (ClipStage *self)
{
  const goffset written = MAX (self->hashed - self->unwritten, 0);

  if (self->size - written >= WINDOW_BYTES)
    sync_file_range (self->fd, written, 0, SYNC_FILE_RANGE_WRITE);
}

static gboolean
hash_rest (ClipStage *self, GError **error)
{
  int result = self->saved_errno;

  while (result == 0 && self->hashed < self->size)
    result = hash_window (self, (gsize) MIN (self->size - self->hashed, WINDOW_BYTES));
  return result == 0 || clip_set_errno (error, result, "keep what was received");
}

/**
 * clip_stage_seal:
 * @size: what the file holds, in bytes; nothing is written to it any more
 *
 * Waits until the hash of the bytes is known. Once is enough: later calls return at once.
 *
 * Errors: %CLIP_ERROR_CORRUPT where the file has another size, %CLIP_ERROR_NO_SPACE,
 * %G_FILE_ERROR.
 */
gboolean
clip_stage_seal (ClipStage *self, gint64 size, GError **error)
{
  if (self->sealed)
    return TRUE;
  if (clip_stage_spill (self, error) < 0)
    return FALSE;
  wait_idle (self);
  if (!check_size (self, size, error))
    return FALSE;
  self->size = size;
  begin_rest (self);
  if (!hash_rest (self, error))
    return FALSE;
  self->hash = clip_hasher_end (self->hasher);
  self->sealed = TRUE;
  return TRUE;
}

/* --- its name --- */

static gboolean
has_same_bytes (ClipStage *self, int other, GError **error)
{
  g_autofree char *ours = g_malloc (READ_BYTES);
  g_autofree char *theirs = g_malloc (READ_BYTES);

  for (goffset offset = 0; offset < self->size; offset += READ_BYTES)
    {
      gsize n = (gsize) MIN (self->size - offset, READ_BYTES);

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
suits (ClipStage *self, const char *name, gboolean compares)
{
  gboolean is_free;
  clip_autofd int fd = open_other (self, name, &is_free);
  struct stat status;

  self->inode = 0;
  if (fd < 0)
    return is_free;
  if (!compares || fstat (fd, &status) < 0 || !has_same_bytes (self, fd, NULL))
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

  if (self->linked)
    return TRUE;
  do
    {
      g_free (self->name);
      self->name = clip_blob_name (&self->hash, number++);
    }
  while (!suits (self, self->name, number <= MOST_COMPARED));
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

  /* a file that has lost its name gets none any more */
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
