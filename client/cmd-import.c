/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An archive into the history. It is not read here: the daemon gets the descriptor. */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-remote.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdio.h>

typedef struct
{
  guint64 n_added;
  guint64 n_known;
  guint64 n_skipped;
} Outcome;

static gboolean
call_import (ClipRemote *remote, int fd, Outcome *outcome, GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  int handle = g_unix_fd_list_append (fds, fd, error);
  g_autoptr (ClipProgress) progress = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) details = NULL;

  if (handle < 0)
    return FALSE;
  progress = clip_progress_new ();
  clip_remote_show (remote, progress);
  reply = clip_remote_call (remote, "Import", g_variant_new ("(h)", handle), "(ta{sv})",
                            fds, error);
  clip_remote_show (remote, NULL);
  if (!reply)
    return FALSE;
  g_variant_get_child (reply, 0, "t", &outcome->n_added);
  details = g_variant_get_child_value (reply, 1);
  g_variant_lookup (details, "known", "t", &outcome->n_known);
  g_variant_lookup (details, "skipped", "t", &outcome->n_skipped);
  return TRUE;
}

/* on standard error, as it is no data */
static void
tell (const Outcome *outcome)
{
  gulong n_added = (gulong) outcome->n_added;
  gulong n_known = (gulong) outcome->n_known;
  gulong n_skipped = (gulong) outcome->n_skipped;

  g_printerr (ngettext ("%lu entry was added\n", "%lu entries were added\n", n_added),
              n_added);
  if (n_known > 0)
    g_printerr (ngettext ("%lu entry was there already\n",
                          "%lu entries were there already\n", n_known),
                n_known);
  if (n_skipped > 0)
    g_printerr (ngettext ("%lu entry was left out: secret, expired or empty\n",
                          "%lu entries were left out: secret, expired or empty\n",
                          n_skipped),
                n_skipped);
}

static int
print_json (const Outcome *outcome)
{
  return printf ("{\"added\":%" G_GUINT64_FORMAT ",\"known\":%" G_GUINT64_FORMAT
                 ",\"skipped\":%" G_GUINT64_FORMAT "}\n",
                 outcome->n_added, outcome->n_known, outcome->n_skipped) < 0 ||
                 fflush (stdout)
             ? CLIP_EXIT_FAILED
             : CLIP_EXIT_DONE;
}

static int
import_from (ClipCommand *command, int fd)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  Outcome outcome = { 0 };

  if (!call_import (remote, fd, &outcome, &error))
    return clip_command_fail (error);
  if (clip_command_has (command, CLIP_OPTION_JSON))
    return print_json (&outcome);
  tell (&outcome);
  return CLIP_EXIT_DONE;
}

int
clip_cmd_import (ClipCommand *command)
{
  const char *path = clip_command_word (command, 0);
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;

  if (!path || g_str_equal (path, "-"))
    {
      if (isatty (STDIN_FILENO))
        return clip_command_misuse (command, "standard input is a terminal: give a FILE");
      return import_from (command, STDIN_FILENO);
    }
  fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd >= 0)
    return import_from (command, fd);
  clip_set_errno (&error, errno, "open '%s'", path);
  return clip_command_fail (error);
}
