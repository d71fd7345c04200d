/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One program decodes an image behind a filter, another one draws its pixels: neither of
 * them is this one. */
#include "clip-terminal-image.h"

#include "clip-fd.h"
#include "clip-libexec.h"
#include "clip-thumbnail-program.h"

#include <errno.h>
#include <sys/wait.h>

/* of a side: more than a terminal shows */
#define MOST_PIXELS 1000

static GPid
start_drawing (int in_fd, const char *pane)
{
  g_autofree char *program = clip_libexec_find ("cliphist-draw");
  const char *argv[] = { program, pane, NULL };
  GPid pid;

  if (g_spawn_async_with_pipes_and_fds (
          NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
          NULL, in_fd, -1, -1, NULL, NULL, 0, &pid, NULL, NULL, NULL, NULL))
    return pid;
  return 0;
}

static gboolean
await (GPid pid)
{
  int status;
  pid_t ended;

  do
    ended = waitpid (pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == pid && WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

/**
 * clip_terminal_image_show:
 * @payload: an image
 * @pane: (nullable): `80x24`, where standard output leads to a pane of that size that a
 * program shows; %NULL where it is a terminal
 *
 * Draws it there.
 *
 * Returns: whether it is there; it is not where this was built without a library that
 * draws, or the image cannot be decoded
 */
gboolean
clip_terminal_image_show (const ClipPayload *payload, const char *pane)
{
  clip_autofd int reader = -1;
  clip_autofd int writer = -1;
  int fds[2];
  GPid drawing, picture;
  gboolean decoded, drawn;

  if (!clip_pipe (fds, NULL))
    return FALSE;
  reader = fds[0];
  writer = fds[1];
  drawing = start_drawing (reader, pane);
  clip_fd_clear (&reader);
  if (!drawing)
    return FALSE;
  picture = clip_thumbnail_program_start (payload, CLIP_THUMBNAIL_PAM, MOST_PIXELS,
                                          writer, NULL);
  clip_fd_clear (&writer);
  decoded = picture && clip_thumbnail_program_finish (picture, NULL);
  drawn = await (drawing);
  return decoded && drawn;
}
