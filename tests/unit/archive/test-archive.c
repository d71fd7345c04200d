/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-archive-reader.h"
#include "clip-archive-writer.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-tar.h"
#include "tar-block.h"

#include <string.h>

#define TEXT "text/plain;charset=utf-8"
#define HEAD "{\"cliphist-export\":1}\n"
#define MINIMAL "\"last\":1,\"contents\":[{\"type\":\"" TEXT "\",\"text\":\"a\"}]"

/* --- archives by hand --- */

static void
add_member (GString *archive, const char *name, const char *bytes, gsize length)
{
  clip_tar_append_header (archive, name, (gint64) length, 0);
  g_string_append_len (archive, bytes, (gssize) length);
  clip_tar_append_padding (archive, (gint64) length);
}

/* with a first member, and one of these lines */
static GString *
archive_of (const char *lines)
{
  GString *archive = g_string_new (NULL);

  add_member (archive, "x/0.json", HEAD, strlen (HEAD));
  add_member (archive, "x/1.jsonl", lines, strlen (lines));
  return archive;
}

static ClipArchiveReader *
open_archive (const GString *archive, int *out_fd)
{
  g_autoptr (GBytes) bytes = g_bytes_new (archive->str, archive->len);
  g_autoptr (GError) error = NULL;
  ClipArchiveSource source = { .stop_fd = -1 };

  *out_fd = source.fd = clip_memfd (bytes, &error);
  g_assert_no_error (error);
  return clip_archive_reader_new (&source);
}

/* Returns: how many entries there were before the end, or before the error */
static guint
read_all (const GString *archive, GError **error)
{
  clip_autofd int fd = -1;
  g_autoptr (ClipArchiveReader) reader = open_archive (archive, &fd);
  guint n = 0;

  for (;;)
    {
      g_autoptr (ClipArchiveEntry) entry = NULL;

      if (!clip_archive_reader_next (reader, &entry, error) ||
          (entry && !clip_archive_reader_pass_files (reader, entry, error)))
        {
          clip_archive_reader_locate (reader, error);
          return n;
        }
      if (!entry)
        return n;
      n++;
    }
}

/* --- what is written is read --- */

static void
write_entry (ClipArchiveWriter *writer, gint64 id, const char *data, gsize length)
{
  static const char *const tags[] = { "work", "", "\"quoted\" ж", NULL };
  const ClipRow row = { .id = id,
                        .first_us = 1000 + id,
                        .last_us = 2000 + id,
                        .copies = id,
                        .expires_us = id == 2 ? 9000 : 0,
                        .pinned = id == 3,
                        .kind = CLIP_CLASS_TEXT,
                        .origin = id == 1 ? "" : "x11 clipboard \xc3\xa9" };

  clip_archive_writer_begin_entry (writer, &row, id == 2 ? tags : NULL);
  clip_archive_writer_add_bytes (writer, TEXT, data, length);
  clip_archive_writer_add_bytes (writer, "text/html", "<b>", 3);
  clip_archive_writer_end_entry (writer);
}

#define SAMPLE(text) \
  { \
    text, sizeof (text) - 1 \
  }

static const struct
{
  const char *data;
  gsize length;
} samples[] = {
  SAMPLE ("word"),
  SAMPLE (""),
  SAMPLE ("\0\0"),
  SAMPLE ("line\r\n\t\"\\\x1b[31m\x7f\xe2\x80\xa8"),
  SAMPLE ("\xff\xfe broken \xc3"),
  SAMPLE ("grüße 日本 🙂"),
};

static GString *
write_samples (void)
{
  g_autoptr (ClipArchiveWriter) writer = clip_archive_writer_new (0);
  GString *archive = g_string_new (NULL);

  clip_archive_writer_begin (writer, archive);
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    write_entry (writer, i + 1, samples[i].data, samples[i].length);
  clip_archive_writer_flush (writer, archive);
  clip_archive_writer_end (writer, archive);
  return archive;
}

