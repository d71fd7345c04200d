/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-finder.h"

#include "clip-bus-error.h"
#include "clip-convert.h"
#include "clip-finder-icons.h"
#include "clip-finder-private.h"
#include "clip-preview.h"

#include <glib/gi18n.h>
#include <string.h>

/* a desktop shows five or ten */
#define MAX_FOUND 20

#define TITLE_WIDTH 100

static const ClipFinderFace *const faces[] = { &clip_search_provider, &clip_krunner };

struct _ClipFinder
{
  GObject parent_instance;
  ClipHistory *history;
  ClipGate *gate;
  ClipCallers *callers; /* the bus's; NULL once that is gone */
  ClipBacklog *backlog; /* likewise */
  ClipScreenLock *lock;
  GDBusConnection *connection;
  guint registrations[G_N_ELEMENTS (faces)];
};

G_DEFINE_FINAL_TYPE (ClipFinder, clip_finder, G_TYPE_OBJECT)

static void
clip_finder_dispose (GObject *object)
{
  ClipFinder *self = CLIP_FINDER (object);

  for (guint i = 0; i < G_N_ELEMENTS (faces); i++)
    if (self->registrations[i])
      g_dbus_connection_unregister_object (self->connection, self->registrations[i]);
  memset (self->registrations, 0, sizeof self->registrations);
  g_clear_pointer (&self->lock, clip_screen_lock_free);
  g_clear_pointer (&self->gate, clip_gate_unref);
  self->callers = NULL;
  self->backlog = NULL;
  g_clear_object (&self->connection);
  g_clear_object (&self->history);
  G_OBJECT_CLASS (clip_finder_parent_class)->dispose (object);
}

static void
clip_finder_class_init (ClipFinderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_finder_dispose;
  g_signal_new ("chosen", CLIP_TYPE_FINDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
clip_finder_init (ClipFinder *self G_GNUC_UNUSED)
{
}

/* @callers, @backlog: outlive it, up to its dispose */
ClipFinder *
clip_finder_new (ClipHistory *history,
                 ClipGate *gate,
                 ClipCallers *callers,
                 ClipBacklog *backlog)
{
  ClipFinder *self = g_object_new (CLIP_TYPE_FINDER, NULL);

  self->history = g_object_ref (history);
  self->gate = clip_gate_ref (gate);
  self->callers = callers;
  self->backlog = backlog;
  return self;
}

/* --- calls --- */

static void
on_admitted (GDBusMethodInvocation *invocation, gpointer user_data)
{
  const char *path = g_dbus_method_invocation_get_object_path (invocation);

  for (guint i = 0; i < G_N_ELEMENTS (faces); i++)
    if (g_str_equal (path, faces[i]->path))
      {
        faces[i]->answer (user_data, invocation,
                          g_dbus_method_invocation_get_method_name (invocation),
                          g_dbus_method_invocation_get_parameters (invocation));
        return;
      }
}

static void
on_call (GDBusConnection *connection G_GNUC_UNUSED,
         const char *sender G_GNUC_UNUSED,
         const char *path G_GNUC_UNUSED,
         const char *interface G_GNUC_UNUSED,
         const char *method G_GNUC_UNUSED,
         GVariant *parameters G_GNUC_UNUSED,
         GDBusMethodInvocation *invocation,
         gpointer user_data)
{
  ClipFinder *self = user_data;

  clip_gate_admit (self->gate, invocation, on_admitted, self);
}

/**
 * clip_finder_export:
 * @connection: the session bus
 *
 * Errors: %G_IO_ERROR.
 */
gboolean
clip_finder_export (ClipFinder *self, GDBusConnection *connection, GError **error)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_call };

  self->connection = g_object_ref (connection);
  self->lock = clip_screen_lock_new (connection);
  for (guint i = 0; i < G_N_ELEMENTS (faces); i++)
    {
      g_autoptr (GDBusNodeInfo) node =
          g_dbus_node_info_new_for_xml (faces[i]->xml, error);

      if (node)
        self->registrations[i] = g_dbus_connection_register_object (
            connection, faces[i]->path, node->interfaces[0], &vtable, self, NULL, error);
      if (!self->registrations[i])
        return FALSE;
    }
  return TRUE;
}

/* what is watched for its sake */
ClipScreenLock *
clip_finder_screen_lock (ClipFinder *self)
{
  return self->lock;
}

/* --- what they ask for --- */

