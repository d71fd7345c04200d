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
#include "clip-aside.h"
#include "clip-change.h"
#include "clip-db-file.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* whose database has been taken over, and only has its old name still */
#define NOTE_ADOPTED "db-file-adopted"

/* a large clip takes the existing tool seconds */
#define LOCK_PATIENCE_US (5 * G_USEC_PER_SEC)
#define PAUSE_US (60 * G_USEC_PER_SEC) /* a full disk has room again, perhaps */

/* those who listen hear of so many entries; of the others, that there are more */
#define ANNOUNCED_ENTRIES 256

struct ClipDbKeeper
{
  char *dir;
  char *path;      /* (nullable): the history has none */
  char *refused;   /* (nullable): the database that is damaged, as it was */
  gint64 again_us; /* monotonic: one that could not be taken over is left alone before */
  struct stat published; /* the file as we have written it last; nothing = st_ino is 0 */
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
  g_free (self->refused);
  g_free (self);
}

/* (transfer full) (nullable) */
static char *
get_note (ClipLedger *ledger, const char *key)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, CLIP_SQL_GET_NOTE, NULL, "s", key);

  if (!rows || clip_database_next (ledger->database, rows, NULL) != CLIP_ROWS_ROW)
    return NULL;
  return g_strdup ((const char *) sqlite3_column_text (rows, 0));
}

static gboolean
set_note (ClipLedger *ledger, const char *key, const char *value, GError **error)
{
  return clip_database_run (ledger->database, CLIP_SQL_SET_NOTE, error, "ss", key, value);
}

/* from now on the file is not missing: there is none */
static gboolean
forget_folder (ClipLedger *ledger, GError **error)
{
  return clip_database_run (ledger->database, CLIP_SQL_DROP_NOTE, error, "s",
                            CLIP_DB_FILE_NOTE);
}

static gboolean
is_removed (ClipDbKeeper *self, ClipLedger *ledger)
{
  g_autofree char *noted = get_note (ledger, CLIP_DB_FILE_NOTE);

  return clip_db_file_was_removed (self->path, noted);
}

/* within a transaction: as much as fits one */
static gboolean
wipe (ClipLedger *ledger, GError **error)
{
  gint64 n = 0;
  ClipChangeStep step;

  if (ledger->dir &&
      !(clip_aside_clear (ledger->dir, error) && clip_adopt_clear (ledger->dir, error)))
    return FALSE;
  step = clip_change_wipe (ledger, FALSE, 0, &n, error);
  if (step != CLIP_CHANGE_DONE)
    return step == CLIP_CHANGE_MORE;
  if (ledger->sums.count == 0)
    {
      ledger->sums.last_id = 0;
      ledger->sums.first_loose = 1;
    }
  return forget_folder (ledger, error);
}

/* to whoever reads what the daemon says. A private one says nothing: its standard error
 * is the caller's, who has asked for something else */
static void say (ClipDbKeeper *self, ClipLedger *ledger, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static void
say (ClipDbKeeper *self, ClipLedger *ledger, const char *format, ...)
{
  GLogLevelFlags level = ledger->journals ? G_LOG_LEVEL_INFO : G_LOG_LEVEL_MESSAGE;
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_log (G_LOG_DOMAIN, level, "'%s' %s", self->path, what);
}

static ClipSettled
wipe_if_removed (ClipDbKeeper *self, ClipLedger *ledger)
{
  g_autoptr (GError) error = NULL;

  if (!is_removed (self, ledger))
    return CLIP_SETTLED_NOTHING;
  if (clip_ledger_begin (ledger, &error))
    {
      /* another daemon may have been first */
      if (is_removed (self, ledger) && wipe (ledger, &error) &&
          clip_ledger_commit (ledger, &error))
        {
          say (self, ledger, "was removed: the history is wiped");
          return CLIP_SETTLED_WIPED;
        }
      clip_ledger_abandon (ledger);
    }
  if (error)
    g_warning ("'%s' was removed, and the history is not wiped yet: %s", self->path,
               error->message);
  return CLIP_SETTLED_NOTHING;
}

/* a file, and what was in it */
static char *
describe (int fd)
{
  struct stat status;

  if (fstat (fd, &status) < 0)
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ":%" G_GINT64_FORMAT
                          ":%" G_GINT64_FORMAT ".%09ld",
                          (guint64) status.st_dev, (guint64) status.st_ino,
                          (gint64) status.st_size, (gint64) status.st_mtim.tv_sec,
                          status.st_mtim.tv_nsec);
}

