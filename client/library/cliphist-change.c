/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-change.h"

#include "cliphist-private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* (transfer full) */
static GTask *
begin (CliphistHistory *self,
       gpointer tag,
       GCancellable *cancellable,
       GAsyncReadyCallback callback,
       gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  cliphist_history_await (self, task);
  return task;
}

/* @arguments: floating */
static void
call (CliphistHistory *self,
      gpointer tag,
      const char *method,
      GVariant *arguments,
      GCancellable *cancellable,
      GAsyncReadyCallback callback,
      gpointer user_data)
{
  GTask *task = begin (self, tag, cancellable, callback, user_data);

  cliphist_call_async (cliphist_history_connection (self), method, arguments, NULL,
                       CLIPHIST_CALL_LASTS, cancellable, cliphist_call_return, task);
}

static gboolean
finish (CliphistHistory *self, GAsyncResult *result, GError **error)
{
  g_autoptr (GVariant) reply = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  reply = g_task_propagate_pointer (G_TASK (result), error);
  return reply != NULL;
}

static gboolean
finish_count (CliphistHistory *self, GAsyncResult *result, guint *out_n, GError **error)
{
  g_autoptr (GVariant) reply = NULL;
  guint32 n = 0;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  reply = g_task_propagate_pointer (G_TASK (result), error);
  if (reply)
    g_variant_get (reply, "(u)", &n);
  if (out_n)
    *out_n = n;
  return reply != NULL;
}

/* --- store --- */

static guint64
finish_store (CliphistHistory *self,
              GAsyncResult *result,
              char **out_dropped,
              GError **error)
{
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) details = NULL;
  g_autofree char *dropped = NULL;
  guint64 id = 0;

  g_return_val_if_fail (g_task_is_valid (result, self), 0);
  reply = g_task_propagate_pointer (G_TASK (result), error);
  if (reply)
    {
      g_variant_get (reply, "(t@a{sv})", &id, &details);
      g_variant_lookup (details, "dropped", "s", &dropped);
    }
  if (out_dropped)
    *out_dropped = g_steal_pointer (&dropped);
  return id;
}

static void
init_options (GVariantBuilder *options, gboolean select)
{
  g_variant_builder_init (options, G_VARIANT_TYPE_VARDICT);
  if (select)
    g_variant_builder_add (options, "{sv}", "select", g_variant_new_boolean (TRUE));
}

/* clears @options */
static void
call_store (CliphistHistory *self,
            GVariant *contents,
            GUnixFDList *fds,
            GVariantBuilder *options,
            GTask *task_take)
{
  cliphist_call_async (cliphist_history_connection (self), "Store",
                       g_variant_new ("(@a(sh)a{sv})", contents, options), fds,
                       CLIPHIST_CALL_LASTS, g_task_get_cancellable (task_take),
                       cliphist_call_return, task_take);
}

static gboolean
refuse_argument (GTask *task, const char *text)
{
  g_task_return_new_error (task, CLIPHIST_ERROR, CLIPHIST_ERROR_INVALID_ARGUMENT, "%s",
                           text);
  return FALSE;
}

/* (transfer floating) (nullable): with @task answered */
static GVariant *
gather (GTask *task,
        const char *const *mime_types,
        const int *fds,
        gsize n_fds,
        GUnixFDList *list)
{
  g_autoptr (GVariantBuilder) contents = g_variant_builder_new (G_VARIANT_TYPE ("a(sh)"));

  for (gsize i = 0; i < n_fds; i++)
    {
      g_autoptr (GError) error = NULL;
      int handle = g_unix_fd_list_append (list, fds[i], &error);

      if (handle < 0)
        {
          refuse_argument (task, error->message);
          return NULL;
        }
      g_variant_builder_add (contents, "(sh)", mime_types[i], handle);
    }
  return g_variant_builder_end (contents);
}

/**
 * cliphist_history_store_async:
 * @self: a history
 * @mime_types: (array zero-terminated=1): a type for each descriptor, the primary one
 *   first; one of "" is found out from the bytes
 * @fds: (array length=n_fds): pipes, files or sockets, each to be read to its end. They
 *   stay the caller's, and may be closed at once
 * @n_fds: how many: 1 to 8, as many as types
 * @select: whether the clipboard is to hold it, too
 * @cancellable: (nullable): to give up waiting; it may be kept all the same
 * @callback: (scope async): when it would survive a power cut
 * @user_data: for @callback
 *
 * Stores the representations of one copy as an entry.
 */
