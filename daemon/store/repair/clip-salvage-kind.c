/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whose a database is that cannot be opened. One that SQLite can still name belongs to
 * whoever its header says, or its tables do. Where the header is lost, or there never was one, it is
 * whatever lies in the place of a history, and nothing can be stored as long as it is there. A
 * file of nothing but zeros is what a power cut leaves.
 */
#include "clip-salvage-kind.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-schema.h"
#include "clip-salvage-copy.h"

#include <fcntl.h>
#include <string.h>

/* of the first page */
#define HEADER_BYTES 100
#define MAGIC "SQLite format 3" /* and the zero behind it */
#define OFFSET_SCHEMA 40
#define OFFSET_APPLICATION 68

#define STEP_BYTES (64 * 1024)

static guint32
get_u32 (const guint8 *bytes)
{
  guint32 big;

  memcpy (&big, bytes, sizeof big);
  return GUINT32_FROM_BE (big);
}

static gboolean
is_all_zeros (int fd)
{
  g_autofree char *buffer = g_malloc (STEP_BYTES);
  gssize n;

  if (lseek (fd, 0, SEEK_SET) < 0)
    return FALSE;
  while ((n = read (fd, buffer, STEP_BYTES)) > 0)
    if (buffer[0] != 0 || memcmp (buffer, buffer + 1, (gsize) n - 1) != 0)
      return FALSE;
  return n == 0;
}

/* @path: of a database that nobody in this process has open */
ClipSalvageKind
clip_salvage_kind (const char *path)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  guint8 header[HEADER_BYTES];

  if (fd < 0)
    return CLIP_SALVAGE_FOREIGN;
  if (!clip_read_exactly (fd, header, sizeof header, 0, NULL) ||
      memcmp (header, MAGIC, sizeof MAGIC) != 0)
    return is_all_zeros (fd) ? CLIP_SALVAGE_OURS : CLIP_SALVAGE_DOUBTFUL;
  /* where there is no schema yet, it is in the log */
  if (get_u32 (header + OFFSET_APPLICATION) == CLIP_DATABASE_ID ||
      get_u32 (header + OFFSET_SCHEMA) == 0 || clip_salvage_has_tables (path))
    return CLIP_SALVAGE_OURS;
  return CLIP_SALVAGE_FOREIGN;
}

/* Returns: %FALSE, with the @error of a database that is left as it is */
gboolean
clip_salvage_refuse (GError **error)
{
  g_set_error (
      error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
      "repair history: the database is one of another program; it is left as it is");
  return FALSE;
}
