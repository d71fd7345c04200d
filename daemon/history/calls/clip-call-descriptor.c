/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-call-descriptor.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* a pipe, a file, a socket, a terminal; and /dev/null and its like. Of other things a
 * read may wait for ever in spite of poll(2). */
static gboolean
is_known_kind (int fd, const ClipFdLook *look)
{
  return clip_fd_is_file (look) || S_ISFIFO (look->mode) || S_ISSOCK (look->mode) ||
         (S_ISCHR (look->mode) && (look->major == CLIP_FD_MEM_MAJOR || isatty (fd)));
}

/* what no byte can be read from, or written to, is the caller's mistake: say so before
 * anything moves */
static gboolean
check_descriptor (int fd, int unwanted_mode, const char *what, GError **error)
{
  ClipFdLook look;
  int flags = fcntl (fd, F_GETFL);

  if (flags < 0 || (flags & O_PATH) || (flags & O_ACCMODE) == unwanted_mode ||
      !clip_fd_look (fd, &look) || !is_known_kind (fd, &look))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "the descriptor cannot be %s", what);
      return FALSE;
    }
  return TRUE;
}

/* whether bytes can be read from it. Errors: %CLIP_ERROR_INVALID_ARGUMENT. */
gboolean
clip_call_check_source (int fd, GError **error)
{
  return check_descriptor (fd, O_WRONLY, "read", error);
}

/* whether bytes can be written to it. Errors: %CLIP_ERROR_INVALID_ARGUMENT. */
gboolean
clip_call_check_sink (int fd, GError **error)
{
  return check_descriptor (fd, O_RDONLY, "written", error);
}
