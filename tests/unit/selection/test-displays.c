/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which of several ways to the clipboard is taken, and how often: but for one, no
 * compositor here has data control. */
#include "clip-displays.h"
#include "fake-mutter.h"
#include "later-clock.h"
#include "play.h"
#include "private-bus.h"
#ifdef CLIP_HAVE_X11
#  include "x11-peer.h"
#  include "x11-rig.h"
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct
{
  GTestDBus *daemon;
  FakeMutter *mutter;
  ClipDisplays *displays;
  char *name;         /* of what is watched; NULL = nothing */
  gboolean is_beside; /* and an X server below it */
  gboolean is_searched;
  gboolean was_unwatched;
} Rig;

static void
on_connected (ClipDisplays *displays, ClipBackend *backend, Rig *rig)
{
  if (rig->name)
    {
      g_assert_cmpstr (clip_backend_name (backend), ==, "x11");
      g_assert_false (rig->is_beside);
      rig->is_beside = TRUE;
      return;
    }
  rig->name = g_strdup (clip_backend_name (backend));
  rig->was_unwatched = clip_backend_was_unwatched (backend);
}

static void
on_disconnected (ClipDisplays *displays, ClipBackend *backend, Rig *rig)
{
  if (rig->is_beside)
    {
      g_assert_cmpstr (clip_backend_name (backend), ==, "x11");
      rig->is_beside = FALSE;
      return;
    }
  g_assert_cmpstr (rig->name, ==, clip_backend_name (backend));
  g_clear_pointer (&rig->name, g_free);
}

static void
on_searched (ClipDisplays *displays, Rig *rig)
{
  rig->is_searched = TRUE;
}

static void
come (Rig *rig, FakeMutterTraits traits)
{
  rig->mutter = fake_mutter_new (g_test_dbus_get_bus_address (rig->daemon), traits);
}

static void
set_up (Rig *rig, gconstpointer data)
{
  rig->daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  private_bus_up (rig->daemon);
  rig->displays = clip_displays_new ();
  g_signal_connect (rig->displays, "connected", G_CALLBACK (on_connected), rig);
  g_signal_connect (rig->displays, "disconnected", G_CALLBACK (on_disconnected), rig);
  g_signal_connect (rig->displays, "searched", G_CALLBACK (on_searched), rig);
}

static void
drop_displays (Rig *rig)
{
  /* a display that is being tried holds it, and would tell the next rig */
  if (rig->displays)
    g_object_run_dispose (G_OBJECT (rig->displays));
  g_clear_object (&rig->displays);
}

static void
tear_down (Rig *rig, gconstpointer data)
{
  drop_displays (rig);
  g_clear_pointer (&rig->mutter, fake_mutter_free);
  g_free (rig->name);
  g_test_dbus_down (rig->daemon);
  g_object_unref (rig->daemon);
}

