/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-search-text.h"

#include <string.h>

typedef struct
{
  char **words;
  char *regex, *tag, *program;
  CliphistKind kind;
  gboolean pinned;
  gint64 since;
} Found;

static Found
parse (const char *text)
{
  g_autoptr (CliphistQuery) query =
      clip_search_text_parse (text, CLIPHIST_KIND_ANY, FALSE);
  Found found;

  g_object_get (query, "words", &found.words, "regex", &found.regex, "tag", &found.tag,
                "program", &found.program, "kind", &found.kind, "pinned", &found.pinned,
                "since", &found.since, NULL);
  return found;
}

static void
clear (Found *found)
{
  g_strfreev (found->words);
  g_free (found->regex);
  g_free (found->tag);
  g_free (found->program);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Found, clear)

static void
assert_words (const char *text, const char *wanted)
{
  g_auto (Found) found = parse (text);
  g_autofree char *joined = g_strjoinv ("|", found.words);

  g_assert_cmpstr (joined, ==, wanted);
}

static void
test_words (void)
{
  assert_words ("", "");
  assert_words ("  an  apple ", "an|apple");
  assert_words ("\"an apple\" pie", "an apple|pie");
  assert_words ("\"not closed", "not closed");
  assert_words ("http://host/path", "http://host/path");
  assert_words ("a/b /c", "a/b|/c");
  assert_words ("\"tag:x\" \"pinned\"", "tag:x|pinned");
}

static void
test_filters (void)
{
  g_auto (Found) found = parse ("tag:work kind:Picture from:fire since:2h pinned pie");

  g_assert_cmpstr (found.tag, ==, "work");
  g_assert_cmpint (found.kind, ==, CLIPHIST_KIND_IMAGE);
  g_assert_cmpstr (found.program, ==, "fire");
  g_assert_true (found.pinned);
  g_assert_cmpint (found.since, >, g_get_real_time () - 3 * G_TIME_SPAN_HOUR);
  g_assert_cmpint (found.since, <, g_get_real_time ());
  g_assert_cmpuint (g_strv_length (found.words), ==, 1);
}

static void
test_last_filter (void)
{
  g_auto (Found) found = parse ("kind:text kind:image tag:a tag:b /one/ /two/");

  g_assert_cmpint (found.kind, ==, CLIPHIST_KIND_IMAGE);
  g_assert_cmpstr (found.tag, ==, "b");
  g_assert_cmpstr (found.regex, ==, "two");
  g_assert_cmpuint (g_strv_length (found.words), ==, 0);
}

static void
test_half_a_filter (void)
{
  g_auto (Found) found = parse ("tag: kind:im since:yest from:");

  g_assert_null (found.tag);
  g_assert_null (found.program);
  g_assert_cmpint (found.kind, ==, CLIPHIST_KIND_ANY);
  g_assert_cmpint (found.since, ==, 0);
  g_assert_cmpuint (g_strv_length (found.words), ==, 0);
}

static void
test_no_filter (void)
{
  assert_words ("kind:foo since:99x pie", "kind:foo|since:99x|pie");
  assert_words ("kind:texts since:2h", "kind:texts");
  assert_words ("Kind:Data Since:2h TAG:work Pinned since:Today", "");
  assert_words ("since:2025-12-31T since:09: since:3 kind:I", "");
}

static void
test_no_time (void)
{
  const char *wholes[] = { "2025-12-31T23:59:58",
                           "2025-02-09",
                           "20251231",
                           "09:30",
                           "9:30",
                           "23:59",
                           "1h30m",
                           "86400s" };

  for (guint i = 0; i < G_N_ELEMENTS (wholes); i++)
    for (gsize length = 0; length <= strlen (wholes[i]); length++)
      {
        g_autofree char *begun = g_strndup (wholes[i], length);
        g_autofree char *word = g_strconcat ("since:", begun, NULL);

        assert_words (word, "");
      }
  assert_words ("since:2026-13-45", "since:2026-13-45");
  assert_words ("since:2026-13-", "since:2026-13-");
  assert_words ("since:2026-02-3", "since:2026-02-3");
  assert_words ("since:20261301", "since:20261301");
  assert_words ("since:25:", "since:25:");
  assert_words ("since:23:60", "since:23:60");
}

static void
assert_no_filter (const char *text, const char *wanted)
{
  g_autofree char *found = clip_search_text_find_no_filter (text);

  g_assert_cmpstr (found, ==, wanted);
}

static void
test_which_no_filter (void)
{
  assert_no_filter ("pie kind:foo since:99x", "kind:foo");
  assert_no_filter ("Since:soon", "Since:soon");
  assert_no_filter ("\"kind:foo\" kind:im since: tag:x since:2h /kind:foo/ http://host",
                    NULL);
}

static void
assert_tag (const char *text, const char *wanted)
{
  g_autofree char *found = clip_search_text_find_tag (text);

  g_assert_cmpstr (found, ==, wanted);
}

static void
test_tag (void)
{
  assert_words ("#include #ff0000", "#include|#ff0000");
  assert_tag ("pie #work #home", "work");
  assert_tag ("pie # \"#work\" a#b tag:#c", NULL);
}

static void
test_expression (void)
{
  g_auto (Found) found = parse ("pie /a b+\\/c/ pinned");

  g_assert_cmpstr (found.regex, ==, "a b+\\/c");
  g_assert_true (found.pinned);
  g_assert_cmpuint (g_strv_length (found.words), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/search-text/words", test_words);
  g_test_add_func ("/search-text/filters", test_filters);
  g_test_add_func ("/search-text/of-two-of-one-sort-the-last-one-counts",
                   test_last_filter);
  g_test_add_func ("/search-text/half-a-filter-filters-nothing", test_half_a_filter);
  g_test_add_func ("/search-text/what-can-be-no-filter-is-a-word", test_no_filter);
  g_test_add_func ("/search-text/what-can-become-no-time-is-a-word", test_no_time);
  g_test_add_func ("/search-text/which-word-can-be-no-filter", test_which_no_filter);
  g_test_add_func ("/search-text/what-looks-like-a-tag-is-a-word", test_tag);
  g_test_add_func ("/search-text/an-expression-may-have-blanks", test_expression);
  return g_test_run ();
}
