/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens to a file is told, also where the kernel has no watch left for us. */
#include "clip-file-watch.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <sys/resource.h>
#include <unistd.h>

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

/* no descriptor can be opened any more. Returns: the limit of before */
static rlim_t
take_descriptors (void)
{
  struct rlimit limit;
  rlim_t before;
  int next = dup (STDIN_FILENO);

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  before = limit.rlim_cur;
  limit.rlim_cur = (rlim_t) next;
  close (next);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  return before;
}

static void
give_descriptors (rlim_t before)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  limit.rlim_cur = before;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &limit), ==, 0);
}

static void
test_without_a_watch (void)
{
  g_autofree char *folder = g_dir_make_tmp ("clip-file-watch-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "file", NULL);
  GFileMonitorEvent told = G_FILE_MONITOR_EVENT_UNMOUNTED;
  int fd = g_open (path, O_CREAT | O_RDWR, 0600);
  ClipFileWatch *watch;
  rlim_t before;

  /* a thread of GLib, and the default context, have descriptors of their own */
  g_source_unref (g_unix_signal_source_new (SIGHUP));
  g_main_context_iteration (NULL, FALSE);
  before = take_descriptors ();
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE,
                         "*cannot be watched, and is looked at*");
  watch = clip_file_watch_new (path, on_changed, &told);
  g_test_assert_expected_messages ();
  g_assert_cmpint (write (fd, "a line\n", 7), ==, 7);
  g_assert_cmpint (await (&told), ==, G_FILE_MONITOR_EVENT_CHANGES_DONE_HINT);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (await (&told), ==, G_FILE_MONITOR_EVENT_DELETED);
  give_descriptors (before);
  clip_file_watch_free (watch);
  close (fd);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/file-watch/without-a-watch-it-is-looked-at", test_without_a_watch);
  return g_test_run ();
}