void
cliphist_history_store_async (CliphistHistory *self,
                              const char *const *mime_types,
                              const int *fds,
                              gsize n_fds,
                              gboolean select,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task =
      begin (self, cliphist_history_store_async, cancellable, callback, user_data);
  g_autoptr (GUnixFDList) list = g_unix_fd_list_new ();
  GVariantBuilder options;
  GVariant *contents;

  if (g_strv_length ((char **) mime_types) != n_fds)
    {
      refuse_argument (task, "not as many types as descriptors");
      return;
    }
  contents = gather (task, mime_types, fds, n_fds, list);
  if (!contents)
    return;
  init_options (&options, select);
  call_store (self, contents, list, &options, g_object_ref (task));
}

/**
 * cliphist_history_store_finish:
 * @self: a history
 * @result: what the callback got
 * @out_dropped: (out) (optional) (nullable) (transfer full): why it was dropped: blank,
 *   too-large, too-small, sensitive, paused, pattern, deleted (the history was wiped
 *   meanwhile) or unanswered (the clipboard's owner, or a display, does not say what it
 *   holds, which may be a secret); %NULL where it was kept
 * @error: return location
 *
 * What the settings do not want to have kept is dropped, which is no error.
 *
 * Errors: %CLIPHIST_ERROR_NO_SPACE, %CLIPHIST_ERROR_STALLED, %CLIPHIST_ERROR_LIMITS,
 * %CLIPHIST_ERROR_INVALID_ARGUMENT.
 *
 * Returns: the id of the entry; 0 where it was dropped, or on error
 */
guint64
cliphist_history_store_finish (CliphistHistory *self,
                               GAsyncResult *result,
                               char **out_dropped,
                               GError **error)
{
  return finish_store (self, result, out_dropped, error);
}

/* by position: what reads it begins where it stands */
static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize length, done = 0;
  const char *data = g_bytes_get_data (bytes, &length);

  while (done < length)
    {
      ssize_t n = pwrite (fd, data + done, length - done, (off_t) done);

      if (n > 0)
        done += (gsize) n;
      else if (n == 0 || errno != EINTR)
        return FALSE;
    }
  return TRUE;
}

/* a file without a name; -1 with @error */
static int
put_in_memory (GBytes *bytes, GError **error)
{
  int fd = memfd_create ("cliphist", MFD_CLOEXEC);

  if (fd >= 0 && write_all (fd, bytes))
    return fd;
  g_set_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_FAILED, "write into memory: %s",
               g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return -1;
}

/* clears @options */
static void
store_bytes (CliphistHistory *self,
             const char *mime_type,
             GBytes *bytes,
             GVariantBuilder *options,
             GTask *task_take)
{
  g_autoptr (GUnixFDList) list = NULL;
  GError *error = NULL;
  int fd = put_in_memory (bytes, &error);
  GVariant *content;

  if (fd < 0)
    {
      g_variant_builder_clear (options);
      g_task_return_error (task_take, error);
      g_object_unref (task_take);
      return;
    }
  list = g_unix_fd_list_new_from_array (&fd, 1);
  content = g_variant_new ("(sh)", mime_type ? mime_type : "", 0);
  call_store (self, g_variant_new_array (NULL, &content, 1), list, options, task_take);
}

/**
 * cliphist_history_store_bytes_async:
 * @self: a history
 * @mime_type: (nullable): their type; %NULL is found out from the bytes
 * @bytes: what is to be an entry
 * @select: whether the clipboard is to hold it, too
 * @cancellable: (nullable): to give up waiting; it may be kept all the same
 * @callback: (scope async): when it would survive a power cut
 * @user_data: for @callback
 *
 * Stores bytes as an entry.
 */
void
cliphist_history_store_bytes_async (CliphistHistory *self,
                                    const char *mime_type,
                                    GBytes *bytes,
                                    gboolean select,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  GTask *task =
      begin (self, cliphist_history_store_bytes_async, cancellable, callback, user_data);
  GVariantBuilder options;

  init_options (&options, select);
  store_bytes (self, mime_type, bytes, &options, task);
}

/**
 * cliphist_history_store_bytes_finish:
 * @self: a history
 * @result: what the callback got
 * @out_dropped: (out) (optional) (nullable) (transfer full): as of
 * [method@History.store_finish]
 * @error: return location
 *
 * Errors: as [method@History.store_finish].
 *
 * Returns: the id of the entry; 0 where it was dropped, or on error
 */
guint64
cliphist_history_store_bytes_finish (CliphistHistory *self,
                                     GAsyncResult *result,
                                     char **out_dropped,
                                     GError **error)
{
  return finish_store (self, result, out_dropped, error);
}

/* --- onto the clipboard --- */

/**
 * cliphist_history_select_async:
 * @self: a history
 * @id: of an entry; 0 is the newest
 * @flags: how
 * @cancellable: (nullable): to give up waiting
 * @callback: (scope async): when the display knows
 * @user_data: for @callback
 *
 * Puts an entry on the clipboard. A paste after @callback gets it, or what
 * was copied since.
 */
