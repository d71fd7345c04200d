/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Standard input into the history. It is not read here: the daemon gets the descriptor,
 * and the kernel moves the bytes from it.
 */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-remote.h"

#include <unistd.h>

/* @out_dropped: why nothing is kept of it; "" for that there was nothing */
static gboolean
call_store (ClipRemote *remote, const char *mime, char **out_dropped, GError **error)
{
  gboolean is_empty = FALSE;

  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  int handle = g_unix_fd_list_append (fds, STDIN_FILENO, error);
  g_autoptr (ClipProgress) progress = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) details = NULL;
  GVariantBuilder contents;

  if (handle < 0)
    {
      g_prefix_error (error, "read stdin: ");
      return FALSE;
    }
  if (g_file_test ("/dev/stdin", G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "read stdin: read /dev/stdin: is a directory");
      return FALSE;
    }
  /* not over what is being typed */
  if (!isatty (STDIN_FILENO))
    progress = clip_progress_new ();
  clip_remote_show (remote, progress);
  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", mime, handle);
  reply = clip_remote_call (remote, "Store", g_variant_new ("(a(sh))", &contents),
                            "(ta{sv})", fds, error);
  clip_remote_show (remote, NULL);
  if (!reply)
    return FALSE;
  details = g_variant_get_child_value (reply, 1);
  g_variant_lookup (details, "empty", "b", &is_empty);
  if (is_empty)
    *out_dropped = g_strdup ("");
  else
    g_variant_lookup (details, "dropped", "s", out_dropped);
  return TRUE;
}

/* what is dropped on purpose (a secret, a blank, something too large) is no failure */
static int
store_stdin (ClipRemote *remote, const char *mime)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  return call_store (remote, mime, &dropped, &error) ? CLIP_EXIT_DONE
                                                     : clip_command_fail (error);
}

static gboolean
is_sensitive (void)
{
  return g_strcmp0 (g_getenv ("CLIPBOARD_STATE"), "sensitive") == 0;
}

/* wl-paste says in CLIPBOARD_STATE what kind of a change it was, in CLIPBOARD_TYPE what
 * it sends; a type that is none leaves it to the daemon to look at the bytes */
int
clip_cmd_store (ClipCommand *command)
{
  const char *state = g_getenv ("CLIPBOARD_STATE");
  const char *mime = g_getenv ("CLIPBOARD_TYPE");
  g_autoptr (ClipRemote) remote = NULL;

  if (is_sensitive ())
    return CLIP_EXIT_DONE;
  remote = clip_remote_new (command);
  if (g_strcmp0 (state, "clear") != 0)
    return store_stdin (remote, mime && clip_mime_is_valid (mime) ? mime : "");
  clip_remote_set_option (remote, "newest", g_variant_new_boolean (TRUE));
  return clip_remote_run (remote, "Delete", g_variant_new ("(at)", NULL), "(u)");
}

static int
fail_to_copy (const char *reason)
{
  g_autoptr (GError) error =
      g_error_new (CLIP_ERROR, CLIP_ERROR_FAILED,
                   "copy: nothing was put on the clipboard: %s", reason);

  return clip_command_fail (error);
}

/* an empty input selects nothing: who cancels a picker keeps the clipboard */
static int
copy_stdin (ClipCommand *command)
{
  const char *mime = command->options[CLIP_OPTION_TYPE];
  g_autoptr (ClipRemote) remote = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  if (mime && !clip_mime_is_valid (mime))
    return clip_command_misuse (command, "'%s' is not a MIME type", mime);
  if (is_sensitive ())
    return fail_to_copy ("sensitive");
  remote = clip_remote_new (command);
  clip_remote_set_option (remote, "select", g_variant_new_boolean (TRUE));
  if (!call_store (remote, mime ?: "", &dropped, &error))
    return clip_command_fail (error);
  if (!dropped || *dropped == '\0')
    return CLIP_EXIT_DONE;
  return fail_to_copy (dropped);
}

int
clip_cmd_copy (ClipCommand *command)
{
  g_autoptr (ClipRemote) remote = NULL;
  gint64 id;

  if (command->words->len == 0)
    return copy_stdin (command);
  if (!clip_command_id (command, 0, &id))
    return CLIP_EXIT_MISUSED;
  if (clip_command_has (command, CLIP_OPTION_TYPE))
    return clip_command_misuse (command, "--type is for what comes on standard input");
  remote = clip_remote_new (command);
  return clip_remote_run (remote, "Select", g_variant_new ("(t)", (guint64) id), "()");
}
