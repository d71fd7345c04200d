/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signals of the session's daemon as lines of JSON, one each, written at once. Every
 * line has an `event`: added, moved, removed, changed, imported; state, when pause or
 * displays change; and running, when the daemon comes or goes. Where no service manager
 * starts one again that has crashed, this does: it is there all the time.
 */
#include "clip-cmds.h"
#include "clip-daemon-start.h"
#include "clip-error.h"
#include "clip-json.h"
#include "clip-output.h"
#include "clip-paths.h"
#include "clip-session-bus.h"
#include "clip-terminal.h"
#include "clip-words.h"

#define ANSWER_MS 5000

/* before a daemon that has gone is started again; doubles each time, for one that crashes
   at once */
#define FIRST_REST_S 1
#define LONGEST_REST_S 64

typedef struct
{
  GMainLoop *loop;
  GDBusConnection *bus;
  guint rest_s;
  GError *error; /* of writing */
} Watch;

static void
write_line (Watch *self, GString *line)
{
  g_string_append (line, "}\n");
  if (!self->error && !clip_output_write (line->str, line->len, &self->error))
    g_main_loop_quit (self->loop);
}

static GString *
event (const char *name)
{
  GString *line = g_string_new (NULL);

  g_string_printf (line, "{\"event\":\"%s\"", name);
  return line;
}

static void
append_id (GString *line, const char *name, guint64 id)
{
  g_string_append_printf (line, ",\"%s\":%" G_GUINT64_FORMAT, name, id);
}

static GString *
entry_event (const char *name, GVariant *args)
{
  g_autoptr (GVariant) details = NULL;
  GString *line = event (name);
  guint64 id;

  g_variant_get (args, "(t@a{sv})", &id, &details);
  append_id (line, "id", id);
  clip_json_append_members (line, details);
  return line;
}

static GString *
moved_event (GVariant *args)
{
  GString *line = event ("moved");
  guint64 from, id;

  g_variant_get (args, "(tt)", &from, &id);
  append_id (line, "id", id);
  append_id (line, "from", from);
  return line;
}

static GString *
removed_event (GVariant *args)
{
  g_autoptr (GVariant) ids = g_variant_get_child_value (args, 0);
  GString *line = event ("removed");

  g_string_append (line, ",\"ids\":");
  clip_json_append_variant (line, ids);
  return line;
}

static GString *
imported_event (GVariant *args)
{
  GString *line = event ("imported");
  guint64 count;

  g_variant_get (args, "(t)", &count);
  append_id (line, "count", count);
  return line;
}

static GString *
event_of (const char *signal, GVariant *args)
{
  if (g_str_equal (signal, "EntryAdded") &&
      g_variant_is_of_type (args, G_VARIANT_TYPE ("(ta{sv})")))
    return entry_event ("added", args);
  if (g_str_equal (signal, "EntryChanged") &&
      g_variant_is_of_type (args, G_VARIANT_TYPE ("(ta{sv})")))
    return entry_event ("changed", args);
  if (g_str_equal (signal, "EntryMoved") &&
      g_variant_is_of_type (args, G_VARIANT_TYPE ("(tt)")))
    return moved_event (args);
  if (g_str_equal (signal, "EntriesRemoved") &&
      g_variant_is_of_type (args, G_VARIANT_TYPE ("(at)")))
    return removed_event (args);
  if (g_str_equal (signal, "EntriesImported") &&
      g_variant_is_of_type (args, G_VARIANT_TYPE ("(t)")))
    return imported_event (args);
  return NULL;
}

static void
on_signal (GDBusConnection *bus G_GNUC_UNUSED,
           const char *sender G_GNUC_UNUSED,
           const char *path G_GNUC_UNUSED,
           const char *interface G_GNUC_UNUSED,
           const char *signal,
           GVariant *args,
           gpointer user_data)
{
  g_autoptr (GString) line = event_of (signal, args);

  if (line)
    write_line (user_data, line);
}

