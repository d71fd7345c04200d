/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-removal.h"

static guint n_offers;

/* instead of GLib's: none ends */
guint
g_timeout_add_seconds (guint seconds G_GNUC_UNUSED, GSourceFunc function, gpointer data)
{
  n_offers++;
  return g_timeout_add (G_MAXINT, function, data);
}

static void
on_changed (gpointer user_data G_GNUC_UNUSED)
{
}

static void delete (ClipRemoval *removal, guint64 id)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));

  g_array_append_val (ids, id);
  clip_removal_add (removal, ids);
}

static void
test_time (void)
{
  g_autoptr (CliphistHistory) history = cliphist_history_new ();
  g_autoptr (ClipRemoval) removal = clip_removal_new (history, on_changed, NULL);

  delete (removal, 1);
  delete (removal, 2);
  g_assert_cmpuint (n_offers, ==, 2);
  g_assert_cmpuint (clip_removal_take_back (removal), ==, 2);
  g_assert_cmpuint (n_offers, ==, 3);
  g_assert_cmpuint (clip_removal_take_back (removal), ==, 1);
  g_assert_cmpuint (n_offers, ==, 3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", TRUE);
  g_test_add_func ("/window/what-comes-back-leaves-time-for-what-was-deleted-before",
                   test_time);
  return g_test_run ();
}
