/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-call.h"

typedef struct
{
  GDBusConnection *connection; /* (nullable): until there is one */
  char *method;
  GVariant *arguments;
  GUnixFDList *fds;     /* (nullable) */
  GUnixFDList *replied; /* (nullable): what came with the answer */
  int timeout_ms;
} Call;

static void
call_free (Call *self)
{
  g_clear_object (&self->connection);
  g_free (self->method);
  g_variant_unref (self->arguments);
  g_clear_object (&self->fds);
  g_clear_object (&self->replied);
  g_free (self);
}

static void
on_replied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Call *call = g_task_get_task_data (task);
  GError *error = NULL;
  GVariant *reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), &call->replied, result, &error);

  if (reply)
    g_task_return_pointer (task, reply, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, cliphist_error_from_call (error));
}

static void
send_call (GTask *task, GDBusConnection *connection)
{
  Call *call = g_task_get_task_data (task);

  call->connection = g_object_ref (connection);
  g_dbus_connection_call_with_unix_fd_list (
      connection, CLIPHIST_BUS_NAME, CLIPHIST_BUS_PATH, CLIPHIST_BUS_NAME, call->method,
      call->arguments, NULL, G_DBUS_CALL_FLAGS_NONE, call->timeout_ms, call->fds,
      g_task_get_cancellable (task), on_replied, g_object_ref (task));
}

static void
on_bus (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GDBusConnection) connection = g_bus_get_finish (result, &error);

  if (connection)
    send_call (task, connection);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, error);
  else
    {
      g_task_return_new_error (task, CLIPHIST_ERROR, CLIPHIST_ERROR_UNAVAILABLE, "%s",
                               error->message);
      g_error_free (error);
    }
}

void
cliphist_call_async (GDBusConnection *connection,
                     const char *method,
                     GVariant *arguments,
                     GUnixFDList *fds,
                     int timeout_ms,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Call *call = g_new0 (Call, 1);

  /* so that GDBus knows the names of errors */
  (void) CLIPHIST_ERROR;
  call->method = g_strdup (method);
  call->arguments = g_variant_ref_sink (arguments);
  call->fds = fds ? g_object_ref (fds) : NULL;
  call->timeout_ms = timeout_ms;
  g_task_set_source_tag (task, cliphist_call_async);
  g_task_set_task_data (task, call, (GDestroyNotify) call_free);
  if (connection)
    send_call (task, connection);
  else
    g_bus_get (G_BUS_TYPE_SESSION, cancellable, on_bus, g_object_ref (task));
}

/* a callback of cliphist_call_async (): the task, which it takes, gets the reply, or the
   error */
void
cliphist_call_return (GObject *source G_GNUC_UNUSED,
                      GAsyncResult *result,
                      gpointer task_take)
{
  g_autoptr (GTask) task = task_take;
  GError *error = NULL;
  GVariant *reply = cliphist_call_finish (result, NULL, &error);

  if (reply)
    g_task_return_pointer (task, reply, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, error);
}

/* (transfer floating) */
GVariant *
cliphist_call_no_options (void)
{
  return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0);
}

/* (transfer full). @out_fds: (out) (transfer full) (nullable) (optional). Errors:
 * CLIPHIST_ERROR, G_IO_ERROR_CANCELLED. */
GVariant *
cliphist_call_finish (GAsyncResult *result, GUnixFDList **out_fds, GError **error)
{
  Call *call = g_task_get_task_data (G_TASK (result));

  if (out_fds)
    *out_fds = g_steal_pointer (&call->replied);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* (transfer none): over which an answer came; @result has been finished without error */
GDBusConnection *
cliphist_call_connection (GAsyncResult *result)
{
  const Call *call = g_task_get_task_data (G_TASK (result));

  return call->connection;
}
