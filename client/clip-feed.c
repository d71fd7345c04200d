/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A foreign history as an archive of ours: what is read carefully here comes to the daemon
 * in the one form that it takes. Of the types of an entry those are kept that a copy would
 * be kept in, the primary one first.
 */
#include "clip-feed.h"

#include "clip-archive-writer.h"
#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-foreign.h"
#include "clip-mime.h"
#include "clip-pump.h"
#include "clip-tar.h"
#include "clip-words.h"

#include <errno.h>

/* the daemon may have to wait for its disk, and for who stores something meanwhile */
#define NO_DEADLINE 0

typedef struct
{
  int fd;
  ClipArchiveWriter *writer;
  GString *buffer;
  GPtrArray *files; /* ClipForeignContent of the present entry, borrowed */
} Feed;

static void
feed_clear (Feed *self)
{
  clip_archive_writer_free (self->writer);
  g_string_free (self->buffer, TRUE);
  g_ptr_array_unref (self->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Feed, feed_clear)

/* --- what is taken --- */

/* the names of all types with bytes that were copied, ending with NULL */
static const char **
list_mimes (const ClipForeignEntry *entry)
{
  const char **mimes = g_new0 (const char *, entry->contents->len + 1);
  guint n = 0;

  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipForeignContent *content = entry->contents->pdata[i];

      if (content->size > 0 && !content->is_note)
        mimes[n++] = content->mime;
    }
  return mimes;
}

static gboolean
is_secret (const ClipForeignEntry *entry)
{
  g_autofree const char **mimes = list_mimes (entry);
  const char *hint = NULL;
  ClipSecrecy secrecy = clip_mime_secrecy (mimes, &hint);

  if (entry->is_secret || secrecy != CLIP_SECRECY_ASK)
    return entry->is_secret || secrecy == CLIP_SECRECY_SECRET;
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipForeignContent *content = entry->contents->pdata[i];

      if (content->mime == hint && content->bytes)
        return clip_mime_hint_is_secret (hint, g_bytes_get_data (content->bytes, NULL),
                                         (gsize) content->size);
    }
  return TRUE;
}

static GBytes *
load (const ClipForeignContent *content, gsize most, GError **error)
{
  gsize length = (gsize) MIN (content->size, (goffset) most);
  g_autofree char *data = NULL;

  if (content->bytes)
    return g_bytes_new_from_bytes (content->bytes, 0, length);
  data = g_malloc (length);
  if (!clip_read_exactly (content->fd, data, length, content->offset, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), length);
}

/* Returns: (nullable): static, or the content's own; %NULL with the error set */
static const char *
filed_name (const ClipForeignContent *content, GError **error)
{
  g_autoptr (GBytes) head = load (content, CLIP_HEAD_BYTES, error);
  gsize length;
  const void *data;

  if (!head)
    return NULL;
  data = g_bytes_get_data (head, &length);
  if (*content->mime)
    return clip_mime_filed (content->mime, data, length, length == (gsize) content->size);
  return clip_detect_mime (data, length, length == (gsize) content->size);
}

static const ClipForeignContent *
find_content (const ClipForeignEntry *entry, const char *mime)
{
  for (guint i = 0; i < entry->contents->len; i++)
    {
      const ClipForeignContent *content = entry->contents->pdata[i];

      if (content->mime == mime)
        return content;
    }
  return NULL;
}

/* (transfer container): ClipForeignContent, the primary one first; empty where none is of
 * use */
static GPtrArray *
choose (const ClipForeignEntry *entry)
{
  g_autofree const char **mimes = list_mimes (entry);
  g_autoptr (GPtrArray) names = NULL;
  GPtrArray *chosen = g_ptr_array_new ();

  if (mimes[0] && !*mimes[0]) /* it has one, and does not say what it is */
    {
      g_ptr_array_add (chosen, (gpointer) find_content (entry, mimes[0]));
      return chosen;
    }
  names = clip_mime_choose (mimes);
  for (guint i = 0; i < names->len; i++)
    g_ptr_array_add (chosen, (gpointer) find_content (entry, names->pdata[i]));
  for (guint i = 0; chosen->len > 0 && i < entry->contents->len; i++)
    if (((const ClipForeignContent *) entry->contents->pdata[i])->is_note)
      g_ptr_array_add (chosen, entry->contents->pdata[i]);
  return chosen;
}

/* --- how it is written --- */

static gboolean
write_buffer (Feed *self, GError **error)
{
  gboolean fine = clip_write_all (self->fd, self->buffer->str, self->buffer->len, error);

  g_string_truncate (self->buffer, 0);
  return fine;
}

/* a file that has become shorter ends the archive: nobody can unsay its size */
static gboolean
write_file (Feed *self, const ClipForeignContent *content, GError **error)
{
  g_autoptr (ClipPump) pump = NULL;

  clip_archive_writer_begin_file (self->writer, self->buffer, content->size);
  if (!write_buffer (self, error))
    return FALSE;
  if (content->bytes)
    pump = clip_pump_new_bytes (content->bytes, self->fd);
  else if (lseek (content->fd, content->offset, SEEK_SET) < 0)
    return clip_set_errno (error, errno, _ ("read file"));
  else
    pump = clip_pump_new (content->fd, self->fd, content->size, content->size);
  if (!clip_pump_run (pump, NO_DEADLINE, error))
    return FALSE;
  clip_tar_append_padding (self->buffer, content->size);
  return TRUE;
}

