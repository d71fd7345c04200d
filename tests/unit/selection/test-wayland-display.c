/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The connection alone. Its other end is a socket of the test's own, which says nothing.
 */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-wayland-display.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <wayland-client.h>

typedef struct
{
  char *folder;
  char *path;
  int listening;
  int accepted;
  GSource *display;
  gsize n_asked; /* bytes */
  gsize n_drained;
  char *why; /* the connection was lost */
} Line;

static Line *
line_new (int backlog)
{
  Line *line = g_new0 (Line, 1);
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  line->folder = g_dir_make_tmp ("line-XXXXXX", NULL);
  line->path = g_build_filename (line->folder, "wayland-5", NULL);
  line->listening = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  line->accepted = -1;
  g_strlcpy (address.sun_path, line->path, sizeof address.sun_path);
  g_assert_no_errno (
      bind (line->listening, (struct sockaddr *) &address, sizeof address));
  g_assert_no_errno (listen (line->listening, backlog));
  return line;
}

static void
line_free (Line *line)
{
  if (line->display)
    g_source_destroy (line->display);
  g_clear_pointer (&line->display, g_source_unref);
  clip_fd_clear (&line->listening);
  clip_fd_clear (&line->accepted);
  g_unlink (line->path);
  g_rmdir (line->folder);
  g_free (line->path);
  g_free (line->folder);
  g_free (line->why);
  g_free (line);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Line, line_free)

static GSource *
open_display (const char *name, GError **error)
{
  g_autofree char *path = clip_wayland_display_find (name, error);

  return path ? clip_wayland_display_new (
                    path, clip_wayland_display_connect_on_thread (path), error)
              : NULL;
}

static Line *
line_connected (void)
{
  Line *line = line_new (1);
  g_autoptr (GError) error = NULL;

  line->display = open_display (line->path, &error);
  g_assert_no_error (error);
  line->accepted = accept4 (line->listening, NULL, NULL, SOCK_CLOEXEC);
  g_assert_cmpint (line->accepted, >=, 0);
  return line;
}

static void
on_lost (const char *why, gpointer user_data)
{
  Line *line = user_data;

  line->why = g_strdup (why);
}

/* finding it */

