/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-blob-file.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* what is read at a time to be hashed */
#define STEP_BYTES (256 * 1024)

static int
set_corrupt (const char *name, const char *why, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "open blob '%s': %s", name, why);
  return -1;
}

/**
 * clip_blob_file_open:
 * @blobs_fd: the folder of the blobs; -1 where it could not be opened
 * @size: what the file must hold, in bytes
 *
 * Returns: a descriptor to read from, owned by the caller, or -1
 *
 * Errors: %CLIP_ERROR_CORRUPT where the name is none of a blob, or the file is missing,
 * is no regular file, or has another size; %G_FILE_ERROR.
 */
int
clip_blob_file_open (int blobs_fd, const char *name, gint64 size, GError **error)
{
  clip_autofd int fd = -1;
  struct stat status;

  if (!clip_blob_name_is_valid (name))
    return set_corrupt (name, "no blob has such a name", error);
  if (blobs_fd < 0)
    return set_corrupt (
        name, "the folder 'blobs' beside the database is missing, or may not be opened",
        error);
  fd = openat (blobs_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0 && (errno == ENOENT || errno == ELOOP || errno == ENOTDIR || errno == ENXIO))
    return set_corrupt (name, "the file is missing", error);
  if (fd < 0 || fstat (fd, &status) < 0)
    {
      clip_set_errno (error, errno, "open blob '%s'", name);
      return -1;
    }
  if (!S_ISREG (status.st_mode) || status.st_size != size)
    return set_corrupt (name, "the file has another size", error);
  return g_steal_fd (&fd);
}

static void
take_state (ClipBlobState *self, const struct stat *status)
{
  self->inode = (gint64) status->st_ino;
  self->changed_ns =
      status->st_ctim.tv_sec * G_GINT64_CONSTANT (1000000000) + status->st_ctim.tv_nsec;
}

/* all 0 where there is no such file, as no file is */
void
clip_blob_state_take (ClipBlobState *self, int blobs_fd, const char *name)
{
  struct stat status;

  *self = (ClipBlobState){ 0 };
  if (fstatat (blobs_fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
    take_state (self, &status);
}

void
clip_blob_state_take_fd (ClipBlobState *self, int fd)
{
  struct stat status;

  *self = (ClipBlobState){ 0 };
  if (fstat (fd, &status) == 0)
    take_state (self, &status);
}

gboolean
clip_blob_state_equal (const ClipBlobState *a, const ClipBlobState *b)
{
  return a->inode == b->inode && a->changed_ns == b->changed_ns;
}

/* (transfer full): ab/cdef…; @number > 0 for other bytes that have the same hash */
char *
clip_blob_name (const ClipHash *hash, guint number)
{
  char hex[CLIP_HASH_HEX_BYTES];

  clip_hash_format (hash, hex);
  return number > 0 ? g_strdup_printf ("%.2s/%s.%u", hex, hex + 2, number)
                    : g_strdup_printf ("%.2s/%s", hex, hex + 2);
}

/* whether a database may say so: one that another person has written could name any other
 * file of the user, to be read, set aside or removed */
gboolean
clip_blob_name_is_valid (const char *name)
{
  static const char digits[] = "0123456789abcdef";
  const gsize length = 2 * CLIP_HASH_BYTES + 1; /* with the / behind two of them */
  const char *number = name + length + 1;

  if (strlen (name) < length || strspn (name, digits) != 2 || name[2] != '/' ||
      strspn (name + 3, digits) != length - 3)
    return FALSE;
  return name[length] == '\0' || (name[length] == '.' && *number &&
                                  strspn (number, "0123456789") == strlen (number));
}

/* whether a file of this name holds bytes with that hash */
gboolean
clip_blob_name_fits (const char *name, const ClipHash *hash)
{
  g_autofree char *expected = clip_blob_name (hash, 0);
  gsize length = strlen (expected);

  return strncmp (name, expected, length) == 0 &&
         (name[length] == '\0' || name[length] == '.');
}

/**
 * clip_blob_file_check:
 * @fd: of the file, which is read from its beginning on; its offset stays
 * @hash: what its bytes must have
 * @stops: (nullable): atomic; not 0 = give up
 *
 * Reads all of it: a gibibyte that is in memory takes about a tenth of a second.
 *
 * Errors: %CLIP_ERROR_CORRUPT where the bytes are others, %CLIP_ERROR_CANCELLED,
 * %G_FILE_ERROR.
 */
gboolean
clip_blob_file_check (int fd,
                      const char *name,
                      const ClipHash *hash,
                      const gint *stops,
                      GError **error)
{
  g_autoptr (ClipHasher) hasher = clip_hasher_new ();
  g_autofree guint8 *buffer = g_malloc (STEP_BYTES);
  goffset offset = 0;
  ClipHash found;
  gssize n;

  while ((n = pread (fd, buffer, STEP_BYTES, offset)) != 0)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return clip_set_errno (error, errno, "read blob '%s'", name);
      if (stops && g_atomic_int_get (stops))
        {
          g_set_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED, "check was stopped");
          return FALSE;
        }
      clip_hasher_add (hasher, buffer, (gsize) n);
      offset += n;
    }
  found = clip_hasher_end (hasher);
  if (memcmp (&found, hash, sizeof found) == 0)
    return TRUE;
  set_corrupt (name, "the file has other bytes", error);
  return FALSE;
}
