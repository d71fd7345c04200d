/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The history as an archive. It is read directly, a part at a time: while one is
 * slow to take a part, no read is open.
 */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-export.h"
#include "clip-fd.h"
#include "clip-file-id.h"
#include "clip-id-arguments.h"
#include "clip-notify.h"
#include "clip-output.h"
#include "clip-ownership.h"
#include "clip-signal-cleanup.h"
#include "clip-terminal.h"
#include "clip-time-point.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- where it goes --- */

/* a file that takes its name when it is whole */
typedef struct
{
  char *path;      /* without symbolic links at its end; NULL = as for temporary */
  char *temporary; /* NULL = written as it stands: standard output, a device, a pipe */
} Target;

/* the handler's: what must not stay when a signal ends us */
static const char *volatile doomed;

static void
unlink_doomed (void)
{
  if (doomed)
    unlink (doomed);
}

static void
target_clear (Target *self)
{
  unlink_doomed ();
  doomed = NULL;
  clip_signal_cleanup_set (NULL);
  g_free (self->temporary);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Target, target_clear)

static gboolean
is_special (const char *path, struct stat *out_status)
{
  return stat (path, out_status) == 0 && !S_ISREG (out_status->st_mode);
}

/* To open a pipe waits for its reader: so whose it is is asked before, and again of what
 * was opened. Returns: a descriptor, or -1 */
static int
open_special (const char *path, struct stat *status, GError **error)
{
  clip_autofd int fd = -1;

  if (!clip_ownership_check_special (status, path, error))
    return -1;
  fd = open (path, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || fstat (fd, status) < 0)
    {
      clip_set_errno (error, errno, _ ("write '%s'"), path);
      return -1;
    }
  return clip_ownership_check_special (status, path, error) ? g_steal_fd (&fd) : -1;
}

/* A symbolic link stays, and what it leads to is what is written; one of another user,
 * put there a moment ago, is not followed, but replaced. Returns: (nullable): %NULL with
 * errno set where it leads nowhere */
static char *
resolve (const char *path)
{
  struct stat status;

  if (lstat (path, &status) == 0 && S_ISLNK (status.st_mode) &&
      clip_ownership_is_trusted (&status))
    return realpath (path, NULL);
  return g_strdup (path);
}

/* @resolved: of @command's history, or in its folder, or below that */
static gboolean
is_of_history (const ClipCommand *command, const char *resolved)
{
  g_autofree char *folder = g_path_get_dirname (resolved);
  char *real = realpath (folder, NULL);
  char *history = realpath (command->store, NULL);
  gsize length = history ? strlen (history) : 0;
  gboolean is_inside = real && history && strncmp (real, history, length) == 0 &&
                       (real[length] == '/' || real[length] == '\0');
  ClipFileId database;

  free (real);
  free (history);
  clip_file_id_take (&database, command->db_path);
  return is_inside || clip_file_id_is_at (&database, resolved);
}

/* the archive would take the place of what it was made from */
static gboolean
check_place (const ClipCommand *command, const char *path, GError **error)
{
  g_autofree char *resolved = resolve (path);

  if (!resolved || !is_of_history (command, resolved))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               _ ("write '%s': that is a file of the history, or in its folder; name "
                  "another place"),
               path);
  clip_command_explain (NULL);
  return FALSE;
}

/* no signal comes between the file and who is to unlink it */
static int
open_temporary (Target *self)
{
  sigset_t all, before;
  int fd;

  if (!self->path)
    return -1;
  self->temporary = g_strconcat (self->path, ".XXXXXX", NULL);
  clip_signal_cleanup_set (unlink_doomed);
  sigfillset (&all);
  pthread_sigmask (SIG_BLOCK, &all, &before);
  fd = g_mkstemp_full (self->temporary, O_WRONLY | O_CLOEXEC, 0600);
  doomed = fd >= 0 ? self->temporary : NULL;
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (fd < 0)
    g_clear_pointer (&self->temporary, g_free);
  return fd;
}

/* Returns: a descriptor, or -1 */
static int
open_file (Target *self, const char *path, GError **error)
{
  int fd;

  self->path = resolve (path);
  fd = open_temporary (self);
  if (fd < 0)
    clip_set_errno (error, errno, _ ("write '%s'"), path);
  return fd;
}

static gboolean
open_target (Target *self, const ClipCommand *command, const char *path, GError **error)
{
  struct stat status;
  clip_autofd int fd = -1;

  /* in a folder like /tmp another user may have made it, to read the history there, or to
     have it written over a file of ours */
  if (!clip_ownership_check_link (path, error) || !check_place (command, path, error))
    return FALSE;
  fd = is_special (path, &status) ? open_special (path, &status, error)
                                  : open_file (self, path, error);
  if (fd < 0)
    return FALSE;
  if (dup2 (fd, STDOUT_FILENO) < 0)
    return clip_set_errno (error, errno, _ ("write '%s'"), path);
  clip_output_set_file (path);
  return TRUE;
}

/* so that a power cut leaves the name, too; a folder that may not be read, or whose file
 * system syncs none, keeps it as well as it can */
static gboolean
sync_folder (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  clip_autofd int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  return fd < 0 || fsync (fd) == 0 || errno == EINVAL;
}

