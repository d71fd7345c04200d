/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cliphist-content.h"

#include "cliphist-private.h"
#include "cliphist-stream.h"

#include <string.h>
#include <sys/stat.h>

/* --- what is known of an entry --- */

static void
on_looked_up (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (GVariant) reply = cliphist_call_finish (result, NULL, &error);
  g_autoptr (GVariant) row = NULL;

  if (!reply)
    {
      g_task_return_error (task, error);
      return;
    }
  g_variant_get (reply, "(@a{sv})", &row);
  g_task_return_pointer (task, cliphist_entry_new (row), g_object_unref);
}

/**
 * cliphist_history_lookup_async:
 * @self: a history
 * @id: of an entry; 0 is the newest
 * @cancellable: (nullable): to give up
 * @callback: (scope async): when it is there
 * @user_data: for @callback
 *
 * Reads all that is known of an entry, [property@Entry:mime-types] too, whether or not it
 * is in the list.
 */
void
cliphist_history_lookup_async (CliphistHistory *self,
                               guint64 id,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, cliphist_history_lookup_async);
  cliphist_call_async (cliphist_history_connection (self), "Lookup",
                       g_variant_new ("(t)", id), NULL, CLIPHIST_CALL_SOON, cancellable,
                       on_looked_up, task);
}

/**
 * cliphist_history_lookup_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND.
 *
 * Returns: (transfer full): the entry
 */
CliphistEntry *
cliphist_history_lookup_finish (CliphistHistory *self,
                                GAsyncResult *result,
                                GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- a content --- */

/* A content on its way; how much of it is wanted, where bytes are. */
typedef struct
{
  GInputStream *stream; /* (nullable): until it is open */
  guint64 size;
  gsize limit;
  char *bytes; /* (nullable) */
  gsize length;
} Content;

static void
content_free (Content *self)
{
  g_clear_object (&self->stream);
  g_free (self->bytes);
  g_free (self);
}

/* (transfer full): @handle: which of the descriptors. Errors: CLIPHIST_ERROR_FAILED */
static int
take_fd (GUnixFDList *fds, gint32 handle, GError **error)
{
  int fd = fds ? g_unix_fd_list_get (fds, handle, NULL) : -1;

  if (fd < 0)
    g_set_error_literal (error, CLIPHIST_ERROR, CLIPHIST_ERROR_FAILED,
                         "no descriptor came with the answer");
  return fd;
}

static GInputStream *
finish_open (GAsyncResult *result, guint64 *out_size, GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = cliphist_call_finish (result, &fds, error);
  gint32 handle;
  int fd;

  if (!reply)
    return NULL;
  g_variant_get (reply, "(hts)", &handle, out_size, NULL);
  fd = take_fd (fds, handle, error);
  if (fd < 0)
    return NULL;
  return cliphist_stream_new (fd, *out_size, cliphist_call_connection (result));
}

static void
call_open (CliphistHistory *self,
           guint64 id,
           const char *mime_type,
           GAsyncReadyCallback callback,
           GTask *task_take)
{
  cliphist_call_async (cliphist_history_connection (self), "Open",
                       g_variant_new ("(ts@a{sv})", id, mime_type ? mime_type : "",
                                      cliphist_call_no_options ()),
                       NULL, CLIPHIST_CALL_SOON, g_task_get_cancellable (task_take),
                       callback, task_take);
}

static void
on_opened (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Content *content = g_task_get_task_data (task);
  GError *error = NULL;
  GInputStream *stream = finish_open (result, &content->size, &error);

  if (stream)
    g_task_return_pointer (task, stream, g_object_unref);
  else
    g_task_return_error (task, error);
}

/**
 * cliphist_history_open_async:
 * @self: a history
 * @id: of an entry; 0 is the newest
 * @mime_type: (nullable): which of its types; %NULL is the primary one
 * @cancellable: (nullable): to give up
 * @callback: (scope async): when it is open
 * @user_data: for @callback
 *
 * Opens a content, of any size: it is a pipe that the daemon fills while it is read.
 */
void
cliphist_history_open_async (CliphistHistory *self,
                             guint64 id,
                             const char *mime_type,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, cliphist_history_open_async);
  g_task_set_task_data (task, g_new0 (Content, 1), (GDestroyNotify) content_free);
  call_open (self, id, mime_type, on_opened, task);
}

/**
 * cliphist_history_open_finish:
 * @self: a history
 * @result: what the callback got
 * @out_size: (out) (optional): how many bytes it has
 * @error: return location
 *
 * The stream is a [class@GioUnix.InputStream], whose descriptor may be read instead. A
 * content that ends early fails with %CLIPHIST_ERROR_CORRUPT when the stream is read; who
 * reads the descriptor compares with @out_size. Who does not read for 30 seconds loses
 * it. @self may be released while it is read.
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND, %CLIPHIST_ERROR_NO_SUCH_FORMAT,
 * %CLIPHIST_ERROR_CORRUPT, %CLIPHIST_ERROR_LIMITS.
 *
 * Returns: (transfer full): the content
 */
