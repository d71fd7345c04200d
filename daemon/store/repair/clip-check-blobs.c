/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The files: that each blob has the bytes that its name says, and that there is no file
 * that nothing refers to. Files are given names, and lose them, while somebody commits: a
 * young one without a row is looked at again for a while.
 */
#include "clip-check-private.h"

#include "clip-blob-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#define TEMPORARY_NAME "tmp"
#define UNKNOWN (-1)

/* a file that was made longer ago is not waiting for its row */
#define YOUNG_SECONDS 10
#define N_LOOKS 40
#define LOOK_US (50 * 1000)

typedef struct
{
  gint64 number;
  gint64 size;
  char *name;
  ClipHash hash;
  ClipBlobState noted; /* when its bytes were last known to be right */
} Blob;

static void
clear_blob (Blob *self)
{
  g_free (self->name);
}

/* the next row; nothing is open afterwards */
static ClipRows
get_next (ClipCheck *self, gint64 after, Blob *out_blob, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      self->reader->database, CLIP_READ_NEXT_BLOB, error, "i", after);
  ClipRows state = clip_database_next (self->reader->database, rows, error);

  if (state != CLIP_ROWS_ROW)
    return state;
  out_blob->number = sqlite3_column_int64 (rows, 0);
  out_blob->name = g_strdup ((const char *) sqlite3_column_text (rows, 1) ?: "");
  out_blob->size = sqlite3_column_int64 (rows, 3);
  if (sqlite3_column_bytes (rows, 2) == sizeof out_blob->hash.bytes)
    memcpy (out_blob->hash.bytes, sqlite3_column_blob (rows, 2),
            sizeof out_blob->hash.bytes);
  out_blob->noted.inode = sqlite3_column_int64 (rows, 4);
  out_blob->noted.changed_ns = sqlite3_column_int64 (rows, 5);
  return state;
}

/* also where it cannot be known: what is not there is set aside */
static gboolean
is_there (ClipCheck *self, const char *name)
{
  gint64 number;

  return clip_database_number (self->reader->database, CLIP_READ_FIND_BLOB, &number, NULL,
                               "s", name) != CLIP_ROWS_END;
}

static gint64
find_number (ClipCheck *self, ClipRead statement, gint64 blob)
{
  gint64 id;
  ClipRows state =
      clip_database_number (self->reader->database, statement, &id, NULL, "i", blob);

  return state == CLIP_ROWS_FAILED ? UNKNOWN : id;
}

/* the entry that refers to it; 0 = none, UNKNOWN = it could not be looked for */
static gint64
find_user (ClipCheck *self, gint64 blob)
{
  gint64 id = find_number (self, CLIP_READ_ENTRY_OF_BLOB, blob);

  return id ? id : find_number (self, CLIP_READ_CONTENT_OF_BLOB, blob);
}

/* whether it is right; of a file that cannot be opened, too */
static gboolean
check_mode (ClipCheck *self, const char *name, const char *object)
{
  int blobs_fd = clip_reader_blobs (self->reader);
  struct stat status;
  struct stat folder;

  if (fstatat (blobs_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
      fstat (blobs_fd, &folder) < 0 || !S_ISREG (status.st_mode))
    return TRUE;
  if (status.st_uid != folder.st_uid)
    clip_report_add (self->report, CLIP_FINDING_MODE, 0, object,
                     "it belongs to user %u, the history to user %u",
                     (guint) status.st_uid, (guint) folder.st_uid);
  else if ((status.st_mode & 0777) != 0400)
    clip_report_add (self->report, CLIP_FINDING_MODE, 0, object,
                     "its mode is %03o instead of 400", (guint) status.st_mode & 0777);
  else
    return TRUE;
  return FALSE;
}

/* FALSE with @error = what is wrong with it */
static gboolean
check_file (ClipCheck *self, const Blob *blob, const char *object, GError **error)
{
  clip_autofd int fd = clip_blob_file_open (clip_reader_blobs (self->reader), blob->name,
                                            blob->size, error);
  ClipChecked checked = { .number = blob->number };

  if (fd < 0)
    return FALSE;
  check_mode (self, blob->name, object);
  if (!clip_blob_name_fits (blob->name, &blob->hash))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "its name is not its hash");
      return FALSE;
    }
  clip_blob_state_take_fd (&checked.state, fd);
  if (!clip_blob_file_check (fd, blob->name, &blob->hash, self->stops, error))
    return FALSE;
  if (!clip_blob_state_equal (&checked.state, &blob->noted))
    g_array_append_val (self->report->checked, checked);
  return TRUE;
}

