/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rows of the contents: that each has the bytes, the size and the type that it had
 * when it was written, and the place among the duplicates that finds it again.
 */
#include "clip-check-private.h"

#include "clip-error.h"
#include "clip-hash.h"

#include <string.h>

/* what is read at a time, with a read open */
#define STEP_ROWS 512
#define STEP_BYTES (1024 * 1024)

/* the columns of both walks */
enum
{
  COLUMN_ID,
  COLUMN_ENTRY,
  COLUMN_POSITION,
  COLUMN_MIME, /* the text; NULL = there is no such name */
  COLUMN_SIZE,
  COLUMN_BLOB, /* the number; NULL = the bytes are here */
  COLUMN_HASH, /* of the blob; NULL = there is no such blob */
  COLUMN_BLOB_SIZE,
  COLUMN_PREVIEW,
  COLUMN_BODY,
  COLUMN_SUM,
  COLUMN_EXTRAS,       /* what an entry says */
  COLUMN_FOUND_EXTRAS, /* and what there are */
};

static void
append_blob (GByteArray *bytes, sqlite3_stmt *rows, int column)
{
  if (sqlite3_column_type (rows, column) == SQLITE_BLOB)
    g_byte_array_append (bytes, sqlite3_column_blob (rows, column),
                         (guint) sqlite3_column_bytes (rows, column));
}

/* what the sum of the row is of */
static void
gather (GByteArray *bytes, sqlite3_stmt *rows)
{
  g_byte_array_set_size (bytes, 0);
  if (sqlite3_column_type (rows, COLUMN_BLOB) != SQLITE_NULL)
    {
      append_blob (bytes, rows, COLUMN_HASH);
      return;
    }
  append_blob (bytes, rows, COLUMN_PREVIEW);
  append_blob (bytes, rows, COLUMN_BODY);
}

static gint64
shorten (sqlite3_stmt *rows, const GByteArray *bytes)
{
  ClipHash hash = { { 0 } };

  if (sqlite3_column_type (rows, COLUMN_BLOB) == SQLITE_NULL)
    {
      g_autoptr (ClipHasher) hasher = clip_hasher_new ();

      clip_hasher_add (hasher, bytes->data, bytes->len);
      hash = clip_hasher_end (hasher);
    }
  else if (bytes->len == sizeof hash.bytes)
    memcpy (hash.bytes, bytes->data, sizeof hash.bytes);
  return clip_hash_short (&hash);
}

/* NULL = nothing is wrong with it */
static const char *
find_fault (ClipCheck *self, sqlite3_stmt *rows, const GByteArray *bytes)
{
  const char *mime = (const char *) sqlite3_column_text (rows, COLUMN_MIME);
  gint64 size = sqlite3_column_int64 (rows, COLUMN_SIZE);
  gboolean inlined = sqlite3_column_type (rows, COLUMN_BLOB) == SQLITE_NULL;

  if (!mime)
    return "its type is missing";
  if (!inlined && bytes->len != CLIP_HASH_BYTES)
    return "it refers to a file that nothing is known of";
  if (size !=
      (inlined ? (gint64) bytes->len : sqlite3_column_int64 (rows, COLUMN_BLOB_SIZE)))
    return "it has another size";
  if (sqlite3_column_type (rows, COLUMN_SUM) != SQLITE_INTEGER ||
      sqlite3_column_int64 (rows, COLUMN_SUM) !=
          clip_sum (sqlite3_column_int64 (rows, COLUMN_ENTRY),
                    sqlite3_column_int64 (rows, COLUMN_POSITION), mime, size, bytes->data,
                    bytes->len))
    return "it has other bytes than were stored";
  return NULL;
}

static gboolean
check_duplicate (ClipCheck *self, gint64 id, gint64 hash, GError **error)
{
  gint64 found;
  ClipRows state = clip_database_number (self->reader->database, CLIP_READ_HAS_DUP,
                                         &found, error, "ii", hash, id);

  if (state == CLIP_ROWS_END)
    clip_report_add (self->report, CLIP_FINDING_DUPLICATES, id, "",
                     "it is not found by its bytes");
  return state != CLIP_ROWS_FAILED;
}

static void
add_fault (ClipCheck *self, sqlite3_stmt *rows, gboolean is_primary, const char *fault)
{
  ClipFinding *finding;

  clip_report_add (self->report, CLIP_FINDING_ENTRY,
                   sqlite3_column_int64 (rows, COLUMN_ENTRY), "", "%s", fault);
  finding = self->report->findings->pdata[self->report->findings->len - 1];
  finding->position = sqlite3_column_int64 (rows, COLUMN_POSITION);
  finding->row = is_primary ? 0 : sqlite3_column_int64 (rows, COLUMN_ID);
}

static gboolean
check_row (ClipCheck *self,
           ClipRead statement,
           sqlite3_stmt *rows,
           GByteArray *bytes,
           GError **error)
{
  const char *fault;
  gboolean is_primary = statement == CLIP_READ_CHECK_ENTRIES;

  gather (bytes, rows);
  fault = find_fault (self, rows, bytes);
  if (is_primary && sqlite3_column_int64 (rows, COLUMN_EXTRAS) !=
                        sqlite3_column_int64 (rows, COLUMN_FOUND_EXTRAS))
    clip_report_add (self->report, CLIP_FINDING_REFERENCE,
                     sqlite3_column_int64 (rows, COLUMN_ENTRY), "",
                     "it has another number of types than it says");
  if (fault)
    {
      add_fault (self, rows, is_primary, fault);
      return TRUE;
    }
  return !is_primary || check_duplicate (self, sqlite3_column_int64 (rows, COLUMN_ENTRY),
                                         shorten (rows, bytes), error);
}

/* one short read; @next: (inout): the number after the last row that was read */
static ClipRows
take_step (ClipCheck *self,
           ClipRead statement,
           gint64 *next,
           GByteArray *bytes,
           gint64 *n_rows,
           GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (self->reader->database, statement, error, "i", *next);
  ClipRows state = CLIP_ROWS_ROW;
  gsize n_bytes = 0;

  for (guint n = 0; n < STEP_ROWS && n_bytes < STEP_BYTES; n++)
    {
      state = clip_database_next (self->reader->database, rows, error);
      if (state != CLIP_ROWS_ROW)
        break;
      if (!check_row (self, statement, rows, bytes, error))
        return CLIP_ROWS_FAILED;
      n_bytes += bytes->len;
      *next = sqlite3_column_int64 (rows, COLUMN_ID) + 1;
      (*n_rows)++;
    }
  return state;
}

/* what cannot be walked through is a damaged database */
static gboolean
walk (ClipCheck *self, ClipRead statement, gint64 *n_rows, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) local = NULL;
  ClipRows state = CLIP_ROWS_ROW;
  gint64 next = G_MININT64;

  while (state == CLIP_ROWS_ROW)
    {
      if (!clip_check_is_on (self, error))
        return FALSE;
      state = take_step (self, statement, &next, bytes, n_rows, &local);
    }
  return state != CLIP_ROWS_FAILED ||
         clip_check_take_error (self->report, g_steal_pointer (&local), error);
}

gboolean
clip_check_entries (ClipCheck *self, GError **error)
{
  return walk (self, CLIP_READ_CHECK_ENTRIES, &self->report->n_entries, error);
}

/* the contents beside the primary ones */
gboolean
clip_check_contents (ClipCheck *self, GError **error)
{
  return walk (self, CLIP_READ_CHECK_CONTENTS, &self->report->n_contents, error);
}
