/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An archive into the history. It is not read here: the daemon gets the descriptor. Of
 * the history of another program a program of ours makes an archive, through a pipe.
 */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-foreign.h"
#include "clip-limits.h"
#include "clip-notify.h"
#include "clip-remote.h"
#include "clip-spool.h"
#include "clip-tar.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

/* as --from has our own archives */
#define OURS "cliphist"

typedef struct
{
  guint64 n_added;
  guint64 n_known;
  guint64 n_skipped;
  guint64 n_tags_left;
  guint64 n_incomplete;
  const char *from; /* (nullable): the name of the program that the history is of */
} Outcome;

static gboolean
call_import (ClipRemote *remote, int fd, Outcome *outcome, GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  int handle = g_unix_fd_list_append (fds, fd, error);
  g_autoptr (ClipProgress) progress = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) details = NULL;

  if (handle < 0)
    return FALSE;
  progress = clip_progress_new ();
  clip_remote_show (remote, progress);
  reply = clip_remote_call (remote, "Import", g_variant_new ("(h)", handle), "(ta{sv})",
                            fds, error);
  clip_remote_show (remote, NULL);
  if (!reply)
    return FALSE;
  g_variant_get_child (reply, 0, "t", &outcome->n_added);
  details = g_variant_get_child_value (reply, 1);
  g_variant_lookup (details, "known", "t", &outcome->n_known);
  g_variant_lookup (details, "skipped", "t", &outcome->n_skipped);
  g_variant_lookup (details, "tags-left", "t", &outcome->n_tags_left);
  return TRUE;
}

/* --- what is said of it --- */

/* a limit that nobody has asked for takes no more of a history than that */
static gboolean
is_spared (const ClipCommand *command, const ClipTotals *totals, gulong n_over)
{
  return !clip_settings_is_asked_for (command->settings, CLIP_SETTING_MAX_ITEMS) &&
         n_over > (gulong) totals->count / CLIP_LIMITS_SHARE;
}

/* What came is the newest: the next copy takes the oldest, which were there before. */
static void
append_over (const ClipCommand *command, GString *out)
{
  const gint64 most = clip_settings_number (command->settings, CLIP_SETTING_MAX_ITEMS);
  g_autoptr (ClipReader) reader = clip_direct_open (command, NULL);
  ClipTotals totals = { 0 };
  gulong n;

  if (most < 0 || !reader || !clip_reader_totals (reader, &totals, NULL) ||
      totals.count - totals.pinned <= most)
    return;
  n = (gulong) (totals.count - totals.pinned - most);
  if (is_spared (command, &totals, n))
    {
      g_string_append_printf (out,
                              _ ("more than %s allows: see “cliphist trim --dry-run”"),
                              clip_settings_key (CLIP_SETTING_MAX_ITEMS));
      g_string_append_c (out, '\n');
      return;
    }
  g_string_append_printf (
      out,
      P_ ("%lu entry more than max-items allows: with the next copy the oldest goes\n",
          "%lu entries more than max-items allows: with the next copy the oldest go\n",
          n),
      n);
}

