/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-configuration.h"

#include "clip-error.h"
#include "clip-file-watch.h"
#include "clip-paths.h"
#include "clip-policy.h"

#define ENVIRONMENT_PREFIX "CLIPHIST"

/* Editors, and what manages dotfiles, replace a file by taking it away first, or empty it
 * before they write. Before a limit that takes more than the last one is obeyed, the file
 * has not changed for so long. */
#define REST_MS 5000

struct ClipConfiguration
{
  ClipSettings *settings; /* in force */
  ClipSettings *pending;  /* (nullable): what was read, and is not yet all in force */
  guint rest_ms;
  guint rest_source;
  char *path;
  ClipFileWatch *watch; /* (nullable) */
  ClipConfigurationFunc changed;
  gpointer changed_data;
  GHashTable *told; /* complaints: each is heard once */
};

static char *
find_path (void)
{
  const char *named = g_getenv (ENVIRONMENT_PREFIX "_CONFIG_PATH");

  return named && *named ? g_strdup (named) : clip_paths_default_config (NULL);
}

/* unlike no file, one that the user has written, on a disk that is not there yet */
static gboolean
leads_nowhere (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_SYMLINK) &&
         !g_file_test (path, G_FILE_TEST_EXISTS);
}

/* NULL where the file cannot be read, which is told: a daemon must not fall over it.
 * Otherwise all lines but those that are wrong */
static ClipSettings *
read_settings (ClipConfiguration *self, GError **error)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();

  clip_settings_forgive (settings);
  clip_settings_load_environment (settings, ENVIRONMENT_PREFIX, NULL);
  if (self->path && leads_nowhere (self->path))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "read configuration '%s': a link to a file that is not there",
                   self->path);
      return NULL;
    }
  if (self->path && !clip_settings_load_file (settings, self->path, error))
    return NULL;
  return g_steal_pointer (&settings);
}

static const struct
{
  ClipSetting limit;
  gint64 none;
} limits[] = {
  { CLIP_SETTING_MAX_ITEMS, -1 },
  { CLIP_SETTING_MAX_TOTAL_SIZE, 0 },
  { CLIP_SETTING_MAX_AGE, 0 },
  { CLIP_SETTING_MIN_FREE_SPACE, 0 },
};

/* settings in which no limit takes anything */
static ClipSettings *
new_harmless (void)
{
  ClipSettings *harmless = clip_settings_new ();

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    clip_settings_set_number (harmless, limits[i].limit, limits[i].none,
                              CLIP_FROM_DEFAULT);
  return harmless;
}

/* What a limit is meant to be whose line is wrong is not known, and a default that takes
 * entries away cannot be taken back: until the line can be read the limit is what it
 * was. */
static void
keep_unknown_limits (ClipSettings *settings, const ClipSettings *before)
{
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    if (clip_settings_is_unknown (settings, limits[i].limit))
      {
        clip_settings_take_over (settings, limits[i].limit, before);
        g_debug ("until %s can be read, it stays as it was: at the start, no limit",
                 clip_settings_key (limits[i].limit));
      }
}

static ClipSettings *
read_first (ClipConfiguration *self)
{
  g_autoptr (ClipSettings) harmless = new_harmless ();
  g_autoptr (GError) error = NULL;
  g_autofree char *why = NULL;
  ClipSettings *settings = read_settings (self, &error);

  if (!settings)
    {
      why = g_strconcat (error->message, ": all its rules are OFF", NULL);
      g_warning ("configuration not taken over: %s", why);
      clip_settings_complain (harmless, why);
      return g_steal_pointer (&harmless);
    }
  keep_unknown_limits (settings, harmless);
  return settings;
}

/* reads file and environment once; where a limit cannot be read, it takes nothing */
ClipConfiguration *
clip_configuration_new (void)
{
  ClipConfiguration *self = g_new0 (ClipConfiguration, 1);

  self->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->path = find_path ();
  self->rest_ms = REST_MS;
  self->settings = read_first (self);
  return self;
}

