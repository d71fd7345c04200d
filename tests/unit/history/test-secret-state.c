/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the clipboard holds a secret: each transition, and what lasts after it. */
#include "clip-secret-state.h"

#define NOW_US ((gint64) 1000 * G_USEC_PER_SEC)

#define NONE CLIP_SECRET_STATE_NONE
#define ASKED CLIP_SECRET_STATE_ASKED
#define HELD CLIP_SECRET_STATE_HELD
#define UNREAD CLIP_SECRET_STATE_UNREAD

typedef struct
{
  ClipSecretHeld from;
  ClipSecretEvent event;
  ClipSecretHeld to;
  gboolean lasts;      /* a second later */
  gboolean comes_back; /* half a second later */
} Transition;

static const Transition transitions[] = {
  { NONE, CLIP_SECRET_EVENT_PLAIN, NONE, FALSE, FALSE },
  { NONE, CLIP_SECRET_EVENT_HINT, ASKED, TRUE, FALSE },
  { NONE, CLIP_SECRET_EVENT_MARK, HELD, TRUE, FALSE },
  { NONE, CLIP_SECRET_EVENT_READ, HELD, TRUE, FALSE },
  { NONE, CLIP_SECRET_EVENT_UNREAD, UNREAD, TRUE, TRUE },
  { NONE, CLIP_SECRET_EVENT_CLEARED, NONE, FALSE, FALSE },
  { ASKED, CLIP_SECRET_EVENT_PLAIN, NONE, TRUE, FALSE },
  { ASKED, CLIP_SECRET_EVENT_HINT, ASKED, TRUE, FALSE },
  { ASKED, CLIP_SECRET_EVENT_MARK, HELD, TRUE, FALSE },
  { ASKED, CLIP_SECRET_EVENT_READ, HELD, TRUE, FALSE },
  { ASKED, CLIP_SECRET_EVENT_UNREAD, UNREAD, TRUE, TRUE },
  { ASKED, CLIP_SECRET_EVENT_CLEARED, NONE, TRUE, FALSE },
  { HELD, CLIP_SECRET_EVENT_PLAIN, NONE, TRUE, FALSE },
  { HELD, CLIP_SECRET_EVENT_HINT, ASKED, TRUE, FALSE },
  { HELD, CLIP_SECRET_EVENT_MARK, HELD, TRUE, FALSE },
  { HELD, CLIP_SECRET_EVENT_READ, HELD, TRUE, FALSE },
  { HELD, CLIP_SECRET_EVENT_UNREAD, UNREAD, TRUE, TRUE },
  { HELD, CLIP_SECRET_EVENT_CLEARED, NONE, TRUE, FALSE },
  { UNREAD, CLIP_SECRET_EVENT_PLAIN, NONE, TRUE, FALSE },
  { UNREAD, CLIP_SECRET_EVENT_HINT, ASKED, TRUE, FALSE },
  { UNREAD, CLIP_SECRET_EVENT_MARK, HELD, TRUE, FALSE },
  { UNREAD, CLIP_SECRET_EVENT_READ, HELD, TRUE, FALSE },
  { UNREAD, CLIP_SECRET_EVENT_UNREAD, UNREAD, TRUE, TRUE },
  { UNREAD, CLIP_SECRET_EVENT_CLEARED, NONE, TRUE, TRUE },
};
G_STATIC_ASSERT (G_N_ELEMENTS (transitions) ==
                 CLIP_SECRET_N_STATES * CLIP_SECRET_N_EVENTS);

static void
test_transitions (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (transitions); i++)
    {
      const Transition *wanted = &transitions[i];
      ClipSecretState state = { .held = wanted->from };

      g_test_message ("state %d, event %d", wanted->from, wanted->event);
      clip_secret_state_event (&state, wanted->event, NOW_US);
      g_assert_cmpint (state.held, ==, wanted->to);
      g_assert_cmpint (clip_secret_state_lasts (&state, NOW_US + G_USEC_PER_SEC), ==,
                       wanted->lasts);
      g_assert_cmpint (
          clip_secret_state_may_come_back (&state, NOW_US + G_USEC_PER_SEC / 2), ==,
          wanted->comes_back);
    }
}

static void
test_lasts_two_seconds (void)
{
  ClipSecretState state = { .held = HELD };

  clip_secret_state_event (&state, CLIP_SECRET_EVENT_PLAIN, NOW_US);
  g_assert_true (clip_secret_state_lasts (&state, NOW_US + CLIP_SECRET_LASTS_US - 1));
  g_assert_false (clip_secret_state_lasts (&state, NOW_US + CLIP_SECRET_LASTS_US));
}

/* what has gone already turns out to have been one: what is there now stays what it is */
static void
test_recalled (void)
{
  ClipSecretState state = { .held = NONE };

  clip_secret_state_recall (&state, FALSE, NOW_US);
  g_assert_cmpint (state.held, ==, NONE);
  g_assert_true (clip_secret_state_lasts (&state, NOW_US + CLIP_SECRET_LASTS_US - 1));
  g_assert_false (clip_secret_state_may_come_back (&state, NOW_US));
  clip_secret_state_recall (&state, TRUE, NOW_US);
  g_assert_true (
      clip_secret_state_may_come_back (&state, NOW_US + CLIP_SECRET_BROUGHT_BACK_US - 1));
  g_assert_false (
      clip_secret_state_may_come_back (&state, NOW_US + CLIP_SECRET_BROUGHT_BACK_US));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/secret-state/each-event-in-each-state", test_transitions);
  g_test_add_func ("/secret-state/lasts-two-seconds", test_lasts_two_seconds);
  g_test_add_func ("/secret-state/one-that-has-gone-is-recalled", test_recalled);
  return g_test_run ();
}
