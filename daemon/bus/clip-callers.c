/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-callers.h"

#include "clip-error.h"

#define BUS "org.freedesktop.DBus"

/* until then a call does without being told that its caller has left: to be told takes four
 * messages, which most calls are quicker than */
#define WATCH_AFTER_MS 100

typedef struct
{
  GPtrArray *running;   /* GCancellable */
  GDBusConnection *bus; /* (nullable): NULL on a private one, which ends as a whole */
  gint64 begun_us;      /* when the first of these calls came */
  guint watch_id;       /* 0 until a call has lasted */
  gint64 pid;           /* 0 where nobody knows */
  GCancellable *query;  /* (nullable): the question for it, once it was asked */
} Caller;

struct ClipCallers
{
  GHashTable *callers; /* unique name -> Caller */
  guint n_running;
  guint watch_later; /* a timeout, 0 without calls that are new */
};

static void
caller_free (Caller *self)
{
  for (guint i = 0; i < self->running->len; i++)
    g_cancellable_cancel (g_ptr_array_index (self->running, i));
  if (self->watch_id)
    g_bus_unwatch_name (self->watch_id);
  if (self->query)
    g_cancellable_cancel (self->query);
  g_clear_object (&self->query);
  g_clear_object (&self->bus);
  g_ptr_array_unref (self->running);
  g_free (self);
}

ClipCallers *
clip_callers_new (void)
{
  ClipCallers *self = g_new0 (ClipCallers, 1);

  self->callers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                         (GDestroyNotify) caller_free);
  return self;
}

/* cancels what is under way */
void
clip_callers_free (ClipCallers *self)
{
  if (!self)
    return;
  g_clear_handle_id (&self->watch_later, g_source_remove);
  g_hash_table_unref (self->callers);
  g_free (self);
}

/* the transfers end themselves, and find their caller gone */
static void
on_vanished (GDBusConnection *connection G_GNUC_UNUSED,
             const char *name,
             gpointer user_data)
{
  ClipCallers *self = user_data;
  Caller *caller = g_hash_table_lookup (self->callers, name);

  for (guint i = 0; caller && i < caller->running->len; i++)
    g_cancellable_cancel (g_ptr_array_index (caller->running, i));
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

static Caller *
get_caller (ClipCallers *self, GDBusMethodInvocation *invocation)
{
  const char *name = name_of (invocation);
  Caller *caller = g_hash_table_lookup (self->callers, name);

  if (caller)
    return caller;
  caller = g_new0 (Caller, 1);
  caller->running = g_ptr_array_new_with_free_func (g_object_unref);
  caller->begun_us = g_get_monotonic_time ();
  if (*name)
    caller->bus = g_object_ref (g_dbus_method_invocation_get_connection (invocation));
  if (*name && !self->watch_later)
    self->watch_later = g_timeout_add (WATCH_AFTER_MS, watch_who_stays, self);
  g_hash_table_insert (self->callers, g_strdup (name), caller);
  return caller;
}

/**
 * clip_callers_begin:
 * @invocation: of a call that lasts
 *
 * Returns: (transfer full): cancelled when the caller leaves; give it to
 * clip_callers_end()
 *
 * Errors: %CLIP_ERROR_LIMITS.
 */
GCancellable *
clip_callers_begin (ClipCallers *self, GDBusMethodInvocation *invocation, GError **error)
{
  Caller *known = g_hash_table_lookup (self->callers, name_of (invocation));
  guint n_each = known ? known->running->len : 0;
  GCancellable *cancellable;

  if (n_each >= CLIP_CALLERS_MAX_EACH || self->n_running >= CLIP_CALLERS_MAX_TOTAL)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS,
                   "%u transfers of this caller are under way, %u in all", n_each,
                   self->n_running);
      return NULL;
    }
  cancellable = g_cancellable_new ();
  g_ptr_array_add (get_caller (self, invocation)->running, g_object_ref (cancellable));
  self->n_running++;
  return cancellable;
}

/* a number that nothing stands behind is that of another namespace, or there is no /proc */
static void
set_pid (Caller *self, gint64 pid)
{
  if (pid > 0 && pid <= G_MAXINT && clip_process_is_shown ((pid_t) pid))
    self->pid = pid;
}

static void
on_pid (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  guint32 pid;

  if (!reply)
    return; /* also where the caller was forgotten meanwhile */
  g_variant_get (reply, "(u)", &pid);
  set_pid (user_data, pid);
}

static void
set_pid_of_peer (Caller *self, GDBusConnection *connection)
{
  GCredentials *peer = g_dbus_connection_get_peer_credentials (connection);

  if (peer)
    set_pid (self, g_credentials_get_unix_pid (peer, NULL));
}

/**
 * clip_callers_identify:
 * @invocation: of a call that was begun
 *
 * Finds out which process the caller is, once; nobody waits for the answer.
 */
void
clip_callers_identify (ClipCallers *self, GDBusMethodInvocation *invocation)
{
  GDBusConnection *connection = g_dbus_method_invocation_get_connection (invocation);
  const char *name = name_of (invocation);
  Caller *caller = g_hash_table_lookup (self->callers, name);

  if (!caller || caller->query)
    return;
  caller->query = g_cancellable_new ();
  if (*name)
    g_dbus_connection_call (connection, BUS, "/org/freedesktop/DBus", BUS,
                            "GetConnectionUnixProcessID", g_variant_new ("(s)", name),
                            G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1,
                            caller->query, on_pid, caller);
  else
    set_pid_of_peer (caller, connection);
}

/* whether the process of an identified caller is gone, or going to be; one that is unknown
 * stays until the bus says something else */
ClipOutlook
clip_callers_outlook (ClipCallers *self, GDBusMethodInvocation *invocation)
{
  Caller *caller = g_hash_table_lookup (self->callers, name_of (invocation));

  return caller && caller->pid ? clip_process_outlook ((pid_t) caller->pid)
                               : CLIP_OUTLOOK_STAYS;
}

/* takes @cancellable; the caller itself is forgotten with its last transfer */
void
clip_callers_end (ClipCallers *self,
                  GDBusMethodInvocation *invocation,
                  GCancellable *cancellable)
{
  const char *name = name_of (invocation);
  Caller *caller = g_hash_table_lookup (self->callers, name);

  if (caller && g_ptr_array_remove_fast (caller->running, cancellable))
    self->n_running--;
  if (caller && caller->running->len == 0)
    g_hash_table_remove (self->callers, name);
  g_object_unref (cancellable);
}
