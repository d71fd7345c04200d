/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What lets entries go by itself: the limits, and a time of an entry's own. */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-notify.h"
#include "clip-output.h"
#include "clip-remote.h"
#include "clip-units.h"
#include "clip-words.h"

#include <string.h>

static char *
describe (const ClipCommand *command, guint64 n, gboolean pretends)
{
  if (clip_command_has (command, CLIP_OPTION_JSON))
    return g_strdup_printf ("{\"removed\":%" G_GUINT64_FORMAT ",\"dry_run\":%s}\n", n,
                            pretends ? "true" : "false");
  if (pretends)
    return g_strdup_printf (
        P_ ("%lu entry would go\n", "%lu entries would go\n", (gulong) n), (gulong) n);
  return g_strdup_printf (P_ ("%lu entry removed\n", "%lu entries removed\n", (gulong) n),
                          (gulong) n);
}

int
clip_cmd_trim (ClipCommand *command)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  gboolean pretends = clip_command_has (command, CLIP_OPTION_DRY_RUN);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autofree char *text = NULL;
  guint64 n;

  clip_remote_set_option (remote, "dry-run", g_variant_new_boolean (pretends));
  reply = clip_remote_call (remote, "Trim", g_variant_new ("()"), "(t)", NULL, &error);
  if (!reply)
    return clip_command_fail (error);
  g_variant_get (reply, "(t)", &n);
  text = describe (command, n, pretends);
  if (!clip_output_write (text, strlen (text), &error))
    return clip_command_fail (error);
  /* a timer runs it each hour */
  if (n > 0 && !pretends && !clip_command_has (command, CLIP_OPTION_JSON))
    clip_notify (command, _ ("Clipboard history"), g_strchomp (text));
  return CLIP_EXIT_DONE;
}

static gboolean
is_pinned (const ClipCommand *command, gint64 id)
{
  g_autoptr (ClipReader) reader = clip_direct_open (command, NULL);
  g_autoptr (ClipEntry) entry = reader ? clip_reader_lookup (reader, id, NULL) : NULL;

  return entry && entry->row.pinned;
}

int
clip_cmd_expire (ClipCommand *command)
{
  const char *duration = clip_command_word (command, 1);
  gint64 expires_us = 0;
  gint64 now_us = g_get_real_time ();
  gint64 for_us, id;
  int status;
  g_autoptr (ClipRemote) remote = NULL;

  if (!clip_command_id (command, 0, &id))
    return command->id_status;
  if (!g_str_equal (duration, "never"))
    {
      if (!clip_parse_duration (duration, &for_us) || for_us < 0)
        return clip_command_misuse (
            command, _ ("a duration is like 30s, 10m or 1h30m, or never; not '%s'"),
            duration);
      expires_us = for_us < G_MAXINT64 - now_us ? now_us + for_us : 0;
    }
  remote = clip_remote_new (command);
  status = clip_remote_run (remote, "SetExpiry",
                            g_variant_new ("(tx)", (guint64) id, expires_us), "()");
  if (status == CLIP_EXIT_DONE && expires_us > 0 && is_pinned (command, id))
    clip_command_tell (_ ("Entry %ld is pinned, and stays until it is not."), (glong) id);
  else if (status == CLIP_EXIT_DONE && expires_us > 0)
    clip_command_tell (_ ("Entry %ld expires in %s."), (glong) id, duration);
  else if (status == CLIP_EXIT_DONE)
    clip_command_tell (_ ("Entry %ld no longer expires."), (glong) id);
  return status;
}
