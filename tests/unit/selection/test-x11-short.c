/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An X server without BIG-REQUESTS takes requests of 256 KiB at most. There is none to be
 * had any more, so a relay hides the extension: whoever asks for it asks for one that
 * nobody knows. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clip-fd.h"
#include "x11-owner-rig.h"

#define MIB ((gsize) 1 << 20)
#define EXTENSION "BIG-REQUESTS"
#define NOBODY_KNOWS "NIX-REQUESTS"

static XServer *server;

typedef struct
{
  char *path;
  XServer face; /* what the backend connects to */
  int listen_fd;
  int server_fd;
  int n_hidden;
  GThread *thread;
} Relay;

static int
open_socket (struct sockaddr_un *address, const char *path)
{
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  g_assert_cmpint (fd, >=, 0);
  *address = (struct sockaddr_un){ .sun_family = AF_UNIX };
  g_strlcpy (address->sun_path, path, sizeof address->sun_path);
  return fd;
}

/* FALSE: one side has hung up */
static gboolean
pass_on (Relay *self, int from_fd, int to_fd)
{
  char block[65536];
  gssize n = read (from_fd, block, sizeof block);
  char *found;

  if (n <= 0)
    return FALSE;
  while (to_fd == self->server_fd &&
         (found = memmem (block, (gsize) n, EXTENSION, strlen (EXTENSION))))
    {
      memcpy (found, NOBODY_KNOWS, strlen (NOBODY_KNOWS));
      g_atomic_int_inc (&self->n_hidden);
    }
  return clip_write_all (to_fd, block, (gsize) n, NULL);
}

static gpointer
relay (gpointer data)
{
  Relay *self = data;
  clip_autofd int client_fd = accept4 (self->listen_fd, NULL, NULL, SOCK_CLOEXEC);
  struct pollfd ends[] = { { client_fd, POLLIN, 0 }, { self->server_fd, POLLIN, 0 } };

  while (poll (ends, 2, -1) > 0 || errno == EINTR)
    if ((ends[0].revents && !pass_on (self, client_fd, self->server_fd)) ||
        (ends[1].revents && !pass_on (self, self->server_fd, client_fd)))
      break;
  shutdown (self->server_fd, SHUT_RDWR);
  return NULL;
}

/* under the first number that nobody has */
static void
listen_somewhere (Relay *self)
{
  struct sockaddr_un address;

  for (int number = 1000; !self->path; number++)
    {
      g_autofree char *path = g_strdup_printf ("/tmp/.X11-unix/X%d", number);

      g_clear_pointer (&self->face.display, g_free);
      clip_fd_clear (&self->listen_fd);
      self->face.display = g_strdup_printf (":%d", number);
      self->listen_fd = open_socket (&address, path);
      if (bind (self->listen_fd, (struct sockaddr *) &address, sizeof address) == 0)
        self->path = g_steal_pointer (&path);
      else
        g_assert_cmpint (errno, ==, EADDRINUSE);
    }
  g_assert_cmpint (listen (self->listen_fd, 1), ==, 0);
}

/* for one connection */
static Relay *
relay_new (void)
{
  Relay *self = g_new0 (Relay, 1);
  g_autofree char *server_path =
      g_strconcat ("/tmp/.X11-unix/X", server->display + 1, NULL);
  struct sockaddr_un address;

  self->listen_fd = -1;
  listen_somewhere (self);
  self->server_fd = open_socket (&address, server_path);
  g_assert_cmpint (
      connect (self->server_fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  self->thread = g_thread_new ("relay", relay, self);
  return self;
}

/* its client has hung up */
static void
relay_free (Relay *self)
{
  g_thread_join (self->thread);
  close (self->listen_fd);
  close (self->server_fd);
  unlink (self->path);
  g_free (self->face.display);
  g_free (self->path);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Relay, relay_free)

static void
test_short_requests_suffice_to_be_pasted_from (void)
{
  g_autoptr (Relay) relay = relay_new ();
  g_autoptr (Owner) owner G_GNUC_UNUSED =
      owner_new_for (ear_new (&relay->face, FALSE), MIB);

  g_assert_cmpint (g_atomic_int_get (&relay->n_hidden), >, 0);
  owner_assert_pastes (server, "xclip -o -selection clipboard -t image/png", "image/png",
                       MIB);
}

static void
test_short_requests_suffice_to_paste (void)
{
  g_autoptr (Relay) relay = relay_new ();
  g_autoptr (Ear) ear = ear_new (&relay->face, FALSE);
  g_autoptr (Program) owner G_GNUC_UNUSED = xserver_run (
      server, "head -c 1048576 /dev/zero | exec xclip -i -quiet -selection clipboard "
              "-target image/png");
  g_autoptr (Take) take = NULL;
  g_autoptr (GBytes) bytes = NULL;

  until (ear->offer && clip_offer_has_mime (ear->offer, "image/png"));
  take = take_new (ear, "image/png");
  bytes = clip_read_to_end (take_fd (take), 2 * MIB, NULL);
  until (take->done);
  g_assert_no_error (take->error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, MIB);
}

static const RigTest tests[] = {
  { "/x11/short-requests-suffice-to-be-pasted-from",
    test_short_requests_suffice_to_be_pasted_from },
  { "/x11/short-requests-suffice-to-paste", test_short_requests_suffice_to_paste },
};

int
main (int argc, char *argv[])
{
  return rig_main (argc, argv, &server, tests, G_N_ELEMENTS (tests));
}
