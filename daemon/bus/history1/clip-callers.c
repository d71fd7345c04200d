/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What lasts is counted by process, over all its connections: who holds
 * much cannot keep others out.
 */
#include "clip-callers.h"

#include "clip-bus-error.h"
#include "clip-error.h"
#include "clip-process.h"

#include <gio/gunixfdlist.h>
#include <string.h>

/* until then a call does without being told that its caller has left: to be told takes
 * four messages, which most calls are quicker than */
#define WATCH_AFTER_MS 100

/* a tenth is for calls of less than this */
#define SMALL_BYTES ((goffset) 64 * 1024)

/* who has been so long at it, and moved little, gives way where there is no room */
#define GIVE_WAY_US (100 * 1000)

/* what lasts by itself holds a thread, and is counted apart; so is what reads all of the
 * history, and waits for others of its kind, a page of a list or of what a desktop shows,
 * which has megabytes, and one entry */
typedef enum
{
  KIND_TRANSFER,
  KIND_STREAM,
  KIND_WALK,
  KIND_PAGE,
  KIND_LOOKUP,
  N_KINDS,
} Kind;

static const guint most[N_KINDS] = { CLIP_CALLERS_MAX_TRANSFERS, CLIP_CALLERS_MAX_STREAMS,
                                     CLIP_CALLERS_MAX_WALKS, CLIP_CALLERS_MAX_PAGES,
                                     CLIP_CALLERS_MAX_LOOKUPS };

/* of one process, however much is free */
static const guint share[N_KINDS] = { CLIP_CALLERS_MAX_TRANSFERS,
                                      CLIP_CALLERS_MAX_STREAMS, 2, 8,
                                      CLIP_CALLERS_MAX_LOOKUPS };

/* one connection */
typedef struct
{
  guint n_slots;
  GDBusConnection *bus; /* (nullable): NULL on a private one, which ends as a whole */
  gint64 begun_us;      /* when the first of these calls came */
  guint watch_id;       /* 0 until a call has lasted */
  gint64 pid;           /* 0 where it is unknown */
} Caller;

/* a call that lasts. It is counted for as long as anything works for it: a thread that a
 * file system holds may go on after the answer. */
typedef struct
{
  char *name; /* of the connection */
  gint64 pid;
  Kind kind;
  guint weight; /* as many as it has descriptors, and one at the least */
  gint64 begun_us;
  GDBusMethodInvocation *invocation; /* (nullable): NULL once it is answered */
  GCancellable *cancellable;         /* (nullable): likewise */
  GWeakRef works;                    /* the same, while it is referenced */
  ClipTransferProgress *progress;    /* (nullable) */
} Slot;

struct ClipCallers
{
  GHashTable *callers; /* unique name -> Caller */
  GPtrArray *slots;
  guint watch_later;  /* a timeout, 0 without calls that are new */
  ClipUnread *unread; /* (nullable): of the session's bus */
};

static void
slot_free (Slot *self)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_weak_ref_clear (&self->works);
  clip_transfer_progress_unref (self->progress);
  g_free (self->name);
  g_free (self);
}

static void
caller_free (Caller *self)
{
  if (self->watch_id)
    g_bus_unwatch_name (self->watch_id);
  g_clear_object (&self->bus);
  g_free (self);
}

ClipCallers *
clip_callers_new (void)
{
  ClipCallers *self = g_new0 (ClipCallers, 1);

  self->callers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) caller_free);
  self->slots = g_ptr_array_new_with_free_func ((GDestroyNotify) slot_free);
  return self;
}

/* cancels what is under way */
void
clip_callers_free (ClipCallers *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->watch_later, g_source_remove);
  g_clear_pointer (&self->unread, clip_unread_unref);
  g_ptr_array_unref (self->slots);
  g_hash_table_unref (self->callers);
  g_free (self);
}

/* who does not read the answers gets no more from now on */
void
clip_callers_set_unread (ClipCallers *self, ClipUnread *unread_take)
{
  g_clear_pointer (&self->unread, clip_unread_unref);
  self->unread = unread_take;
}

/* the transfers end themselves, and find their caller gone */
static void
on_vanished (GDBusConnection *connection G_GNUC_UNUSED,
             const char *name,
             gpointer user_data)
{
  ClipCallers *self = user_data;

  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = self->slots->pdata[i];

      if (slot->cancellable && strcmp (slot->name, name) == 0)
        g_cancellable_cancel (slot->cancellable);
    }
}

/* one that has left by now is found missing, and that is a vanishing as well */
static void
watch (ClipCallers *self, Caller *caller, const char *name)
{
  caller->watch_id = g_bus_watch_name_on_connection (
      caller->bus, name, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL, on_vanished, self, NULL);
}

static gboolean
watch_who_stays (gpointer user_data)
{
  ClipCallers *self = user_data;
  gint64 since_us = g_get_monotonic_time () - WATCH_AFTER_MS * 1000;
  gboolean again = FALSE;
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, self->callers);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      Caller *caller = value;

      if (!caller->bus || caller->watch_id)
        continue;
      if (caller->begun_us <= since_us)
        watch (self, caller, name);
      else
        again = TRUE;
    }
  if (!again)
    self->watch_later = 0;
  return again;
}

