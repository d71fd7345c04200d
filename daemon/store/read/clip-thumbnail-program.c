/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An image, decoded by a process of its own, `cliphist-thumbnail`: what a hostile one can
 * do is end that, and then it was an error like any other.
 */
#include "clip-thumbnail-program.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static GPid
spawn (ClipThumbnailForm form, guint pixels, int in_fd, int out_fd, GError **error)
{
  g_autofree char *program = clip_libexec_find ("cliphist-thumbnail");
  g_autofree char *most = g_strdup_printf ("%u", pixels);
  g_autofree char *parent = g_strdup_printf ("%d", (int) getpid ());
  const char *argv[] = { program, form == CLIP_THUMBNAIL_PNG ? "png" : "pam", most,
                         parent, NULL };
  const char *const nothing[] = { NULL };
  GPid pid;

  if (g_spawn_async_with_pipes_and_fds (
          NULL, argv, nothing, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL,
          NULL, NULL, in_fd, out_fd, -1, NULL, NULL, 0, &pid, NULL, NULL, NULL, error))
    return pid;
  return 0;
}

/**
 * clip_thumbnail_program_start:
 * @payload: an image of whatever format; a descriptor of it is read from where it stands
 * @pixels: no side of the result is longer
 * @out_fd: where the result is written to; may be incomplete where
 * clip_thumbnail_program_finish() fails
 *
 * Returns: what clip_thumbnail_program_finish() has to be called with; 0 on failure
 *
 * It has nothing of our environment, and ends with the calling thread, which is to wait
 * for it.
 *
 * Errors: %G_SPAWN_ERROR, %G_FILE_ERROR.
 */
GPid
clip_thumbnail_program_start (const ClipPayload *payload,
                              ClipThumbnailForm form,
                              guint pixels,
                              int out_fd,
                              GError **error)
{
  clip_autofd int memory = payload->bytes ? clip_memfd (payload->bytes, error) : -1;
  int in_fd = payload->bytes ? memory : payload->fd;

  return in_fd >= 0 ? spawn (form, pixels, in_fd, out_fd, error) : 0;
}

/**
 * clip_thumbnail_program_finish:
 *
 * Waits until it is done, which it is within half a minute.
 *
 * Errors: %CLIP_ERROR_CORRUPT where the image cannot be decoded, %CLIP_ERROR_LIMITS where
 * that takes more than it may, %G_FILE_ERROR.
 */
gboolean
clip_thumbnail_program_finish (GPid pid, GError **error)
{
  int status;
  pid_t ended;

  do
    ended = waitpid (pid, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended < 0)
    return clip_set_errno (error, errno, "wait for the image");
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  if (WIFEXITED (status))
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                         "the image cannot be decoded");
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS,
                 "the image takes more than it may to be decoded (signal %d)",
                 WTERMSIG (status));
  return FALSE;
}
