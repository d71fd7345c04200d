/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-rate-limit.h"

#define FIRST_US 1000
#define INTERVAL_US 200

static void
test_short_is_never_mentioned (void)
{
  ClipRateLimit pace;

  clip_rate_limit_begin (&pace, 5000, FIRST_US, INTERVAL_US);
  for (gint64 now_us = 5000; now_us < 5000 + FIRST_US; now_us++)
    g_assert_false (clip_rate_limit_is_due (&pace, now_us));
  g_assert_true (clip_rate_limit_is_due (&pace, 5000 + FIRST_US));
}

static void
test_once_in_an_interval (void)
{
  ClipRateLimit pace;
  gint64 said_us = 0;
  guint n_said = 0;

  clip_rate_limit_begin (&pace, 0, FIRST_US, INTERVAL_US);
  /* asked at odd moments, as a transfer asks */
  for (gint64 now_us = 0; now_us < 10 * FIRST_US; now_us += 7)
    if (clip_rate_limit_is_due (&pace, now_us))
      {
        g_assert_true (n_said == 0 || now_us - said_us >= INTERVAL_US);
        said_us = now_us;
        n_said++;
      }
  g_assert_cmpuint (n_said, >, 40);
}

/* who was held up does not make good for it */
static void
test_late_is_not_repeated (void)
{
  ClipRateLimit pace;

  clip_rate_limit_begin (&pace, 0, FIRST_US, INTERVAL_US);
  g_assert_true (clip_rate_limit_is_due (&pace, 100 * FIRST_US));
  g_assert_false (clip_rate_limit_is_due (&pace, 100 * FIRST_US + INTERVAL_US - 1));
  g_assert_true (clip_rate_limit_is_due (&pace, 100 * FIRST_US + INTERVAL_US));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pace/short-is-never-mentioned", test_short_is_never_mentioned);
  g_test_add_func ("/pace/once-in-an-interval", test_once_in_an_interval);
  g_test_add_func ("/pace/late-is-not-repeated", test_late_is_not_repeated);
  return g_test_run ();
}
