/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-secrets.h"

#include <string.h>

#define NOW_US ((gint64) 1000)

static void
test_known_for_ten_minutes (void)
{
  g_autoptr (ClipSecrets) secrets = clip_secrets_new ();

  g_assert_true (clip_secrets_is_empty (secrets, NOW_US));
  clip_secrets_learn (secrets, "hunter2", 7, NOW_US);
  g_assert_true (clip_secrets_knows (secrets, "hunter2", 7, NOW_US));
  g_assert_false (clip_secrets_knows (secrets, "hunter2 ", 8, NOW_US));
  g_assert_false (clip_secrets_knows (secrets, "hunter", 6, NOW_US));
  g_assert_true (
      clip_secrets_knows (secrets, "hunter2", 7, NOW_US + CLIP_SECRETS_KEPT_US - 1));
  g_assert_false (
      clip_secrets_knows (secrets, "hunter2", 7, NOW_US + CLIP_SECRETS_KEPT_US));
  g_assert_true (clip_secrets_is_empty (secrets, NOW_US + CLIP_SECRETS_KEPT_US));
}

static void
test_oldest_makes_room (void)
{
  g_autoptr (ClipSecrets) secrets = clip_secrets_new ();

  for (int i = 0; i < 40; i++)
    {
      g_autofree char *word = g_strdup_printf ("word %d", i);

      clip_secrets_learn (secrets, word, strlen (word), NOW_US);
      g_assert_true (clip_secrets_knows (secrets, word, strlen (word), NOW_US));
    }
  g_assert_false (clip_secrets_knows (secrets, "word 0", 6, NOW_US));
  g_assert_true (clip_secrets_knows (secrets, "word 20", 7, NOW_US));
}

static void
test_nothing_and_too_much_are_not_learnt (void)
{
  g_autoptr (ClipSecrets) secrets = clip_secrets_new ();
  g_autofree char *large = g_malloc0 (CLIP_SECRETS_MAX_BYTES + 1);

  clip_secrets_learn (secrets, "", 0, NOW_US);
  clip_secrets_learn (secrets, large, CLIP_SECRETS_MAX_BYTES + 1, NOW_US);
  g_assert_true (clip_secrets_is_empty (secrets, NOW_US));
  clip_secrets_learn (secrets, large, CLIP_SECRETS_MAX_BYTES, NOW_US);
  g_assert_true (clip_secrets_knows (secrets, large, CLIP_SECRETS_MAX_BYTES, NOW_US));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/secrets/known-for-ten-minutes", test_known_for_ten_minutes);
  g_test_add_func ("/secrets/oldest-makes-room", test_oldest_makes_room);
  g_test_add_func ("/secrets/nothing-and-too-much-are-not-learnt",
                   test_nothing_and_too_much_are_not_learnt);
  return g_test_run ();
}