void
clip_configuration_free (ClipConfiguration *self)
{
  if (!self)
    return;
  clip_file_watch_free (self->watch);
  g_clear_handle_id (&self->rest_source, g_source_remove);
  clip_settings_free (self->pending);
  clip_settings_free (self->settings);
  g_hash_table_unref (self->told);
  g_free (self->path);
  g_free (self);
}

/* in force now; borrowed, until the next change */
const ClipSettings *
clip_configuration_settings (ClipConfiguration *self)
{
  return self->settings;
}

static void
tell_complaints (ClipConfiguration *self, const ClipSettings *settings)
{
  const char *const *complaints = clip_settings_complaints (settings);

  for (; *complaints; complaints++)
    if (g_hash_table_add (self->told, g_strdup (*complaints)))
      g_message ("%s", *complaints);
}

static void
put_in_force (ClipConfiguration *self, ClipSettings *settings_take)
{
  clip_settings_free (self->settings);
  self->settings = settings_take;
  if (self->changed)
    self->changed (self->settings, self->changed_data);
}

/* the file was not touched again: it is meant */
static gboolean
on_rested (gpointer user_data)
{
  ClipConfiguration *self = user_data;

  self->rest_source = 0;
  put_in_force (self, g_steal_pointer (&self->pending));
  return G_SOURCE_REMOVE;
}

static void
rest (ClipConfiguration *self)
{
  g_clear_handle_id (&self->rest_source, g_source_remove);
  self->rest_source = g_timeout_add (self->rest_ms, on_rested, self);
}

static void
forget_pending (ClipConfiguration *self)
{
  g_clear_handle_id (&self->rest_source, g_source_remove);
  g_clear_pointer (&self->pending, clip_settings_free);
}

/* what is in force stays, and who is told of changes hears why */
static void
stay_as_it_is (ClipConfiguration *self, const char *why)
{
  ClipSettings *settings = clip_settings_copy (self->settings);

  g_warning ("configuration not taken over: %s", why);
  clip_settings_complain (settings, why);
  put_in_force (self, settings);
}

/**
 * clip_configuration_reload:
 *
 * Reads everything again. What it says is in force at once, but for the limits that take
 * more than those before: they wait until the file has rested. A file that cannot be read
 * changes nothing.
 */
void
clip_configuration_reload (ClipConfiguration *self)
{
  g_autoptr (GError) error = NULL;
  ClipSettings *settings = read_settings (self, &error);
  g_autoptr (ClipSettings) read = NULL;

  forget_pending (self);
  if (!settings)
    {
      stay_as_it_is (self, error->message);
      return;
    }
  keep_unknown_limits (settings, self->settings);
  read = clip_settings_copy (settings);
  g_message ("configuration read");
  tell_complaints (self, settings);
  if (clip_policy_hold_limits (settings, self->settings))
    {
      self->pending = g_steal_pointer (&read);
      rest (self);
    }
  put_in_force (self, settings);
}

/* how long the file has to rest: for tests */
void
clip_configuration_set_rest (ClipConfiguration *self, guint ms)
{
  self->rest_ms = ms;
}

static void
on_file_changed (GFileMonitorEvent event, gpointer user_data)
{
  ClipConfiguration *self = user_data;

  if (self->pending)
    rest (self);
  if (event == G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT ||
      event == G_FILE_MONITOR_EVENT_RENAMED || event == G_FILE_MONITOR_EVENT_MOVED_IN ||
      event == G_FILE_MONITOR_EVENT_DELETED ||
      event == G_FILE_MONITOR_EVENT_ATTRIBUTE_CHANGED)
    clip_configuration_reload (self);
}

/**
 * clip_configuration_watch:
 * @changed: told of every change of the file, and of clip_configuration_reload()
 */
void
clip_configuration_watch (ClipConfiguration *self,
                          ClipConfigurationFunc changed,
                          gpointer user_data)
{
  self->changed = changed;
  self->changed_data = user_data;
  tell_complaints (self, self->settings);
  if (self->path)
    self->watch = clip_file_watch_new (self->path, on_file_changed, self);
}
