/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Any message may bring descriptors: a signal, too, a call that GIO answers by itself,
 * and an answer to none of our calls. They are closed with the message, on the main loop
 * or on the one thread that GIO has for all connections, where a file may make the
 * close(2) wait for ever.
 */
#include "clip-sent-fds.h"

#include "clip-fd.h"

#include <gio/gunixfdlist.h>

static void
close_apart (GUnixFDList *sent)
{
  g_autofree int *fds = g_unix_fd_list_steal_fds (sent, NULL);

  for (int *fd = fds; *fd >= 0; fd++)
    clip_fd_clear_foreign (fd);
}

/* what was taken of them are duplicates */
static void
on_message_gone (gpointer sent_take, GObject *gone G_GNUC_UNUSED)
{
  g_autoptr (GUnixFDList) sent = sent_take;

  close_apart (sent);
}

/**
 * clip_sent_fds_drop:
 * @message_take: an answer that reaches no call
 */
void
clip_sent_fds_drop (GDBusMessage *message_take)
{
  g_autoptr (GDBusMessage) message = message_take;
  GUnixFDList *sent = g_dbus_message_get_unix_fd_list (message);

  if (sent)
    close_apart (sent);
}

/* an answer belongs to the call that we made, which may keep the list */
static GDBusMessage *
on_message_on_thread (GDBusConnection *connection G_GNUC_UNUSED,
                      GDBusMessage *message,
                      gboolean incoming,
                      gpointer user_data G_GNUC_UNUSED)
{
  GUnixFDList *sent = incoming ? g_dbus_message_get_unix_fd_list (message) : NULL;

  if (sent &&
      g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_RETURN)
    g_object_weak_ref (G_OBJECT (message), on_message_gone, g_object_ref (sent));
  return message;
}

/**
 * clip_sent_fds_close_apart:
 * @bus: from now on, for as long as it lasts; before any other filter, which may drop
 * messages
 *
 * What comes with a message is closed on a thread of its own where it may wait.
 */
void
clip_sent_fds_close_apart (GDBusConnection *bus)
{
  g_dbus_connection_add_filter (bus, on_message_on_thread, NULL, NULL);
}
