/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This program, under the name Xwayland, is one. */
#include "clip-xwayland.h"

#include "wait-until.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <unistd.h>

#define NAME "Xwayland"

typedef struct
{
  char *folder;
  char *path; /* the environment's, as it was */
  char *program;
} Rig;

static void
set_up (Rig *self, gconstpointer data)
{
  self->folder = g_dir_make_tmp ("xwayland-XXXXXX", NULL);
  self->program = g_build_filename (self->folder, NAME, NULL);
  self->path = g_strdup (g_getenv ("PATH"));
  g_setenv ("PATH", self->folder, TRUE);
}

static void
tear_down (Rig *self, gconstpointer data)
{
  g_setenv ("PATH", self->path, TRUE);
  g_unlink (self->program);
  g_rmdir (self->folder);
  g_free (self->path);
  g_free (self->program);
  g_free (self->folder);
}

static void
install (Rig *self)
{
  g_autofree char *itself = g_file_read_link ("/proc/self/exe", NULL);

  g_assert_cmpint (symlink (itself, self->program), ==, 0);
}

/* until its input ends. It runs once it answers */
static GSubprocess *
start (Rig *self, const char *display)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                        &error, self->program, "-rootless", display, NULL);
  char answer;

  g_assert_no_error (error);
  g_input_stream_read (g_subprocess_get_stdout_pipe (process), &answer, 1, NULL, &error);
  g_assert_no_error (error);
  return process;
}

static void
stop (GSubprocess *process)
{
  g_output_stream_close (g_subprocess_get_stdin_pipe (process), NULL, NULL);
  g_subprocess_wait (process, NULL, NULL);
}

static gboolean
is_one_of (pid_t pid)
{
  g_autoptr (GArray) parents = clip_xwayland_parents ();

  for (guint i = 0; i < parents->len; i++)
    if (g_array_index (parents, guint, i) == (guint) pid)
      return TRUE;
  return FALSE;
}

static gboolean
is_ours_running (void)
{
  return is_one_of (getpid ());
}

static void
test_one_that_runs_is_found (Rig *self, gconstpointer data)
{
  g_autoptr (GSubprocess) process = NULL;

  install (self);
  g_assert_false (is_ours_running ());
  process = start (self, ":76543");
  g_assert_true (is_ours_running ());
  stop (process);
  g_assert_false (is_ours_running ());
}

/* as wlroots does it, so that it is no child of the compositor's */
static void
test_one_that_was_let_go_is_found (Rig *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) shell = NULL;
  GInputStream *output;
  char answer;

  install (self);
  g_assert_false (is_one_of (getpgrp ()));
  shell = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "/bin/sh",
      "-c", "exec 3<&0; \"$0\" <&3 &", self->program, NULL);
  g_assert_no_error (error);
  output = g_subprocess_get_stdout_pipe (shell);
  g_input_stream_read (output, &answer, 1, NULL, &error);
  g_assert_no_error (error);
  g_subprocess_wait (shell, NULL, NULL);
  g_assert_true (is_one_of (getpgrp ()));
  g_output_stream_close (g_subprocess_get_stdin_pipe (shell), NULL, NULL);
  while (g_input_stream_read (output, &answer, 1, NULL, NULL) > 0)
    ;
}

static void
on_started (gpointer n_started)
{
  ++*(guint *) n_started;
}

static void
test_one_that_starts_is_heard_of (Rig *self, gconstpointer data)
{
  guint n_started = 0;
  ClipXwaylandWatch *watch;

  install (self);
  watch = clip_xwayland_watch_new (on_started, &n_started);
  g_assert_nonnull (watch);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GSubprocess) process = NULL;

      while (g_main_context_iteration (NULL, FALSE))
        ;
      n_started = 0;
      process = start (self, ":76543");
      wait_until (n_started > 0);
      stop (process);
    }
  clip_xwayland_watch_free (watch);
}

static void
test_none_is_there (Rig *self, gconstpointer data)
{
  g_assert_null (clip_xwayland_watch_new (on_started, NULL));
}

#define add(name, test) g_test_add ("/xwayland/" name, Rig, NULL, set_up, test, tear_down)

int
main (int argc, char *argv[])
{
  if (g_str_has_suffix (argv[0], "/" NAME))
    return puts ("it runs") < 0 || fflush (stdout) != 0 || getchar () != EOF;
  g_test_init (&argc, &argv, NULL);
  add ("one-that-runs-is-found-by-who-has-started-it", test_one_that_runs_is_found);
  add ("one-that-its-starter-has-let-go-is-found-by-its-group",
       test_one_that_was_let_go_is_found);
  add ("one-that-starts-is-heard-of", test_one_that_starts_is_heard_of);
  add ("none-is-there", test_none_is_there);
  return g_test_run ();
}
