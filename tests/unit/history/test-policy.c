/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-policy.h"

#include <string.h>

static ClipDrop
judge (const ClipSettings *settings, const char *text, goffset size)
{
  g_autoptr (GBytes) head = g_bytes_new (text, strlen (text));

  return clip_policy_judge_content (settings, head,
                                    size < 0 ? (goffset) strlen (text) : size);
}

static void
test_blank_dropped (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  g_assert_cmpint (judge (settings, "", -1), ==, CLIP_DROP_BLANK);
  g_assert_cmpint (judge (settings, " \t\n\xc2\xa0\xe3\x80\x80", -1), ==,
                   CLIP_DROP_BLANK);
  g_assert_cmpint (judge (settings, " x ", -1), ==, CLIP_DROP_NONE);
}

/* only the head is known of a larger one: it may end in something */
static void
test_blank_head_kept (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  g_assert_cmpint (judge (settings, "   ", 100000000), ==, CLIP_DROP_NONE);
}

static void
test_too_large_dropped (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  clip_settings_set (settings, CLIP_SETTING_MAX_STORE_SIZE, "5", CLIP_FROM_FLAG, NULL);
  g_assert_cmpint (judge (settings, "123456", -1), ==, CLIP_DROP_TOO_LARGE);
  g_assert_cmpint (judge (settings, "12345", -1), ==, CLIP_DROP_NONE);
  clip_settings_set (settings, CLIP_SETTING_MAX_STORE_SIZE, "0", CLIP_FROM_FLAG, NULL);
  g_assert_cmpint (judge (settings, "123456", -1), ==, CLIP_DROP_NONE);
  clip_settings_set (settings, CLIP_SETTING_MAX_TOTAL_SIZE, "5", CLIP_FROM_FLAG, NULL);
  g_assert_cmpint (judge (settings, "123456", -1), ==, CLIP_DROP_TOO_LARGE);
  g_assert_cmpint (judge (settings, "12345", -1), ==, CLIP_DROP_NONE);
}

/* the existing tool counts what a reader sees as one character, white space included */
static void
test_length_counts_graphemes (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  const char *family =
      "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7";

  clip_settings_set (settings, CLIP_SETTING_MIN_STORE_LENGTH, "2", CLIP_FROM_FLAG, NULL);
  g_assert_cmpint (judge (settings, "a", -1), ==, CLIP_DROP_TOO_SMALL);
  g_assert_cmpint (judge (settings, "e\xcc\x81", -1), ==, CLIP_DROP_TOO_SMALL);
  g_assert_cmpint (judge (settings, family, -1), ==, CLIP_DROP_TOO_SMALL);
  g_assert_cmpint (judge (settings, "a ", -1), ==, CLIP_DROP_NONE);
}

/* the order of the existing tool: a short blank text is too small, not blank */
static void
test_length_before_blank (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  clip_settings_set (settings, CLIP_SETTING_MIN_STORE_LENGTH, "3", CLIP_FROM_FLAG, NULL);
  g_assert_cmpint (judge (settings, " ", -1), ==, CLIP_DROP_TOO_SMALL);
}

static void
test_floor_is_bytes_or_share (void)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  g_assert_cmpint (clip_policy_limits (settings).min_free_percent, ==, 5);
  g_assert_cmpint (clip_policy_limits (settings).min_free_bytes, ==, 0);
  clip_settings_set (settings, CLIP_SETTING_MIN_FREE_SPACE, "2MiB", CLIP_FROM_FLAG, NULL);
  g_assert_cmpint (clip_policy_limits (settings).min_free_percent, ==, 0);
  g_assert_cmpint (clip_policy_limits (settings).min_free_bytes, ==, 2097152);
}

static void
test_images_show_their_end (void)
{
  g_autoptr (GBytes) png =
      g_bytes_new_static ("\0\0\0\0IEND\xae\x42\x60\x82 and a note", 23);
  g_autoptr (GBytes) cut = g_bytes_new_static ("\0\0\0\0IEN", 7);
  g_autoptr (GBytes) jpeg = g_bytes_new_static ("\0\xff\xd9", 3);

  g_assert_cmpint (clip_policy_ending ("image/png", png), ==, CLIP_ENDING_THERE);
  g_assert_cmpint (clip_policy_ending ("image/png", cut), ==, CLIP_ENDING_MISSING);
  g_assert_cmpint (clip_policy_ending ("image/jpeg", jpeg), ==, CLIP_ENDING_THERE);
  g_assert_cmpint (clip_policy_ending ("image/jpeg", cut), ==, CLIP_ENDING_MISSING);
  g_assert_cmpint (clip_policy_ending ("text/plain", cut), ==, CLIP_ENDING_UNKNOWN);
  /* by each name that programs offer them under */
  g_assert_cmpint (clip_policy_ending ("image/x-png", cut), ==, CLIP_ENDING_MISSING);
  g_assert_cmpint (clip_policy_ending ("image/jpg", cut), ==, CLIP_ENDING_MISSING);
  g_assert_cmpint (clip_policy_ending ("Image/PNG", cut), ==, CLIP_ENDING_MISSING);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/policy/blank-dropped", test_blank_dropped);
  g_test_add_func ("/policy/blank-head-kept", test_blank_head_kept);
  g_test_add_func ("/policy/too-large-dropped", test_too_large_dropped);
  g_test_add_func ("/policy/length-counts-graphemes", test_length_counts_graphemes);
  g_test_add_func ("/policy/length-before-blank", test_length_before_blank);
  g_test_add_func ("/policy/floor-is-bytes-or-share", test_floor_is_bytes_or_share);
  g_test_add_func ("/policy/images-show-their-end", test_images_show_their_end);
  return g_test_run ();
}
