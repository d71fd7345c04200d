/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "notify-server.h"

#define NAME "org.freedesktop.Notifications"
#define PATH "/org/freedesktop/Notifications"

const char *const notify_server_all[] = { "actions", "body", "body-markup", NULL };
const char *const notify_server_least[] = { "body", NULL };

static const char xml[] =
    "<node><interface name='" NAME "'>"
    "<method name='GetCapabilities'><arg type='as' direction='out'/></method>"
    "<method name='GetServerInformation'><arg type='s' direction='out'/>"
    "<arg type='s' direction='out'/><arg type='s' direction='out'/>"
    "<arg type='s' direction='out'/></method>"
    "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='as' direction='in'/>"
    "<arg type='a{sv}' direction='in'/><arg type='i' direction='in'/>"
    "<arg type='u' direction='out'/></method>"
    "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
    "</interface></node>";

static void
note_free (gpointer data)
{
  ServerNote *self = data;

  g_free (self->icon);
  g_free (self->summary);
  g_free (self->body);
  g_strfreev (self->actions);
  g_variant_unref (self->hints);
  g_free (self);
}

/* one that is replaced keeps its id */
static guint32
keep (NotifyServer *self, GVariant *parameters)
{
  ServerNote *note = g_new0 (ServerNote, 1);
  char *image;

  g_variant_get (parameters, "(susss^as@a{sv}i)", NULL, &note->replaces, &note->icon,
                 &note->summary, &note->body, &note->actions, &note->hints,
                 &note->timeout_ms);
  /* libnotify 0.8.8 and later name the icon in a hint */
  if (note->icon[0] == '\0' && g_variant_lookup (note->hints, "image-path", "s", &image))
    {
      g_free (note->icon);
      note->icon = image;
    }
  note->id = note->replaces ? note->replaces : self->notes->len + 1;
  g_ptr_array_add (self->notes, note);
  return note->id;
}

static void
emit (NotifyServer *self, const char *name, GVariant *parameters)
{
  g_dbus_connection_emit_signal (self->connection, NULL, PATH, NAME, name, parameters,
                                 NULL);
}

static void
on_call (GDBusConnection *connection G_GNUC_UNUSED,
         const char *sender G_GNUC_UNUSED,
         const char *path G_GNUC_UNUSED,
         const char *interface G_GNUC_UNUSED,
         const char *method,
         GVariant *parameters,
         GDBusMethodInvocation *invocation,
         gpointer user_data)
{
  NotifyServer *self = user_data;
  GVariant *answer = NULL;
  guint32 id;

  if (self->is_stuck)
    {
      g_ptr_array_add (self->unanswered, invocation);
      return;
    }
  if (g_str_equal (method, "GetCapabilities"))
    answer = g_variant_new ("(^as)", self->capabilities);
  else if (g_str_equal (method, "GetServerInformation"))
    answer = g_variant_new ("(ssss)", "tests", "cliphist", "1", "1.2");
  else if (g_str_equal (method, "Notify"))
    answer = g_variant_new ("(u)", keep (self, parameters));
  else
    {
      g_variant_get (parameters, "(u)", &id);
      g_array_append_val (self->closed, id);
      emit (self, "NotificationClosed", g_variant_new ("(uu)", id, 3));
    }
  g_dbus_method_invocation_return_value (invocation, answer);
}

/* answers everything that it has not */
void
notify_server_recover (NotifyServer *self)
{
  self->is_stuck = FALSE;
  while (self->unanswered->len > 0)
    {
      GDBusMethodInvocation *invocation = g_ptr_array_steal_index (self->unanswered, 0);

      on_call (NULL, NULL, NULL, NULL,
               g_dbus_method_invocation_get_method_name (invocation),
               g_dbus_method_invocation_get_parameters (invocation), invocation, self);
    }
}

static void
own_name (NotifyServer *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus", "RequestName", g_variant_new ("(su)", NAME, 4), NULL,
      G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (reply);
}

/* on the main context that is the thread's default now */
NotifyServer *
notify_server_new (const char *address, const char *const *capabilities)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_call };
  NotifyServer *self = g_new0 (NotifyServer, 1);
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (xml, NULL);
  g_autoptr (GError) error = NULL;

  self->capabilities = capabilities;
  self->notes = g_ptr_array_new_with_free_func (note_free);
  self->closed = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->unanswered = g_ptr_array_new_with_free_func (g_object_unref);
  self->connection = g_dbus_connection_new_for_address_sync (
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);
  g_assert_no_error (error);
  self->object_id = g_dbus_connection_register_object (
      self->connection, PATH, node->interfaces[0], &vtable, self, NULL, &error);
  g_assert_no_error (error);
  own_name (self);
  return self;
}

void
notify_server_free (NotifyServer *self)
{
  g_dbus_connection_unregister_object (self->connection, self->object_id);
  g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_object_unref (self->connection);
  g_ptr_array_unref (self->notes);
  g_ptr_array_unref (self->unanswered);
  g_array_unref (self->closed);
  g_free (self);
}

/* (transfer none) (nullable) */
const ServerNote *
notify_server_last (NotifyServer *self)
{
  return self->notes->len ? self->notes->pdata[self->notes->len - 1] : NULL;
}

/* (transfer full) (nullable): of the last one, as text */
char *
notify_server_hint (NotifyServer *self, const char *key)
{
  const ServerNote *note = notify_server_last (self);
  g_autoptr (GVariant) value = g_variant_lookup_value (note->hints, key, NULL);

  return value ? g_variant_print (value, FALSE) : NULL;
}

/* somebody chooses what the last one offers */
void
notify_server_click (NotifyServer *self)
{
  const ServerNote *note = notify_server_last (self);

  g_assert_nonnull (note->actions[0]);
  emit (self, "ActionInvoked", g_variant_new ("(us)", note->id, note->actions[0]));
}

/* somebody closes the last one */
void
notify_server_dismiss (NotifyServer *self)
{
  emit (self, "NotificationClosed",
        g_variant_new ("(uu)", notify_server_last (self)->id, 2));
}
