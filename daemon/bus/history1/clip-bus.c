/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-bus.h"

#include "clip-answers.h"
#include "clip-bus-private.h"
#include "clip-convert.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-sent-fds.h"
#include "clip-unread.h"

#include <gio/gunixfdlist.h>

#define REMOVING_FIRST_MS 100
#define REMOVING_LAST_MS 30000

G_DEFINE_FINAL_TYPE (ClipBus, clip_bus, G_TYPE_OBJECT)

static void
clip_bus_dispose (GObject *object)
{
  ClipBus *self = CLIP_BUS (object);

  if (self->skeleton && g_dbus_interface_skeleton_get_connection (
                            G_DBUS_INTERFACE_SKELETON (self->skeleton)))
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
  if (self->skeleton)
    clip_bus_skeleton_set_refresh (self->skeleton, NULL, NULL);
  if (self->gate)
    clip_gate_shut (self->gate);
  g_clear_pointer (&self->gate, clip_gate_unref);
  if (self->finder)
    g_object_run_dispose (G_OBJECT (self->finder));
  g_clear_object (&self->finder);
  g_clear_handle_id (&self->removing_timer, g_source_remove);
  g_clear_pointer (&self->callers, clip_callers_free);
  g_clear_pointer (&self->backlog, clip_backlog_unref);
  g_clear_object (&self->skeleton);
  g_clear_object (&self->history);
  G_OBJECT_CLASS (clip_bus_parent_class)->dispose (object);
}