static void
check_entry (const ClipArchiveEntry *entry, guint i)
{
  const ClipArchiveContent *first = entry->contents->pdata[0];
  const ClipArchiveContent *second = entry->contents->pdata[1];
  gsize length;
  const void *data = g_bytes_get_data (first->bytes, &length);

  g_assert_cmpint (entry->id, ==, i + 1);
  g_assert_cmpint (entry->first_us, ==, 1001 + i);
  g_assert_cmpint (entry->last_us, ==, 2001 + i);
  g_assert_cmpint (entry->copies, ==, i + 1);
  g_assert_cmpint (entry->expires_us, ==, i == 1 ? 9000 : 0);
  g_assert_cmpint (entry->pinned, ==, i == 2);
  g_assert_cmpstr (entry->origin, ==, i == 0 ? "" : "x11 clipboard \xc3\xa9");
  g_assert_cmpuint (entry->tags ? g_strv_length (entry->tags) : 0, ==, i == 1 ? 2 : 0);
  g_assert_cmpuint (entry->contents->len, ==, 2);
  g_assert_cmpstr (first->mime, ==, TEXT);
  g_assert_cmpmem (data, length, samples[i].data, samples[i].length);
  g_assert_cmpstr (second->mime, ==, "text/html");
}

static void
test_round_trip (void)
{
  GString *archive = write_samples ();
  clip_autofd int fd = -1;
  g_autoptr (ClipArchiveReader) reader = open_archive (archive, &fd);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i <= G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (ClipArchiveEntry) entry = NULL;

      g_assert_true (clip_archive_reader_next (reader, &entry, &error));
      g_assert_no_error (error);
      if (i < G_N_ELEMENTS (samples))
        check_entry (entry, i);
      else
        g_assert_null (entry);
    }
  g_string_free (archive, TRUE);
}

typedef struct
{
  const GString *archive;
  int fd;
} Feeder;

static gpointer
feed (gpointer data)
{
  Feeder *self = data;

  for (gsize i = 0; i < self->archive->len; i++)
    g_assert_true (clip_write_all (self->fd, self->archive->str + i, 1, NULL));
  clip_fd_clear (&self->fd);
  return NULL;
}