static gboolean
close_target (Target *self, GError **error)
{
  if (!self->temporary)
    return TRUE;
  if (fdatasync (STDOUT_FILENO) < 0 || rename (self->temporary, self->path) < 0)
    return clip_set_errno (error, errno, _ ("write '%s'"), self->path);
  doomed = NULL;
  if (!sync_folder (self->path))
    return clip_set_errno (error, errno, _ ("sync folder of '%s'"), self->path);
  return TRUE;
}

/* --- what goes there --- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a;
  gint64 second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

/* Returns: the exit status */
static int
read_filter (ClipCommand *command, GArray *ids, ClipExportFilter *filter)
{
  const char *since = command->options[CLIP_OPTION_SINCE];

  if (since && !clip_time_point_parse (since, &filter->since_us))
    return clip_command_misuse (
        command, _ ("--since is like 2h, 3d, today, 09:00 or 2025-12-31, not '%s'"),
        since);
  if (!clip_id_arguments_read (command, 1, ids))
    return command->id_status;
  g_array_sort (ids, compare_ids);
  filter->ids = ids->len > 0 ? ids : NULL;
  filter->pinned = clip_command_has (command, CLIP_OPTION_PINNED);
  filter->tag = command->options[CLIP_OPTION_TAG];
  return CLIP_EXIT_DONE;
}

static gboolean
is_whole_history (const ClipExportFilter *filter)
{
  return !filter->ids && !filter->since_us && !filter->pinned && !filter->tag;
}

/* of the contents alone: what is around them is little where it lasts */
static void
expect_total (ClipReader *reader, const ClipExportFilter *filter, ClipProgress *progress)
{
  ClipTotals totals;

  if (progress && is_whole_history (filter) && clip_reader_totals (reader, &totals, NULL))
    clip_progress_expect (progress, (guint64) totals.bytes);
}

static gboolean
write_part (const ClipExport *archive,
            const ClipPart *part,
            ClipProgress *progress,
            GError **error)
{
  ClipPayload file = { .fd = part->fd, .size = part->size };

  if (!clip_output_write (part->data, part->length, error))
    return FALSE;
  clip_progress_note (progress, (guint64) clip_export_gathered (archive));
  clip_progress_end_part (progress);
  return part->fd < 0 || clip_output_payload (&file, TRUE, progress, error);
}

static gboolean
write_all (ClipReader *reader,
           ClipExport *archive,
           const ClipExportFilter *filter,
           GError **error)
{
  g_autoptr (ClipProgress) progress = clip_output_progress ();
  gboolean more = TRUE;

  expect_total (reader, filter, progress);
  while (more)
    {
      g_auto (ClipPart) part = { .fd = -1 };

      if (!clip_export_next (archive, reader, &part, &more, error) ||
          (more && !write_part (archive, &part, progress, error)))
        return FALSE;
    }
  return TRUE;
}

/* Returns: the exit status; what is missing was not exported, and that is no success */
static int
tell_left_out (const ClipExport *archive)
{
  const GArray *ids = clip_export_left_out (archive);

  for (guint i = 0; i < ids->len; i++)
    clip_command_say (
        _ ("entry %lu is damaged and was left out; “cliphist doctor” says more"),
        (gulong) g_array_index (ids, gint64, i));
  clip_command_explain (_ ("Not every entry was exported"));
  return ids->len > 0 ? CLIP_EXIT_FAILED : CLIP_EXIT_DONE;
}

/* a tag that was misspelt, say, leaves an archive without entries */
static void
tell_count (const ClipCommand *command, gulong n, const char *path)
{
  g_autofree char *words = g_strdup_printf (
      P_ ("%lu entry was written to '%s'", "%lu entries were written to '%s'", n), n,
      path);

  clip_command_tell ("%s", words);
  if (n == 0)
    clip_notify (command, _ ("Clipboard history"), words);
}

static int
export_to (const ClipCommand *command, const char *path, const ClipExportFilter *filter)
{
  g_auto (Target) target = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  g_autoptr (ClipExport) archive = clip_export_new (filter, g_get_real_time ());

  if (!reader ||
      (filter->ids && !clip_id_arguments_are_there (reader, filter->ids, &error)) ||
      (path && !open_target (&target, command, path, &error)) ||
      !write_all (reader, archive, filter, &error) || !close_target (&target, &error))
    return clip_command_fail (error);
  if (path)
    tell_count (command, clip_export_count (archive), path);
  return tell_left_out (archive);
}

int
clip_cmd_export (ClipCommand *command)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  const char *path = clip_command_word (command, 0);
  ClipExportFilter filter = { 0 };
  int status = read_filter (command, ids, &filter);

  if (status != CLIP_EXIT_DONE)
    return status;
  if (path && *path == '\0')
    return clip_command_misuse (command, _ ("the name of FILE is empty"));
  if (path && g_str_equal (path, "-"))
    path = NULL;
  if (!path && clip_output_is_terminal ())
    return clip_command_misuse (
        command, _ ("standard output is a terminal: give a FILE, or send it elsewhere"));
  /* a key has neither; who reads a history to see that it is whole has a terminal */
  if (!path && clip_terminal_is_null (STDIN_FILENO) &&
      clip_terminal_is_null (STDOUT_FILENO))
    return clip_command_misuse (command, _ ("%s is missing"), "FILE");
  return export_to (command, path, &filter);
}
