/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Taking over the database of the existing tool: all of it or nothing, in one
 * transaction, and the file is kept under another name. It says nothing of when an entry
 * was copied; not later than the file was changed.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-adopt.h"

#include "clip-bolt.h"
#include "clip-change-steps.h"
#include "clip-db-file.h"
#include "clip-detect.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-reserve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES (256 * 1024)
/* a large clip takes the existing tool seconds */
#define LOCK_PATIENCE_US (5 * G_USEC_PER_SEC)

static gboolean
copy_bytes (int fd, const ClipBoltEntry *entry, ClipStage *stage, GError **error)
{
  gsize piece = MIN (entry->size, PIECE_BYTES);
  g_autofree char *buffer = g_malloc (piece);
  gsize done = 0;

  if (entry->size > CLIP_INLINE_BYTES && clip_stage_spill (stage, error) < 0)
    return FALSE;
  while (done < entry->size)
    {
      gsize n = MIN (entry->size - done, piece);

      if (!clip_read_exactly (fd, buffer, n, entry->offset + (goffset) done, error) ||
          !clip_write_all (clip_stage_fd (stage), buffer, n, error))
        return FALSE;
      done += n;
      clip_stage_advance (stage, (goffset) done);
    }
  return TRUE;
}

static ClipDraft *
make_draft (ClipBlobs *blobs,
            int fd,
            const ClipBoltEntry *entry,
            gint64 copied_us,
            GError **error)
{
  g_autoptr (ClipDraft) draft = clip_draft_new ("");
  g_autoptr (ClipStage) stage = clip_stage_new (blobs, error);
  g_autoptr (GBytes) head = NULL;
  const void *data;
  gsize length;

  if (stage && copy_bytes (fd, entry, stage, error))
    head = clip_stage_head (stage, CLIP_HEAD_BYTES, error);
  if (!head)
    return NULL;
  data = g_bytes_get_data (head, &length);
  clip_draft_set_times (draft, copied_us, copied_us);
  clip_draft_add (draft, clip_detect_mime (data, length, length == entry->size), stage,
                  (gint64) entry->size);
  clip_draft_set_guessed (draft);
  return g_steal_pointer (&draft);
}

static gboolean
adopt (ClipTransaction *transaction,
       int fd,
       const ClipBoltEntry *entry,
       gint64 copied_us,
       GError **error)
{
  g_autoptr (ClipDraft) draft =
      make_draft (clip_transaction_blobs (transaction), fd, entry, copied_us, error);
  ClipChangeStep step = draft ? CLIP_CHANGE_AGAIN : CLIP_CHANGE_FAILED;

  while (step == CLIP_CHANGE_AGAIN)
    step = clip_draft_prepare (draft, error) ? clip_step_copy (transaction, draft, error)
                                             : CLIP_CHANGE_FAILED;
  return step == CLIP_CHANGE_DONE;
}

/* into an empty history they keep their ids, unless one is too large for it; an id that
 * is to be given next is one above the last */
static gboolean
adopt_all (ClipTransaction *transaction,
           ClipBolt *bolt,
           int fd,
           gint64 copied_us,
           GError **error)
{
  gint64 last_id = clip_transaction_totals (transaction)->last_id;
  gboolean keeps_ids = clip_transaction_totals (transaction)->count == 0 &&
                       clip_bolt_last_id (bolt) <= CLIP_MAX_KEPT_ID;
  g_autoptr (GError) local = NULL;
  ClipBoltEntry entry;

  while (clip_bolt_next (bolt, &entry, &local))
    {
      if (entry.size == 0)
        continue;
      if (keeps_ids && entry.id <= CLIP_MAX_KEPT_ID)
        clip_transaction_totals (transaction)->last_id = entry.id - 1;
      if (!adopt (transaction, fd, &entry, copied_us, error))
        return FALSE;
    }
  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (keeps_ids)
    clip_transaction_totals (transaction)->last_id =
        MAX (last_id, MIN (clip_bolt_last_id (bolt), CLIP_MAX_KEPT_ID));
  return TRUE;
}

