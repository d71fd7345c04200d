/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Contents from real pipes and files, and the limits that are set to them. */
#include "clip-receive.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "few-descriptors.h"
#include "hoard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* more than is received in memory */
#define LARGE_BYTES (3 * CLIP_INLINE_BYTES)

typedef struct
{
  Hoard *hoard;
  ClipTransfers *transfers;
  gboolean is_done;
  ClipStagedContent *received;
  GError *error;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  self->hoard = hoard_new (0);
  self->transfers = clip_transfers_new ();
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_transfers_free (self->transfers);
  hoard_free (self->hoard);
}

static void
on_received (ClipReceived *received, gpointer user_data)
{
  Fixture *self = user_data;

  self->is_done = TRUE;
  self->received = g_steal_pointer (&received->content);
  self->error = received->error ? g_error_copy (received->error) : NULL;
}

static void
begin (Fixture *self, int source_fd_take, goffset limit)
{
  const ClipReceiveTerms terms = { .limit = limit };

  self->is_done = FALSE;
  clip_receive_fd (self->hoard->store, self->transfers, "", source_fd_take, &terms, NULL,
                   on_received, self);
}

static ClipStagedContent *
wait_end (Fixture *self, GError **error)
{
  while (!self->is_done)
    g_main_context_iteration (NULL, TRUE);
  if (self->error)
    g_propagate_error (error, g_steal_pointer (&self->error));
  return g_steal_pointer (&self->received);
}

static char *
make_bytes (gsize length)
{
  char *data = g_malloc (length);

  for (gsize i = 0; i < length; i++)
    data[i] = (char) ('a' + i / 7 % 26);
  return data;
}

/* what is there once, and how it begins is how the pipe or file did */
static void
assert_received (Fixture *self, const char *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = wait_end (self, &error);
  g_autofree char *bytes_read = g_malloc (length);

  g_assert_no_error (error);
  g_assert_cmpint (content->size, ==, length);
  g_assert_true (
      clip_read_exactly (clip_stage_fd (content->stage), bytes_read, length, 0, &error));
  g_assert_cmpmem (bytes_read, length, data, length);
}

static void
assert_too_large (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStagedContent) content = wait_end (self, &error);

  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  g_assert_null (content);
}

/* who writes into a pipe and closes it; a reader that leaves is enough */
typedef struct
{
  int fd;
  const char *data;
  gsize length;
} Writer;

static gpointer
write_and_close (gpointer data)
{
  Writer *self = data;

  clip_write_all (self->fd, self->data, self->length, NULL);
  clip_fd_clear (&self->fd);
  return NULL;
}

/* around the size that is received in memory, one byte more is one too many, and none is
 * not */
static void
test_pipe_limits (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = make_bytes (LARGE_BYTES);

  for (gsize limit = CLIP_INLINE_BYTES - 1; limit <= CLIP_INLINE_BYTES + 2; limit++)
    for (gsize length = limit; length <= limit + 2; length++)
      {
        int fds[2];
        Writer writer = { -1, bytes, length };
        GThread *thread;

        g_assert_true (clip_pipe (fds, NULL));
        writer.fd = fds[1];
        thread = g_thread_new ("writer", write_and_close, &writer);
        begin (self, fds[0], (goffset) limit);
        if (length == limit)
          assert_received (self, bytes, length);
        else
          assert_too_large (self);
        g_thread_join (thread);
      }
}

static int
make_file (const char *data, gsize length)
{
  int fd = memfd_create ("source", MFD_CLOEXEC);

  g_assert_true (clip_write_all (fd, data, length, NULL));
  g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
  return fd;
}

/* @before: how long the file is when it is looked at, @after: when it is read */
static void
begin_growing (Fixture *self, const char *bytes, gsize before, gsize after, gsize limit)
{
  int fd = make_file (bytes, before);
  clip_autofd int ours = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  begin (self, fd, (goffset) limit);
  g_assert_cmpint (pwrite (ours, bytes + before, after - before, (off_t) before), ==,
                   after - before);
}

static void
test_file_grows_beyond_limit (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = make_bytes (LARGE_BYTES);

  begin_growing (self, bytes, CLIP_INLINE_BYTES + 1, LARGE_BYTES, CLIP_INLINE_BYTES + 10);
  assert_too_large (self);
}

