/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The methods that change something. Each says which history it means; a daemon that
 * serves another one answers OtherStore, and the caller finds the right one.
 */
#include "clip-bus-private.h"
#include "clip-call-store.h"
#include "clip-convert.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-import.h"
#include "clip-mime.h"

#include <gio/gunixfdlist.h>

#define MAX_CONTENTS 8

/* to look for more of them takes what a process has a share of */
#define FEW_IDS 1000

/* as long as a word of a command line may be */
#define MAX_NEEDLE_BYTES (128 * 1024)

/* by name: looking at a path that a caller sends may take for ever. Who has another name
 * for the same folder looks at ours, and calls again */
static gboolean
check_store (ClipBus *self, GVariant *options, GError **error)
{
  const char *ours = clip_store_dir (clip_history_store (self->history));
  const char *meant = NULL;

  if (!clip_convert_option (options, "store", "s", &meant, error))
    return FALSE;
  if (!meant || g_str_equal (meant, ours))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_OTHER_STORE,
               "this daemon serves '%s', not '%s'", ours, meant);
  return FALSE;
}

/* answers with the error where the call means another history */
gboolean
clip_bus_is_for_us (ClipBus *self, GDBusMethodInvocation *invocation, GVariant *options)
{
  g_autoptr (GError) error = NULL;

  if (check_store (self, options, &error))
    return TRUE;
  clip_bus_return_error (invocation, error);
  return FALSE;
}

/* --- Store, Select --- */

static GVariant *
make_details (const ClipStored *stored)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (stored->added.moved_from)
    g_variant_builder_add (&builder, "{sv}", "moved-from",
                           g_variant_new_uint64 ((guint64) stored->added.moved_from));
  if (stored->added.replaced)
    g_variant_builder_add (&builder, "{sv}", "replaced", g_variant_new_boolean (TRUE));
  if (stored->drop != CLIP_DROP_NONE)
    g_variant_builder_add (&builder, "{sv}", "dropped",
                           g_variant_new_string (clip_drop_name (stored->drop)));
  if (stored->is_empty)
    g_variant_builder_add (&builder, "{sv}", "empty", g_variant_new_boolean (TRUE));
  return g_variant_builder_end (&builder);
}

typedef struct
{
  ClipBusCall *call;
  ClipStored stored;
  gboolean select;
} StoreReply;

static void
complete_store (StoreReply *reply)
{
  ClipBusCall *call = reply->call;

  clip_bus_progress_end (call->progress);
  clip_dbus_history_complete_store (NULL, call->invocation, NULL,
                                    (guint64) reply->stored.added.id,
                                    make_details (&reply->stored));
  clip_bus_call_free (call);
  g_free (reply);
}

static void
fail_store (StoreReply *reply, const GError *error)
{
  clip_bus_return_error (reply->call->invocation, error);
  clip_bus_call_free (reply->call);
  g_free (reply);
}

static void
on_stored_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (clip_history_select_finish (CLIP_HISTORY (source), result, &error))
    complete_store (user_data);
  else
    fail_store (user_data, error);
}

/* what came, and no formatting that the same text had in the history */
static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StoreReply *reply = user_data;
  g_autoptr (GError) error = NULL;

  if (!clip_call_store_finish (result, &reply->stored, &error))
    fail_store (reply, error);
  else if (reply->select && reply->stored.added.id)
    clip_history_select_async (CLIP_HISTORY (source), reply->stored.added.id,
                               reply->stored.is_plain ? CLIP_SELECT_PLAIN
                                                      : CLIP_SELECT_WHOLE,
                               on_stored_selected, reply);
  else
    complete_store (reply);
}

static gboolean
take_input (GPtrArray *inputs,
            GUnixFDList *sent,
            const char *mime,
            GVariant *handle,
            GError **error)
{
  int fd;

  if (*mime && !clip_mime_is_valid (mime))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "content %u: not a MIME type", inputs->len);
      return FALSE;
    }
  fd = clip_bus_take_fd (sent, handle, error);
  if (fd < 0)
    return FALSE;
  clip_inputs_add (inputs, mime, fd);
  return TRUE;
}

static GPtrArray *
take_inputs (GVariant *contents, GUnixFDList *sent, GError **error)
{
  g_autoptr (GPtrArray) inputs = clip_inputs_new ();
  gsize n = g_variant_n_children (contents);

  if (n == 0 || n > MAX_CONTENTS)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "%" G_GSIZE_FORMAT " contents: 1 to %d go into an entry", n,
                   MAX_CONTENTS);
      return NULL;
    }
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) handle = NULL;
      const char *mime;

      g_variant_get_child (contents, i, "(&s@h)", &mime, &handle);
      if (!take_input (inputs, sent, mime, handle, error))
        return NULL;
    }
  return g_steal_pointer (&inputs);
}