static void
test_byte_by_byte (void)
{
  GString *archive = write_samples ();
  ClipArchiveSource source = { .stop_fd = -1 };
  g_autoptr (ClipArchiveReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  Feeder feeder = { archive, -1 };
  GThread *thread;
  int fds[2];

  g_assert_true (clip_pipe (fds, &error));
  source.fd = fds[0];
  feeder.fd = fds[1];
  thread = g_thread_new ("feed", feed, &feeder);
  reader = clip_archive_reader_new (&source);
  for (guint i = 0; i <= G_N_ELEMENTS (samples); i++)
    {
      g_autoptr (ClipArchiveEntry) entry = NULL;

      g_assert_true (clip_archive_reader_next (reader, &entry, &error));
      if (entry)
        check_entry (entry, i);
    }
  clip_archive_reader_drain (reader);
  g_thread_join (thread);
  clip_fd_clear (&fds[0]);
  g_string_free (archive, TRUE);
}

/* of a counter that has gone on, a caller's year 300000, a clock that was put back */
static void
test_numbers_that_cannot_be_read_are_not_written (void)
{
  g_autoptr (ClipArchiveWriter) writer = clip_archive_writer_new (0);
  const ClipRow row = { .id = 1,
                        .first_us = 7,
                        .last_us = 5,
                        .copies = CLIP_ARCHIVE_MAX_NUMBER + 1,
                        .expires_us = G_MAXINT64,
                        .kind = CLIP_CLASS_TEXT,
                        .origin = "" };
  g_autoptr (ClipArchiveReader) reader = NULL;
  g_autoptr (ClipArchiveEntry) entry = NULL;
  g_autoptr (GError) error = NULL;
  GString *archive = g_string_new (NULL);
  clip_autofd int fd = -1;

  clip_archive_writer_begin (writer, archive);
  clip_archive_writer_begin_entry (writer, &row, NULL);
  clip_archive_writer_add_bytes (writer, TEXT, "a", 1);
  clip_archive_writer_end_entry (writer);
  clip_archive_writer_flush (writer, archive);
  clip_archive_writer_end (writer, archive);
  reader = open_archive (archive, &fd);
  g_assert_true (clip_archive_reader_next (reader, &entry, &error));
  g_assert_no_error (error);
  g_assert_cmpint (entry->first_us, ==, 5);
  g_assert_cmpint (entry->copies, ==, CLIP_ARCHIVE_MAX_NUMBER);
  g_assert_cmpint (entry->expires_us, ==, CLIP_ARCHIVE_MAX_NUMBER);
  g_string_free (archive, TRUE);
}

static void
test_files_follow (void)
{
  g_autoptr (ClipArchiveWriter) writer = clip_archive_writer_new (0);
  const ClipRow row = { .id = 1, .copies = 1, .kind = CLIP_CLASS_OTHER, .origin = "" };
  g_autoptr (GError) error = NULL;
  GString *archive = g_string_new (NULL);

  clip_archive_writer_begin (writer, archive);
  clip_archive_writer_begin_entry (writer, &row, NULL);
  clip_archive_writer_add_file (writer, "image/png", 5, NULL);
  clip_archive_writer_drop_entry (writer);
  g_assert_false (clip_archive_writer_is_full (writer));
  clip_archive_writer_begin_entry (writer, &row, NULL);
  clip_archive_writer_add_file (writer, "image/png", 5, NULL);
  clip_archive_writer_add_bytes (writer, TEXT, "a", 1);
  clip_archive_writer_add_file (writer, "image/bmp", 0, NULL);
  clip_archive_writer_end_entry (writer);
  g_assert_true (clip_archive_writer_is_full (writer));
  clip_archive_writer_flush (writer, archive);
  clip_archive_writer_begin_file (writer, archive, 5);
  g_string_append (archive, "12345");
  clip_tar_append_padding (archive, 5);
  clip_archive_writer_begin_file (writer, archive, 0);
  write_entry (writer, 2, "word", 4);
  clip_archive_writer_flush (writer, archive);
  clip_archive_writer_end (writer, archive);
  g_assert_cmpuint (read_all (archive, &error), ==, 2);
  g_assert_no_error (error);
  g_string_free (archive, TRUE);
}

/* --- what is wrong --- */

static void
check_failure (GString *archive_take, guint n_before, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (read_all (archive_take, &error), ==, n_before);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_cmpstr (error->message, ==, message);
  g_string_free (archive_take, TRUE);
}

static void
check_lines (const char *lines, guint n_before, const char *what)
{
  g_autofree char *message = g_strdup_printf (
      "archive, at byte 1024, line %u of member '1.jsonl': %s", n_before + 1, what);

  check_failure (archive_of (lines), n_before, message);
}

static void
check_content (const char *content, const char *what)
{
  g_autofree char *line = g_strdup_printf ("{\"last\":1,\"contents\":[%s]}\n", content);

  check_lines (line, 0, what);
}

static void
test_bad_lines (void)
{
  check_lines ("{\"last\":1", 0, "it is not JSON: it breaks off, at its byte 9");
  check_lines ("{" MINIMAL "}\nnonsense\n", 1,
               "it is not JSON: it is malformed, at its byte 8");
  check_lines ("{\"last\":1,\"last\":2}\n", 0,
               "it is not JSON: a name stands in it twice, at its byte 16");
  check_lines ("{\"a\":\"\xff\"}\n", 0, "it is not JSON: it is not UTF-8, at its byte 6");
  check_lines ("{\"last\":99999999999999999999}\n", 0,
               "it is not JSON: a number in it is out of range, at its byte 28");
  check_lines ("[]\n", 0, "it is not an object");
  check_lines ("{}\n", 0, "\"last\", when it was copied, is missing");
  check_lines (HEAD, 0, "it is no entry");
  check_lines ("{\"last\":-1}\n", 0, "\"last\" is out of range");
  check_lines ("{\"last\":1.5}\n", 0, "\"last\" is not a whole number");
  check_lines ("{\"last\":\"1\"}\n", 0, "\"last\" is not a whole number");
  check_lines ("{\"id\":0," MINIMAL "}\n", 0, "\"id\" is out of range");
  check_lines ("{\"id\":9007199254740992," MINIMAL "}\n", 0, "\"id\" is out of range");
  check_lines ("{\"copies\":0," MINIMAL "}\n", 0, "\"copies\" is out of range");
  check_lines ("{\"first\":2," MINIMAL "}\n", 0, "\"first\" is later than \"last\"");
  check_lines ("{\"expires\":-5," MINIMAL "}\n", 0, "\"expires\" is out of range");
  check_lines ("{\"pinned\":1," MINIMAL "}\n", 0, "\"pinned\" is neither true nor false");
  check_lines ("{\"origin\":7," MINIMAL "}\n", 0, "\"origin\" is not a text");
  check_lines ("{\"origin\":\"a\\u0000b\"," MINIMAL "}\n", 0, "\"origin\" is not a text");
  check_lines ("{\"tags\":\"a\"," MINIMAL "}\n", 0, "\"tags\" are not up to 256 texts");
  check_lines ("{\"tags\":[7]," MINIMAL "}\n", 0, "a tag is not a text");
  check_lines ("{\"last\":1}\n", 0, "\"contents\" are not 1 to 256 contents");
}

static void
test_bad_contents (void)
{
  check_content ("", "\"contents\" are not 1 to 256 contents");
  check_content ("7", "a content is not an object");
  check_content ("{\"text\":\"a\"}", "\"type\" of a content is not a MIME type");
  check_content ("{\"type\":\"a\\nb\",\"text\":\"a\"}",
                 "\"type\" of a content is not a MIME type");
  check_content ("{\"type\":\"\",\"text\":\"a\"}",
                 "\"type\" of a content is not a MIME type");
  check_content ("{\"type\":\"a/b\"}",
                 "a content has not one of \"text\", \"base64\" and \"member\"");
  check_content ("{\"type\":\"a/b\",\"text\":\"a\",\"base64\":\"\"}",
                 "a content has not one of \"text\", \"base64\" and \"member\"");
  check_content ("{\"type\":\"a/b\",\"text\":[]}", "\"text\" is not a text");
  check_content ("{\"type\":\"a/b\",\"base64\":\"AAA\"}", "\"base64\" is not base64");
  check_content ("{\"type\":\"a/b\",\"base64\":\"A===\"}", "\"base64\" is not base64");
  check_content ("{\"type\":\"a/b\",\"base64\":\"AA*A\"}", "\"base64\" is not base64");
  check_content ("{\"type\":\"a/b\",\"member\":\"2.bin\"}",
                 "a content in a member has no \"size\"");
  check_content ("{\"type\":\"a/b\",\"member\":\"2.bin\",\"size\":-1}",
                 "\"size\" is out of range");
  check_content ("{\"type\":\"a/b\",\"member\":7,\"size\":1}",
                 "\"member\" is not a text");
  check_content ("{\"type\":\"a/b\",\"member\":\"2.bin\",\"size\":1,\"xxh3\":\"1f\"}",
                 "\"xxh3\" is not a hash");
  check_content ("{\"type\":\"a/b\",\"offered\":1,\"text\":\"a\"}",
                 "\"offered\" is neither true nor false");
}

static char *
repeat (const char *text, guint n)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append (out, text);
  return g_string_free (out, FALSE);
}

