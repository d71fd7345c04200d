/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The methods that write many entries into the caller's descriptor. */
#include "clip-bus-private.h"
#include "clip-call-stream.h"
#include "clip-convert.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"

#include <gio/gunixfdlist.h>

#define DEFAULT_WIDTH 100

/* --- Print --- */

/* how the lines look, and which there are: without a limit, all */
typedef struct
{
  ClipRowFormat format;
  guint32 width;
  guint32 limit;
} Shape;

static gboolean
convert_shape (GVariant *options, Shape *shape, GError **error)
{
  const char *name = "cliphist";

  *shape = (Shape){ .width = DEFAULT_WIDTH };
  if (!clip_convert_option (options, "format", "s", &name, error) ||
      !clip_convert_option (options, "width", "u", &shape->width, error) ||
      !clip_convert_number (options, "limit", G_MAXUINT32, &shape->limit, error))
    return FALSE;
  if (clip_row_format_from_name (name, &shape->format))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT, "unknown format '%s'",
               name);
  return FALSE;
}

static void
on_printed (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  gint64 rows = clip_call_print_finish (result, &error);

  if (rows < 0)
    {
      clip_bus_return_error (call->invocation, error);
      return;
    }
  clip_bus_progress_end (call->progress);
  clip_dbus_history_complete_print (NULL, call->invocation, NULL, (guint64) rows);
}

static gboolean
on_print (ClipBus *self,
          GDBusMethodInvocation *invocation,
          GUnixFDList *sent,
          GVariant *options,
          GVariant *sink)
{
  g_auto (ClipBusQuery) query = { 0 };
  g_autoptr (GError) error = NULL;
  clip_autofd_foreign int fd = clip_bus_take_fd (sent, sink, &error);
  ClipBusCall *call = NULL;
  Shape shape;

  if (fd >= 0 && clip_convert_query (options, &query, &error) &&
      convert_shape (options, &shape, &error))
    call = clip_bus_call_begin_transfer (self, invocation, 0, "out", options, &error);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  query.query.limit = shape.limit;
  clip_call_print_async (self->history, &query.query, shape.format, shape.width,
                         g_steal_fd (&fd), clip_bus_call_progress (call),
                         call->cancellable, on_printed, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* --- Join --- */

static GArray *
take_ids (ClipBus *self, GVariant *ids, GError **error)
{
  gsize n;
  const guint64 *array = g_variant_get_fixed_array (ids, &n, sizeof *array);
  GArray *taken;

  if (!clip_convert_check_ids (n, error))
    return NULL;
  taken = g_array_sized_new (FALSE, FALSE, sizeof (gint64), (guint) n);
  for (gsize i = 0; i < n; i++)
    {
      gint64 id = clip_bus_resolve (self, array[i]);

      g_array_append_val (taken, id);
    }
  return taken;
}

/* (transfer full): empty where there is none */
static GVariant *
take_separator (GVariant *options, GError **error)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (options, "separator", NULL);

  if (!value)
    return g_variant_ref_sink (
        g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, NULL, 0, 1));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BYTESTRING))
    return g_steal_pointer (&value);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "option 'separator' is of type %s instead of ay",
               g_variant_get_type_string (value));
  return NULL;
}

static ClipJoin *
make_join (ClipBus *self, GVariant *ids, GVariant *options, GError **error)
{
  g_autoptr (GArray) taken = take_ids (self, ids, error);
  g_autoptr (GVariant) separator = taken ? take_separator (options, error) : NULL;
  const char *mime = NULL;

  if (!separator ||
      !clip_convert_text (options, "mime", CLIP_MIME_MAX_LENGTH, &mime, error))
    return NULL;
  return clip_join_new ((const gint64 *) taken->data, taken->len,
                        g_variant_get_data (separator), g_variant_get_size (separator),
                        mime, error);
}

static void
on_joined (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  goffset bytes = clip_call_join_finish (result, &error);

  if (bytes < 0)
    {
      clip_bus_return_error (call->invocation, error);
      return;
    }
  clip_bus_progress_end (call->progress);
  clip_dbus_history_complete_join (NULL, call->invocation, NULL, (guint64) bytes);
}

static gboolean
on_join (ClipBus *self,
         GDBusMethodInvocation *invocation,
         GUnixFDList *sent,
         GVariant *ids,
         GVariant *sink,
         GVariant *options)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipJoin) join = NULL;
  clip_autofd_foreign int fd = clip_bus_take_fd (sent, sink, &error);
  ClipBusCall *call = NULL;

  if (fd >= 0)
    join = make_join (self, ids, options, &error);
  if (join)
    call = clip_bus_call_begin_transfer (self, invocation, 0, "out", options, &error);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  clip_call_join_async (self->history, g_steal_pointer (&join), g_steal_fd (&fd),
                        clip_bus_call_progress (call), call->cancellable, on_joined,
                        call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

void
clip_bus_connect_streams (ClipBus *self)
{
  static const ClipBusHandler handlers[] = {
    { "handle-print", G_CALLBACK (on_print) },
    { "handle-join", G_CALLBACK (on_join) },
  };

  clip_bus_connect (self, handlers, G_N_ELEMENTS (handlers));
}