static gboolean
flush (Feed *self, GError **error)
{
  clip_archive_writer_flush (self->writer, self->buffer);
  for (guint i = 0; i < self->files->len; i++)
    if (!write_file (self, self->files->pdata[i], error))
      return FALSE;
  g_ptr_array_set_size (self->files, 0);
  return write_buffer (self, error);
}

static gboolean
add_content (Feed *self, const ClipForeignContent *content, GError **error)
{
  const char *mime = filed_name (content, error);
  g_autoptr (GBytes) bytes = NULL;

  if (!mime)
    return FALSE;
  if (!clip_archive_writer_has_room (self->writer, content->size))
    {
      clip_archive_writer_add_file (self->writer, mime, content->size, NULL);
      g_ptr_array_add (self->files, (gpointer) content);
      return TRUE;
    }
  bytes = load (content, (gsize) content->size, error);
  if (!bytes)
    return FALSE;
  clip_archive_writer_add_bytes (self->writer, mime, g_bytes_get_data (bytes, NULL),
                                 g_bytes_get_size (bytes));
  return TRUE;
}

static ClipRow
row_of (const ClipForeignEntry *entry, const GPtrArray *chosen)
{
  const ClipForeignContent *primary = chosen->pdata[0];

  return (ClipRow){ .id = entry->id,
                    .first_us = MIN (entry->first_us, entry->last_us),
                    .last_us = entry->last_us,
                    .copies = 1,
                    .kind = clip_mime_class (*primary->mime ? primary->mime : NULL),
                    .pinned = entry->pinned };
}

static gboolean
add_entry (Feed *self,
           const ClipForeignEntry *entry,
           const GPtrArray *chosen,
           GError **error)
{
  const ClipRow row = row_of (entry, chosen);

  g_ptr_array_add (entry->tags, NULL);
  clip_archive_writer_begin_entry (self->writer, &row,
                                   (const char *const *) entry->tags->pdata);
  for (guint i = 0; i < chosen->len; i++)
    if (!add_content (self, chosen->pdata[i], error))
      {
        clip_archive_writer_drop_entry (self->writer);
        g_ptr_array_set_size (self->files, 0);
        return FALSE;
      }
  if (!*((const ClipForeignContent *) chosen->pdata[0])->mime)
    clip_archive_writer_set_guessed (self->writer);
  clip_archive_writer_end_entry (self->writer);
  return TRUE;
}

/* FALSE without an error: there are no more */
static gboolean
feed_next (Feed *self, ClipForeign *foreign, ClipFeedCounts *counts, GError **error)
{
  g_autoptr (ClipForeignEntry) entry = clip_foreign_next (foreign, error);
  g_autoptr (GPtrArray) chosen = NULL;

  if (!entry)
    return FALSE;
  if (entry->is_incomplete)
    {
      counts->n_incomplete++;
      return TRUE;
    }
  chosen = choose (entry);
  if (chosen->len == 0 || is_secret (entry))
    {
      counts->n_left_out++;
      return TRUE;
    }
  if (!add_entry (self, entry, chosen, error))
    return FALSE;
  return !clip_archive_writer_is_full (self->writer) || flush (self, error);
}

/* what was read whole is handed over, also where the history turns out to be damaged: only
 * a pipe that is closed, or a file that became shorter, leaves the archive without its end */
static gboolean
feed_all (Feed *self, ClipForeign *foreign, ClipFeedCounts *counts, GError **error)
{
  g_autoptr (GError) fault = NULL;

  clip_archive_writer_begin (self->writer, self->buffer);
  while (feed_next (self, foreign, counts, &fault))
    continue;
  if (self->files->len == 0 && !g_error_matches (fault, G_FILE_ERROR, G_FILE_ERROR_PIPE))
    {
      clip_archive_writer_flush (self->writer, self->buffer);
      clip_archive_writer_end (self->writer, self->buffer);
      if (!write_buffer (self, fault ? NULL : &fault))
        g_debug ("the archive has no end");
    }
  if (!fault)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}

/**
 * clip_feed:
 * @fd: where the archive goes; the caller's. SIGPIPE is to be blocked.
 * @out_counts: (out): also where this fails
 *
 * Errors: those of clip_foreign_next(), and %G_FILE_ERROR_PIPE where nobody reads.
 */
gboolean
clip_feed (ClipForeign *foreign, int fd, ClipFeedCounts *out_counts, GError **error)
{
  g_auto (Feed) self = { .fd = fd };

  *out_counts = (ClipFeedCounts){ 0 };
  self.writer = clip_archive_writer_new (g_get_real_time ());
  self.buffer = g_string_new (NULL);
  self.files = g_ptr_array_new ();
  return feed_all (&self, foreign, out_counts, error);
}
