/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The files: that each blob has the bytes that its name says, and that there is none that
 * no row refers to. Nothing of the database is open while a file is read.
 */
#include "clip-check-files.h"

#include "clip-blob-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-paths.h"
#include "clip-reader-private.h"
#include "clip-sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

/* a file gets its name before its row is committed, and loses it after that is gone */
#define N_LOOKS 40
#define LOOK_US (50 * 1000)

typedef struct
{
  gint64 number;
  gint64 size;
  char *name;
  ClipHash hash;
} Blob;

static void
clear_blob (Blob *self)
{
  g_free (self->name);
}

gboolean
clip_check_goes_on (const gint *stops, GError **error)
{
  if (!stops || !g_atomic_int_get (stops))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED, "check was stopped");
  return FALSE;
}

static gboolean
is_missing (int blobs_fd, const char *name)
{
  struct stat status;

  return blobs_fd < 0 || (fstatat (blobs_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0 &&
                          (errno == ENOENT || errno == ENOTDIR));
}

/* the next row; nothing is open afterwards */
static ClipRows
get_next (ClipReader *reader, gint64 after, Blob *out_blob, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_statements_query (reader->database, CLIP_READ_NEXT_BLOB, error, "i", after);
  ClipRows state = clip_statements_next (reader->database, rows, error);

  if (state != CLIP_ROWS_ROW)
    return state;
  out_blob->number = sqlite3_column_int64 (rows, 0);
  out_blob->name = g_strdup ((const char *) sqlite3_column_text (rows, 1) ?: "");
  out_blob->size = sqlite3_column_int64 (rows, 3);
  if (sqlite3_column_bytes (rows, 2) == sizeof out_blob->hash.bytes)
    memcpy (out_blob->hash.bytes, sqlite3_column_blob (rows, 2),
            sizeof out_blob->hash.bytes);
  return state;
}

static gboolean
check_bytes (const Blob *blob, int blobs_fd, const gint *stops, GError **error)
{
  clip_autofd int fd = clip_blob_file_open (blobs_fd, blob->name, blob->size, error);

  if (fd < 0)
    return FALSE;
  if (clip_blob_name_fits (blob->name, &blob->hash))
    return clip_blob_file_check (fd, blob->name, &blob->hash, stops, error);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "its name is not its hash");
  return FALSE;
}

/* for each content that it belongs to: none where the entry was deleted meanwhile */
static gboolean
add_damaged (ClipReader *reader,
             const Blob *blob,
             const char *text,
             ClipReport *report,
             GError **error)
{
  g_autofree char *object = g_build_filename (CLIP_BLOBS_NAME, blob->name, NULL);
  ClipFindingKind kind = !clip_blob_name_is_valid (blob->name) ||
                                 is_missing (clip_reader_blobs (reader), blob->name)
                             ? CLIP_FINDING_BLOB_MISSING
                             : CLIP_FINDING_BLOB_DAMAGED;
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      reader->database, CLIP_READ_USERS_OF_BLOB, error, "i", blob->number);
  ClipRows state;

  while ((state = clip_statements_next (reader->database, rows, error)) == CLIP_ROWS_ROW)
    clip_report_add_content (report, kind, rows, object, text);
  return state == CLIP_ROWS_END;
}

/* That there are no descriptors left, or that the disk does not answer, is no damage. */
static gboolean
check_blob (ClipReader *reader,
            const Blob *blob,
            const gint *stops,
            ClipReport *report,
            GError **error)
{
  g_autoptr (GError) local = NULL;

  report->n_blobs++;
  report->n_bytes += blob->size;
  if (check_bytes (blob, clip_reader_blobs (reader), stops, &local))
    return TRUE;
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    return add_damaged (reader, blob, local->message, report, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
check_blobs (ClipReader *reader, const gint *stops, ClipReport *report, GError **error)
{
  ClipRows state = CLIP_ROWS_ROW;
  gint64 after = G_MININT64;

  while (state == CLIP_ROWS_ROW)
    {
      __attribute__ ((cleanup (clear_blob))) Blob blob = { 0 };

      if (!clip_check_goes_on (stops, error))
        return FALSE;
      state = get_next (reader, after, &blob, error);
      if (state == CLIP_ROWS_ROW && !check_blob (reader, &blob, stops, report, error))
        return FALSE;
      after = blob.number;
    }
  return state == CLIP_ROWS_END;
}

static gboolean
append (char **names_take, gpointer all)
{
  for (guint i = 0; names_take[i]; i++)
    g_ptr_array_add (all, names_take[i]);
  g_free (names_take);
  return TRUE;
}

/* keeps of @names those that nothing refers to */
static gboolean
sift (ClipReader *reader, GPtrArray *names, GError **error)
{
  for (guint i = names->len; i > 0; i--)
    {
      const char *name = names->pdata[i - 1];
      gint64 number;
      ClipRows state = clip_statements_number (reader->database, CLIP_READ_FIND_BLOB,
                                               &number, error, "s", name);

      if (state == CLIP_ROWS_FAILED)
        return FALSE;
      if (state == CLIP_ROWS_ROW || is_missing (clip_reader_blobs (reader), name))
        g_ptr_array_remove_index_fast (names, i - 1);
    }
  return TRUE;
}

static gboolean
check_strays (ClipReader *reader, const gint *stops, ClipReport *report, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  clip_sweep_names (clip_reader_blobs (reader), append, names);
  for (guint i = 0; i < N_LOOKS && names->len > 0; i++)
    {
      if (i > 0)
        g_usleep (LOOK_US);
      if (!clip_check_goes_on (stops, error) || !sift (reader, names, error))
        return FALSE;
    }
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *object = g_build_filename (CLIP_BLOBS_NAME, names->pdata[i], NULL);

      clip_report_add (report, CLIP_FINDING_STRAY, 0, object, "no entry refers to it");
    }
  return TRUE;
}

/**
 * clip_check_files:
 * @stops: (nullable): atomic; not 0 = give up
 *
 * Errors: %CLIP_ERROR_CORRUPT where the database cannot be read on,
 * %CLIP_ERROR_CANCELLED, %G_FILE_ERROR where a file cannot be looked at, or a folder is
 * none of ours.
 */
gboolean
clip_check_files (ClipReader *reader,
                  const gint *stops,
                  ClipReport *report,
                  GError **error)
{
  const int blobs_fd = clip_reader_blobs (reader);

  if (blobs_fd < 0 && errno != ENOENT)
    return clip_set_errno (error, errno, "look into the folder of the blobs");
  if (blobs_fd >= 0 &&
      !clip_ownership_check_inner_folders (blobs_fd, CLIP_BLOBS_NAME, error))
    return FALSE;
  /* without its rows each file looks like a stray, and rows may go round in a circle */
  return clip_report_has (report, CLIP_FINDING_DATABASE) ||
         (check_blobs (reader, stops, report, error) &&
          check_strays (reader, stops, report, error));
}

/* what is left of a history without a database */
gboolean
clip_check_gone (const char *dir, ClipReport *report, GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_BLOBS_NAME, NULL);
  clip_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  if (fd < 0)
    return errno == ENOENT || errno == ENOTDIR ||
           clip_set_errno (error, errno, "look into the folder of the blobs");
  clip_sweep_names (fd, append, names);
  if (names->len > 0)
    clip_report_add (report, CLIP_FINDING_GONE, 0, CLIP_DATABASE_NAME,
                     "it is missing or empty; %u files of contents are left", names->len);
  return TRUE;
}
