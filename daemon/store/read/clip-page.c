/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One page of a query. A read that stays open keeps the log from being emptied, and the
 * reader of a list may take hours: so a page ends after so many rows, so much text, or so
 * much searched in vain. Its statement is reset before it returns, and the next page
 * starts below the last id.
 *
 * The statement follows one index; what else is asked of a row is decided here, the
 * dearest question last.
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

/* once something is found: the caller should have it soon */
#define PAGE_FOUND_SCANNED_ROWS 512

/* how much of a text that lies in a file is searched */
#define SEARCHED_BYTES (1024 * 1024)

/* texts in which a regular expression takes too long, of one query */
#define MOST_GIVEN_UP 25

/* A page that is being read. */
typedef struct
{
  ClipReader *reader;
  ClipQuery *query;
  ClipRowFunc function;
  gpointer user_data;
  ClipMoment moment;
  gboolean searches;
  gboolean brief;      /* nothing is asked of a row but that it is there */
  gint64 tag;          /* name.id */
  const char *program; /* (nullable): folded */
  const void *text;
  gsize length;
  gint64 n_rows;
  gint64 n_scanned;
  gsize preview_bytes;
  gsize scanned_bytes;
  gboolean stopped;
} ClipPage;

/* a query with strings of its own: clip_query_clear() */
void
clip_query_init_copy (ClipQuery *self, const ClipQuery *query)
{
  *self = *query;
  self->words = g_strdupv (query->words);
  self->regex = g_strdup (query->regex);
  self->mime = g_strdup (query->mime);
  self->tag = g_strdup (query->tag);
  self->program = g_strdup (query->program);
}

/* what words and an expression may take from now on; a list without them takes what it
   takes */
void
clip_query_set_budget (ClipQuery *self, gint64 us)
{
  if (self->words || self->regex)
    self->deadline_us = g_get_monotonic_time () + us;
}

void
clip_query_clear (ClipQuery *self)
{
  g_strfreev (self->words);
  g_free ((char *) self->regex);
  g_free ((char *) self->mime);
  g_free ((char *) self->tag);
  g_free ((char *) self->program);
}

/* --- the text of a row --- */

/* it keeps its size: a search comes here for every row */
static guint8 *
make_room (ClipReader *self, gsize length)
{
  if (self->buffer->len <= length)
    g_byte_array_set_size (self->buffer, (guint) length + 1);
  return self->buffer->data;
}

static gboolean
read_file (ClipReader *self, gint64 blob, gsize *out_length)
{
  clip_autofd int fd = -1;
  gint64 size;

  if (clip_statements_number (self->database, CLIP_READ_BLOB_SIZE, &size, NULL, "i",
                              blob) != CLIP_ROWS_ROW)
    return FALSE;
  *out_length = (gsize) MIN (size, SEARCHED_BYTES);
  fd = clip_reader_open_blob (self, blob, size, NULL);
  return fd >= 0 &&
         clip_read_exactly (fd, make_room (self, *out_length), *out_length, 0, NULL);
}

/* a preview that is a BLOB is what the content begins with */
static gboolean
join (ClipReader *self, sqlite3_value *preview, sqlite3_value *body, gsize *out_length)
{
  const void *start = sqlite3_value_blob (preview);
  const void *rest = sqlite3_value_blob (body);
  gsize start_bytes = (gsize) sqlite3_value_bytes (preview);
  gsize rest_bytes = (gsize) sqlite3_value_bytes (body);
  guint8 *text = make_room (self, start_bytes + rest_bytes);

  if (start_bytes > 0)
    memcpy (text, start, start_bytes);
  if (rest_bytes > 0)
    memcpy (text + start_bytes, rest, rest_bytes);
  *out_length = start_bytes + rest_bytes;
  return TRUE;
}

/* What of an entry is searched: its content where that is text, up to a mebibyte of it,
 * and else its preview. It may lie in the row, in two columns of it, or in a file.
 * @out_text: (out): borrowed from @rows or @self; never %NULL
 *
 * Returns: whether there is one. A damaged file is not found, and keeps nothing else from
 * being found. */
