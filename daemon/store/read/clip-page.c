/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One page of a query. A read that stays open keeps the log from being emptied, and
 * whoever prints a list may wait on its reader for hours: so a page ends after so many
 * rows, so much text, or so much searched in vain, its statement is reset before it
 * returns, and the next one starts below the last id seen.
 */
#include "clip-reader-private.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"

#include <string.h>
#include <unistd.h>

#define PAGE_MAX_ROWS 2048
#define PAGE_MAX_PREVIEW_BYTES (256 * 1024)

/* what a page may look at without finding anything: about a millisecond */
#define PAGE_MAX_SCANNED_ROWS 4096
#define PAGE_MAX_SCANNED_BYTES (1024 * 1024)

/* how much of a text that lies in a file is searched */
#define SEARCHED_BYTES (1024 * 1024)

/* a query with strings of its own: clip_query_clear() */
void
clip_query_init_copy (ClipQuery *self, const ClipQuery *query)
{
  *self = *query;
  self->words = g_strdupv (query->words);
  self->regex = g_strdup (query->regex);
  self->mime = g_strdup (query->mime);
  self->tag = g_strdup (query->tag);
}

void
clip_query_clear (ClipQuery *self)
{
  g_strfreev (self->words);
  g_free ((char *) self->regex);
  g_free ((char *) self->mime);
  g_free ((char *) self->tag);
}

typedef struct
{
  ClipReader *reader;
  ClipQuery *query;
  ClipRowFunc function;
  gpointer user_data;
  gboolean searches;
  gboolean brief; /* nothing is asked of a row but that it is there */
  gint64 tag;     /* name.id */
  gint64 n_rows;
  gint64 n_scanned;
  gsize preview_bytes;
  gsize scanned_bytes;
  gboolean stopped;
} Page;

static gboolean
reads_file (Page *page, sqlite3_stmt *rows, gsize length, GError **error)
{
  GByteArray *buffer = page->reader->buffer;
  clip_autofd int fd =
      clip_reader_open_blob (page->reader, sqlite3_column_int64 (rows, CLIP_COLUMN_BLOB),
                             sqlite3_column_int64 (rows, CLIP_COLUMN_SIZE), error);

  g_byte_array_set_size (buffer, (guint) length);
  return fd >= 0 && clip_read_exactly (fd, buffer->data, length, 0, error);
}

/* a damaged blob is not found, and keeps nothing else from being found */
static gboolean
find_file_text (Page *page, sqlite3_stmt *rows, const void **out_text, gsize *out_length)
{
  gint64 size = sqlite3_column_int64 (rows, CLIP_COLUMN_SIZE);

  *out_length = (gsize) MIN (size, SEARCHED_BYTES);
  if (!reads_file (page, rows, *out_length, NULL))
    return FALSE;
  *out_text = page->reader->buffer->data;
  return TRUE;
}

static void
join_text (Page *page, sqlite3_stmt *rows)
{
  GByteArray *buffer = page->reader->buffer;

  g_byte_array_set_size (buffer, 0);
  g_byte_array_append (buffer, sqlite3_column_blob (rows, CLIP_COLUMN_PREVIEW),
                       (guint) sqlite3_column_bytes (rows, CLIP_COLUMN_PREVIEW));
  g_byte_array_append (buffer, sqlite3_column_blob (rows, CLIP_COLUMN_BODY),
                       (guint) sqlite3_column_bytes (rows, CLIP_COLUMN_BODY));
}

/* The text that is searched: the content where it is text, the preview where it is not.
 * Borrowed from the row or the reader's buffer; FALSE = none. */
static gboolean
find_text (Page *page, sqlite3_stmt *rows, const void **out_text, gsize *out_length)
{
  gboolean begins = sqlite3_column_type (rows, CLIP_COLUMN_PREVIEW) == SQLITE_BLOB;
  gboolean has_body = sqlite3_column_type (rows, CLIP_COLUMN_BODY) != SQLITE_NULL;
  int column = has_body ? CLIP_COLUMN_BODY : CLIP_COLUMN_PREVIEW;

  if (sqlite3_column_type (rows, CLIP_COLUMN_BLOB) != SQLITE_NULL)
    return find_file_text (page, rows, out_text, out_length);
  if (begins && has_body)
    {
      join_text (page, rows);
      *out_text = page->reader->buffer->data;
      *out_length = page->reader->buffer->len;
      return TRUE;
    }
  *out_text = sqlite3_column_blob (rows, column);
  *out_length = (gsize) sqlite3_column_bytes (rows, column);
  return TRUE;
}

