/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "play.h"

#include <glib/gstdio.h>

struct Play
{
  char *folder;
  char *display;
  GSubprocess *process;
  GDataInputStream *lines_in;
  GQueue *lines;
  gboolean ended; /* it says nothing more */
};

static void read_next (Play *self);

static void
on_line (GObject *stream, GAsyncResult *result, gpointer user_data)
{
  Play *self = user_data;
  char *line = g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (stream), result,
                                                     NULL, NULL);

  self->ended = line == NULL;
  if (self->ended)
    return;
  g_queue_push_tail (self->lines, line);
  read_next (self);
}

static void
read_next (Play *self)
{
  g_data_input_stream_read_line_async (self->lines_in, G_PRIORITY_DEFAULT, NULL, on_line,
                                       self);
}

/* the next line that it says, or NULL when it has ended */
char *
play_next_line (Play *self)
{
  while (g_queue_is_empty (self->lines) && !self->ended)
    g_main_context_iteration (NULL, TRUE);
  return g_queue_pop_head (self->lines);
}

/* returns when clients can connect */
Play *
play_start (const char *program, const char *protocol, int n_seats)
{
  Play *self = g_new0 (Play, 1);
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autofree char *protocol_option = g_strdup_printf ("--protocol=%s", protocol);
  g_autofree char *seats_option = g_strdup_printf ("--seats=%d", n_seats);
  g_autofree char *ready = NULL;
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("play-XXXXXX", NULL);
  self->lines = g_queue_new ();
  g_subprocess_launcher_setenv (launcher, "XDG_RUNTIME_DIR", self->folder, TRUE);
  self->process = g_subprocess_launcher_spawn (launcher, &error, program, protocol_option,
                                               seats_option, NULL);
  g_assert_no_error (error);
  self->lines_in = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  read_next (self);
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
  g_subprocess_send_signal (self->process, signal_number);
}

/* one or more commands, without waiting for the answers */
void
play_write (Play *self, const char *lines)
{
  g_autoptr (GError) error = NULL;

  g_output_stream_write_all (g_subprocess_get_stdin_pipe (self->process), lines,
                             strlen (lines), NULL, NULL, &error);
  g_assert_no_error (error);
}

/* one command; returns the answer without its "ok " */
char *
play_tell (Play *self, const char *format, ...)
{
  g_autoptr (GString) command = g_string_new (NULL);
  char *line;
  va_list args;

  va_start (args, format);
  g_string_vprintf (command, format, args);
  va_end (args);
  g_string_append_c (command, '\n');
  play_write (self, command->str);
  line = play_next_line (self);
  g_assert_nonnull (line);
  g_assert_true (g_str_has_prefix (line, "ok"));
  memmove (line, line + MIN (strlen (line), 3),
           strlen (line) - MIN (strlen (line), 3) + 1);
  return line;
}

/* until it has gone, and without a complaint */
void
play_wait_exit (Play *self)
{
  while (!self->ended)
    g_free (play_next_line (self));
  g_subprocess_wait (self->process, NULL, NULL);
  g_assert_true (g_subprocess_get_if_exited (self->process));
  g_assert_cmpint (g_subprocess_get_exit_status (self->process), ==, 0);
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

void
play_end (Play *self)
{
  play_signal (self, SIGCONT);
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
  play_wait_exit (self);
  remove_folder (self->folder);
  g_queue_free_full (self->lines, g_free);
  g_object_unref (self->lines_in);
  g_object_unref (self->process);
  g_free (self->display);
  g_free (self->folder);
  g_free (self);
}