void
cliphist_history_select_async (CliphistHistory *self,
                               guint64 id,
                               CliphistSelectFlags flags,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  static const struct
  {
    CliphistSelectFlags flag;
    const char *key;
  } keys[] = {
    { CLIPHIST_SELECT_PLAIN, "plain" },
    { CLIPHIST_SELECT_PRIMARY, "primary" },
    { CLIPHIST_SELECT_MOVE, "move" },
  };
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (flags & keys[i].flag)
      g_variant_builder_add (&options, "{sv}", keys[i].key, g_variant_new_boolean (TRUE));
  call (self, cliphist_history_select_async, "Select",
        g_variant_new ("(ta{sv})", id, &options), cancellable, callback, user_data);
}

/**
 * cliphist_history_select_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND, %CLIPHIST_ERROR_NO_SUCH_FORMAT (it has no plain
 * text), %CLIPHIST_ERROR_NO_BACKEND.
 *
 * Returns: whether it is on the clipboard
 */
gboolean
cliphist_history_select_finish (CliphistHistory *self,
                                GAsyncResult *result,
                                GError **error)
{
  return finish (self, result, error);
}

/* --- away --- */

/**
 * cliphist_history_delete_async:
 * @self: a history
 * @ids: (array length=n_ids): of entries, pinned ones too; unknown ones count for nothing
 * @n_ids: how many; 100,000 at most
 * @cancellable: (nullable): to give up waiting; they go all the same
 * @callback: (scope async): when they are gone
 * @user_data: for @callback
 *
 * Deletes entries, all of them at once.
 */
void
cliphist_history_delete_async (CliphistHistory *self,
                               const guint64 *ids,
                               gsize n_ids,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GVariant *array =
      g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids, n_ids, sizeof *ids);

  call (self, cliphist_history_delete_async, "Delete",
        g_variant_new ("(@at@a{sv})", array, cliphist_call_no_options ()), cancellable,
        callback, user_data);
}

/**
 * cliphist_history_delete_finish:
 * @self: a history
 * @result: what the callback got
 * @out_n: (out) (optional): how many entries went
 * @error: return location
 *
 * Errors: [error@Error].
 *
 * Returns: whether that was done
 */
gboolean
cliphist_history_delete_finish (CliphistHistory *self,
                                GAsyncResult *result,
                                guint *out_n,
                                GError **error)
{
  return finish_count (self, result, out_n, error);
}

/**
 * cliphist_history_wipe_async:
 * @self: a history
 * @pinned_too: whether pinned entries go, too
 * @since: only what was last copied at this time or later, in microseconds since the
 *   epoch; 0 is everything
 * @cancellable: (nullable): to give up waiting; they go all the same
 * @callback: (scope async): when they are gone
 * @user_data: for @callback
 *
 * Empties the history.
 */
void
cliphist_history_wipe_async (CliphistHistory *self,
                             gboolean pinned_too,
                             gint64 since,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (pinned_too)
    g_variant_builder_add (&options, "{sv}", "all", g_variant_new_boolean (TRUE));
  if (since != 0)
    g_variant_builder_add (&options, "{sv}", "since", g_variant_new_int64 (since));
  call (self, cliphist_history_wipe_async, "Wipe", g_variant_new ("(a{sv})", &options),
        cancellable, callback, user_data);
}

/**
 * cliphist_history_wipe_finish:
 * @self: a history
 * @result: what the callback got
 * @out_n: (out) (optional): how many entries went
 * @error: return location
 *
 * Errors: [error@Error].
 *
 * Returns: whether that was done
 */
gboolean
cliphist_history_wipe_finish (CliphistHistory *self,
                              GAsyncResult *result,
                              guint *out_n,
                              GError **error)
{
  return finish_count (self, result, out_n, error);
}

/* --- of one entry --- */

/**
 * cliphist_history_set_pinned_async:
 * @self: a history
 * @id: of an entry
 * @pinned: whether it is to survive limits, expiry and wiping
 * @cancellable: (nullable): to give up waiting
 * @callback: (scope async): when it is so
 * @user_data: for @callback
 *
 * Pins an entry, or does not any more.
 */
void
cliphist_history_set_pinned_async (CliphistHistory *self,
                                   guint64 id,
                                   gboolean pinned,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  call (self, cliphist_history_set_pinned_async, "SetPinned",
        g_variant_new ("(tb@a{sv})", id, pinned, cliphist_call_no_options ()),
        cancellable, callback, user_data);
}

/**
 * cliphist_history_set_pinned_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND.
 *
 * Returns: whether that was done
 */