/* whoever had it locked may have been another of our daemons, and have taken it over */
static gboolean
is_still_there (ClipDbKeeper *self, int fd)
{
  struct stat ours, there;

  return fstat (fd, &ours) == 0 && stat (self->path, &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

static gboolean
adopt (ClipLedger *ledger, int fd, const char *description, GError **error)
{
  GArray *events = ledger->events;

  if (!clip_ledger_begin (ledger, error))
    return FALSE;
  if (clip_adopt_entries (ledger, fd, error) &&
      set_note (ledger, NOTE_ADOPTED, description, error) &&
      forget_folder (ledger, error) && clip_ledger_commit (ledger, error))
    {
      if (events->len > ANNOUNCED_ENTRIES)
        g_array_remove_range (events, 0, events->len - ANNOUNCED_ENTRIES);
      return TRUE;
    }
  clip_ledger_abandon (ledger);
  return FALSE;
}

/* @description: of what is locked */
static ClipSettled
adopt_once (ClipDbKeeper *self, ClipLedger *ledger, int fd, const char *description)
{
  g_autofree char *adopted = get_note (ledger, NOTE_ADOPTED);
  g_autoptr (GError) error = NULL;
  gboolean is_new = g_strcmp0 (adopted, description) != 0;
  gboolean adopted_now = is_new && adopt (ledger, fd, description, &error);

  if ((!is_new || adopted_now) && clip_adopt_set_aside (self->path, &error))
    {
      say (self, ledger, "was a database, which was taken over");
      return is_new ? CLIP_SETTLED_ADOPTED : CLIP_SETTLED_NOTHING;
    }
  g_warning ("the database '%s' is left as it is: %s", self->path, error->message);
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CORRUPT))
    self->refused = g_strdup (description);
  else
    self->again_us = g_get_monotonic_time () + PAUSE_US;
  return adopted_now ? CLIP_SETTLED_ADOPTED : CLIP_SETTLED_NOTHING;
}

static ClipSettled
take_over (ClipDbKeeper *self, ClipLedger *ledger, int fd)
{
  g_autofree char *before = describe (fd);
  g_autofree char *description = NULL;
  g_autoptr (GError) error = NULL;

  if (g_strcmp0 (before, self->refused) == 0 || g_get_monotonic_time () < self->again_us)
    return CLIP_SETTLED_NOTHING;
  g_clear_pointer (&self->refused, g_free);
  if (!clip_adopt_lock (fd, LOCK_PATIENCE_US, &error))
    {
      g_warning ("the database '%s' is not taken over: %s", self->path, error->message);
      self->again_us = g_get_monotonic_time () + PAUSE_US;
      return CLIP_SETTLED_NOTHING;
    }
  description = describe (fd);
  if (!description || !is_still_there (self, fd))
    return CLIP_SETTLED_NOTHING;
  return adopt_once (self, ledger, fd, description);
}

/* as we left it: nobody has written to it, or put another one in its place */
static gboolean
is_as_published (ClipDbKeeper *self)
{
  const struct stat *was = &self->published;
  struct stat is;

  return was->st_ino != 0 && lstat (self->path, &is) == 0 && is.st_ino == was->st_ino &&
         is.st_dev == was->st_dev && is.st_size == was->st_size &&
         is.st_ctim.tv_sec == was->st_ctim.tv_sec &&
         is.st_ctim.tv_nsec == was->st_ctim.tv_nsec;
}

/**
 * clip_db_keeper_settle:
 *
 * Before anything is changed, outside of a transaction: wipes the history where its file
 * was removed, takes over the database that stands in the place of the file.
 *
 * Returns: what has changed; that is to be told, and it is to be called again. What fails
 * is tried again with a later change, and fails none
 */
