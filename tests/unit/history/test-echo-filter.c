/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-echo-filter.h"

/* as many types as are heeded of one copy */
#define MANY 256

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

static guint n_compared; /* names of types, with those that are known */

/* in place of GLib's */
int
g_ascii_strcasecmp (const char *a, const char *b)
{
  n_compared++;
  while (*a && g_ascii_tolower (*a) == g_ascii_tolower (*b))
    a++, b++;
  return g_ascii_tolower (*a) - g_ascii_tolower (*b);
}

/* (transfer full) */
static char **
name_many (const char *beginning)
{
  char **mimes = g_new0 (char *, MANY + 1);

  for (int i = 0; i < MANY; i++)
    mimes[i] = g_strdup_printf ("%s/%d", beginning, i);
  return mimes;
}

/* and not each with each, which takes as long as a program likes */
static void
test_many_types_are_looked_up_once_each (void)
{
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();
  g_auto (GStrv) theirs = name_many ("x-one");
  g_auto (GStrv) ours = name_many ("x-other");

  n_compared = 0;
  g_assert_false (
      clip_echo_filter_is_echo (filter, &wayland, (const char *const *) theirs, 1000));
  g_assert_false (
      clip_echo_filter_is_echo (filter, &x11, (const char *const *) ours, 2000));
  g_assert_cmpuint (n_compared, >, MANY);
  g_assert_cmpuint (n_compared, <, MANY * MANY * 10);
}

static void
test_case_makes_no_other_type (void)
{
  static const char *const small[] = { "x-test/a", NULL };
  static const char *const large[] = { "X-Test/A", NULL };
  g_autoptr (ClipEchoFilter) filter = clip_echo_filter_new ();

  g_assert_false (clip_echo_filter_is_echo (filter, &wayland, small, 1000));
  g_assert_true (clip_echo_filter_is_echo (filter, &x11, large, 2000));
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
  g_test_add_func ("/echo-filter/case-makes-no-other-type",
                   test_case_makes_no_other_type);
  g_test_add_func ("/echo-filter/many-types-are-looked-up-once-each",
                   test_many_types_are_looked_up_once_each);
  return g_test_run ();
}
