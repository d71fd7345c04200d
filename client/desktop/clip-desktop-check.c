/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-desktop-check.h"

#include "clip-compositor.h"
#include "clip-daemon-start.h"
#include "clip-disk.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-facts.h"
#include "clip-gnome-search.h"
#include "clip-key-press.h"
#include "clip-libexec.h"
#include "clip-notify.h"
#include "clip-output.h"
#include "clip-paths.h"
#include "clip-picker.h"
#include "clip-reader.h"
#include "clip-session-bus.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANSWER_MS 5000

static GVariantDict *
say_silent (void)
{
  GVariantDict *daemon = g_variant_dict_new (NULL);

  g_variant_dict_insert (daemon, CLIP_DESKTOP_CHECK_SILENT, "b", TRUE);
  return daemon;
}

static GVariant *
get_properties (GDBusConnection *bus, GError **error)
{
  return g_dbus_connection_call_sync (
      bus, CLIP_BUS_NAME, CLIP_BUS_PATH, "org.freedesktop.DBus.Properties", "GetAll",
      g_variant_new ("(s)", CLIP_BUS_NAME), G_VARIANT_TYPE ("(a{sv})"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, ANSWER_MS, NULL, error);
}

/* (transfer full): the a{sv} of a reply */
static GVariantDict *
to_dict (GVariant *reply)
{
  g_autoptr (GVariant) properties = g_variant_get_child_value (reply, 0);

  return g_variant_dict_new (properties);
}

/* @daemon: (nullable): as clip_desktop_check_ask_daemon() has returned it */
gboolean
clip_desktop_check_is_watched (GVariantDict *daemon)
{
  g_auto (GStrv) backends = NULL;

  if (daemon)
    g_variant_dict_lookup (daemon, "Backends", "^as", &backends);
  return backends && *backends;
}

/* Mutter tells neither what is selected, nor which program copies. */
gboolean
clip_desktop_check_is_mutter (GVariantDict *daemon)
{
  g_auto (GStrv) backends = NULL;

  if (daemon)
    g_variant_dict_lookup (daemon, "Backends", "^as", &backends);
  return backends && g_strv_contains ((const char *const *) backends, "mutter");
}

/**
 * clip_desktop_check_other_display:
 * @daemon: (nullable): as clip_desktop_check_ask_daemon() has returned it
 *
 * Returns: (nullable): the display that it watches, where that is not this one
 */
const char *
clip_desktop_check_other_display (GVariantDict *daemon)
{
  const char *display = "";

  if (!clip_desktop_check_is_watched (daemon) ||
      !g_variant_dict_lookup (daemon, "Display", "&s", &display))
    return NULL;
  return clip_display_name_is_other (display) ? display : NULL;
}

static gboolean
has_owner (GBusType type, const char *name)
{
  g_autoptr (GDBusConnection) bus = type == G_BUS_TYPE_SESSION
                                        ? clip_session_bus (NULL)
                                        : g_bus_get_sync (type, NULL, NULL);
  g_autoptr (GVariant) reply = NULL;
  gboolean is_owned = FALSE;

  if (bus)
    reply = g_dbus_connection_call_sync (
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "NameHasOwner", g_variant_new ("(s)", name), G_VARIANT_TYPE ("(b)"),
        G_DBUS_CALL_FLAGS_NONE, ANSWER_MS, NULL, NULL);
  if (reply)
    g_variant_get (reply, "(b)", &is_owned);
  return is_owned;
}

/* whether the session's bus would start a program for that name */
static gboolean
is_activatable (const char *name)
{
  g_autoptr (GDBusConnection) bus = clip_session_bus (NULL);
  g_autoptr (GVariant) reply = NULL;
  g_autofree const char **names = NULL;

  if (bus)
    reply = g_dbus_connection_call_sync (
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
        "ListActivatableNames", NULL, G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NONE,
        ANSWER_MS, NULL, NULL);
  if (reply)
    g_variant_get (reply, "(^a&s)", &names);
  return names && g_strv_contains (names, name);
}

/* those that the daemon listens to */
static gboolean
is_told_of_locks (void)
{
  return has_owner (G_BUS_TYPE_SESSION, "org.gnome.ScreenSaver") ||
         has_owner (G_BUS_TYPE_SESSION, "org.freedesktop.ScreenSaver") ||
         has_owner (G_BUS_TYPE_SYSTEM, "org.freedesktop.login1");
}

static gboolean
clears_on (const ClipSettings *settings, const char *event)
{
  g_auto (GStrv) events = clip_settings_list (settings, CLIP_SETTING_CLEAR_ON);

  return g_strv_contains ((const char *const *) events, event);
}

/**
 * clip_desktop_check_append_idle:
 *
 * Appends the settings that can do nothing on this desktop, which would else be off
 * without a word.
 *
 * Returns: whether there is one
 */
gboolean
clip_desktop_check_append_idle (GString *out,
                                const ClipCommand *command,
                                GVariantDict *daemon)
{
  const gsize before = out->len;
  const gboolean is_mutter = clip_desktop_check_is_mutter (daemon);

  if (clip_desktop_check_is_watched (daemon) && clears_on (command->settings, "lock") &&
      !is_told_of_locks ())
    clip_facts_append (out, _ ("off here"),
                       _ ("clear-on lock: no service of this desktop tells when it is "
                          "locked"));
  if (clip_desktop_check_is_watched (daemon) && clears_on (command->settings, "logout") &&
      !has_owner (G_BUS_TYPE_SYSTEM, "org.freedesktop.login1"))
    clip_facts_append (out, _ ("off here"),
                       _ ("clear-on logout: no logind tells when the session ends; the "
                          "history is emptied once XDG_RUNTIME_DIR is made anew, or "
                          "after a restart of the machine"));
  if (is_mutter && *clip_settings_text (command->settings, CLIP_SETTING_IGNORE_APP))
    clip_facts_append (out, _ ("off here"),
                       _ ("ignore-app: GNOME does not say which program copies"));
  if (is_mutter && clip_settings_number (command->settings, CLIP_SETTING_PRIMARY) != 0)
    clip_facts_append (out, _ ("off here"),
                       _ ("primary: GNOME does not say what is selected"));
  return out->len > before;
}

/**
 * clip_desktop_check_append_others:
 *
 * Appends the histories of other programs that are on the bus.
 */
void
clip_desktop_check_append_others (GString *out)
{
  static const struct
  {
    const char *name;
    const char *title;
  } others[] = {
    { "org.gnome.GPaste", "GPaste" },
    { "org.kde.klipper", "Klipper" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (has_owner (G_BUS_TYPE_SESSION, others[i].name))
      clip_facts_append_format (
          out, _ ("beside"),
          _ ("%s, which keeps a history of its own, and may have the key"),
          others[i].title);
}

/**
 * clip_desktop_check_ask_daemon:
 * @out_fault: (out) (optional) (transfer full) (nullable): why there is no session bus,
 * without which nobody here knows of a daemon
 *
 * Asking does not start one. One that watches no display is told of ours.
 *
 * Returns: (transfer full) (nullable): the a{sv} of the daemon's properties; of one that
 * is there and does not answer %CLIP_DESKTOP_CHECK_SILENT alone
 */
GVariantDict *
clip_desktop_check_ask_daemon (char **out_fault)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = clip_session_bus (&error);
  g_autoptr (GVariant) reply = NULL;
  GVariantDict *daemon;

  if (out_fault)
    *out_fault = bus ? NULL : g_strdup (error->message);
  if (!bus)
    return NULL;
  reply = get_properties (bus, &error);
  if (!reply)
    return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ? say_silent ()
                                                                     : NULL;
  daemon = to_dict (reply);
  if (clip_desktop_check_is_watched (daemon) || !clip_daemon_show_display (bus))
    return daemon;
  g_variant_dict_unref (daemon);
  g_variant_unref (reply);
  reply = get_properties (bus, NULL);
  return reply ? to_dict (reply) : NULL;
}

/* a pause lasts over days, and a list does not grow meanwhile */
static void
tell_pause (GVariantDict *daemon)
{
  gint64 until_us = 0;
  g_autofree char *words = NULL;

  g_variant_dict_lookup (daemon, "PausedUntil", "x", &until_us);
  if (until_us == 0)
    return;
  words = clip_facts_pause_words (until_us);
  clip_command_tell ("%s", words);
}

/* whether the daemon that runs goes on with the history that was named before; @daemon:
 * (nullable) */
gboolean
clip_desktop_check_is_elsewhere (const ClipCommand *command, GVariantDict *daemon)
{
  const char *store;

  return daemon && clip_command_is_of_session (command) &&
         clip_settings_origin (command->settings, CLIP_SETTING_CONFIG_PATH) ==
             CLIP_FROM_DEFAULT &&
         g_variant_dict_lookup (daemon, "Store", "&s", &store) &&
         !clip_paths_are_one (store, command->store);
}

static char *
describe_elsewhere (const ClipCommand *command, GVariantDict *daemon)
{
  g_autofree char *program = clip_libexec_find ("cliphistd");
  const ClipAround around = { .program = program,
                              .has_manager = clip_has_user_manager () };
  g_autofree char *restart = NULL;

  if (!clip_desktop_check_is_elsewhere (command, daemon))
    return NULL;
  restart = clip_advice_restart (&around);
  return g_strdup_printf (_ ("db-path has changed: what you copy is kept in the old "
                             "place until the daemon is restarted with “%s”."),
                          restart);
}

/* (transfer full) (nullable): that a history may be empty as the daemon keeps another */
char *
clip_desktop_check_elsewhere (const ClipCommand *command)
{
  g_autoptr (GVariantDict) daemon = clip_desktop_check_ask_daemon (NULL);

  return describe_elsewhere (command, daemon);
}

/* whether a shell is of a login that has ended, as one in tmux may be: nothing is copied
 * there, and of the daemon of the present login it does not know. @bus: (nullable) */
static gboolean
is_of_earlier_login (GDBusConnection *bus)
{
  return !bus && clip_session_bus_is_named () && clip_display_name_is_gone ();
}

/* Returns: (transfer full) (nullable): why what is copied is not kept here, or elsewhere;
 * NULL where it is, perhaps from now on, or nothing can be copied */
static char *
see_to_daemon (const ClipCommand *command)
{
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GVariantDict) daemon = NULL;

  if (!clip_has_display ())
    return NULL;
  daemon = clip_desktop_check_ask_daemon (NULL);
  if (daemon)
    tell_pause (daemon);
  else
    bus = clip_session_bus (NULL);
  if (!daemon && is_of_earlier_login (bus))
    return NULL;
  if (bus && clip_daemon_start (bus, FALSE, NULL))
    daemon = clip_desktop_check_ask_daemon (NULL);
  if (!clip_desktop_check_is_watched (daemon) ||
      clip_desktop_check_other_display (daemon))
    return g_strdup (_ ("Nothing watches the clipboard here: what you copy is not kept. "
                        "“cliphist doctor” says why."));
  if (clip_disk_refuses (command->store, command->settings))
    return g_strdup (_ ("The disk is full: what you copy is not kept before there is "
                        "room. “cliphist doctor” says more."));
  return describe_elsewhere (command, daemon);
}

/**
 * clip_desktop_check_see_to_daemon:
 *
 * What is copied on this desktop is missing in a list that does not grow: starts the
 * daemon where there is none, and tells it of the display. Where that does not help, says
 * so, on the screen too.
 *
 * Returns: whether copies are kept, or nothing can be copied here
 */
gboolean
clip_desktop_check_see_to_daemon (const ClipCommand *command)
{
  g_autofree char *told =
      g_build_filename (g_get_user_runtime_dir (), CLIP_UNOPENED_NAME, NULL);
  const gboolean was_told = access (told, F_OK) == 0;
  g_autofree char *missing =
      clip_command_is_of_session (command) ? see_to_daemon (command) : NULL;

  if (!missing)
    return TRUE;
  clip_command_say ("%s", missing);
  /* the daemon that was started just now may have told it already */
  if (was_told || access (told, F_OK) < 0)
    clip_notify (command, _ ("The clipboard history does not work"), missing);
  return FALSE;
}

/* Fills in the desktop whose portal has to press keys, and does not, where there is
   one */
static void
look_for_portal (ClipAround *around)
{
  const char *desktop = g_getenv ("XDG_CURRENT_DESKTOP") ?: "";
  const char *name = strstr (desktop, "GNOME") ? "gnome"
                     : strstr (desktop, "KDE") ? "kde"
                                               : NULL;
  g_autoptr (GSubprocess) program =
      name ? clip_key_press_start ("can", NULL, NULL) : NULL;

  if (program && g_subprocess_wait (program, NULL, NULL) &&
      !g_subprocess_get_successful (program))
    {
      around->portal = name;
      around->has_portal = clip_around_finds_portal (name);
    }
}

/* @daemon: (nullable): as clip_desktop_check_ask_daemon() has returned it */
gboolean
clip_desktop_check_is_silent (GVariantDict *daemon)
{
  return daemon && g_variant_dict_contains (daemon, CLIP_DESKTOP_CHECK_SILENT);
}

/* Returns: the errno that keeps the user from it where it is there, and the user's or
 * root's, otherwise 0: nobody is told to take over what any other user has put there */
static int
lock_of (const char *path, int mode)
{
  struct stat found;
  gboolean is_meant =
      stat (path, &found) == 0 && (found.st_uid == getuid () || found.st_uid == 0);

  return is_meant && access (path, mode) < 0 ? errno : 0;
}

static int
lock_of_history (const char *store)
{
  g_autofree char *database = g_build_filename (store, CLIP_DATABASE_NAME, NULL);
  g_autofree char *blobs = g_build_filename (store, CLIP_BLOBS_NAME, NULL);

  return lock_of (store, R_OK | W_OK | X_OK)
             ?: lock_of (database, R_OK | W_OK) ?: lock_of (blobs, R_OK | W_OK | X_OK);
}

/* (transfer full) (nullable): the file of the settings, where it may not be read */
static char *
find_unread (const ClipSettings *settings)
{
  const char *named = clip_settings_text (settings, CLIP_SETTING_CONFIG_PATH);
  g_autofree char *path = *named ? g_strdup (named) : clip_paths_default_config (NULL);

  return path && lock_of (path, R_OK) != 0 ? g_steal_pointer (&path) : NULL;
}

static gboolean
is_no_folder (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) &&
         !g_file_test (path, G_FILE_TEST_IS_DIR);
}