static const char *
name_of (GDBusMethodInvocation *invocation)
{
  return g_dbus_method_invocation_get_sender (invocation) ?: "";
}

/* a number that nothing stands behind is that of another namespace, or there is no
   /proc */
static gint64
known_pid (GDBusMethodInvocation *invocation, gint64 pid)
{
  GDBusConnection *connection = g_dbus_method_invocation_get_connection (invocation);
  GCredentials *peer = g_dbus_connection_get_peer_credentials (connection);

  if (*name_of (invocation) == '\0' && peer)
    pid = g_credentials_get_unix_pid (peer, NULL);
  return pid > 0 && pid <= G_MAXINT && clip_process_is_shown ((pid_t) pid) ? pid : 0;
}

static Caller *
get_caller (ClipCallers *self, GDBusMethodInvocation *invocation, gint64 pid)
{
  const char *name = name_of (invocation);
  Caller *caller = g_hash_table_lookup (self->callers, name);

  if (caller)
    return caller;
  caller = g_new0 (Caller, 1);
  caller->begun_us = g_get_monotonic_time ();
  caller->pid = pid;
  if (*name)
    caller->bus = g_object_ref (g_dbus_method_invocation_get_connection (invocation));
  if (*name && !self->watch_later)
    self->watch_later = g_timeout_add (WATCH_AFTER_MS, watch_who_stays, self);
  g_hash_table_insert (self->callers, g_strdup (name), caller);
  return caller;
}

/* --- how much each has --- */

static Kind
kind_of (GDBusMethodInvocation *invocation)
{
  static const char *const pages[] = { "GetResultMetas", "List", "Match", NULL };
  static const char *const streams[] = { "Import", "Join", "Print", NULL };
  static const char *const walks[] = { "Check", "Delete", "DeleteMatching",
                                       "Trim",  "Wipe",   NULL };
  const char *method = g_dbus_method_invocation_get_method_name (invocation);

  if (g_strv_contains (walks, method))
    return KIND_WALK;
  if (g_strv_contains (pages, method))
    return KIND_PAGE;
  if (g_str_equal (method, "Lookup"))
    return KIND_LOOKUP;
  return g_strv_contains (streams, method) ? KIND_STREAM : KIND_TRANSFER;
}

/* whether anything works for it still */
static gboolean
is_at_work (Slot *slot)
{
  g_autoptr (GObject) works = g_weak_ref_get (&slot->works);

  return works != NULL;
}

static void
forget_finished (ClipCallers *self)
{
  for (guint i = self->slots->len; i-- > 0;)
    if (!is_at_work (self->slots->pdata[i]))
      g_ptr_array_remove_index_fast (self->slots, i);
}

/* where the process is unknown, a connection stands for one */
static gboolean
is_of (const Slot *slot, gint64 pid, const char *name)
{
  return pid > 0 ? slot->pid == pid : strcmp (slot->name, name) == 0;
}

static guint
weight_of (GDBusMethodInvocation *invocation)
{
  GUnixFDList *sent =
      g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation));

  return sent ? (guint) MAX (g_unix_fd_list_get_length (sent), 1) : 1;
}

/* of one process; @name: (nullable): %NULL counts all */
static guint
count (const ClipCallers *self, Kind kind, gint64 pid, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < self->slots->len; i++)
    {
      const Slot *slot = self->slots->pdata[i];

      if (slot->kind == kind && (!name || is_of (slot, pid, name)))
        n += slot->weight;
    }
  return n;
}

/* of a second: what stands still has none */
static goffset
speed_of (const Slot *slot, gint64 now_us)
{
  goffset done = 0, total = 0;

  clip_transfer_progress_read (slot->progress, &done, &total);
  return done * 1000 / MAX ((now_us - slot->begun_us) / 1000, 1);
}

/* of the process that has most, the one that moves least; NULL where all are new */
static Slot *
find_slowest (const ClipCallers *self, Kind kind)
{
  const gint64 now_us = g_get_monotonic_time ();
  Slot *found = NULL;
  guint most_of_one = 0;

  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = self->slots->pdata[i];
      guint n;

      if (slot->kind != kind || !slot->invocation || !slot->progress ||
          now_us - slot->begun_us < GIVE_WAY_US)
        continue;
      n = count (self, kind, slot->pid, slot->name);
      if (n > most_of_one ||
          (n == most_of_one && speed_of (slot, now_us) < speed_of (found, now_us)))
        {
          found = slot;
          most_of_one = n;
        }
    }
  return found;
}

/* Returns: whether there is room now */
static gboolean
make_room (ClipCallers *self, Kind kind)
{
  Slot *slowest = find_slowest (self, kind);
  g_autoptr (GCancellable) cancellable = NULL;

  if (!slowest)
    return FALSE;
  clip_bus_error_note_limits (slowest->invocation);
  cancellable = g_object_ref (slowest->cancellable);
  g_ptr_array_remove_fast (self->slots, slowest);
  g_cancellable_cancel (cancellable);
  return TRUE;
}

