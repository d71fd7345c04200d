/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A history in numbers. Nobody keeps them, as every copy would pay for it: all rows are looked
 * at once, without their bytes, some thousand at a time, so that no read is open for long.
 */
#include "clip-stats.h"

#include "clip-reader-private.h"

#include <sys/stat.h>

#define PAGE_ROWS 4096

typedef struct
{
  ClipStats *stats;
  ClipReader *reader;
  GTimeZone *zone;
  GHashTable *types; /* by the number of the name */
  GHashTable *days;  /* indices into those of the stats, by their beginning */
  guint day;         /* the last one that was looked up */
  gint64 blobs_used; /* bytes of all contents that lie in files, each counted */
  ClipMoment moment;
} Count;

/* the columns of the statements */
enum
{
  ENTRY_ID,
  ENTRY_LAST_US,
  ENTRY_COPIES,
  ENTRY_PINNED,
  ENTRY_KIND,
  ENTRY_SIZE,
  ENTRY_MIME,
  ENTRY_BLOB,
};

enum
{
  CONTENT_ID,
  CONTENT_MIME,
  CONTENT_SIZE,
  CONTENT_BLOB,
  CONTENT_PINNED,
};

static void
type_free (ClipStatsType *self)
{
  g_free (self->mime);
  g_free (self);
}

/* --- what one row adds --- */

static ClipStatsType *
find_type (Count *self, sqlite3_stmt *rows, int column, GError **error)
{
  gint64 name = sqlite3_column_int64 (rows, column);
  ClipStatsType *type = g_hash_table_lookup (self->types, &name);
  const char *mime = type ? type->mime : NULL;

  if (type)
    return type;
  mime = clip_reader_mime (self->reader, rows, column, error);
  if (!mime)
    return NULL;
  type = g_new0 (ClipStatsType, 1);
  type->mime = g_strdup (mime);
  g_ptr_array_add (self->stats->types, type);
  g_hash_table_insert (self->types, g_memdup2 (&name, sizeof name), type);
  return type;
}

/* 0 where there is none */
static gint64
to_us (GDateTime *time)
{
  return time ? g_date_time_to_unix (time) * G_USEC_PER_SEC : 0;
}

/* from midnight to midnight, which are not 24 hours on every day; a time that is on none has a
 * day that nothing falls on */
static ClipStatsDay
make_day (const Count *self, gint64 time_us)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (time_us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = utc ? g_date_time_to_timezone (utc, self->zone) : NULL;
  g_autoptr (GDateTime) start = NULL;
  g_autoptr (GDateTime) next = NULL;

  if (local)
    start = g_date_time_new (self->zone, g_date_time_get_year (local),
                             g_date_time_get_month (local),
                             g_date_time_get_day_of_month (local), 0, 0, 0);
  next = start ? g_date_time_add_days (start, 1) : NULL;
  return (ClipStatsDay){ .start_us = to_us (start), .end_us = to_us (next) };
}

static ClipStatsDay *
get_day (const Count *self, guint index)
{
  return &g_array_index (self->stats->days, ClipStatsDay, index);
}

/* neighbours were copied on the same day, as a rule */
static ClipStatsDay *
find_day (Count *self, gint64 time_us)
{
  GArray *days = self->stats->days;
  ClipStatsDay made;
  gpointer found;

  if (days->len > 0 && time_us >= get_day (self, self->day)->start_us &&
      time_us < get_day (self, self->day)->end_us)
    return get_day (self, self->day);
  made = make_day (self, time_us);
  if (g_hash_table_lookup_extended (self->days, &made.start_us, NULL, &found))
    self->day = GPOINTER_TO_UINT (found);
  else
    {
      self->day = days->len;
      g_array_append_val (days, made);
      g_hash_table_insert (self->days, g_memdup2 (&made.start_us, sizeof made.start_us),
                           GUINT_TO_POINTER (self->day));
    }
  return get_day (self, self->day);
}

/* what damage has made of a number may not fit: then the sum is nonsense, and no more */
static void
add (gint64 *sum, gint64 number)
{
  *sum = (gint64) ((guint64) *sum + (guint64) number);
}

static void
add_to_sum (ClipStatsSum *sum, gint64 size)
{
  sum->entries++;
  add (&sum->bytes, size);
}

static void
note_largest (ClipStats *stats, const ClipStatsEntry *entry)
{
  GArray *largest = stats->largest;
  guint place = largest->len;

  while (place > 0 &&
         g_array_index (largest, ClipStatsEntry, place - 1).size < entry->size)
    place--;
  if (place >= CLIP_STATS_LARGEST)
    return;
  g_array_insert_val (largest, place, *entry);
  g_array_set_size (largest, MIN (largest->len, CLIP_STATS_LARGEST));
}

static void
note_time (ClipStats *stats, gint64 last_us)
{
  if (stats->oldest_us == 0 || last_us < stats->oldest_us)
    stats->oldest_us = last_us;
  stats->newest_us = MAX (stats->newest_us, last_us);
}

/* of a type, whichever of an entry's contents it is */
static gboolean
add_content (Count *self,
             sqlite3_stmt *rows,
             int mime_column,
             gint64 size,
             GError **error)
{
  ClipStatsType *type = find_type (self, rows, mime_column, error);

  if (!type)
    return FALSE;
  type->contents++;
  add (&type->bytes, size);
  self->stats->contents++;
  add (&self->stats->bytes, size);
  return TRUE;
}

