/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cells.h"

#include <string.h>

static void
check_count (const char *text, gsize cells)
{
  g_assert_cmpuint (clip_cells_count (text, strlen (text)), ==, cells);
}

static void
test_counted (void)
{
  check_count ("", 0);
  check_count ("abc", 3);
  check_count ("\u6f22\u5b57", 4);       /* CJK */
  check_count ("e\u0301", 1);            /* a mark above */
  check_count ("\U0001f44d", 2);         /* an emoji */
  check_count ("a\u200bb", 2);           /* a space without width */
  check_count ("\uff21", 2);             /* full width */
  check_count ("\uac00", 2);             /* a syllable */
  check_count ("\033[1;7mab\033[0m", 2); /* our own mark */
  check_count ("a\xff"
               "b",
               3);
  check_count ("\033[", 0);
}

static void
check_cut (const char *text, gsize cells, const char *expected)
{
  g_autoptr (GString) line = g_string_new ("1\t");

  g_string_append (line, text);
  clip_cells_cut (line, 2, cells);
  g_assert_cmpstr (line->str + 2, ==, expected);
}

static void
test_cut (void)
{
  check_cut ("abc", 3, "abc");
  check_cut ("abcd", 3, "ab\u2026");
  check_cut ("abcd", 1, "\u2026");
  check_cut ("", 1, "");
  check_cut ("\u6f22\u5b57", 4, "\u6f22\u5b57");
  check_cut ("\u6f22\u5b57", 3, "\u6f22\u2026");
  check_cut ("\u6f22\u5b57x", 4, "\u6f22\u2026");
  check_cut ("e\u0301e\u0301e\u0301", 2, "e\u0301\u2026");
  check_cut ("e\u0301e\u0301", 2, "e\u0301e\u0301");
}

static void
test_cut_marked (void)
{
  check_cut ("a \033[1;7mneedle\033[0m b", 10, "a \033[1;7mneedle\033[0m b");
  check_cut ("a \033[1;7mneedle\033[0m bcd", 10, "a \033[1;7mneedle\033[0m \u2026");
  check_cut ("a \033[1;7mneedle\033[0m", 5, "a \033[1;7mne\033[0m\u2026");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cells/counted", test_counted);
  g_test_add_func ("/cells/cut-to-what-fits", test_cut);
  g_test_add_func ("/cells/nothing-stands-out-behind-the-cut", test_cut_marked);
  return g_test_run ();
}
