/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One end of a transfer: what kind of thing a descriptor is, and how to read and write it
 * without waiting for the other end. Most descriptors are shared with another process, so
 * O_NONBLOCK is out of the question: it would become theirs too. Sockets have
 * MSG_DONTWAIT instead, pipes RWF_NOWAIT or splice(2). What is left, as the terminal that
 * the command writes to, is asked for room and given little at a time. A file waits for
 * its disk, or for the program that serves it: so it is never polled, and read and
 * written on threads that may wait. A pipe that was opened by a name lies in a file
 * system, too, which to open it again would ask.
 */
#include "clip-end.h"

#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* how far ahead the page cache is asked about, at once */
#define WINDOW_BYTES ((goffset) 1024 * 1024)

/* what a device that has room at all takes without waiting: a terminal's buffers grow by
 * as much */
#define DEVICE_BYTES 256

/* what a pipe holds as it comes */
#define PIPE_BYTES ((gsize) 64 * 1024)

/* a read or write at the descriptor's own position, as opposed to a given one */
#define AT_POSITION ((off_t) -1)

static ClipEndKind
kind_of (const ClipFdLook *look)
{
  switch (look->mode & S_IFMT)
    {
    case S_IFREG:
    case S_IFBLK:
      return CLIP_END_FILE;
    case S_IFIFO:
      return CLIP_END_PIPE;
    case S_IFSOCK:
      return CLIP_END_SOCKET;
    default:
      return CLIP_END_DEVICE; /* the first read or write says what is wrong */
    }
}

/**
 * clip_end_init_source:
 * @fd: a descriptor to read from, borrowed; one that cannot be read fails at the first
 * clip_end_read()
 *
 * A file is read from where it stands, and left standing there: a process that shares the
 * descriptor notices nothing.
 */
void
clip_end_init_source (ClipEnd *self, int fd)
{
  ClipFdLook look;

  clip_fd_look (fd, &look);
  *self = (ClipEnd){ .fd = fd, .kind = kind_of (&look), .bounce_fd = -1 };
  if (self->kind == CLIP_END_FILE)
    self->start = look.at;
}

/**
 * clip_end_init_sink:
 * @fd: a descriptor to write into, borrowed; one that cannot be written fails at the
 * first clip_end_write()
 *
 * A file is written from where it stands, and left standing behind the last byte.
 */
void
clip_end_init_sink (ClipEnd *self, int fd)
{
  ClipFdLook look;

  clip_fd_look (fd, &look);
  *self = (ClipEnd){ .fd = fd, .kind = kind_of (&look), .bounce_fd = -1 };
  /* neither file nor device nor anything else with a type: an anonymous inode */
  self->is_number = (look.mode & S_IFMT) == 0;
}

/**
 * clip_end_expect_all:
 *
 * Tells the kernel that a file is read from where it stands to its end: then it reads
 * twice as far ahead, which keeps a disk busy while a program waits for a reader. (To ask
 * for 8 MiB beforehand was slower: 1.2 GiB/s instead of 2.3 on a loop device.)
 */
