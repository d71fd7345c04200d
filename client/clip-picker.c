/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pickers that people have, as data: how each is called, and how it says what was chosen.
 * Alt+1 and Alt+2 are the same in all that know keys of their own: an exit status of 10 or 11.
 */
#include "clip-picker.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-words.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define STATUS_FIRST_KEY 10
#define STATUS_SECOND_KEY 11

/* one row and a key are all that is said */
#define SAID_BYTES 65536

/* more than any picker needs beside its own words */
#define MOST_WORDS 24

static const char *const rofi[] = {
  "rofi", "-dmenu",      "-i",           "-p",    "cliphist",     "-no-custom", "-format",
  "i",    "-show-icons", "-kb-custom-1", "Alt+1", "-kb-custom-2", "Alt+2",      NULL
};
static const char *const fuzzel[] = { "fuzzel", "--dmenu", "--index", NULL };
static const char *const wofi[] = {
  "wofi",
  "--dmenu",
  "-I",
  "-i",
  "-p",
  "cliphist",
  "-Ddmenu-print_line_num=true",
  "-Dallow_markup=false",
  NULL
};
static const char *const bemenu[] = {
  "bemenu", "-i", "-l", "20", "-p", "cliphist", NULL
};
static const char *const dmenu[] = { "dmenu", "-i", "-l", "20", "-p", "cliphist", NULL };
static const char *const fzf[] = { "fzf",        "--delimiter", "\t",
                                   "--with-nth", "2..",         "--no-multi",
                                   "--expect",   "alt-1,alt-2", NULL };

/* in the order in which they are looked for */
static const ClipPicker pickers[] = {
  { "fuzzel", fuzzel, CLIP_ON_WAYLAND, CLIP_ICONS_ROFI, TRUE, FALSE },
  { "wofi", wofi, CLIP_ON_WAYLAND, CLIP_ICONS_WOFI, TRUE, FALSE },
  { "rofi", rofi, CLIP_ON_X11, CLIP_ICONS_ROFI, TRUE, FALSE },
  { "bemenu", bemenu, CLIP_ON_WAYLAND | CLIP_ON_X11, CLIP_ICONS_NONE, FALSE, FALSE },
  { "dmenu", dmenu, CLIP_ON_X11, CLIP_ICONS_NONE, FALSE, FALSE },
  { "fzf", fzf, CLIP_ON_TERMINAL, CLIP_ICONS_NONE, FALSE, TRUE },
};

const ClipPicker *
clip_picker_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (pickers); i++)
    if (g_str_equal (pickers[i].name, name))
      return &pickers[i];
  return NULL;
}

static gboolean
has_text (const char *variable)
{
  const char *value = g_getenv (variable);

  return value && *value;
}

/**
 * clip_picker_default:
 *
 * Returns: (nullable): the first that is installed and can show itself: who types the command in a
 * terminal gets it there, who binds it to a key has none
 */
const ClipPicker *
clip_picker_default (void)
{
  guint here[] = { isatty (STDIN_FILENO) && isatty (STDERR_FILENO) ? CLIP_ON_TERMINAL : 0,
                   has_text ("WAYLAND_DISPLAY") ? CLIP_ON_WAYLAND : 0,
                   has_text ("DISPLAY") ? CLIP_ON_X11 : 0 };

  for (guint at = 0; at < G_N_ELEMENTS (here); at++)
    for (guint i = 0; i < G_N_ELEMENTS (pickers); i++)
      {
        g_autofree char *path = NULL;

        if (pickers[i].displays & here[at])
          path = g_find_program_in_path (pickers[i].argv[0]);
        if (path)
          return &pickers[i];
      }
  return NULL;
}

static ClipPickedKind
kind_of_key (const char *key)
{
  if (g_str_equal (key, "alt-1"))
    return CLIP_PICKED_DELETE;
  return g_str_equal (key, "alt-2") ? CLIP_PICKED_PIN : CLIP_PICKED_ROW;
}

static ClipPickedKind
kind_of_status (int exit_status)
{
  switch (exit_status)
    {
    case 0:
      return CLIP_PICKED_ROW;
    case STATUS_FIRST_KEY:
      return CLIP_PICKED_DELETE;
    case STATUS_SECOND_KEY:
      return CLIP_PICKED_PIN;
    default:
      return CLIP_PICKED_NOTHING;
    }
}