static gboolean
is_caller_leaving (gpointer user_data)
{
  ClipBusCall *call = ((StoreReply *) user_data)->call;

  return !call->bus->callers ||
         clip_callers_is_leaving (call->bus->callers, call->invocation);
}

static gboolean
on_store (ClipBus *self,
          GDBusMethodInvocation *invocation,
          GUnixFDList *sent,
          GVariant *contents,
          GVariant *options)
{
  g_autoptr (ClipSettings) settings =
      clip_settings_copy (clip_history_settings (self->history));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) inputs = NULL;
  ClipBusCall *call = NULL;
  gboolean select = FALSE;
  guint64 replaces = 0;
  StoreReply *reply;

  if (check_store (self, options, &error) &&
      clip_convert_settings (options, settings, &error) &&
      clip_convert_ignored (options, settings, &error) &&
      clip_convert_option (options, "select", "b", &select, &error) &&
      clip_convert_option (options, "replaces", "t", &replaces, &error))
    inputs = take_inputs (contents, sent, &error);
  if (inputs)
    call = clip_bus_call_begin_transfer (self, invocation, 0, "in", options, &error);
  if (call && !clip_callers_grow (self->callers, clip_inputs_expected (inputs), &error))
    g_clear_pointer (&call, clip_bus_call_free);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  reply = g_new0 (StoreReply, 1);
  reply->call = call;
  reply->select = select;
  if (replaces != 0)
    clip_history_will_delete (self->history);
  clip_call_store_async (self->history, g_steal_pointer (&inputs), settings, select,
                         (gint64) replaces, is_caller_leaving,
                         clip_bus_call_progress (call), call->cancellable, on_stored,
                         reply);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_history_select_finish (CLIP_HISTORY (source), result, &error))
    clip_dbus_history_complete_select (NULL, call->invocation);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
convert_flags (GVariant *options, ClipSelectFlags *out_flags, GError **error)
{
  gboolean plain = FALSE;
  gboolean primary = FALSE;
  gboolean move = FALSE;

  if (!clip_convert_option (options, "plain", "b", &plain, error) ||
      !clip_convert_option (options, "primary", "b", &primary, error) ||
      !clip_convert_option (options, "move", "b", &move, error))
    return FALSE;
  *out_flags = CLIP_SELECT_WHOLE;
  if (plain)
    *out_flags |= CLIP_SELECT_PLAIN;
  if (primary)
    *out_flags |= CLIP_SELECT_PRIMARY;
  if (move)
    *out_flags |= CLIP_SELECT_MOVE;
  return TRUE;
}