static void
clip_bus_class_init (ClipBusClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_bus_dispose;
  g_signal_new ("chosen", CLIP_TYPE_BUS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
clip_bus_init (ClipBus *self)
{
  self->callers = clip_callers_new ();
}

/* --- calls that are answered later --- */

ClipBusCall *
clip_bus_call_new (ClipBus *bus, GDBusMethodInvocation *invocation)
{
  ClipBusCall *self = g_new0 (ClipBusCall, 1);

  self->bus = g_object_ref (bus);
  self->invocation = g_object_ref (invocation);
  self->fd = -1;
  return self;
}

/* for a call that lasts: counted, and cancelled when its caller leaves. Errors: Limits */
ClipBusCall *
clip_bus_call_begin (ClipBus *bus, GDBusMethodInvocation *invocation, GError **error)
{
  GCancellable *cancellable = clip_callers_begin (
      bus->callers, invocation, clip_gate_pid (bus->gate, invocation), error);
  ClipBusCall *self;

  if (!cancellable)
    return NULL;
  self = clip_bus_call_new (bus, invocation);
  self->cancellable = cancellable;
  return self;
}

/**
 * clip_bus_call_begin_transfer:
 * @id: of the entry; 0 for many, and for one that is yet to be
 * @direction: "in" or "out"
 * @options: may say what number the caller gives to the transfer
 *
 * As clip_bus_call_begin(), for a call that moves bytes: its caller hears how far it is.
 * Errors: %CLIP_ERROR_LIMITS, %CLIP_ERROR_INVALID_ARGUMENT.
 */
ClipBusCall *
clip_bus_call_begin_transfer (ClipBus *bus,
                              GDBusMethodInvocation *invocation,
                              guint64 id,
                              const char *direction,
                              GVariant *options,
                              GError **error)
{
  GDBusMessage *message = g_dbus_method_invocation_get_message (invocation);
  guint64 transfer = g_dbus_message_get_serial (message);
  ClipBusCall *self = NULL;

  if (clip_convert_option (options, "transfer", "t", &transfer, error))
    self = clip_bus_call_begin (bus, invocation, error);
  if (!self)
    return NULL;
  self->progress = clip_bus_progress_new (invocation, transfer, id, direction);
  clip_callers_watch (bus->callers, self->cancellable, clip_bus_call_progress (self));
  return self;
}

ClipTransferProgress *
clip_bus_call_progress (ClipBusCall *self)
{
  return clip_bus_progress_transfer (self->progress);
}

void
clip_bus_call_free (ClipBusCall *self)
{
  clip_bus_progress_free (self->progress);
  if (self->cancellable && self->bus->callers)
    clip_callers_end (self->bus->callers, self->invocation, self->cancellable);
  clip_fd_clear (&self->fd);
  g_object_unref (self->invocation);
  g_object_unref (self->bus);
  g_free (self);
}

/**
 * clip_bus_take_fd:
 * @sent: (nullable): the descriptors of the message
 * @handle: an index into it, from the caller: not to be believed
 *
 * Returns: a duplicate that the caller owns, or -1. Errors: %CLIP_ERROR_INVALID_ARGUMENT.
 */
int
clip_bus_take_fd (GUnixFDList *sent, GVariant *handle, GError **error)
{
  gint32 index = g_variant_get_handle (handle);

  if (sent && index >= 0 && index < g_unix_fd_list_get_length (sent))
    return g_unix_fd_list_get (sent, index, error);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "no descriptor %d came along", index);
  return -1;
}

/* 0 stands for the newest entry */
gint64
clip_bus_resolve (ClipBus *bus, guint64 id)
{
  if (id == 0)
    return clip_store_newest (clip_history_store (bus->history));
  return (gint64) MIN (id, (guint64) G_MAXINT64);
}

/* --- properties and signals --- */

/* what changes with each copy, and emits nothing: set when it is asked for */
static void
refresh (gpointer user_data)
{
  ClipBus *self = user_data;
  ClipTotals totals;

  clip_store_get_totals (clip_history_store (self->history), &totals);
  clip_dbus_history_set_count (self->skeleton, (guint64) totals.count);
  clip_dbus_history_set_bytes (self->skeleton, (guint64) totals.bytes);
  clip_dbus_history_set_current (self->skeleton,
                                 (guint64) clip_history_current (self->history));
}

static void
update_backends (ClipBus *self)
{
  g_auto (GStrv) names = clip_history_backends (self->history);

  clip_dbus_history_set_backends (self->skeleton, (const char *const *) names);
  clip_dbus_history_set_display (self->skeleton,
                                 clip_history_display (self->history) ?: "");
  clip_dbus_history_set_refusal (self->skeleton,
                                 clip_history_display_refusal (self->history) ?: "");
}

static void
update_pause (ClipBus *self)
{
  clip_dbus_history_set_paused_until (self->skeleton,
                                      clip_history_paused_until (self->history));
}

static void
update_spared (ClipBus *self)
{
  g_auto (GStrv) keys = clip_history_spared (self->history);

  clip_dbus_history_set_spared (self->skeleton, (const char *const *) keys);
}

static void watch_removing (ClipBus *self, guint ms);

static gboolean
on_removing_timer (gpointer user_data)
{
  ClipBus *self = user_data;

  self->removing_timer = 0;
  watch_removing (self, self->removing_ms * 2);
  return G_SOURCE_REMOVE;
}

/* no event tells of its end; looked for less and less often, as the one that removes
   tries */
static void
watch_removing (ClipBus *self, guint ms)
{
  gboolean removing = clip_store_is_overwriting (clip_history_store (self->history));

  clip_dbus_history_set_removing (self->skeleton, removing);
  g_clear_handle_id (&self->removing_timer, g_source_remove);
  self->removing_ms = MIN (ms, REMOVING_LAST_MS);
  if (removing)
    self->removing_timer = g_timeout_add (self->removing_ms, on_removing_timer, self);
}

/* what a daemon that was killed had deleted; in a new history there is nothing */
static void
look_for_remains (ClipBus *self)
{
  ClipTotals totals;

  clip_store_get_totals (clip_history_store (self->history), &totals);
  if (totals.last_id > 0)
    watch_removing (self, REMOVING_FIRST_MS);
}

static void
on_entry_added (ClipBus *self, ClipEntry *entry, ClipStore *store G_GNUC_UNUSED)
{
  clip_dbus_history_emit_entry_added (self->skeleton, (guint64) entry->row.id,
                                      clip_convert_details (entry));
}

static void
on_entry_moved (ClipBus *self,
                gint64 old_id,
                gint64 new_id,
                ClipStore *store G_GNUC_UNUSED)
{
  clip_dbus_history_emit_entry_moved (self->skeleton, (guint64) old_id, (guint64) new_id);
}

static void
on_entries_removed (ClipBus *self, GArray *ids, ClipStore *store G_GNUC_UNUSED)
{
  watch_removing (self, REMOVING_FIRST_MS);
  clip_dbus_history_emit_entries_removed (self->skeleton, clip_convert_ids (ids));
}

static void
on_entries_imported (ClipBus *self, gint64 n, ClipStore *store G_GNUC_UNUSED)
{
  clip_dbus_history_emit_entries_imported (self->skeleton, (guint64) n);
}

static void
on_entry_changed (ClipBus *self, ClipEntry *entry, ClipStore *store G_GNUC_UNUSED)
{
  clip_dbus_history_emit_entry_changed (self->skeleton, (guint64) entry->row.id,
                                        clip_convert_details (entry));
}

/* the methods of one file of handlers; one that has none is unknown to callers */
void
clip_bus_connect (ClipBus *self, const ClipBusHandler *handlers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    g_signal_connect_object (self->skeleton, handlers[i].name, handlers[i].callback, self,
                             G_CONNECT_SWAPPED);
}

static void
connect_signals (ClipBus *self)
{
  static const struct
  {
    const char *name;
    GCallback callback;
    gboolean of_store;
  } table[] = {
    { "entry-added", G_CALLBACK (on_entry_added), TRUE },
    { "entry-moved", G_CALLBACK (on_entry_moved), TRUE },
    { "entries-removed", G_CALLBACK (on_entries_removed), TRUE },
    { "entry-changed", G_CALLBACK (on_entry_changed), TRUE },
    { "entries-imported", G_CALLBACK (on_entries_imported), TRUE },
    { "backends-changed", G_CALLBACK (update_backends), FALSE },
    { "pause-changed", G_CALLBACK (update_pause), FALSE },
    { "spared-changed", G_CALLBACK (update_spared), FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_signal_connect_object (table[i].of_store
                                 ? (gpointer) clip_history_store (self->history)
                                 : (gpointer) self->history,
                             table[i].name, table[i].callback, self, G_CONNECT_SWAPPED);
}

/**
 * clip_bus_new:
 * @history: what is served
 */
ClipBus *
clip_bus_new (ClipHistory *history)
{
  ClipBus *self = g_object_new (CLIP_TYPE_BUS, NULL);

  self->history = g_object_ref (history);
  self->gate = clip_gate_new (history);
  self->skeleton = clip_bus_skeleton_new (self->gate);
  clip_dbus_history_set_version (self->skeleton, CLIP_VERSION);
  clip_dbus_history_set_store (self->skeleton,
                               clip_store_dir (clip_history_store (history)));
  clip_bus_skeleton_set_refresh (self->skeleton, refresh, self);
  update_backends (self);
  update_pause (self);
  update_spared (self);
  look_for_remains (self);
  connect_signals (self);
  clip_bus_connect_reads (self);
  clip_bus_connect_streams (self);
  clip_bus_connect_writes (self);
  clip_bus_connect_care (self);
  return self;
}

static void
on_chosen (ClipBus *self, gboolean is_there)
{
  g_signal_emit_by_name (self, "chosen", is_there);
}

/* who speaks to us alone needs no gate, and no desktop searches that history */
static gboolean
export_to_session (ClipBus *self, GDBusConnection *connection, GError **error)
{
  if (!g_dbus_connection_get_unique_name (connection))
    return TRUE;
  clip_answers_check (connection);
  self->backlog = clip_backlog_new (connection);
  clip_callers_set_unread (self->callers, clip_unread_watch (connection));
  clip_gate_watch (self->gate, connection);
  self->finder =
      clip_finder_new (self->history, self->gate, self->callers, self->backlog);
  g_signal_connect_object (self->finder, "chosen", G_CALLBACK (on_chosen), self,
                           G_CONNECT_SWAPPED);
  return clip_finder_export (self->finder, connection, error);
}

/**
 * clip_bus_export:
 * @connection: the session bus, or a private connection
 *
 * Errors: %G_IO_ERROR.
 */
gboolean
clip_bus_export (ClipBus *self, GDBusConnection *connection, GError **error)
{
  clip_sent_fds_watch (connection);
  return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton),
                                           connection, CLIP_BUS_PATH, error) &&
         export_to_session (self, connection, error);
}

/* calls that come wait from now on, until clip_bus_open() */
void
clip_bus_hold (ClipBus *self)
{
  clip_gate_hold (self->gate);
}

void
clip_bus_open (ClipBus *self)
{
  clip_gate_open (self->gate);
}

/* (transfer none) (nullable): of the session; where there is none, that is unknown */
ClipScreenLock *
clip_bus_screen_lock (ClipBus *self)
{
  return self->finder ? clip_finder_screen_lock (self->finder) : NULL;
}
