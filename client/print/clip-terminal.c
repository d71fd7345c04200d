/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-terminal.h"

#include "clip-display-name.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns: whether systemd runs services of this user: it starts again what crashes, and
   what does not run there was stopped */
gboolean
clip_has_user_manager (void)
{
  g_autofree char *path =
      g_build_filename (g_get_user_runtime_dir (), "systemd", "private", NULL);

  return access (path, F_OK) == 0;
}

/* tty1, from which a desktop was started that covers it since */
static gboolean
is_console (const char *name)
{
  return g_str_has_prefix (name, "/dev/tty") &&
         g_ascii_isdigit (name[strlen ("/dev/tty")]);
}

/**
 * clip_terminal_is_watched:
 *
 * What a key starts inherits the terminal that its compositor was started from, which
 * is not seen: it is in another session then, or a console below a desktop.
 *
 * Returns: whether @fd is a terminal, and what is written there is seen
 */
gboolean
clip_terminal_is_watched (int fd)
{
  char name[64];

  if (!isatty (fd) || tcgetpgrp (fd) != getpgrp ())
    return FALSE;
  return ttyname_r (fd, name, sizeof name) != 0 || !is_console (name) ||
         !clip_has_display ();
}

/**
 * clip_terminal_is_own:
 *
 * A key may open a terminal that runs a verb: it closes with the verb, and nothing that
 * was written there last is read.
 *
 * Returns: whether @fd is a terminal on this display that was opened for this process
 */
gboolean
clip_terminal_is_own (int fd)
{
  return getsid (0) == getpid () && clip_has_display () && clip_terminal_is_watched (fd);
}

/* Returns: whether @fd is /dev/null, as what a key starts often has it */
gboolean
clip_terminal_is_null (int fd)
{
  struct stat given, null;

  return fstat (fd, &given) == 0 && stat ("/dev/null", &null) == 0 &&
         S_ISCHR (given.st_mode) && given.st_rdev == null.st_rdev;
}