/* (transfer full) (nullable): what has the place of the folder of the history, or of the
 * one of large contents */
static char *
find_in_the_way (const char *store)
{
  g_autofree char *blobs = g_build_filename (store, CLIP_BLOBS_NAME, NULL);

  if (is_no_folder (store))
    return g_strdup (store);
  return is_no_folder (blobs) ? g_steal_pointer (&blobs) : NULL;
}

static gboolean
can_be_made (const char *store)
{
  g_autofree char *path = g_strdup (store);
  struct stat found;

  while (stat (path, &found) < 0)
    {
      char *slash = strrchr (path, '/');

      if (!slash || slash == path)
        return TRUE;
      *slash = '\0';
    }
  return S_ISDIR (found.st_mode) &&
         (g_str_equal (path, store) || access (path, W_OK | X_OK) == 0);
}

static gboolean
is_of_flag (const ClipCommand *command)
{
  return clip_settings_origin (command->settings, CLIP_SETTING_DB_PATH) == CLIP_FROM_FLAG;
}

/* whether it is the user's, and others may write to it, for which it is refused */
static gboolean
is_shared (const char *path)
{
  struct stat found;

  return stat (path, &found) == 0 && found.st_uid == getuid () &&
         (found.st_mode & (S_IWGRP | S_IWOTH));
}

