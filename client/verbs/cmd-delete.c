/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-id-arguments.h"
#include "clip-id.h"
#include "clip-notify.h"
#include "clip-paths.h"
#include "clip-private-folder.h"
#include "clip-remote.h"
#include "clip-terminal.h"
#include "clip-text.h"
#include "clip-time-point.h"
#include "clip-units.h"
#include "clip-words.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

/* of one call, as the D-Bus interface says */
#define MAX_IDS 100000

/* the word behind the verb was never looked at; it counts where standard input says
 * nothing */
static gboolean
read_ids (const ClipCommand *command, GArray *ids, GError **error)
{
  const char *word = clip_command_word (command, 0);
  gboolean is_typed = word && isatty (STDIN_FILENO);

  if (!is_typed)
    clip_id_arguments_ask ();
  if (!is_typed && !clip_id_read_lines (ids, error))
    return FALSE;
  return ids->len > 0 || !word || clip_id_add_line (ids, word, strlen (word), error);
}

/* @args: of a method that answers how many entries went
 * @n: what went before; these are added */
static gboolean
run (ClipRemote *remote, const char *method, GVariant *args, guint *n, GError **error)
{
  g_autoptr (GVariant) reply =
      clip_remote_call (remote, method, args, "(u)", NULL, error);
  guint32 n_gone;

  if (!reply)
    return FALSE;
  g_variant_get (reply, "(u)", &n_gone);
  *n += n_gone;
  return TRUE;
}

/* A key that a wipe is bound to takes all, and shows nothing; a query that was to take
 * something out of sight, and found nothing, looks the same. */
static void
tell (const ClipCommand *command, guint n)
{
  g_autofree char *words =
      g_strdup_printf (P_ ("%u entry was deleted.", "%u entries were deleted.", n), n);

  clip_command_tell ("%s", words);
  if (command->verb == CLIP_VERB_WIPE || n == 0)
    clip_notify (command, _ ("Clipboard history"), words);
}

static int
run_and_tell (const ClipCommand *command,
              ClipRemote *remote,
              const char *method,
              GVariant *args)
{
  g_autoptr (GError) error = NULL;
  guint n = 0;

  if (!run (remote, method, args, &n, &error))
    return clip_command_fail (error);
  tell (command, n);
  return CLIP_EXIT_DONE;
}

/* all or none, but where they are more than a call may have */
static int
delete_all (const ClipCommand *command, const GArray *ids)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  guint begin = 0, n = 0;

  do
    {
      const guint n_sent = MIN (ids->len - begin, MAX_IDS);
      GVariant *list = g_variant_new_fixed_array (
          G_VARIANT_TYPE_UINT64, (gint64 *) ids->data + begin, n_sent, sizeof (guint64));

      if (!run (remote, "Delete", g_variant_new ("(@at)", list), &n, &error))
        {
          if (n > 0)
            tell (command, n);
          return clip_command_fail (error);
        }
      begin += n_sent;
    }
  while (begin < ids->len);
  tell (command, n);
  return CLIP_EXIT_DONE;
}

/* Standard error has the words of the existing tool, and the screen some for people.
 * Returns: the exit status */
static int
fail_without_id (const ClipCommand *command, const GError *error)
{
  int status = clip_command_fail (error);

  if (!g_error_matches (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT))
    return status;
  clip_command_forget_said ();
  clip_notify (command, _ ("Nothing was deleted"),
               _ ("What was chosen is not an entry of the list."));
  return status;
}

/* all of the ids, or none where one of the lines is bad. Where there is no history yet,
 * even deleting nothing makes one, as ever */
int
clip_cmd_delete (ClipCommand *command)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;

  if (!read_ids (command, ids, &error))
    return fail_without_id (command, error);
  if (ids->len == 0 && g_file_test (command->store, G_FILE_TEST_IS_DIR))
    return CLIP_EXIT_DONE;
  return delete_all (command, ids);
}

int
clip_cmd_remove (ClipCommand *command)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (ClipReader) reader = NULL;
  g_autoptr (GError) error = NULL;

  if (!clip_id_arguments_read (command, 0, ids))
    return command->id_status;
  reader = clip_direct_open (command, &error);
  if (!reader || !clip_id_arguments_are_there (reader, ids, &error))
    return clip_command_fail (error);
  /* a daemon of our own asks whether another one has the history open */
  g_clear_pointer (&reader, clip_reader_free);
  return delete_all (command, ids);
}

/* What was typed before the question was there is no answer to it: it was meant for a
 * program that ran before, or is the next line to the shell.
 *
 * Returns: whether a person says so; TRUE where there is none */
