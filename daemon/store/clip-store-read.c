/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that read: each becomes an order for the readers. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-private.h"

#include "clip-snippet.h"

#include <string.h>

/* of all tags of a list; those of a thousand entries that people tag have less */
#define PAGE_TAG_BYTES (4 * 1024 * 1024)

/* What is to be read. */
typedef struct
{
  gint64 id;
  ClipQuery query; /* with strings of its own */
} Request;

static void
free_request (Request *self)
{
  clip_query_clear (&self->query);
  g_free (self);
}

static void
order (ClipStore *self,
       ClipReadKind kind,
       GTask *task_take,
       Request *request_take,
       ClipReadFunc function)
{
  g_task_set_task_data (task_take, request_take, (GDestroyNotify) free_request);
  if (self->readers)
    clip_readers_push (self->readers, kind, request_take->query.turn, task_take,
                       function);
  else
    clip_store_refuse (task_take);
}

static void
return_found (GTask *task, gpointer found, GDestroyNotify free_found, GError *error_take)
{
  if (found)
    g_task_return_pointer (task, found, free_found);
  else
    g_task_return_error (task, error_take);
}

static void
read_lookup (ClipReader *reader, GTask *task)
{
  const Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  ClipEntry *entry = clip_reader_lookup (reader, request->id, &error);

  return_found (task, entry, (GDestroyNotify) clip_entry_free, error);
}

/* reads all that is known of an entry but the bytes of its contents, on a thread of the
   readers */
void
clip_store_lookup_async (ClipStore *self,
                         gint64 id,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  request->id = id;
  order (self, CLIP_READ_SOON,
         clip_store_new_task (self, clip_store_lookup_async, NULL, callback, user_data),
         request, read_lookup);
}

/* (transfer full). Errors: as clip_reader_lookup(), CLIP_ERROR_CANCELLED where the store
 * was closed before the call, G_IO_ERROR_CANCELLED where it was before the answer. */
ClipEntry *
clip_store_lookup_finish (ClipStore *self G_GNUC_UNUSED,
                          GAsyncResult *result,
                          GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* so that the file need not be read all through once more */
static void
note_blob (ClipStore *self, const ClipPayload *payload)
{
  if (payload && payload->rehashed && self->writer)
    clip_writer_push (self->writer,
                      clip_change_note_blob (payload->rehashed, &payload->state));
}

static void
read_content (ClipReader *reader, GTask *task)
{
  const Request *request = g_task_get_task_data (task);
  GError *error = NULL;
  ClipPayload *payload =
      clip_reader_open_content (reader, request->id, request->query.mime, &error);

  note_blob (g_task_get_source_object (task), payload);
  return_found (task, payload, (GDestroyNotify) clip_payload_free, error);
}

/* @mime: (nullable): which of its contents; NULL or "" = the primary one */
void
clip_store_open_content_async (ClipStore *self,
                               gint64 id,
                               const char *mime,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  request->id = id;
  request->query.mime = g_strdup (mime);
  order (self, CLIP_READ_SOON,
         clip_store_new_task (self, clip_store_open_content_async, NULL, callback,
                              user_data),
         request, read_content);
}

/* (transfer full). Errors: as clip_reader_open_content(), and as
 * clip_store_lookup_finish(). */
ClipPayload *
clip_store_open_content_finish (ClipStore *self G_GNUC_UNUSED,
                                GAsyncResult *result,
                                GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* of the line around a match: what a row of a window shows, and some more */
#define SNIPPET_WIDTH 200

static gboolean
append_row (const ClipRow *row, gpointer user_data)
{
  ClipEntry *entry = clip_entry_new (row);

  if (row->text)
    clip_snippet_keep (entry, row, SNIPPET_WIDTH);
  g_ptr_array_add (user_data, entry);
  return TRUE;
}

static gsize
tag_bytes (const ClipEntry *entry)
{
  gsize bytes = 0;

  for (guint i = 0; entry->tags[i]; i++)
    bytes += strlen (entry->tags[i]) + 1;
  return bytes;
}

/* a page goes into one message: one whose tags have so much ends there, and whoever asks
   goes on behind it */
static gboolean
fill_tags (ClipReader *reader, GPtrArray *entries, GError **error)
{
  gsize bytes = 0;

  for (guint i = 0; i < entries->len && bytes < PAGE_TAG_BYTES; i++)
    {
      if (!clip_reader_fill_tags (reader, entries->pdata[i], error))
        return FALSE;
      bytes += tag_bytes (entries->pdata[i]);
      if (bytes >= PAGE_TAG_BYTES)
        g_ptr_array_set_size (entries, (int) i + 1);
    }
  return TRUE;
}

/* a list may take long: the store that closes does not wait for the end of it */
static gboolean
is_given_up (GTask *task)
{
  ClipStore *self = g_task_get_source_object (task);

  if (g_task_return_error_if_cancelled (task))
    return TRUE;
  if (!g_atomic_int_get (&self->stops))
    return FALSE;
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "history is closed");
  return TRUE;
}

/* a page as it stands costs as much as its rows, however large the history is */
static gboolean
is_plain (const ClipQuery *query)
{
  return !query->words && !query->regex && !query->mime && !query->kind &&
         !query->pinned && !query->tag && !query->program && query->since_us == 0 &&
         query->until_us == 0;
}

static void
read_list (ClipReader *reader, GTask *task)
{
  Request *request = g_task_get_task_data (task);
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_entry_free);
  gboolean more = TRUE;
  GError *error = NULL;

  clip_query_set_budget (&request->query, CLIP_QUERY_BUDGET_US);
  while (more)
    {
      if (is_given_up (task))
        return;
      if (!clip_reader_page (reader, &request->query, append_row, entries, &more, &error))
        {
          g_task_return_error (task, error);
          return;
        }
    }
  if (!request->query.brief && !fill_tags (reader, entries, &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, g_steal_pointer (&entries),
                           (GDestroyNotify) g_ptr_array_unref);
}

/**
 * clip_store_list_async:
 * @query: copied; its limit bounds what is held in memory
 *
 * Looks for entries, a page at a time; words and an expression have
 * %CLIP_QUERY_BUDGET_US. The first search of a caller comes before the second one of
 * another.
 */
void
clip_store_list_async (ClipStore *self,
                       const ClipQuery *query,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  Request *request = g_new0 (Request, 1);
  GTask *task =
      clip_store_new_task (self, clip_store_list_async, cancellable, callback, user_data);

  clip_query_init_copy (&request->query, query);
  order (self, is_plain (query) ? CLIP_READ_SOON : CLIP_READ_LONG, task, request,
         read_list);
}

/**
 * clip_store_list_finish:
 *
 * Returns: (transfer full) (element-type ClipEntry): newest first, with their tags but
 * where the query is brief; fewer than the limit where these are very long. Their
 * contents are not filled in
 *
 * Errors: as clip_reader_page(), %G_IO_ERROR_CANCELLED, %CLIP_ERROR_CANCELLED.
 */
GPtrArray *
clip_store_list_finish (ClipStore *self G_GNUC_UNUSED,
                        GAsyncResult *result,
                        GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
