/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a program on the bus answers in the name of another. Here we are that bus. */
#include "bus-pair.h"
#include "clip-answers.h"

#include <gio/gio.h>

#define BUS "org.freedesktop.DBus"

typedef struct
{
  GDBusConnection *bus;
  GDBusConnection *client;
} Pair;

static void
answer (GDBusConnection *bus, GDBusMessage *call, const char *sender, guint32 ahead)
{
  g_autoptr (GDBusMessage) reply = g_dbus_message_new_method_reply (call);

  g_dbus_message_set_reply_serial (reply, g_dbus_message_get_serial (call) + ahead);
  g_dbus_message_set_sender (reply, sender);
  g_dbus_message_set_body (reply, g_variant_new ("(s)", sender));
  g_dbus_connection_send_message (bus, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
}

/* a stranger is quicker than who is called */
static GDBusMessage *
on_call (GDBusConnection *bus,
         GDBusMessage *message_take,
         gboolean incoming,
         gpointer user_data G_GNUC_UNUSED)
{
  const char *called = g_dbus_message_get_destination (message_take);

  if (!incoming)
    return message_take;
  answer (bus, message_take, ":1.5", 1);
  answer (bus, message_take, ":1.5", 0);
  answer (bus, message_take, called, 0);
  g_object_unref (message_take);
  return NULL;
}

static void
set_up (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  bus_pair_connect (&self->bus, &self->client);
  g_dbus_connection_add_filter (self->bus, on_call, NULL, NULL);
  clip_answers_check (self->client);
}

static void
tear_down (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  bus_pair_close (self->bus, self->client);
}

/* (transfer full): whose answer was taken */
static char *
ask (Pair *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->client, name, "/", "org.example", "Who", NULL, G_VARIANT_TYPE ("(s)"),
      G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  char *who;

  g_assert_no_error (error);
  g_variant_get (reply, "(s)", &who);
  return who;
}

static void
test_bus (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *who = ask (self, BUS);

      g_assert_cmpstr (who, ==, BUS);
    }
}

/* whose unique name is not known beforehand */
static void
test_service (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *who = ask (self, "org.example.Service");

  g_assert_cmpstr (who, ==, ":1.5");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/answers/in-the-name-of-the-bus-none-is-taken", Pair, NULL, set_up,
              test_bus, tear_down);
  g_test_add ("/answers/of-a-service-the-first-is-taken", Pair, NULL, set_up,
              test_service, tear_down);
  return g_test_run ();
}
