/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-fd.h"
#include "desk.h"
#include "wait-until.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static void
assert_dead (Desk *desk)
{
  static const char *const mimes[] = { "text/plain", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) receive_error = NULL;
  clip_autofd int read_fd = -1;

  g_assert_false (desk_own (desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  clip_backend_disown (desk->backend, CLIP_SELECTION_CLIPBOARD);
  desk_receive_from (desk, desk->offer, "text/plain", &read_fd, &receive_error);
  g_assert_error (receive_error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

static void
test_quit_disconnects (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_own_text (desk);
  desk_expect (desk, DESK_OWN_TEXT);
  play_write (desk->play, "quit\n");
  desk_expect (desk, "disconnected: compositor has gone");
  g_assert_cmpuint (desk->n_cancelled, ==, 0); /* nobody else owns it */
  assert_dead (desk);
}

static void
test_last_copy_before_the_end (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  play_write (desk->play, "offer text/plain=a\nquit\n");
  desk_expect (desk, "offered text/plain");
  desk_expect (desk, "disconnected: compositor has gone");
}

static void
test_error_disconnects (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);
  g_autofree char *event = NULL;

  desk_tell (desk, "offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  desk_tell (desk, "error");
  while (!(event = g_queue_pop_head (desk->events)))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (
      g_str_has_prefix (event, "disconnected: compositor reported error 7 on "));
  g_assert_nonnull (strstr (event, "_data_control_manager_v1#"));
  assert_dead (desk);
}

static void
test_withdrawal_disconnects (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  desk_tell (desk, "offer text/plain=a");
  desk_expect (desk, "offered text/plain");
  desk_tell (desk, "withdraw");
  desk_expect (desk, "disconnected: compositor withdrew data control");
  assert_dead (desk);
}

static void
on_offered_let_go (ClipBackend *backend, ClipOffer *offer, Desk *desk)
{
  g_clear_object (&desk->backend);
}

/* no second offer: libwayland loses the object that an event brings when nobody hears it
 */
static void
test_let_go_in_its_own_signal (const void *protocol)
{
  g_autoptr (Desk) desk = desk_at (protocol, 1);

  g_signal_connect (desk->backend, "offered", G_CALLBACK (on_offered_let_go), desk);
  play_write (desk->play, "offer text/plain=a\nclear\nfinished\n");
  desk_expect (desk, "offered text/plain");
  desk_await_answer (desk, "types", "");
  g_assert_null (desk->backend);
}

/* starting */

static void
on_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
assert_start_fails (const char *display,
                    GCancellable *cancellable,
                    GQuark domain,
                    int code,
                    const char *message)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_wayland_new_async (display, FALSE, cancellable, on_started, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (clip_wayland_new_finish (result, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, message));
}

static void
assert_no_backend (const char *display, const char *message)
{
  assert_start_fails (display, NULL, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, message);
}

/* takes the 2 s that a compositor is given */
static void
test_without_an_answer (void)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);

  play_signal (play, SIGSTOP);
  assert_no_backend (play_display (play), "compositor does not answer");
}

static void
test_start_cancelled (void)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  assert_start_fails (play_display (play), cancellable, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                      "");
}

static void
test_without_data_control (void)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "none", 1);

  assert_no_backend (play_display (play), "compositor has no data-control protocol");
}

static void
test_without_compositor (void)
{
  assert_no_backend ("/nowhere/wayland-0", "/nowhere/wayland-0");
}

static GMutex socket_lock;
static gboolean is_held; /* guarded by it */
static GCond socket_changed;
static int n_found; /* atomic */
static int n_asked; /* atomic: for where it lies, on the thread that looks for it */

/* instead of libc's, GLib's too: the main loop may change the environment meanwhile */
char *
getenv (const char *name)
{
  const size_t length = strlen (name);
  char called[16] = "";

  pthread_getname_np (pthread_self (), called, sizeof called);
  /* GLib 2.84 asks for one of its own there */
  if (strcmp (called, "clip-wayland") == 0 &&
      (g_str_has_prefix (name, "WAYLAND_") || g_str_has_prefix (name, "XDG_")))
    g_atomic_int_inc (&n_asked);
  for (char **entry = environ; entry && *entry; entry++)
    if (strncmp (*entry, name, length) == 0 && (*entry)[length] == '=')
      return *entry + length + 1;
  return NULL;
}

/* instead of libc's: one that lies on a file system which does not answer */
int
connect (int fd, const struct sockaddr *address, socklen_t length)
{
  const char *path = ((const struct sockaddr_un *) address)->sun_path;

  if (!g_str_has_prefix (path, "/held/"))
    return (int) syscall (SYS_connect, fd, address, length);
  g_mutex_lock (&socket_lock);
  while (is_held)
    g_cond_wait (&socket_changed, &socket_lock);
  g_mutex_unlock (&socket_lock);
  g_atomic_int_inc (&n_found);
  errno = EIO;
  return -1;
}

static void
assert_failed (GAsyncResult *result, const char *message)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_wayland_new_finish (result, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_nonnull (strstr (error->message, message));
  g_object_unref (result);
}

/* each is waited for as long as a compositor that does not answer, on a thread */
static void
test_socket_that_is_not_found (void)
{
  GAsyncResult *results[9] = { NULL };

  is_held = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    clip_wayland_new_async ("/held/wayland-0", FALSE, NULL, on_started, &results[i]);
  wait_until (results[8]);
  assert_failed (results[8], "8 others have not answered yet");
  for (guint i = 0; i < 8; i++)
    {
      wait_until (results[i]);
      assert_failed (results[i], "compositor does not answer");
    }
  g_mutex_lock (&socket_lock);
  is_held = FALSE;
  g_cond_broadcast (&socket_changed);
  g_mutex_unlock (&socket_lock);
  /* what they find then is not wanted any more */
  wait_until (g_atomic_int_get (&n_found) == 8);
  g_assert_cmpint (g_atomic_int_get (&n_asked), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  alarm (50); /* whatever is waited for in vain */
  DESK_TEST ("/wayland", "quit-disconnects", test_quit_disconnects);
  DESK_TEST ("/wayland", "last-copy-before-the-end", test_last_copy_before_the_end);
  DESK_TEST ("/wayland", "error-disconnects", test_error_disconnects);
  DESK_TEST ("/wayland", "withdrawal-disconnects", test_withdrawal_disconnects);
  DESK_TEST ("/wayland", "let-go-in-its-own-signal", test_let_go_in_its_own_signal);
  g_test_add_func ("/wayland/without-an-answer", test_without_an_answer);
  g_test_add_func ("/wayland/start-cancelled", test_start_cancelled);
  g_test_add_func ("/wayland/without-data-control", test_without_data_control);
  g_test_add_func ("/wayland/without-compositor", test_without_compositor);
  g_test_add_func ("/wayland/socket-that-is-not-found", test_socket_that_is_not_found);
  return g_test_run ();
}