static gboolean
add_entry (Count *self, sqlite3_stmt *rows, GError **error)
{
  ClipStats *stats = self->stats;
  gint64 size = sqlite3_column_int64 (rows, ENTRY_SIZE);
  gint64 last_us = sqlite3_column_int64 (rows, ENTRY_LAST_US);
  gint64 copies = sqlite3_column_int64 (rows, ENTRY_COPIES);
  gint64 again = MAX (copies, 1) - 1;
  gint64 kind = sqlite3_column_int64 (rows, ENTRY_KIND);
  gboolean pinned = sqlite3_column_int (rows, ENTRY_PINNED) != 0;
  ClipStatsEntry entry = { .id = sqlite3_column_int64 (rows, ENTRY_ID), .size = size };

  if (self->reader->is_wiped && !pinned)
    return TRUE;
  if (!add_content (self, rows, ENTRY_MIME, size, error))
    return FALSE;
  entry.mime = find_type (self, rows, ENTRY_MIME, NULL)->mime;
  stats->entries++;
  stats->pinned += pinned;
  add (&stats->repeated, again);
  add (&stats->repeated_bytes, (gint64) ((guint64) again * (guint64) size));
  if (kind >= 0 && kind <= CLIP_CLASS_OTHER)
    add_to_sum (&stats->classes[kind], size);
  if (sqlite3_column_type (rows, ENTRY_BLOB) != SQLITE_NULL)
    add (&self->blobs_used, size);
  add_to_sum (&find_day (self, last_us)->sum, size);
  note_time (stats, last_us);
  note_largest (stats, &entry);
  return TRUE;
}

static gboolean
add_further (Count *self, sqlite3_stmt *rows, GError **error)
{
  gint64 size = sqlite3_column_int64 (rows, CONTENT_SIZE);

  if (self->reader->is_wiped && !sqlite3_column_int (rows, CONTENT_PINNED))
    return TRUE;
  if (sqlite3_column_type (rows, CONTENT_BLOB) != SQLITE_NULL)
    add (&self->blobs_used, size);
  return add_content (self, rows, CONTENT_MIME, size, error);
}

static gboolean
add_blob (Count *self, sqlite3_stmt *rows, GError **error G_GNUC_UNUSED)
{
  self->stats->blobs++;
  add (&self->stats->blob_bytes, sqlite3_column_int64 (rows, 1));
  return TRUE;
}

/* --- all rows --- */

typedef gboolean (*AddRow) (Count *self, sqlite3_stmt *rows, GError **error);

/* @from: moves on to the last row; its id is the first column. @types: of what is bound, the
 * id and, where there is more, the moment */
static ClipRows
take_page (Count *self,
           ClipRead statement,
           const char *types,
           AddRow take,
           gint64 *from,
           GError **error)
{
  ClipDatabase *database = self->reader->database;
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (database, statement, error, types, *from,
                           self->moment.now_us, self->moment.old_us);
  ClipRows state = CLIP_ROWS_ROW;

  for (guint n = 0; n < PAGE_ROWS && state == CLIP_ROWS_ROW; n++)
    {
      state = clip_database_next (database, rows, error);
      if (state != CLIP_ROWS_ROW)
        break;
      *from = sqlite3_column_int64 (rows, 0);
      if (!take (self, rows, error))
        state = CLIP_ROWS_FAILED;
    }
  return state;
}

static gboolean
take_all (Count *self,
          ClipRead statement,
          const char *types,
          AddRow take,
          gint64 from,
          GError **error)
{
  ClipRows state = CLIP_ROWS_ROW;

  while (state == CLIP_ROWS_ROW)
    state = take_page (self, statement, types, take, &from, error);
  return state == CLIP_ROWS_END;
}

static gboolean
count_rows (Count *self, GError **error)
{
  return take_all (self, CLIP_READ_COUNT_ENTRIES, "iii", add_entry, G_MAXINT64, error) &&
         take_all (self, CLIP_READ_COUNT_CONTENTS, "iii", add_further, 0, error) &&
         take_all (self, CLIP_READ_COUNT_BLOBS, "i", add_blob, 0, error);
}

/* as much of the disk as a file has; 0 where there is none */
static gint64
disk_bytes (const char *path, const char *suffix)
{
  g_autofree char *whole = g_strconcat (path, suffix, NULL);
  struct stat status;

  return stat (whole, &status) == 0 ? (gint64) status.st_blocks * 512 : 0;
}

static int
compare_types (gconstpointer a, gconstpointer b)
{
  const ClipStatsType *first = *(const ClipStatsType *const *) a;
  const ClipStatsType *second = *(const ClipStatsType *const *) b;

  if (first->bytes != second->bytes)
    return first->bytes < second->bytes ? 1 : -1;
  return g_strcmp0 (first->mime, second->mime);
}

static int
compare_days (gconstpointer a, gconstpointer b)
{
  gint64 first = ((const ClipStatsDay *) a)->start_us;
  gint64 second = ((const ClipStatsDay *) b)->start_us;

  return (first < second) - (first > second);
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
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GHashTable) types =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_autoptr (GHashTable) days =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Count count = { stats, reader, zone, types, days };

  count.moment = clip_reader_moment (reader);
  if (!count_rows (&count, error))
    return NULL;
  g_ptr_array_sort (stats->types, compare_types);
  g_array_sort (stats->days, compare_days);
  if (count.blobs_used > stats->blob_bytes && stats->blob_bytes >= 0)
    stats->shared_bytes = count.blobs_used - stats->blob_bytes;
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
