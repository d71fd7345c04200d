/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Other programs' histories have the newest entry first, and some are databases: neither
 * can be read as it comes. */
#include "clip-spool.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-private-folder.h"
#include "clip-progress.h"
#include "clip-pump.h"
#include "clip-signal-cleanup.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* who writes may take as long as he likes: he is the user's */
#define NO_DEADLINE 0

struct ClipSpool
{
  ClipPrivateFolder *folder;
  char *path;
};

/* the handler's: what must not stay when a signal ends us */
static const char *volatile doomed_file;
static const char *volatile doomed_folder;

static void
remove_doomed (void)
{
  if (doomed_file)
    unlink (doomed_file);
  if (doomed_folder)
    rmdir (doomed_folder);
}

static void
on_progress (goffset moved, gpointer user_data)
{
  clip_progress_note (user_data, (guint64) moved);
}

static gboolean
fill (ClipSpool *self, GError **error)
{
  clip_autofd int fd = open (self->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  g_autoptr (ClipProgress) progress = clip_progress_new ();
  g_autoptr (ClipPump) pump = NULL;

  if (fd < 0)
    return clip_set_errno (error, errno, _ ("write '%s'"), self->path);
  clip_progress_ring (progress);
  pump = clip_pump_new (STDIN_FILENO, fd, CLIP_TO_END, 0);
  clip_pump_set_progress (pump, on_progress, progress);
  return clip_pump_run (pump, NO_DEADLINE, error);
}

/**
 * clip_spool_new:
 *
 * Reads standard input to its end.
 *
 * Returns: (transfer full)
 *
 * Errors: %G_FILE_ERROR, %CLIP_ERROR_NO_SPACE.
 */
ClipSpool *
clip_spool_new (GError **error)
{
  g_autoptr (ClipSpool) self = g_new0 (ClipSpool, 1);

  self->folder = clip_private_folder_new (error);
  if (!self->folder)
    return NULL;
  self->path =
      g_build_filename (clip_private_folder_path (self->folder), "history", NULL);
  doomed_file = self->path;
  doomed_folder = clip_private_folder_path (self->folder);
  clip_signal_cleanup_set (remove_doomed);
  return fill (self, error) ? g_steal_pointer (&self) : NULL;
}

void
clip_spool_free (ClipSpool *self)
{
  if (!self)
    return;
  clip_signal_cleanup_set (NULL);
  doomed_file = NULL;
  doomed_folder = NULL;
  clip_private_folder_free (self->folder);
  g_free (self->path);
  g_free (self);
}

const char *
clip_spool_path (const ClipSpool *self)
{
  return self->path;
}
