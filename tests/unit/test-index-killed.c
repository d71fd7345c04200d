/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The index when its writer is killed at any moment; that process is this program again. */
#include "clip-fd.h"
#include "shelf.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define N_KILLS 8

/* deletes and adds for ever, and says what it was told is done */
static int G_GNUC_NORETURN
work_for_ever (const char *dir)
{
  g_autoptr (GError) error = NULL;
  ClipStore *store = clip_store_open (dir, CLIP_STORE_SESSION, &error);

  g_assert_no_error (error);
  for (guint32 state = (guint32) getpid ();;)
    {
      gint64 id = 1 + shelf_next_number (&state) % 20000;
      g_autofree char *line = NULL;

      hoard_delete (store, id);
      line = g_strdup_printf ("%d\n", (int) id);
      clip_write_all (STDOUT_FILENO, line, strlen (line), NULL);
      for (guint n = shelf_next_number (&state) % 2000; n > 0; n--)
        g_main_context_iteration (NULL, FALSE);
      if (state % 3 == 0)
        shelf_wait_indexed (store);
    }
}

static void
work_until_killed (Shelf *shelf, guint n_lines)
{
  const char *argv[] = { "/proc/self/exe", "work", shelf->hoard->dir, NULL };
  g_autoptr (GError) error = NULL;
  FILE *out;
  char line[32];
  GPid pid;
  int fd, status;

  g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL,
                            NULL, &pid, NULL, &fd, NULL, &error);
  g_assert_no_error (error);
  out = fdopen (fd, "r");
  for (guint n = 0; fgets (line, sizeof line, out); n++)
    {
      g_clear_pointer (&shelf->texts->pdata[atoi (line) - 1], g_free);
      if (n == n_lines)
        kill (pid, SIGKILL);
    }
  fclose (out);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status));
}

/* what was being deleted when it was killed may be gone or not: as the database says */
static void
forget_missing (Shelf *shelf)
{
  g_autofree char *ids = shelf_search (shelf->hoard->dir, (ClipQuery){ 0 });
  g_autofree gboolean *there = g_new0 (gboolean, shelf->texts->len + 1);

  for (char *id = ids; *id; id = strchr (id, ' ') + 1)
    there[atoi (id)] = TRUE;
  for (guint i = 0; i < shelf->texts->len; i++)
    if (!there[i + 1])
      g_clear_pointer (&shelf->texts->pdata[i], g_free);
    else
      g_assert_nonnull (shelf->texts->pdata[i]);
}

static void
test_killed (void)
{
  g_autoptr (Shelf) shelf = shelf_new (30000, 0);
  const char *dir = shelf->hoard->dir;
  guint32 state = 7;

  clip_store_close (shelf->hoard->store);
  for (guint i = 0; i < N_KILLS; i++)
    {
      work_until_killed (shelf, shelf_next_number (&state) % 12);
      forget_missing (shelf);
      shelf_check_search (dir, shelf->texts, "clipboard", NULL, NULL);
      shelf_check_search (dir, shelf->texts, "bead", NULL, NULL);
    }
  hoard_reopen (shelf->hoard, CLIP_STORE_SESSION);
  shelf_wait_indexed (shelf->hoard->store);
  shelf_check (shelf);
  g_assert_cmpint (shelf_get_number (dir,
                                     "SELECT count(*) FROM search_row WHERE id >> 24 NOT"
                                     " IN (SELECT number FROM search_segment)"),
                   ==, 0);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM search_segment"), >=, 2);
  g_assert_cmpint (shelf_get_number (dir, "SELECT count(*) FROM pragma_integrity_check"
                                          " WHERE integrity_check = 'ok'"),
                   ==, 1);
}

int
main (int argc, char *argv[])
{
  if (argc == 3 && strcmp (argv[1], "work") == 0)
    return work_for_ever (argv[2]);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/killed-at-any-moment", test_killed);
  return g_test_run ();
}
