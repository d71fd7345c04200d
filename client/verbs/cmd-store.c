/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Standard input into the history. */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-put.h"
#include "clip-secrecy.h"
#include "clip-select.h"
#include "clip-words.h"

#include <string.h>
#include <unistd.h>

/* @out_dropped: as clip_put() */
static gboolean
put_stdin (ClipRemote *remote, const char *mime, char **out_dropped, GError **error)
{
  if (g_file_test ("/dev/stdin", G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "read stdin: read /dev/stdin: is a directory");
      return FALSE;
    }
  return clip_put (remote, STDIN_FILENO, mime, NULL, out_dropped, error);
}

/* what is dropped on purpose (a secret, a blank, something too large) is no failure, and
 * some of it is said */
static int
store_stdin (ClipRemote *remote, const char *mime)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  if (!put_stdin (remote, mime, &dropped, &error))
    return clip_command_fail (error);
  clip_command_say_dropped (dropped);
  return CLIP_EXIT_DONE;
}

/* as wl-paste says, or the name of what it sends; however they are garbled */
static gboolean
is_sensitive (void)
{
  const char *mime = g_getenv ("CLIPBOARD_TYPE");
  const char *state = g_getenv ("CLIPBOARD_STATE");
  g_autofree char *lower = g_ascii_strdown (state ?: "", -1);

  return strstr (lower, "sensitive") ||
         (mime && clip_secrecy_of_name (mime) == CLIP_SECRECY_SECRET);
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
                   _ ("copy: nothing was put on the clipboard: %s"), reason);

  return clip_command_fail (error);
}

/* an empty input selects nothing: who cancels a picker keeps the clipboard */
static int
copy_stdin (ClipCommand *command)
{
  const ClipSelectHow how = { 0 };
  const char *mime = command->options[CLIP_OPTION_TYPE];
  g_autoptr (ClipRemote) remote = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  if (mime && !clip_mime_is_valid (mime))
    return clip_command_misuse (command, _ ("'%s' is not a MIME type"), mime);
  if (is_sensitive ())
    return fail_to_copy ("sensitive");
  remote = clip_remote_new (command);
  clip_remote_set_option (remote, "select", g_variant_new_boolean (TRUE));
  if (!put_stdin (remote, mime ?: "", &dropped, &error))
    return clip_select_after (command, remote, &how, error);
  if (!dropped || *dropped == '\0')
    return CLIP_EXIT_DONE;
  return fail_to_copy (dropped);
}

int
clip_cmd_copy (ClipCommand *command)
{
  const ClipSelectHow how = { .plain = clip_command_has (command, CLIP_OPTION_PLAIN) };
  gint64 id;

  if (command->words->len == 0 && how.plain)
    return clip_command_misuse (command, _ ("--plain is for an entry"));
  if (command->words->len == 0)
    return copy_stdin (command);
  if (!clip_command_id (command, 0, &id))
    return command->id_status;
  if (clip_command_has (command, CLIP_OPTION_TYPE))
    return clip_command_misuse (command,
                                _ ("--type is for what comes on standard input"));
  return clip_select (command, id, &how);
}
