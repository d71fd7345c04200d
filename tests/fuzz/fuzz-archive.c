/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The input is an archive; without its first byte, it is also a line, and what extends a
 * header. */
#include "fuzz.h"

#include "clip-archive-reader.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-tar.h"

#include <string.h>

static void
check_entry (const ClipArchiveEntry *entry)
{
  g_assert_cmpint (entry->first_us, <=, entry->last_us);
  g_assert_cmpint (entry->copies, >, 0);
  g_assert_true (g_utf8_validate (entry->origin, -1, NULL));
  g_assert_cmpuint (entry->contents->len, >, 0);
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipArchiveContent *content = entry->contents->pdata[i];

      g_assert_true (clip_mime_is_valid (content->mime));
      g_assert_cmpint (content->size, >=, 0);
      g_assert_true (!content->bytes == !!content->member);
    }
}

static void
read_archive (const guint8 *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (data, length);
  clip_autofd int fd = clip_memfd (bytes, NULL);
  const ClipArchiveSource source = { .fd = fd, .stop_fd = -1 };
  g_autoptr (ClipArchiveReader) reader = clip_archive_reader_new (&source);
  g_autoptr (GError) error = NULL;
  gboolean more = TRUE;

  while (more)
    {
      g_autoptr (ClipArchiveEntry) entry = NULL;

      more = clip_archive_reader_next (reader, &entry, &error) && entry;
      if (more)
        check_entry (entry);
      more = more && clip_archive_reader_pass_files (reader, entry, &error);
    }
  clip_archive_reader_locate (reader, &error);
  clip_archive_reader_drain (reader);
}

static void
read_line (const guint8 *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  ClipArchiveLine line;

  if (!clip_archive_line_parse ((const char *) data, length, &line, &error))
    {
      g_assert_nonnull (error);
      g_assert_null (line.entry);
    }
  else if (line.entry)
    check_entry (line.entry);
  clip_archive_entry_free (line.entry);
}

static void
read_extension (const guint8 *data, gsize length)
{
  g_autofree char *records = g_strndup ((const char *) data, length);
  ClipTarHeader next = { .size = -1 };

  clip_tar_read_extension (records, strlen (records), &next, NULL);
  g_assert_cmpint (next.size, >=, -1);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  read_archive (data, length);
  if (length > 0)
    {
      read_line (data + 1, length - 1);
      read_extension (data + 1, length - 1);
    }
  return 0;
}
