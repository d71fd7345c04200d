/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Any message may bring descriptors: a signal, too, a call that GIO answers by itself,
 * and an answer to none of our calls. What takes none does not keep them: they would be
 * ours for as long as the message waits, and none would be left for a copy. And they are
 * closed apart, as a file may make the close(2) wait for ever, on the main loop or on the
 * one thread that GIO has for all connections.
 */
#include "clip-sent-fds.h"

#include "clip-bus-error.h"
#include "clip-fd.h"

#include <gio/gunixfdlist.h>
#include <sys/resource.h>

/* of a message */
#define MOST_SENT 8

/* of all calls that are not done; a connection has half of what is free at the most */
#define MOST_HELD 2048

/* of as many descriptors as we may have, that is one */
#define FILES_FOR_ONE 4

typedef struct
{
  GMutex lock;
  guint most;
  guint n_held;
  GHashTable *senders; /* unique name -> how many it has of them */
} Held;

/* the descriptors of a call that is not done, which any thread may drop */
typedef struct
{
  Held *held;
  char *sender;
  guint n;
  GUnixFDList *sent;
} Load;

static void
clear (gpointer data)
{
  Held *self = data;

  g_hash_table_unref (self->senders);
  g_mutex_clear (&self->lock);
}

static void
held_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static void
close_apart (GUnixFDList *sent)
{
  g_autofree int *fds = g_unix_fd_list_steal_fds (sent, NULL);

  for (int *fd = fds; *fd >= 0; fd++)
    clip_fd_clear_foreign (fd);
}

/* --- what is held --- */

static guint
held_of (Held *self, const char *sender)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->senders, sender));
}

/* with the lock */
static void
set_held (Held *self, const char *sender, guint n)
{
  if (n > 0)
    g_hash_table_insert (self->senders, g_strdup (sender), GUINT_TO_POINTER (n));
  else
    g_hash_table_remove (self->senders, sender);
}

static gboolean
take (Held *self, const char *sender, guint n)
{
  gboolean has_room;
  guint n_own, n_free;

  g_mutex_lock (&self->lock);
  n_own = held_of (self, sender);
  n_free = self->most - (self->n_held - n_own);
  has_room = n_own + n <= MAX (n_free / 2, MOST_SENT) && self->n_held + n <= self->most;
  if (has_room)
    {
      self->n_held += n;
      set_held (self, sender, n_own + n);
    }
  g_mutex_unlock (&self->lock);
  return has_room;
}

/* what was taken of them are duplicates */
static void
on_message_gone (gpointer load_take, GObject *gone G_GNUC_UNUSED)
{
  g_autofree Load *load = load_take;
  Held *self = load->held;

  close_apart (load->sent);
  g_mutex_lock (&self->lock);
  self->n_held -= load->n;
  set_held (self, load->sender, held_of (self, load->sender) - load->n);
  g_mutex_unlock (&self->lock);
  g_object_unref (load->sent);
  g_free (load->sender);
  held_unref (self);
}

/* --- what comes --- */

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

static gboolean
takes_fds (GDBusMessage *message)
{
  static const char *const methods[] = {
    "Import", "Join", "Print", "Send", "Store", NULL
  };
  const char *member = g_dbus_message_get_member (message);

  return g_dbus_message_get_message_type (message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL &&
         member && g_strv_contains (methods, member);
}

/* Returns: (nullable): NULL where it ends here */
static GDBusMessage *
admit (Held *self, GDBusConnection *bus, GDBusMessage *message_take, GUnixFDList *sent)
{
  const char *sender = g_dbus_message_get_sender (message_take) ?: "";
  const guint n = (guint) g_unix_fd_list_get_length (sent);
  Load *load;

  if (n > MOST_SENT || !take (self, sender, n))
    {
      clip_bus_error_refuse (
          bus, message_take,
          n > MOST_SENT ? "a message has more than 8 descriptors"
                        : "calls with many descriptors are not done: try again when "
                          "some are");
      clip_sent_fds_drop (message_take);
      return NULL;
    }
  load = g_new (Load, 1);
  *load =
      (Load){ g_atomic_rc_box_acquire (self), g_strdup (sender), n, g_object_ref (sent) };
  g_object_weak_ref (G_OBJECT (message_take), on_message_gone, load);
  return message_take;
}

/* an answer belongs to the call that we made, which may keep the list */
static GDBusMessage *
on_message_on_thread (GDBusConnection *connection,
                      GDBusMessage *message,
                      gboolean incoming,
                      gpointer user_data)
{
  GUnixFDList *sent = incoming ? g_dbus_message_get_unix_fd_list (message) : NULL;

  if (!sent ||
      g_dbus_message_get_message_type (message) == G_DBUS_MESSAGE_TYPE_METHOD_RETURN)
    return message;
  if (takes_fds (message))
    return admit (user_data, connection, message, sent);
  close_apart (sent);
  return message;
}

/**
 * clip_sent_fds_watch:
 * @bus: from now on, for as long as it lasts; before any other filter, which may drop
 * messages
 *
 * What comes with a message is closed on a thread of its own where it may wait. A call
 * with more descriptors than there is room for is answered with %CLIP_ERROR_LIMITS.
 */
void
clip_sent_fds_watch (GDBusConnection *bus)
{
  Held *self = g_atomic_rc_box_new0 (Held);
  struct rlimit files;

  g_mutex_init (&self->lock);
  self->most = MOST_HELD;
  if (getrlimit (RLIMIT_NOFILE, &files) == 0)
    self->most = (guint) MIN (self->most, files.rlim_cur / FILES_FOR_ONE);
  self->senders = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_dbus_connection_add_filter (bus, on_message_on_thread, self, held_unref);
}
