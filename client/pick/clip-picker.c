/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pickers that people have, as data: how each is called, and how it says what was
 * chosen. Alt+1 and Alt+2 are the same in all that know keys of their own: an exit status
 * of 10 or 11.
 */
#include "clip-picker.h"

#include "clip-command.h"
#include "clip-display-owner.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-libexec.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define STATUS_FIRST_KEY 10
#define STATUS_SECOND_KEY 11

/* of fzf, after Enter where nothing matches */
#define STATUS_NO_MATCH 1

/* what is said: a key and rows, each of a thousand with all that is searched in it */
#define SAID_BYTES (64 * 1024 * 1024)

/* a person does not close a picker sooner: one that is gone by then with words on
 * standard error has failed. Cancelled ones have the same exit status, and say
 * nothing. */
#define SOON_US G_USEC_PER_SEC

/* nor does bemenu come up by then, which says nothing where its backend is missing */
#define AT_ONCE_US (G_USEC_PER_SEC / 4)

/* stands for the prompt of a call */
#define PROMPT "PROMPT"

static const char *const rofi[] = {
  "rofi",         "-dmenu",  "-i",           "-p",          PROMPT,
  "-no-custom",   "-format", "i f",          "-show-icons", "-multi-select",
  "-kb-custom-1", "Alt+1",   "-kb-custom-2", "Alt+2",       NULL
};
static const char *const rofi_window[] = { "-normal-window", NULL };
static const char *const rofi_large[] = {
  "-theme-str", "element-icon { size: 64px; } listview { lines: 8; }", NULL
};
static const char *const fuzzel[] = {
  "fuzzel", "--dmenu", "--index", "--log-level=error", "--prompt", PROMPT, NULL
};
static const char *const fuzzel_large[] = { "--line-height=64px", "--lines=8", NULL };
static const char *const wofi[] = { "wofi",
                                    "--dmenu",
                                    "-I",
                                    "-i",
                                    "-p",
                                    PROMPT,
                                    "-Ddmenu-print_line_num=true",
                                    "-Dallow_markup=false",
                                    NULL };
static const char *const wofi_large[] = { "-Dimage_size=64", NULL };
static const char *const bemenu[] = { "bemenu", "-i", "-l", "20", "-p", PROMPT, NULL };
static const char *const dmenu[] = { "dmenu", "-i", "-l", "20", "-p", PROMPT, NULL };
/* rows end with line feeds, also where FZF_DEFAULT_OPTS has other ends */
static const char *const fzf[] = {
  "fzf",        "--delimiter", "\t",          "--with-nth",    "2..",
  "--multi",    "--expect",    "alt-1,alt-2", "--print-query", "--no-hscroll",
  "--no-read0", "--no-print0", NULL
};

