/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deleting what contains some bytes. Blobs may be large, so their files are searched on a
 * reader's thread before the writer hears of it: a blob never changes. The first
 * transaction then looks at the contents in the database, and each deletes some of what
 * that found. A blob that came since was not meant.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

#include "clip-fd.h"
#include "clip-sweep.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW_BYTES (256 * 1024)

typedef struct
{
  ClipChange base;
  GBytes *needle;
  GHashTable *blobs; /* the names of those that match */
  GArray *ids;       /* gint64: of the entries that do, as the first step found them */
} DeleteMatching;

/* the columns of CLIP_SQL_LIST_BYTES */
enum
{
  COLUMN_ID,
  COLUMN_BLOB_NAME,
  COLUMN_BLOB_SIZE,
  COLUMN_PREVIEW,
  COLUMN_BODY,
};

static gboolean
contains (const void *data, gsize length, GBytes *needle)
{
  gsize needle_length;
  const void *needle_data = g_bytes_get_data (needle, &needle_length);

  return length >= needle_length && memmem (data, length, needle_data, needle_length);
}

typedef struct
{
  int blobs_fd;
  GBytes *needle;
  GHashTable *found;
  const gint *stops;
} Search;

/* window by window, each repeating the end of the one before, where a hit may begin; one
 * that cannot be read, or is read no further, has none */
static gboolean
file_contains (const Search *self, int fd, gint64 size)
{
  gsize needle_length = g_bytes_get_size (self->needle);
  gsize step = MAX (WINDOW_BYTES, needle_length);
  g_autofree char *window = g_malloc (step + needle_length);

  for (gint64 offset = 0; offset < size; offset += (gint64) step)
    {
      gsize n = (gsize) MIN (size - offset, (gint64) (step + needle_length - 1));

      if (g_atomic_int_get (self->stops) ||
          !clip_read_exactly (fd, window, n, offset, NULL))
        return FALSE;
      if (contains (window, n, self->needle))
        return TRUE;
    }
  return FALSE;
}

/* one that cannot be read matches nothing, and keeps nothing else from being deleted */
static gboolean
file_matches (const Search *self, const char *name)
{
  clip_autofd int fd =
      openat (self->blobs_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat status;

  return fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
         file_contains (self, fd, status.st_size);
}

static gboolean
search_files (char **names_take, gpointer user_data)
{
  const Search *self = user_data;
  g_auto (GStrv) names = names_take;

  for (char **name = names; *name; name++)
    {
      if (g_atomic_int_get (self->stops))
        return FALSE;
      if (file_matches (self, *name))
        g_hash_table_add (self->found, g_strdup (*name));
    }
  return TRUE;
}

/**
 * clip_change_search_blobs:
 * @blobs_fd: the folder of the blobs
 * @stops: (atomic): whether to end before it is done
 *
 * Blocks on the disk: never on the writer's thread.
 *
 * Returns: (transfer full) (element-type filename): the names of those that contain
 * @needle, for clip_change_delete_matching()
 */
GHashTable *
clip_change_search_blobs (int blobs_fd, GBytes *needle, const gint *stops)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Search search = { blobs_fd, needle, found, stops };

  clip_sweep_names (blobs_fd, search_files, &search);
  return found;
}

static gboolean
row_matches (const DeleteMatching *self, sqlite3_stmt *rows, GByteArray *buffer)
{
  const char *blob = (const char *) sqlite3_column_text (rows, COLUMN_BLOB_NAME);

  if (blob)
    return g_hash_table_contains (self->blobs, blob);
  g_byte_array_set_size (buffer, 0);
  clip_value_append (buffer, sqlite3_column_value (rows, COLUMN_PREVIEW));
  clip_value_append (buffer, sqlite3_column_value (rows, COLUMN_BODY));
  return contains (buffer->data, buffer->len, self->needle);
}

static gboolean
find_matches (DeleteMatching *self, ClipStatements *db, GError **error)
{
  g_autoptr (GByteArray) buffer = g_byte_array_new ();
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (db, CLIP_SQL_LIST_BYTES, error, "");
  ClipRows state;

  g_array_set_size (self->ids, 0);
  while ((state = clip_statements_next (db, rows, error)) == CLIP_ROWS_ROW)
    if (row_matches (self, rows, buffer))
      {
        gint64 id = sqlite3_column_int64 (rows, COLUMN_ID);

        g_array_append_val (self->ids, id);
      }
  return state == CLIP_ROWS_END;
}

static ClipChangeStep
run_delete_matching (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  DeleteMatching *self = (DeleteMatching *) change;
  guint *n = &change->now.n_done;
  guint end;

  if (*n == 0 && !find_matches (self, clip_transaction_db (transaction), error))
    return CLIP_CHANGE_FAILED;
  end = MIN (*n + clip_transaction_step_rows (transaction), self->ids->len);
  for (; *n < end; ++*n)
    if (!clip_step_remove (transaction, g_array_index (self->ids, gint64, *n),
                           &change->now.outcome.n, error))
      return CLIP_CHANGE_FAILED;
  return *n < self->ids->len ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

static void
clear_delete_matching (ClipChange *change)
{
  DeleteMatching *self = (DeleteMatching *) change;

  g_bytes_unref (self->needle);
  g_array_unref (self->ids);
  g_hash_table_unref (self->blobs);
}

static const ClipChangeKind delete_matching_kind = {
  .name = "delete matching",
  .is_asked_for = TRUE,
  .gives_room = TRUE,
  .bytes = sizeof (DeleteMatching),
  .run = run_delete_matching,
  .clear = clear_delete_matching,
};

/* @blobs_take: (transfer full): of clip_change_search_blobs() */
ClipChange *
clip_change_delete_matching (GBytes *needle, GHashTable *blobs_take)
{
  DeleteMatching *self = clip_change_new (&delete_matching_kind);

  self->needle = g_bytes_ref (needle);
  self->blobs = blobs_take;
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  return &self->base;
}