static gboolean
has_text (Page *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  const void *text;
  gsize length;

  *out_fits = FALSE;
  if (!find_text (page, rows, &text, &length))
    return TRUE;
  page->scanned_bytes += length;
  return clip_match_test (page->reader->match, text, length, out_fits, error);
}

static gboolean
is_mime (const char *mime, const char *wanted)
{
  return strcmp (mime, wanted) == 0 || clip_mime_same (mime, wanted);
}

static gboolean
has_extra_mime (Page *page, gint64 id, gboolean *out_fits, GError **error)
{
  ClipReader *self = page->reader;
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (self->database, CLIP_READ_EXTRA_MIMES, error, "i", id);
  ClipRows state = CLIP_ROWS_ROW;

  while (!*out_fits &&
         (state = clip_database_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    *out_fits = is_mime ((const char *) sqlite3_column_text (rows, 0), page->query->mime);
  return state != CLIP_ROWS_FAILED;
}

/* looks at the further contents last: it asks the database again */
static gboolean
has_mime (Page *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  const char *mime = clip_reader_mime (page->reader, rows, CLIP_COLUMN_MIME, error);

  if (!mime)
    return FALSE;
  *out_fits = is_mime (mime, page->query->mime);
  if (*out_fits || sqlite3_column_int64 (rows, CLIP_COLUMN_EXTRAS) == 0)
    return TRUE;
  return has_extra_mime (page, sqlite3_column_int64 (rows, CLIP_COLUMN_ID), out_fits,
                         error);
}

static gboolean
has_tag (Page *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  gint64 found;
  ClipRows state =
      clip_database_number (page->reader->database, CLIP_READ_HAS_TAG, &found, error,
                            "ii", sqlite3_column_int64 (rows, CLIP_COLUMN_ID), page->tag);

  *out_fits = state == CLIP_ROWS_ROW;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
is_plain_fit (const ClipQuery *query, sqlite3_stmt *rows)
{
  gint64 last_us = sqlite3_column_int64 (rows, CLIP_COLUMN_LAST_US);

  return (!query->kind ||
          (ClipClass) sqlite3_column_int (rows, CLIP_COLUMN_KIND) == query->kind) &&
         (!query->pinned || sqlite3_column_int (rows, CLIP_COLUMN_PINNED)) &&
         (!query->since_us || last_us >= query->since_us) &&
         (!query->until_us || last_us <= query->until_us);
}

/* what the driving index has not decided yet; the dearest question last */
static gboolean
decide (Page *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  const ClipQuery *query = page->query;

  *out_fits = page->brief || is_plain_fit (query, rows);
  if (*out_fits && query->mime && !has_mime (page, rows, out_fits, error))
    return FALSE;
  if (*out_fits && query->tag && !has_tag (page, rows, out_fits, error))
    return FALSE;
  if (*out_fits && page->searches && !has_text (page, rows, out_fits, error))
    return FALSE;
  return TRUE;
}

static gboolean
is_full (const Page *page)
{
  return page->stopped || page->n_rows >= PAGE_MAX_ROWS ||
         (page->query->limit > 0 && page->n_rows >= page->query->limit) ||
         page->preview_bytes >= PAGE_MAX_PREVIEW_BYTES ||
         page->n_scanned >= PAGE_MAX_SCANNED_ROWS ||
         page->scanned_bytes >= PAGE_MAX_SCANNED_BYTES;
}

static void
fill_brief (sqlite3_stmt *rows, ClipRow *row)
{
  *row = (ClipRow){ .id = sqlite3_column_int64 (rows, 0), .mime = "", .origin = "" };
  row->preview = sqlite3_column_blob (rows, 1) ?: "";
  row->preview_length = (gsize) sqlite3_column_bytes (rows, 1);
}

static gboolean
hand_out (Page *page, sqlite3_stmt *rows, GError **error)
{
  ClipRow row;

  if (page->brief)
    fill_brief (rows, &row);
  else if (!clip_reader_fill_row (page->reader, rows, &row, error))
    return FALSE;
  page->n_rows++;
  page->preview_bytes += row.preview_length;
  page->stopped = !page->function (&row, page->user_data);
  return TRUE;
}

static gboolean
take_row (Page *page, sqlite3_stmt *rows, GError **error)
{
  gboolean fits;

  if (!decide (page, rows, &fits, error))
    return FALSE;
  page->query->before = sqlite3_column_int64 (rows, CLIP_COLUMN_ID);
  page->n_scanned++;
  return !fits || hand_out (page, rows, error);
}

static sqlite3_stmt *
start (Page *page, GError **error)
{
  const ClipQuery *query = page->query;
  ClipDatabase *database = page->reader->database;
  gint64 before = query->before > 0 ? query->before : G_MAXINT64;
  guint text = page->searches ? CLIP_READ_TEXT_PAGE - CLIP_READ_PAGE : 0;

  if (page->brief)
    return clip_database_query (database, CLIP_READ_BRIEF_PAGE, error, "i", before);
  if (query->tag)
    return clip_database_query (database, text + CLIP_READ_PAGE_TAG, error, "ii", before,
                                page->tag);
  if (query->pinned)
    return clip_database_query (database, text + CLIP_READ_PAGE_PINNED, error, "i",
                                before);
  if (query->kind > CLIP_CLASS_TEXT)
    return clip_database_query (database, text + CLIP_READ_PAGE_KIND, error, "ii", before,
                                (gint64) query->kind);
  return clip_database_query (database, text + CLIP_READ_PAGE, error, "i", before);
}

static gboolean
prepare_match (Page *page, GError **error)
{
  ClipReader *self = page->reader;
  const char *const *words = (const char *const *) page->query->words;
  const char *regex = page->query->regex;

  page->searches = (words && *words) || regex;
  if (!page->searches || (self->match && clip_match_is_for (self->match, words, regex)))
    return TRUE;
  g_clear_pointer (&self->match, clip_match_free);
  self->match = clip_match_new (words, regex, error);
  return self->match != NULL;
}

static gboolean
is_brief (const Page *page)
{
  const ClipQuery *query = page->query;

  return query->brief && !page->searches && !query->kind && !query->pinned &&
         !query->mime && !query->tag && !query->since_us && !query->until_us;
}

static gboolean
fill (Page *page, gboolean *out_more, GError **error)
{
  ClipDatabase *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows = start (page, error);
  ClipRows state = CLIP_ROWS_ROW;

  while (!is_full (page) &&
         (state = clip_database_next (database, rows, error)) == CLIP_ROWS_ROW)
    if (!take_row (page, rows, error))
      return FALSE;
  *out_more = state == CLIP_ROWS_ROW && !page->stopped;
  return state != CLIP_ROWS_FAILED;
}

/**
 * clip_reader_page:
 * @query: what is asked for; `before` and `limit` move on, so that the next call goes on
 * where this one ended
 * @function: called for each entry, newest first; the row is borrowed for the call, which
 * must not wait on anything: a read is open meanwhile
 * @out_more: (out): whether there may be more. A page that found nothing yet has more.
 *
 * Reads one page, which takes about a millisecond, and leaves no read open. What is added
 * meanwhile is not seen, what is deleted is not missed.
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT and %CLIP_ERROR_LIMITS for the regular expression,
 * %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
gboolean
clip_reader_page (ClipReader *self,
                  ClipQuery *query,
                  ClipRowFunc function,
                  gpointer user_data,
                  gboolean *out_more,
                  GError **error)
{
  Page page = { self, query, function, user_data };

  *out_more = FALSE;
  if (!prepare_match (&page, error))
    return FALSE;
  page.brief = is_brief (&page);
  if (query->tag)
    {
      ClipRows state = clip_database_number (self->database, CLIP_READ_NAME_ID, &page.tag,
                                             error, "s", query->tag);

      if (state != CLIP_ROWS_ROW)
        return state == CLIP_ROWS_END;
    }
  if (!fill (&page, out_more, error))
    return FALSE;
  if (query->limit > 0 && page.n_rows >= query->limit)
    *out_more = FALSE;
  else if (query->limit > 0)
    query->limit -= page.n_rows;
  return TRUE;
}
