/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A history in numbers. Nobody keeps them, as every copy would pay for it: SQLite counts
 * all rows, without their bytes, when somebody asks.
 */
#include "clip-stats.h"

#include "clip-reader-private.h"

#include <sys/stat.h>

static void
type_free (ClipStatsType *self)
{
  g_free (self->mime);
  g_free (self);
}

/* --- what one row adds --- */

typedef gboolean (*AddRow) (ClipStats *stats,
                            ClipReader *reader,
                            sqlite3_stmt *rows,
                            GError **error);

/* what damage has made of a number may not fit: then the sum is nonsense, and no more */
static void
add (gint64 *sum, gint64 number)
{
  *sum = (gint64) ((guint64) *sum + (guint64) number);
}

static ClipStatsSum
sum_of (sqlite3_stmt *rows)
{
  return (ClipStatsSum){ .entries = sqlite3_column_int64 (rows, 1),
                         .bytes = sqlite3_column_int64 (rows, 2) };
}

static gboolean
add_kind (ClipStats *stats,
          ClipReader *reader G_GNUC_UNUSED,
          sqlite3_stmt *rows,
          GError **error G_GNUC_UNUSED)
{
  gint64 kind = sqlite3_column_int64 (rows, 0);
  gint64 oldest_us = sqlite3_column_int64 (rows, 6);

  if (kind >= 0 && kind <= CLIP_CLASS_OTHER)
    stats->classes[kind] = sum_of (rows);
  if (stats->entries == 0 || oldest_us < stats->oldest_us)
    stats->oldest_us = oldest_us;
  stats->newest_us = MAX (stats->newest_us, sqlite3_column_int64 (rows, 7));
  add (&stats->entries, sqlite3_column_int64 (rows, 1));
  add (&stats->pinned, sqlite3_column_int64 (rows, 3));
  add (&stats->repeated, sqlite3_column_int64 (rows, 4));
  add (&stats->repeated_bytes, sqlite3_column_int64 (rows, 5));
  return TRUE;
}

/* of a type, whichever of an entry's contents it is. Until the blobs are counted, what is
 * shared is all that lies in them */
static gboolean
add_type (ClipStats *stats, ClipReader *reader, sqlite3_stmt *rows, GError **error)
{
  const char *mime = clip_reader_mime (reader, rows, 0, error);
  ClipStatsType *type;

  if (!mime)
    return FALSE;
  type = g_new0 (ClipStatsType, 1);
  type->mime = g_strdup (mime);
  type->contents = sqlite3_column_int64 (rows, 1);
  type->bytes = sqlite3_column_int64 (rows, 2);
  g_ptr_array_add (stats->types, type);
  add (&stats->contents, type->contents);
  add (&stats->bytes, type->bytes);
  add (&stats->shared_bytes, sqlite3_column_int64 (rows, 3));
  return TRUE;
}

static gboolean
add_day (ClipStats *stats,
         ClipReader *reader G_GNUC_UNUSED,
         sqlite3_stmt *rows,
         GError **error G_GNUC_UNUSED)
{
  const char *name = (const char *) sqlite3_column_text (rows, 0);
  ClipStatsDay day = { .sum = sum_of (rows) };

  g_strlcpy (day.name, name ?: "?", sizeof day.name);
  g_array_append_val (stats->days, day);
  return TRUE;
}

static gboolean
add_largest (ClipStats *stats, ClipReader *reader, sqlite3_stmt *rows, GError **error)
{
  ClipStatsEntry entry = { .id = sqlite3_column_int64 (rows, 0),
                           .size = sqlite3_column_int64 (rows, 1) };
  const char *mime = clip_reader_mime (reader, rows, 2, error);

  for (guint i = 0; mime && i < stats->types->len; i++)
    {
      const ClipStatsType *type = g_ptr_array_index (stats->types, i);

      if (g_str_equal (type->mime, mime))
        entry.mime = type->mime;
    }
  if (mime && entry.mime)
    g_array_append_val (stats->largest, entry);
  return mime != NULL;
}

static gboolean
add_blobs (ClipStats *stats,
           ClipReader *reader G_GNUC_UNUSED,
           sqlite3_stmt *rows,
           GError **error G_GNUC_UNUSED)
{
  stats->blobs = sqlite3_column_int64 (rows, 0);
  stats->blob_bytes = sqlite3_column_int64 (rows, 1);
  stats->shared_bytes = stats->blob_bytes < 0 || stats->shared_bytes < stats->blob_bytes
                            ? 0
                            : stats->shared_bytes - stats->blob_bytes;
  return TRUE;
}

/* --- all rows --- */

/* @types: of what is bound: whether only what is pinned counts, the moment, how many */
static gboolean
take_all (ClipStats *stats,
          ClipReader *reader,
          ClipRead statement,
          const char *types,
          AddRow take,
          GError **error)
{
  ClipMoment moment = clip_reader_moment (reader);
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      reader->database, statement, error, types, (gint64) reader->is_wiped, moment.now_us,
      moment.old_us, (gint64) CLIP_STATS_LARGEST);
  ClipRows state = CLIP_ROWS_ROW;

  while (state == CLIP_ROWS_ROW)
    {
      state = clip_statements_next (reader->database, rows, error);
      if (state == CLIP_ROWS_ROW && !take (stats, reader, rows, error))
        state = CLIP_ROWS_FAILED;
    }
  return state == CLIP_ROWS_END;
}

static gboolean
count_rows (ClipStats *stats, ClipReader *reader, GError **error)
{
  return take_all (stats, reader, CLIP_READ_COUNT_KINDS, "iii", add_kind, error) &&
         take_all (stats, reader, CLIP_READ_COUNT_TYPES, "iii", add_type, error) &&
         take_all (stats, reader, CLIP_READ_COUNT_DAYS, "iii", add_day, error) &&
         take_all (stats, reader, CLIP_READ_LARGEST, "iiii", add_largest, error) &&
         take_all (stats, reader, CLIP_READ_COUNT_BLOBS, "", add_blobs, error);
}

/* as much of the disk as a file has; 0 where there is none */
static gint64
disk_bytes (const char *path, const char *suffix)
{
  g_autofree char *whole = g_strconcat (path, suffix, NULL);
  struct stat status;

  return stat (whole, &status) == 0 ? (gint64) status.st_blocks * 512 : 0;
}

/* (transfer full): of a history without entries */
ClipStats *
clip_stats_new_empty (void)
{
  ClipStats *self = g_new0 (ClipStats, 1);

  self->types = g_ptr_array_new_with_free_func ((GDestroyNotify) type_free);
  self->days = g_array_new (FALSE, FALSE, sizeof (ClipStatsDay));
  self->largest = g_array_new (FALSE, FALSE, sizeof (ClipStatsEntry));
  return self;
}

/**
 * clip_stats_new:
 *
 * Counts what @reader sees; days are those of the local time.
 *
 * Errors: %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
ClipStats *
clip_stats_new (ClipReader *reader, GError **error)
{
  g_autoptr (ClipStats) stats = clip_stats_new_empty ();

  if (!count_rows (stats, reader, error))
    return NULL;
  stats->database_bytes = disk_bytes (reader->path, "");
  stats->log_bytes =
      disk_bytes (reader->path, "-wal") + disk_bytes (reader->path, "-shm");
  return g_steal_pointer (&stats);
}

void
clip_stats_free (ClipStats *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->types);
  g_array_unref (self->days);
  g_array_unref (self->largest);
  g_free (self);
}