gboolean
cliphist_history_set_pinned_finish (CliphistHistory *self,
                                    GAsyncResult *result,
                                    GError **error)
{
  return finish (self, result, error);
}

/**
 * cliphist_history_set_tags_async:
 * @self: a history
 * @id: of an entry
 * @tags: (array zero-terminated=1): instead of those that it has; 256 at most, of 1 to
 * 256 bytes
 * @cancellable: (nullable): to give up waiting
 * @callback: (scope async): when it has them
 * @user_data: for @callback
 *
 * Gives an entry tags.
 */
void
cliphist_history_set_tags_async (CliphistHistory *self,
                                 guint64 id,
                                 const char *const *tags,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  call (self, cliphist_history_set_tags_async, "SetTags",
        g_variant_new ("(t^as@a{sv})", id, tags, cliphist_call_no_options ()),
        cancellable, callback, user_data);
}

/**
 * cliphist_history_set_tags_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND, %CLIPHIST_ERROR_INVALID_ARGUMENT.
 *
 * Returns: whether that was done
 */
gboolean
cliphist_history_set_tags_finish (CliphistHistory *self,
                                  GAsyncResult *result,
                                  GError **error)
{
  return finish (self, result, error);
}

/**
 * cliphist_history_set_expiry_async:
 * @self: a history
 * @id: of an entry
 * @expires: when it is to go: microseconds since the epoch; 0 is never
 * @cancellable: (nullable): to give up waiting
 * @callback: (scope async): when it is so
 * @user_data: for @callback
 *
 * Has an entry go by itself.
 */
void
cliphist_history_set_expiry_async (CliphistHistory *self,
                                   guint64 id,
                                   gint64 expires,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  call (self, cliphist_history_set_expiry_async, "SetExpiry",
        g_variant_new ("(tx@a{sv})", id, expires, cliphist_call_no_options ()),
        cancellable, callback, user_data);
}

/**
 * cliphist_history_set_expiry_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND.
 *
 * Returns: whether that was done
 */
gboolean
cliphist_history_set_expiry_finish (CliphistHistory *self,
                                    GAsyncResult *result,
                                    GError **error)
{
  return finish (self, result, error);
}

/**
 * cliphist_history_pause_async:
 * @self: a history
 * @until: when to go on: microseconds since the epoch; 0 goes on at once, -1 stays until
 * told
 * @cancellable: (nullable): to give up waiting
 * @callback: (scope async): when it is so
 * @user_data: for @callback
 *
 * Has nothing kept for a while. [property@History:paused-until] tells.
 */
void
cliphist_history_pause_async (CliphistHistory *self,
                              gint64 until,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  call (self, cliphist_history_pause_async, "Pause",
        g_variant_new ("(x@a{sv})", until, cliphist_call_no_options ()), cancellable,
        callback, user_data);
}

/**
 * cliphist_history_pause_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_INVALID_ARGUMENT. Where the history cannot be written
 * (%CLIPHIST_ERROR_NO_SPACE, %CLIPHIST_ERROR_FAILED), it is so all the same, and a
 * restart of the daemon forgets it: [property@History:paused-until] tells.
 *
 * Returns: whether that was done
 */
gboolean
cliphist_history_pause_finish (CliphistHistory *self,
                               GAsyncResult *result,
                               GError **error)
{
  return finish (self, result, error);
}

/* --- another text --- */

/**
 * cliphist_history_set_text_async:
 * @self: a history
 * @id: of an entry
 * @text: instead of what it holds
 * @cancellable: (nullable): to give up waiting; it may be done all the same
 * @callback: (scope async): when it is done
 * @user_data: for @callback
 *
 * Replaces an entry by a text, which is the newest entry then, with the pin, the tags and
 * the expiry of the old one. Where the old one is gone by then the text is an entry all
 * the same.
 */
void
cliphist_history_set_text_async (CliphistHistory *self,
                                 guint64 id,
                                 const char *text,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  GTask *task =
      begin (self, cliphist_history_set_text_async, cancellable, callback, user_data);
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "replaces", g_variant_new_uint64 (id));
  store_bytes (self, "text/plain;charset=utf-8", bytes, &options, task);
}

/**
 * cliphist_history_set_text_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: as [method@History.store_finish], and %CLIPHIST_ERROR_FAILED where the settings
 * do not want the text to be kept: the old entry stays.
 *
 * Returns: the id of the entry that has the text; 0 on error
 */
guint64
cliphist_history_set_text_finish (CliphistHistory *self,
                                  GAsyncResult *result,
                                  GError **error)
{
  g_autofree char *dropped = NULL;
  guint64 id = finish_store (self, result, &dropped, error);

  if (dropped)
    g_set_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_FAILED, "the text is not kept: %s",
                 dropped);
  return id;
}
