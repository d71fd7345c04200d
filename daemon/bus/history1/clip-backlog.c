/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts on GIO's own thread: a call before it is put into the queue of the main loop, an
 * answer when it leaves that of GIO. Where the bus takes answers slower than it brings
 * calls, it is the second one that grows. A page of a list may have megabytes: of these
 * the bytes count, too, from when it is made until it leaves.
 */
#include "clip-backlog.h"

#include "clip-bus-error.h"
#include "clip-bus-private.h"
#include "clip-error.h"

#include <string.h>

#define DATA_KEY "clip-backlog"

#define TOO_MANY \
  G_STRINGIFY (CLIP_BACKLOG_MAX_CALLS) \
  " calls of this connection are not done: try again when some are"

/* who is told that there are too many, and takes no answer either, is told no more */
#define MAX_WITH_REFUSED (2 * CLIP_BACKLOG_MAX_CALLS)

/* of a path, and of what is asked of an interface that is none of ours */
#define MAX_PATH_BYTES 255
#define MAX_FOREIGN_BYTES 4096

/* of a page that waits for the bus: with so much, no other is made */
#define MAX_PAGE_BYTES (8 * 1024 * 1024)
static const char *const page_types[] = { "(aa{sv})", "(a(sssida{sv}))" };

/* of a connection */
typedef struct
{
  GHashTable *serials; /* of those that want an answer */
  guint n_silent;      /* the others */
  gsize page_bytes;
} Waiting;

struct ClipBacklog
{
  GMutex lock;
  GHashTable *waiting; /* unique name -> Waiting */
};

/* a call that wants no answer: done when its message is gone, which any thread may
   drop */
typedef struct
{
  ClipBacklog *backlog;
  char *sender;
} Silent;

static void
waiting_free (gpointer data)
{
  Waiting *self = data;

  g_hash_table_unref (self->serials);
  g_free (self);
}

static void
clear (gpointer data)
{
  ClipBacklog *self = data;

  g_hash_table_unref (self->waiting);
  g_mutex_clear (&self->lock);
}