ClipSettled
clip_db_keeper_settle (ClipDbKeeper *self, ClipLedger *ledger)
{
  clip_autofd int fd = -1;
  ClipDbFileKind kind = CLIP_DB_FILE_FOREIGN;

  if (self->path && is_as_published (self))
    return CLIP_SETTLED_NOTHING;
  if (self->path)
    kind = clip_db_file_open (self->path, O_RDONLY, &fd);
  if (kind == CLIP_DB_FILE_ABSENT)
    return wipe_if_removed (self, ledger);
  return kind == CLIP_DB_FILE_BOLT ? take_over (self, ledger, fd) : CLIP_SETTLED_NOTHING;
}

static int
create (ClipDbKeeper *self, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  int fd;

  g_mkdir_with_parents (folder, 0700);
  fd = open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    clip_set_errno (error, errno, "create it");
  return fd;
}

/* -1 without an error where it is not ours to write, or was removed just now */
static int
open_to_write (ClipDbKeeper *self,
               ClipLedger *ledger,
               gboolean *out_is_new,
               GError **error)
{
  clip_autofd int fd = -1;
  ClipDbFileKind kind = clip_db_file_open (self->path, O_RDWR, &fd);

  *out_is_new = kind == CLIP_DB_FILE_ABSENT && !is_removed (self, ledger);
  if (*out_is_new)
    return create (self, error);
  return kind == CLIP_DB_FILE_OURS ? g_steal_fd (&fd) : -1;
}

static gboolean
write_text (ClipDbKeeper *self, ClipLedger *ledger, int fd, GError **error)
{
  const ClipSums *sums = &ledger->sums;
  g_autofree char *text = g_strdup_printf (
      CLIP_DB_FILE_MAGIC "written at every change; to remove it is to wipe the history\n"
                         "history %s\nentries %" G_GINT64_FORMAT
                         "\nlast-id %" G_GINT64_FORMAT "\nchanged-us %" G_GINT64_FORMAT
                         "\n",
      self->dir, sums->count, sums->last_id, g_get_real_time ());
  gsize length = strlen (text);

  struct stat *is = &self->published;

  if (!clip_write_all (fd, text, length, error))
    return FALSE;
  if (fstat (fd, is) == 0 && (gsize) is->st_size == length)
    return TRUE;
  is->st_ino = 0;
  return ftruncate (fd, (off_t) length) == 0 || clip_set_errno (error, errno, "cut it");
}

static gboolean
sync_folder (ClipDbKeeper *self, int fd, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (self->path);
  clip_autofd int folder_fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return (folder_fd >= 0 && fsync (fd) == 0 && fsync (folder_fd) == 0) ||
         clip_set_errno (error, errno, "sync it");
}

/* where the file stands, once it would still stand there after a power cut */
static gboolean
note_folder (ClipDbKeeper *self, ClipLedger *ledger, int fd, GError **error)
{
  g_autofree char *noted = get_note (ledger, CLIP_DB_FILE_NOTE);
  g_autofree char *folder = clip_db_file_folder (self->path);

  if (!folder || g_strcmp0 (noted, folder) == 0)
    return TRUE;
  return sync_folder (self, fd, error) &&
         set_note (ledger, CLIP_DB_FILE_NOTE, folder, error);
}

/**
 * clip_db_keeper_publish:
 *
 * After a change, outside of a transaction: writes the file, made where there is none.
 *
 * Returns: whether it was made
 */
gboolean
clip_db_keeper_publish (ClipDbKeeper *self, ClipLedger *ledger)
{
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;
  gboolean is_new = FALSE;

  if (self->path)
    fd = open_to_write (self, ledger, &is_new, &error);
  if (fd >= 0 && write_text (self, ledger, fd, &error))
    note_folder (self, ledger, fd, &error);
  if (error)
    say (self, ledger, "is not up to date: %s", error->message);
  return is_new && fd >= 0;
}
