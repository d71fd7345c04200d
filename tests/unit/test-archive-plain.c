/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines that are read without a tree, against the reader of JSON, which a blank before them asks for. */
#include "clip-archive-plain.h"
#include "clip-archive-writer.h"
#include "clip-error.h"
#include "entry-text.h"

#include <string.h>

#define COURSE "\"first\":1,\"last\":2,\"copies\":3"
#define CLASS ",\"class\":\"text\""
#define BEGIN "{" COURSE CLASS ",\"contents\":[{\"type\":\"a/b\",\"text\":\""
#define END "\"}]}"

#define PLACE ", at its byte"

/* Returns: what the line is, or what is wrong with it, but for the place */
static char *
parse (const char *text, gsize length)
{
  g_autoptr (GError) error = NULL;
  ClipArchiveLine line;
  char *found;

  if (!clip_archive_line_parse (text, length, &line, &error))
    {
      g_auto (GStrv) parts = g_strsplit (error->message, PLACE, 2);

      return g_strdup (parts[0]);
    }
  found = line.entry ? entry_text (line.entry) : g_strdup ("no entry");
  clip_archive_entry_free (line.entry);
  return found;
}

static gboolean
is_plain (const char *text, gsize length)
{
  g_autoptr (ClipArchiveEntry) entry = clip_archive_plain_parse (text, length);

  return entry != NULL;
}

static void
check_same (const char *text, gsize length)
{
  g_autofree char *found = parse (text, length);
  g_autofree char *spaced = g_malloc (length + 1);
  g_autofree char *expected = NULL;

  spaced[0] = ' ';
  memcpy (spaced + 1, text, length);
  g_assert_false (is_plain (spaced, length + 1));
  expected = parse (spaced, length + 1);
  g_assert_cmpstr (found, ==, expected);
}

static void
check (const char *text, gboolean plain)
{
  g_assert_cmpint (is_plain (text, strlen (text)), ==, plain);
  check_same (text, strlen (text));
}