void
clip_end_expect_all (const ClipEnd *self)
{
  if (self->kind == CLIP_END_FILE)
    posix_fadvise (self->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
}

void
clip_end_clear (ClipEnd *self)
{
  if (self->bounce_fd >= 0)
    close (self->bounce_fd);
  self->bounce_fd = -1;
}

/* where splice(2) is refused: only another reader of the same pipe could make it wait */
static gssize
read_if_ready (const ClipEnd *self, void *buffer, gsize length)
{
  if (clip_end_is_ready (self, POLLIN))
    return read (self->fd, buffer, length);
  errno = EAGAIN;
  return -1;
}

/* For pipes that were opened by a name, and older kernels. Another reader may take what
 * poll(2) has seen, so the bytes go through memory: splice(2) knows how not to wait. */
static gssize
read_by_splice (ClipEnd *self, void *buffer, gsize length)
{
  loff_t start = 0;
  gssize n;

  if (self->bounce_fd < 0)
    self->bounce_fd = memfd_create ("bounce", MFD_CLOEXEC);
  if (self->bounce_fd < 0)
    return -1;
  n = splice (self->fd, NULL, self->bounce_fd, &start, length, SPLICE_F_NONBLOCK);
  if (n < 0 && (errno == ENOSYS || errno == EINVAL))
    return read_if_ready (self, buffer, length);
  return n > 0 ? pread (self->bounce_fd, buffer, (gsize) n, 0) : n;
}

static gssize
read_pipe (ClipEnd *self, void *buffer, gsize length)
{
  struct iovec vector = { .iov_base = buffer, .iov_len = length };
  gssize n = preadv2 (self->fd, &vector, 1, AT_POSITION, RWF_NOWAIT);

  return n < 0 && errno == EOPNOTSUPP ? read_by_splice (self, buffer, length) : n;
}

/* only /dev/null and its like never wait */
static gssize
read_device (const ClipEnd *self, void *buffer, gsize length)
{
  struct iovec vector = { .iov_base = buffer, .iov_len = length };
  ClipFdLook look;

  if (clip_fd_look (self->fd, &look) &&
      (S_ISDIR (look.mode) || (S_ISCHR (look.mode) && look.major == CLIP_FD_MEM_MAJOR)))
    return read (self->fd, buffer, length);
  return preadv2 (self->fd, &vector, 1, AT_POSITION, RWF_NOWAIT);
}

/**
 * clip_end_read:
 * @at: offset from where the source started, in bytes; only files heed it
 *
 * Reads at most @length bytes, never waiting for a peer.
 *
 * Returns: how many; 0 at the end; -1 with `errno`, which is `EAGAIN` where a peer has
 * nothing for us yet
 */
gssize
clip_end_read (ClipEnd *self, void *buffer, gsize length, goffset at)
{
  switch (self->kind)
    {
    case CLIP_END_FILE:
      return pread (self->fd, buffer, length, self->start + at);
    case CLIP_END_SOCKET:
      return recv (self->fd, buffer, length, MSG_DONTWAIT);
    case CLIP_END_DEVICE:
      return read_device (self, buffer, length);
    default:
      return read_pipe (self, buffer, length);
    }
}

static gssize
write_no_wait (const ClipEnd *self, const void *data, gsize length)
{
  struct iovec vector = { .iov_base = (void *) data, .iov_len = length };

  return pwritev2 (self->fd, &vector, 1, AT_POSITION, RWF_NOWAIT);
}

/* a pipe that polls writable has room for PIPE_BUF bytes */
static gssize
write_if_ready (const ClipEnd *self, const void *data, gsize length)
{
  if (clip_end_is_ready (self, POLLOUT))
    return write (self->fd, data, MIN (length, PIPE_BUF));
  errno = EAGAIN;
  return -1;
}

/* For pipes that were opened by a name, and older kernels. The pipe gets these very
 * pages, so each write has memory of its own. Where splice(2) is refused the next write
 * may block, so that one must know: nothing is written now. */
static gssize
write_by_splice (ClipEnd *self, const void *data, gsize length)
{
  clip_autofd int memory = -1;
  loff_t start = 0;
  gssize n = -1;

  errno = EAGAIN;
  if (!clip_end_is_ready (self, POLLOUT))
    return -1;
  memory = memfd_create ("bounce", MFD_CLOEXEC);
  if (memory >= 0)
    n = pwrite (memory, data, MIN (length, PIPE_BYTES), 0);
  if (n > 0)
    n = splice (memory, &start, self->fd, NULL, (gsize) n, SPLICE_F_NONBLOCK);
  self->must_guess = memory < 0 || (n < 0 && (errno == ENOSYS || errno == EINVAL));
  if (self->must_guess)
    errno = EAGAIN;
  return n;
}

static gssize
write_pipe (ClipEnd *self, const void *data, gsize length)
{
  gssize n;

  if (self->must_guess)
    return write_if_ready (self, data, length);
  n = write_no_wait (self, data, length);
  return n < 0 && errno == EOPNOTSUPP ? write_by_splice (self, data, length) : n;
}

/* a terminal; when its other side is gone while it is full, poll(2) would return at once
 * for ever, and no reader is left to make room */
static gssize
write_if_roomy (const ClipEnd *self, const void *data, gsize length)
{
  struct pollfd poller = { .fd = self->fd, .events = POLLOUT };

  if (poll (&poller, 1, 0) > 0 && poller.revents & (POLLOUT | POLLNVAL))
    return write (self->fd, data, MIN (length, DEVICE_BYTES));
  errno = poller.revents & (POLLHUP | POLLERR) ? EPIPE : EAGAIN;
  return -1;
}

static gssize
write_device (const ClipEnd *self, const void *data, gsize length)
{
  gssize n;

  if (self->is_number)
    {
      errno = EINVAL;
      return -1;
    }
  n = write_no_wait (self, data, length);
  if (n < 0 && errno == EOPNOTSUPP)
    return write_if_roomy (self, data, length);
  return n;
}

/* a reader that closes before it has read everything resets the connection: it has left,
 * as a pipe's reader does */
static gssize
write_socket (const ClipEnd *self, const void *data, gsize length)
{
  gssize n = send (self->fd, data, length, MSG_DONTWAIT | MSG_NOSIGNAL);

  if (n < 0 && errno == ECONNRESET)
    errno = EPIPE;
  return n;
}

/**
 * clip_end_write:
 *
 * Writes at most @length bytes, never waiting for a peer, except where
 * clip_end_may_block() says so.
 *
 * Returns: how many; -1 with `errno`, which is `EAGAIN` where there is no room yet and
 * `EPIPE` where the reader has left
 */
gssize
clip_end_write (ClipEnd *self, const void *data, gsize length)
{
  switch (self->kind)
    {
    case CLIP_END_PIPE:
      return write_pipe (self, data, length);
    case CLIP_END_SOCKET:
      return write_socket (self, data, length);
    case CLIP_END_DEVICE:
      return write_device (self, data, length);
    default:
      return write (self->fd, data, length);
    }
}

/* whether poll(2) has anything to say at this moment; an error counts, the next call
 * names it */
gboolean
clip_end_is_ready (const ClipEnd *self, short events)
{
  struct pollfd poller = { .fd = self->fd, .events = events };

  return poll (&poller, 1, 0) > 0;
}

static gboolean
is_byte_cached (const ClipEnd *self, goffset at)
{
  char byte;
  struct iovec vector = { .iov_base = &byte, .iov_len = 1 };

  return preadv2 (self->fd, &vector, 1, self->start + at, RWF_NOWAIT) >= 0;
}

/* only files of the kernel's shared memory have seals (fcntl(2)), and they are never
 * asked whether they are cached on kernels where it does not know RWF_NOWAIT */
static gboolean
is_in_memory (const ClipEnd *self)
{
  return fcntl (self->fd, F_GET_SEALS) >= 0;
}

/**
 * clip_end_is_cached:
 * @at: offset from where the source started, in bytes
 * @left: how many bytes are wanted from there on
 *
 * Asks about a MiB at a time, and about its borders alone: a page cache fills and empties
 * in long runs.
 *
 * Returns: whether reading the file at @at probably needs no disk; %FALSE where the file
 * system cannot tell
 */
gboolean
clip_end_is_cached (ClipEnd *self, goffset at, goffset left)
{
  goffset window = MIN (left, WINDOW_BYTES);

  if (at < self->cached_to || window <= 0)
    return TRUE;
  if (!(is_byte_cached (self, at) && is_byte_cached (self, at + window - 1)) &&
      !is_in_memory (self))
    return FALSE;
  self->cached_to = at + window;
  return TRUE;
}

/**
 * clip_end_may_block:
 *
 * Returns: whether a write into this end may hold up its thread: on a disk, or where
 * another process may fill what has just had room
 */
gboolean
clip_end_may_block (const ClipEnd *self)
{
  return self->kind == CLIP_END_FILE || self->must_guess || self->kind == CLIP_END_DEVICE;
}
