/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One row of a page: whether it is asked for, and if so it is handed out.
 */
#include "clip-page-private.h"

#include "clip-mime.h"

#include <string.h>

static gboolean
has_text (ClipPage *page, sqlite3_stmt *rows)
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
has_extra_mime (ClipPage *page, gint64 id, gboolean *out_fits, GError **error)
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
has_tag (ClipPage *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  gint64 found;
  ClipRows state =
      clip_database_number (page->reader->database, CLIP_READ_HAS_TAG, &found, error,
                            "ii", sqlite3_column_int64 (rows, CLIP_COLUMN_ID), page->tag);

  *out_fits = state == CLIP_ROWS_ROW;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
has_to_go (const ClipPage *page, sqlite3_stmt *rows)
{
  gint64 expires_us = sqlite3_column_int64 (rows, CLIP_COLUMN_EXPIRES_US);
  gint64 last_us = sqlite3_column_int64 (rows, CLIP_COLUMN_LAST_US);

  return ((expires_us != 0 && expires_us <= page->deadline.now_us) ||
          last_us <= page->deadline.old_us) &&
         !sqlite3_column_int (rows, CLIP_COLUMN_PINNED);
}

static gboolean
is_plain_fit (const ClipPage *page, sqlite3_stmt *rows)
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
decide (ClipPage *page, sqlite3_stmt *rows, gboolean *out_fits, GError **error)
{
  const ClipQuery *query = page->query;

  *out_fits = page->brief || is_plain_fit (page, rows);
  if (*out_fits && query->mime && !has_mime (page, rows, out_fits, error))
    return FALSE;
  if (*out_fits && query->tag && !has_tag (page, rows, out_fits, error))
    return FALSE;
  return TRUE;
}

static void
fill_brief (const ClipPage *page, sqlite3_stmt *rows, ClipRow *row)
{
  row->id = sqlite3_column_int64 (rows, 0);
  row->mime = row->origin = "";
  row->preview = sqlite3_column_blob (rows, 1) ?: "";
  row->preview_length = (gsize) sqlite3_column_bytes (rows, 1);
  if (!page->searches)
    row->kind = (ClipClass) sqlite3_column_int (rows, 2);
}

static void
mark_match (const ClipPage *page, ClipRow *row)
{
  row->text = page->text;
  row->text_length = page->length;
  clip_match_where (page->reader->match, &row->match_start, &row->match_end);
}

static void
give (ClipPage *page, ClipRow *row)
{
  if (page->searches)
    mark_match (page, row);
  page->n_rows++;
  page->preview_bytes += row->preview_length;
  page->stopped = !page->function (row, page->user_data);
}

static gboolean
hand_out (ClipPage *page, sqlite3_stmt *rows, GError **error)
{
  ClipRow row = { 0 };

  if (page->brief)
    fill_brief (page, rows, &row);
  else if (!clip_reader_fill_row (page->reader, rows, &row, error))
    return FALSE;
  give (page, &row);
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
  ClipDatabase *database = page->reader->database;
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (database, CLIP_READ_ENTRY, error, "iii", id,
                           page->deadline.now_us, page->deadline.old_us);
  ClipRows state = clip_database_next (database, rows, error);

  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  return take_row (page, rows, error);
}

gboolean
clip_page_look (ClipPage *page, sqlite3_stmt *rows, gint64 id, GError **error)
{
  page->query->before = id;
  page->n_scanned++;
  if (!page->searches)
    return take_row (page, rows, error);
  if (!has_text (page, rows))
    return TRUE;
  return page->brief ? hand_out (page, rows, error) : take_found (page, id, error);
}

/* as has_text() has it: a body follows what the content begins with */
static gboolean
leaf_has_text (ClipPage *page, const ClipLeafRow *leaf)
{
  gboolean has_body = leaf->has_body && leaf->kind & 1;

  page->text = leaf->preview;
  page->length = leaf->preview_bytes + (has_body ? leaf->body_bytes : 0);
  if (has_body && leaf->is_line)
    {
      page->text = leaf->preview + leaf->preview_bytes;
      page->length = leaf->body_bytes;
    }
  page->scanned_bytes += page->length;
  return clip_match_test (page->reader->match, page->text, page->length);
}

static void
give_leaf (ClipPage *page, const ClipLeafRow *leaf)
{
  ClipRow row = {
    .id = leaf->id,
    .mime = "",
    .origin = "",
    .preview = (const char *) leaf->preview,
    .preview_length = leaf->preview_bytes,
    .kind = page->searches ? 0 : (ClipClass) leaf->kind,
  };

  give (page, &row);
}

/* as clip_page_look() */
gboolean
clip_page_look_at_leaf (ClipPage *page, const ClipLeafRow *leaf, GError **error)
{
  page->query->before = leaf->id;
  page->n_scanned++;
  if (page->searches && !leaf_has_text (page, leaf))
    return TRUE;
  if (!page->brief)
    return take_found (page, leaf->id, error);
  give_leaf (page, leaf);
  return TRUE;
}