static void
test_read (void)
{
  check (BEGIN "word" END, TRUE);
  check (BEGIN END, TRUE);
  check (BEGIN "gr\xc3\xbc\xc3\x9f \xf0\x9f\x99\x82 \x7f" END, TRUE);
  check (BEGIN "\\\"\\\\\\/\\b\\f\\n\\r\\t" END, TRUE);
  check (BEGIN "\\u0001\\u00e9\\u20AC\\uffff" END, TRUE);
  check (BEGIN "a\"},{\"type\":\"c/d; e=\\\"f\\\"\",\"text\":\"b" END, TRUE);
  check ("{\"id\":9007199254740991," COURSE ",\"pinned\":true,\"expires\":0" CLASS
         ",\"origin\":\"x11 \xc3\xa9\",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         TRUE);
}

static void
test_left (void)
{
  check (BEGIN "\\ud83d\\ude42" END, FALSE);
  check (BEGIN "a\"},{\"type\":\"c/d\",\"base64\":\"AP8=" END, FALSE);
  check ("{" COURSE CLASS ",\"tags\":[\"a\"],\"contents\":[{\"type\":\"a/b\","
         "\"text\":\"" END,
         FALSE);
  check (BEGIN "\"}],\"guessed\":true}", FALSE);
  check ("{" COURSE ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END, FALSE);
  check ("{\"lines\":1,\"xxh3\":\"0123456789abcdef\"}", FALSE);
}

static void
test_wrong (void)
{
  check ("", FALSE);
  check (BEGIN, FALSE);
  check (BEGIN "\\", FALSE);
  check (BEGIN "\\\"", FALSE);
  check (BEGIN "\\u12\"", FALSE);
  check (BEGIN "\\x" END, FALSE);
  check (BEGIN "\\u00g0" END, FALSE);
  check (BEGIN "\\ud83d" END, FALSE);
  check (BEGIN "\n" END, FALSE);
  check (BEGIN "\xff" END, FALSE);
  check (BEGIN "\xed\xa0\x80" END, FALSE);
  check (BEGIN "\xc0\x80" END, FALSE);
  check (BEGIN "a" END "}", FALSE);
  check (BEGIN "a\"},{\"type\":\"\\n\",\"text\":\"" END, FALSE);
  check (BEGIN "a\"},{\"type\":\"\",\"text\":\"" END, FALSE);
  check ("{\"id\":0," COURSE CLASS ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         FALSE);
  check ("{\"id\":9007199254740992," COURSE CLASS
         ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         FALSE);
  check ("{\"first\":3,\"last\":2,\"copies\":3" CLASS
         ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         FALSE);
  check ("{\"first\":01,\"last\":2,\"copies\":3" CLASS
         ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         FALSE);
  check ("{\"first\":1,\"last\":2,\"copies\":0" CLASS
         ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         FALSE);
  check ("{" COURSE ",\"expires\":-1" CLASS
         ",\"contents\":[{\"type\":\"a/b\",\"text\":\"" END,
         FALSE);
  check ("{" COURSE CLASS ",\"contents\":[]}", FALSE);
}

/* text that JSON allows, which jansson gives back with its NUL */
static void
test_zeros (void)
{
  static const char line[] = BEGIN "a\0b" END;

  check (BEGIN "\\u0000" END, FALSE);
  g_assert_false (is_plain (line, sizeof line - 1));
  check_same (line, sizeof line - 1);
}

static void
test_many (void)
{
  GString *line = g_string_new (BEGIN "a");

  for (guint i = 1; i < CLIP_ARCHIVE_MAX_CONTENTS; i++)
    g_string_append (line, "\"},{\"type\":\"a/b\",\"text\":\"");
  g_string_append (line, END);
  check (line->str, TRUE);
  g_string_truncate (line, line->len - strlen (END));
  g_string_append (line, "\"},{\"type\":\"a/b\",\"text\":\"" END);
  check (line->str, FALSE);
  g_string_free (line, TRUE);
}

/* wherever a byte is another one */
static void
test_every_byte (void)
{
  static const char line[] = "{\"id\":7," COURSE ",\"pinned\":true,\"expires\":40" CLASS
                             ",\"origin\":\"a\\u00e9b\",\"contents\":[{\"type\":\"a/b\","
                             "\"text\":\"c\\n\xc3\xa9\"}]}";
  static const char others[] = "\"\\{}[],:0e.- \t\xc3"
                               "a";

  for (gsize i = 0; i < sizeof line - 1; i++)
    for (gsize k = 0; k < sizeof others; k++)
      {
        char changed[sizeof line];

        memcpy (changed, line, sizeof line);
        changed[i] = others[k];
        check_same (changed, sizeof line - 1);
      }
}

/* what we write ourselves is read the short way: that is what it is for */
static void
test_ours (void)
{
  g_autoptr (ClipArchiveWriter) writer = clip_archive_writer_new (0);
  const ClipRow row = { .id = 5,
                        .first_us = 1,
                        .last_us = 2,
                        .copies = 3,
                        .expires_us = 9,
                        .pinned = TRUE,
                        .kind = CLIP_CLASS_TEXT,
                        .origin = "wayland clipboard \"\xc3\xa9\"" };
  GString *archive = g_string_new (NULL);
  const char *start, *end;

  clip_archive_writer_begin_entry (writer, &row, NULL);
  clip_archive_writer_add_bytes (writer, "text/plain", "a\x1b\n\"\\/\x7f\xe2\x80\xa8",
                                 10);
  clip_archive_writer_add_bytes (writer, "text/html", "<b>", 3);
  clip_archive_writer_end_entry (writer);
  clip_archive_writer_flush (writer, archive);
  start = memmem (archive->str, archive->len, "{\"id\"", 5);
  g_assert_nonnull (start);
  end = strchr (start, '\n');
  g_assert_true (is_plain (start, (gsize) (end - start)));
  check_same (start, (gsize) (end - start));
  g_string_free (archive, TRUE);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/archive-plain/read-as-json-is", test_read);
  g_test_add_func ("/archive-plain/left-to-the-reader-of-json", test_left);
  g_test_add_func ("/archive-plain/what-is-wrong-is-said-by-that", test_wrong);
  g_test_add_func ("/archive-plain/nul", test_zeros);
  g_test_add_func ("/archive-plain/so-many-contents", test_many);
  g_test_add_func ("/archive-plain/any-byte-another", test_every_byte);
  g_test_add_func ("/archive-plain/what-we-write-is-plain", test_ours);
  return g_test_run ();
}
