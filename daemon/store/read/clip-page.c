/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One page of a query. A read that stays open keeps the log from being emptied, and
 * whoever prints a list may wait on its reader for hours: so a page ends after so many
 * rows, so much text, or so much searched in vain, its statement is reset before it
 * returns, and the next one starts below the last id seen. A search by words goes from one
 * stretch of ids to the next, as its trail says, all within one read.
 */
#include "clip-page-private.h"

#include "clip-error.h"

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

static sqlite3_stmt *
start (ClipPage *page, GError **error)
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
follows_trail (const ClipPage *page)
{
  const ClipQuery *query = page->query;

  return page->searches && !query->tag && !query->pinned &&
         query->kind <= CLIP_CLASS_TEXT;
}

static gboolean
prepare_match (ClipPage *page, GError **error)
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
is_brief (const ClipPage *page)
{
  const ClipQuery *query = page->query;

  return query->brief && !query->kind && !query->pinned && !query->mime && !query->tag &&
         !query->since_us && !query->until_us;
}

/* A brief row does not say when it has to go: where one is overdue, all are looked at. Where
 * there is an age, which any entry may have, the statement leaves out what is too old; one
 * that has text to search does not. */
static gboolean
choose_rows (ClipPage *page, GError **error)
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

static gboolean
set_damaged (const ClipPage *page, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "history '%s': pages of entries are damaged, and some may be missing here",
               page->reader->path);
  return FALSE;
}

/* SQLite takes the order of rows in their page for granted, and goes on in whatever it finds there */
static gboolean
check_order (const ClipPage *page, gint64 id, GError **error)
{
  return (id > 0 && id < page->query->before) || set_damaged (page, error);
}

/* the rows of a statement, as many as the page takes; @out_end: whether that was all */
static gboolean
take_rows (ClipPage *page, sqlite3_stmt *rows_take, gboolean *out_end, GError **error)
{
  ClipDatabase *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows = rows_take;
  ClipRows state = CLIP_ROWS_ROW;

  while (!is_full (page) &&
         (state = clip_database_next (database, rows, error)) == CLIP_ROWS_ROW)
    {
      gint64 id = sqlite3_column_int64 (rows, CLIP_COLUMN_ID);

      if (!check_order (page, id, error))
        return FALSE;
      if (id <= page->query->after)
        break;
      if (!clip_page_look (page, rows, id, error))
        return FALSE;
    }
  *out_end = state != CLIP_ROWS_ROW || !is_full (page);
  return state != CLIP_ROWS_FAILED;
}

static gboolean
ask_stretch (ClipPage *page,
             const ClipStretch *stretch,
             gboolean *out_end,
             GError **error)
{
  sqlite3_stmt *rows = clip_database_query (page->reader->database,
                                            page->searches ? CLIP_READ_TEXT_STRETCH
                                                           : CLIP_READ_BRIEF_STRETCH,
                                            error, "ii", stretch->first, stretch->last);

  return take_rows (page, rows, out_end, error);
}

static gboolean
may_match (const guint8 *bytes, gsize length, gpointer match)
{
  return clip_match_may_be_in (match, bytes, length);
}

/* ids of which none matches: they were looked at together */
static gboolean
pass (ClipPage *page, const ClipStretch *passed)
{
  page->query->before = passed->first;
  page->n_scanned += MIN (passed->last - passed->first + 1, CLIP_LEAF_MAX_CELLS);
  page->scanned_bytes += CLIP_LEAF_PAGE_BYTES;
  return TRUE;
}

static gboolean
take_step (ClipPage *page,
           ClipLeavesStep step,
           const ClipLeafRow *leaf,
           const ClipStretch *stretch,
           gboolean *out_end,
           GError **error)
{
  if (step == CLIP_LEAVES_ROW)
    return clip_page_look_at_leaf (page, leaf, error);
  if (step == CLIP_LEAVES_ODD)
    page->query->damage = CLIP_DAMAGE_SEEN;
  return step == CLIP_LEAVES_PASSED ? pass (page, stretch)
                                    : ask_stretch (page, stretch, out_end, error);
}

static gboolean
take_leaves (ClipPage *page,
             const ClipStretch *stretch,
             gboolean *out_end,
             GError **error)
{
  ClipLeavesStep step = CLIP_LEAVES_ROW;
  ClipStretch ids = { 0 };
  ClipLeafRow leaf;

  clip_leaves_seek (page->leaves, stretch);
  while (!is_full (page) &&
         (step = clip_leaves_next (page->leaves, &leaf, &ids)) != CLIP_LEAVES_END)
    if (!take_step (page, step, &leaf, &ids, out_end, error))
      return FALSE;
  *out_end = step == CLIP_LEAVES_END;
  return TRUE;
}