static gboolean
is_agreed (const char *question)
{
  char answer[8] = "";

  if (!isatty (STDIN_FILENO) || !clip_terminal_is_watched (STDERR_FILENO))
    return TRUE;
  tcflush (STDIN_FILENO, TCIFLUSH);
  fputs (question, stderr);
  if (!fgets (answer, sizeof answer, stdin))
    fputc ('\n', stderr);
  return g_ascii_tolower (*answer) == 'y' ||
         g_regex_match_simple (nl_langinfo (YESEXPR), answer, 0, 0);
}

/* who has said no is not told so on the screen, too */
static int
say_nothing_deleted (void)
{
  clip_command_say (_ ("Nothing was deleted."));
  clip_command_forget_said ();
  return CLIP_EXIT_FAILED;
}

/* the words behind the first, which the existing tool ignores, were meant, too: without
 * them it is more that goes */
static gboolean
is_query_meant (const ClipCommand *command, const char *text)
{
  g_autoptr (GString) shown = g_string_new (NULL);
  g_autofree char *question = NULL;

  if (command->words->len == 1)
    return TRUE;
  clip_text_append_visible (shown, text, strlen (text));
  question = g_strdup_printf (_ ("Delete all entries with '%s'? [y/N] "), shown->str);
  return is_agreed (question);
}

int
clip_cmd_delete_query (ClipCommand *command)
{
  const char *text = clip_command_word (command, 0);
  g_autoptr (ClipRemote) remote = NULL;
  GVariant *bytes;

  if (!text || *text == '\0')
    {
      clip_command_say ("please provide a query");
      clip_command_explain (NULL);
      return CLIP_EXIT_FAILED;
    }
  if (!is_query_meant (command, text))
    return say_nothing_deleted ();
  bytes = g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, text, strlen (text), 1);
  remote = clip_remote_new (command);
  return run_and_tell (command, remote, "DeleteMatching", g_variant_new ("(@ay)", bytes));
}

/* Who pinned something meant to keep it; `wipe` alone spares that, and asks nothing, as
 * ever. A word behind it, which the existing tool ignores, was meant to say what goes. */
static gboolean
is_wipe_meant (const ClipCommand *command)
{
  const gboolean all = clip_command_has (command, CLIP_OPTION_ALL);
  const gboolean is_since = clip_command_has (command, CLIP_OPTION_SINCE);

  if ((!all && !clip_command_word (command, 0)) ||
      clip_command_has (command, CLIP_OPTION_YES))
    return TRUE;
  if (is_since)
    return is_agreed (
        all ? _ ("Delete what was copied since then, pinned entries too? [y/N] ")
            : _ ("Delete what was copied since then, and is not pinned? [y/N] "));
  return is_agreed (all ? _ ("Delete all entries, pinned ones too? [y/N] ")
                        : _ ("Delete all entries that are not pinned? [y/N] "));
}

int
clip_cmd_wipe (ClipCommand *command)
{
  const char *since = command->options[CLIP_OPTION_SINCE];
  gint64 since_us = 0;
  g_autoptr (ClipRemote) remote = NULL;

  if (since && !clip_time_point_parse (since, &since_us))
    return clip_command_misuse (
        command, _ ("--since is like 2h, 3d, today, 09:00 or 2025-12-31, not '%s'"),
        since);
  if (!is_wipe_meant (command))
    return say_nothing_deleted ();
  clip_private_folder_sweep ();
  remote = clip_remote_new (command);
  clip_remote_set_option (
      remote, "all", g_variant_new_boolean (clip_command_has (command, CLIP_OPTION_ALL)));
  clip_remote_set_option (remote, "since", g_variant_new_int64 (since_us));
  return run_and_tell (command, remote, "Wipe", g_variant_new ("()"));
}

/* how much of the disk database and log take */
static gint64
measure_database (const ClipCommand *command)
{
  static const char *const names[] = { CLIP_DATABASE_NAME, CLIP_DATABASE_NAME "-wal" };
  gint64 bytes = 0;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (command->store, names[i], NULL);
      struct stat status;

      if (stat (path, &status) == 0)
        bytes += (gint64) status.st_blocks * 512;
    }
  return bytes;
}

int
clip_cmd_compact (ClipCommand *command)
{
  const gint64 before = measure_database (command);
  g_autofree char *size = NULL;
  g_autoptr (ClipRemote) remote = NULL;
  int status;

  if (!g_file_test (command->store, G_FILE_TEST_IS_DIR))
    {
      clip_command_say ("open source db: open %s: no such file or directory",
                        command->db_path);
      return CLIP_EXIT_FAILED;
    }
  remote = clip_remote_new (command);
  status = clip_remote_run (remote, "Compact", g_variant_new ("()"), "()");
  size = clip_format_size (MAX (before - measure_database (command), 0));
  if (status == CLIP_EXIT_DONE)
    clip_command_tell (_ ("given back to the disk: %s"), size);
  return status;
}
