/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-remote.h"
#include "clip-words.h"

static gboolean
clear (ClipRemote *remote, GError **error)
{
  g_autoptr (GVariant) reply =
      clip_remote_call (remote, "Clear", g_variant_new ("()"), "()", NULL, error);

  return reply != NULL;
}

/* the daemon speaks of its displays, people have one or none */
static int
fail (const GError *error)
{
  if (clip_has_display () || !g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND))
    return clip_command_fail (error);
  clip_command_say (_ ("There is no display here, so there is no clipboard to empty."));
  return CLIP_EXIT_FAILED;
}

/* the clipboard of that one is in use by who sits there */
static int
fail_elsewhere (const char *display)
{
  clip_command_say (_ ("The daemon watches the display %s, so the clipboard of this one "
                       "is not emptied. “cliphist doctor” says more."),
                    display);
  clip_command_explain (NULL);
  return CLIP_EXIT_FAILED;
}

int
clip_cmd_clear (ClipCommand *command)
{
  g_autoptr (ClipRemote) remote = clip_remote_new_session (command);
  g_autoptr (GError) error = NULL;
  g_autofree char *other = clip_remote_other_display (remote, &error);
  gboolean done;

  if (error)
    return clip_command_fail (error);
  if (other)
    return fail_elsewhere (other);
  done = clear (remote, &error);
  if (!done && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND) &&
      clip_remote_show_display (remote))
    {
      g_clear_error (&error);
      done = clear (remote, &error);
    }
  if (!done)
    return fail (error);
  clip_command_tell (_ ("The clipboard is empty."));
  return CLIP_EXIT_DONE;
}
