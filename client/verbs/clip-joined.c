/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Several entries as one: their texts, or their lists of files, a line after the
   other. */
#include "clip-joined.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-join.h"
#include "clip-words.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

/* Errors: %CLIP_ERROR_FAILED where they are neither all texts nor all lists of files. */
static const char *
common_mime (ClipReader *reader, const GArray *ids, GError **error)
{
  ClipClass kind = CLIP_CLASS_OTHER;
  gboolean same = TRUE;

  for (guint i = 0; i < ids->len && same; i++)
    {
      g_autoptr (ClipEntry) entry =
          clip_reader_lookup (reader, g_array_index (ids, gint64, i), error);

      if (!entry)
        return NULL;
      same = i == 0 || entry->row.kind == kind;
      kind = entry->row.kind;
    }
  if (same && kind == CLIP_CLASS_TEXT)
    return "text/plain;charset=utf-8";
  if (same && kind == CLIP_CLASS_FILES)
    return "text/uri-list";
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                       _ ("only texts, or only files, can be joined"));
  return NULL;
}

static gboolean
append_file (int sink_fd, int fd, gint64 size, GError **error)
{
  off_t offset = 0;

  while (offset < size)
    {
      gssize moved = sendfile (sink_fd, fd, &offset, (gsize) (size - offset));

      if (moved < 0 && errno == EINTR)
        continue;
      if (moved <= 0)
        return clip_set_errno (error, moved < 0 ? errno : EIO, _ ("join entries"));
    }
  return TRUE;
}

static gboolean
append_all (int sink_fd, ClipReader *reader, ClipJoin *join, GError **error)
{
  gboolean more = TRUE;

  while (more)
    {
      g_auto (ClipPart) part = { .fd = -1 };

      if (!clip_join_next (join, reader, &part, &more, error))
        return FALSE;
      if (part.length > 0 && !clip_write_all (sink_fd, part.data, part.length, error))
        return FALSE;
      if (part.fd >= 0 && !append_file (sink_fd, part.fd, part.size, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * clip_joined_open:
 * @ids: (element-type gint64): in the order that they are wanted in
 * @out_mime: (out): what the bytes are
 *
 * Returns: (transfer full): a file in memory, at its beginning; -1 with the error set
 *
 * Errors: %CLIP_ERROR_FAILED where they are of different kinds, and as clip_join_next().
 */
int
clip_joined_open (ClipReader *reader,
                  const GArray *ids,
                  const char **out_mime,
                  GError **error)
{
  clip_autofd int fd = memfd_create ("together", MFD_CLOEXEC);
  g_autoptr (ClipJoin) join = NULL;

  if (fd < 0)
    {
      clip_set_errno (error, errno, _ ("join entries"));
      return -1;
    }
  *out_mime = common_mime (reader, ids, error);
  if (*out_mime)
    join = clip_join_new ((const gint64 *) ids->data, ids->len, "\n", 1, NULL, error);
  if (!join || !append_all (fd, reader, join, error))
    return -1;
  if (lseek (fd, 0, SEEK_SET) < 0)
    {
      clip_set_errno (error, errno, _ ("join entries"));
      return -1;
    }
  return g_steal_fd (&fd);
}
