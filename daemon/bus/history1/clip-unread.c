/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the bus holds for those who call and read no answer. dbus-daemon takes a gigabyte
 * of these, on our account, and then nothing more of ours for anyone. So it is asked how
 * much it has of a connection, where that had much; who has not read it gets no more,
 * over no other connection either. Another bus does not say, and ends such a connection
 * by itself.
 */
#include "clip-unread.h"

#include "clip-bus-error.h"
#include "clip-error.h"

#define BUS "org.freedesktop.DBus"
#define BUS_PATH "/org/freedesktop/DBus"

/* after so much the bus is asked, and so much may be unread; until it answers, as much
 * again is sent */
#define MUCH_BYTES (8 * 1024 * 1024)

/* of all connections of a process, which may have asked for eight pages of a list */
#define MUCH_BYTES_OF_PROCESS (32 * 1024 * 1024)

/* so much may be unread of all connections together; from then on, little of each */
#define MUCH_BYTES_OF_ALL (64 * 1024 * 1024)
#define LITTLE_BYTES (256 * 1024)

/* who had little, and nothing more for so long, is forgotten */
#define SWEEP_S 60

/* one that has not read is looked at so often */
#define LOOK_MS 1000

/* the bus, and we, are to have time for others: so long for each connection of a process
 * that was asked about */
#define ASK_PAUSE_US 1000

/* of an answer, beside its body */
#define HEADER_BYTES 128

#define WHY "answers wait for this connection: try again when it has them"

/* of a connection, or of all */
typedef struct
{
  gint64 pid;        /* 0 where it is unknown */
  gsize bytes;       /* sent since the bus was asked, with what was unread then */
  gboolean is_new;   /* since the last sweep */
  gboolean is_asked; /* and has not answered yet */
  gboolean is_deaf;  /* as it answered */
  gboolean is_due;   /* it is asked again soon */
} Reader;

/* messages are counted on GIO's thread, the bus is asked on the main loop */
struct ClipUnread
{
  GMutex lock;
  GHashTable *readers; /* unique name -> Reader */
  Reader all;
  GDBusConnection *bus; /* (nullable): borrowed, until it drops the filter */
  gboolean is_silent;   /* that bus does not say */
  guint sweep;          /* a timeout; 0 while there are no readers */
  gint64 pid;           /* of the process that was asked about last */
  gint64 next_us;       /* before that it is not again */
};

typedef struct
{
  ClipUnread *unread;
  char *name;
} Question;

static void
clear (gpointer data)
{
  ClipUnread *self = data;

  g_hash_table_unref (self->readers);
  g_mutex_clear (&self->lock);
}

static void
unread_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, clear);
}

void
clip_unread_unref (ClipUnread *self)
{
  unread_unref (self);
}

static Question *
question_new (ClipUnread *unread, const char *name)
{
  Question *self = g_new (Question, 1);

  *self = (Question){ g_atomic_rc_box_acquire (unread), g_strdup (name) };
  return self;
}

static void
question_free (gpointer data)
{
  Question *self = data;

  g_free (self->name);
  unread_unref (self->unread);
  g_free (self);
}

static void
on_bus_gone (gpointer unread_take)
{
  ClipUnread *self = unread_take;

  g_mutex_lock (&self->lock);
  self->bus = NULL;
  g_mutex_unlock (&self->lock);
  unread_unref (self);
}

/* --- the bus is asked --- */

static Reader *
find_reader (ClipUnread *self, const char *name)
{
  if (self->bus && g_strcmp0 (name, g_dbus_connection_get_unique_name (self->bus)) == 0)
    return &self->all;
  return g_hash_table_lookup (self->readers, name);
}

static void look_later (ClipUnread *self, const char *name);

static void ask (ClipUnread *self, const char *name, Reader *reader);

/* with the lock */
static void
ask_who_had_some (ClipUnread *self)
{
  GHashTableIter iter;
  gpointer name, reader;

  g_hash_table_iter_init (&iter, self->readers);
  while (g_hash_table_iter_next (&iter, &name, &reader))
    if (((Reader *) reader)->bytes > LITTLE_BYTES)
      ask (self, name, reader);
}

/* with the lock. Returns: what a connection may have unread */
static gsize
most_of_one (const ClipUnread *self)
{
  return self->all.is_deaf ? LITTLE_BYTES : MUCH_BYTES;
}

/* with the lock */
static void
note_bytes (ClipUnread *self, const char *name, Reader *reader, GVariant *stats)
{
  const gboolean of_all = reader == &self->all;
  const gboolean was_deaf = reader->is_deaf;
  guint32 n_unread = 0;

  g_variant_lookup (stats, of_all ? "IncomingBytes" : "OutgoingBytes", "u", &n_unread);
  reader->bytes = n_unread;
  reader->is_deaf = n_unread > (of_all ? MUCH_BYTES_OF_ALL : most_of_one (self));
  if (of_all && reader->is_deaf && !was_deaf)
    ask_who_had_some (self);
  if (reader->is_deaf && !reader->is_due)
    look_later (self, name);
  reader->is_due |= reader->is_deaf;
}

