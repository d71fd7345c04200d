/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-echo-filter.h"

static const char *const text[] = { "text/plain;charset=utf-8", "TARGETS", NULL };
static const char *const bridged[] = { "UTF8_STRING", NULL };
static const char *const image[] = { "image/png", NULL };
static const int wayland, x11;

static void
test_bridged_copy_is_an_echo (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 1000));
  g_assert_true (clip_echo_filter_is_echo (filter, &x11, bridged, 2000));
}

static void
test_whichever_side_is_first (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &x11, bridged, 1000));
  g_assert_true (clip_echo_filter_is_echo (filter, &wayland, text, 2000));
}

static void
test_same_display_is_a_copy (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 1000));
  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 2000));
}

static void
test_other_types_are_a_copy (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 1000));
  g_assert_false (clip_echo_filter_is_echo (filter, &x11, image, 2000));
}

static void
test_later_is_a_copy (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 1000));
  g_assert_false (clip_echo_filter_is_echo (filter, &x11, bridged,
                                            1000 + CLIP_ECHO_FILTER_WINDOW_US));
}

static void
test_display_gone_is_forgotten (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 1000));
  clip_echo_filter_forget (filter, &wayland);
  g_assert_false (clip_echo_filter_is_echo (filter, &x11, bridged, 2000));
}

/* the first display has still to tell of the second copy */
static void
test_second_echo_is_a_copy (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, text, 1000));
  g_assert_true (clip_echo_filter_is_echo (filter, &x11, text, 2000));
  g_assert_false (clip_echo_filter_is_echo (filter, &x11, text, 3000));
  g_assert_true (clip_echo_filter_is_echo (filter, &wayland, text, 4000));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/echo-filter/bridged-copy-is-an-echo", test_bridged_copy_is_an_echo);
  g_test_add_func ("/echo-filter/whichever-side-is-first", test_whichever_side_is_first);
  g_test_add_func ("/echo-filter/same-display-is-a-copy", test_same_display_is_a_copy);
  g_test_add_func ("/echo-filter/other-types-are-a-copy", test_other_types_are_a_copy);
  g_test_add_func ("/echo-filter/later-is-a-copy", test_later_is_a_copy);
  g_test_add_func ("/echo-filter/display-gone-is-forgotten",
                   test_display_gone_is_forgotten);
  g_test_add_func ("/echo-filter/second-echo-is-a-copy", test_second_echo_is_a_copy);
  return g_test_run ();
}