static char *
describe (const ClipCommand *command, const Outcome *outcome)
{
  gulong n_added = (gulong) outcome->n_added;
  gulong n_known = (gulong) outcome->n_known;
  gulong n_skipped = (gulong) outcome->n_skipped;
  gulong n_incomplete = (gulong) outcome->n_incomplete;
  gulong n_tags_left = (gulong) outcome->n_tags_left;
  g_autoptr (GString) out = g_string_new (NULL);

  g_string_append_printf (
      out, P_ ("%lu entry was added\n", "%lu entries were added\n", n_added), n_added);
  if (n_known > 0)
    g_string_append_printf (
        out,
        P_ ("%lu entry was there already\n", "%lu entries were there already\n", n_known),
        n_known);
  if (n_skipped > 0)
    g_string_append_printf (
        out,
        P_ ("%lu entry was left out: secret, ignored, expired or empty\n",
            "%lu entries were left out: secret, ignored, expired or empty\n", n_skipped),
        n_skipped);
  if (n_incomplete > 0)
    g_string_append_printf (out,
                            P_ ("%lu entry was left out: its file is missing\n",
                                "%lu entries were left out: their files are missing\n",
                                n_incomplete),
                            n_incomplete);
  if (n_tags_left > 0)
    g_string_append_printf (out,
                            P_ ("%lu tag was left out: other entries had it before\n",
                                "%lu tags were left out: other entries had them before\n",
                                n_tags_left),
                            n_tags_left);
  append_over (command, out);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* on standard error, as it is no data; and to a key, which shows nothing of it */
static void
tell (const ClipCommand *command, const Outcome *outcome)
{
  g_autofree char *words = describe (command, outcome);

  g_printerr ("%s", words);
  clip_notify (command, _ ("Clipboard history"), g_strchomp (words));
}

static int
print_json (const Outcome *outcome)
{
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_append_printf (
      line,
      "{\"added\":%" G_GUINT64_FORMAT ",\"known\":%" G_GUINT64_FORMAT
      ",\"skipped\":%" G_GUINT64_FORMAT ",\"tags_left\":%" G_GUINT64_FORMAT,
      outcome->n_added, outcome->n_known, outcome->n_skipped, outcome->n_tags_left);
  if (outcome->from)
    g_string_append_printf (line, ",\"incomplete\":%" G_GUINT64_FORMAT ",\"from\":\"%s\"",
                            outcome->n_incomplete, outcome->from);
  g_string_append (line, "}\n");
  return fputs (line->str, stdout) < 0 || fflush (stdout) ? CLIP_EXIT_FAILED
                                                          : CLIP_EXIT_DONE;
}

static int
report (const ClipCommand *command, const Outcome *outcome)
{
  if (clip_command_has (command, CLIP_OPTION_JSON))
    return print_json (outcome);
  tell (command, outcome);
  return CLIP_EXIT_DONE;
}

/* --- an archive --- */

static int
import_from (ClipCommand *command, int fd)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  Outcome outcome = { 0 };

  if (!call_import (remote, fd, &outcome, &error))
    return clip_command_fail (error);
  return report (command, &outcome);
}

static int
import_archive (ClipCommand *command, const char *path)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  g_autoptr (GError) error = NULL;

  if (fd >= 0)
    return import_from (command, fd);
  clip_set_errno (&error, errno, _ ("open '%s'"), path);
  return clip_command_fail (error);
}

/* --- the history of another program --- */

/* whose fault it is that there is no more: where the daemon gave up, the reader of the
 * history has no reader; where that breaks off, the archive does, too */
static gboolean
judge (GError *fault_take, GError *refusal_take, const Outcome *outcome, GError **error)
{
  g_autoptr (GError) fault = fault_take;
  g_autoptr (GError) refusal = refusal_take;

  if (fault && (g_error_matches (fault, CLIP_ERROR, CLIP_ERROR_CORRUPT) || !refusal ||
                g_error_matches (refusal, CLIP_ERROR, CLIP_ERROR_CORRUPT)))
    {
      g_propagate_error (error, g_steal_pointer (&fault));
      if (outcome->n_added > 0)
        g_prefix_error (error, _ ("%lu were added before: "), (gulong) outcome->n_added);
      return FALSE;
    }
  if (!refusal)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&refusal));
  return FALSE;
}

static gboolean
feed_import (ClipRemote *remote, ClipForeign *foreign, Outcome *outcome, GError **error)
{
  ClipForeignCounts counts;
  GError *refusal = NULL;
  GError *fault = NULL;

  call_import (remote, clip_foreign_fd (foreign), outcome, &refusal);
  clip_foreign_end (foreign, &counts, &fault);
  outcome->n_skipped += counts.n_left_out;
  outcome->n_incomplete = counts.n_incomplete;
  return judge (fault, refusal, outcome, error);
}

static int
import_foreign (ClipCommand *command, ClipForeign *foreign)
{
  g_autoptr (ClipRemote) remote = clip_remote_new (command);
  g_autoptr (GError) error = NULL;
  Outcome outcome = { .from = clip_foreign_name (foreign) };

  if (!clip_command_has (command, CLIP_OPTION_JSON) &&
      !command->options[CLIP_OPTION_FROM])
    g_printerr (_ ("this is a history of %s\n"), clip_foreign_title (foreign));
  if (!feed_import (remote, foreign, &outcome, &error))
    return clip_command_fail (error);
  return report (command, &outcome);
}