/* with the lock. @stats: (nullable): where @error says why */
static void
note_answer (ClipUnread *self, const char *name, GVariant *stats, const GError *error)
{
  Reader *reader = find_reader (self, name);

  self->is_silent |=
      g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_INTERFACE) ||
      g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD) ||
      g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED);
  if (!reader)
    return;
  reader->is_asked = FALSE;
  if (stats)
    note_bytes (self, name, reader, stats);
  else if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
    g_hash_table_remove (self->readers, name);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    {
      reader->bytes = 0;
      reader->is_deaf = FALSE;
    }
}

static void
on_answered (GObject *source, GAsyncResult *result, gpointer question_take)
{
  Question *question = question_take;
  ClipUnread *self = question->unread;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  g_autoptr (GVariant) stats = reply ? g_variant_get_child_value (reply, 0) : NULL;

  g_mutex_lock (&self->lock);
  note_answer (self, question->name, stats, error);
  g_mutex_unlock (&self->lock);
  question_free (question);
}

/* on the main loop, without the lock: GIO has its own one while it calls back on its
 * thread */
static gboolean
on_ask (gpointer question_take)
{
  Question *question = question_take;
  g_autoptr (GDBusConnection) bus = NULL;

  g_mutex_lock (&question->unread->lock);
  g_set_object (&bus, question->unread->bus);
  g_mutex_unlock (&question->unread->lock);
  if (bus)
    g_dbus_connection_call (bus, BUS, BUS_PATH, BUS ".Debug.Stats", "GetConnectionStats",
                            g_variant_new ("(s)", question->name),
                            G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NO_AUTO_START,
                            -1, NULL, on_answered, question);
  else
    question_free (question);
  return G_SOURCE_REMOVE;
}

/* with the lock; the question goes behind what was sent before */
static void
ask (ClipUnread *self, const char *name, Reader *reader)
{
  if (reader->is_asked)
    return;
  reader->is_asked = TRUE;
  g_idle_add_full (G_PRIORITY_DEFAULT, on_ask, question_new (self, name), NULL);
}

static gboolean
on_look (gpointer user_data)
{
  Question *question = user_data;
  ClipUnread *self = question->unread;
  Reader *reader;

  g_mutex_lock (&self->lock);
  reader = find_reader (self, question->name);
  if (reader)
    {
      reader->is_due = FALSE;
      ask (self, question->name, reader);
    }
  g_mutex_unlock (&self->lock);
  return G_SOURCE_REMOVE;
}

/* so that its next call finds what is true */
static void
look_later (ClipUnread *self, const char *name)
{
  g_timeout_add_full (G_PRIORITY_LOW, LOOK_MS, on_look, question_new (self, name),
                      question_free);
}

/* with the lock. Returns: whether @reader is forgotten */
static gboolean
is_over (ClipUnread *self, const char *name, Reader *reader)
{
  const gboolean is_idle = !reader->is_new && !reader->is_asked;

  reader->is_new = FALSE;
  if (is_idle && reader->bytes > LITTLE_BYTES)
    ask (self, name, reader);
  return is_idle && (reader->bytes <= LITTLE_BYTES || self->is_silent);
}

static gboolean
on_sweep (gpointer user_data)
{
  ClipUnread *self = user_data;
  GHashTableIter iter;
  gpointer name, reader;
  gboolean goes_on;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->readers);
  while (g_hash_table_iter_next (&iter, &name, &reader))
    if (is_over (self, name, reader))
      g_hash_table_iter_remove (&iter);
  goes_on = g_hash_table_size (self->readers) > 0;
  if (!goes_on)
    self->sweep = 0;
  g_mutex_unlock (&self->lock);
  return goes_on;
}

/* --- what comes and goes --- */

/* with the lock */
static Reader *
get_reader (ClipUnread *self, const char *name)
{
  Reader *reader = g_hash_table_lookup (self->readers, name);

  if (!reader)
    {
      reader = g_new0 (Reader, 1);
      g_hash_table_insert (self->readers, g_strdup (name), reader);
    }
  if (!self->sweep)
    self->sweep = g_timeout_add_seconds_full (
        G_PRIORITY_LOW, SWEEP_S, on_sweep, g_atomic_rc_box_acquire (self), unread_unref);
  return reader;
}

/* with the lock */
static void
count_one (ClipUnread *self, const char *name, Reader *reader, gsize bytes, gsize much)
{
  reader->is_new = TRUE;
  reader->bytes += bytes;
  if (reader->bytes > much)
    ask (self, name, reader);
}

