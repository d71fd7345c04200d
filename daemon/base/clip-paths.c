/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-paths.h"

#include "clip-error.h"

#include <string.h>
#include <sys/stat.h>

/* behind what -db-path says */
#define STORE_SUFFIX ".d"

/**
 * clip_paths_forget_relative:
 * @all: FALSE = but for those of which the command says that they are relative, as the
 * existing tool does
 *
 * The XDG base directory specification has a relative path in one of its variables
 * ignored. GLib and the libraries of displays take it from the working folder: so the
 * variable is unset, for our children, too. Not where there are threads already.
 */
void
clip_paths_forget_relative (gboolean all)
{
  static const struct
  {
    const char *name;
    gboolean is_told;
  } variables[] = {
    { "XDG_STATE_HOME", FALSE }, { "XDG_DATA_HOME", FALSE }, { "XDG_RUNTIME_DIR", FALSE },
    { "XDG_CONFIG_HOME", TRUE }, { "XDG_CACHE_HOME", TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      const char *dir = g_getenv (variables[i].name);

      if (dir && !g_path_is_absolute (dir) && (all || !variables[i].is_told))
        g_unsetenv (variables[i].name);
    }
}

static char *
xdg_dir (const char *variable, const char *below_home, GError **error)
{
  const char *dir = g_getenv (variable);
  const char *home = g_getenv ("HOME");

  if (dir && *dir && !g_path_is_absolute (dir))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "path in $%s is relative", variable);
      return NULL;
    }
  if (dir && *dir)
    return g_strdup (dir);
  if (home && *home)
    return g_build_filename (home, below_home, NULL);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "neither $%s nor $HOME are defined", variable);
  return NULL;
}

/**
 * clip_paths_store:
 * @db_path: (nullable): what -db-path says; %NULL or "" for the history of the session
 *
 * Returns: (transfer full): the absolute folder of the history:
 * `$XDG_STATE_HOME/cliphist`, or `P.d` beside the file P that -db-path names, unless that
 * is the default: one file stands for one history
 */
char *
clip_paths_store (const char *db_path)
{
  g_autofree char *usual = clip_paths_default_db (NULL);
  g_autofree char *path = NULL;
  g_autofree char *state = NULL;

  if (db_path && *db_path)
    path = g_canonicalize_filename (db_path, NULL);
  if (path && g_strcmp0 (path, usual) != 0)
    return g_strconcat (path, STORE_SUFFIX, NULL);
  state = xdg_dir ("XDG_STATE_HOME", ".local/state", NULL);
  if (!state)
    state = g_strdup (g_get_user_state_dir ());
  return g_build_filename (state, "cliphist", NULL);
}

/* whether both are names of one folder: of two, $HOME or a folder above may be a link in
 * one; blocks on the disk where they differ */
gboolean
clip_paths_are_one (const char *store, const char *other)
{
  struct stat one, two;

  return g_str_equal (store, other) ||
         (stat (store, &one) == 0 && stat (other, &two) == 0 &&
          one.st_dev == two.st_dev && one.st_ino == two.st_ino);
}

/**
 * clip_paths_db_file:
 * @store: the folder of a history, as clip_paths_store() says it
 *
 * Returns: (transfer full) (nullable): the file that stands for that history where the
 * existing tool had its database: the default one, or what -db-path named; %NULL for a
 * folder that no -db-path leads to
 */
char *
clip_paths_db_file (const char *store)
{
  g_autofree char *usual = clip_paths_store (NULL);

  if (g_str_equal (store, usual))
    return clip_paths_default_db (NULL);
  if (!g_str_has_suffix (store, STORE_SUFFIX))
    return NULL;
  return g_strndup (store, strlen (store) - strlen (STORE_SUFFIX));
}

/**
 * clip_paths_default_db:
 *
 * Returns: (transfer full): the database file of the existing tool,
 * `$XDG_CACHE_HOME/cliphist/db`
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, in the words of the existing tool.
 */
char *
clip_paths_default_db (GError **error)
{
  g_autofree char *cache = xdg_dir ("XDG_CACHE_HOME", ".cache", error);

  return cache ? g_build_filename (cache, "cliphist", "db", NULL) : NULL;
}

/* (transfer full) (nullable): `$XDG_CONFIG_HOME/cliphist/config`; errors as above */
char *
clip_paths_default_config (GError **error)
{
  g_autofree char *config = xdg_dir ("XDG_CONFIG_HOME", ".config", error);

  return config ? g_build_filename (config, "cliphist", "config", NULL) : NULL;
}
