/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A file as the existing tool writes it, of which some bytes are others: each three of
 * the input say where and what. The descriptions of the file get their checksums after
 * that. */
#include "fuzz.h"

#include "bolt-file.h"
#include "clip-bolt.h"
#include "clip-fd.h"

#define PAGE 1024

static GByteArray *
make_file (guint8 choice)
{
  g_autoptr (BoltFile) file = bolt_file_new ();

  file->page_size = PAGE;
  file->per_page = 2 + (choice & 3);
  file->is_inline = (choice & 4) != 0;
  for (guint i = 1; i <= 9; i++)
    bolt_file_add_text (file, i * (guint64) 3, i == 4 && (choice & 8) ? "" : "some text");
  return bolt_file_make (file);
}

static void
patch (GByteArray *image, const guint8 *data, gsize length)
{
  for (gsize i = 0; i + 3 <= length; i += 3)
    image->data[(data[i] | data[i + 1] << 8) % image->len] = data[i + 2];
  bolt_file_sign (image->data, image->len, 0);
  bolt_file_sign (image->data, image->len, PAGE);
}

static void
walk (int fd, goffset size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBolt) bolt = clip_bolt_open (fd, &error);
  ClipBoltEntry entry;
  gint64 last = 0;

  while (bolt && clip_bolt_next (bolt, &entry, &error))
    {
      g_assert_cmpint (entry.id, >, last);
      g_assert_cmpint (entry.offset, >=, 0);
      g_assert_cmpint (entry.offset + (goffset) entry.size, <=, size);
      last = entry.id;
    }
  g_assert_true (bolt || error);
  g_assert_true (!bolt || clip_bolt_last_id (bolt) >= last);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autoptr (GByteArray) image = NULL;
  g_autoptr (GBytes) bytes = NULL;
  clip_autofd int fd = -1;

  if (length == 0)
    return 0;
  image = make_file (data[0]);
  patch (image, data + 1, length - 1);
  bytes = g_bytes_new (image->data, image->len);
  fd = clip_memfd (bytes, NULL);
  g_assert_cmpint (fd, >=, 0);
  walk (fd, image->len);
  return 0;
}