static void
assert_not_opened (const char *name, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_display (name, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_no_runtime_folder (void)
{
  g_unsetenv ("XDG_RUNTIME_DIR");
  assert_not_opened ("wayland-5",
                     "connect to display 'wayland-5': XDG_RUNTIME_DIR is not set");
}

static void
test_name_too_long (void)
{
  g_autofree char *name = g_strdup_printf ("/%0200d", 0);
  g_autofree char *message =
      g_strdup_printf ("connect to display '%s': File name too long", name);

  assert_not_opened (name, message);
}

static void
test_found_by_the_environment (void)
{
  g_autoptr (Line) line = line_new (2);
  g_autofree char *message = g_strdup_printf (
      "connect to display '%s/wayland-0': No such file or directory", line->folder);
  g_autoptr (GError) error = NULL;

  g_setenv ("XDG_RUNTIME_DIR", line->folder, TRUE);
  g_setenv ("WAYLAND_DISPLAY", "wayland-5", TRUE);
  line->display = open_display (NULL, &error);
  g_assert_no_error (error);
  g_unsetenv ("WAYLAND_DISPLAY");
  assert_not_opened (NULL, message);
}

/* a blocking connect() would hang here */
static void
test_full_backlog_is_an_error (void)
{
  g_autoptr (Line) line = line_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) opened =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_source_unref);

  while (!error && opened->len < 10)
    {
      GSource *display = open_display (line->path, &error);

      if (display)
        g_ptr_array_add (opened, display);
    }
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

static void
test_compositor_of_another_user_is_refused (void)
{
  g_autoptr (Line) line = line_new (0);
  g_autofree char *message = g_strdup_printf (
      "connect to display '%s': neither you nor root runs it", line->path);

  if (geteuid () != 0)
    {
      g_test_skip ("only root may be another user");
      return;
    }
  g_assert_no_errno (seteuid (65534));
  g_assert_no_errno (listen (line->listening, 1));
  g_assert_no_errno (seteuid (0));
  g_test_expect_message ("clip-selection", G_LOG_LEVEL_MESSAGE, message);
  assert_not_opened (line->path, message);
  g_test_assert_expected_messages ();
}

/* running */

static void
test_hanging_up_is_told_once (void)
{
  g_autoptr (Line) line = line_connected ();

  clip_wayland_display_watch (line->display, on_lost, line);
  clip_fd_clear (&line->accepted);
  while (!line->why)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (line->why, ==, "compositor has gone");
  g_assert_true (g_source_is_destroyed (line->display));
}

static void
test_nonsense_is_told (void)
{
  g_autoptr (Line) line = line_connected ();
  /* an event of 4 bytes, shorter than its own header */
  static const guint32 nonsense[] = { 1, 4 << 16 };

  clip_wayland_display_watch (line->display, on_lost, line);
  g_assert_cmpint (write (line->accepted, nonsense, sizeof nonsense), ==,
                   sizeof nonsense);
  clip_fd_clear (&line->accepted);
  while (!line->why)
    g_main_context_iteration (NULL, TRUE);
}

static Line *polled_line;

/* room appears only once the loop has gone to sleep */
static int
drain_and_poll (GPollFD *fds, guint n_fds, int timeout_ms)
{
  char buffer[65536];
  gssize n;

  while ((n = recv (polled_line->accepted, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
    polled_line->n_drained += (gsize) n;
  if (polled_line->n_drained == polled_line->n_asked)
    return 0;
  return g_poll (fds, n_fds, timeout_ms);
}

/* requests that found no room leave by themselves when there is some */
static void
test_flushes_when_there_is_room (void)
{
  g_autoptr (Line) line = line_connected ();
  struct wl_display *display = clip_wayland_display_get (line->display);
  g_autoptr (GError) error = NULL;

  do
    {
      wl_callback_destroy (wl_display_sync (display));
      line->n_asked += 3 * sizeof (guint32);
    }
  while (wl_display_flush (display) >= 0);
  g_assert_cmpint (errno, ==, EAGAIN);
  g_assert_true (clip_wayland_display_flush (line->display, &error));
  clip_wayland_display_watch (line->display, on_lost, line);
  while (g_main_context_iteration (NULL, FALSE))
    ; /* what else would keep it awake */
  polled_line = line;
  g_main_context_set_poll_func (NULL, drain_and_poll);
  while (line->n_drained < line->n_asked)
    g_main_context_iteration (NULL, TRUE);
  g_main_context_set_poll_func (NULL, NULL);
  g_assert_cmpuint (line->n_drained, ==, line->n_asked);
  g_assert_null (line->why);
}

static gboolean
on_urgent (int fd, GIOCondition condition, gpointer user_data)
{
  Line *line = user_data;
  char byte;

  g_assert_cmpint (read (fd, &byte, 1), ==, 1);
  if (byte == '0')
    clip_fd_clear (&line->accepted);
  return byte > '0';
}

/* a source of higher priority that is found ready by the poll keeps ours from being
 * checked: it is prepared again with its reading still announced */
static void
test_prepared_twice (void)
{
  g_autoptr (Line) line = line_connected ();
  clip_autofd int read_fd = -1;
  clip_autofd int write_fd = -1;
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  write_fd = fds[1];
  clip_wayland_display_watch (line->display, on_lost, line);
  g_unix_fd_add_full (G_PRIORITY_HIGH, read_fd, G_IO_IN, on_urgent, line, NULL);
  g_assert_cmpint (write (write_fd, "3210", 4), ==, 4);
  while (!line->why)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_dropped_while_reading (void)
{
  g_autoptr (Line) line = line_connected ();

  clip_wayland_display_watch (line->display, on_lost, line);
  g_main_context_iteration (NULL, FALSE);
  g_source_destroy (line->display);
  g_main_context_iteration (NULL, FALSE);
  g_assert_null (line->why);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* whatever is waited for in vain */
  g_test_add_func ("/wayland-display/no-runtime-folder", test_no_runtime_folder);
  g_test_add_func ("/wayland-display/name-too-long", test_name_too_long);
  g_test_add_func ("/wayland-display/found-by-the-environment",
                   test_found_by_the_environment);
  g_test_add_func ("/wayland-display/full-backlog-is-an-error",
                   test_full_backlog_is_an_error);
  g_test_add_func ("/wayland-display/compositor-of-another-user-is-refused",
                   test_compositor_of_another_user_is_refused);
  g_test_add_func ("/wayland-display/hanging-up-is-told-once",
                   test_hanging_up_is_told_once);
  g_test_add_func ("/wayland-display/nonsense-is-told", test_nonsense_is_told);
  g_test_add_func ("/wayland-display/flushes-when-there-is-room",
                   test_flushes_when_there_is_room);
  g_test_add_func ("/wayland-display/prepared-twice", test_prepared_twice);
  g_test_add_func ("/wayland-display/dropped-while-reading", test_dropped_while_reading);
  return g_test_run ();
}
