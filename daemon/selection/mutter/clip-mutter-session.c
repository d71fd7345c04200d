/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls and signals of one session. Mutter sends them to the maker of the session,
 * and the bus keeps their order: a change that is heard before the answer of a call
 * happened before that call.
 */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-mutter-session.h"

#include <gio/gunixfdlist.h>

#define MANAGER_PATH "/org/gnome/Mutter/RemoteDesktop"
#define MANAGER_INTERFACE "org.gnome.Mutter.RemoteDesktop"
#define SESSION_INTERFACE MANAGER_INTERFACE ".Session"

/* a shell that is just starting, or busy, answers late */
#define CALL_MS 10000

struct ClipMutterSession
{
  guint n_refs;
  GDBusConnection *bus;
  char *peer;
  char *path; /* NULL until Mutter has made it */
  guint subscription;
  GCancellable *opening;
  const ClipMutterSessionEvents *events; /* NULL once it is closed */
  gpointer user_data;
};

ClipMutterSession *
clip_mutter_session_ref (ClipMutterSession *self)
{
  self->n_refs++;
  return self;
}

void
clip_mutter_session_unref (ClipMutterSession *self)
{
  if (--self->n_refs > 0)
    return;
  g_object_unref (self->opening);
  g_object_unref (self->bus);
  g_free (self->peer);
  g_free (self->path);
  g_free (self);
}

static void
stop_listening (ClipMutterSession *self)
{
  self->events = NULL;
  g_cancellable_cancel (self->opening);
  if (self->subscription)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  self->subscription = 0;
}

/**
 * clip_mutter_session_close:
 *
 * Hears nothing more and drops the reference of clip_mutter_session_open(). What others
 * still write into a pipe can be ended. Mutter frees its side with our connection; before
 * that it switches the clipboard off, which gives up what the session owns.
 */
void
clip_mutter_session_close (ClipMutterSession *self)
{
  if (self->events && self->path)
    g_dbus_connection_call (self->bus, self->peer, self->path, SESSION_INTERFACE,
                            "DisableClipboard", NULL, NULL, G_DBUS_CALL_FLAGS_NONE,
                            CALL_MS, NULL, NULL, NULL);
  stop_listening (self);
  clip_mutter_session_unref (self);
}

static void
tell_closed (ClipMutterSession *self, const GError *why)
{
  const ClipMutterSessionEvents *events = self->events;

  if (!events)
    return;
  stop_listening (self);
  events->closed (why, self->user_data);
}

/* Mutter wraps the list in a tuple of its own until 50, and does not from 51 on */
static char **
types_of (GVariant *options)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (options, "mime-types", NULL);
  g_autoptr (GVariant) inner = NULL;

  if (value && g_variant_is_of_type (value, G_VARIANT_TYPE ("(as)")))
    inner = g_variant_get_child_value (value, 0);
  else if (value && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    inner = g_variant_ref (value);
  return inner ? g_variant_dup_strv (inner, NULL) : NULL;
}

static void
hear_change (ClipMutterSession *self, GVariant *parameters)
{
  g_autoptr (GVariant) options = g_variant_get_child_value (parameters, 0);
  g_auto (GStrv) mimes = types_of (options);
  gboolean own = FALSE;

  g_variant_lookup (options, "session-is-owner", "b", &own);
  self->events->changed ((const char *const *) mimes, own, self->user_data);
}

static void
hear_request (ClipMutterSession *self, GVariant *parameters)
{
  const char *mime;
  guint32 serial;

  g_variant_get (parameters, "(&su)", &mime, &serial);
  self->events->asked (mime, serial, self->user_data);
}

static void
on_signal (GDBusConnection *bus G_GNUC_UNUSED,
           const char *sender G_GNUC_UNUSED,
           const char *path G_GNUC_UNUSED,
           const char *interface G_GNUC_UNUSED,
           const char *name,
           GVariant *parameters,
           gpointer user_data)
{
  ClipMutterSession *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!self->events)
    return;
  if (self->events->changed && g_str_equal (name, "SelectionOwnerChanged") &&
      g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(a{sv})")))
    hear_change (self, parameters);
  else if (self->events->asked && g_str_equal (name, "SelectionTransfer") &&
           g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(su)")))
    hear_request (self, parameters);
  else if (g_str_equal (name, "Closed"))
    {
      error = g_error_new (G_IO_ERROR, G_IO_ERROR_CLOSED, "the session was closed");
      tell_closed (self, error);
    }
}

static void
on_enabled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipMutterSession) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (!answer)
    {
      g_dbus_error_strip_remote_error (error);
      g_prefix_error (&error, "enable the clipboard: ");
      tell_closed (self, error);
    }
  else if (self->events)
    self->events->opened (self->user_data);
}