/* in the order in which they are looked for */
static const ClipPicker pickers[] = {
  { "fuzzel", fuzzel, NULL, fuzzel_large, CLIP_ON_LAYER, CLIP_ICONS_ROFI,
    CLIP_HIDDEN_NONE, TRUE, FALSE },
  { "wofi", wofi, NULL, wofi_large, CLIP_ON_LAYER, CLIP_ICONS_WOFI, CLIP_HIDDEN_NONE,
    TRUE, FALSE },
  { "rofi", rofi, rofi_window, rofi_large, CLIP_ON_LAYER | CLIP_ON_X11 | CLIP_ON_WINDOW,
    CLIP_ICONS_ROFI, CLIP_HIDDEN_ROFI, TRUE, FALSE },
  { "bemenu", bemenu, NULL, NULL, CLIP_ON_LAYER | CLIP_ON_X11, CLIP_ICONS_NONE,
    CLIP_HIDDEN_NONE, FALSE, FALSE },
  { "dmenu", dmenu, NULL, NULL, CLIP_ON_X11, CLIP_ICONS_NONE, CLIP_HIDDEN_NONE, FALSE,
    FALSE },
  { "fzf", fzf, NULL, NULL, CLIP_ON_TERMINAL, CLIP_ICONS_NONE, CLIP_HIDDEN_FAR, FALSE,
    TRUE },
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

/* Returns: whether there is a compositor, and it has layers */
static gboolean
has_layers (void)
{
  g_autofree char *program = clip_libexec_find ("cliphist-key");
  char *argv[] = { program, (char *) "layers", NULL };
  int status;

  return has_text ("WAYLAND_DISPLAY") &&
         g_spawn_sync (NULL, argv, NULL,
                       G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL, NULL,
                       NULL, NULL, NULL, &status, NULL) &&
         g_spawn_check_wait_status (status, NULL);
}

/**
 * clip_picker_places:
 *
 * The compositor is asked what it has: one without layers gives no keyboard to what
 * covers its windows by way of its X server either.
 *
 * Returns: CLIP_ON_… of where a picker can show itself, but for a terminal; nowhere where
 * another user runs the display
 */
guint
clip_picker_places (void)
{
  gboolean has_x11 = has_text ("DISPLAY");

  if (clip_display_owner_stranger ())
    return 0;
  if (has_layers ())
    return CLIP_ON_LAYER | (has_x11 ? CLIP_ON_X11 : 0);
  if (has_text ("WAYLAND_DISPLAY"))
    return has_x11 ? CLIP_ON_WINDOW : 0;
  return has_x11 ? CLIP_ON_X11 : 0;
}

/* Returns: whether the desktop that there is has a place for it; TRUE where there is none
 * that could be asked */
gboolean
clip_picker_has_place (const ClipPicker *picker)
{
  return (picker->displays & CLIP_ON_TERMINAL) || !has_text ("WAYLAND_DISPLAY") ||
         (picker->displays & clip_picker_places ());
}

gboolean
clip_picker_is_installed (const ClipPicker *picker)
{
  g_autofree char *path = g_find_program_in_path (picker->argv[0]);

  return path != NULL;
}

static void
add_use (GArray *uses, const ClipPicker *picker, guint place)
{
  const ClipPickerUse use = { picker, place };

  for (guint i = 0; i < uses->len; i++)
    if (g_array_index (uses, ClipPickerUse, i).picker == picker)
      return;
  if ((picker->displays & place) && clip_picker_is_installed (picker))
    g_array_append_val (uses, use);
}

/**
 * clip_picker_list:
 * @first: (nullable): that is taken where it can show itself, before any other
 * @with_terminal: whether standard input and error are a terminal that is seen
 *
 * Returns: (transfer full) (element-type ClipPickerUse): those that are installed and can
 * show themselves, best first: who types the command in a terminal gets it there
 */
GArray *
clip_picker_list (const ClipPicker *first, gboolean with_terminal)
{
  static const guint order[] = { CLIP_ON_TERMINAL, CLIP_ON_LAYER, CLIP_ON_X11,
                                 CLIP_ON_WINDOW };
  GArray *uses = g_array_new (FALSE, FALSE, sizeof (ClipPickerUse));
  const guint here = clip_picker_places () | (with_terminal ? CLIP_ON_TERMINAL : 0);

  for (guint at = 0; first && at < G_N_ELEMENTS (order); at++)
    add_use (uses, first, order[at] & here);
  for (guint at = 0; at < G_N_ELEMENTS (order); at++)
    for (guint i = 0; i < G_N_ELEMENTS (pickers); i++)
      add_use (uses, &pickers[i], order[at] & here);
  return uses;
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

void
clip_picked_clear (ClipPicked *self)
{
  g_clear_pointer (&self->numbers, g_array_unref);
  g_clear_pointer (&self->filter, g_free);
}

/* what comes behind the number of a row is what was typed, or the row */
static gboolean
read_row (const ClipPicker *self, const char *row, ClipPicked *picked)
{
  gsize digits = strspn (row, "0123456789");
  g_autofree char *text = g_strndup (row, digits);
  guint64 value;
  gint64 number;

  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, &value, NULL))
    return FALSE;
  number = (gint64) value;
  g_array_append_val (picked->numbers, number);
  if (self->says_number && row[digits] == ' ' && row[digits + 1] && !picked->filter)
    picked->filter = g_strdup (row + digits + 1);
  return TRUE;
}

/* @said: its standard output: what was typed, where no row matches it. One that was
 * cancelled has picked nothing */
