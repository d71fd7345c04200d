/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The headers of a tar archive, as we write them and as others do. */
#include "clip-error.h"
#include "clip-tar.h"
#include "tar-block.h"

#include <string.h>

static void
check_size (gint64 size)
{
  GString *archive = g_string_new (NULL);
  ClipTarHeader header = { .size = -1 };
  ClipTarHeader next = { .size = -1 };
  g_autoptr (GError) error = NULL;

  clip_tar_append_header (archive, "x/1.bin", size, 0);
  g_assert_true (clip_tar_read_header ((guint8 *) archive->str, &header, &error));
  if (header.kind == CLIP_TAR_EXTENDED)
    {
      g_assert_true (clip_tar_read_extension (archive->str + CLIP_TAR_BLOCK,
                                              (gsize) header.size, &next, &error));
      g_assert_cmpint (next.size, ==, size);
    }
  else
    {
      g_assert_cmpint (header.size, ==, size);
      g_assert_cmpstr (header.name, ==, "1.bin");
    }
  g_assert_no_error (error);
  g_string_free (archive, TRUE);
}

static void
test_sizes (void)
{
  check_size (0);
  check_size (1);
  check_size ((G_GINT64_CONSTANT (1) << 33) - 1);
  check_size (G_GINT64_CONSTANT (1) << 33);
  check_size (G_GINT64_CONSTANT (1) << 52);
}

static void
check_size_field (const char *field, gsize length, gint64 expected)
{
  GString *archive = g_string_new (NULL);
  ClipTarHeader header;
  g_autoptr (GError) error = NULL;

  clip_tar_append_header (archive, "x", 0, 0);
  memset (archive->str + 124, 0, 12);
  memcpy (archive->str + 124, field, length);
  seal_header ((guint8 *) archive->str);
  if (clip_tar_read_header ((guint8 *) archive->str, &header, &error))
    g_assert_cmpint (header.size, ==, expected);
  else
    {
      g_assert_cmpint (expected, ==, -1);
      g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
    }
  g_string_free (archive, TRUE);
}

static void
test_size_fields (void)
{
  check_size_field ("  17 ", 5, 017);
  check_size_field ("777777777777", 12, (G_GINT64_CONSTANT (1) << 36) - 1);
  check_size_field ("\x80\0\0\0\0\0\0\x02\0\0\0\x01", 12,
                    (G_GINT64_CONSTANT (1) << 33) + 1);
  check_size_field ("", 1, -1);
  check_size_field ("18", 2, -1);
  check_size_field ("-1", 2, -1);
  check_size_field ("\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12, -1);
  check_size_field ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12, -1);
}

static void
check_extension (const char *records, gboolean fine, gint64 size, const char *name)
{
  ClipTarHeader next = { .size = -1 };

  g_assert_cmpint (clip_tar_read_extension (records, strlen (records), &next, NULL), ==,
                   fine);
  g_assert_cmpint (next.size, ==, size);
  g_assert_cmpstr (next.name, ==, name);
}

static void
test_extensions (void)
{
  check_extension ("", TRUE, -1, "");
  check_extension ("9 size=7\n", TRUE, 7, "");
  check_extension ("9 size=7\n19 path=../../etc/x\n", FALSE, 7, "");
  check_extension ("9 size=7\n21 path=../../etc/x\x01\n", TRUE, 7, "x?");
  check_extension ("27 mtime=1700000000.123456\n", TRUE, -1, "");
  check_extension ("10 size=-7\n", FALSE, -1, "");
  check_extension ("28 size=9223372036854775807\n", FALSE, -1, "");
  check_extension ("8 size=7\n", FALSE, -1, "");
  check_extension ("99 size=7\n", FALSE, -1, "");
  check_extension ("99999999999999999999 size=7\n", FALSE, -1, "");
  check_extension ("size=7\n", FALSE, -1, "");
  check_extension ("4 a\n", FALSE, -1, "");
  check_extension ("22 GNU.sparse.major=1\n", FALSE, -1, "");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tar/any-size-in-a-header", test_sizes);
  g_test_add_func ("/tar/sizes-as-others-write-them", test_size_fields);
  g_test_add_func ("/tar/records-that-extend-a-header", test_extensions);
  return g_test_run ();
}