static gboolean
take_stretch (ClipPage *page, const ClipStretch *stretch, GError **error)
{
  gboolean end;

  if (!(page->leaves ? take_leaves : ask_stretch) (page, stretch, &end, error))
    return FALSE;
  if (end)
    page->query->before = stretch->first;
  return TRUE;
}

/* in a read */
static void
open_leaves (ClipPage *page)
{
  ClipReader *self = page->reader;

  if (self->knows_pages && !self->leaves)
    self->leaves = clip_leaves_new (self->database);
  if (!self->leaves || !clip_leaves_begin (self->leaves))
    return;
  page->leaves = self->leaves;
  clip_leaves_set_sieve (self->leaves, page->searches ? may_match : NULL, self->match);
}

static gboolean
follow (ClipPage *page, gboolean *out_more, GError **error)
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
search (ClipPage *page, gboolean *out_more, GError **error)
{
  ClipReader *self = page->reader;
  gboolean done;

  if (self->trail && !clip_trail_is_for (self->trail, page->query))
    g_clear_pointer (&self->trail, clip_trail_free);
  if (!self->trail)
    self->trail = clip_trail_new (self, page->query);
  if (!clip_database_run (self->database, CLIP_READ_BEGIN, error, ""))
    return FALSE;
  open_leaves (page);
  done = follow (page, out_more, error);
  clip_database_run (self->database, CLIP_READ_END, NULL, "");
  return done;
}

static gboolean
list (ClipPage *page, gboolean *out_more, GError **error)
{
  const ClipStretch all = { page->query->after + 1, page->query->before - 1 };
  gboolean end;

  if (!(page->leaves ? take_leaves (page, &all, &end, error)
                     : take_rows (page, start (page, error), &end, error)))
    return FALSE;
  *out_more = !end && !page->stopped;
  return TRUE;
}

/* SQLite reads the rows, and takes what it finds in their pages for all there is: so these are looked at,
 * too, where they follow each other */
static gboolean
list_looking (ClipPage *page, gboolean *out_more, GError **error)
{
  ClipLeaves *leaves = page->leaves;
  ClipStretch stretch = { page->query->after + 1, page->query->before - 1 };

  page->leaves = NULL;
  if (!list (page, out_more, error))
    return FALSE;
  if (*out_more || page->stopped)
    stretch.first = page->query->before;
  if (leaves && !clip_leaves_are_whole (leaves, &stretch))
    page->query->damage = CLIP_DAMAGE_SEEN;
  return TRUE;
}

static gboolean
fill (ClipPage *page, gboolean *out_more, GError **error)
{
  const ClipQuery *query = page->query;
  ClipDatabase *database = page->reader->database;
  gboolean is_plain = page->brief && !page->has_age, done;

  if (follows_trail (page))
    return search (page, out_more, error);
  if (page->searches || query->tag || query->pinned || query->kind > CLIP_CLASS_TEXT)
    return list (page, out_more, error);
  if (!clip_database_run (database, CLIP_READ_BEGIN, error, ""))
    return FALSE;
  open_leaves (page);
  done = (is_plain ? list : list_looking) (page, out_more, error);
  clip_database_run (database, CLIP_READ_END, NULL, "");
  return done;
}

static gboolean
fill_counted (ClipPage *page, gboolean *out_more, GError **error)
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
find_tag (ClipPage *page, gboolean *out_found, GError **error)
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

/* What can be read of a damaged history is handed out; that it is damaged is said when there is no more,
 * by a page without rows. */
static void
put_off_damage (const ClipPage *page, gboolean *out_more)
{
  if (*out_more || page->stopped || page->query->damage != CLIP_DAMAGE_SEEN)
    return;
  page->query->damage = CLIP_DAMAGE_TO_BE_SAID;
  *out_more = TRUE;
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
  ClipPage page = { self, query, function, user_data };
  gboolean found, done;

  *out_more = FALSE;
  if (query->damage == CLIP_DAMAGE_TO_BE_SAID)
    return set_damaged (&page, error);
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
  put_off_damage (&page, out_more);
  if (!done || !*out_more)
    {
      g_clear_pointer (&self->trail, clip_trail_free);
      g_clear_pointer (&self->leaves, clip_leaves_free);
    }
  return done;
}