void
clip_backlog_unref (ClipBacklog *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static void
backlog_unref (gpointer self)
{
  clip_backlog_unref (self);
}

/* with the lock */
static Waiting *
get_waiting (ClipBacklog *self, const char *sender)
{
  Waiting *waiting = g_hash_table_lookup (self->waiting, sender);

  if (waiting)
    return waiting;
  waiting = g_new0 (Waiting, 1);
  waiting->serials = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (self->waiting, g_strdup (sender), waiting);
  return waiting;
}

/* One is known by its serial: GIO answers some of those, too, that want no answer. A
 * second one of the same serial counts as far too many.
 *
 * Returns: how many there were; this one is added where there are not far too many */
static guint
add (ClipBacklog *self, const char *sender, guint32 serial, gboolean is_silent)
{
  Waiting *waiting;
  guint n;

  g_mutex_lock (&self->lock);
  waiting = get_waiting (self, sender);
  n = g_hash_table_size (waiting->serials) + waiting->n_silent;
  if (n < MAX_WITH_REFUSED && is_silent)
    waiting->n_silent++;
  else if (n < MAX_WITH_REFUSED &&
           !g_hash_table_add (waiting->serials, GUINT_TO_POINTER (serial)))
    n = MAX_WITH_REFUSED;
  g_mutex_unlock (&self->lock);
  return n;
}

static gboolean
is_page (GVariant *answer)
{
  for (guint i = 0; i < G_N_ELEMENTS (page_types); i++)
    if (g_variant_is_of_type (answer, G_VARIANT_TYPE (page_types[i])))
      return TRUE;
  return FALSE;
}

/* with the lock */
static void
forget_idle (ClipBacklog *self, const char *sender, const Waiting *waiting)
{
  if (g_hash_table_size (waiting->serials) + waiting->n_silent == 0)
    g_hash_table_remove (self->waiting, sender);
}

static void
take_away_answered (ClipBacklog *self, const char *sender, GDBusMessage *answer)
{
  const guint32 serial = g_dbus_message_get_reply_serial (answer);
  GVariant *body = g_dbus_message_get_body (answer);
  Waiting *waiting;

  g_mutex_lock (&self->lock);
  waiting = g_hash_table_lookup (self->waiting, sender);
  if (waiting && g_hash_table_remove (waiting->serials, GUINT_TO_POINTER (serial)))
    {
      if (body && is_page (body))
        waiting->page_bytes -= MIN (waiting->page_bytes, g_variant_get_size (body));
      forget_idle (self, sender, waiting);
    }
  g_mutex_unlock (&self->lock);
}

static void
take_away_silent (ClipBacklog *self, const char *sender)
{
  Waiting *waiting;

  g_mutex_lock (&self->lock);
  waiting = g_hash_table_lookup (self->waiting, sender);
  waiting->n_silent--;
  forget_idle (self, sender, waiting);
  g_mutex_unlock (&self->lock);
}

static Silent *
silent_new (ClipBacklog *backlog, const char *sender)
{
  Silent *self = g_new (Silent, 1);

  *self = (Silent){ g_atomic_rc_box_acquire (backlog), g_strdup (sender) };
  return self;
}

static void
silent_free (gpointer data)
{
  Silent *self = data;

  take_away_silent (self->backlog, self->sender);
  clip_backlog_unref (self->backlog);
  g_free (self->sender);
  g_free (self);
}

/* GIO serves these itself, and may leave out the interface */
static gboolean
is_foreign (GDBusMessage *call)
{
  static const char *const members[] = { "Get", "GetAll", "Set", NULL };
  const char *interface = g_dbus_message_get_interface (call);
  const char *member = g_dbus_message_get_member (call);

  return interface ? g_str_has_prefix (interface, "org.freedesktop.DBus.")
                   : member && g_strv_contains (members, member);
}

/* What GIO does not know it repeats in its answer: a path, which has no limit, or the
 * name of an interface or a property, which is in the body. */
static gboolean
is_too_long (GDBusMessage *call)
{
  const char *path = g_dbus_message_get_path (call);
  GVariant *body = g_dbus_message_get_body (call);

  return (path && strlen (path) > MAX_PATH_BYTES) ||
         (body && g_variant_get_size (body) > MAX_FOREIGN_BYTES && is_foreign (call));
}

/* what is added here goes with the answer, or with a call that wants none */
static gboolean
is_room_for (ClipBacklog *self, GDBusConnection *connection, GDBusMessage *call)
{
  const char *sender = g_dbus_message_get_sender (call);
  const gboolean is_silent =
      g_dbus_message_get_flags (call) & G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED;
  guint n = sender ? add (self, sender, g_dbus_message_get_serial (call), is_silent) : 0;

  if (!sender || n >= MAX_WITH_REFUSED)
    return !sender;
  if (is_too_long (call))
    {
      if (is_silent)
        take_away_silent (self, sender);
      else
        clip_bus_error_refuse (connection, call, "no such path or name is that long");
      return FALSE;
    }
  if (is_silent)
    g_object_set_data_full (G_OBJECT (call), DATA_KEY, silent_new (self, sender),
                            silent_free);
  else if (n >= CLIP_BACKLOG_MAX_CALLS)
    clip_bus_error_refuse (connection, call, TOO_MANY);
  return n < CLIP_BACKLOG_MAX_CALLS;
}

/* Returns: (nullable): NULL where it ends here */
static GDBusMessage *
on_message_on_thread (GDBusConnection *connection,
                      GDBusMessage *message_take,
                      gboolean incoming,
                      gpointer user_data)
{
  const GDBusMessageType type = g_dbus_message_get_message_type (message_take);
  const char *destination = g_dbus_message_get_destination (message_take);

  if (!incoming && destination &&
      (type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || type == G_DBUS_MESSAGE_TYPE_ERROR))
    take_away_answered (user_data, destination, message_take);
  if (!incoming || type != G_DBUS_MESSAGE_TYPE_METHOD_CALL ||
      is_room_for (user_data, connection, message_take))
    return message_take;
  g_object_unref (message_take);
  return NULL;
}

/**
 * clip_backlog_new:
 * @bus: from now on, for as long as it lasts
 *
 * A call that is one too many is answered with %CLIP_ERROR_LIMITS at once, or dropped
 * where no answer is expected.
 *
 * Returns: (transfer full)
 */
ClipBacklog *
clip_backlog_new (GDBusConnection *bus)
{
  ClipBacklog *self = g_atomic_rc_box_new0 (ClipBacklog);

  g_mutex_init (&self->lock);
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, waiting_free);
  g_dbus_connection_add_filter (bus, on_message_on_thread, g_atomic_rc_box_acquire (self),
                                backlog_unref);
  return self;
}

/* whether the caller has taken the pages before; else %CLIP_ERROR_LIMITS. @self:
 * (nullable): no limit */
gboolean
clip_backlog_has_room (ClipBacklog *self,
                       GDBusMethodInvocation *invocation,
                       GError **error)
{
  const char *sender = g_dbus_method_invocation_get_sender (invocation);
  const Waiting *waiting;
  gboolean has_room;

  if (!self)
    return TRUE;
  g_mutex_lock (&self->lock);
  waiting = g_hash_table_lookup (self->waiting, sender);
  has_room = !waiting || waiting->page_bytes < MAX_PAGE_BYTES;
  g_mutex_unlock (&self->lock);
  if (!has_room)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS,
                 "%d MiB of lists wait for this connection: try again when it has them",
                 MAX_PAGE_BYTES / (1024 * 1024));
  return has_room;
}

/* @page: that @invocation is answered with now. @self: (nullable): is not counted */
void
clip_backlog_add_page (ClipBacklog *self,
                       GDBusMethodInvocation *invocation,
                       GVariant *page)
{
  const char *sender = g_dbus_method_invocation_get_sender (invocation);
  Waiting *waiting;

  if (!self)
    return;
  g_mutex_lock (&self->lock);
  waiting = g_hash_table_lookup (self->waiting, sender);
  if (waiting)
    waiting->page_bytes += g_variant_get_size (page);
  g_mutex_unlock (&self->lock);
}
