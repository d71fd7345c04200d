/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A configuration file that comes, goes, and has mistakes in it; and which limits are obeyed
 * meanwhile. */
#include "clip-configuration.h"
#include "clip-policy.h"

#include <glib/gstdio.h>

typedef struct
{
  char *dir;
  char *path;
  ClipConfiguration *configuration;
} Fixture;

static void
setup (Fixture *self, gconstpointer data)
{
  self->dir = g_dir_make_tmp ("clip-configuration-XXXXXX", NULL);
  self->path = g_build_filename (self->dir, "config", NULL);
  g_setenv ("CLIPHIST_CONFIG_PATH", self->path, TRUE);
}

static void
teardown (Fixture *self, gconstpointer data)
{
  clip_configuration_free (self->configuration);
  g_remove (self->path);
  g_rmdir (self->dir);
  g_free (self->path);
  g_free (self->dir);
}

static void
write_file (Fixture *self, const char *text)
{
  g_assert_true (g_file_set_contents (self->path, text, -1, NULL));
}

static void
expect (GLogLevelFlags level, const char *pattern)
{
  g_test_expect_message ("clip-history", level, pattern);
}

static ClipLimits
limits (Fixture *self)
{
  return clip_policy_limits (clip_configuration_settings (self->configuration));
}

static void
test_mistake_at_start_takes_nothing (Fixture *self, gconstpointer data)
{
  write_file (self, "max-items 50000\nmax-total-size = 5GB\n");
  expect (G_LOG_LEVEL_WARNING, "configuration not taken over*");
  expect (G_LOG_LEVEL_MESSAGE, "*no limit takes anything from the history");
  self->configuration = clip_configuration_new ();
  g_test_assert_expected_messages ();
  g_assert_cmpint (limits (self).max_items, ==, -1);
  g_assert_cmpint (limits (self).max_total_bytes, ==, 0);
  g_assert_cmpint (limits (self).max_age_us, ==, 0);
  g_assert_cmpint (limits (self).min_free_bytes, ==, 0);
  g_assert_cmpint (limits (self).min_free_percent, ==, 0);
}

/* a folder stands for every file that cannot be read: root reads all others */
static void
test_unreadable_at_start_takes_nothing (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (g_mkdir (self->path, 0700), ==, 0);
  expect (G_LOG_LEVEL_WARNING, "configuration not taken over*");
  expect (G_LOG_LEVEL_MESSAGE, "*no limit takes anything from the history");
  self->configuration = clip_configuration_new ();
  g_test_assert_expected_messages ();
  g_assert_cmpint (limits (self).max_items, ==, -1);
  g_assert_cmpint (limits (self).max_total_bytes, ==, 0);
}

static void
test_missing_at_start_means_defaults (Fixture *self, gconstpointer data)
{
  g_autoptr (ClipSettings) defaults = clip_settings_new ();

  self->configuration = clip_configuration_new ();
  g_assert_cmpint (limits (self).max_items, ==, clip_policy_limits (defaults).max_items);
}

static void
add (const char *path, void (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, setup, test, teardown);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/configuration/mistake-at-start-takes-nothing",
       test_mistake_at_start_takes_nothing);
  add ("/configuration/unreadable-at-start-takes-nothing",
       test_unreadable_at_start_takes_nothing);
  add ("/configuration/missing-at-start-means-defaults",
       test_missing_at_start_means_defaults);
  return g_test_run ();
}
