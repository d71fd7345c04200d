/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One page of a query. A read that stays open keeps the log from being emptied, and
 * whoever prints a list may wait on its reader for hours: so a page ends after so many
 * rows, so much text, or so much searched in vain, its statement is reset before it
 * returns, and the next one starts below the last id seen. A search by words goes from one
 * stretch of ids to the next, as its trail says, all within one read.
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

/* once something is found: whoever waits for it should have it soon */
#define PAGE_FOUND_SCANNED_ROWS 512

/* texts in which a regular expression takes too long, of one query */
#define MOST_GIVEN_UP 25

/* what asking the index about one segment costs, in rows */
#define SEGMENT_ROWS 50

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
  const void *text;
  gsize length;
  gint64 tag; /* name.id */
  ClipDeadline deadline;
  gboolean has_age; /* the deadline leaves out what is too old */
  gint64 n_rows;
  gint64 n_scanned;
  gsize preview_bytes;
  gsize scanned_bytes;
  gboolean stopped;
} Page;

static gboolean
has_text (Page *page, sqlite3_stmt *rows)
{
  if (!clip_reader_text (page->reader, rows, G_MAXSIZE, &page->text, &page->length))
    return FALSE;
  page->scanned_bytes += page->length;
  return clip_match_test (page->reader->match, page->text, page->length);
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
has_to_go (const Page *page, sqlite3_stmt *rows)
{
  gint64 expires_us = sqlite3_column_int64 (rows, CLIP_COLUMN_EXPIRES_US);
  gint64 last_us = sqlite3_column_int64 (rows, CLIP_COLUMN_LAST_US);

  return ((expires_us != 0 && expires_us <= page->deadline.now_us) ||
          last_us <= page->deadline.old_us) &&
         !sqlite3_column_int (rows, CLIP_COLUMN_PINNED);
}

static gboolean
is_plain_fit (const Page *page, sqlite3_stmt *rows)
{
  const ClipQuery *query = page->query;
  gint64 last_us = sqlite3_column_int64 (rows, CLIP_COLUMN_LAST_US);

  return !has_to_go (page, rows) &&
         (!query->kind ||
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

  *out_fits = page->brief || is_plain_fit (page, rows);
  if (*out_fits && query->mime && !has_mime (page, rows, out_fits, error))
    return FALSE;
  if (*out_fits && query->tag && !has_tag (page, rows, out_fits, error))
    return FALSE;
  return TRUE;
}

static gboolean
is_full (const Page *page)
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

static void
fill_brief (const Page *page, sqlite3_stmt *rows, ClipRow *row)
{
  row->id = sqlite3_column_int64 (rows, 0);
  row->mime = row->origin = "";
  row->preview = sqlite3_column_blob (rows, 1) ?: "";
  row->preview_length = (gsize) sqlite3_column_bytes (rows, 1);
  if (!page->searches)
    row->kind = (ClipClass) sqlite3_column_int (rows, 2);
}

static void
mark_match (const Page *page, ClipRow *row)
{
  row->text = page->text;
  row->text_length = page->length;
  clip_match_where (page->reader->match, &row->match_start, &row->match_end);
}

static gboolean
hand_out (Page *page, sqlite3_stmt *rows, GError **error)
{
  ClipRow row = { 0 };

  if (page->brief)
    fill_brief (page, rows, &row);
  else if (!clip_reader_fill_row (page->reader, rows, &row, error))
    return FALSE;
  if (page->searches)
    mark_match (page, &row);
  page->n_rows++;
  page->preview_bytes += row.preview_length;
  page->stopped = !page->function (&row, page->user_data);
  return TRUE;
}

static gboolean
take_row (Page *page, sqlite3_stmt *rows, GError **error)
{
  gboolean fits;

  return decide (page, rows, &fits, error) && (!fits || hand_out (page, rows, error));
}

/* what else is asked of an entry, or shown of it, is read only now */
static gboolean
take_found (Page *page, gint64 id, GError **error)
{
  ClipDatabase *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (database, CLIP_READ_ENTRY, error, "iii", id,
                           page->deadline.now_us, page->deadline.old_us);
  ClipRows state = clip_database_next (database, rows, error);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  return take_row (page, rows, error);
}

static gboolean
look_at (Page *page, sqlite3_stmt *rows, gint64 id, GError **error)
{
  page->query->before = id;
  page->n_scanned++;
  if (!page->searches)
    return take_row (page, rows, error);
  if (!has_text (page, rows))
    return TRUE;
  return page->brief ? hand_out (page, rows, error) : take_found (page, id, error);
}

static sqlite3_stmt *
start (Page *page, GError **error)
{
  const ClipQuery *query = page->query;
  ClipDatabase *database = page->reader->database;
  guint text = page->searches ? CLIP_READ_TEXT_PAGE_KIND - CLIP_READ_PAGE_KIND : 0;

  if (page->brief && !text && page->has_age)
    return clip_database_query (database, CLIP_READ_BRIEF_YOUNG_PAGE, error, "iii",
                                query->before, page->deadline.now_us,
                                page->deadline.old_us);
  if (page->brief && !text)
    return clip_database_query (database, CLIP_READ_BRIEF_PAGE, error, "i",
                                query->before);
  if (query->tag)
    return clip_database_query (database, text + CLIP_READ_PAGE_TAG, error, "ii",
                                query->before, page->tag);
  if (query->pinned)
    return clip_database_query (database, text + CLIP_READ_PAGE_PINNED, error, "i",
                                query->before);
  if (query->kind > CLIP_CLASS_TEXT)
    return clip_database_query (database, text + CLIP_READ_PAGE_KIND, error, "ii",
                                query->before, (gint64) query->kind);
  return clip_database_query (database, CLIP_READ_PAGE, error, "i", query->before);
}

/* what an index of its own finds is little: there the texts are looked at one by one */
static gboolean
follows_trail (const Page *page)
{
  const ClipQuery *query = page->query;

  return page->searches && !query->tag && !query->pinned &&
         query->kind <= CLIP_CLASS_TEXT;
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
  g_clear_pointer (&self->trail, clip_trail_free);
  g_clear_pointer (&self->match, clip_match_free);
  self->match = clip_match_new (words, regex, error);
  return self->match != NULL;
}

static gboolean
is_brief (const Page *page)
{
  const ClipQuery *query = page->query;

  return query->brief && !query->kind && !query->pinned && !query->mime && !query->tag &&
         !query->since_us && !query->until_us;
}

/* A brief row does not say when it has to go: where one is overdue, all are looked at. Where
 * there is an age, which any entry may have, the statement leaves out what is too old; one
 * that has text to search does not. */
static gboolean
choose_rows (Page *page, GError **error)
{
  gboolean overdue = FALSE;

  page->deadline = clip_reader_deadline (page->reader);
  page->has_age = page->deadline.old_us > G_MININT64;
  page->brief = is_brief (page) && !(page->has_age && page->searches);
  if (page->brief &&
      !clip_reader_is_overdue (page->reader, &page->deadline, &overdue, error))
    return FALSE;
  page->brief = page->brief && !overdue;
  return TRUE;
}

/* the rows of a statement, as many as the page takes; @out_end: whether that was all */
static gboolean
take_rows (Page *page, sqlite3_stmt *rows_take, gboolean *out_end, GError **error)
{
  ClipDatabase *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows = rows_take;
  ClipRows state = CLIP_ROWS_ROW;

  while (!is_full (page) &&
         (state = clip_database_next (database, rows, error)) == CLIP_ROWS_ROW)
    {
      gint64 id = sqlite3_column_int64 (rows, CLIP_COLUMN_ID);

      if (id <= page->query->after)
        break;
      if (!look_at (page, rows, id, error))
        return FALSE;
    }
  *out_end = state != CLIP_ROWS_ROW || !is_full (page);
  return state != CLIP_ROWS_FAILED;
}

static gboolean
take_stretch (Page *page, const ClipStretch *stretch, GError **error)
{
  sqlite3_stmt *rows =
      clip_database_query (page->reader->database, CLIP_READ_TEXT_STRETCH, error, "ii",
                           stretch->first, stretch->last);
  gboolean end;

  if (!take_rows (page, rows, &end, error))
    return FALSE;
  if (end)
    page->query->before = stretch->first;
  return TRUE;
}

static gboolean
follow (Page *page, gboolean *out_more, GError **error)
{
  ClipReader *self = page->reader;
  ClipStretch stretch = { 0 };

  while (!is_full (page))
    {
      guint n_loaded = clip_trail_n_loaded (self->trail);

      if (!clip_trail_next (self->trail, self->database, page->query, &stretch, error))
        return FALSE;
      if (stretch.last == 0)
        break;
      if (!take_stretch (page, &stretch, error))
        return FALSE;
      page->n_scanned +=
          1 + SEGMENT_ROWS * (clip_trail_n_loaded (self->trail) - n_loaded);
    }
  *out_more = stretch.last > 0 && !page->stopped;
  clip_trail_leave (self->trail, page->query, (guint) page->n_scanned);
  return TRUE;
}

/* the index and the texts that it leads to are read as of one moment */
static gboolean
search (Page *page, gboolean *out_more, GError **error)
{
  ClipReader *self = page->reader;
  gboolean done;

  if (self->trail && !clip_trail_is_for (self->trail, page->query))
    g_clear_pointer (&self->trail, clip_trail_free);
  if (!self->trail)
    self->trail = clip_trail_new (self, page->query);
  if (!clip_database_run (self->database, CLIP_READ_BEGIN, error, ""))
    return FALSE;
  done = follow (page, out_more, error);
  clip_database_run (self->database, CLIP_READ_END, NULL, "");
  return done;
}

static gboolean
fill (Page *page, gboolean *out_more, GError **error)
{
  gboolean end;

  if (follows_trail (page))
    return search (page, out_more, error);
  if (!take_rows (page, start (page, error), &end, error))
    return FALSE;
  *out_more = !end && !page->stopped;
  return TRUE;
}

static gboolean
fill_counted (Page *page, gboolean *out_more, GError **error)
{
  const ClipMatch *match = page->searches ? page->reader->match : NULL;
  guint before = match ? clip_match_n_given_up (match) : 0;
  gboolean done = fill (page, out_more, error);

  if (match)
    page->query->n_given_up += clip_match_n_given_up (match) - before;
  return done;
}

/* an expression that is given up again and again would be so for hours, and nobody would know */
static gboolean
check_given_up (const ClipQuery *query, GError **error)
{
  if (query->n_given_up < MOST_GIVEN_UP)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "regular expression: it takes too long: given up in %u entries",
               query->n_given_up);
  return FALSE;
}

static gboolean
find_tag (Page *page, gboolean *out_found, GError **error)
{
  ClipRows state;

  *out_found = TRUE;
  if (!page->query->tag)
    return TRUE;
  state = clip_database_number (page->reader->database, CLIP_READ_NAME_ID, &page->tag,
                                error, "s", page->query->tag);
  *out_found = state == CLIP_ROWS_ROW;
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
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT for the regular expression, %CLIP_ERROR_CORRUPT,
 * %CLIP_ERROR_FAILED.
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
  gboolean found, done;

  *out_more = FALSE;
  query->pinned = query->pinned || self->is_wiped;
  if (query->before <= 0)
    query->before = G_MAXINT64;
  if (!prepare_match (&page, error) || !find_tag (&page, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  done = choose_rows (&page, error) && fill_counted (&page, out_more, error) &&
         check_given_up (query, error);
  if (query->limit > 0 && page.n_rows >= query->limit)
    *out_more = FALSE;
  else if (query->limit > 0)
    query->limit -= page.n_rows;
  if (!done || !*out_more)
    g_clear_pointer (&self->trail, clip_trail_free);
  return done;
}