static void
on_properties (GDBusConnection *bus G_GNUC_UNUSED,
               const char *sender G_GNUC_UNUSED,
               const char *path G_GNUC_UNUSED,
               const char *interface G_GNUC_UNUSED,
               const char *signal G_GNUC_UNUSED,
               GVariant *args,
               gpointer user_data)
{
  g_autoptr (GString) line = event ("state");
  g_autoptr (GVariant) changed = NULL;
  const struct
  {
    const char *property, *name;
  } shown[] = { { "PausedUntil", "paused_until_us" }, { "Backends", "backends" } };
  gsize before = line->len;

  if (!g_variant_is_of_type (args, G_VARIANT_TYPE ("(sa{sv}as)")))
    return;
  changed = g_variant_get_child_value (args, 1);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    {
      g_autoptr (GVariant) value =
          g_variant_lookup_value (changed, shown[i].property, NULL);

      if (!value)
        continue;
      g_string_append_printf (line, ",\"%s\":", shown[i].name);
      clip_json_append_variant (line, value);
    }
  if (line->len > before)
    write_line (user_data, line);
}

static void
write_running (Watch *self, gboolean running)
{
  g_autoptr (GString) line = event ("running");

  g_string_append_printf (line, ",\"running\":%s", running ? "true" : "false");
  write_line (self, line);
}

static void
on_appeared (GDBusConnection *bus G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             const char *owner G_GNUC_UNUSED,
             gpointer user_data)
{
  write_running (user_data, TRUE);
}

/* another one may have come meanwhile, which is no matter */
static gboolean
on_rested (gpointer user_data)
{
  Watch *self = user_data;

  clip_daemon_start (self->bus, FALSE, NULL);
  return G_SOURCE_REMOVE;
}

static void
on_vanished (GDBusConnection *bus G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             gpointer user_data)
{
  Watch *self = user_data;

  write_running (self, FALSE);
  if (clip_has_user_manager ())
    return;
  g_timeout_add_seconds (self->rest_s, on_rested, self);
  self->rest_s = MIN (self->rest_s * 2, LONGEST_REST_S);
}

static void
on_closed (GDBusConnection *bus G_GNUC_UNUSED,
           gboolean remote G_GNUC_UNUSED,
           GError *error,
           gpointer user_data)
{
  Watch *self = user_data;

  if (!self->error)
    g_set_error (&self->error, G_IO_ERROR, G_IO_ERROR_CLOSED,
                 _ ("the session bus has gone%s%s"), error ? ": " : "",
                 error ? error->message : "");
  g_main_loop_quit (self->loop);
}

static void
subscribe (GDBusConnection *bus, Watch *self)
{
  g_dbus_connection_signal_subscribe (bus, CLIP_BUS_NAME, CLIP_BUS_NAME, NULL,
                                      CLIP_BUS_PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE,
                                      on_signal, self, NULL);
  g_dbus_connection_signal_subscribe (
      bus, CLIP_BUS_NAME, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      CLIP_BUS_PATH, CLIP_BUS_NAME, G_DBUS_SIGNAL_FLAGS_NONE, on_properties, self, NULL);
  g_bus_watch_name_on_connection (bus, CLIP_BUS_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                  on_appeared, on_vanished, self, NULL);
  g_signal_connect (bus, "closed", G_CALLBACK (on_closed), self);
}

/* what the daemon tells is of its own history */
static gboolean
check_store (GDBusConnection *bus, const ClipCommand *command, GError **error)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, CLIP_BUS_NAME, CLIP_BUS_PATH, "org.freedesktop.DBus.Properties", "Get",
      g_variant_new ("(ss)", CLIP_BUS_NAME, "Store"), G_VARIANT_TYPE ("(v)"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, ANSWER_MS, NULL, NULL);
  g_autoptr (GVariant) value = NULL;
  const char *store;

  if (!reply)
    return TRUE;
  g_variant_get (reply, "(v)", &value);
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return TRUE;
  store = g_variant_get_string (value, NULL);
  if (clip_paths_are_one (store, command->store))
    return TRUE;
  g_set_error (
      error, CLIP_ERROR, CLIP_ERROR_OTHER_STORE,
      _ ("watch: the daemon serves the history '%s' and cannot report changes of '%s'"),
      store, command->store);
  return FALSE;
}

int
clip_cmd_watch (ClipCommand *command)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = clip_session_bus (&error);
  Watch watch = { .loop = loop, .bus = bus, .rest_s = FIRST_REST_S };

  if (!bus)
    return clip_command_fail (error);
  subscribe (bus, &watch);
  /* a watcher of a daemon that cannot be started waits for it */
  clip_daemon_start (bus, FALSE, NULL);
  if (!check_store (bus, command, &error))
    return clip_command_fail (error);
  g_main_loop_run (loop);
  error = watch.error;
  return clip_command_fail (error);
}