GInputStream *
cliphist_history_open_finish (CliphistHistory *self,
                              GAsyncResult *result,
                              guint64 *out_size,
                              GError **error)
{
  const Content *content;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  content = g_task_get_task_data (G_TASK (result));
  if (out_size)
    *out_size = content->size;
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
on_bytes_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Content *content = g_task_get_task_data (task);
  GError *error = NULL;

  if (g_input_stream_read_all_finish (G_INPUT_STREAM (source), result, &content->length,
                                      &error))
    g_task_return_pointer (
        task, g_bytes_new_take (g_steal_pointer (&content->bytes), content->length),
        (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, error);
}

static void
read_bytes (GTask *task, gsize length)
{
  Content *content = g_task_get_task_data (task);

  content->bytes = g_try_malloc (MAX (length, 1));
  if (content->bytes)
    g_input_stream_read_all_async (content->stream, content->bytes, length,
                                   G_PRIORITY_DEFAULT, g_task_get_cancellable (task),
                                   on_bytes_read, g_object_ref (task));
  else
    g_task_return_new_error (task, CLIPHIST_ERROR, CLIPHIST_ERROR_TOO_LARGE,
                             "no memory for %" G_GSIZE_FORMAT " bytes", length);
}

static void
on_opened_to_load (GObject *source G_GNUC_UNUSED,
                   GAsyncResult *result,
                   gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Content *content = g_task_get_task_data (task);
  GError *error = NULL;

  content->stream = finish_open (result, &content->size, &error);
  if (content->stream)
    read_bytes (task, (gsize) MIN (content->size, (guint64) content->limit));
  else
    g_task_return_error (task, error);
}

/**
 * cliphist_history_load_bytes_async:
 * @self: a history
 * @id: of an entry; 0 is the newest
 * @mime_type: (nullable): which of its types; %NULL is the primary one
 * @limit: how many bytes at most
 * @cancellable: (nullable): to give up
 * @callback: (scope async): when they are there
 * @user_data: for @callback
 *
 * Reads the first @limit bytes of a content, or all of one that has no more.
 */
void
cliphist_history_load_bytes_async (CliphistHistory *self,
                                   guint64 id,
                                   const char *mime_type,
                                   gsize limit,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  Content *content = g_new0 (Content, 1);

  g_task_set_source_tag (task, cliphist_history_load_bytes_async);
  content->limit = limit;
  g_task_set_task_data (task, content, (GDestroyNotify) content_free);
  call_open (self, id, mime_type, on_opened_to_load, task);
}

/**
 * cliphist_history_load_bytes_finish:
 * @self: a history
 * @result: what the callback got
 * @out_size: (out) (optional): how many bytes the content has
 * @error: return location
 *
 * Errors: as [method@History.open_finish], and %CLIPHIST_ERROR_TOO_LARGE where there is
 * no memory for them.
 *
 * Returns: (transfer full): the bytes; fewer than @out_size where the limit was reached
 */
GBytes *
cliphist_history_load_bytes_finish (CliphistHistory *self,
                                    GAsyncResult *result,
                                    guint64 *out_size,
                                    GError **error)
{
  const Content *content;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  content = g_task_get_task_data (G_TASK (result));
  if (out_size)
    *out_size = content->size;
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* --- into a descriptor --- */

/* 0 with @error */
static guint64
finish_bytes (GAsyncResult *result, GError **error)
{
  g_autoptr (GVariant) reply = g_task_propagate_pointer (G_TASK (result), error);
  guint64 bytes = 0;

  if (reply)
    g_variant_get (reply, "(t)", &bytes);
  return bytes;
}

/* @arguments: floating; the descriptor is their handle 0 */
static void
call_with_sink (CliphistHistory *self,
                const char *method,
                GVariant *arguments,
                int fd,
                GTask *task_take)
{
  g_autoptr (GTask) task = task_take;
  g_autoptr (GVariant) args = g_variant_ref_sink (arguments);
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GError) error = NULL;

  if (g_unix_fd_list_append (fds, fd, &error) < 0)
    g_task_return_new_error (task, CLIPHIST_ERROR, CLIPHIST_ERROR_INVALID_ARGUMENT, "%s",
                             error->message);
  else
    cliphist_call_async (cliphist_history_connection (self), method, args, fds,
                         CLIPHIST_CALL_LASTS, g_task_get_cancellable (task),
                         cliphist_call_return, g_object_ref (task));
}

/**
 * cliphist_history_send_async:
 * @self: a history
 * @id: of an entry; 0 is the newest
 * @mime_type: (nullable): which of its types; %NULL is the primary one
 * @fd: a pipe, a file, a socket. It stays the caller's, and may be closed at once
 * @cancellable: (nullable): to give up waiting; the daemon goes on
 * @callback: (scope async): when everything is written
 * @user_data: for @callback
 *
 * Has the daemon write a content: no byte passes through this process.
 */
void
cliphist_history_send_async (CliphistHistory *self,
                             guint64 id,
                             const char *mime_type,
                             int fd,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, cliphist_history_send_async);
  call_with_sink (self, "Send",
                  g_variant_new ("(tsh@a{sv})", id, mime_type ? mime_type : "", 0,
                                 cliphist_call_no_options ()),
                  fd, task);
}