static void
count (ClipUnread *self, const char *name, GVariant *body)
{
  const gsize bytes = HEADER_BYTES + (body ? g_variant_get_size (body) : 0);

  g_mutex_lock (&self->lock);
  if (!self->is_silent && self->bus)
    {
      count_one (self, name, get_reader (self, name), bytes, most_of_one (self));
      count_one (self, g_dbus_connection_get_unique_name (self->bus), &self->all, bytes,
                 MUCH_BYTES_OF_ALL / 2);
    }
  g_mutex_unlock (&self->lock);
}

static gboolean
may_call (ClipUnread *self, const char *name)
{
  gboolean may = TRUE;
  Reader *reader;

  g_mutex_lock (&self->lock);
  reader = self->is_silent ? NULL : g_hash_table_lookup (self->readers, name);
  if (reader)
    {
      may = !reader->is_deaf && reader->bytes <= 2 * MUCH_BYTES;
      if (!may)
        ask (self, name, reader);
    }
  g_mutex_unlock (&self->lock);
  return may;
}

/* Returns: (nullable): NULL where it ends here */
static GDBusMessage *
on_message_on_thread (GDBusConnection *bus,
                      GDBusMessage *message_take,
                      gboolean incoming,
                      gpointer user_data)
{
  const GDBusMessageType type = g_dbus_message_get_message_type (message_take);
  const char *sender = g_dbus_message_get_sender (message_take);
  const char *destination = g_dbus_message_get_destination (message_take);

  if (!incoming && destination &&
      (type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || type == G_DBUS_MESSAGE_TYPE_ERROR))
    count (user_data, destination, g_dbus_message_get_body (message_take));
  if (!incoming || type != G_DBUS_MESSAGE_TYPE_METHOD_CALL || !sender ||
      may_call (user_data, sender))
    return message_take;
  clip_bus_error_refuse (bus, message_take, WHY);
  g_object_unref (message_take);
  return NULL;
}

/**
 * clip_unread_watch:
 * @bus: from now on, for as long as it lasts
 *
 * A call of a connection that has not read what it had before is answered with
 * %CLIP_ERROR_LIMITS at once.
 *
 * Returns: (transfer full)
 */
ClipUnread *
clip_unread_watch (GDBusConnection *bus)
{
  ClipUnread *self = g_atomic_rc_box_new0 (ClipUnread);

  g_mutex_init (&self->lock);
  self->readers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->bus = bus;
  g_dbus_connection_add_filter (bus, on_message_on_thread, g_atomic_rc_box_acquire (self),
                                on_bus_gone);
  return self;
}

/* with the lock. Returns: how much a process may have unread, over all connections */
static gsize
bytes_of (ClipUnread *self, gint64 pid)
{
  GHashTableIter iter;
  gpointer value;
  gsize bytes = 0;

  g_hash_table_iter_init (&iter, self->readers);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Reader *reader = value;

      if (reader->pid == pid)
        bytes += reader->bytes;
    }
  return bytes;
}

/* with the lock; a connection that is closed has none */
static void
ask_for_all_of (ClipUnread *self, gint64 pid)
{
  const gint64 now_us = g_get_monotonic_time ();
  GHashTableIter iter;
  gpointer name, value;

  if (pid == self->pid && now_us < self->next_us)
    return;
  self->pid = pid;
  self->next_us = now_us;
  g_hash_table_iter_init (&iter, self->readers);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      Reader *reader = value;

      if (reader->pid != pid || reader->bytes == 0 || reader->is_asked)
        continue;
      ask (self, name, reader);
      self->next_us += ASK_PAUSE_US;
    }
}

/**
 * clip_unread_check:
 * @invocation: of a call whose answer may be large
 * @pid: of its caller, 0 where that is not known
 *
 * Errors: %CLIP_ERROR_LIMITS where that process has not read what it had before, over
 * this connection or others.
 */
gboolean
clip_unread_check (ClipUnread *self,
                   GDBusMethodInvocation *invocation,
                   gint64 pid,
                   GError **error)
{
  gsize bytes = 0;

  if (pid <= 0)
    return TRUE;
  g_mutex_lock (&self->lock);
  if (!self->is_silent && self->bus)
    {
      get_reader (self, g_dbus_method_invocation_get_sender (invocation))->pid = pid;
      bytes = bytes_of (self, pid);
      if (bytes > MUCH_BYTES_OF_PROCESS / 2)
        ask_for_all_of (self, pid);
    }
  g_mutex_unlock (&self->lock);
  if (bytes > MUCH_BYTES_OF_PROCESS)
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_LIMITS, WHY);
  return bytes <= MUCH_BYTES_OF_PROCESS;
}