static gboolean
find_text (ClipReader *self, sqlite3_stmt *rows, const void **out_text, gsize *out_length)
{
  /* the connection is used by one thread: a column's value may be looked into, which
   * costs half of what asking for it column by column does */
  sqlite3_value *preview = sqlite3_column_value (rows, CLIP_TEXT_PREVIEW);
  sqlite3_value *rest = sqlite3_column_value (rows, CLIP_TEXT_REST);
  int type = sqlite3_value_type (rest);

  if (type == SQLITE_INTEGER ||
      (type == SQLITE_BLOB && sqlite3_value_type (preview) == SQLITE_BLOB))
    {
      if (!(type == SQLITE_BLOB
                ? join (self, preview, rest, out_length)
                : read_file (self, sqlite3_value_int64 (rest), out_length)))
        return FALSE;
      *out_text = self->buffer->data;
    }
  else
    {
      sqlite3_value *value = type == SQLITE_BLOB ? rest : preview;

      *out_text = sqlite3_value_blob (value) ?: "";
      *out_length = (gsize) sqlite3_value_bytes (value);
    }
  return TRUE;
}

/* --- one row --- */

static gboolean
has_text (ClipPage *page, sqlite3_stmt *rows)
{
  if (!find_text (page->reader, rows, &page->text, &page->length))
    return FALSE;
  page->scanned_bytes += page->length;
  return clip_match_test (page->reader->match, page->text, page->length);
}

/* "image/" followed by a star is all images */
static gboolean
is_mime (const char *mime, const char *wanted)
{
  if (g_str_has_suffix (wanted, "/*"))
    return strncmp (mime, wanted, strlen (wanted) - 1) == 0;
  return strcmp (mime, wanted) == 0 || clip_mime_answers (mime, wanted);
}

static gboolean
has_extra_mime (ClipPage *page, gint64 id, gboolean *out_fits, GError **error)
{
  ClipReader *self = page->reader;
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (self->database, CLIP_READ_EXTRA_MIMES, error, "i", id);
  ClipRows state = CLIP_ROWS_ROW;

  while (!*out_fits &&
         (state = clip_statements_next (self->database, rows, error)) == CLIP_ROWS_ROW)
    *out_fits = is_mime ((const char *) sqlite3_column_text (rows, 0), page->query->mime);
  return state != CLIP_ROWS_FAILED;
}