/**
 * cliphist_history_send_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: as [method@History.open_finish], and %CLIPHIST_ERROR_STALLED,
 * %CLIPHIST_ERROR_NO_SPACE, %CLIPHIST_ERROR_INVALID_ARGUMENT (a descriptor that cannot be
 * written).
 *
 * Returns: how many bytes were written: fewer than the size only where the reader left
 */
guint64
cliphist_history_send_finish (CliphistHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);
  return finish_bytes (result, error);
}

/**
 * cliphist_history_join_async:
 * @self: a history
 * @ids: (array length=n_ids): of the entries, in the order wanted
 * @n_ids: how many
 * @mime_type: (nullable): which of their types; %NULL is the primary one of each
 * @separator: (nullable): what comes between two of them, 4096 bytes at most
 * @fd: as of [method@History.send_async]
 * @cancellable: (nullable): to give up waiting; the daemon goes on
 * @callback: (scope async): when everything is written
 * @user_data: for @callback
 *
 * Has the daemon write many entries, one after the other.
 */
void
cliphist_history_join_async (CliphistHistory *self,
                             const guint64 *ids,
                             gsize n_ids,
                             const char *mime_type,
                             const char *separator,
                             int fd,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (separator)
    g_variant_builder_add (&options, "{sv}", "separator",
                           g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, separator,
                                                      strlen (separator), 1));
  if (mime_type)
    g_variant_builder_add (&options, "{sv}", "mime", g_variant_new_string (mime_type));
  g_task_set_source_tag (task, cliphist_history_join_async);
  call_with_sink (self, "Join",
                  g_variant_new ("(@atha{sv})",
                                 g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, ids,
                                                            n_ids, sizeof *ids),
                                 0, &options),
                  fd, task);
}

/**
 * cliphist_history_join_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: as [method@History.send_finish].
 *
 * Returns: how many bytes were written
 */
guint64
cliphist_history_join_finish (CliphistHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), 0);
  return finish_bytes (result, error);
}

/* --- a thumbnail --- */

/* a picture of that many pixels has no more */
#define MOST_THUMBNAIL_BYTES (32 * 1024 * 1024)

static gsize
size_of (int fd)
{
  struct stat status;

  return fstat (fd, &status) == 0 && status.st_size > 0
             ? (gsize) MIN (status.st_size, MOST_THUMBNAIL_BYTES)
             : 0;
}

static void
on_thumbnail (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Content *content = g_task_get_task_data (task);
  g_autoptr (GUnixFDList) fds = NULL;
  GError *error = NULL;
  g_autoptr (GVariant) reply = cliphist_call_finish (result, &fds, &error);
  gint32 handle;
  int fd = -1;

  if (reply)
    {
      g_variant_get (reply, "(h)", &handle);
      fd = take_fd (fds, handle, &error);
    }
  if (fd < 0)
    {
      g_task_return_error (task, error);
      return;
    }
  content->stream = g_unix_input_stream_new (fd, TRUE);
  read_bytes (task, size_of (fd));
}

/**
 * cliphist_history_thumbnail_async:
 * @self: a history
 * @id: of a picture
 * @size: pixels that no side is to be longer than: 1 to 2048, 0 for 256. Up to 256 it is
 *   the picture that is kept, which has 256
 * @cancellable: (nullable): to give up
 * @callback: (scope async): when it is there
 * @user_data: for @callback
 *
 * Asks for a small picture of a picture. It is made when it is first asked for, by a
 * program of its own: the thumbnail is a PNG of ours, even if the picture is malicious.
 */
void
cliphist_history_thumbnail_async (CliphistHistory *self,
                                  guint64 id,
                                  guint size,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (size > 0)
    g_variant_builder_add (&options, "{sv}", "size", g_variant_new_uint32 (size));
  g_task_set_source_tag (task, cliphist_history_thumbnail_async);
  g_task_set_task_data (task, g_new0 (Content, 1), (GDestroyNotify) content_free);
  cliphist_call_async (cliphist_history_connection (self), "Thumbnail",
                       g_variant_new ("(ta{sv})", id, &options), NULL,
                       CLIPHIST_CALL_LASTS, cancellable, on_thumbnail, task);
}

/**
 * cliphist_history_thumbnail_finish:
 * @self: a history
 * @result: what the callback got
 * @error: return location
 *
 * Errors: %CLIPHIST_ERROR_NOT_FOUND, %CLIPHIST_ERROR_NO_SUCH_FORMAT (it is no picture),
 * %CLIPHIST_ERROR_CORRUPT (it cannot be decoded), %CLIPHIST_ERROR_LIMITS,
 * %CLIPHIST_ERROR_INVALID_ARGUMENT.
 *
 * Returns: (transfer full): a PNG
 */
GBytes *
cliphist_history_thumbnail_finish (CliphistHistory *self,
                                   GAsyncResult *result,
                                   GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