typedef struct
{
  ClipFinder *finder;
  GDBusMethodInvocation *invocation;
  GCancellable *cancellable; /* the share of its caller, until it is answered */
  const ClipFinderReply *reply;
  char **words; /* of a search; or ids */
  GPtrArray *entries;
  guint n_awaited; /* lookups */
} Request;

/* @words: @what, no more and no longer ones than a call of ours may have. NULL: it is
 * answered, with that or because its caller has all that it may have under way */
static Request *
request_new (ClipFinder *finder,
             const char *what,
             const char *const *words,
             GDBusMethodInvocation *invocation_take,
             const ClipFinderReply *reply)
{
  g_autoptr (GError) error = NULL;
  GCancellable *cancellable = NULL;
  Request *self;

  if (clip_convert_check_list (what, words, CLIP_CONVERT_MAX_ITEMS, CLIP_CONVERT_MAX_TEXT,
                               &error) &&
      (!reply->is_page ||
       clip_backlog_has_room (finder->backlog, invocation_take, &error)))
    cancellable =
        clip_callers_begin (finder->callers, invocation_take,
                            clip_gate_pid (finder->gate, invocation_take), &error);
  if (!cancellable)
    {
      clip_bus_return_error (invocation_take, error);
      return NULL;
    }
  self = g_new0 (Request, 1);
  self->finder = g_object_ref (finder);
  self->invocation = invocation_take;
  self->cancellable = cancellable;
  self->reply = reply;
  self->words = g_strdupv ((char **) words);
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_entry_free);
  return self;
}

static void
request_free (Request *self)
{
  if (self->finder->callers)
    clip_callers_end (self->finder->callers, self->invocation, self->cancellable);
  else
    g_object_unref (self->cancellable);
  g_object_unref (self->invocation);
  g_ptr_array_unref (self->entries);
  g_strfreev (self->words);
  g_object_unref (self->finder);
  g_free (self);
}

/* and frees it. @icons: (nullable) */
static void
answer (GHashTable *icons, gpointer user_data)
{
  Request *self = user_data;
  GVariant *body = self->reply->make (self->entries, icons);

  if (self->reply->is_page)
    clip_backlog_add_page (self->finder->backlog, self->invocation, body);
  g_dbus_method_invocation_return_value (g_object_ref (self->invocation), body);
  request_free (self);
}

/* a page is not there before its pictures are looked for */
static void
finish (Request *self)
{
  if (self->reply->is_page)
    clip_finder_icons_find (clip_store_dir (clip_history_store (self->finder->history)),
                            self->entries, self->reply->icons, answer, self);
  else
    answer (NULL, self);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *request = user_data;
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = clip_store_list_finish (CLIP_STORE (source), result, &error);

  if (!entries)
    {
      clip_bus_return_error (g_object_ref (request->invocation), error);
      request_free (request);
      return;
    }
  g_ptr_array_unref (request->entries);
  request->entries = entries;
  finish (request);
}

static void
on_lock_known_to_search (gboolean is_locked, gpointer user_data)
{
  Request *request = user_data;
  ClipStore *store = clip_history_store (request->finder->history);
  ClipQuery query = { .words = request->words,
                      .limit = MAX_FOUND,
                      .turn = clip_callers_turn (request->finder->callers,
                                                 request->cancellable) };

  if (is_locked || !*request->words)
    {
      finish (request);
      return;
    }
  clip_store_list_async (store, &query, request->cancellable, on_listed, request);
}

/**
 * clip_finder_search:
 * @words: all of them occur in what is found; data, and never patterns
 *
 * Finds the newest entries, as List does; nothing while the screen is locked.
 */
void
clip_finder_search (ClipFinder *self,
                    const char *const *words,
                    GDBusMethodInvocation *invocation_take,
                    const ClipFinderReply *reply)
{
  Request *request = request_new (self, "words", words, invocation_take, reply);

  if (request)
    clip_screen_lock_ask (self->lock, on_lock_known_to_search, request);
}

/* one that is gone by now is left out */
static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Request *request = user_data;
  ClipEntry *entry = clip_store_lookup_finish (CLIP_STORE (source), result, NULL);

  if (entry)
    g_ptr_array_add (request->entries, entry);
  if (--request->n_awaited == 0)
    finish (request);
}

static gint64
parse_id (const char *text)
{
  guint64 id = 0;

  return g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &id, NULL) ? (gint64) id
                                                                         : 0;
}

