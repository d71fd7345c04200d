/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-call-descriptor.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <fcntl.h>

/* what no byte can be read from, or written to, is the caller's mistake: say so before
 * anything moves */
static gboolean
check_descriptor (int fd, int unwanted_mode, const char *what, GError **error)
{
  ClipFdLook look;
  int flags = fcntl (fd, F_GETFL);

  if (flags < 0 || (flags & O_PATH) || (flags & O_ACCMODE) == unwanted_mode ||
      !clip_fd_look (fd, &look) || !clip_fd_is_known (&look))
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