static void
test_bombs (void)
{
  g_autofree char *deep = repeat ("[", 4096);
  g_autofree char *objects = repeat ("{},", 1000000);
  g_autofree char *values = g_strdup_printf ("{\"x\":[%s0]," MINIMAL "}\n", objects);
  g_autofree char *commas = repeat (",", 10000);
  g_autofree char *few = g_strdup_printf ("{\"x\":\"\\\"%s\"," MINIMAL "}\nx", commas);
  g_autofree char *many = repeat ("{\"type\":\"a/b\",\"text\":\"a\"},", 256);
  g_autofree char *one_more =
      g_strconcat (many, "{\"type\":\"a/b\",\"text\":\"\"}", NULL);
  GString *large = g_string_new (NULL);

  check_lines (deep, 0, "it is not JSON: it is nested too deeply, at its byte 2049");
  check_lines (values, 0, "it has more than 8192 values");
  check_lines (few, 1, "it is not JSON: it is malformed, at its byte 1");
  check_content (one_more, "\"contents\" are not 1 to 256 contents");
  add_member (large, "0.json", HEAD, strlen (HEAD));
  clip_tar_append_header (large, "1.jsonl", G_GINT64_CONSTANT (1) << 50, 0);
  check_failure (large, 0,
                 "archive, at byte 2048, member '1.jsonl': a member of this kind has "
                 "4194304 bytes at most");
}

