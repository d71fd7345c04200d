/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An entry on the clipboard, and then the key that pastes it. The daemon answers once the
 * clipboard has changed, so that what was there before is not pasted. Where the key is
 * one that terminals paste the primary selection on, that is set as well; otherwise it is
 * left alone, since a text that is selected in a window, to be pasted over, would no
 * longer be. */
#include "clip-insert.h"

#include "clip-desktop-check.h"
#include "clip-direct.h"
#include "clip-key-press.h"
#include "clip-mime.h"
#include "clip-notify.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <unistd.h>

/* Returns: (nullable) (transfer full): what cliphist-key said; NULL where it pressed
   nothing */
static char *
press (const char *asked, GError **error)
{
  g_autoptr (GSubprocess) program = clip_key_press_start (asked, NULL, error);
  g_autofree char *said = NULL;

  if (!program ||
      !g_subprocess_communicate_utf8 (program, NULL, NULL, &said, NULL, error))
    return NULL;
  return clip_key_press_answer (program, said, error);
}

/* Returns: the notification that says so, 0 for none */
static guint32
say_question (const ClipCommand *command)
{
  const char *words =
      _ ("waiting for your answer: the desktop asks whether keys may be pressed");

  clip_command_say ("%s", words);
  return clip_notify (command, _ ("Nothing is pasted yet"), words);
}

/* as press(), and says what it waits for: some desktops ask their user first */
static char *
press_when_allowed (const ClipCommand *command, const char *asked, GError **error)
{
  g_autoptr (GSubprocess) program = clip_key_press_start (asked, NULL, error);
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (GDataInputStream) lines = NULL;
  guint32 shown = 0;
  char *line;

  if (!program)
    return NULL;
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (program));
  while ((line = g_data_input_stream_read_line (lines, NULL, NULL, NULL)))
    {
      if (g_str_equal (line, CLIP_KEY_ASKS))
        shown = say_question (command);
      g_string_append_printf (said, "%s\n", line);
      g_free (line);
    }
  g_subprocess_wait (program, NULL, NULL);
  clip_notify_close (shown);
  clip_command_forget_said ();
  return clip_key_press_answer (program, said->str, error);
}

/* what pastes in the window that has the focus */
const ClipKey *
clip_insert_usual_key (void)
{
  g_autofree char *name = press ("which", NULL);

  return (name ? clip_key_find (name) : NULL) ?: clip_key_find (NULL);
}

/* the key would paste what is on the clipboard of this one */
static int
fail_elsewhere (const char *display)
{
  clip_command_say (_ ("The daemon watches the display %s, so nothing can be pasted on "
                       "this one. “cliphist doctor” says more."),
                    display);
  clip_command_explain (NULL);
  return CLIP_EXIT_FAILED;
}

/* the terminal that a key has opened for us has the keyboard until it closes behind us */
static int
fail_in_own_terminal (void)
{
  clip_command_say (_ ("It is on the clipboard: paste it yourself. The key would go to "
                       "this terminal, which closes."));
  clip_command_explain (_ ("Nothing was pasted"));
  return CLIP_EXIT_FAILED;
}

/* Returns: the exit status, after pasting what is on the clipboard, or saying why not */
int
clip_insert_clipboard (const ClipCommand *command, const ClipKey *key)
{
  g_autoptr (GVariantDict) daemon = clip_desktop_check_ask_daemon (NULL);
  const char *other = clip_desktop_check_other_display (daemon);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;

  if (other)
    return fail_elsewhere (other);
  if (clip_terminal_is_own (STDERR_FILENO))
    return fail_in_own_terminal ();
  said = press_when_allowed (command, clip_key_name (key), &error);
  if (said)
    return CLIP_EXIT_DONE;
  /* the first line is all that some desktops show */
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    clip_command_say (_ ("It is on the clipboard: press %s to paste it."),
                      clip_key_name (key));
  clip_command_say (_ ("The key cannot be sent: %s"), error->message);
  clip_command_explain (_ ("Nothing was pasted"));
  return CLIP_EXIT_FAILED;
}

/* @out_is_files: whether it is files, whose names some terminals take */
static gboolean
has_plain_text (const ClipCommand *command, gint64 id, gboolean *out_is_files)
{
  g_autoptr (ClipReader) reader = clip_direct_open (command, NULL);
  g_autoptr (ClipEntry) entry = reader ? clip_reader_lookup (reader, id, NULL) : NULL;

  *out_is_files = entry && entry->row.kind == CLIP_CLASS_FILES;
  for (guint i = 0; entry && i < entry->contents->len; i++)
    {
      const ClipContent *content = g_ptr_array_index (entry->contents, i);

      if (clip_mime_is_plain (content->mime))
        return TRUE;
    }
  return !entry; /* to be found missing by who needs it */
}

static int
fail_without_text (void)
{
  clip_command_say (
      _ ("This entry has no plain text, and this terminal pastes nothing else."));
  clip_command_explain (NULL);
  return CLIP_EXIT_FAILED;
}

/* Mutter lets the daemon set the clipboard alone, which this key does not paste */
static int
fail_on_mutter (const ClipKey *key, gboolean is_named)
{
  if (is_named)
    clip_command_say (
        _ ("It is on the clipboard. %s pastes what is selected, which cannot "
           "be set on GNOME."),
        clip_key_name (key));
  else
    clip_command_say (_ ("It is on the clipboard. This terminal pastes only what is "
                         "selected, which cannot be set on GNOME."));
  clip_command_explain (_ ("Nothing was pasted"));
  return CLIP_EXIT_FAILED;
}

static int
insert_by_key (const ClipCommand *command,
               gint64 id,
               const ClipKey *named,
               const ClipSelectHow *how)
{
  gboolean is_files;
  const gboolean has_text = has_plain_text (command, id, &is_files);
  const ClipKey *usual = named && has_text ? NULL : clip_insert_usual_key ();
  const ClipKey *key = named ?: usual;
  /* a key that is named pastes the clipboard in most windows */
  const gboolean wants_primary = clip_key_pastes_primary (key) && (has_text || !named);
  g_autoptr (GVariantDict) daemon =
      wants_primary ? clip_desktop_check_ask_daemon (NULL) : NULL;
  const gboolean is_mutter = clip_desktop_check_is_mutter (daemon);
  const ClipSelectHow with_key = { .plain = how->plain,
                                   .primary = wants_primary && !is_mutter,
                                   .move = how->move };
  int status;

  if (!has_text && !is_files && clip_key_is_of_terminals (usual) &&
      (!named || clip_key_pastes_primary (named)))
    return fail_without_text ();
  status = clip_select (command, id, &with_key);
  if (status != CLIP_EXIT_DONE)
    return status;
  return is_mutter ? fail_on_mutter (key, named != NULL)
                   : clip_insert_clipboard (command, key);
}

/**
 * clip_insert:
 * @id: of the entry
 * @named: (nullable): %NULL for what pastes in the window that has the focus
 * @how: it goes onto the clipboard; the key says whether as the primary selection, too
 *
 * Returns: the exit status, after saying what went wrong
 */
int
clip_insert (const ClipCommand *command,
             gint64 id,
             const ClipKey *named,
             const ClipSelectHow *how)
{
  int status;

  if (!clip_terminal_is_own (STDERR_FILENO))
    return insert_by_key (command, id, named, how);
  status = clip_select (command, id, how);
  return status == CLIP_EXIT_DONE ? clip_insert_clipboard (command, named) : status;
}
