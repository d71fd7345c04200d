/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The daemon's way: a thread, a main context, deadlines and all.
 *   transfer-run FILE         the file into the pipe at stdout
 *   transfer-run --into FILE  the pipe at stdin into a new file, then fdatasync
 */
#include "clip-transfer.h"

#include "clip-pump.h"

#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void
on_done (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (clip_transfers_finish (result, NULL, &error) < 0)
    errx (1, "%s", error->message);
  g_main_loop_quit (user_data);
}

static void
run_job (ClipTransferJob *job, gboolean into)
{
  g_autoptr (ClipTransfers) transfers = clip_transfers_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);

  if (into)
    clip_transfers_capture_async (transfers, job, NULL, on_done, loop);
  else
    clip_transfers_serve_async (transfers, job, NULL, on_done, loop);
  g_main_loop_run (loop);
}

int
main (int argc, char *argv[])
{
  gboolean into = argc == 3 && strcmp (argv[1], "--into") == 0;
  ClipTransferJob job = { .size = CLIP_TO_END };
  int fd;

  if (argc != 2 && !into)
    errx (2, "usage: transfer-run [--into] FILE");
  fd = into ? open (argv[2], O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
            : open (argv[1], O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    err (1, "open %s", argv[argc - 1]);
  job.source_fd = into ? STDIN_FILENO : fcntl (fd, F_DUPFD_CLOEXEC, 0);
  job.sink_fd = into ? fcntl (fd, F_DUPFD_CLOEXEC, 0) : STDOUT_FILENO;
  if (!into)
    job.size = lseek (fd, 0, SEEK_END);
  lseek (fd, 0, SEEK_SET);
  run_job (&job, into);
  if (into && fdatasync (fd) < 0)
    err (1, "fdatasync");
  return 0;
}
