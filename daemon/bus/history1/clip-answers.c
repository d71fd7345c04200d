/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A session bus passes on answers that were not asked for, and GIO takes one for its own
 * by the serial number of a call alone, which is easily guessed. So any program on the
 * bus might say in the name of the bus who a caller is. An answer to no call is dropped,
 * and so is one to a call to the bus that the bus has not sent: that puts the sender into
 * each message. (D-Bus specification, "Message Bus Overview")
 */
#include "clip-answers.h"

#include "clip-sent-fds.h"

#define BUS "org.freedesktop.DBus"

/* on GIO's thread */
typedef struct
{
  GHashTable *calls; /* serial -> whether it is to the bus */
  guint32 first;     /* serial that was noted; 0: none */
} Answers;

static void
answers_free (gpointer data)
{
  Answers *self = data;

  g_hash_table_unref (self->calls);
  g_free (self);
}

static void
note_call (Answers *self, GDBusMessage *call)
{
  const guint32 serial = g_dbus_message_get_serial (call);

  if (g_dbus_message_get_flags (call) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED)
    return;
  if (self->first == 0)
    self->first = serial;
  g_hash_table_insert (
      self->calls, GUINT_TO_POINTER (serial),
      GINT_TO_POINTER (g_strcmp0 (g_dbus_message_get_destination (call), BUS) == 0));
}

/* Returns: whether it is to a call that was made before these are noted, none of which
 * wants a descriptor, or is to one of these, which is done then */
static gboolean
is_awaited (Answers *self, GDBusMessage *answer)
{
  const guint32 serial = g_dbus_message_get_reply_serial (answer);
  gpointer to_bus;

  if (self->first == 0 || serial < self->first)
    return g_dbus_message_get_unix_fd_list (answer) == NULL;
  if (!g_hash_table_lookup_extended (self->calls, GUINT_TO_POINTER (serial), NULL,
                                     &to_bus) ||
      (to_bus && g_strcmp0 (g_dbus_message_get_sender (answer), BUS) != 0))
    return FALSE;
  g_hash_table_remove (self->calls, GUINT_TO_POINTER (serial));
  return TRUE;
}

/* Returns: (nullable): NULL where it ends here */
static GDBusMessage *
on_message_on_thread (GDBusConnection *bus G_GNUC_UNUSED,
                      GDBusMessage *message_take,
                      gboolean incoming,
                      gpointer user_data)
{
  const GDBusMessageType type = g_dbus_message_get_message_type (message_take);
  const gboolean is_answer =
      type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || type == G_DBUS_MESSAGE_TYPE_ERROR;

  if (!incoming && type == G_DBUS_MESSAGE_TYPE_METHOD_CALL)
    note_call (user_data, message_take);
  if (!incoming || !is_answer || is_awaited (user_data, message_take))
    return message_take;
  clip_sent_fds_drop (message_take);
  return NULL;
}

/**
 * clip_answers_check:
 * @bus: a session bus; from now on, for as long as it lasts
 */
void
clip_answers_check (GDBusConnection *bus)
{
  Answers *self = g_new0 (Answers, 1);

  self->calls = g_hash_table_new (NULL, NULL);
  g_dbus_connection_add_filter (bus, on_message_on_thread, self, answers_free);
}