static void
read_picked (const ClipPicker *self,
             int exit_status,
             const char *said,
             ClipPicked *picked)
{
  g_auto (GStrv) lines = g_strsplit (said, "\n", -1);
  guint n_lines = g_strv_length (lines);
  guint at = self->says_key ? MIN (2, n_lines) : 0;

  picked->kind = kind_of_status (exit_status);
  picked->numbers = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (picked->kind == CLIP_PICKED_ROW && at == 2)
    {
      picked->filter = g_strdup (lines[0]);
      picked->kind = kind_of_key (lines[1]);
    }
  if (self->argv == fzf && exit_status == STATUS_NO_MATCH)
    picked->kind = CLIP_PICKED_NO_MATCH;
  if (picked->kind == CLIP_PICKED_NOTHING || picked->kind == CLIP_PICKED_NO_MATCH)
    return;
  for (; at < n_lines; at++)
    if (*lines[at] && !read_row (self, lines[at], picked))
      {
        g_array_set_size (picked->numbers, 0);
        picked->kind = CLIP_PICKED_NO_MATCH;
        return;
      }
  if (picked->numbers->len == 0)
    picked->kind = CLIP_PICKED_NOTHING;
}

/* we ignore the signal, since a picker may be closed while it is filled; it may not */
static void
reset_signals (gpointer user_data G_GNUC_UNUSED)
{
  signal (SIGPIPE, SIG_DFL);
}

static void
add_words (GPtrArray *argv, const char *const *words)
{
  for (; words && *words; words++)
    g_ptr_array_add (argv, g_strdup (*words));
}

static void
add_pair (GPtrArray *argv, const char *option, const char *value)
{
  const char *const words[] = { option, value, NULL };

  add_words (argv, words);
}

/* fuzzel sets nothing between its prompt and what is typed */
static void
add_words_with_prompt (GPtrArray *argv, const ClipPickerCall *call)
{
  const char *const *words = call->use.picker->argv;
  const char *behind = words == fuzzel ? "> " : "";

  for (const char *const *word = words; *word; word++)
    g_ptr_array_add (argv, g_str_equal (*word, PROMPT)
                               ? g_strconcat (call->prompt, behind, NULL)
                               : g_strdup (*word));
}

/* what was typed before it was closed, and the row that it was at */
static void
add_place (GPtrArray *argv, const ClipPickerCall *call)
{
  g_autofree char *row = g_strdup_printf ("%" G_GINT64_FORMAT, call->row);

  if (call->use.picker->argv == rofi && call->filter)
    add_pair (argv, "-filter", call->filter);
  if (call->use.picker->argv == rofi && call->row > 0)
    add_pair (argv, "-selected-row", row);
  if (call->use.picker->argv == fzf && call->filter)
    add_pair (argv, "--query", call->filter);
}

static char **
make_argv (const ClipPickerCall *call)
{
  const ClipPicker *picker = call->use.picker;
  GPtrArray *argv = g_ptr_array_new ();

  add_words_with_prompt (argv, call);
  if (call->use.place == CLIP_ON_WINDOW)
    add_words (argv, picker->as_window);
  if (call->is_large)
    add_words (argv, picker->large);
  add_place (argv, call);
  if (picker->displays & CLIP_ON_TERMINAL)
    {
      add_pair (argv, "--header", call->header);
      add_pair (argv, "--preview", call->preview);
    }
  g_ptr_array_add (argv, NULL);
  return (char **) g_ptr_array_free (argv, FALSE);
}

/* one that knows both must not ask for layers where there are none */
static char **
make_environment (const ClipPickerCall *call)
{
  char **environment = g_get_environ ();

  if (call->use.place == CLIP_ON_WINDOW && call->use.picker->argv == rofi)
    environment = g_environ_unsetenv (environment, "WAYLAND_DISPLAY");
  return environment;
}

typedef struct
{
  GPid pid;
  gint64 since_us; /* monotonic */
  int in_fd;
  int out_fd;
  int words_fd; /* a file that gets what it says on standard error; -1 on a terminal */
} Running;

