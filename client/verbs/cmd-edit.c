/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An entry in an editor, and what comes out of it as a new entry in its place. The editor
 * gets a file, in a private folder; both are gone afterwards, unless the history does not
 * take what is in it.
 */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-mime.h"
#include "clip-notify.h"
#include "clip-put.h"
#include "clip-scratch.h"
#include "clip-session-bus.h"
#include "clip-text.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* editors read all of a file, and so do we */
#define MOST_BYTES (16 * 1024 * 1024)

/* no person reads a text, and ends the editor again, in that time */
#define AT_ONCE_US (2 * G_USEC_PER_SEC)

#define FILE_NAME "clip.txt"

/* --- what is edited --- */

static GBytes *
read_all (const ClipPayload *payload, GError **error)
{
  g_autofree char *text = NULL;

  if (payload->bytes)
    return g_bytes_ref (payload->bytes);
  text = g_malloc ((gsize) payload->size);
  if (!clip_read_exactly (payload->fd, text, (gsize) payload->size, 0, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&text), (gsize) payload->size);
}

static GBytes *
read_text (const ClipPayload *payload, gint64 id, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  const char *text;
  gsize length;

  if (payload->size > MOST_BYTES)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE,
                   _ ("entry %lu cannot be edited: it is larger than 16 MiB"),
                   (gulong) id);
      return NULL;
    }
  bytes = read_all (payload, error);
  text = bytes ? g_bytes_get_data (bytes, &length) : NULL;
  if (!bytes || !clip_text_is_binary (text, length))
    return g_steal_pointer (&bytes);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT,
               _ ("entry %lu cannot be edited: it is %s, and not text in UTF-8"),
               (gulong) id, payload->mime);
  return NULL;
}

/* --- the editor --- */

/* vi is taken on a terminal alone: elsewhere it would wait unseen */
static const char *
find_editor (GError **error)
{
  static const char *const names[] = { "VISUAL", "EDITOR" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = g_getenv (names[i]);

      if (value && *value)
        return value;
    }
  if (isatty (STDIN_FILENO))
    return "vi";
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                       _ ("edit: set VISUAL or EDITOR: there is no terminal for vi"));
  clip_command_explain (NULL);
  return NULL;
}

static gboolean
write_file (const char *path, GBytes *bytes, GError **error)
{
  clip_autofd int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);

  if (fd < 0)
    return clip_set_errno (error, errno, _ ("write '%s'"), path);
  return clip_write_all (fd, text, length, error);
}

static GBytes *
read_file (const char *path, GError **error)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

  if (fd < 0)
    {
      clip_set_errno (error, errno, _ ("edit: read what the editor left"));
      return NULL;
    }
  return clip_read_to_end (fd, MOST_BYTES, error);
}

static gboolean
check_editor (int status, GError **error)
{
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  clip_command_explain (NULL);
  if (WIFEXITED (status))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("edit: nothing was changed: the editor failed (status %d)"),
                 WEXITSTATUS (status));
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("edit: nothing was changed: signal %d ended the editor"),
                 WTERMSIG (status));
  return FALSE;
}

/* The shell reads the variable: `code --wait` is an editor, too */
static gboolean
run_editor (ClipScratch *scratch, const char *path, GBytes *before, GError **error)
{
  const char *editor = find_editor (error);
  g_autofree char *script = editor ? g_strconcat (editor, " \"$1\"", NULL) : NULL;
  const char *argv[] = { "/bin/sh", "-c", script, "cliphist", path, NULL };
  int status;

  return editor && write_file (path, before, error) &&
         clip_scratch_run (scratch, argv, &status, error) && check_editor (status, error);
}

/* --- what is kept --- */

/* most editors end the last line, whether or not it was ended */
static gsize
edited_length (GBytes *before, GBytes *after)
{
  gsize old_length, length;
  const char *old = g_bytes_get_data (before, &old_length);
  const char *text = g_bytes_get_data (after, &length);
  gboolean was_ended = old_length > 0 && old[old_length - 1] == '\n';

  return !was_ended && length > 0 && text[length - 1] == '\n' ? length - 1 : length;
}

/* one that names another charset is not true of what an editor wrote */
static const char *
type_of (const char *mime)
{
  gboolean is_other = strstr (mime, "charset=") && !clip_mime_same (mime, CLIP_MIME_TEXT);

  return is_other ? "" : mime;
}

static int
refuse (const char *why)
{
  clip_command_say (_ ("edit: nothing was changed: %s"), why);
  clip_command_explain (NULL);
  return CLIP_EXIT_FAILED;
}

static int
say_unchanged (const ClipCommand *command, const char *words)
{
  clip_command_tell ("%s", words);
  clip_notify (command, _ ("Clipboard history"), words);
  return CLIP_EXIT_DONE;
}

static int
say_empty (const ClipCommand *command)
{
  return say_unchanged (command, _ ("Nothing was changed: an empty text is no entry."));
}

