/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-search-text.h"
#include "clip-word-marks.h"

/* @wanted: what is marked, with blanks between */
static void
assert_marks (const char *search, const char *text, const char *wanted)
{
  g_autoptr (CliphistQuery) query =
      clip_search_text_parse (search, CLIPHIST_KIND_ANY, FALSE);
  g_autoptr (GArray) marks = clip_word_marks_find (query, text, (ClipWordMark){ 0 });
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < marks->len; i++)
    {
      const ClipWordMark *mark = &g_array_index (marks, ClipWordMark, i);

      g_string_append (found, i == 0 ? "" : " ");
      g_string_append_len (found, text + mark->start, (gssize) (mark->end - mark->start));
    }
  g_assert_cmpstr (found->str, ==, wanted);
}

static void
test_words (void)
{
  assert_marks ("", "an apple", "");
  assert_marks ("pie APPLE", "an apple pie, Apple", "apple pie Apple");
  assert_marks ("\"apple pie\" tag:an", "an apple pie", "apple pie");
  assert_marks ("pp p", "apple", "pp p p");
}

static void
test_letters (void)
{
  assert_marks ("koln", "K\u00f6ln, Ko\u0308ln und KÖLN", "K\u00f6ln Ko\u0308ln KÖLN");
  assert_marks ("STRASSE", "Straße und strasse", "Straße strasse");
  assert_marks ("straße", "STRASSE", "STRASSE");
  assert_marks ("\u0301", "a\u0301", "");
  assert_marks ("σας", "Σας ΣΑΣ", "Σας ΣΑΣ");
  assert_marks ("한", "한국", "한");
}

static void
test_first (void)
{
  g_autoptr (CliphistQuery) query =
      clip_search_text_parse ("pie", CLIPHIST_KIND_ANY, FALSE);
  g_autoptr (GArray) marks =
      clip_word_marks_find (query, "apple pie", (ClipWordMark){ 0, 5 });
  g_autoptr (GArray) alone =
      clip_word_marks_find (NULL, "apple pie", (ClipWordMark){ 6, 9 });

  g_assert_cmpuint (marks->len, ==, 2);
  g_assert_cmpuint (g_array_index (marks, ClipWordMark, 0).end, ==, 5);
  g_assert_cmpuint (alone->len, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/every-word-is-marked-in-the-order-of-the-text", test_words);
  g_test_add_func ("/window/case-and-diacritics-hide-no-word", test_letters);
  g_test_add_func ("/window/what-the-search-has-found-is-marked-too", test_first);
  return g_test_run ();
}
