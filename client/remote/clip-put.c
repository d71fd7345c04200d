/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A descriptor into the history. It is not read here, but for a terminal: the daemon gets
 * it, and the kernel moves the bytes from it. */
#include "clip-put.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-secrecy.h"
#include "clip-standard-input.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* @out_dropped: stays where something is kept */
static void
read_details (GVariant *reply, gboolean *out_replaced, char **out_dropped)
{
  g_autoptr (GVariant) details = g_variant_get_child_value (reply, 1);
  gboolean is_empty = FALSE;

  if (out_replaced && !g_variant_lookup (details, "replaced", "b", out_replaced))
    *out_replaced = FALSE;
  g_variant_lookup (details, "empty", "b", &is_empty);
  if (is_empty)
    *out_dropped = g_strdup ("");
  else
    g_variant_lookup (details, "dropped", "s", out_dropped);
}

/* the daemon reads a file by offset. Who shares the descriptor finds it read, as any
 * program would have left it: `{ cliphist store; cat; } <file` prints nothing */
static void
leave_at_end (int fd, const char *dropped)
{
  if (!dropped || *dropped == '\0' || strcmp (dropped, "blank") == 0)
    lseek (fd, 0, SEEK_END);
}

/**
 * clip_put:
 * @fd: to be read to its end; stays open, and a file that is stored stands at its end
 * then
 * @mime: of what comes from it; "" is found out from the bytes
 * @out_id: (out) (optional): of the entry; 0 where nothing is kept
 * @out_replaced: (out) (optional): whether the entry that it was to replace was there
 * @out_dropped: (out) (nullable): why nothing is kept of it; "" for that there was
 * nothing
 *
 * Errors: as clip_remote_call().
 */
gboolean
clip_put (ClipRemote *remote,
          int fd,
          const char *mime,
          guint64 *out_id,
          gboolean *out_replaced,
          char **out_dropped,
          GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  int handle = g_unix_fd_list_append (fds, fd, error);
  g_autoptr (ClipProgress) progress = clip_progress_new ();
  g_autoptr (GVariant) reply = NULL;
  GVariantBuilder contents;

  *out_dropped = NULL;
  if (handle < 0)
    return FALSE;
  clip_remote_show (remote, progress);
  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", mime, handle);
  reply = clip_remote_call (remote, "Store", g_variant_new ("(a(sh))", &contents),
                            "(ta{sv})", fds, error);
  clip_remote_show (remote, NULL);
  if (!reply)
    return FALSE;
  if (out_id)
    g_variant_get_child (reply, 0, "t", out_id);
  read_details (reply, out_replaced, out_dropped);
  leave_at_end (fd, *out_dropped);
  return TRUE;
}

/* the daemon takes no terminal: its programs could hold it up */
static gboolean
put_typed (ClipRemote *remote, const char *mime, char **out_dropped, GError **error)
{
  clip_autofd int fd = memfd_create ("typed", MFD_CLOEXEC);
  char line[4096];
  gssize n = -1;

  while (fd >= 0 && (n = clip_standard_input_read (line, sizeof line)) > 0)
    if (!clip_write_all (fd, line, (gsize) n, error))
      return FALSE;
  if (n < 0)
    return clip_set_errno (error, errno, "read stdin");
  lseek (fd, 0, SEEK_SET);
  return clip_put (remote, fd, mime, NULL, NULL, out_dropped, error);
}

/* standard input; as clip_put() */
gboolean
clip_put_stdin (ClipRemote *remote, const char *mime, char **out_dropped, GError **error)
{
  if (g_file_test ("/dev/stdin", G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "read stdin: read /dev/stdin: is a directory");
      return FALSE;
    }
  if (clip_terminal_is_watched (STDIN_FILENO))
    clip_command_tell (_ ("Type a text, and end it with Ctrl+D on a line of its own."));
  if (isatty (STDIN_FILENO))
    return put_typed (remote, mime, out_dropped, error);
  return clip_put (remote, STDIN_FILENO, mime, NULL, NULL, out_dropped, error);
}

/* whether standard input is one, as wl-paste says, or the name of what it sends; however
 * they are garbled */
gboolean
clip_put_is_secret (void)
{
  const char *mime = g_getenv ("CLIPBOARD_TYPE");
  const char *state = g_getenv ("CLIPBOARD_STATE");
  g_autofree char *lower = g_ascii_strdown (state ?: "", -1);

  return strstr (lower, "sensitive") ||
         (mime && clip_secrecy_of_name (mime) == CLIP_SECRECY_SECRET);
}