/* what an entry says of itself comes back in replies over D-Bus */
static void
test_long_names (void)
{
  g_autofree char *origin = repeat ("o", 1025);
  g_autofree char *long_origin =
      g_strdup_printf ("{\"origin\":\"%s\"," MINIMAL "}\n", origin);
  g_autofree char *plain_origin = g_strdup_printf (
      "{\"first\":1,\"last\":1,\"copies\":1,\"class\":\"text\",\"origin\":\"%s\","
      "\"contents\":[{\"type\":\"a/b\",\"text\":\"a\"}]}\n",
      origin);
  g_autofree char *tag =
      g_strdup_printf ("{\"tags\":[\"%.257s\"]," MINIMAL "}\n", origin);
  g_autofree char *tags = repeat ("\"a\",", 256);
  g_autofree char *many_tags =
      g_strdup_printf ("{\"tags\":[%s\"a\"]," MINIMAL "}\n", tags);

  check_lines (long_origin, 0, "\"origin\" is longer than 1024 bytes");
  check_lines (plain_origin, 0, "\"origin\" is longer than 1024 bytes");
  check_lines (tag, 0, "a tag is longer than 256 bytes");
  check_lines (many_tags, 0, "\"tags\" are not up to 256 texts");
}

static void
check_flipped (const char *at, gsize offset, const char *message)
{
  GString *archive = write_samples ();
  char *found = memmem (archive->str + 1024, archive->len - 1024, at, strlen (at));

  g_assert_nonnull (found);
  found[offset] ^= 1;
  check_failure (archive, 0, message);
}

static void
test_damage (void)
{
  static const char seal[] = "archive, at byte 1024, line 7 of member "
                             "'0000000001.jsonl': the lines before it are damaged";

  check_flipped ("word", 0, seal);
  check_flipped ("\"lines\":6", 8, seal);
  check_flipped ("ustar", 0,
                 "archive, at byte 1024: the header of a tar member is damaged, or is "
                 "none");
}

static void
test_breaking_off (void)
{
  g_autoptr (GError) error = NULL;
  GString *archive = write_samples ();

  g_string_truncate (archive, archive->len - 1024);
  g_assert_cmpuint (read_all (archive, &error), ==, G_N_ELEMENTS (samples));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  g_assert_true (g_str_has_suffix (error->message, ": the archive breaks off"));
  for (gsize length = 0; length < archive->len; length += 97)
    {
      GString *part = g_string_new_len (archive->str, (gssize) length);
      g_autoptr (GError) local = NULL;

      read_all (part, &local);
      g_assert_error (local, CLIP_ERROR, CLIP_ERROR_CORRUPT);
      g_string_free (part, TRUE);
    }
  g_string_free (archive, TRUE);
}