static void
on_lock_known_to_look_up (gboolean is_locked, gpointer user_data)
{
  Request *request = user_data;
  guint n = is_locked ? 0 : g_strv_length (request->words);

  request->n_awaited = n;
  if (n == 0)
    finish (request);
  for (guint i = 0; i < n; i++)
    clip_store_lookup_async (clip_history_store (request->finder->history),
                             parse_id (request->words[i]), on_looked_up, request);
}

/* the entries come in any order */
void
clip_finder_lookup (ClipFinder *self,
                    const char *const *ids,
                    GDBusMethodInvocation *invocation_take,
                    const ClipFinderReply *reply)
{
  Request *request = request_new (self, "ids", ids, invocation_take, reply);

  if (request)
    clip_screen_lock_ask (self->lock, on_lock_known_to_look_up, request);
}

typedef struct
{
  ClipFinder *finder;
  GDBusMethodInvocation *invocation;
} Choice;

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Choice *self = user_data;
  g_autoptr (ClipFinder) finder = self->finder;
  g_autoptr (GError) error = NULL;

  if (clip_history_select_finish (CLIP_HISTORY (source), result, &error))
    g_dbus_method_invocation_return_value (self->invocation, NULL);
  else
    clip_bus_return_error (self->invocation, error);
  g_signal_emit_by_name (finder, "chosen", error == NULL);
}

/* puts an entry on the clipboard, with all of its types */
void
clip_finder_select (ClipFinder *self,
                    const char *id,
                    GDBusMethodInvocation *invocation_take)
{
  Choice *choice = g_new (Choice, 1);

  *choice = (Choice){ g_object_ref (self), invocation_take };
  clip_history_select_async (self->history, parse_id (id), CLIP_SELECT_WHOLE, on_selected,
                             choice);
}

/* --- how an entry is shown --- */

/* (transfer full) (nullable): out of the line that scripts know images by,
 * `[[ binary data 2 KiB png 480x270 ]]`; not every image has one */
static char *
image_title (const ClipEntry *entry)
{
  g_autofree char *line = g_strndup (entry->row.preview, entry->row.preview_length);
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  guint n = g_strv_length (words);
  g_autofree char *format = NULL;

  if (entry->row.kind != CLIP_CLASS_IMAGE)
    return NULL;
  if (n < 7 || n > 8 || !g_str_has_prefix (line, "[[ binary data ") ||
      !g_str_has_suffix (line, " ]]"))
    return g_strdup (_ ("Image"));
  format = g_ascii_strup (words[5], -1);
  /* Translators: in the search of the desktop: an image, and its format: PNG, JPEG... */
  if (n == 7)
    return g_strdup_printf (_ ("Image: %s"), format);
  /* Translators: the same, with its width and height: 480x270 */
  return g_strdup_printf (_ ("Image: %s, %s"), format, words[6]);
}

/* (transfer full): one line */
char *
clip_finder_title (const ClipEntry *entry)
{
  g_autoptr (GString) title = g_string_new (NULL);
  g_autofree char *image = image_title (entry);

  if (image)
    return g_utf8_make_valid (image, -1);
  clip_preview_append_safe (title, entry->row.preview, entry->row.preview_length,
                            TITLE_WIDTH);
  return g_utf8_make_valid (title->str, (gssize) title->len);
}

/* (transfer full): when it was copied, and how large it is */
char *
clip_finder_about (const ClipEntry *entry)
{
  g_autofree char *size =
      g_format_size_full ((guint64) entry->row.size, G_FORMAT_SIZE_IEC_UNITS);
  g_autoptr (GDateTime) then =
      g_date_time_new_from_unix_local (entry->row.last_us / G_USEC_PER_SEC);
  g_autofree char *when = then ? g_date_time_format (then, "%x %H:%M") : NULL;

  /* Translators: when something was copied, and its size */
  return g_strdup_printf (_ ("Copied %s, %s"), when ?: "?", size);
}

const char *
clip_finder_icon (const ClipEntry *entry)
{
  static const char *const names[] = {
    [CLIP_CLASS_TEXT] = "text-x-generic",
    [CLIP_CLASS_IMAGE] = "image-x-generic",
    [CLIP_CLASS_FILES] = "folder",
    [CLIP_CLASS_OTHER] = "application-x-generic",
  };

  return names[CLAMP (entry->row.kind, CLIP_CLASS_TEXT, CLIP_CLASS_OTHER)];
}