/* @said: its standard output. Returns: FALSE where it said something that no row is. One that was
 * cancelled has picked nothing, and that is no failure */
static gboolean
read_picked (const ClipPicker *self,
             int exit_status,
             const char *said,
             ClipPicked *out_picked)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  guint n_lines = g_strv_length (lines);
  guint at = self->says_key ? 1 : 0;
  const char *row = n_lines > at ? lines[at] : "";
  gsize digits = strspn (row, "0123456789");
  g_autofree char *number = g_strndup (row, digits);
  guint64 value;

  *out_picked = (ClipPicked){ .kind = kind_of_status (exit_status) };
  if (out_picked->kind == CLIP_PICKED_ROW && self->says_key)
    out_picked->kind = kind_of_key (lines[0]);
  if (out_picked->kind == CLIP_PICKED_NOTHING || *row == '\0')
    {
      out_picked->kind = CLIP_PICKED_NOTHING;
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (number, 10, 0, G_MAXINT64, &value, NULL))
    return FALSE;
  out_picked->number = (gint64) value;
  return TRUE;
}

/* we ignore the signal, since a picker may be closed while it is filled; it may not */
static void
reset_signals (gpointer user_data G_GNUC_UNUSED)
{
  signal (SIGPIPE, SIG_DFL);
}

static gboolean
spawn (const ClipPicker *self,
       const char *preview,
       GPid *out_pid,
       int *out_in_fd,
       int *out_out_fd,
       GError **error)
{
  const char *argv[MOST_WORDS] = { NULL };
  guint n = 0;

  while (self->argv[n])
    {
      argv[n] = self->argv[n];
      n++;
    }
  if (self->displays & CLIP_ON_TERMINAL)
    {
      argv[n++] = "--header";
      argv[n++] = _ ("Enter: copy   Alt+1: delete   Alt+2: pin or unpin");
      argv[n++] = "--preview";
      argv[n++] = preview;
    }
  return g_spawn_async_with_pipes (
      NULL, (char **) argv, NULL,
      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CLOEXEC_PIPES,
      reset_signals, NULL, out_pid, out_in_fd, out_out_fd, NULL, error);
}

/* Returns: what waitpid() says of its end */
static int
reap (GPid pid)
{
  int status = 0;

  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

/* Returns: FALSE where it was not closed, but ended by a signal, or as read_picked() */
static gboolean
judge (const ClipPicker *self,
       int status,
       const char *said,
       ClipPicked *out_picked,
       GError **error)
{
  if (WIFSIGNALED (status))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, _ ("%s was ended by signal %d"),
                 self->name, WTERMSIG (status));
  else if (read_picked (self, WEXITSTATUS (status), said, out_picked))
    return TRUE;
  else
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("%s printed something else than a row"), self->name);
  return FALSE;
}

static char *
read_all (int fd, GError **error)
{
  g_autoptr (GBytes) bytes = clip_read_to_end (fd, SAID_BYTES, error);
  gsize length = 0;
  const char *data = bytes ? g_bytes_get_data (bytes, &length) : NULL;

  return bytes ? g_strndup (data ? data : "", length) : NULL;
}

/**
 * clip_picker_run:
 * @preview: what is to be run to show an entry, for a picker that can; a line for sh in which `{1}`
 * is its id
 * @fill: writes the rows; that the picker is gone before all of them are is no failure
 * @out_picked: (out): what was chosen
 *
 * Shows the picker, and waits until it is closed.
 *
 * Errors: %G_SPAWN_ERROR, %CLIP_ERROR_FAILED where it says what no row is or a signal ends it, and as
 * @fill.
 */
gboolean
clip_picker_run (const ClipPicker *self,
                 const char *preview,
                 ClipPickerFill fill,
                 gpointer user_data,
                 ClipPicked *out_picked,
                 GError **error)
{
  clip_autofd int in_fd = -1;
  clip_autofd int out_fd = -1;
  g_autofree char *said = NULL;
  gboolean filled;
  GPid pid;
  int status;

  if (!spawn (self, preview, &pid, &in_fd, &out_fd, error))
    return FALSE;
  filled = fill (in_fd, user_data, error);
  clip_fd_clear (&in_fd);
  if (!filled)
    kill (pid, SIGTERM);
  said = read_all (out_fd, filled ? error : NULL);
  status = reap (pid);
  return filled && said && judge (self, status, said, out_picked, error);
}