static void
test_strangers (void)
{
  GString *other = g_string_new (NULL);
  GString *newer = g_string_new (NULL);
  GString *link = archive_of ("{" MINIMAL "}\n");
  GString *stray = archive_of ("{" MINIMAL "}\n");

  add_member (other, "etc/passwd", "root", 4);
  check_failure (other, 0,
                 "archive, at byte 0, member 'passwd': it is no export of a history");
  add_member (newer, "0.json", "{\"cliphist-export\":2}", 21);
  check_failure (newer, 0,
                 "archive, at byte 0, line 1 of member '0.json': it is of version 2, and "
                 "this program reads 1");
  check_failure (g_string_new ("PK\3\4"), 0,
                 "archive, at byte 0: it is packed by zip: unpack it first");
  check_failure (g_string_new (NULL), 0, "archive, at byte 0: it is empty");
  check_failure (g_string_new ("a text"), 0,
                 "archive, at byte 0: it is too short to be an archive");
  clip_tar_append_header (link, "../../.bashrc", 0, 0);
  link->str[2048 + 156] = '2';
  seal_header ((guint8 *) link->str + 2048);
  check_failure (link, 1,
                 "archive, at byte 2048, member '.bashrc': a member of type 0x32 has no "
                 "place in an export");
  add_member (stray, "/2.bin", "a", 1);
  check_failure (
      stray, 1,
      "archive, at byte 2048, member '2.bin': no line before it speaks of this "
      "member: an archive is packed in the order of its names (tar --sort=name)");
}

static void
check_file (const char *name, gint64 size, const char *what)
{
  GString *archive =
      archive_of ("{\"last\":1,\"contents\":[{\"type\":\"a/b\",\"size\":4,\"member\":"
                  "\"2.bin\"}]}\n");
  g_autofree char *message =
      g_strdup_printf ("archive, at byte 2048, member '%s': %s", name, what);

  clip_tar_append_header (archive, name, size, 0);
  check_failure (archive, 0, message);
}

static void
test_bad_files (void)
{
  check_file ("3.bin", 4, "it is not the member that belongs to the entry before it");
  check_file ("2.bin", 5, "it has 5 bytes, and its line says 4");
  check_file ("2.bin", G_GINT64_CONSTANT (1) << 32,
              "it has 4294967296 bytes, and its line says 4");
  check_lines ("{\"last\":1,\"contents\":[{\"type\":\"a/b\",\"size\":4,\"member\":"
               "\"2.bin\"}]}\n{" MINIMAL "}\n",
               0, "members belong to it, and it is not the last line");
}

static void
test_stopped (void)
{
  ClipArchiveSource source = { .stop_fd = -1, .idle_ms = 20 };
  g_autoptr (ClipArchiveReader) reader = NULL;
  g_autoptr (ClipArchiveEntry) entry = NULL;
  g_autoptr (GError) error = NULL;
  int fds[2];
  int stop[2];

  g_assert_true (clip_pipe (fds, NULL) && clip_pipe (stop, NULL));
  source.fd = fds[0];
  source.stop_fd = stop[0];
  reader = clip_archive_reader_new (&source);
  g_assert_false (clip_archive_reader_next (reader, &entry, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_clear_error (&error);
  clip_fd_clear (&stop[1]);
  g_assert_false (clip_archive_reader_next (reader, &entry, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED);
  clip_fd_clear (&stop[0]);
  clip_fd_clear (&fds[0]);
  clip_fd_clear (&fds[1]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/archive/what-is-written-is-read", test_round_trip);
  g_test_add_func ("/archive/numbers-that-cannot-be-read-are-not-written",
                   test_numbers_that_cannot_be_read_are_not_written);
  g_test_add_func ("/archive/one-byte-at-a-time", test_byte_by_byte);
  g_test_add_func ("/archive/members-follow-on-their-line", test_files_follow);
  g_test_add_func ("/archive/bad-lines-are-named", test_bad_lines);
  g_test_add_func ("/archive/bad-contents-are-named", test_bad_contents);
  g_test_add_func ("/archive/bombs-are-refused", test_bombs);
  g_test_add_func ("/archive/long-names", test_long_names);
  g_test_add_func ("/archive/damage-is-noticed", test_damage);
  g_test_add_func ("/archive/breaking-off-anywhere-is-noticed", test_breaking_off);
  g_test_add_func ("/archive/what-is-no-export", test_strangers);
  g_test_add_func ("/archive/members-that-do-not-belong", test_bad_files);
  g_test_add_func ("/archive/waiting-ends", test_stopped);
  return g_test_run ();
}