static gboolean
is_shared_history (const char *store)
{
  g_autofree char *database = g_build_filename (store, CLIP_DATABASE_NAME, NULL);

  return is_shared (store) || is_shared (database);
}

/* @explains: starts the one that would be started, which takes its time */
static gboolean
lacks_notifications (const ClipCommand *command, gboolean explains)
{
  if (!clip_has_display () ||
      !clip_settings_number (command->settings, CLIP_SETTING_NOTIFY))
    return FALSE;
  return explains ? !clip_notify_is_shown ()
                  : !has_owner (G_BUS_TYPE_SESSION, CLIP_NOTIFY_NAME) &&
                        !is_activatable (CLIP_NOTIFY_NAME);
}

/**
 * clip_desktop_check_append_advice:
 * @daemon: (nullable): what clip_desktop_check_ask_daemon() has returned
 * @is_damaged: the history, as a check has found
 * @explains: says why, too
 *
 * What keeps this desktop from having its copies kept, and found again.
 */
void
clip_desktop_check_append_advice (GString *out,
                                  const ClipCommand *command,
                                  GVariantDict *daemon,
                                  gboolean is_damaged,
                                  gboolean explains)
{
  g_autofree char *program = clip_libexec_find ("cliphistd");
  g_autoptr (GArray) uses = clip_picker_list (NULL, FALSE);
  g_autofree char *search_switch = explains ? clip_gnome_search_switch () : NULL;
  g_autoptr (GDBusConnection) bus = daemon ? NULL : clip_session_bus (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader =
      daemon ? NULL : clip_reader_open (command->store, &error);
  const ClipCompositor *compositor = clip_compositor_find ();
  ClipAround around = { .program = program, .search_switch = search_switch };
  g_autofree char *in_the_way = find_in_the_way (command->store);
  g_autofree char *unread = find_unread (command->settings);
  int lock = lock_of_history (command->store);

  clip_around_look (&around);
  around.has_bus = daemon || bus;
  around.is_of_earlier_login = !daemon && is_of_earlier_login (bus);
  around.compositor = compositor ? compositor->desktop : NULL;
  around.unwritable = lock != 0 ? command->store : NULL;
  around.is_read_only = lock == EROFS;
  around.in_the_way = in_the_way;
  around.unread = unread;
  around.shared = is_shared_history (command->store) ? command->store : NULL;
  around.is_newer = reader && clip_reader_is_newer (reader);
  /* of a history that a flag names the daemon knows nothing */
  around.is_damaged = is_damaged && !daemon && !is_of_flag (command);
  around.lacks_folder = !is_of_flag (command) && !can_be_made (command->store);
  around.lacks_room = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY) &&
                      clip_disk_is_full (command->store);
  around.has_layers = clip_picker_places () & CLIP_ON_LAYER;
  /* where none can show itself, to install one is no mend */
  around.has_picker = uses->len > 0 || clip_picker_places () == 0;
  around.has_window = !around.has_picker && is_activatable (CLIP_APPLICATION_ID);
  /* who uses the window alone is not told at each status */
  around.has_picker |= around.has_window && !explains;
  around.is_silent = clip_desktop_check_is_silent (daemon);
  if (daemon)
    g_variant_dict_lookup (daemon, "Version", "&s", &around.version);
  around.watches = clip_desktop_check_is_watched (daemon);
  around.is_elsewhere = clip_desktop_check_is_elsewhere (command, daemon);
  around.lacks_notifications = lacks_notifications (command, explains);
  around.other_display = clip_desktop_check_other_display (daemon);
  if (around.other_display)
    clip_facts_append_format (out, _ ("watches"), _ ("the display %s, and not this one"),
                              around.other_display);
  /* one that has to be started takes its time */
  if (explains)
    look_for_portal (&around);
  clip_advice_append (out, &around, explains);
  g_free (around.unshared);
}

/**
 * clip_desktop_check_fail:
 * @error: of a history that cannot be read
 *
 * Says that, and to people what mends it where the history may not be opened.
 *
 * Returns: the exit status
 */
int
clip_desktop_check_fail (const ClipCommand *command,
                         const GError *error,
                         gboolean explains)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autofree char *in_the_way = find_in_the_way (command->store);
  const gboolean is_damaged = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
  int status = clip_command_fail (error);

  if ((lock_of_history (command->store) == 0 && !in_the_way && !is_damaged &&
       !is_shared_history (command->store)) ||
      clip_command_has (command, CLIP_OPTION_JSON))
    return status;
  clip_desktop_check_append_advice (out, command, NULL, is_damaged, explains);
  clip_output_write (out->str, out->len, NULL);
  return status;
}
