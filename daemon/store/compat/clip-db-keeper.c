/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who removes the file means "clear the history"; who cleans a cache away, or restores
 * one half of a backup, does not. So the history notes which folder the file was put in,
 * and takes its absence for an order only while that same folder stands. For the same
 * reason the file is on the disk before the note is: a power cut between the two must not
 * look as if somebody had removed it. And the note goes with the entries, in one
 * transaction: of two daemons that find the file removed one wipes, once.
 *
 * The file is written in place, never renamed over: a watch follows the inode. Nothing is
 * written where anything else stands than our own file.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-db-keeper.h"

#include "clip-adopt.h"
#include "clip-change-batch.h"
#include "clip-change-steps.h"
#include "clip-db-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define PAUSE_US (60 * G_USEC_PER_SEC) /* a full disk has room again, perhaps */

/* those who listen hear of so many entries; of the others, that there are more */
#define ANNOUNCED_ENTRIES 256

struct ClipDbKeeper
{
  char *dir;
  char *path;      /* (nullable): the history has none */
  gint64 again_us; /* monotonic: one that could not be taken over is left alone before */
  ClipWipe wipe;   /* as the file was removed, how far that is */
};

/* @dir: of the history */
ClipDbKeeper *
clip_db_keeper_new (const char *dir)
{
  ClipDbKeeper *self = g_new0 (ClipDbKeeper, 1);

  self->dir = g_strdup (dir);
  self->path = clip_paths_db_file (dir);
  return self;
}

void
clip_db_keeper_free (ClipDbKeeper *self)
{
  if (!self)
    return;
  g_free (self->dir);
  g_free (self->path);
  g_free (self);
}

/* (transfer full) (nullable): where the file stood */
static char *
get_note (ClipTransaction *transaction)
{
  clip_autorows sqlite3_stmt *rows = clip_statements_query (
      clip_transaction_db (transaction), CLIP_SQL_GET_NOTE, NULL, "s", CLIP_DB_FILE_NOTE);

  if (!rows || clip_statements_next (clip_transaction_db (transaction), rows, NULL) !=
                   CLIP_ROWS_ROW)
    return NULL;
  return g_strdup ((const char *) sqlite3_column_text (rows, 0));
}

static gboolean
is_removed (ClipDbKeeper *self, ClipTransaction *transaction)
{
  g_autofree char *noted = get_note (transaction);

  return clip_db_file_was_removed (self->path, noted);
}

/* in a folder that is there */
static int
create (ClipDbKeeper *self, GError **error)
{
  int fd = open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

  if (fd < 0)
    clip_set_errno (error, errno, "create it");
  return fd;
}

/* within a transaction: as much as fits one */
static ClipSettled
wipe (ClipDbKeeper *self, ClipTransaction *transaction, gint64 *n, GError **error)
{
  ClipChangeStep step = clip_step_wipe (transaction, &self->wipe, n, error);

  if (step != CLIP_CHANGE_DONE)
    return step == CLIP_CHANGE_MORE ? CLIP_SETTLED_WIPED_SOME : CLIP_SETTLED_NOTHING;
  self->wipe = (ClipWipe){ 0 };
  if (clip_transaction_totals (transaction)->count == 0)
    {
      clip_transaction_totals (transaction)->last_id = 0;
      clip_transaction_totals (transaction)->first_loose = 1;
      /* who follows by ids is to read again */
      clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0);
    }
  /* from now on the file is not missing: there is none */
  return clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_NOTE,
                              error, "s", CLIP_DB_FILE_NOTE)
             ? CLIP_SETTLED_WIPED
             : CLIP_SETTLED_NOTHING;
}

/* A private daemon says nothing: its standard error is the caller's, who has asked for
 * something else. */
static GLogLevelFlags
level (ClipTransaction *transaction)
{
  return clip_transaction_journals (transaction) ? G_LOG_LEVEL_INFO : G_LOG_LEVEL_MESSAGE;
}

static ClipSettled
try_to_wipe (ClipDbKeeper *self,
             ClipTransaction *transaction,
             gint64 *n_wiped,
             GError **error)
{
  ClipSettled settled;
  gint64 n = 0;

  if (clip_transaction_begin (transaction, error))
    {
      /* another daemon may have been first */
      if (is_removed (self, transaction) &&
          (settled = wipe (self, transaction, &n, error)) &&
          clip_transaction_commit (transaction, error))
        {
          if (settled == CLIP_SETTLED_WIPED)
            g_log (G_LOG_DOMAIN, level (transaction),
                   "'%s' was removed: the history is wiped", self->path);
          *n_wiped += n;
          return settled;
        }
      clip_transaction_abandon (transaction);
    }
  return CLIP_SETTLED_NOTHING;
}

/* An empty one: nothing has been stored. Without it a backup of the history, put back
 * before anything is, would be wiped, too, as its note knows the folder. */
static void
put_back (ClipDbKeeper *self, ClipTransaction *transaction)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int fd G_GNUC_UNUSED = create (self, &error);

  if (error)
    g_log (G_LOG_DOMAIN, level (transaction), "'%s' is not there: %s", self->path,
           error->message);
}

static ClipSettled
wipe_if_removed (ClipDbKeeper *self, ClipTransaction *transaction, gint64 *n_wiped)
{
  g_autoptr (GError) error = NULL;
  ClipSettled settled;

  if (!is_removed (self, transaction))
    return CLIP_SETTLED_NOTHING;
  settled = try_to_wipe (self, transaction, n_wiped, &error);
  for (guint i = 0; i < 2 && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
       i++)
    {
      g_clear_error (&error);
      clip_reserve_release (clip_transaction_dir (transaction));
      clip_change_batch_turn_short (transaction, TRUE);
      if (i > 0)
        clip_transaction_set_step_rows (transaction, CLIP_TRANSACTION_ROWS_LEAST);
      settled = try_to_wipe (self, transaction, n_wiped, &error);
    }
  if (error)
    g_warning ("'%s' was removed, and the history is not wiped yet: %s", self->path,
               error->message);
  if (settled == CLIP_SETTLED_WIPED)
    put_back (self, transaction);
  return settled;
}