/* looks at the further contents last: it asks the database again */
static gboolean
has_mime (ClipPage *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
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
has_program (ClipPage *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  const char *origin = clip_reader_origin (page->reader, rows, error);
  g_autofree char *folded =
      origin ? g_utf8_casefold (clip_origin_program (origin), -1) : NULL;

  *out_fits = folded && strstr (folded, page->program);
  return folded != NULL;
}

static gboolean
is_plain_fit (const ClipPage *page, sqlite3_stmt *rows)
{
  const ClipQuery *query = page->query;
  gint64 last_us = sqlite3_column_int64 (rows, CLIP_COLUMN_LAST_US);

  return (!query->kind ||
          (ClipClass) sqlite3_column_int (rows, CLIP_COLUMN_KIND) == query->kind) &&
         (!query->pinned || sqlite3_column_int (rows, CLIP_COLUMN_PINNED)) &&
         (!query->loose || !sqlite3_column_int (rows, CLIP_COLUMN_PINNED)) &&
         (!query->since_us || last_us >= query->since_us) &&
         (!query->until_us || last_us <= query->until_us);
}

static gboolean
decide (ClipPage *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  const ClipQuery *query = page->query;

  *out_fits = page->brief || is_plain_fit (page, rows);
  if (*out_fits && page->program && !has_program (page, rows, out_fits, error))
    return FALSE;
  if (*out_fits && query->mime && !has_mime (page, rows, out_fits, error))
    return FALSE;
  return TRUE;
}

static void
fill_brief (const ClipPage *page, sqlite3_stmt *rows, ClipRow *row)
{
  row->id = sqlite3_column_int64 (rows, CLIP_TEXT_ID);
  row->mime = row->origin = "";
  clip_reader_fill_preview (rows, CLIP_TEXT_PREVIEW, row);
  if (!page->searches)
    row->kind = (ClipClass) sqlite3_column_int (rows, CLIP_BRIEF_KIND);
}

static void
mark_match (const ClipPage *page, ClipRow *row)
{
  row->text = page->text;
  row->text_length = page->length;
  clip_match_where (page->reader->match, &row->match_start, &row->match_end);
}

static gboolean
hand_out (ClipPage *page, sqlite3_stmt *rows, GError **error)
{
  ClipRow row = { 0 };
  g_auto (GStrv) tags = NULL;

  if (page->brief)
    fill_brief (page, rows, &row);
  else if (!clip_reader_fill_row (page->reader, rows, &row, error))
    return FALSE;
  if (page->query->with_tags)
    {
      tags = clip_reader_list_tags (page->reader, row.id, error);
      if (!tags)
        return FALSE;
      row.tags = (const char *const *) tags;
    }
  if (page->searches)
    mark_match (page, &row);
  page->n_rows++;
  page->preview_bytes += row.preview_length;
  page->stopped = !page->function (&row, page->user_data);
  return TRUE;
}

static gboolean
take_row (ClipPage *page, sqlite3_stmt *rows, GError **error)
{
  gboolean fits;

  return decide (page, rows, &fits, error) && (!fits || hand_out (page, rows, error));
}

/* what else is asked of an entry, or shown of it, is read only now */
static gboolean
take_found (ClipPage *page, gint64 id, GError **error)
{
  ClipStatements *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (database, CLIP_READ_ENTRY, error, "iii", id,
                             page->moment.now_us, page->moment.old_us);
  ClipRows state = clip_statements_next (database, rows, error);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  return take_row (page, rows, error);
}

static gboolean
look (ClipPage *page, sqlite3_stmt *rows, gint64 id, GError **error)
{
  page->query->before = id;
  page->n_scanned++;
  if (!page->searches)
    return take_row (page, rows, error);
  if (!has_text (page, rows))
    return TRUE;
  return page->brief ? hand_out (page, rows, error) : take_found (page, id, error);
}

/* --- a page --- */

static gboolean
is_full (const ClipPage *page)
{
  return page->stopped || page->n_rows >= PAGE_MAX_ROWS ||
         (page->query->limit > 0 && page->n_rows >= page->query->limit) ||
         (page->query->page_rows > 0 && page->n_rows >= page->query->page_rows) ||
         page->preview_bytes >= PAGE_MAX_PREVIEW_BYTES ||
         page->n_scanned >= PAGE_MAX_SCANNED_ROWS ||
         (page->searches && page->n_rows > 0 &&
          page->n_scanned >= PAGE_FOUND_SCANNED_ROWS) ||
         page->scanned_bytes >= PAGE_MAX_SCANNED_BYTES;
}

/* by the index that leaves the fewest rows */
static sqlite3_stmt *
start (ClipPage *page, GError **error)
{
  const ClipQuery *query = page->query;
  guint text = page->searches ? CLIP_READ_TEXT_PAGE - CLIP_READ_PAGE : 0;
  guint statement = CLIP_READ_PAGE;
  gint64 value = 0;

  if (query->tag)
    {
      statement = CLIP_READ_PAGE_TAG;
      value = page->tag;
    }
  else if (query->pinned)
    statement = CLIP_READ_PAGE_PINNED;
  else if (query->kind > CLIP_CLASS_TEXT)
    {
      statement = CLIP_READ_PAGE_KIND;
      value = query->kind;
    }
  else if (page->brief && !page->searches)
    statement = CLIP_READ_BRIEF_PAGE;
  return clip_statements_query (page->reader->database, statement + text, error,
                                value ? "iiii" : "iii", query->before,
                                page->moment.now_us, page->moment.old_us, value);
}

static gboolean
check_order (const ClipPage *page, gint64 id, GError **error)
{
  return (id > 0 && id < page->query->before) ||
         clip_reader_set_disorder (page->reader, error);
}

static gboolean
fill (ClipPage *page, gboolean *out_more, GError **error)
{
  ClipStatements *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows = start (page, error);
  ClipRows state = CLIP_ROWS_ROW;

  while (!is_full (page) &&
         (state = clip_statements_next (database, rows, error)) == CLIP_ROWS_ROW)
    {
      gint64 id = sqlite3_column_int64 (rows, CLIP_COLUMN_ID);

      if (!check_order (page, id, error))
        return FALSE;
      if (id <= page->query->after)
        return TRUE;
      if (!look (page, rows, id, error))
        return FALSE;
    }
  *out_more = state == CLIP_ROWS_ROW && !page->stopped;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
prepare_match (ClipPage *page, GError **error)
{
  ClipReader *self = page->reader;
  const char *const *words = (const char *const *) page->query->words;
  const char *regex = page->query->regex;

  page->searches = (words && *words) || regex;
  if (!page->searches)
    return TRUE;
  if (!self->match || !clip_match_is_for (self->match, words, regex))
    {
      g_clear_pointer (&self->match, clip_match_free);
      self->match = clip_match_new (words, regex, error);
    }
  if (self->match)
    clip_match_set_deadline (self->match, page->query->deadline_us);
  return self->match != NULL;
}

static gboolean
is_brief (const ClipQuery *query)
{
  return query->brief && !query->kind && !query->pinned && !query->loose &&
         !query->mime && !query->tag && !query->program && !query->since_us &&
         !query->until_us;
}

typedef struct
{
  const char *folded;
  char *tag; /* (nullable): the first that is the same, but for case */
} LikeTag;

static void
note_like (const char *tag, gint64 count, gpointer user_data)
{
  LikeTag *like = user_data;
  g_autofree char *folded = like->tag ? NULL : g_utf8_casefold (tag, -1);

  if (folded && g_str_equal (folded, like->folded))
    like->tag = g_strdup (tag);
}

/* where none is written as it was asked for, one that differs in case alone; but not
 * where it names an entry: what that means is not for an archive to say */
static gboolean
find_tag (ClipPage *page, gboolean *out_found, GError **error)
{
  const char *asked = page->query->tag;
  g_autofree char *folded = asked ? g_utf8_casefold (asked, -1) : NULL;
  LikeTag like = { .folded = folded };
  g_autofree char *tag = NULL;
  ClipRows state;

  *out_found = TRUE;
  if (!asked)
    return TRUE;
  state = clip_statements_number (page->reader->database, CLIP_READ_NAME_ID, &page->tag,
                                  error, "s", asked);
  if (state == CLIP_ROWS_END && !page->query->is_handle &&
      !clip_reader_tags (page->reader, note_like, &like, error))
    state = CLIP_ROWS_FAILED;
  tag = like.tag;
  if (state == CLIP_ROWS_END && tag)
    state = clip_statements_number (page->reader->database, CLIP_READ_NAME_ID, &page->tag,
                                    error, "s", tag);
  *out_found = state == CLIP_ROWS_ROW;
  return state != CLIP_ROWS_FAILED;
}

/* an expression that is given up again and again would be so for hours, and says
   nothing */
static gboolean
check_time (const ClipPage *page, GError **error)
{
  const ClipQuery *query = page->query;

  if (query->deadline_us > 0 && g_get_monotonic_time () >= query->deadline_us)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                 "search: it takes too long");
  else if (query->n_given_up >= MOST_GIVEN_UP)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                 "search: it takes too long: given up in %u entries", query->n_given_up);
  else
    return TRUE;
  return FALSE;
}