static gboolean
is_known (const char *name)
{
  const char *choices = clip_verbs_option (CLIP_OPTION_FROM)->choices;
  g_auto (GStrv) names = g_strsplit (choices, " ", -1);

  return g_strv_contains ((const char *const *) names, name);
}

static char *
list_names (void)
{
  const char *choices = clip_verbs_option (CLIP_OPTION_FROM)->choices;
  g_auto (GStrv) names = g_strsplit (choices, " ", -1);

  return g_strjoinv (", ", names);
}

static int
refuse_name (const ClipCommand *command)
{
  g_autofree char *list = list_names ();

  return clip_command_misuse (command, _ ("--from is one of %s"), list);
}

/* a plain file or a folder: what is neither may never end */
static gboolean
check_path (const char *path, GError **error)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && !S_ISREG (status.st_mode) &&
      !S_ISDIR (status.st_mode))
    errno = EINVAL;
  else if (fd >= 0)
    return TRUE;
  return clip_set_errno (error, errno, _ ("open '%s'"), path);
}

/* @out_block: the first %CLIP_TAR_BLOCK bytes. FALSE where there are fewer, or they are
 * those of something packed: the import of an archive has a word for each of that */
static gboolean
read_start (const char *path, guint8 *out_block)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

  return fd >= 0 && clip_read_exactly (fd, out_block, CLIP_TAR_BLOCK, 0, NULL) &&
         clip_tar_check_start (out_block, CLIP_TAR_BLOCK, NULL);
}

/* an archive of ours needs no other program to say what it is */
static gboolean
is_archive (const char *path)
{
  guint8 block[CLIP_TAR_BLOCK];
  ClipTarHeader header;

  return read_start (path, block) && clip_tar_read_header (block, &header, NULL);
}

/* where none is known there */
static int
import_unknown (ClipCommand *command, const char *path)
{
  guint8 block[CLIP_TAR_BLOCK];
  g_autofree char *list = NULL;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR) && !read_start (path, block))
    return import_archive (command, path);
  list = list_names ();
  clip_command_say (_ ("'%s' holds no history that can be imported; those of %s can"),
                    path, list);
  return CLIP_EXIT_FAILED;
}

static int
import_path (ClipCommand *command, const char *path, const char *from)
{
  g_autoptr (ClipForeign) foreign = NULL;
  g_autoptr (GError) error = NULL;

  if (from && g_str_equal (from, OURS))
    return import_archive (command, path);
  if (from && !is_known (from))
    return refuse_name (command);
  if (!from && (is_archive (path) ||
                !g_file_test (path, G_FILE_TEST_IS_DIR | G_FILE_TEST_IS_REGULAR)))
    return import_archive (command, path);
  if (!check_path (path, &error) || !clip_foreign_start (path, from, &foreign, &error))
    return clip_command_fail (error);
  return foreign ? import_foreign (command, foreign) : import_unknown (command, path);
}

/* on standard input: only an archive is told by its beginning there */
static int
import_spooled (ClipCommand *command, const char *from)
{
  g_autoptr (ClipSpool) spool = NULL;
  g_autoptr (GError) error = NULL;

  if (!is_known (from))
    return refuse_name (command);
  spool = clip_spool_new (&error);
  return spool ? import_path (command, clip_spool_path (spool), from)
               : clip_command_fail (error);
}

int
clip_cmd_import (ClipCommand *command)
{
  const char *path = clip_command_word (command, 0);
  const char *from = command->options[CLIP_OPTION_FROM];

  if (path && *path == '\0')
    return clip_command_misuse (command, _ ("the name of FILE is empty"));
  if (path && !g_str_equal (path, "-"))
    return import_path (command, path, from);
  if (!path && clip_terminal_is_null (STDIN_FILENO))
    return clip_command_misuse (command, _ ("%s is missing"), "FILE");
  if (isatty (STDIN_FILENO))
    return clip_command_misuse (command, _ ("standard input is a terminal: give a FILE"));
  return from && !g_str_equal (from, OURS) ? import_spooled (command, from)
                                           : import_from (command, STDIN_FILENO);
}
