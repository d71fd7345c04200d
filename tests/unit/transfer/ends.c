/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ends.h"

#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <termios.h>

#define BLOCK_BYTES 65536

/* bytes without a pattern, so that a lost or repeated piece shows; always the same ones
 */
GBytes *
test_content_new (gsize size)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (42);
  guint8 *data = g_malloc (size + sizeof (guint32));

  for (gsize at = 0; at < size; at += sizeof (guint32))
    {
      guint32 word = g_rand_int (random);

      memcpy (data + at, &word, sizeof word);
    }
  return g_bytes_new_take (data, size);
}

GBytes *
test_zeros_new (gsize size)
{
  return g_bytes_new_take (g_malloc0 (size), size);
}

/* on a disk: /tmp may be memory */
static int
open_file (void)
{
  int fd = open ("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static int
open_device (const char *path)
{
  int fd = open (path, O_RDWR | O_NOCTTY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

static int
open_tmpfs (void)
{
  int fd = open ("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  return fd;
}

/* as raw as a terminal gets: bytes pass unchanged */
static void
open_terminal (TestEnd *self)
{
  struct termios settings;

  self->peer_fd = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  g_assert_cmpint (self->peer_fd, >=, 0);
  g_assert_cmpint (grantpt (self->peer_fd), ==, 0);
  g_assert_cmpint (unlockpt (self->peer_fd), ==, 0);
  self->fd = open_device (ptsname (self->peer_fd));
  tcgetattr (self->fd, &settings);
  cfmakeraw (&settings);
  tcsetattr (self->fd, TCSANOW, &settings);
}

static void
connect_tcp (int fds[2])
{
  clip_autofd int listener_fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = { .sin_family = AF_INET };
  socklen_t length = sizeof address;

  address.sin_addr.s_addr = htonl (INADDR_LOOPBACK);
  g_assert_cmpint (bind (listener_fd, (struct sockaddr *) &address, length), ==, 0);
  g_assert_cmpint (listen (listener_fd, 1), ==, 0);
  getsockname (listener_fd, (struct sockaddr *) &address, &length);
  fds[0] = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (connect (fds[0], (struct sockaddr *) &address, length), ==, 0);
  fds[1] = accept4 (listener_fd, NULL, NULL, SOCK_CLOEXEC);
  g_assert_cmpint (fds[1], >=, 0);
}

/* the test's own side never blocks; the pump's side does, as descriptors of strangers do
 */
static void
open_socket (TestEnd *self)
{
  int fds[2];

  if (self->kind == TEST_TCP)
    connect_tcp (fds);
  else
    g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), ==, 0);
  self->fd = fds[0];
  self->peer_fd = fds[1];
  fcntl (self->peer_fd, F_SETFL, O_NONBLOCK);
  if (self->kind == TEST_NONBLOCK_SOCKET)
    fcntl (self->fd, F_SETFL, O_NONBLOCK);
}

static void
open_pipe (TestEnd *self, gboolean is_source)
{
  int fds[2];

  g_assert_true (clip_pipe (fds, NULL));
  self->fd = fds[is_source ? 0 : 1];
  self->peer_fd = fds[is_source ? 1 : 0];
  fcntl (self->peer_fd, F_SETFL, O_NONBLOCK);
}

static void
open_fifo (TestEnd *self)
{
  g_autofree char *folder = g_dir_make_tmp ("cliphist-ends-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "fifo", NULL);

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  self->peer_fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  self->fd = open (path, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (self->fd, >=, 0);
  g_unlink (path);
  g_rmdir (folder);
}

static void
open_master (TestEnd *self)
{
  int master_fd;

  open_terminal (self);
  master_fd = self->peer_fd;
  self->peer_fd = self->fd;
  self->fd = master_fd;
  fcntl (self->fd, F_SETFL, 0);
  fcntl (self->peer_fd, F_SETFL, O_NONBLOCK);
}

static void
open_end (TestEnd *self, TestEndKind kind, gboolean is_source)
{
  *self = (TestEnd){ .kind = kind, .fd = -1, .peer_fd = -1 };
  switch (kind)
    {
    case TEST_FILE:
    case TEST_APPEND:
      self->fd = open_file ();
      break;
    case TEST_TMPFS:
      self->fd = open_tmpfs ();
      break;
    case TEST_MEMFD:
      self->fd = memfd_create ("end", MFD_CLOEXEC);
      break;
    case TEST_PIPE:
      open_pipe (self, is_source);
      break;
    case TEST_FIFO:
      open_fifo (self);
      break;
    case TEST_SOCKET:
    case TEST_NONBLOCK_SOCKET:
    case TEST_TCP:
      open_socket (self);
      break;
    case TEST_TERMINAL:
      open_terminal (self);
      break;
    case TEST_MASTER:
      open_master (self);
      break;
    case TEST_ZERO:
      self->fd = open_device ("/dev/zero");
      break;
    case TEST_NULL:
      self->fd = open_device ("/dev/null");
      break;
    case TEST_FULL:
    default:
      self->fd = open_device ("/dev/full");
      break;
    }
  if (kind == TEST_APPEND)
    fcntl (self->fd, F_SETFL, O_APPEND);
}

/* a file holds its content at once, anything else is fed by test_source_feed() */
void
test_source_init (TestEnd *self, TestEndKind kind, GBytes *content)
{
  open_end (self, kind, TRUE);
  self->content = g_bytes_ref (content);
  if (self->peer_fd < 0 && kind != TEST_ZERO)
    {
      g_assert_true (clip_write_all (self->fd, g_bytes_get_data (content, NULL),
                                     g_bytes_get_size (content), NULL));
      g_assert_cmpint (lseek (self->fd, 0, SEEK_SET), ==, 0);
    }
}

/* writes what fits; closes behind the last byte */
void
test_source_feed (TestEnd *self)
{
  const char *data = g_bytes_get_data (self->content, NULL);
  gsize left = g_bytes_get_size (self->content) - self->fed;
  gssize n = left > 0 ? write (self->peer_fd, data + self->fed, left) : 0;

  g_assert_true (n >= 0 || errno == EAGAIN);
  self->fed += (gsize) MAX (n, 0);
  if (self->fed == g_bytes_get_size (self->content))
    test_end_close_peer (self);
}

void
test_sink_init (TestEnd *self, TestEndKind kind)
{
  open_end (self, kind, FALSE);
  self->seen = g_byte_array_new ();
}

/* takes what is there */
void
test_sink_drain (TestEnd *self)
{
  guint8 block[BLOCK_BYTES];
  gssize n;

  if (self->peer_fd < 0)
    return;
  while ((n = read (self->peer_fd, block, sizeof block)) > 0)
    g_byte_array_append (self->seen, block, (guint) n);
}

/* everything that came out of a sink, or stands in it, is @content */
void
test_sink_assert (TestEnd *self, GBytes *content)
{
  test_sink_drain (self);
  if (self->peer_fd < 0 && self->seen->len == 0)
    {
      off_t size = lseek (self->fd, 0, SEEK_END);

      g_byte_array_set_size (self->seen, (guint) size);
      g_assert_true (
          clip_read_exactly (self->fd, self->seen->data, (gsize) size, 0, NULL));
    }
  g_assert_cmpmem (self->seen->data, self->seen->len, g_bytes_get_data (content, NULL),
                   g_bytes_get_size (content));
}

void
test_end_close_peer (TestEnd *self)
{
  clip_fd_clear (&self->peer_fd);
}

void
test_end_clear (TestEnd *self)
{
  clip_fd_clear (&self->fd);
  clip_fd_clear (&self->peer_fd);
  g_clear_pointer (&self->content, g_bytes_unref);
  g_clear_pointer (&self->seen, g_byte_array_unref);
}