static void
add_damaged (ClipCheck *self, const Blob *blob, const char *object, const GError *error)
{
  struct stat status;
  gboolean missing = fstatat (clip_reader_blobs (self->reader), blob->name, &status,
                              AT_SYMLINK_NOFOLLOW) < 0 &&
                     errno == ENOENT;

  clip_report_add (self->report,
                   missing ? CLIP_FINDING_BLOB_MISSING : CLIP_FINDING_BLOB_DAMAGED,
                   MAX (find_user (self, blob->number), 0), object, "%s", error->message);
}

/* A file that could not be looked at: what is known to be wrong with it is a finding.
 * That there are no descriptors left, or that the disk does not answer, is nothing to
 * repair. */
static gboolean
note_failure (ClipCheck *self,
              const Blob *blob,
              const char *object,
              GError *failure_take,
              GError **error)
{
  g_autoptr (GError) failure = failure_take;

  if (g_error_matches (failure, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    {
      if (is_there (self, blob->name))
        add_damaged (self, blob, object, failure);
      return TRUE;
    }
  /* with another mode it can be looked at */
  if (g_error_matches (failure, G_FILE_ERROR, G_FILE_ERROR_ACCES) &&
      !check_mode (self, blob->name, object))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

static gboolean
check_blob (ClipCheck *self, const Blob *blob, GError **error)
{
  g_autofree char *object = g_build_filename (CLIP_BLOBS_NAME, blob->name, NULL);
  g_autoptr (GError) local = NULL;

  self->report->n_blobs++;
  self->report->n_bytes += blob->size;
  if (!check_file (self, blob, object, &local))
    return note_failure (self, blob, object, g_steal_pointer (&local), error);
  if (find_user (self, blob->number) == 0 && is_there (self, blob->name))
    clip_report_add (self->report, CLIP_FINDING_BLOB_UNUSED, 0, object,
                     "no entry refers to it");
  return TRUE;
}

/* every blob that there is a row of. A database that is damaged is asked as long as it
 * answers. */
gboolean
clip_check_blobs (ClipCheck *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipRows state = CLIP_ROWS_ROW;
  gint64 after = G_MININT64;

  while (state == CLIP_ROWS_ROW)
    {
      __attribute__ ((cleanup (clear_blob))) Blob blob = { 0 };

      if (!clip_check_is_on (self, error))
        return FALSE;
      state = get_next (self, after, &blob, &local);
      if (state == CLIP_ROWS_ROW && !check_blob (self, &blob, error))
        return FALSE;
      after = blob.number;
    }
  return state != CLIP_ROWS_FAILED ||
         clip_check_take_error (self->report, g_steal_pointer (&local), error);
}

/* --- files that nothing refers to --- */

static void
close_folder (DIR **folder)
{
  if (*folder)
    closedir (*folder);
}

static gboolean
is_no_folder (int code)
{
  return code == ENOTDIR || code == ELOOP || code == ENOENT;
}

/* (transfer full) (nullable): the names in a folder, none where it is none */
static GPtrArray *
list_folder (int dir_fd, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  int fd = openat (dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  __attribute__ ((cleanup (close_folder))) DIR *folder = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *item;

  if (fd < 0 && !is_no_folder (errno))
    {
      clip_set_errno (error, errno, "look into the folder of the blobs");
      return NULL;
    }
  while (folder && (item = readdir (folder)))
    if (strcmp (item->d_name, ".") != 0 && strcmp (item->d_name, "..") != 0)
      g_ptr_array_add (names, g_strdup (item->d_name));
  return g_steal_pointer (&names);
}

/* whoever makes a file there holds a lock on it; one that cannot be asked may, too */
static gboolean
is_in_the_making (int blobs_fd, const char *name)
{
  clip_autofd int fd =
      openat (blobs_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  if (fd < 0)
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
  return flock (fd, LOCK_SH | LOCK_NB) < 0;
}

static gboolean
is_suspect (ClipCheck *self, int blobs_fd, const char *name, gboolean *out_young)
{
  struct stat status;

  *out_young = FALSE;
  if (is_there (self, name) || fstatat (blobs_fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return FALSE;
  *out_young =
      status.st_ctim.tv_sec + YOUNG_SECONDS > g_get_real_time () / G_USEC_PER_SEC;
  return !is_in_the_making (blobs_fd, name);
}

/* keeps of @names those that nothing refers to */
static gboolean
sift (ClipCheck *self, GPtrArray *names, gboolean *out_young, GError **error)
{
  int blobs_fd = clip_reader_blobs (self->reader);

  *out_young = FALSE;
  for (guint i = names->len; i > 0; i--)
    {
      gboolean young;

      if (!clip_check_is_on (self, error))
        return FALSE;
      if (!is_suspect (self, blobs_fd, names->pdata[i - 1], &young))
        g_ptr_array_remove_index_fast (names, i - 1);
      else
        *out_young = *out_young || young;
    }
  return TRUE;
}

static gboolean
list_files (int blobs_fd, GPtrArray *out_names, GError **error)
{
  g_autoptr (GPtrArray) shards = list_folder (blobs_fd, ".", error);

  for (guint i = 0; shards && i < shards->len; i++)
    {
      const char *shard = shards->pdata[i];
      g_autoptr (GPtrArray) names = list_folder (blobs_fd, shard, error);
      struct stat status;

      if (!names)
        return FALSE;
      for (guint j = 0; j < names->len; j++)
        g_ptr_array_add (out_names, g_build_filename (shard, names->pdata[j], NULL));
      if (fstatat (blobs_fd, shard, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
          !S_ISDIR (status.st_mode))
        g_ptr_array_add (out_names, g_strdup (shard));
    }
  return shards != NULL;
}

/* the files below blobs/ that no row refers to */
gboolean
clip_check_files (ClipCheck *self, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  gboolean young = TRUE;

  /* without the rows every file looks like one of these */
  if (clip_report_has (self->report, CLIP_FINDING_DATABASE))
    return TRUE;
  if (!list_files (clip_reader_blobs (self->reader), names, error))
    return FALSE;
  for (guint i = 0; i < N_LOOKS && young; i++)
    {
      if (i > 0)
        g_usleep (LOOK_US);
      if (!sift (self, names, &young, error))
        return FALSE;
    }
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *object = g_build_filename (CLIP_BLOBS_NAME, name, NULL);
      gboolean made = g_str_has_prefix (name, TEMPORARY_NAME "/");

      clip_report_add (self->report, made ? CLIP_FINDING_LEFTOVER : CLIP_FINDING_STRAY, 0,
                       object,
                       made ? "nobody fills it any more" : "no entry refers to it");
    }
  return TRUE;
}

/* what is left of a history without a database */
gboolean
clip_check_gone (ClipCheck *self, GError **error)
{
  g_autofree char *path = g_build_filename (self->dir, CLIP_BLOBS_NAME, NULL);
  clip_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint n = 0;

  if (fd < 0 && errno != ENOENT && errno != ENOTDIR)
    return clip_set_errno (error, errno, "look into the folder of the blobs");
  if (fd >= 0 && !list_files (fd, names, error))
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    n += !g_str_has_prefix (names->pdata[i], TEMPORARY_NAME "/");
  if (n > 0)
    clip_report_add (self->report, CLIP_FINDING_GONE, 0, CLIP_DATABASE_NAME,
                     "it is missing or empty; %u files of contents are left", n);
  return TRUE;
}