static void
on_created (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipMutterSession) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (!answer)
    {
      g_dbus_error_strip_remote_error (error);
      g_prefix_error (&error, "create a session: ");
      tell_closed (self, error);
      return;
    }
  g_variant_get (answer, "(o)", &self->path);
  if (!self->events)
    return;
  self->subscription = g_dbus_connection_signal_subscribe (
      self->bus, self->peer, SESSION_INTERFACE, NULL, self->path, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, on_signal, clip_mutter_session_ref (self),
      (GDestroyNotify) clip_mutter_session_unref);
  g_dbus_connection_call (self->bus, self->peer, self->path, SESSION_INTERFACE,
                          "EnableClipboard", g_variant_new ("(a{sv})", NULL), NULL,
                          G_DBUS_CALL_FLAGS_NONE, CALL_MS, self->opening, on_enabled,
                          clip_mutter_session_ref (self));
}

/**
 * clip_mutter_session_open:
 * @peer: the unique name of the owner of %CLIP_MUTTER_NAME
 * @events: called on the thread's default main context until "closed", which comes for
 * in spite of errors, or until clip_mutter_session_close()
 */
ClipMutterSession *
clip_mutter_session_open (GDBusConnection *bus,
                          const char *peer,
                          const ClipMutterSessionEvents *events,
                          gpointer user_data)
{
  ClipMutterSession *self = g_new0 (ClipMutterSession, 1);

  self->n_refs = 1;
  self->bus = g_object_ref (bus);
  self->peer = g_strdup (peer);
  self->opening = g_cancellable_new ();
  self->events = events;
  self->user_data = user_data;
  g_dbus_connection_call (bus, peer, MANAGER_PATH, MANAGER_INTERFACE, "CreateSession",
                          NULL, G_VARIANT_TYPE ("(o)"), G_DBUS_CALL_FLAGS_NONE, CALL_MS,
                          self->opening, on_created, clip_mutter_session_ref (self));
  return self;
}

/* --- calls --- */

/* what a call brought: nothing, or a descriptor */
static void
on_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), &fds, result, &error);
  gint32 index;
  int fd = -1;

  if (answer && g_variant_is_of_type (answer, G_VARIANT_TYPE ("(h)")))
    {
      g_variant_get (answer, "(h)", &index);
      if (fds)
        fd = g_unix_fd_list_get (fds, index, &error);
      else
        g_set_error (&error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "no descriptor came");
    }
  if (error)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_int (task, fd);
}

static void
call_on (ClipMutterSession *self,
         const char *interface,
         const char *method,
         GVariant *parameters,
         GCancellable *cancellable,
         GAsyncReadyCallback callback,
         gpointer user_data)
{
  GTask *task = g_task_new (NULL, NULL, callback, user_data);

  g_task_set_source_tag (task, call_on);
  g_dbus_connection_call_with_unix_fd_list (
      self->bus, self->peer, self->path, interface, method, parameters, NULL,
      G_DBUS_CALL_FLAGS_NONE, CALL_MS, NULL, cancellable, on_answered, task);
}

static void
call (ClipMutterSession *self,
      const char *method,
      GVariant *parameters,
      GCancellable *cancellable,
      GAsyncReadyCallback callback,
      gpointer user_data)
{
  call_on (self, SESSION_INTERFACE, method, parameters, cancellable, callback, user_data);
}

/**
 * clip_mutter_session_select_async:
 * @mimes: (nullable): what to own the clipboard with; %NULL gives it up
 *
 * Only once it is opened, as all calls.
 */
void
clip_mutter_session_select_async (ClipMutterSession *self,
                                  const char *const *mimes,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (mimes)
    g_variant_builder_add (&options, "{sv}", "mime-types",
                           g_variant_new_strv (mimes, -1));
  call (self, "SetSelection", g_variant_new ("(a{sv})", &options), NULL, callback,
        user_data);
}

/* a descriptor to read from: of the owner of the clipboard when the call arrives */
void
clip_mutter_session_read_async (ClipMutterSession *self,
                                const char *mime,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  call (self, "SelectionRead", g_variant_new ("(s)", mime), cancellable, callback,
        user_data);
}

/* An error where it has been closed, also where that has not been heard yet: Mutter ends
 * what is being read then. */
void
clip_mutter_session_check_async (ClipMutterSession *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  call_on (self, "org.freedesktop.DBus.Properties", "GetAll",
           g_variant_new ("(s)", SESSION_INTERFACE), cancellable, callback, user_data);
}

/* a descriptor to write to; clip_mutter_session_written() when that has ended */
void
clip_mutter_session_write_async (ClipMutterSession *self,
                                 guint32 serial,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  call (self, "SelectionWrite", g_variant_new ("(u)", serial), NULL, callback, user_data);
}

/* (transfer full) @out_fd: (nullable): -1 where none was asked for */
gboolean
clip_mutter_session_finish (GAsyncResult *result, int *out_fd, GError **error)
{
  g_autoptr (GError) local = NULL;
  int fd = (int) g_task_propagate_int (G_TASK (result), &local);

  if (out_fd)
    *out_fd = fd;
  if (!local)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

void
clip_mutter_session_written (ClipMutterSession *self, guint32 serial, gboolean whole)
{
  g_dbus_connection_call (self->bus, self->peer, self->path, SESSION_INTERFACE,
                          "SelectionWriteDone", g_variant_new ("(ub)", serial, whole),
                          NULL, G_DBUS_CALL_FLAGS_NONE, CALL_MS, NULL, NULL, NULL);
}