static void
running_clear (Running *self)
{
  clip_fd_clear (&self->in_fd);
  clip_fd_clear (&self->out_fd);
  clip_fd_clear (&self->words_fd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Running, running_clear)

static gboolean
spawn (const ClipPickerCall *call, Running *out_running, GError **error)
{
  g_auto (GStrv) argv = make_argv (call);
  g_auto (GStrv) environment = make_environment (call);

  if (!(call->use.picker->displays & CLIP_ON_TERMINAL) ||
      !clip_terminal_is_watched (STDERR_FILENO))
    out_running->words_fd = memfd_create ("words", MFD_CLOEXEC);
  out_running->since_us = g_get_monotonic_time ();
  return g_spawn_async_with_pipes_and_fds (
      NULL, (const char *const *) argv, (const char *const *) environment,
      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CLOEXEC_PIPES,
      reset_signals, NULL, -1, -1, out_running->words_fd, NULL, NULL, 0,
      &out_running->pid, &out_running->in_fd, &out_running->out_fd, NULL, error);
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

static char *
read_all (int fd, GError **error)
{
  g_autoptr (GBytes) bytes = clip_read_to_end (fd, SAID_BYTES, error);
  gsize length = 0;
  const char *data = bytes ? g_bytes_get_data (bytes, &length) : NULL;

  return bytes ? g_strndup (data ? data : "", length) : NULL;
}

/* (transfer full): the last line, without the line feed; "" for nothing. @out_is_open: of
 * rofi and fuzzel, which show themselves once: whether that is what they say */
static char *
read_words (const Running *running, gboolean *out_is_open)
{
  g_autofree char *words = NULL;
  const char *line;

  *out_is_open = FALSE;
  if (running->words_fd >= 0 && lseek (running->words_fd, 0, SEEK_SET) == 0)
    words = read_all (running->words_fd, NULL);
  if (!words)
    return g_strdup ("");
  *out_is_open = strstr (words, "already running?") != NULL;
  line = strrchr (g_strchomp (words), '\n');
  return g_strdup (line ? line + 1 : words);
}

/* a key that is bound to `pkill rofi || cliphist pick` closes it so */
static gboolean
is_asked_to_end (int signal_number)
{
  return signal_number == SIGTERM || signal_number == SIGINT || signal_number == SIGHUP;
}

/* Returns: FALSE where it was not closed, but has failed */
static gboolean
judge (const ClipPicker *self,
       const Running *running,
       int status,
       const char *said,
       ClipPicked *picked,
       GError **error)
{
  gint64 lasted_us = g_get_monotonic_time () - running->since_us;
  gboolean is_open;
  g_autofree char *words = read_words (running, &is_open);
  gboolean is_nothing = kind_of_status (WEXITSTATUS (status)) == CLIP_PICKED_NOTHING;
  gboolean complains = is_nothing && *words && lasted_us < SOON_US;

  if (WIFSIGNALED (status) && is_asked_to_end (WTERMSIG (status)))
    return TRUE;
  if (WIFSIGNALED (status))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, _ ("%s has crashed (signal %d)"),
                 self->name, WTERMSIG (status));
  else if (complains && is_open)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED, _ ("%s is open already"),
                 self->name);
  else if (complains && (self->displays & CLIP_ON_TERMINAL))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("%s needs a terminal: have the key open one that runs “cliphist pick "
                    "--with %s” (%s)"),
                 self->name, self->name, words);
  else if (complains)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, _ ("%s failed: %s"), self->name,
                 words);
  else if (is_nothing && self->argv == bemenu && lasted_us < AT_ONCE_US)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("%s ended at once, without a word: what it draws with on this "
                    "desktop may not be installed"),
                 self->name);
  else
    {
      read_picked (self, WEXITSTATUS (status), said, picked);
      if (*words)
        clip_command_say ("%s", words);
      return TRUE;
    }
  return FALSE;
}

/**
 * clip_picker_run:
 * @fill: writes the rows; that the picker is gone before all of them are is no failure
 * @out_picked: (out): what was chosen
 *
 * Shows the picker, and waits until it is closed.
 *
 * Errors: %G_SPAWN_ERROR, %CLIP_ERROR_FAILED where it did not show itself or has crashed,
 * %CLIP_ERROR_CANCELLED where one is open already, and as @fill.
 */
gboolean
clip_picker_run (const ClipPickerCall *call,
                 ClipPickerFill fill,
                 gpointer user_data,
                 ClipPicked *out_picked,
                 GError **error)
{
  g_auto (Running) running = { .in_fd = -1, .out_fd = -1, .words_fd = -1 };
  g_autofree char *said = NULL;
  gboolean filled;
  int status;

  *out_picked = (ClipPicked){ .kind = CLIP_PICKED_NOTHING };
  if (!spawn (call, &running, error))
    return FALSE;
  filled = fill (running.in_fd, user_data, error);
  clip_fd_clear (&running.in_fd);
  if (!filled)
    kill (running.pid, SIGTERM);
  said = read_all (running.out_fd, filled ? error : NULL);
  clip_fd_clear (&running.out_fd); /* it may have more to say than is read */
  status = reap (running.pid);
  return filled && said &&
         judge (call->use.picker, &running, status, said, out_picked, error);
}