static void
await (Rig *rig, const char *name)
{
  while (g_strcmp0 (rig->name, name) != 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_mutter_is_found (Rig *rig, gconstpointer data)
{
  come (rig, FAKE_MUTTER_43);
  clip_displays_start (rig->displays);
  await (rig, "mutter");
  g_assert_null (clip_displays_refusal (rig->displays));
}

static void
test_mutter_comes_later_and_again (Rig *rig, gconstpointer data)
{
  clip_displays_start (rig->displays);
  come (rig, FAKE_MUTTER_51);
  await (rig, "mutter");
  g_clear_pointer (&rig->mutter, fake_mutter_free);
  await (rig, NULL);
  come (rig, FAKE_MUTTER_43);
  await (rig, "mutter");
}

/* as one that is locked does; once it unlocks, it is asked again */
static void
test_refusal_is_known (Rig *rig, gconstpointer data)
{
  come (rig, FAKE_MUTTER_NO_CLIPBOARD);
  clip_displays_start (rig->displays);
  while (!clip_displays_refusal (rig->displays))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (clip_displays_refusal (rig->displays), ==,
                   "enable the clipboard: not for you");
  g_assert_null (rig->name);
  fake_mutter_set_traits (rig->mutter, FAKE_MUTTER_43);
  fake_mutter_unlock (rig->mutter);
  await (rig, "mutter");
  g_assert_null (clip_displays_refusal (rig->displays));
}

/* longer and longer waits would go on for minutes otherwise */
static void
test_unlocking_is_heard (Rig *rig, gconstpointer data)
{
  come (rig, FAKE_MUTTER_43);
  clip_displays_start (rig->displays);
  await (rig, "mutter");
  fake_mutter_lock (rig->mutter);
  for (guint i = 0; i < 12; i++)
    {
      const guint n = fake_mutter_n_refused (rig->mutter);

      fake_mutter_say_unlocked (rig->mutter);
      while (fake_mutter_n_refused (rig->mutter) == n)
        g_main_context_iteration (NULL, TRUE);
    }
}

/* the session is closed for a while, the display is not lost */
static void
test_locked_screen_is_no_loss (Rig *rig, gconstpointer data)
{
  come (rig, FAKE_MUTTER_43);
  clip_displays_start (rig->displays);
  await (rig, "mutter");
  fake_mutter_lock (rig->mutter);
  while (fake_mutter_n_refused (rig->mutter) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (rig->name, ==, "mutter");
  fake_mutter_unlock (rig->mutter);
  while (fake_mutter_n_sessions (rig->mutter) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (rig->name, ==, "mutter");
}

#define N_TRIES 5

typedef struct
{
  gint64 tried_us[N_TRIES];
  guint n;
} Tries;

/* somebody who hangs up at once */
static gboolean
on_tried (GSocketService *service,
          GSocketConnection *connection,
          GObject *source,
          gpointer user_data)
{
  Tries *tries = user_data;

  if (tries->n < N_TRIES)
    tries->tried_us[tries->n++] = g_get_monotonic_time ();
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
  return TRUE;
}

/* once at the start, once again without a wait, then after 100 ms, 200, and so on */
static void
test_later_and_later (Rig *rig, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("clip-displays-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "hangs-up", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (GError) error = NULL;
  Tries tries = { 0 };

  g_socket_listener_add_address (G_SOCKET_LISTENER (service), address,
                                 G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL,
                                 NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (service, "incoming", G_CALLBACK (on_tried), &tries);
  g_setenv ("WAYLAND_DISPLAY", path, TRUE);
  clip_displays_start (rig->displays);
  while (tries.n < N_TRIES)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 2; i < N_TRIES; i++)
    g_assert_cmpint (tries.tried_us[i] - tries.tried_us[i - 1], >=,
                     (50 << (i - 1)) * G_TIME_SPAN_MILLISECOND - 5000);
  g_assert_null (rig->name);
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_unlink (path);
  g_rmdir (folder);
}

/* as one that stands still for minutes: its socket does not change */
static void
test_tried_for_ever (Rig *rig, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("clip-displays-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "no-display", NULL);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  g_setenv ("WAYLAND_DISPLAY", path, TRUE);
  clip_displays_start (rig->displays);
  for (int i = 0; i < 20; i++)
    {
      rig->is_searched = FALSE;
      while (!rig->is_searched)
        g_main_context_iteration (NULL, TRUE);
      g_atomic_int_add (&later_s, 600);
    }
  g_unlink (path);
  g_rmdir (folder);
}

static gboolean
on_hung_up (GSocketService *service,
            GSocketConnection *connection,
            GObject *source,
            gpointer user_data)
{
  g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
  return TRUE;
}

/* the caller knows better than the environment, whose display is being tried just then */
static void
test_told_of_another_meanwhile (Rig *rig, gconstpointer data)
{
  g_autofree char *folder = g_dir_make_tmp ("clip-displays-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "old", NULL);
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (path);
  g_autoptr (GSocketService) service = g_socket_service_new ();
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  const char *const told[] = { "WAYLAND_DISPLAY", play_display (play), NULL };
  g_autoptr (GError) error = NULL;

  g_socket_listener_add_address (G_SOCKET_LISTENER (service), address,
                                 G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, NULL,
                                 NULL, &error);
  g_assert_no_error (error);
  g_signal_connect (service, "incoming", G_CALLBACK (on_hung_up), NULL);
  g_setenv ("WAYLAND_DISPLAY", path, TRUE);
  clip_displays_start (rig->displays);
  g_assert_true (clip_displays_look_at (rig->displays, told));
  g_assert_cmpstr (g_getenv ("WAYLAND_DISPLAY"), ==, path);
  while (!rig->is_searched)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (rig->name, ==, "ext");
  g_assert_false (clip_displays_look_at (rig->displays, told));
  g_socket_service_stop (service);
  g_socket_listener_close (G_SOCKET_LISTENER (service));
  g_unlink (path);
  g_rmdir (folder);
}

static void
note_primary (ClipBackend *backend, ClipOffer *offer, gboolean *has_primary)
{
  if (clip_offer_selection (offer) == CLIP_SELECTION_PRIMARY)
    *has_primary = TRUE;
}

static void
follow_primary (ClipDisplays *displays, ClipBackend *backend, gboolean *has_primary)
{
  g_signal_connect (backend, "offered", G_CALLBACK (note_primary), has_primary);
}

/* the setting is read again while a display is being connected to */
static void
test_primary_is_wanted_meanwhile (Rig *rig, gconstpointer data)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  const char *const told[] = { "WAYLAND_DISPLAY", play_display (play), NULL };
  gboolean has_primary = FALSE;

  g_setenv ("WAYLAND_DISPLAY", "wayland-without-data-control", TRUE);
  g_signal_connect (rig->displays, "connected", G_CALLBACK (follow_primary),
                    &has_primary);
  clip_displays_start (rig->displays);
  while (!rig->is_searched)
    g_main_context_iteration (NULL, TRUE); /* the bus has answered, too */
  g_assert_true (clip_displays_look_at (rig->displays, told));
  clip_displays_set_primary (rig->displays, TRUE);
  await (rig, "ext");
  g_free (play_tell (play, "primary offer text/plain=a"));
  while (!has_primary)
    g_main_context_iteration (NULL, TRUE);
  drop_displays (rig);
}

/* as a compositor may do to whoever does what it does not like, or that falls whenever it
 * has come up; and what happens beside it is no reason to hurry. Where it is not back at
 * once, what is found there may be anything, but for one that has just begun. */
static void
test_short_connections (Rig *rig, gconstpointer data)
{
  g_autofree char *beside =
      g_build_filename (g_get_user_runtime_dir (), "something-else", NULL);
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  g_autofree char *other =
      g_build_filename (g_get_user_runtime_dir (), "wayland-x", NULL);
  gint64 lost_us = 0;

  g_setenv ("WAYLAND_DISPLAY", play_display (play), TRUE);
  clip_displays_start (rig->displays);
  for (guint i = 0; i < N_TRIES; i++)
    {
      gboolean is_bound = FALSE;

      await (rig, "ext");
      g_assert_cmpint (rig->was_unwatched, ==, i >= 2);
      if (i >= 2)
        g_assert_cmpint (g_get_monotonic_time () - lost_us, >=,
                         (50 << (i - 1)) * G_TIME_SPAN_MILLISECOND - 5000);
      while (!is_bound)
        {
          g_autofree char *answer = play_tell (play, "stats");

          is_bound = g_str_has_prefix (answer, "devices=1");
        }
      g_free (play_tell (play, "error"));
      await (rig, NULL);
      lost_us = g_get_monotonic_time ();
      g_assert_true (g_file_set_contents (beside, "", 0, NULL));
    }
  g_assert_true (g_file_set_contents (other, "", 0, NULL));
  await (rig, "ext");
  g_assert_false (rig->was_unwatched);
  g_unlink (other);
  g_unlink (beside);
}

#ifdef CLIP_HAVE_X11
/* as one that is starting on a busy machine: who copies there is not on his own for the
   rest of the day */
static void
test_x_server_that_does_not_answer_yet (Rig *rig, gconstpointer data)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  g_autoptr (XServer) server = xserver_start (NULL);
  g_autoptr (X11Peer) peer G_GNUC_UNUSED = x11_peer_new (server->display);

  g_setenv ("WAYLAND_DISPLAY", play_display (play), TRUE);
  g_setenv ("DISPLAY", server->display, TRUE);
  kill (server->program->pid, SIGSTOP);
  clip_displays_start (rig->displays);
  await (rig, "ext");
  g_assert_false (rig->is_beside);
  kill (server->program->pid, SIGCONT);
  while (!rig->is_beside)
    g_free (play_tell (play, "offer text/plain=a"));
  drop_displays (rig);
  g_unsetenv ("DISPLAY");
}

static guint n_looks; /* for an X server below a compositor */

/* in place of GLib's */
gboolean
g_file_get_contents (const char *path, char **contents, gsize *length, GError **error)
{
  gboolean (*real) (const char *, char **, gsize *, GError **) =
      dlsym (RTLD_NEXT, "g_file_get_contents");

  n_looks += g_str_equal (path, "/proc/net/unix");
  return real (path, contents, length, error);
}

/* who comes next waits there until the server takes somebody in */
static void
fill_queue (const XServer *server)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  gboolean has_room = TRUE;

  g_snprintf (address.sun_path, sizeof address.sun_path, "/tmp/.X11-unix/X%s",
              server->display + 1);
  while (has_room)
    {
      int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

      has_room = connect (fd, (struct sockaddr *) &address, sizeof address) == 0;
      g_assert_true (has_room || errno == EAGAIN);
      close (fd);
    }
}

static void
count_offer (ClipBackend *backend, ClipOffer *offer, guint *n)
{
  (*n)++;
}

static void
follow_offers (ClipDisplays *displays, ClipBackend *backend, guint *n)
{
  g_signal_connect (backend, "offered", G_CALLBACK (count_offer), n);
}

/* each look takes 0.2 s then: not one for each of the selections of a drag */
static void
test_x_server_that_stands_still (Rig *rig, gconstpointer data)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  g_autoptr (XServer) server = xserver_start (NULL);
  g_autoptr (X11Peer) peer G_GNUC_UNUSED = x11_peer_new (server->display);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  gint64 begun_us, looks_due;
  guint n_offered = 0;

  g_setenv ("WAYLAND_DISPLAY", play_display (play), TRUE);
  /* where an Xwayland starts, of another test, too, it is looked for at once */
  g_setenv ("PATH", "/", TRUE);
  kill (server->program->pid, SIGSTOP);
  fill_queue (server);
  g_signal_connect (rig->displays, "connected", G_CALLBACK (follow_offers), &n_offered);
  begun_us = g_get_monotonic_time ();
  n_looks = 0;
  clip_displays_start (rig->displays);
  await (rig, "ext");
  for (guint n = 1; n <= 10; n++)
    {
      g_free (play_tell (play, "offer text/plain=a"));
      while (n_offered < n)
        g_main_context_iteration (NULL, TRUE);
    }
  looks_due = 1 + (g_get_monotonic_time () - begun_us) / G_USEC_PER_SEC;
  g_assert_cmpuint (n_looks, >=, 1);
  g_assert_cmpuint (n_looks, <=, looks_due);
  g_setenv ("PATH", path, TRUE);
  kill (server->program->pid, SIGCONT);
  drop_displays (rig);
}

/* nothing is copied on Wayland meanwhile, which would look for it as well */
static void
test_x_server_that_starts_slowly (Rig *rig, gconstpointer data)
{
  g_autoptr (Play) play = play_start (CLIP_TEST_COMPOSITOR, "ext", 1);
  g_autoptr (XServer) server = xserver_start (NULL);
  g_autoptr (X11Peer) peer G_GNUC_UNUSED = x11_peer_new (server->display);
  g_autofree char *path = g_strdup (g_getenv ("PATH"));
  g_autofree char *folder = g_dir_make_tmp ("clip-displays-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (folder, "Xwayland", NULL);

  g_assert_true (
      g_file_set_contents_full (program, "", 0, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_setenv ("WAYLAND_DISPLAY", play_display (play), TRUE);
  g_setenv ("PATH", folder, TRUE);
  clip_displays_start (rig->displays);
  await (rig, "ext");
  kill (server->program->pid, SIGSTOP);
  g_setenv ("DISPLAY", server->display, TRUE);
  n_looks = 0;
  close (g_open (program, O_RDONLY | O_CLOEXEC)); /* as it is run */
  while (n_looks == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (rig->is_beside);
  kill (server->program->pid, SIGCONT);
  while (!rig->is_beside)
    g_main_context_iteration (NULL, TRUE);
  drop_displays (rig);
  g_unsetenv ("DISPLAY");
  g_setenv ("PATH", path, TRUE);
  g_unlink (program);
  g_rmdir (folder);
}

static void
test_windows_that_another_program_destroys (Rig *rig, gconstpointer data)
{
  g_autoptr (XServer) server = xserver_start (NULL);
  g_autoptr (X11Peer) peer = x11_peer_new (server->display);

  g_setenv ("WAYLAND_DISPLAY", "wayland-without-data-control", TRUE);
  g_setenv ("DISPLAY", server->display, TRUE);
  clip_displays_start (rig->displays);
  await (rig, "x11");
  x11_peer_shut_windows_of_others (peer);
  await (rig, NULL);
  await (rig, "x11");
  drop_displays (rig);
  g_unsetenv ("DISPLAY");
}
#endif

static void
add (const char *path, void (*test) (Rig *, gconstpointer))
{
  g_test_add (path, Rig, NULL, set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("clip-displays-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_setenv ("WAYLAND_DISPLAY", "wayland-without-data-control", TRUE);
  g_unsetenv ("DISPLAY");
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("/displays/mutter-is-found", test_mutter_is_found);
  add ("/displays/mutter-comes-later-and-again", test_mutter_comes_later_and_again);
  add ("/displays/refusal-is-known", test_refusal_is_known);
  add ("/displays/unlocking-is-heard", test_unlocking_is_heard);
  add ("/displays/locked-screen-is-no-loss", test_locked_screen_is_no_loss);
  add ("/displays/tried-at-once-and-then-later-and-later", test_later_and_later);
  add ("/displays/told-of-another-meanwhile", test_told_of_another_meanwhile);
  add ("/displays/primary-is-wanted-meanwhile", test_primary_is_wanted_meanwhile);
  add ("/displays/what-ends-each-connection-is-tried-later-and-later",
       test_short_connections);
#ifdef CLIP_HAVE_X11
  add ("/displays/x-server-that-does-not-answer-yet",
       test_x_server_that_does_not_answer_yet);
  add ("/displays/x-server-that-stands-still-is-looked-for-once-a-second",
       test_x_server_that_stands_still);
  add ("/displays/x-server-that-starts-slowly-is-watched-before-the-next-copy",
       test_x_server_that_starts_slowly);
  add ("/displays/windows-that-another-program-destroys",
       test_windows_that_another_program_destroys);
#endif
  /* the last one: a wait for a condition does not go by that clock */
  add ("/displays/one-that-is-there-is-tried-for-ever", test_tried_for_ever);
  status = g_test_run ();
  g_rmdir (folder);
  return status;
}
