/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-bar.h"

#include <string.h>

#define MIB ((guint64) 1024 * 1024)

typedef struct
{
  ClipBar bar;
  guint columns;
  const char *line;
} Case;

static void
assert_lines (const Case *cases, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *line = clip_bar_line (&cases[i].bar, cases[i].columns);

      g_assert_cmpstr (line, ==, cases[i].line);
    }
}

static void
test_lines (void)
{
  const Case cases[] = {
    { { .done = 512 * MIB, .total = 1024 * MIB, .speed = 128 * MIB },
      80,
      "512.0 MiB of 1.0 GiB  [############-------------]   50%  128.0 MiB/s  0:04 left" },
    { { .done = 3 * MIB, .total = 3 * MIB, .speed = 1023 },
      70,
      "3.0 MiB of 3.0 MiB  [####################]  100%  1023 B/s  0:00 left" },
    { { .done = 1, .total = 4096 * MIB, .speed = MIB },
      66,
      "1 B of 4.0 GiB  [----------------]    0%  1.0 MiB/s  1:08:16 left" },
    { { .done = 1023 * 1024 + 1023, .speed = 1536 }, 80, "1.0 MiB  1.5 KiB/s" },
  };

  assert_lines (cases, G_N_ELEMENTS (cases));
}

static void
test_unknown_is_left_out (void)
{
  const ClipBar stalled = { .done = MIB, .total = 1024 * MIB };
  const Case grown = { { .done = 2 * MIB, .total = MIB, .speed = MIB },
                       40,
                       "2.0 MiB of 1.0 MiB  100%  1.0 MiB/s" };
  g_autofree char *line = clip_bar_line (&stalled, 80);

  /* nothing moves, and nobody knows how long that takes */
  g_assert_null (strstr (line, "left"));
  /* more came than was announced */
  assert_lines (&grown, 1);
}

static void
test_any_width (void)
{
  const ClipBar bar = { .done = 512 * MIB, .total = 1024 * MIB, .speed = 128 * MIB };
  gsize longest = 0;

  for (guint columns = 0; columns < 300; columns++)
    {
      g_autofree char *line = clip_bar_line (&bar, columns);
      gsize length = strlen (line);

      g_assert_true (length == 0 || length < columns);
      g_assert_true (length >= longest || columns < 45);
      longest = MAX (longest, length);
    }
  g_assert_cmpuint (longest, ==, 298);
}

static void
test_speed_follows (void)
{
  ClipBar bar;

  clip_bar_begin (&bar, 1000);
  clip_bar_update (&bar, 10 * MIB, 0, 1000 + G_USEC_PER_SEC);
  g_assert_cmpfloat_with_epsilon (bar.speed, 10.0 * MIB, 1);
  /* it stops, and the speed goes down to nothing */
  for (guint i = 1; i <= 60; i++)
    {
      double before = bar.speed;

      clip_bar_update (&bar, 10 * MIB, 0, 1000 + (1 + i) * G_USEC_PER_SEC);
      g_assert_cmpfloat (bar.speed, <, before);
    }
  g_assert_cmpfloat (bar.speed, <, 1);
  /* two looks at the same moment, and one that went back */
  clip_bar_update (&bar, 9 * MIB, 0, bar.at_us);
  g_assert_cmpfloat (bar.speed, >=, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bar/lines", test_lines);
  g_test_add_func ("/bar/unknown-is-left-out", test_unknown_is_left_out);
  g_test_add_func ("/bar/any-width", test_any_width);
  g_test_add_func ("/bar/speed-follows", test_speed_follows);
  return g_test_run ();
}
