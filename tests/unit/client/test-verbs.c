/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-verbs.h"

static void
test_rows_whole (void)
{
  for (guint i = 0; i < CLIP_N_VERBS; i++)
    {
      const ClipVerbRow *row = clip_verbs_row ((ClipVerb) i);
      ClipVerb found;

      g_assert_true (clip_verbs_find (row->name, &found));
      g_assert_cmpint (found, ==, i);
      g_assert_nonnull (row->summary);
      g_assert_nonnull (row->example);
      g_assert_cmpuint (row->min_words, <=, row->max_words);
    }
}

static void
test_options_whole (void)
{
  guint known = 1u << CLIP_OPTION_HELP;

  for (guint i = 0; i < CLIP_N_VERBS; i++)
    known |= clip_verbs_row ((ClipVerb) i)->options;
  g_assert_cmpuint (known, ==, (1u << CLIP_N_OPTIONS) - 1);
  for (guint i = 0; i < CLIP_N_OPTIONS; i++)
    g_assert_nonnull (clip_verbs_option ((ClipOption) i)->summary);
}

static void
test_options_found (void)
{
  ClipOption found;

  g_assert_true (clip_verbs_find_option (CLIP_VERB_LIST, "--limit", &found));
  g_assert_cmpint (found, ==, CLIP_OPTION_LIMIT);
  g_assert_true (clip_verbs_find_option (CLIP_VERB_LIST, "--limit=3", &found));
  g_assert_true (clip_verbs_find_option (CLIP_VERB_LIST, "-0", &found));
  g_assert_cmpint (found, ==, CLIP_OPTION_NULL);
  g_assert_false (clip_verbs_find_option (CLIP_VERB_LIST, "--limits", &found));
  g_assert_false (clip_verbs_find_option (CLIP_VERB_LIST, "-limit", &found));
  g_assert_false (clip_verbs_find_option (CLIP_VERB_LIST, "-00", &found));
  g_assert_false (clip_verbs_find_option (CLIP_VERB_LIST, "--force", &found));
  g_assert_false (clip_verbs_find_option (CLIP_VERB_LIST, "", &found));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verbs/every-row-is-whole", test_rows_whole);
  g_test_add_func ("/verbs/every-option-has-a-verb", test_options_whole);
  g_test_add_func ("/verbs/only-their-own-options", test_options_found);
  return g_test_run ();
}
