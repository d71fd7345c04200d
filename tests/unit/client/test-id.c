/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-id.h"

#include <string.h>

#define SYNTAX(quoted) "converting id: strconv.Atoi: parsing " quoted ": invalid syntax"
#define RANGE(quoted) \
  "converting id: strconv.Atoi: parsing " quoted ": value out of range"

static void
test_lines (void)
{
  static const struct
  {
    const char *line;
    gint64 id;
  } cases[] = {
    { "2", 2 },
    { "2\t", 2 },
    { "2\tpreview\n", 2 },
    { "2\t 3\n4\tx", 2 },
    { "+2\t", 2 },
    { "02\t", 2 },
    { "2\n", 2 },
    { "2\n3\tx", 2 },
    { "-5\tx", -5 },
    { "2\nxyz\t", 2 },
    { "9223372036854775807", G_MAXINT64 },
    { "img:/a/b.png:text:5\tpreview:text:6", 5 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 id = 0;

      clip_id_from_line (cases[i].line, strlen (cases[i].line), &id, &error);
      g_assert_no_error (error);
      g_assert_cmpint (id, ==, cases[i].id);
    }
}

static void
test_refused (void)
{
  static const struct
  {
    const char *line;
    const char *why;
  } cases[] = {
    { "", "input not prefixed with id" },
    { "\tpreview", "input not prefixed with id" },
    { "abc", SYNTAX ("\"abc\"") },
    { "abc\tpreview", SYNTAX ("\"abc\"") },
    { "\n", SYNTAX ("\"\\n\"") },
    { " 2", SYNTAX ("\" 2\"") },
    { "2 ", SYNTAX ("\"2 \"") },
    { "2\r\n", SYNTAX ("\"2\\r\\n\"") },
    { "0x10", SYNTAX ("\"0x10\"") },
    { "1_000", SYNTAX ("\"1_000\"") },
    { "+", SYNTAX ("\"+\"") },
    { "img:/a/b.png", SYNTAX ("\"img:/a/b.png\"") },
    { "img:/a/b.png:text:", "input not prefixed with id" },
    { "--2", SYNTAX ("\"--2\"") },
    { "99999999999999999999", RANGE ("\"99999999999999999999\"") },
    { "-99999999999999999999", RANGE ("\"-99999999999999999999\"") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 id;

      g_assert_false (
          clip_id_from_line (cases[i].line, strlen (cases[i].line), &id, &error));
      g_assert_cmpstr (error->message, ==, cases[i].why);
    }
}

static void
test_nul_inside (void)
{
  g_autoptr (GError) error = NULL;
  gint64 id;

  g_assert_false (clip_id_from_line ("2\0003", 3, &id, &error));
  g_assert_cmpstr (error->message, ==, SYNTAX ("\"2\\x003\""));
}

static void
test_words (void)
{
  gint64 id;

  g_assert_true (clip_id_parse ("42", &id));
  g_assert_cmpint (id, ==, 42);
  g_assert_false (clip_id_parse ("0", &id));
  g_assert_false (clip_id_parse ("-1", &id));
  g_assert_false (clip_id_parse ("42\tx", &id));
  g_assert_false (clip_id_parse ("", &id));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/id/first-field-of-a-line", test_lines);
  g_test_add_func ("/id/refused-in-the-words-of-go", test_refused);
  g_test_add_func ("/id/nul-is-no-end", test_nul_inside);
  g_test_add_func ("/id/words-are-strict", test_words);
  return g_test_run ();
}
