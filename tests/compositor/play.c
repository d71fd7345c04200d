/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Without GSubprocess: that brings a thread, and the sanitizer for threads does not see
 * how GLib keeps it in order. */
#include "play.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct Play
{
  char *folder;
  char *display;
  GPid pid;
  int input_fd;
  int output_fd;
  guint watch;
  GString *output;
  gboolean ended; /* it says nothing more */
};

static gboolean
on_output (int fd, GIOCondition condition, gpointer user_data)
{
  Play *self = user_data;
  char chunk[4096];
  gssize n = read (fd, chunk, sizeof chunk);

  if (n > 0)
    g_string_append_len (self->output, chunk, n);
  self->ended = n <= 0;
  if (self->ended)
    self->watch = 0;
  return n > 0;
}

/* the next line that it says, or NULL when it has ended */
char *
play_next_line (Play *self)
{
  const char *newline;
  char *line;

  while (!(newline = strchr (self->output->str, '\n')) && !self->ended)
    g_main_context_iteration (NULL, TRUE);
  if (!newline)
    return NULL;
  line = g_strndup (self->output->str, (gsize) (newline - self->output->str));
  g_string_erase (self->output, 0, newline + 1 - self->output->str);
  return line;
}

static void
spawn (Play *self, const char *program, const char *protocol, int n_seats)
{
  g_autofree char *protocol_option = g_strdup_printf ("--protocol=%s", protocol);
  g_autofree char *seats_option = g_strdup_printf ("--seats=%d", n_seats);
  const char *argv[] = { program, protocol_option, seats_option, NULL };
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;

  environment = g_environ_setenv (environment, "XDG_RUNTIME_DIR", self->folder, TRUE);
  g_spawn_async_with_pipes (NULL, (char **) argv, environment,
                            G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CLOEXEC_PIPES, NULL, NULL,
                            &self->pid, &self->input_fd, &self->output_fd, NULL, &error);
  g_assert_no_error (error);
}

/* returns when clients can connect */
Play *
play_start (const char *program, const char *protocol, int n_seats)
{
  Play *self = g_new0 (Play, 1);
  g_autofree char *ready = NULL;

  signal (SIGPIPE, SIG_IGN);
  self->folder = g_dir_make_tmp ("play-XXXXXX", NULL);
  self->output = g_string_new (NULL);
  spawn (self, program, protocol, n_seats);
  self->watch = g_unix_fd_add (self->output_fd, G_IO_IN | G_IO_HUP, on_output, self);
  ready = play_next_line (self);
  g_assert_nonnull (ready);
  g_assert_true (g_str_has_prefix (ready, "WAYLAND_DISPLAY="));
  self->display = g_build_filename (self->folder, strchr (ready, '=') + 1, NULL);
  return self;
}

/* an absolute path, so that no environment is needed */
const char *
play_display (Play *self)
{
  return self->display;
}

/* for files of the test too */
const char *
play_folder (Play *self)
{
  return self->folder;
}

void
play_signal (Play *self, int signal_number)
{
  g_assert_no_errno (kill (self->pid, signal_number));
}

/* one or more commands, without waiting for the answers */
void
play_write (Play *self, const char *lines)
{
  gsize length = strlen (lines);

  while (length > 0)
    {
      gssize n = write (self->input_fd, lines, length);

      g_assert_cmpint (n, >, 0);
      lines += n;
      length -= (gsize) n;
    }
}

/* one command; returns the answer without its "ok" */
char *
play_tell (Play *self, const char *format, ...)
{
  g_autoptr (GString) command = g_string_new (NULL);
  g_autofree char *line = NULL;
  va_list args;

  va_start (args, format);
  g_string_vprintf (command, format, args);
  va_end (args);
  g_string_append_c (command, '\n');
  play_write (self, command->str);
  line = play_next_line (self);
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line, "ok"));
  return g_strdup (g_strchug (line + strlen ("ok")));
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

/* it has to end by itself, and without a complaint */
void
play_end (Play *self)
{
  int status;

  kill (self->pid, SIGCONT);
  close (self->input_fd);
  while (!self->ended)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (waitpid (self->pid, &status, 0), ==, self->pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), ==, 0);
  close (self->output_fd);
  remove_folder (self->folder);
  g_string_free (self->output, TRUE);
  g_free (self->display);
  g_free (self->folder);
  g_free (self);
}