/* an editor that hands its file to one that runs already ends at once */
static int
say_equal (const ClipCommand *command, gboolean at_once)
{
  return say_unchanged (
      command,
      at_once ? _ ("Nothing was changed. If the editor is open now, it did not wait: set "
                   "VISUAL or EDITOR with an option for that, as in “gedit --wait”.")
              : _ ("Nothing was changed."));
}

/* to a script and a key, too: what was to go is kept */
static void
say_lasting (const ClipCommand *command, guint64 id, gint64 old_id)
{
  g_autofree char *words = g_strdup_printf (_ ("Entry %lu has the new text, but not the "
                                               "expiry of entry %ld, which is gone."),
                                            (gulong) id, (glong) old_id);

  clip_command_say ("%s", words);
  clip_notify (command, _ ("Clipboard history"), words);
}

/* the new text takes the place of the old one, with its pin, its tags and its expiry */
static int
keep (const ClipCommand *command, const ClipEntry *old, const char *mime, GBytes *bytes)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;
  guint64 id = 0;
  gboolean has_replaced = FALSE;
  clip_autofd int fd = clip_memfd (bytes, &error);

  clip_remote_set_option (remote, "replaces",
                          g_variant_new_uint64 ((guint64) old->row.id));
  if (fd < 0 || !clip_put (remote, fd, mime, &id, &has_replaced, &dropped, &error))
    return clip_command_fail (error);
  if (dropped && (*dropped == '\0' || g_str_equal (dropped, "blank")))
    return say_empty (command);
  if (dropped)
    return refuse (clip_command_drop_words (dropped));
  printf ("%" G_GUINT64_FORMAT "\n", id);
  fflush (stdout);
  if (has_replaced)
    clip_command_tell (
        _ ("Entry %lu has the new text, and takes the place of entry %ld."), (gulong) id,
        (glong) old->row.id);
  else if (old->row.expires_us > 0)
    say_lasting (command, id, old->row.id);
  else
    clip_command_tell (_ ("Entry %lu has the new text. It takes the place of no other: "
                          "there is no entry %ld any more."),
                       (gulong) id, (glong) old->row.id);
  return CLIP_EXIT_DONE;
}

static int
keep_edited (const ClipCommand *command,
             const ClipEntry *old,
             const ClipPayload *payload,
             GBytes *before,
             const char *path,
             gboolean at_once)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) after = read_file (path, &error);
  g_autoptr (GBytes) kept = NULL;

  if (!after)
    return clip_command_fail (error);
  kept = g_bytes_new_from_bytes (after, 0, edited_length (before, after));
  if (g_bytes_get_size (kept) == 0)
    return say_empty (command);
  if (g_bytes_equal (before, kept))
    return say_equal (command, at_once);
  if (clip_text_is_binary (g_bytes_get_data (kept, NULL), g_bytes_get_size (kept)))
    return refuse (_ ("what was saved is not text in UTF-8"));
  return keep (command, old, type_of (payload->mime), kept);
}

/* the user's work; an editor may have made another file of that name, which others may
   read */
static void
leave_text (ClipScratch *scratch)
{
  g_autofree char *path = NULL;

  clip_scratch_leave (scratch);
  path = clip_scratch_file (scratch, FILE_NAME);
  if (fchmodat (AT_FDCWD, path, 0600, AT_SYMLINK_NOFOLLOW) != 0)
    g_debug ("only its folder keeps others from the text: %s", g_strerror (errno));
  clip_command_say_first (_ ("edit: your text is in '%s'"), path);
}

static int
edit (const ClipCommand *command,
      const ClipEntry *old,
      const ClipPayload *payload,
      GBytes *before)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipScratch) scratch = clip_scratch_new (&error);
  g_autofree char *path = scratch ? clip_scratch_file (scratch, FILE_NAME) : NULL;
  const gint64 begun_us = g_get_monotonic_time ();
  gboolean at_once;
  int status;

  if (!scratch || !run_editor (scratch, path, before, &error))
    return clip_command_fail (error);
  at_once = g_get_monotonic_time () - begun_us < AT_ONCE_US;
  status = keep_edited (command, old, payload, before, path, at_once);
  if (status != CLIP_EXIT_DONE && access (path, F_OK) == 0)
    leave_text (scratch);
  return status;
}

int
clip_cmd_edit (ClipCommand *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (ClipEntry) old = NULL;
  g_autoptr (ClipPayload) payload = NULL;
  g_autoptr (GBytes) before = NULL;
  gint64 id;

  if (!clip_command_id (command, 0, &id))
    return command->id_status;
  clip_session_bus_hand_on ();
  reader = clip_direct_open (command, &error);
  old = reader ? clip_reader_lookup (reader, id, &error) : NULL;
  payload = old ? clip_reader_open_content (reader, id, "", &error) : NULL;
  before = payload ? read_text (payload, id, &error) : NULL;
  /* a daemon of our own asks whether another one has the history open */
  g_clear_pointer (&reader, clip_reader_free);
  return before ? edit (command, old, payload, before) : clip_command_fail (error);
}
