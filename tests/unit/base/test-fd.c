/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-fd.h"
#include "lingering-socket.h"
#include "wait-until.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* FALSE where that may not be */
static gboolean
hide_proc (void)
{
  return unshare (CLONE_NEWNS) == 0 &&
         mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
         mount ("tmpfs", "/proc", "tmpfs", 0, NULL) == 0;
}

/* as in a chroot: else a part of an archive would be read from its start */
static void
test_position_without_proc (void)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("content", 7);
  clip_autofd int fd = clip_memfd (content, NULL);
  ClipFdLook look;
  pid_t child;
  int status;

  g_assert_cmpint (lseek (fd, 3, SEEK_SET), ==, 3);
  child = fork ();
  if (child == 0)
    _exit (!hide_proc () ? 77 : clip_fd_look (fd, &look) && look.at == 3 ? 0 : 1);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    g_test_skip ("no file system can be mounted here");
  else
    g_assert_cmpint (status, ==, 0);
}

static void
test_autofd_closes (void)
{
  int number;

  {
    clip_autofd int fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);

    number = fd;
  }
  g_assert_cmpint (fcntl (number, F_GETFD), ==, -1);
}

static guint
count_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  guint n = 0;

  g_assert_nonnull (tasks);
  while (g_dir_read_name (tasks))
    n++;
  return n;
}

/* nor its thread */
static void
test_foreign_socket_lingers_not (void)
{
  const guint n_before = count_threads ();
  clip_autofd int peer = -1;
  int fd = lingering_socket_new (&peer);

  clip_fd_clear_foreign (&fd);
  g_assert_cmpint (fd, ==, -1);
  wait_until (count_threads () == n_before);
}

static int watched_fd = -1;
static GThread *closer; /* (nullable): that closed it */

/* in place of the C library's */
int
close (int fd)
{
  if (fd == watched_fd)
    g_atomic_pointer_set (&closer, g_thread_self ());
  return (int) syscall (SYS_close, fd);
}

/* that waits for who shares it, as long as he likes */
static void
test_foreign_terminal_is_closed_apart (void)
{
  clip_autofd int master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
  int slave;

  g_assert_cmpint (grantpt (master), ==, 0);
  g_assert_cmpint (unlockpt (master), ==, 0);
  watched_fd = slave = open (ptsname (master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  g_assert_cmpint (slave, >=, 0);
  clip_fd_clear_foreign (&slave);
  g_assert_cmpint (slave, ==, -1);
  wait_until (g_atomic_pointer_get (&closer));
  g_assert_true (closer != g_thread_self ());
  watched_fd = -1;
}

static void
test_pipe_closes_on_exec (void)
{
  g_autoptr (GError) error = NULL;
  int fds[2];

  g_assert_true (clip_pipe (fds, &error));
  g_assert_cmpint (fcntl (fds[0], F_GETFD), ==, FD_CLOEXEC);
  g_assert_cmpint (fcntl (fds[1], F_GETFD), ==, FD_CLOEXEC);
  close (fds[0]);
  close (fds[1]);
}

static void
test_memfd_reads_back (void)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("some bytes", 10);
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = clip_memfd (content, &error);
  g_autoptr (GBytes) back = clip_read_to_end (fd, 10, &error);

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (back, content));
}

static void
test_sealed_memory_stays_as_it_is (void)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("some bytes", 10);
  clip_autofd int open = clip_memfd (content, NULL);
  clip_autofd int fd = clip_sealed_memory ("some bytes", 10, NULL);
  g_autoptr (GBytes) back = clip_read_to_end (fd, 10, NULL);

  g_assert_true (g_bytes_equal (back, content));
  g_assert_true (clip_is_sealed (fd));
  g_assert_false (clip_is_sealed (open));
  g_assert_cmpint (pwrite (fd, "S", 1, 0), ==, -1);
  g_assert_cmpint (pwrite (fd, "!", 1, 10), ==, -1);
  g_assert_cmpint (ftruncate (fd, 9), ==, -1);
}

static void
test_too_large_refused (void)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("some bytes", 10);
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = clip_memfd (content, NULL);

  g_assert_null (clip_read_to_end (fd, 9, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
}

static void
test_short_file_is_corrupt (void)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("some bytes", 10);
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = clip_memfd (content, NULL);
  char buffer[8];

  g_assert_false (clip_read_exactly (fd, buffer, sizeof buffer, 4, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
}

static void
test_full_disk_is_typed (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) other = NULL;

  clip_set_errno (&error, ENOSPC, "write blob '%s'", "3f");
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE);
  g_assert_cmpstr (error->message, ==, "write blob '3f': No space left on device");
  clip_set_errno (&other, EACCES, "open it");
  g_assert_error (other, G_FILE_ERROR, G_FILE_ERROR_ACCES);
}

static void
test_bus_names (void)
{
  for (int code = 0; code < CLIP_N_BUS_ERRORS; code++)
    g_assert_true (g_str_has_prefix (clip_error_bus_name ((ClipError) code),
                                     "org.cliphist.History1.Error."));
  g_assert_null (clip_error_bus_name (CLIP_ERROR_CANCELLED));
}

static void
test_who_holds_the_lock_is_waited_for_so_long (void)
{
  clip_autofd int theirs = open ("/", O_RDONLY | O_CLOEXEC);
  clip_autofd int ours = open ("/", O_RDONLY | O_CLOEXEC);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (flock (theirs, LOCK_SH), ==, 0);
  g_assert_false (clip_fd_lock (ours, TRUE, 1000, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
  g_clear_error (&error);
  g_assert_cmpint (flock (theirs, LOCK_UN), ==, 0);
  g_assert_true (clip_fd_lock (ours, TRUE, 1000, &error));
  g_assert_no_error (error);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fd/autofd-closes", test_autofd_closes);
  g_test_add_func ("/fd/foreign-socket-lingers-not", test_foreign_socket_lingers_not);
  g_test_add_func ("/fd/foreign-terminal-is-closed-apart",
                   test_foreign_terminal_is_closed_apart);
  g_test_add_func ("/fd/position-without-proc", test_position_without_proc);
  g_test_add_func ("/fd/pipe-closes-on-exec", test_pipe_closes_on_exec);
  g_test_add_func ("/fd/memfd-reads-back", test_memfd_reads_back);
  g_test_add_func ("/fd/sealed-memory-stays-as-it-is", test_sealed_memory_stays_as_it_is);
  g_test_add_func ("/fd/too-large-refused", test_too_large_refused);
  g_test_add_func ("/fd/short-file-is-corrupt", test_short_file_is_corrupt);
  g_test_add_func ("/fd/who-holds-the-lock-is-waited-for-so-long",
                   test_who_holds_the_lock_is_waited_for_so_long);
  g_test_add_func ("/error/full-disk-is-typed", test_full_disk_is_typed);
  g_test_add_func ("/error/bus-names", test_bus_names);
  return g_test_run ();
}