/* oldest first, whatever the limits */
static gboolean
adopt_entries (ClipTransaction *transaction, int fd, GError **error)
{
  g_autoptr (ClipBolt) bolt = clip_bolt_open (fd, error);
  struct stat status;
  gint64 copied_us;

  if (!bolt || fstat (fd, &status) < 0)
    return bolt && clip_set_errno (error, errno, "look at it");
  /* a clock that was wrong is to make no entry that outlives its age */
  copied_us = MIN (status.st_mtim.tv_sec * G_USEC_PER_SEC, g_get_real_time ());
  if (!clip_transaction_begin (transaction, error))
    return FALSE;
  if (clip_reserve_keep (clip_transaction_dir (transaction), error) &&
      adopt_all (transaction, bolt, fd, copied_us, error) &&
      clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_NOTE, error,
                           "s", CLIP_DB_FILE_NOTE) &&
      clip_transaction_commit (transaction, error))
    return TRUE;
  clip_transaction_abandon (transaction);
  return FALSE;
}

/* whoever had it locked may have been another of our daemons, and have taken it over */
static gboolean
is_still_there (const char *path, int fd)
{
  struct stat ours, there;

  return fstat (fd, &ours) == 0 && stat (path, &there) == 0 &&
         ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

/* none is ever overwritten; NFS and some others cannot rename so, but link(2) */
static gboolean
rename_it (const char *path, GError **error)
{
  for (guint n = 0; n < CLIP_DB_FILE_MOST_KEPT; n++)
    {
      g_autofree char *name = clip_db_file_kept_name (path, n);

      if (renameat2 (AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE) == 0 ||
          ((errno == EINVAL || errno == ENOSYS) && link (path, name) == 0 &&
           unlink (path) == 0))
        return clip_db_file_sync_folder (path, error);
      if (errno != EEXIST)
        return clip_set_errno (error, errno, "rename it to '%s'", name);
    }
  return clip_set_errno (error, EEXIST, "rename it");
}

/* else it would be taken over again and again */
static gboolean
can_rename (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return faccessat (AT_FDCWD, folder, W_OK, AT_EACCESS) == 0 ||
         clip_set_errno (error, errno, "rename it");
}

/**
 * clip_adopt:
 * @path: of the database of the existing tool
 * @fd: of the same
 * @out_adopted: whether entries were added; also where it could not be renamed then
 *
 * Outside of a transaction: adds every entry, and gives the file the name `PATH.sentriz`,
 * or one with a number. Who is killed between the two does it again, and finds the
 * entries there. One that another daemon took over just now is left alone.
 *
 * Errors: %CLIP_ERROR_STALLED, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR,
 * %CLIP_ERROR_FAILED; it is left as it is.
 */
gboolean
clip_adopt (ClipTransaction *transaction,
            const char *path,
            int fd,
            gboolean *out_adopted,
            GError **error)
{
  *out_adopted = FALSE;
  if (!clip_fd_lock (fd, TRUE, LOCK_PATIENCE_US, error))
    return FALSE;
  if (!is_still_there (path, fd))
    return TRUE;
  if (!can_rename (path, error) || !adopt_entries (transaction, fd, error))
    return FALSE;
  *out_adopted = TRUE;
  return rename_it (path, error);
}

/**
 * clip_adopt_clear:
 * @dir: of the history
 *
 * Removes the databases that were taken over for it: who wipes the history means what
 * they hold, too.
 *
 * Errors: %G_FILE_ERROR.
 */
gboolean
clip_adopt_clear (const char *dir, GError **error)
{
  g_autofree char *path = clip_paths_db_file (dir);
  g_autoptr (GPtrArray) kept = path ? clip_db_file_list_kept (path) : NULL;

  for (guint i = 0; kept && i < kept->len; i++)
    if (unlink (g_ptr_array_index (kept, i)) < 0 && errno != ENOENT)
      return clip_set_errno (error, errno, "remove '%s'",
                             (const char *) g_ptr_array_index (kept, i));
  return !kept || kept->len == 0 || clip_db_file_sync_folder (path, error);
}
