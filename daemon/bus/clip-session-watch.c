/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * That the screen is locked is known to clip-screen-lock; that logind is asked to have it
 * locked is heard here, as not everybody who locks it then says so.
 *
 * A daemon that is told to end cannot know why; logind does. What it missed, because
 * power went or there is no logind, the next one makes up for: it sees that the user has
 * logged in anew.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-session-watch.h"

#include "clip-login.h"
#include "clip-sent-fds.h"

#include <unistd.h>

#define LOGIN "org.freedesktop.login1"
#define LOGIN_PATH "/org/freedesktop/login1"
/* how long logind may take to say what the daemon, which is about to end, has to know */
#define ANSWER_MS 1000

struct ClipSessionWatch
{
  ClipHistory *history;
  ClipScreenLock *lock; /* (nullable) */
  GCancellable *stopping;
  GDBusConnection *system;
  GArray *subscriptions; /* of guint */
  gboolean lacks_logind;
  void (*on_no_logind) (gpointer user_data);
  gpointer user_data;
};

static void
on_cleared (GObject *source, GAsyncResult *result, gpointer user_data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  if (!clip_history_clear_finish (CLIP_HISTORY (source), result, &error))
    g_warning ("the history could not be emptied: %s", error->message);
}

static void
clear_on (ClipSessionWatch *self, const char *event)
{
  if (!clip_history_clears_on (self->history, event))
    return;
  g_message ("the history is emptied: %s", event);
  clip_history_clear_async (self->history, on_cleared, NULL);
}

static void
on_locked (gpointer user_data)
{
  clear_on (user_data, "lock");
}

static void
on_user (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) user = NULL;
  guint32 uid = 0;

  if (!reply)
    return; /* it may be that the watch is gone */
  g_variant_get (reply, "(v)", &user);
  if (!g_variant_is_of_type (user, G_VARIANT_TYPE ("(uo)")))
    return;
  g_variant_get (user, "(uo)", &uid, NULL);
  if (uid == getuid ())
    clear_on (user_data, "lock");
}

/* the session of another user is none of our business */
static void
ask_user (ClipSessionWatch *self, const char *path)
{
  g_dbus_connection_call (self->system, LOGIN, path, "org.freedesktop.DBus.Properties",
                          "Get", g_variant_new ("(ss)", LOGIN ".Session", "User"),
                          G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1,
                          self->stopping, on_user, self);
}

static void
on_lock (GDBusConnection *connection G_GNUC_UNUSED,
         const char *sender G_GNUC_UNUSED,
         const char *path,
         const char *interface G_GNUC_UNUSED,
         const char *signal G_GNUC_UNUSED,
         GVariant *parameters G_GNUC_UNUSED,
         gpointer user_data)
{
  ask_user (user_data, path);
}

static void
on_shutdown (GDBusConnection *connection G_GNUC_UNUSED,
             const char *sender G_GNUC_UNUSED,
             const char *path G_GNUC_UNUSED,
             const char *interface G_GNUC_UNUSED,
             const char *signal G_GNUC_UNUSED,
             GVariant *parameters,
             gpointer user_data)
{
  gboolean begins = FALSE;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(b)")))
    return;
  g_variant_get (parameters, "(b)", &begins);
  if (begins)
    clear_on (user_data, "logout");
}

static const struct
{
  const char *interface;
  const char *signal;
  GDBusSignalCallback callback;
} watched[] = {
  { LOGIN ".Session", "Lock", on_lock },
  { LOGIN ".Manager", "PrepareForShutdown", on_shutdown },
};

static void
subscribe (ClipSessionWatch *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    {
      guint id = g_dbus_connection_signal_subscribe (
          self->system, LOGIN, watched[i].interface, watched[i].signal, NULL, NULL,
          G_DBUS_SIGNAL_FLAGS_NONE, watched[i].callback, self, NULL);

      g_array_append_val (self->subscriptions, id);
    }
}

static void
lack_logind (ClipSessionWatch *self)
{
  self->lacks_logind = TRUE;
  self->on_no_logind (self->user_data);
}

static void
on_owner (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  gboolean is_there = FALSE;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (reply)
    g_variant_get (reply, "(b)", &is_there);
  if (!is_there)
    lack_logind (user_data);
}