static gboolean
on_select (ClipBus *self,
           GDBusMethodInvocation *invocation,
           guint64 id,
           GVariant *options)
{
  g_autoptr (GError) error = NULL;
  ClipSelectFlags flags;

  if (check_store (self, options, &error) && convert_flags (options, &flags, &error))
    clip_history_select_async (self->history, clip_bus_resolve (self, id), flags,
                               on_selected, clip_bus_call_new (self, invocation));
  else
    clip_bus_return_error (invocation, error);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_cleared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_history_empty_finish (CLIP_HISTORY (source), result, &error))
    clip_dbus_history_complete_clear (NULL, call->invocation);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_clear (ClipBus *self,
          GDBusMethodInvocation *invocation,
          GVariant *options G_GNUC_UNUSED)
{
  clip_history_empty_async (self->history, on_cleared,
                            clip_bus_call_new (self, invocation));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* --- Import --- */

static void
on_imported (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  ClipImportResult imported;
  GVariantDict details;

  if (!clip_import_finish (result, &imported, &error))
    {
      clip_bus_return_error (call->invocation, error);
      return;
    }
  g_variant_dict_init (&details, NULL);
  g_variant_dict_insert (&details, "known", "t", (guint64) imported.n_known);
  g_variant_dict_insert (&details, "skipped", "t", (guint64) imported.n_skipped);
  g_variant_dict_insert (&details, "tags-left", "t", (guint64) imported.n_tags_left);
  clip_bus_progress_end (call->progress);
  clip_dbus_history_complete_import (NULL, call->invocation, NULL,
                                     (guint64) imported.n_added,
                                     g_variant_dict_end (&details));
}

static gboolean
on_import (ClipBus *self,
           GDBusMethodInvocation *invocation,
           GUnixFDList *sent,
           GVariant *stream,
           GVariant *options)
{
  g_autoptr (ClipSettings) settings =
      clip_settings_copy (clip_history_settings (self->history));
  g_autoptr (GError) error = NULL;
  clip_autofd_foreign int fd = -1;
  ClipBusCall *call = NULL;

  if (check_store (self, options, &error) &&
      clip_convert_settings (options, settings, &error) &&
      clip_convert_ignored (options, settings, &error))
    fd = clip_bus_take_fd (sent, stream, &error);
  if (fd >= 0)
    call = clip_bus_call_begin_transfer (self, invocation, 0, "in", options, &error);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  clip_import_async (self->history, g_steal_fd (&fd), settings,
                     clip_bus_call_progress (call), call->cancellable, on_imported, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* --- what takes entries away; all of these answer with how many --- */

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  ClipOutcome removed;

  if (clip_store_change_finish (CLIP_STORE (source), result, &removed, &error))
    g_dbus_method_invocation_return_value (
        call->invocation,
        g_variant_new ("(u)", (guint32) MIN (removed.n, (gint64) G_MAXUINT32)));
  else
    clip_bus_return_error (call->invocation, error);
}

/* @is_walk: takes turns with all that walks through the history, as many ids do, and what
 * was copied since a time */
static ClipBusCall *
begin_if (gboolean is_walk,
          ClipBus *self,
          GDBusMethodInvocation *invocation,
          GError **error)
{
  return is_walk ? clip_bus_call_begin (self, invocation, error)
                 : clip_bus_call_new (self, invocation);
}

static gboolean
on_delete (ClipBus *self,
           GDBusMethodInvocation *invocation,
           GVariant *ids,
           GVariant *options)
{
  ClipStore *store = clip_history_store (self->history);
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = NULL;
  gboolean newest = FALSE;
  gsize n;
  const gint64 *array = g_variant_get_fixed_array (ids, &n, sizeof (gint64));

  if (check_store (self, options, &error) && clip_convert_check_ids (n, &error) &&
      clip_convert_option (options, "newest", "b", &newest, &error))
    call = begin_if (n > FEW_IDS, self, invocation, &error);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  clip_history_will_delete (self->history);
  clip_store_change_async (
      store, newest ? clip_change_delete_newest () : clip_change_delete (array, n),
      on_removed, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
check_needle (GBytes *needle, GError **error)
{
  const gsize length = g_bytes_get_size (needle);

  if (length > 0 && length <= MAX_NEEDLE_BYTES)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "the needle has %" G_GSIZE_FORMAT " bytes: 1 to %d", length,
               MAX_NEEDLE_BYTES);
  return FALSE;
}

static gboolean
on_delete_matching (ClipBus *self,
                    GDBusMethodInvocation *invocation,
                    GVariant *needle,
                    GVariant *options)
{
  g_autoptr (GBytes) bytes = g_variant_get_data_as_bytes (needle);
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = NULL;

  if (check_store (self, options, &error) && check_needle (bytes, &error))
    call = clip_bus_call_begin (self, invocation, &error);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  clip_history_will_delete (self->history);
  clip_store_delete_matching_async (clip_history_store (self->history), bytes,
                                    call->cancellable, on_removed, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
on_wipe (ClipBus *self, GDBusMethodInvocation *invocation, GVariant *options)
{
  static const char *const keys[] = { "store", "all", "since", "from-file", NULL };
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = NULL;
  gboolean all = FALSE;
  gint64 since_us = 0;

  if (check_store (self, options, &error) && clip_convert_only (options, keys, &error) &&
      clip_convert_option (options, "all", "b", &all, &error) &&
      clip_convert_option (options, "since", "x", &since_us, &error))
    call = begin_if (since_us > 0, self, invocation, &error);
  if (!call)
    {
      clip_bus_return_error (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  clip_history_will_delete (self->history);
  clip_store_change_async (clip_history_store (self->history),
                           clip_change_wipe (all, since_us), on_removed, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
on_trimmed (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;
  gint64 n = clip_history_trim_finish (result, &error);

  if (n >= 0)
    clip_dbus_history_complete_trim (NULL, call->invocation, (guint64) n);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_trim (ClipBus *self, GDBusMethodInvocation *invocation, GVariant *options)
{
  g_autoptr (ClipSettings) settings =
      clip_settings_copy (clip_history_settings (self->history));
  g_autoptr (GError) error = NULL;
  ClipBusCall *call = NULL;
  gboolean pretends = FALSE;

  if (check_store (self, options, &error) &&
      clip_convert_settings (options, settings, &error) &&
      clip_convert_option (options, "dry-run", "b", &pretends, &error))
    call = clip_bus_call_begin (self, invocation, &error);
  if (!call)
    clip_bus_return_error (invocation, error);
  else
    clip_history_trim_async (self->history, settings, pretends, on_trimmed, call);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* --- what is noted of an entry, and a pause; all of these answer with nothing --- */

static void
on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_store_change_finish (CLIP_STORE (source), result, NULL, &error))
    g_dbus_method_invocation_return_value (call->invocation, NULL);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_set_pinned (ClipBus *self,
               GDBusMethodInvocation *invocation,
               guint64 id,
               gboolean pinned,
               GVariant *options)
{
  if (clip_bus_is_for_us (self, invocation, options))
    clip_store_change_async (clip_history_store (self->history),
                             clip_change_pin (clip_bus_resolve (self, id), pinned),
                             on_changed, clip_bus_call_new (self, invocation));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
check_expiry (gint64 expires_us, GError **error)
{
  if (expires_us >= 0)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "expires is %" G_GINT64_FORMAT ", and neither a time nor 0", expires_us);
  return FALSE;
}

static gboolean
on_set_expiry (ClipBus *self,
               GDBusMethodInvocation *invocation,
               guint64 id,
               gint64 expires_us,
               GVariant *options)
{
  g_autoptr (GError) error = NULL;

  if (!check_expiry (expires_us, &error))
    clip_bus_return_error (invocation, error);
  else if (clip_bus_is_for_us (self, invocation, options))
    clip_store_change_async (clip_history_store (self->history),
                             clip_change_expire (clip_bus_resolve (self, id), expires_us),
                             on_changed, clip_bus_call_new (self, invocation));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
check_tags (const char *const *tags, GError **error)
{
  if (!clip_convert_check_list ("tags", tags, CLIP_MAX_TAGS, CLIP_MAX_TAG_BYTES, error))
    return FALSE;
  if (!g_strv_contains (tags, ""))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT, "a tag cannot be empty");
  return FALSE;
}

static gboolean
on_set_tags (ClipBus *self,
             GDBusMethodInvocation *invocation,
             guint64 id,
             const char *const *tags,
             GVariant *options)
{
  g_autoptr (GError) error = NULL;

  if (!check_tags (tags, &error))
    clip_bus_return_error (invocation, error);
  else if (clip_bus_is_for_us (self, invocation, options))
    clip_store_change_async (clip_history_store (self->history),
                             clip_change_tag (clip_bus_resolve (self, id), tags),
                             on_changed, clip_bus_call_new (self, invocation));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* -1 is until told; any other negative number is a mistake */
static gboolean
check_until (gint64 until_us, GError **error)
{
  if (until_us >= -1)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "pause: until is %" G_GINT64_FORMAT ", and neither a time nor 0 nor -1",
               until_us);
  return FALSE;
}

static void
on_paused (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipBusCall) call = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_history_pause_finish (CLIP_HISTORY (source), result, &error))
    clip_dbus_history_complete_pause (NULL, call->invocation);
  else
    clip_bus_return_error (call->invocation, error);
}

static gboolean
on_pause (ClipBus *self,
          GDBusMethodInvocation *invocation,
          gint64 until_us,
          GVariant *options)
{
  g_autoptr (GError) error = NULL;

  if (!check_until (until_us, &error))
    clip_bus_return_error (invocation, error);
  else if (clip_bus_is_for_us (self, invocation, options))
    clip_history_pause_async (self->history, until_us, on_paused,
                              clip_bus_call_new (self, invocation));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

void
clip_bus_connect_writes (ClipBus *self)
{
  static const ClipBusHandler handlers[] = {
    { "handle-store", G_CALLBACK (on_store) },
    { "handle-select", G_CALLBACK (on_select) },
    { "handle-clear", G_CALLBACK (on_clear) },
    { "handle-delete", G_CALLBACK (on_delete) },
    { "handle-delete-matching", G_CALLBACK (on_delete_matching) },
    { "handle-wipe", G_CALLBACK (on_wipe) },
    { "handle-trim", G_CALLBACK (on_trim) },
    { "handle-set-pinned", G_CALLBACK (on_set_pinned) },
    { "handle-set-expiry", G_CALLBACK (on_set_expiry) },
    { "handle-set-tags", G_CALLBACK (on_set_tags) },
    { "handle-pause", G_CALLBACK (on_pause) },
    { "handle-import", G_CALLBACK (on_import) },
  };

  clip_bus_connect (self, handlers, G_N_ELEMENTS (handlers));
}