static void
test_file_without_size_beyond_limit (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = make_bytes (LARGE_BYTES);

  begin_growing (self, bytes, 0, LARGE_BYTES, LARGE_BYTES - 1);
  assert_too_large (self);
  begin_growing (self, bytes, 0, LARGE_BYTES, LARGE_BYTES);
  assert_received (self, bytes, LARGE_BYTES);
}

/* the limit is one of what is received, and not of what lies before it */
static void
test_file_is_read_from_where_it_stands (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = make_bytes (LARGE_BYTES);
  int fd = make_file (bytes, LARGE_BYTES);

  g_assert_cmpint (lseek (fd, LARGE_BYTES - 100, SEEK_SET), ==, LARGE_BYTES - 100);
  begin (self, fd, 100);
  assert_received (self, bytes + LARGE_BYTES - 100, 100);
}

static guint64
inode_of (int fd)
{
  struct stat status;

  g_assert_cmpint (fstat (fd, &status), ==, 0);
  return (guint64) status.st_ino;
}

/* whether @fd_take is what the content is in afterwards */
static gboolean
is_taken (Fixture *self, int fd_take, const char *bytes, gsize length)
{
  const guint64 inode = inode_of (fd_take);
  g_autoptr (ClipStagedContent) content = NULL;
  g_autofree char *bytes_read = g_malloc (length);

  begin (self, fd_take, 0);
  content = wait_end (self, NULL);
  g_assert_cmpint (content->size, ==, length);
  g_assert_true (
      clip_read_exactly (clip_stage_fd (content->stage), bytes_read, length, 0, NULL));
  g_assert_cmpmem (bytes_read, length, bytes, length);
  return inode_of (clip_stage_fd (content->stage)) == inode;
}

/* nobody can change it: it is the content as it stands. Anything else is copied. */
static void
test_sealed_memory_is_taken (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = make_bytes (CLIP_SEALED_BYTES + 1);
  int behind = clip_sealed_memory (bytes, 100, NULL);

  g_assert_true (is_taken (self, clip_sealed_memory (bytes, 1, NULL), bytes, 1));
  g_assert_true (is_taken (self, clip_sealed_memory (bytes, CLIP_SEALED_BYTES, NULL),
                           bytes, CLIP_SEALED_BYTES));
  g_assert_false (is_taken (self, clip_sealed_memory (bytes, CLIP_SEALED_BYTES + 1, NULL),
                            bytes, CLIP_SEALED_BYTES + 1));
  g_assert_false (is_taken (self, make_file (bytes, 100), bytes, 100));
  g_assert_cmpint (lseek (behind, 10, SEEK_SET), ==, 10);
  g_assert_false (is_taken (self, behind, bytes + 10, 90));
}

static void
test_sealed_memory_beyond_the_limit (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = make_bytes (100);

  begin (self, clip_sealed_memory (bytes, 100, NULL), 99);
  assert_too_large (self);
  begin (self, clip_sealed_memory (bytes, 100, NULL), 100);
  assert_received (self, bytes, 100);
}

/* one is left, for the memory that it is received in; or two */
static void
test_out_of_descriptors (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  for (guint n = 1; n <= 2; n++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (ClipStagedContent) content = NULL;
      struct rlimit before;
      int fds[2];

      g_assert_true (clip_pipe (fds, NULL));
      few_descriptors_leave (n, &before);
      begin (self, fds[0], 100);
      content = wait_end (self, &error);
      g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &before));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_MFILE);
      close (fds[1]);
    }
}

int
main (int argc, char *argv[])
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } facts[] = {
    { "/receive/pipe-one-byte-beyond-any-limit", test_pipe_limits },
    { "/receive/file-that-grows-beyond-the-limit", test_file_grows_beyond_limit },
    { "/receive/file-without-a-size-beyond-the-limit",
      test_file_without_size_beyond_limit },
    { "/receive/file-is-read-from-where-it-stands",
      test_file_is_read_from_where_it_stands },
    { "/receive/sealed-memory-is-taken-as-it-stands", test_sealed_memory_is_taken },
    { "/receive/sealed-memory-beyond-the-limit", test_sealed_memory_beyond_the_limit },
    { "/receive/out-of-descriptors-is-named", test_out_of_descriptors },
  };

  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  for (guint i = 0; i < G_N_ELEMENTS (facts); i++)
    g_test_add (facts[i].path, Fixture, NULL, set_up, facts[i].test, tear_down);
  return g_test_run ();
}
