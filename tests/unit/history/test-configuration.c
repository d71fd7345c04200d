/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A configuration file that comes, goes, and has mistakes in it; and which limits are
 * obeyed meanwhile. */
#include "clip-configuration.h"
#include "clip-policy.h"
#include "is-watched.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

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

/* the limit that is not known takes nothing, and the others are what they say */
static void
test_mistake_at_start_takes_nothing (Fixture *self, gconstpointer data)
{
  write_file (self, "max-items 50000\nmax-total-size = 5GB\n");
  self->configuration = clip_configuration_new ();
  g_assert_cmpint (limits (self).max_items, ==, 50000);
  g_assert_cmpint (limits (self).max_total_bytes, ==, 0);
}

/* a folder stands for every file that cannot be read: root reads all others */
static void
test_unreadable_at_start_takes_nothing (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (g_mkdir (self->path, 0700), ==, 0);
  expect (G_LOG_LEVEL_WARNING, "configuration not taken over*: all its rules are OFF");
  self->configuration = clip_configuration_new ();
  g_test_assert_expected_messages ();
  g_assert_cmpint (limits (self).max_items, ==, -1);
  g_assert_cmpint (limits (self).max_total_bytes, ==, 0);
  g_assert_true (g_str_has_suffix (
      *clip_settings_complaints (clip_configuration_settings (self->configuration)),
      ": all its rules are OFF"));
}

/* as where the disk of one's settings is mounted later */
static void
test_link_to_nothing_at_start_takes_nothing (Fixture *self, gconstpointer data)
{
  g_assert_cmpint (symlink ("elsewhere/config", self->path), ==, 0);
  expect (G_LOG_LEVEL_WARNING, "configuration not taken over*: all its rules are OFF");
  self->configuration = clip_configuration_new ();
  g_test_assert_expected_messages ();
  g_assert_cmpint (limits (self).max_items, ==, -1);
}

static void
test_missing_at_start_means_defaults (Fixture *self, gconstpointer data)
{
  g_autoptr (ClipSettings) defaults = clip_settings_new ();

  self->configuration = clip_configuration_new ();
  g_assert_cmpint (limits (self).max_items, ==, clip_policy_limits (defaults).max_items);
}

/* no test waits so long */
#define LONG_MS (3600 * 1000)