static void
on_system_bus (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  ClipSessionWatch *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = g_bus_get_finish (result, &error);

  if (!connection)
    {
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return;
      g_info ("no service tells of locked sessions: %s", error->message);
      lack_logind (self);
      return;
    }
  g_dbus_connection_set_exit_on_close (connection, FALSE);
  clip_sent_fds_watch (connection);
  /* a caller that asked whether the session is over may have had to fetch it before */
  g_set_object (&self->system, connection);
  subscribe (self);
  g_dbus_connection_call (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", "NameHasOwner",
                          g_variant_new ("(s)", LOGIN), G_VARIANT_TYPE ("(b)"),
                          G_DBUS_CALL_FLAGS_NONE, -1, self->stopping, on_owner, self);
}

/**
 * clip_session_watch_new:
 * @lock: (nullable): outlives the watch
 * @on_no_logind: called later, where no logind tells when a session ends
 *
 * Empties the history at once where it should have been emptied when the user left.
 */
ClipSessionWatch *
clip_session_watch_new (ClipHistory *history,
                        ClipScreenLock *lock,
                        void (*on_no_logind) (gpointer user_data),
                        gpointer user_data)
{
  ClipSessionWatch *self = g_new0 (ClipSessionWatch, 1);

  self->history = g_object_ref (history);
  self->stopping = g_cancellable_new ();
  self->lock = lock;
  self->on_no_logind = on_no_logind;
  self->user_data = user_data;
  self->subscriptions = g_array_new (FALSE, FALSE, sizeof (guint));
  if (clip_login_is_new (clip_history_store (history)))
    clear_on (self, "logout");
  if (lock)
    clip_screen_lock_follow (lock, on_locked, self);
  g_bus_get (G_BUS_TYPE_SYSTEM, self->stopping, on_system_bus, self);
  return self;
}

void
clip_session_watch_free (ClipSessionWatch *self)
{
  if (!self)
    return;
  g_cancellable_cancel (self->stopping);
  if (self->lock)
    clip_screen_lock_follow (self->lock, NULL, NULL);
  for (guint i = 0; i < self->subscriptions->len; i++)
    g_dbus_connection_signal_unsubscribe (self->system,
                                          g_array_index (self->subscriptions, guint, i));
  g_array_unref (self->subscriptions);
  g_clear_object (&self->system);
  g_clear_object (&self->stopping);
  g_clear_object (&self->history);
  g_free (self);
}

/* also before it is known that there is none */
gboolean
clip_session_watch_has_logind (ClipSessionWatch *self)
{
  return !self->lacks_logind;
}

/* (nullable) */
static GVariant *
get_property (ClipSessionWatch *self,
              const char *path,
              const char *interface,
              const char *property)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->system, LOGIN, path, "org.freedesktop.DBus.Properties", "Get",
      g_variant_new ("(ss)", interface, property), G_VARIANT_TYPE ("(v)"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, ANSWER_MS, NULL, NULL);
  GVariant *value = NULL;

  if (reply)
    g_variant_get (reply, "(v)", &value);
  return value;
}

/**
 * clip_session_watch_is_over:
 *
 * Waits for logind, a second at most: for a daemon that is told to end.
 *
 * Returns: whether that is because the user leaves, and the history has to be emptied
 * then
 */
gboolean
clip_session_watch_is_over (ClipSessionWatch *self)
{
  g_autofree char *path = g_strdup_printf (LOGIN_PATH "/user/_%u", getuid ());
  g_autoptr (GVariant) state = NULL;
  g_autoptr (GVariant) shutdown = NULL;
  const char *word;

  if (!clip_history_clears_on (self->history, "logout"))
    return FALSE;
  /* it may be ending before it had begun */
  if (!self->system)
    self->system = g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);
  if (!self->system)
    return FALSE;
  shutdown = get_property (self, LOGIN_PATH, LOGIN ".Manager", "PreparingForShutdown");
  if (shutdown && g_variant_is_of_type (shutdown, G_VARIANT_TYPE_BOOLEAN) &&
      g_variant_get_boolean (shutdown))
    return TRUE;
  state = get_property (self, path, LOGIN ".User", "State");
  if (!state || !g_variant_is_of_type (state, G_VARIANT_TYPE_STRING))
    return FALSE;
  word = g_variant_get_string (state, NULL);
  return !g_str_equal (word, "active") && !g_str_equal (word, "online");
}
