/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-row.h"

#include <string.h>

static ClipRow
make_row (gint64 id, ClipClass kind, const char *preview)
{
  return (ClipRow){
    .id = id,
    .first_us = 1,
    .last_us = G_GINT64_CONSTANT (1795176000123456),
    .copies = 3,
    .size = 12,
    .kind = kind,
    .mime = "text/plain;charset=utf-8",
    .origin = "wlr clipboard",
    .preview = preview,
    .preview_length = strlen (preview),
  };
}

static void
assert_row (const ClipRow *row, ClipRowFormat format, gint64 width, const char *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  clip_row_append (out, row, format, width);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_line (void)
{
  ClipRow row = make_row (17, CLIP_CLASS_TEXT, "hello world");

  assert_row (&row, CLIP_FORMAT_LINE, 100, "17\thello world\n");
  assert_row (&row, CLIP_FORMAT_LINE, 5, "17\thello\xE2\x80\xA6\n");
  assert_row (&row, CLIP_FORMAT_LINE, 0, "17\t\xE2\x80\xA6\n");
}

static void
test_ids (void)
{
  static const struct
  {
    gint64 id;
    const char *line;
  } cases[] = {
    { 0, "0\tx\n" },
    { 9, "9\tx\n" },
    { 10, "10\tx\n" },
    { G_MAXINT64, "9223372036854775807\tx\n" },
    { G_MININT64, "-9223372036854775808\tx\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ClipRow row = make_row (cases[i].id, CLIP_CLASS_TEXT, "x");

      assert_row (&row, CLIP_FORMAT_LINE, 100, cases[i].line);
    }
}

static void
test_image_is_not_cut (void)
{
  ClipRow row = make_row (2, CLIP_CLASS_IMAGE, "[[ binary data 5 B png 1x1 ]]");

  assert_row (&row, CLIP_FORMAT_LINE, 4, "2\t[[ binary data 5 B png 1x1 ]]\n");
  assert_row (&row, CLIP_FORMAT_LINE, 0, "2\t[[ binary data 5 B png 1x1 ]]\n");
}

static void
test_nul (void)
{
  ClipRow row = make_row (3, CLIP_CLASS_TEXT, "abc");
  g_autoptr (GString) out = g_string_new (NULL);

  clip_row_append (out, &row, CLIP_FORMAT_NUL, 2);
  clip_row_append (out, &row, CLIP_FORMAT_NUL, 3);
  g_assert_cmpmem (out->str, out->len,
                   "3\tab\xE2\x80\xA6\0"
                   "3\tabc\0",
                   14);
}

static void
test_terminal (void)
{
  ClipRow row = make_row (4, CLIP_CLASS_TEXT, "a\x1B[2J");

  assert_row (&row, CLIP_FORMAT_TERMINAL, 100, "4\ta\xE2\x90\x9B[2J\n");
  assert_row (&row, CLIP_FORMAT_LINE, 100, "4\ta\x1B[2J\n");
}

static void
test_json (void)
{
  ClipRow row = make_row (17, CLIP_CLASS_TEXT, "say \"hi\"");

  row.pinned = TRUE;
  row.expires_us = 5;
  assert_row (&row, CLIP_FORMAT_JSON, 100,
              "{\"id\":17,\"time\":\"2026-11-20T12:00:00.123456Z\",\"first_us\":1,"
              "\"last_us\":1795176000123456,\"copies\":3,\"class\":\"text\","
              "\"mime\":\"text/plain;charset=utf-8\",\"size\":12,\"pinned\":true,"
              "\"expires_us\":5,\"origin\":\"wlr clipboard\","
              "\"preview\":\"say \\\"hi\\\"\"}\n");
}

static void
test_json_cut (void)
{
  ClipRow row = make_row (1, CLIP_CLASS_TEXT, "a\"bc");
  g_autoptr (GString) out = g_string_new (NULL);

  clip_row_append (out, &row, CLIP_FORMAT_JSON, 2);
  g_assert_true (g_str_has_suffix (out->str, "\"preview\":\"a\\\"\xE2\x80\xA6\"}\n"));
  g_string_truncate (out, 0);
  clip_row_append (out, &row, CLIP_FORMAT_JSON, 0);
  g_assert_true (g_str_has_suffix (out->str, "\"preview\":\"\xE2\x80\xA6\"}\n"));
}

static void
assert_time (gint64 second)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (second);
  g_autofree char *text = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
  g_autofree char *expected = g_strdup_printf ("{\"id\":1,\"time\":\"%s.000007Z\"", text);
  g_autoptr (GString) out = g_string_new (NULL);
  ClipRow row = make_row (1, CLIP_CLASS_TEXT, "");

  row.last_us = second * 1000000 + 7;
  clip_row_append (out, &row, CLIP_FORMAT_JSON, 1);
  g_string_truncate (out, strlen (expected));
  g_assert_cmpstr (out->str, ==, expected);
}

static void
test_times (void)
{
  const gint64 end = G_GINT64_CONSTANT (253402300800); /* of year 9999 */

  for (gint64 second = -end / 9; second < end; second += 86400 * 97 + 3661)
    assert_time (second);
}

/* where leap years are left out, and where not */
static void
test_century_ends (void)
{
  for (int year = 1600; year < 9999; year += 20)
    for (int day = 25; day <= 32; day++)
      {
        g_autoptr (GDateTime) start = g_date_time_new_utc (year, 2, 1, 0, 0, 0);

        assert_time (g_date_time_to_unix (start) + (day - 1) * 86400);
      }
}

typedef struct
{
  const char *bytes;
  gssize length;
  const char *json;
} Case;

static void
test_strings (void)
{
  static const Case cases[] = {
    { "", -1, "\"\"" },
    { "a\"\\/b", -1, "\"a\\\"\\\\/b\"" },
    { "\b\f\n\r\t\1\x1F", -1, "\"\\b\\f\\n\\r\\t\\u0001\\u001f\"" },
    { "a\0b", 3, "\"a\\u0000b\"" },
    { "\x7F\xC2\x85\xE2\x80\xA8", -1, "\"\\u007f\\u0085\\u2028\"" },
    { "\xC3\xBC\xF0\x9F\x98\x80", -1, "\"\xC3\xBC\xF0\x9F\x98\x80\"" },
    { "\xFF\xE2\x82x", -1, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDx\"" },
    { "\xC3\xBC", 1, "\"\xEF\xBF\xBD\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      clip_json_append_string (out, cases[i].bytes, cases[i].length);
      g_assert_cmpstr (out->str, ==, cases[i].json);
    }
}

static void
test_entry (void)
{
  ClipRow row = make_row (5, CLIP_CLASS_TEXT, "abc");
  g_autoptr (ClipEntry) entry = clip_entry_new (&row);
  g_autoptr (GString) out = g_string_new (NULL);

  clip_entry_append_json (out, entry);
  g_assert_true (
      g_str_has_suffix (out->str, "\"preview\":\"abc\",\"contents\":[],\"tags\":[]}\n"));
  g_string_truncate (out, 0);
  g_ptr_array_add (entry->contents, clip_content_new ("text/plain", 3, 0));
  g_ptr_array_add (entry->contents, clip_content_new ("a/\"b", 4, 1));
  entry->tags = g_strsplit ("work,a\"b", ",", -1);
  clip_entry_append_json (out, entry);
  g_assert_true (g_str_has_suffix (
      out->str, "\"contents\":[{\"mime\":\"text/plain\",\"size\":3},"
                "{\"mime\":\"a/\\\"b\",\"size\":4}],\"tags\":[\"work\",\"a\\\"b\"]}\n"));
}

static void
test_format_names (void)
{
  ClipRowFormat format = CLIP_FORMAT_LINE;

  g_assert_true (clip_row_format_from_name ("nul", &format));
  g_assert_cmpint (format, ==, CLIP_FORMAT_NUL);
  g_assert_true (clip_row_format_from_name ("cliphist", &format));
  g_assert_cmpint (format, ==, CLIP_FORMAT_LINE);
  g_assert_false (clip_row_format_from_name ("xml", &format));
  g_assert_false (clip_row_format_from_name (NULL, &format));
}

static void
test_missing_strings (void)
{
  ClipRow row = { .id = 1, .kind = CLIP_CLASS_OTHER };
  g_autoptr (GString) out = g_string_new (NULL);

  clip_row_append (out, &row, CLIP_FORMAT_LINE, 100);
  clip_row_append (out, &row, CLIP_FORMAT_JSON, 100);
  g_assert_nonnull (strstr (out->str, "\"mime\":\"\""));
}

static void
assert_snippet (const char *text,
                const char *match,
                gint64 width,
                ClipRowFormat format,
                const char *expected)
{
  ClipRow row = make_row (7, CLIP_CLASS_TEXT, "the preview");
  g_autoptr (GString) out = g_string_new (NULL);

  row.text = text;
  row.text_length = strlen (text);
  row.match_start = (gsize) (strstr (text, match) - text);
  row.match_end = row.match_start + strlen (match);
  clip_row_append (out, &row, format, width);
  g_assert_cmpstr (out->str, ==, expected);
}

/* a match that the beginning does not show is shown with what is around it */
static void
test_snippet (void)
{
  const char *text = "one two  three\tfour\nfive six seven eight nine ten";

  assert_snippet (text, "two", 100, CLIP_FORMAT_LINE, "7\tthe preview\n");
  assert_snippet (text, "seven", 16, CLIP_FORMAT_LINE, "7\t…six seven eight …\n");
  assert_snippet (text, "ten", 12, CLIP_FORMAT_LINE, "7\t…ne ten\n");
  assert_snippet ("ä\xff\033漢字x", "x", 4, CLIP_FORMAT_LINE, "7\t…字x\n");
}

static void
test_snippet_marked (void)
{
  assert_snippet ("say  hello there", "hello", 100, CLIP_FORMAT_MARKED,
                  "7\tsay \033[1;7mhello\033[0m there\n");
  assert_snippet ("hello", "hello", 100, CLIP_FORMAT_MARKED,
                  "7\t\033[1;7mhello\033[0m\n");
  assert_snippet ("a\033[31mb hello", "hello", 10, CLIP_FORMAT_MARKED,
                  "7\t…b \033[1;7mhello\033[0m\n");
  assert_snippet ("a longer match", "longer match", 6, CLIP_FORMAT_MARKED,
                  "7\t…\033[1;7mlonger\033[0m…\n");
  assert_snippet ("\033[0mx", "\033[0mx", 9, CLIP_FORMAT_MARKED,
                  "7\t\033[1;7m␛[0mx\033[0m\n");
}

static void
test_snippet_json (void)
{
  ClipRow row = make_row (1, CLIP_CLASS_TEXT, "ä hello");
  g_autoptr (GString) out = g_string_new (NULL);

  row.text = "ä hello";
  row.text_length = strlen (row.text);
  row.match_start = 3;
  row.match_end = 8;
  clip_row_append (out, &row, CLIP_FORMAT_JSON, 100);
  g_assert_true (g_str_has_suffix (
      out->str, "\"match\":{\"offset\":3,\"length\":5},\"snippet\":\"ä hello\"}\n"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/row/line", test_line);
  g_test_add_func ("/row/ids", test_ids);
  g_test_add_func ("/row/image-is-never-cut", test_image_is_not_cut);
  g_test_add_func ("/row/nul", test_nul);
  g_test_add_func ("/row/terminal", test_terminal);
  g_test_add_func ("/row/json", test_json);
  g_test_add_func ("/row/json-is-cut-too", test_json_cut);
  g_test_add_func ("/row/times", test_times);
  g_test_add_func ("/row/century-ends", test_century_ends);
  g_test_add_func ("/row/json-strings", test_strings);
  g_test_add_func ("/row/entry", test_entry);
  g_test_add_func ("/row/format-names", test_format_names);
  g_test_add_func ("/row/missing-strings", test_missing_strings);
  g_test_add_func ("/row/match-is-shown", test_snippet);
  g_test_add_func ("/row/match-stands-out-on-a-terminal", test_snippet_marked);
  g_test_add_func ("/row/match-as-json", test_snippet_json);
  return g_test_run ();
}
