/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Standard input into the history. */
#include "clip-cmds.h"
#include "clip-desktop-check.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-put.h"
#include "clip-words.h"

static int
fail_to_store (const ClipCommand *command, const GError *error)
{
  g_autofree char *elsewhere = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_OTHER_STORE)
                                   ? clip_desktop_check_elsewhere (command)
                                   : NULL;

  if (!elsewhere)
    return clip_command_fail (error);
  clip_command_say ("%s", elsewhere);
  return CLIP_EXIT_FAILED;
}

/* what is dropped on purpose (a secret, a blank, something too large) is no failure, and
 * some of it is said */
static int
store_stdin (const ClipCommand *command, ClipRemote *remote, const char *mime)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;

  if (!clip_put_stdin (remote, mime, &dropped, &error))
    return fail_to_store (command, error);
  clip_command_say_dropped (dropped);
  return CLIP_EXIT_DONE;
}

/* who watches the clipboard here may hand us a secret, of which the daemon knows
   nothing */
static int
fail_elsewhere (const char *display)
{
  clip_command_say (_ ("nothing was kept: the daemon, which recognizes secrets, watches "
                       "the display %s, and not this one; “cliphist doctor” says more"),
                    display);
  return CLIP_EXIT_FAILED;
}

/* wl-paste says in CLIPBOARD_STATE what kind of a change it was, in CLIPBOARD_TYPE what
 * it sends; a type that is none leaves it to the daemon to look at the bytes */
int
clip_cmd_store (ClipCommand *command)
{
  const char *state = g_getenv ("CLIPBOARD_STATE");
  const char *mime = g_getenv ("CLIPBOARD_TYPE");
  g_autoptr (ClipRemote) remote = NULL;
  g_autofree char *other = NULL;
  g_autoptr (GError) error = NULL;

  if (clip_put_is_secret ())
    return CLIP_EXIT_DONE;
  remote = clip_remote_new (command);
  other = clip_remote_other_display (remote, &error);
  if (error)
    return clip_command_fail (error);
  if (other)
    return fail_elsewhere (other);
  if (g_strcmp0 (state, "clear") != 0)
    return store_stdin (command, remote, mime && clip_mime_is_valid (mime) ? mime : "");
  clip_remote_set_option (remote, "newest", g_variant_new_boolean (TRUE));
  return clip_remote_run (remote, "Delete", g_variant_new ("(at)", NULL), "(u)");
}