static void
count_change (const ClipSettings *settings, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
start (Fixture *self, const char *text, guint rest_ms)
{
  write_file (self, text);
  self->configuration = clip_configuration_new ();
  clip_configuration_set_rest (self->configuration, rest_ms);
}

static void
reload (Fixture *self)
{
  expect (G_LOG_LEVEL_MESSAGE, "configuration read");
  clip_configuration_reload (self->configuration);
  g_test_assert_expected_messages ();
}

static void
test_gone_for_a_moment_takes_nothing (Fixture *self, gconstpointer data)
{
  start (self, "max-items 50000\nmax-total-size 0\nmin-free-space 1%\npreview-width 50\n",
         LONG_MS);
  g_remove (self->path);
  reload (self);
  g_assert_cmpint (limits (self).max_items, ==, 50000);
  g_assert_cmpint (limits (self).max_total_bytes, ==, 0);
  g_assert_cmpint (limits (self).min_free_percent, ==, 1);
  g_assert_cmpint (
      clip_settings_number (clip_configuration_settings (self->configuration),
                            CLIP_SETTING_PREVIEW_WIDTH),
      ==, 100);
  write_file (self, "");
  reload (self);
  g_assert_cmpint (limits (self).max_items, ==, 50000);
  write_file (self, "max-items 60000\nmax-total-size 0\nmin-free-space 0\n");
  reload (self);
  g_assert_cmpint (limits (self).max_items, ==, 60000);
  g_assert_cmpint (limits (self).max_total_bytes, ==, 0);
  g_assert_cmpint (limits (self).min_free_percent, ==, 0);
}

static void
test_lower_after_a_rest (Fixture *self, gconstpointer data)
{
  guint n = 0;

  start (self, "max-items 50\n", LONG_MS);
  clip_configuration_watch (self->configuration, count_change, &n);
  write_file (self, "max-items 40\nmax-age 30d\n");
  clip_configuration_set_rest (self->configuration, 1);
  reload (self);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (limits (self).max_items, ==, 50);
  g_assert_cmpint (limits (self).max_age_us, ==, 0);
  while (limits (self).max_items != 40)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpint (limits (self).max_age_us, >, 0);
}

/* what a file said that has a mistake now is not what it says */
static void
test_mistake_ends_the_wait (Fixture *self, gconstpointer data)
{
  start (self, "max-items 50\n", 1);
  write_file (self, "max-items 40\n");
  reload (self);
  write_file (self, "max-items = 40\n");
  expect (G_LOG_LEVEL_MESSAGE, "configuration read");
  expect (G_LOG_LEVEL_MESSAGE,
          "*:1: invalid value \"= 40\" for max-items: no '=' stands before it: ignored");
  clip_configuration_reload (self->configuration);
  g_test_assert_expected_messages ();
  g_assert_null (g_main_context_find_source_by_user_data (NULL, self->configuration));
  g_assert_cmpint (limits (self).max_items, ==, 50);
}

/* a file that cannot be read changes nothing */
static void
test_unreadable_later_changes_nothing (Fixture *self, gconstpointer data)
{
  start (self, "max-items 50\nignore-mime x/y\n", LONG_MS);
  g_remove (self->path);
  g_assert_cmpint (g_mkdir (self->path, 0700), ==, 0);
  expect (G_LOG_LEVEL_WARNING, "configuration not taken over*");
  clip_configuration_reload (self->configuration);
  g_test_assert_expected_messages ();
  g_assert_cmpint (limits (self).max_items, ==, 50);
  g_assert_cmpuint (g_strv_length ((char **) clip_settings_complaints (
                        clip_configuration_settings (self->configuration))),
                    ==, 1);
}

/* root reads it all the same, but the daemon hears that it is another one now */
static void
test_is_read_again_as_its_mode_changes (Fixture *self, gconstpointer data)
{
  guint n = 0;

  start (self, "max-items 50\n", LONG_MS);
  clip_configuration_watch (self->configuration, count_change, &n);
  g_assert_true (is_watched (self->dir));
  g_assert_cmpint (g_chmod (self->path, 0640), ==, 0);
  while (n == 0)
    g_main_context_iteration (NULL, TRUE);
}

static char *
text_of (Fixture *self, ClipSetting setting)
{
  return g_strdup (
      clip_settings_text (clip_configuration_settings (self->configuration), setting));
}

static void
test_mistake_at_start_lets_no_secret_in (Fixture *self, gconstpointer data)
{
  g_autofree char *patterns = NULL, *mimes = NULL, *persist = NULL, *ends = NULL;

  write_file (self, "ignore-pattern BEGIN PRIVATE\nmax-items 10x\nignore-mime image/*\n"
                    "persist never\nignore-pattern ^pw:\nclear-on lock\nmax-age 1d\n");
  self->configuration = clip_configuration_new ();
  patterns = text_of (self, CLIP_SETTING_IGNORE_PATTERN);
  mimes = text_of (self, CLIP_SETTING_IGNORE_MIME);
  persist = text_of (self, CLIP_SETTING_PERSIST);
  ends = text_of (self, CLIP_SETTING_CLEAR_ON);
  g_assert_cmpstr (patterns, ==, "BEGIN PRIVATE\n^pw:");
  g_assert_cmpstr (mimes, ==, "image/*");
  g_assert_cmpstr (persist, ==, "never");
  g_assert_cmpstr (ends, ==, "lock");
  g_assert_cmpint (limits (self).max_items, ==, -1);
  g_assert_cmpint (limits (self).max_age_us, ==, (gint64) 86400 * G_USEC_PER_SEC);
}

/* the line that is wrong is all that does not count */
static void
test_mistake_later_lets_no_secret_in (Fixture *self, gconstpointer data)
{
  g_autofree char *patterns = NULL;

  start (self, "ignore-pattern one\nmax-items 50\n", LONG_MS);
  write_file (self, "ignore-pattern two\nmax-items 40x\nmax-total-size 1\n");
  expect (G_LOG_LEVEL_MESSAGE, "configuration read");
  expect (G_LOG_LEVEL_MESSAGE, "*:2: invalid value \"40x\" for max-items: *: ignored");
  clip_configuration_reload (self->configuration);
  g_test_assert_expected_messages ();
  patterns = text_of (self, CLIP_SETTING_IGNORE_PATTERN);
  g_assert_cmpstr (patterns, ==, "two");
  g_assert_cmpint (limits (self).max_items, ==, 50);
}

static void
test_bad_pattern_is_told_with_its_reason (Fixture *self, gconstpointer data)
{
  g_autofree char *patterns = NULL;

  write_file (self, "ignore-pattern (abc\nignore-pattern ^pw:\n");
  self->configuration = clip_configuration_new ();
  expect (G_LOG_LEVEL_MESSAGE, "*:1: ignore-pattern: no regular expression, at char 4: "
                               "missing*: this rule is OFF");
  clip_configuration_watch (self->configuration, NULL, NULL);
  g_test_assert_expected_messages ();
  patterns = text_of (self, CLIP_SETTING_IGNORE_PATTERN);
  g_assert_cmpstr (patterns, ==, "^pw:");
}

/* GIO alone would look for the folder every few seconds */
static void
test_comes_with_its_folders (Fixture *self, gconstpointer data)
{
  g_autofree char *outer = g_build_filename (self->dir, "outer", NULL);
  g_autofree char *inner = g_build_filename (outer, "inner", NULL);
  guint n = 0;

  g_free (self->path);
  self->path = g_build_filename (inner, "config", NULL);
  g_setenv ("CLIPHIST_CONFIG_PATH", self->path, TRUE);
  self->configuration = clip_configuration_new ();
  clip_configuration_watch (self->configuration, count_change, &n);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (is_watched (self->dir));
      g_assert_cmpint (g_mkdir (outer, 0700), ==, 0);
      while (!is_watched (outer))
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
      while (!is_watched (inner))
        g_main_context_iteration (NULL, TRUE);
      n = 0;
      write_file (self, "max-items 50000\n");
      while (n == 0)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (limits (self).max_items, ==, 50000);
      /* and all of it goes again */
      g_assert_true (g_remove (self->path) == 0 && g_rmdir (inner) == 0 &&
                     g_rmdir (outer) == 0);
      while (!is_watched (self->dir))
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
await_items (Fixture *self, gint64 n)
{
  while (limits (self).max_items != n)
    g_main_context_iteration (NULL, TRUE);
}

static void
point_to (const char *link, const char *target)
{
  g_remove (link);
  g_assert_cmpint (symlink (target, link), ==, 0);
}

/* as what manages dotfiles makes it: one link leads to the next, through a linked
   folder */
static void
test_is_watched_where_links_lead (Fixture *self, gconstpointer data)
{
  g_autofree char *home = g_build_filename (self->dir, "home", NULL);
  g_autofree char *dotfiles = g_build_filename (self->dir, "deep/dotfiles", NULL);
  g_autofree char *inner = g_build_filename (dotfiles, "link", NULL);
  g_autofree char *one = g_build_filename (dotfiles, "one", NULL);
  g_autofree char *two = g_build_filename (self->dir, "deep/two", NULL);

  g_assert_cmpint (g_mkdir_with_parents (dotfiles, 0700), ==, 0);
  point_to (home, "deep/dotfiles");
  point_to (self->path, "home/link");
  point_to (inner, "one");
  g_assert_true (g_file_set_contents (one, "max-items 10\n", -1, NULL));
  self->configuration = clip_configuration_new ();
  clip_configuration_set_rest (self->configuration, 1);
  clip_configuration_watch (self->configuration, NULL, NULL);
  g_assert_cmpint (limits (self).max_items, ==, 10);
  g_assert_true (g_file_set_contents (one, "max-items 11\n", -1, NULL));
  await_items (self, 11);
  /* of a linked folder ".." is what it leads out of */
  point_to (inner, "../two");
  g_assert_true (g_file_set_contents (two, "max-items 20\n", -1, NULL));
  await_items (self, 20);
  g_assert_true (g_file_set_contents (two, "max-items 21\n", -1, NULL));
  await_items (self, 21);
  point_to (self->path, one);
  await_items (self, 11);
  g_assert_true (g_file_set_contents (one, "max-items 12\n", -1, NULL));
  await_items (self, 12);
  g_assert_true (g_remove (self->path) == 0 && g_remove (home) == 0 &&
                 g_remove (inner) == 0 && g_remove (one) == 0 && g_remove (two) == 0 &&
                 g_rmdir (dotfiles) == 0);
  g_free (self->path);
  self->path = g_path_get_dirname (dotfiles);
}

static void
test_circle_of_links_is_watched (Fixture *self, gconstpointer data)
{
  point_to (self->path, "config");
  expect (G_LOG_LEVEL_WARNING, "configuration not taken over*: all its rules are OFF");
  self->configuration = clip_configuration_new ();
  g_test_assert_expected_messages ();
  clip_configuration_watch (self->configuration, NULL, NULL);
  write_file (self, "max-items 10\n");
  clip_configuration_set_rest (self->configuration, 1);
  await_items (self, 10);
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
  add ("/configuration/link-to-nothing-at-start-takes-nothing",
       test_link_to_nothing_at_start_takes_nothing);
  add ("/configuration/missing-at-start-means-defaults",
       test_missing_at_start_means_defaults);
  add ("/configuration/gone-for-a-moment-takes-nothing",
       test_gone_for_a_moment_takes_nothing);
  add ("/configuration/lower-after-a-rest", test_lower_after_a_rest);
  add ("/configuration/mistake-ends-the-wait", test_mistake_ends_the_wait);
  add ("/configuration/unreadable-later-changes-nothing",
       test_unreadable_later_changes_nothing);
  add ("/configuration/is-read-again-as-its-mode-changes",
       test_is_read_again_as_its_mode_changes);
  add ("/configuration/mistake-at-start-lets-no-secret-in",
       test_mistake_at_start_lets_no_secret_in);
  add ("/configuration/mistake-later-lets-no-secret-in",
       test_mistake_later_lets_no_secret_in);
  add ("/configuration/bad-pattern-is-told-with-its-reason",
       test_bad_pattern_is_told_with_its_reason);
  add ("/configuration/comes-with-its-folders", test_comes_with_its_folders);
  add ("/configuration/is-watched-where-links-lead", test_is_watched_where_links_lead);
  add ("/configuration/circle-of-links-is-watched", test_circle_of_links_is_watched);
  return g_test_run ();
}