static gboolean
check_share (ClipCallers *self, Kind kind, gint64 pid, const char *name, GError **error)
{
  const guint n_all = count (self, kind, 0, NULL);
  const guint n_own = count (self, kind, pid, name);
  /* what it has counts as free; all in all there may be more than fit: what hangs
     stays */
  const guint n_free = most[kind] > n_all - n_own ? most[kind] - (n_all - n_own) : 0;

  if (n_own < CLAMP (n_free / 2, 1, share[kind]) &&
      (n_all < most[kind] || make_room (self, kind)))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS,
               "%u calls of this process are under way, %u in all: try "
               "again when some have ended",
               n_own, n_all);
  return FALSE;
}

/**
 * clip_callers_begin:
 * @invocation: of a call that lasts
 * @pid: of its caller, 0 where that is not known
 *
 * A process has half of what is free at most, over all its connections, and of walks two;
 * a call counts as often as it has descriptors, which are what is short.
 * Where nothing is free, what moves least of the process that has most gives way.
 *
 * Returns: (transfer full): cancelled when the caller leaves, or gives way; give it to
 * clip_callers_end()
 *
 * Errors: %CLIP_ERROR_LIMITS.
 */
GCancellable *
clip_callers_begin (ClipCallers *self,
                    GDBusMethodInvocation *invocation,
                    gint64 pid,
                    GError **error)
{
  const char *name = name_of (invocation);
  const Kind kind = kind_of (invocation);
  Slot *slot;

  pid = known_pid (invocation, pid);
  forget_finished (self);
  if ((self->unread && !clip_unread_check (self->unread, invocation, pid, error)) ||
      !check_share (self, kind, pid, name, error))
    return NULL;
  get_caller (self, invocation, pid)->n_slots++;
  slot = g_new0 (Slot, 1);
  slot->name = g_strdup (name);
  slot->pid = pid;
  slot->kind = kind;
  slot->weight = weight_of (invocation);
  slot->begun_us = g_get_monotonic_time ();
  slot->invocation = invocation;
  slot->cancellable = g_cancellable_new ();
  g_weak_ref_init (&slot->works, slot->cancellable);
  g_ptr_array_add (self->slots, slot);
  return g_object_ref (slot->cancellable);
}

static Slot *
find_slot (const ClipCallers *self, GCancellable *cancellable)
{
  for (guint i = 0; i < self->slots->len; i++)
    {
      Slot *slot = self->slots->pdata[i];

      if (slot->cancellable == cancellable)
        return slot;
    }
  return NULL;
}

/* @self: (nullable): once the bus has gone. How many more of the kind the process of that
 * call has under way */
guint
clip_callers_turn (ClipCallers *self, GCancellable *cancellable)
{
  const Slot *slot = self ? find_slot (self, cancellable) : NULL;

  return slot ? count (self, slot->kind, slot->pid, slot->name) - slot->weight : 0;
}

/* @progress: says how far that call is; what has none does not give way */
void
clip_callers_watch (ClipCallers *self,
                    GCancellable *cancellable,
                    ClipTransferProgress *progress)
{
  Slot *slot = find_slot (self, cancellable);

  if (slot)
    slot->progress = clip_transfer_progress_ref (progress);
}

/**
 * clip_callers_grow:
 * @bytes: that a call turns out to have
 *
 * Errors: %CLIP_ERROR_LIMITS where it is none of the small ones, and only what is kept
 * for these is left.
 */
gboolean
clip_callers_grow (ClipCallers *self, goffset bytes, GError **error)
{
  const guint n = count (self, KIND_TRANSFER, 0, NULL);

  if (bytes <= SMALL_BYTES || n <= CLIP_CALLERS_MAX_TRANSFERS * 9 / 10)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS,
               "%u calls are under way: only small ones are taken now", n);
  return FALSE;
}

/* whether the process of a caller is gone, or going to be; one that is unknown stays
 * until the bus says something else */
gboolean
clip_callers_is_leaving (ClipCallers *self, GDBusMethodInvocation *invocation)
{
  Caller *caller = g_hash_table_lookup (self->callers, name_of (invocation));

  return caller && caller->pid && clip_process_is_leaving ((pid_t) caller->pid);
}

/* takes @cancellable; the caller itself is forgotten with its last transfer */
void
clip_callers_end (ClipCallers *self,
                  GDBusMethodInvocation *invocation,
                  GCancellable *cancellable_take)
{
  g_autoptr (GCancellable) cancellable = cancellable_take;
  const char *name = name_of (invocation);
  Caller *caller = g_hash_table_lookup (self->callers, name);
  Slot *slot = find_slot (self, cancellable);

  if (slot)
    {
      slot->invocation = NULL;
      g_clear_object (&slot->cancellable);
    }
  if (caller && --caller->n_slots == 0)
    g_hash_table_remove (self->callers, name);
}
