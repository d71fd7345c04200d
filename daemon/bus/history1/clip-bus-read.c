/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The methods that look. A handler is three moves: check, call, complete. */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-bus-private.h"
#include "clip-bus-thumbnail.h"
#include "clip-call-send.h"
#include "clip-convert.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"

#include <gio/gunixfdlist.h>

#define DEFAULT_PAGE 100
#define MAX_PAGE 1000

static GVariant *
make_page (GPtrArray *entries)
{
  GVariantBuilder page;

  g_variant_builder_init (&page, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < entries->len; i++)
    g_variant_builder_add_value (
        &page, clip_convert_entry (g_ptr_array_index (entries, i), FALSE));
  return g_variant_builder_end (&page);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  ClipBacklog *backlog = call->bus->backlog;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries =
      clip_store_list_finish (CLIP_STORE (source), result, &error);
  GVariant *page;

  if (!entries || !clip_backlog_has_room (backlog, call->invocation, &error))
    {
      clip_bus_return_error (call->invocation, error);
      return;
    }
  page = make_page (entries);
  clip_backlog_add_page (backlog, call->invocation, page);
  clip_dbus_history_complete_list (NULL, call->invocation, page);
}

static gboolean
on_list (ClipBus *self, GDBusMethodInvocation *invocation, GVariant *options)
{
  g_auto (ClipBusQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = NULL;
  guint32 limit = DEFAULT_PAGE;

  if (clip_convert_query (options, &query, &error) &&
      clip_convert_number (options, "limit", MAX_PAGE, &limit, &error) &&
      clip_backlog_has_room (self->backlog, invocation, &error))
    call = clip_bus_call_begin (self, invocation, &error);
  query.query.limit = limit;
  if (call)
    query.query.turn = clip_callers_turn (self->callers, call->cancellable);
  if (call)
    clip_store_list_async (clip_history_store (self->history), &query.query,
                           call->cancellable, on_listed, call);
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry =
      clip_store_lookup_finish (CLIP_STORE (source), result, &error);

  if (entry)
    clip_dbus_history_complete_lookup (NULL, call->invocation,
                                       clip_convert_entry (entry, TRUE));
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_lookup (ClipBus *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = clip_bus_call_begin (self, invocation, &error);

  if (call)
    clip_store_lookup_async (clip_history_store (self->history),
                             clip_bus_resolve (self, id), on_looked_up, call);
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
may_send (const ClipPayload *payload, gpointer user_data, GError **error)
{
  ClipBusCall *call = user_data;

  return !call->bus->callers ||
         clip_callers_grow (call->bus->callers, payload->size, error);
}

/* the reply goes out before the first byte: the pipe is filled while the caller reads */
static gboolean
on_pipe_opened (const ClipPayload *payload, gpointer user_data, GError **error)
{
  ClipBusCall *call = user_data;
  g_autoptr (GUnixFDList) fds = NULL;
  int fd;

  if (!may_send (payload, call, error))
    return FALSE;
  fd = g_steal_fd (&call->fd);
  fds = g_unix_fd_list_new_from_array (&fd, 1);
  clip_dbus_history_complete_open (NULL, call->invocation, fds, g_variant_new_handle (0),
                                   (guint64) payload->size, payload->mime);
  return TRUE;
}

static void
on_pipe_filled (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_call_send_finish (result, &error) >= 0)
    {
      clip_bus_progress_end (call->progress);
      return;
    }
  if (call->fd >= 0)
    clip_bus_return_error (call->invocation, error);
  else
    g_debug ("a pipe was not filled: %s", error->message);
}

static gboolean
on_open (ClipBus *self,
         GDBusMethodInvocation *invocation,
         GUnixFDList *sent G_GNUC_UNUSED,
         guint64 id,
         const char *mime,
         GVariant *options)
{
  gint64 resolved = clip_bus_resolve (self, id);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipBusCall) call =
      clip_convert_check_length ("mime", mime, CLIP_MIME_MAX_LENGTH, &error)
          ? clip_bus_call_begin_transfer (self, invocation, (guint64) resolved, "out",
                                          options, &error)
          : NULL;
  int fds[2];

  if (!call || !clip_pipe (fds, &error))
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  call->fd = fds[0];
  clip_call_send_async (self->history, resolved, mime, fds[1], on_pipe_opened,
                        clip_bus_call_progress (call), call->cancellable, on_pipe_filled,
                        call);
  g_steal_pointer (&call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_sent (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  goffset bytes = clip_call_send_finish (result, &error);

  if (bytes < 0)
    {
      clip_bus_return_error (call->invocation, error);
      return;
    }
  clip_bus_progress_end (call->progress);
  clip_dbus_history_complete_send (NULL, call->invocation, NULL, (guint64) bytes);
}

static gboolean
on_send (ClipBus *self,
         GDBusMethodInvocation *invocation,
         GUnixFDList *sent,
         guint64 id,
         const char *mime,
         GVariant *sink,
         GVariant *options)
{
  gint64 resolved = clip_bus_resolve (self, id);
  g_autoptr (GError) error = NULL;
  clip_autofd_foreign int fd = clip_bus_take_fd (sent, sink, &error);
  g_autoptr (ClipBusCall) call =
      fd >= 0 && clip_convert_check_length ("mime", mime, CLIP_MIME_MAX_LENGTH, &error)
          ? clip_bus_call_begin_transfer (self, invocation, (guint64) resolved, "out",
                                          options, &error)
          : NULL;

  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  clip_call_send_async (self->history, resolved, mime, g_steal_fd (&fd), may_send,
                        clip_bus_call_progress (call), call->cancellable, on_sent, call);
  g_steal_pointer (&call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_thumbnail_found (GObject *source G_GNUC_UNUSED,
                    GAsyncResult *result,
                    gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GUnixFDList) fds = NULL;
  int fd = clip_bus_thumbnail_finish (result, &error);

  if (fd < 0)
    {
      clip_bus_return_error (call->invocation, error);
      return;
    }
  fds = g_unix_fd_list_new_from_array (&fd, 1);
  clip_dbus_history_complete_thumbnail (NULL, call->invocation, fds,
                                        g_variant_new_handle (0));
}

static gboolean
on_thumbnail (ClipBus *self,
              GDBusMethodInvocation *invocation,
              GUnixFDList *sent G_GNUC_UNUSED,
              guint64 id,
              GVariant *options)
{
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = NULL;
  guint32 pixels = CLIP_BUS_THUMBNAIL_PIXELS;

  if (clip_convert_number (options, "size", CLIP_BUS_THUMBNAIL_MAX_PIXELS, &pixels,
                           &error))
    call = clip_bus_call_begin (self, invocation, &error);
  if (call)
    clip_bus_thumbnail_async (clip_store_dir (clip_history_store (self->history)),
                              clip_bus_resolve (self, id), pixels,
                              clip_gate_pid (self->gate, invocation), call->cancellable,
                              on_thumbnail_found, call);
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

void
clip_bus_connect_reads (ClipBus *self)
{
  static const ClipBusHandler handlers[] = {
    { "handle-list", G_CALLBACK (on_list) },
    { "handle-lookup", G_CALLBACK (on_lookup) },
    { "handle-open", G_CALLBACK (on_open) },
    { "handle-send", G_CALLBACK (on_send) },
    { "handle-thumbnail", G_CALLBACK (on_thumbnail) },
  };

  clip_bus_connect (self, handlers, G_N_ELEMENTS (handlers));
}