/* what fails would fail at each change: it is left alone for a while */
static ClipSettled
take_over (ClipDbKeeper *self, ClipTransaction *transaction, int fd)
{
  GArray *events = clip_transaction_events (transaction);
  g_autoptr (GError) error = NULL;
  gboolean adopted;

  if (g_get_monotonic_time () < self->again_us)
    return CLIP_SETTLED_NOTHING;
  if (!clip_adopt (transaction, self->path, fd, &adopted, &error))
    {
      g_warning ("the database '%s' is left as it is: %s", self->path, error->message);
      /* its entries are there: they are not to come again and again */
      self->again_us = adopted ? G_MAXINT64 : g_get_monotonic_time () + PAUSE_US;
    }
  if (!adopted)
    return CLIP_SETTLED_NOTHING;
  g_log (G_LOG_DOMAIN, level (transaction), "'%s' was a database, which was taken over",
         self->path);
  if (events->len > ANNOUNCED_ENTRIES)
    g_array_remove_range (events, 0, events->len - ANNOUNCED_ENTRIES);
  return CLIP_SETTLED_ADOPTED;
}

/**
 * clip_db_keeper_settle:
 * @n_wiped: (inout): grows by how many entries went, as the file was removed
 *
 * Before anything is changed, outside of a transaction: wipes the history where its file
 * was removed, and puts it back, empty; takes over the database that stands in its place.
 *
 * Returns: what has changed; that is to be told, and it is to be called again. What fails
 * is tried again with a later change, and fails none
 */
ClipSettled
clip_db_keeper_settle (ClipDbKeeper *self, ClipTransaction *transaction, gint64 *n_wiped)
{
  clip_autofd int fd = -1;
  ClipDbFileKind kind = CLIP_DB_FILE_FOREIGN;

  if (self->path)
    kind = clip_db_file_open (self->path, O_RDONLY, &fd);
  if (kind == CLIP_DB_FILE_ABSENT)
    return wipe_if_removed (self, transaction, n_wiped);
  self->wipe = (ClipWipe){ 0 }; /* it is there: that of its next removal begins anew */
  return kind == CLIP_DB_FILE_BOLT ? take_over (self, transaction, fd)
                                   : CLIP_SETTLED_NOTHING;
}

/* -1 without an error where it is not ours to write, or was removed just now */
static int
open_to_write (ClipDbKeeper *self,
               ClipTransaction *transaction,
               gboolean *out_is_new,
               GError **error)
{
  clip_autofd int fd = -1;
  ClipDbFileKind kind = clip_db_file_open (self->path, O_RDWR, &fd);

  *out_is_new = kind == CLIP_DB_FILE_ABSENT && !is_removed (self, transaction);
  if (*out_is_new)
    {
      g_autofree char *folder = g_path_get_dirname (self->path);

      g_mkdir_with_parents (folder, 0700);
      return create (self, error);
    }
  return kind == CLIP_DB_FILE_OURS ? g_steal_fd (&fd) : -1;
}

static gboolean
write_text (ClipDbKeeper *self, ClipTransaction *transaction, int fd, GError **error)
{
  const ClipTotals *totals = clip_transaction_totals (transaction);
  g_autofree char *text = g_strdup_printf (
      CLIP_DB_FILE_MAGIC "written at every change; to remove it is to wipe the history\n"
                         "history %s\nentries %" G_GINT64_FORMAT
                         "\nlast-id %" G_GINT64_FORMAT "\nchanged-us %" G_GINT64_FORMAT
                         "\n",
      self->dir, totals->count, totals->last_id, g_get_real_time ());
  gsize length = strlen (text);
  struct stat status;

  if (!clip_write_all (fd, text, length, error))
    return FALSE;
  return (fstat (fd, &status) == 0 && (gsize) status.st_size == length) ||
         ftruncate (fd, (off_t) length) == 0 || clip_set_errno (error, errno, "cut it");
}

/* where the file stands, once it would still stand there after a power cut */
static gboolean
note_folder (ClipDbKeeper *self, ClipTransaction *transaction, int fd, GError **error)
{
  g_autofree char *noted = get_note (transaction);
  g_autofree char *folder = clip_db_file_folder (self->path);

  if (!folder || g_strcmp0 (noted, folder) == 0)
    return TRUE;
  return (fsync (fd) == 0 || clip_set_errno (error, errno, "sync it")) &&
         clip_db_file_sync_folder (self->path, error) &&
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_SET_NOTE, error,
                              "ss", CLIP_DB_FILE_NOTE, folder);
}

/**
 * clip_db_keeper_publish:
 *
 * After a change, outside of a transaction: writes the file, made where there is none.
 *
 * Returns: whether it was made
 */
gboolean
clip_db_keeper_publish (ClipDbKeeper *self, ClipTransaction *transaction)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;
  gboolean is_new = FALSE;

  if (self->path)
    fd = open_to_write (self, transaction, &is_new, &error);
  if (fd >= 0 && write_text (self, transaction, fd, &error))
    note_folder (self, transaction, fd, &error);
  if (error)
    g_log (G_LOG_DOMAIN, level (transaction), "'%s' is not up to date: %s", self->path,
           error->message);
  return is_new && fd >= 0;
}
