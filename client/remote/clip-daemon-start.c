/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The daemon of the session, started by the first that needs it. A bus that is older than
 * the compositor knows nothing of its display, and a daemon that it starts would watch
 * nothing: so it is told first, and so is the user manager, which starts the daemon for
 * it.
 */
#include "clip-daemon-start.h"

#include "clip-command.h"
#include "clip-display-name.h"
#include "clip-display-owner.h"
#include "clip-facts.h"
#include "clip-paths.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <unistd.h>

#define START_MS 2000
/* where nothing is kept otherwise. No longer: what is on its way to be kept may be a
 * secret, which another copy has replaced by the time that the daemon looks */
#define WATCHER_START_MS 3000

/* what the bus answers where the daemon was not running already */
#define STARTED 1

/* of a compositor or an X server, to be connected to */
#define SHOW_MS 5000

#define BUS "org.freedesktop.DBus"
#define MANAGER "org.freedesktop.systemd1"

/* what cannot be told is not known there, and no reason not to start */
static void
tell_manager (GDBusConnection *bus, GVariant *environment)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GVariant) reply = NULL;
  GVariantIter iter;
  const char *name, *value;

  g_variant_iter_init (&iter, environment);
  while (g_variant_iter_loop (&iter, "{&s&s}", &name, &value))
    g_ptr_array_add (lines, g_strdup_printf ("%s=%s", name, value));
  g_ptr_array_add (lines, NULL);
  reply = g_dbus_connection_call_sync (
      bus, MANAGER, "/org/freedesktop/systemd1", MANAGER ".Manager", "SetEnvironment",
      g_variant_new ("(^as)", lines->pdata), NULL, G_DBUS_CALL_FLAGS_NO_AUTO_START,
      START_MS, NULL, NULL);
}

/* whether @name says where @stranger is: the X server, or the compositor */
static gboolean
is_of (const char *stranger, const char *name)
{
  const gboolean is_server = g_strcmp0 (stranger, g_getenv ("DISPLAY")) == 0;

  return is_server != g_str_equal (name, "WAYLAND_DISPLAY");
}

/* Of a display that is a stranger's nothing is told: what the bus starts would show
 * itself there, of other programs, too.
 * @stranger: (nullable)
 *
 * Returns: (transfer full) (nullable) */
static GVariant *
make_environment (const char *stranger)
{
  g_autoptr (GVariant) all = clip_display_name_variables ();
  GVariantBuilder environment;
  GVariantIter iter;
  const char *name, *value;

  if (!all)
    return NULL;
  g_variant_ref_sink (all);
  g_variant_builder_init (&environment, G_VARIANT_TYPE ("a{ss}"));
  g_variant_iter_init (&iter, all);
  while (g_variant_iter_loop (&iter, "{&s&s}", &name, &value))
    if (!stranger || !is_of (stranger, name))
      g_variant_builder_add (&environment, "{ss}", name, value);
  return g_variant_ref_sink (g_variant_builder_end (&environment));
}

/**
 * clip_daemon_tell_display:
 *
 * Tells the bus and the user manager of the display that we know: what they start from
 * then on has it.
 */
void
clip_daemon_tell_display (GDBusConnection *bus)
{
  g_autoptr (GVariant) environment = make_environment (clip_display_owner_stranger ());
  g_autoptr (GVariant) reply = NULL;

  if (!environment || g_variant_n_children (environment) == 0)
    return;
  reply = g_dbus_connection_call_sync (bus, BUS, "/org/freedesktop/DBus", BUS,
                                       "UpdateActivationEnvironment",
                                       g_variant_new ("(@a{ss})", environment), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, START_MS, NULL, NULL);
  tell_manager (bus, environment);
}

/* 0 = it is not */
static gint64
ask_paused_until (GDBusConnection *bus)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, CLIP_BUS_NAME, CLIP_BUS_PATH, "org.freedesktop.DBus.Properties", "Get",
      g_variant_new ("(ss)", CLIP_BUS_NAME, "PausedUntil"), G_VARIANT_TYPE ("(v)"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, START_MS, NULL, NULL);
  g_autoptr (GVariant) until = NULL;

  if (!reply)
    return 0;
  g_variant_get (reply, "(v)", &until);
  return g_variant_is_of_type (until, G_VARIANT_TYPE_INT64) ? g_variant_get_int64 (until)
                                                            : 0;
}

static void
tell_started (GDBusConnection *bus)
{
  const gint64 until_us = ask_paused_until (bus);
  g_autofree char *words = until_us != 0 ? clip_facts_pause_words (until_us) : NULL;

  if (words)
    clip_command_tell (_ ("The daemon was not running, and is now. %s"), words);
  else
    clip_command_tell (_ ("The daemon was not running, and is now: what is copied from "
                          "now on is kept."));
}

/**
 * clip_daemon_start:
 * @is_to_watch: gives it three seconds, and not two
 *
 * Starts it, and says that it was.
 *
 * Returns: whether the session's daemon has its name
 *
 * Errors: %G_DBUS_ERROR, %G_IO_ERROR_TIMED_OUT.
 */
gboolean
clip_daemon_start (GDBusConnection *bus, gboolean is_to_watch, GError **error)
{
  g_autoptr (GVariant) reply = NULL;
  guint32 how = 0;

  clip_daemon_tell_display (bus);
  reply = g_dbus_connection_call_sync (
      bus, BUS, "/org/freedesktop/DBus", BUS, "StartServiceByName",
      g_variant_new ("(su)", CLIP_BUS_NAME, 0), G_VARIANT_TYPE ("(u)"),
      G_DBUS_CALL_FLAGS_NONE, is_to_watch ? WATCHER_START_MS : START_MS, NULL, error);
  if (reply)
    g_variant_get (reply, "(u)", &how);
  if (how == STARTED && clip_terminal_is_watched (STDERR_FILENO))
    tell_started (bus);
  return reply != NULL;
}

/**
 * clip_daemon_show_display:
 *
 * Tells the daemon that is running of the display that we know.
 *
 * Returns: whether it watches one then
 */
gboolean
clip_daemon_show_display (GDBusConnection *bus)
{
  GVariant *environment = clip_display_name_variables ();
  g_autoptr (GVariant) reply = NULL;
  g_autofree const char **backends = NULL;

  if (!environment)
    return FALSE;
  reply = g_dbus_connection_call_sync (
      bus, CLIP_BUS_NAME, CLIP_BUS_PATH, CLIP_BUS_NAME, "UseDisplay",
      g_variant_new ("(@a{ss}@a{sv})", environment, g_variant_new ("a{sv}", NULL)),
      G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, SHOW_MS, NULL, NULL);
  if (reply)
    g_variant_get (reply, "(^a&s)", &backends);
  if (!backends || !*backends)
    return FALSE;
  clip_command_tell (
      _ ("The daemon did not know this display, and watches it from now on."));
  return TRUE;
}
