/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the history and the configuration lie, as the environment says. */
#include "clip-error.h"
#include "clip-paths.h"

static const char *const variables[] = { "XDG_STATE_HOME", "XDG_DATA_HOME",
                                         "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME",
                                         "XDG_CACHE_HOME" };

static void
set_all (const char *dir)
{
  g_setenv ("HOME", "/home/somebody", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_setenv (variables[i], dir, TRUE);
}

static void
assert_path (char *path_take, const char *wanted)
{
  g_autofree char *path = path_take;

  g_assert_cmpstr (path, ==, wanted);
}

static void
test_absolute (void)
{
  set_all ("/elsewhere");
  clip_paths_forget_relative (TRUE);
  assert_path (clip_paths_store (NULL), "/elsewhere/cliphist");
  assert_path (clip_paths_default_config (NULL), "/elsewhere/cliphist/config");
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_assert_cmpstr (g_getenv (variables[i]), ==, "/elsewhere");
}

static void
test_relative (void)
{
  set_all ("elsewhere");
  clip_paths_forget_relative (TRUE);
  assert_path (clip_paths_store (NULL), "/home/somebody/.local/state/cliphist");
  assert_path (clip_paths_default_config (NULL),
               "/home/somebody/.config/cliphist/config");
  assert_path (clip_paths_default_db (NULL), "/home/somebody/.cache/cliphist/db");
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    g_assert_null (g_getenv (variables[i]));
}

/* as the existing tool does */
static void
test_relative_is_told (void)
{
  g_autoptr (GError) error = NULL;

  set_all ("elsewhere");
  clip_paths_forget_relative (FALSE);
  assert_path (clip_paths_store (NULL), "/home/somebody/.local/state/cliphist");
  g_assert_null (clip_paths_default_config (&error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "path in $XDG_CONFIG_HOME is relative");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/paths/absolute-ones-count", test_absolute);
  g_test_add_func ("/paths/relative-ones-are-ignored", test_relative);
  g_test_add_func ("/paths/relative-ones-of-the-existing-tool-are-told",
                   test_relative_is_told);
  return g_test_run ();
}
