/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens to a file is told, also where the kernel has no watch left for us. */
#include "clip-file-watch.h"
#include "few-descriptors.h"
#include "is-watched.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <sched.h>

#define LOOKED_AT "*cannot be watched, and is looked at*"
#define MOST_WATCHES "/proc/sys/user/max_inotify_watches"

/* made before the user namespace is entered, in which we could make none */
static struct
{
  char *folder;
  char *path;
  int fd;
} file;

static void
on_changed (GFileMonitorEvent event, gpointer user_data)
{
  *(GFileMonitorEvent *) user_data = event;
}

static GFileMonitorEvent
await (GFileMonitorEvent *told)
{
  GFileMonitorEvent event;

  while (*told == G_FILE_MONITOR_EVENT_UNMOUNTED) /* none of ours */
    g_main_context_iteration (NULL, TRUE);
  event = *told;
  *told = G_FILE_MONITOR_EVENT_UNMOUNTED;
  return event;
}

static gboolean
set_most_watches (const char *n)
{
  int fd = g_open (MOST_WATCHES, O_WRONLY | O_CLOEXEC);
  gboolean is_set = fd >= 0 && write (fd, n, strlen (n)) == (gssize) strlen (n);

  if (fd >= 0)
    close (fd);
  return is_set;
}

/* GIO says nothing of that */
static void
test_without_watches (void)
{
  GFileMonitorEvent told = G_FILE_MONITOR_EVENT_UNMOUNTED;
  ClipFileWatch *watch;

  if (!set_most_watches ("0"))
    {
      g_test_skip ("no user namespace that has a limit of watches of its own");
      return;
    }
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE, LOOKED_AT);
  watch = clip_file_watch_new (file.path, on_changed, &told);
  g_test_assert_expected_messages ();
  g_assert_cmpint (write (file.fd, "a line\n", 7), ==, 7);
  g_assert_cmpint (await (&told), ==, G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT);
  g_assert_true (set_most_watches ("100"));
  while (!is_watched (file.folder))
    g_main_context_iteration (NULL, TRUE);
  clip_file_watch_free (watch);
}

static void
test_without_descriptors (void)
{
  GFileMonitorEvent told = G_FILE_MONITOR_EVENT_UNMOUNTED;
  ClipFileWatch *watch;
  struct rlimit before;
  int last;

  /* a thread of GLib, and the default context, have descriptors of their own */
  g_source_unref (g_unix_signal_source_new (SIGHUP));
  g_main_context_iteration (NULL, FALSE);
  few_descriptors_leave (1, &before);
  last = dup (STDIN_FILENO);
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE, LOOKED_AT);
  watch = clip_file_watch_new (file.path, on_changed, &told);
  g_test_assert_expected_messages ();
  g_assert_cmpint (write (file.fd, "a line\n", 7), ==, 7);
  g_assert_cmpint (await (&told), ==, G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT);
  g_assert_cmpint (g_unlink (file.path), ==, 0);
  g_assert_cmpint (await (&told), ==, G_FILE_MONITOR_EVENT_DELETED);
  g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &before));
  close (last);
  while (!is_watched (file.folder))
    g_main_context_iteration (NULL, TRUE);
  clip_file_watch_free (watch);
}

int
main (int argc, char **argv)
{
  int status;

  file.folder = g_dir_make_tmp ("clip-file-watch-XXXXXX", NULL);
  file.path = g_build_filename (file.folder, "file", NULL);
  file.fd = g_open (file.path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
  /* before there is a second thread; refused where a fact says so */
  (void) unshare (CLONE_NEWUSER);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-watch/without-watches-it-is-looked-at", test_without_watches);
  /* which removes it */
  g_test_add_func ("/file-watch/without-descriptors-it-is-looked-at",
                   test_without_descriptors);
  status = g_test_run ();
  g_rmdir (file.folder);
  g_free (file.path);
  g_free (file.folder);
  close (file.fd);
  return status;
}
