/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * `store` where a daemon is on the session bus, which is how it runs once per copy behind
 * `wl-paste --watch`: without GIO, in half of the time. Whatever else there is to do (a
 * bar to draw, a daemon to start, another history) cliphist-session does: nothing has
 * been read from standard input then.
 */
#include "clip-cmds.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-plain-bus.h"
#include "clip-words.h"

#include <unistd.h>

static void
add_limits (GByteArray *args, const ClipSettings *settings)
{
  g_autoptr (GPtrArray) from_file = g_ptr_array_new ();
  guint n;
  const ClipSetting *limits = clip_command_limits (&n);

  for (guint i = 0; i < n; i++)
    {
      const char *key = clip_settings_key (limits[i]);

      if (clip_settings_origin (settings, limits[i]) != CLIP_FROM_DEFAULT)
        clip_wire_add_option_int64 (args, key,
                                    clip_settings_number (settings, limits[i]));
      if (clip_settings_origin (settings, limits[i]) == CLIP_FROM_FILE)
        g_ptr_array_add (from_file, (char *) key);
    }
  clip_wire_add_option_strings (args, "from-file", from_file);
}

static void
add_ignored (GByteArray *args, const ClipCommand *command, ClipSetting setting)
{
  g_auto (GStrv) items = clip_command_ignored (command, setting);
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();

  for (guint i = 0; items[i]; i++)
    g_ptr_array_add (texts, items[i]);
  if (texts->len > 0)
    clip_wire_add_option_strings (args, clip_settings_key (setting), texts);
}

static void
add_options (GByteArray *args, const ClipCommand *command)
{
  gsize begin = clip_wire_begin_array (args, 8);

  clip_wire_add_option_string (args, "store", command->store);
  add_limits (args, command->settings);
  add_ignored (args, command, CLIP_SETTING_IGNORE_PATTERN);
  add_ignored (args, command, CLIP_SETTING_IGNORE_MIME);
  clip_wire_end_array (args, begin, 8);
}

static GByteArray *
make_args (const ClipCommand *command, const char *mime)
{
  GByteArray *args = g_byte_array_new ();
  gsize begin = clip_wire_begin_array (args, 8);

  clip_wire_add_string (args, mime);
  clip_wire_add_uint32 (args, 0);
  clip_wire_end_array (args, begin, 8);
  add_options (args, command);
  return args;
}

static gboolean
is_for_the_session (const char *error_name)
{
  static const char *const names[] = { "org.freedesktop.DBus.Error.ServiceUnknown",
                                       "org.freedesktop.DBus.Error.NameHasNoOwner" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (error_name, names[i]) == 0)
      return TRUE;
  return g_strcmp0 (error_name, clip_error_bus_name (CLIP_ERROR_OTHER_STORE)) == 0;
}

/* the bus says it in words of its own, which are nothing that a user has to do with */
static int
fail_call (const ClipWireMessage *reply)
{
  if (g_strcmp0 (reply->error_name, "org.freedesktop.DBus.Error.NoReply") == 0)
    clip_command_say (
        _ ("%s: the daemon ended before it answered: it may be done or not"),
        clip_verbs_row (CLIP_VERB_STORE)->name);
  else
    clip_command_say ("%s", clip_wire_text (reply) ?: _ ("the daemon says an error"));
  return CLIP_EXIT_FAILED;
}

static int
store_over (ClipPlainBus *bus, const ClipCommand *command, const char *mime)
{
  g_autoptr (GByteArray) args = make_args (command, mime);
  g_autoptr (GError) error = NULL;
  ClipWireMessage reply;

  if (!clip_plain_bus_call (bus, "Store", "a(sh)a{sv}", args, STDIN_FILENO, &reply,
                            &error))
    return clip_command_fail (error);
  if (reply.type == CLIP_WIRE_REPLY)
    {
      clip_command_say_dropped (clip_wire_detail (&reply, "dropped"));
      return CLIP_EXIT_DONE;
    }
  if (is_for_the_session (reply.error_name))
    return CLIP_EXIT_ELSEWHERE;
  return fail_call (&reply);
}

/* as clip_cmd_store() */
int
clip_cmd_store_plain (ClipCommand *command)
{
  const char *state = g_getenv ("CLIPBOARD_STATE");
  const char *mime = g_getenv ("CLIPBOARD_TYPE");
  g_autoptr (ClipPlainBus) bus = NULL;

  if (g_strcmp0 (state, "sensitive") == 0)
    return CLIP_EXIT_DONE;
  if (g_strcmp0 (state, "clear") == 0 || isatty (STDERR_FILENO))
    return CLIP_EXIT_ELSEWHERE;
  bus = clip_plain_bus_open ();
  if (!bus)
    return CLIP_EXIT_ELSEWHERE;
  return store_over (bus, command, mime && clip_mime_is_valid (mime) ? mime : "");
}
