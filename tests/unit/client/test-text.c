/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-text.h"

#include <string.h>

typedef struct
{
  const char *bytes;
  gsize length;
  const char *expected;
} Case;

#define CASE(bytes, expected) \
  { \
    bytes, sizeof bytes - 1, expected \
  }

static void
test_quote (void)
{
  static const Case cases[] = {
    CASE ("", "\"\""),
    CASE ("abc", "\"abc\""),
    CASE ("a b", "\"a b\""),
    CASE ("\"\\", "\"\\\"\\\\\""),
    CASE ("\a\b\t\n\v\f\r", "\"\\a\\b\\t\\n\\v\\f\\r\""),
    CASE ("\0\x1b\x7f", "\"\\x00\\x1b\\x7f\""),
    CASE ("\xc3\xa9", "\"\xc3\xa9\""),
    CASE ("\xff\xc3", "\"\\xff\\xc3\""),
    CASE ("\xc2\xa0\xe2\x80\xa8", "\"\\u00a0\\u2028\""),
    CASE ("\xf3\xa0\x80\x81", "\"\\U000e0001\""),
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *quoted = clip_text_quote (cases[i].bytes, cases[i].length);

      g_assert_cmpstr (quoted, ==, cases[i].expected);
    }
}

static void
test_visible (void)
{
  static const Case cases[] = {
    CASE ("", ""),
    CASE ("two\n\tlines\n", "two\n\tlines\n"),
    CASE ("\x1b[31m", "\xe2\x90\x9b[31m"),
    CASE ("\r\x7f", "\xe2\x90\x8d\xe2\x90\xa1"),
    CASE ("\0", "\xe2\x90\x80"),
    CASE ("\xc2\x9b", "\xef\xbf\xbd"),
    CASE ("\xff", "\xef\xbf\xbd"),
    CASE ("\xe2\x80\xae", "\xef\xbf\xbd"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      clip_text_append_visible (out, cases[i].bytes, cases[i].length);
      g_assert_cmpstr (out->str, ==, cases[i].expected);
    }
}

/* each file is on one line, also one whose name has several */
static void
test_uris (void)
{
  static const char list[] = "# of a file manager\r\nfile:///a%20b\r\n"
                             "file:///harmless%0A/home/me/.ssh/id_rsa\r\nhttp://c/\r\n";
  g_autoptr (GString) out = g_string_new (NULL);

  clip_text_append_uris (out, list, strlen (list));
  g_assert_cmpstr (out->str, ==, "/a b\n/harmless␊/home/me/.ssh/id_rsa\nhttp://c/\n");
}

static void
test_binary (void)
{
  g_assert_false (clip_text_is_binary ("text\n\x1b", 6));
  g_assert_false (clip_text_is_binary ("", 0));
  g_assert_true (clip_text_is_binary ("a\0b", 3));
  g_assert_true (clip_text_is_binary ("a\xff", 2));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/quoted-as-go-does", test_quote);
  g_test_add_func ("/text/nothing-reaches-a-terminal-unseen", test_visible);
  g_test_add_func ("/text/binary-is-nul-or-invalid", test_binary);
  g_test_add_func ("/text/uris", test_uris);
  return g_test_run ();
}
