/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The window is a program of its own, which the bus starts, and which stays for the next
 * time. Here it is told to show itself, or to go.
 */
#include "clip-bind.h"
#include "clip-cmds.h"
#include "clip-daemon-start.h"
#include "clip-desktop-check.h"
#include "clip-display-owner.h"
#include "clip-notify.h"
#include "clip-paths.h"
#include "clip-session-bus.h"
#include "clip-words.h"

#define PATH "/org/cliphist/Cliphist"

/* of the window, cold on a loaded machine */
#define ANSWER_MS 25000

/* (transfer floating): what a compositor gives to who may take the focus */
static GVariant *
platform_data (void)
{
  const char *wayland = g_getenv ("XDG_ACTIVATION_TOKEN");
  const char *x11 = g_getenv ("DESKTOP_STARTUP_ID");
  GVariantBuilder data;

  g_variant_builder_init (&data, G_VARIANT_TYPE_VARDICT);
  if (wayland && g_utf8_validate (wayland, -1, NULL))
    g_variant_builder_add (&data, "{sv}", "activation-token",
                           g_variant_new_string (wayland));
  if (x11 && g_utf8_validate (x11, -1, NULL))
    g_variant_builder_add (&data, "{sv}", "desktop-startup-id",
                           g_variant_new_string (x11));
  return g_variant_builder_end (&data);
}

/* (transfer full): what is to be searched for, as if it was typed */
static char *
join_words (const ClipCommand *command)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < command->words->len; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? " " : "",
                            clip_command_word (command, i));
  return g_string_free (out, FALSE);
}

static gboolean
toggle (GDBusConnection *bus, const char *words, GDBusCallFlags flags, GError **error)
{
  GVariant *parameter = g_variant_new_variant (g_variant_new_string (words));
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, CLIP_APPLICATION_ID, PATH, "org.freedesktop.Application", "ActivateAction",
      g_variant_new ("(s@av@a{sv})", "toggle",
                     g_variant_new_array (G_VARIANT_TYPE_VARIANT, &parameter, 1),
                     platform_data ()),
      NULL, flags, ANSWER_MS, NULL, error);

  return reply != NULL;
}

static gboolean
is_nobody (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER);
}

/* it is gone, or lacks a library, and ends at once */
static gboolean
is_broken (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_EXEC_FAILED) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_CHILD_EXITED);
}

/* the bus gives up on a program that it starts, or we on one that stands still */
static gboolean
is_silent (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_TIMED_OUT) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT);
}

static int
fail_silent (void)
{
  clip_command_say (_ ("The window does not answer: end the program cliphist-window, and "
                       "try again. “cliphist pick” shows the history meanwhile."));
  clip_command_explain (NULL);
  return CLIP_EXIT_FAILED;
}

static void
tell_broken (const ClipCommand *command, GError *error)
{
  g_autofree char *words = NULL;

  g_dbus_error_strip_remote_error (error);
  words = g_strdup_printf (_ ("the window does not start: install cliphist-window again; "
                              "until then a picker takes its place (%s)"),
                           error->message);
  clip_command_say ("%s", words);
  clip_notify (command, _ ("Clipboard history"), words);
}

/* a key was pressed for the history, in a window or in a picker */
static int
pick (ClipCommand *command, GError *error)
{
  if (is_broken (error))
    tell_broken (command, error);
  else
    clip_command_say (_ ("the window is not installed (its package is cliphist-window): "
                         "a picker takes its place"));
  command->options[CLIP_OPTION_INSERT] = "";
  return clip_cmd_pick (command);
}

/* whether a flag names a history that the window does not show */
static gboolean
is_elsewhere (const ClipCommand *command)
{
  g_autoptr (GVariantDict) daemon = NULL;
  g_autofree char *fallback = NULL;
  const char *store;

  if (clip_settings_origin (command->settings, CLIP_SETTING_DB_PATH) != CLIP_FROM_FLAG)
    return FALSE;
  daemon = clip_desktop_check_ask_daemon (NULL);
  fallback = clip_paths_store (NULL);
  if (!daemon || !g_variant_dict_lookup (daemon, "Store", "&s", &store))
    store = fallback;
  return !clip_paths_are_one (store, command->store);
}

int
clip_cmd_window (ClipCommand *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = NULL;
  g_autofree char *words = NULL;
  gboolean is_done;

  if (clip_command_has (command, CLIP_OPTION_BIND))
    return clip_bind_key (command);
  if (is_elsewhere (command))
    return clip_command_misuse (
        command, _ ("the window shows the daemon's history alone: “cliphist pick” shows "
                    "another one"));
  bus = clip_session_bus (&error);
  words = join_words (command);
  if (!g_utf8_validate (words, -1, NULL))
    return clip_command_misuse (command, _ ("'%s' is not UTF-8"), words);
  if (!bus)
    return clip_command_fail (error);
  is_done = toggle (bus, words, G_DBUS_CALL_FLAGS_NO_AUTO_START, &error);
  if (is_nobody (error))
    {
      const char *stranger = clip_display_owner_stranger ();

      if (stranger)
        return clip_cmd_pick (command); /* which says so */
      g_clear_error (&error);
      clip_daemon_tell_display (bus);
      is_done = toggle (bus, words, G_DBUS_CALL_FLAGS_NONE, &error);
    }
  /* a window that was there already starts no daemon */
  if (is_done)
    {
      clip_desktop_check_see_to_daemon (command);
      return CLIP_EXIT_DONE;
    }
  if (is_silent (error))
    return fail_silent ();
  return is_nobody (error) || is_broken (error) ? pick (command, error)
                                                : clip_command_fail (error);
}