static gboolean
fill_in_time (ClipPage *page, gboolean *out_more, GError **error)
{
  const ClipMatch *match = page->searches ? page->reader->match : NULL;
  guint before = match ? clip_match_n_given_up (match) : 0;

  if (!fill (page, out_more, error))
    return FALSE;
  if (match)
    page->query->n_given_up += clip_match_n_given_up (match) - before;
  return !match || check_time (page, error);
}

/* the first of two lists has ended */
static void
begin_loose (ClipQuery *query)
{
  query->pinned_first = query->pinned = FALSE;
  query->loose = TRUE;
  query->before = query->loose_before;
}

static gboolean
read_page (ClipReader *self,
           ClipQuery *query,
           ClipRowFunc function,
           gpointer user_data,
           gboolean *out_more,
           GError **error)
{
  g_autofree char *program = query->program ? g_utf8_casefold (query->program, -1) : NULL;
  ClipPage page = { self, query, function, user_data, .program = program };
  gboolean found;

  *out_more = FALSE;
  query->pinned = query->pinned || self->is_wiped;
  if (query->before <= 0)
    query->before = G_MAXINT64;
  if (query->pinned_first && query->loose_before == 0)
    {
      query->pinned = TRUE;
      query->loose_before = query->before;
    }
  if (!prepare_match (&page, error) || !find_tag (&page, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  page.brief = is_brief (query);
  page.moment = clip_reader_moment (self);
  if (!fill_in_time (&page, out_more, error))
    return FALSE;
  if (query->limit > 0 && page.n_rows >= query->limit)
    {
      *out_more = FALSE;
      return TRUE;
    }
  if (query->limit > 0)
    query->limit -= page.n_rows;
  if (!*out_more && query->pinned_first)
    {
      begin_loose (query);
      *out_more = TRUE;
    }
  return TRUE;
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
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT for the regular expression, or where the query's
 * deadline has passed, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
gboolean
clip_reader_page (ClipReader *self,
                  ClipQuery *query,
                  ClipRowFunc function,
                  gpointer user_data,
                  gboolean *out_more,
                  GError **error)
{
  gboolean done = read_page (self, query, function, user_data, out_more, error);

  /* what was looked for may be a secret, and a reader waits for the next call */
  if (!done || !*out_more)
    g_clear_pointer (&self->match, clip_match_free);
  return done;
}
