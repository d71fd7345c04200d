/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-config.h"
#include "clip-error.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
append_line (const char *key, const char *value, guint line, gpointer user_data)
{
  g_string_append_printf (user_data, "%u %s=%s;", line, key, value ?: "(alone)");
}

static void
test_lines (void)
{
  g_autoptr (GString) seen = g_string_new (NULL);

  clip_config_parse ("# a comment\nmax-items 200\n\n  preview-width\t 50 \nflag\n",
                     append_line, seen);
  g_assert_cmpstr (seen->str, ==, "2 max-items=200;4 preview-width=50;5 flag=(alone);");
}

static void
test_variables_expanded (void)
{
  g_autofree char *a = NULL;
  g_autofree char *b = NULL;
  g_autofree char *c = NULL;

  g_setenv ("CLIP_TEST_DIR", "/somewhere", TRUE);
  a = clip_config_expand ("$CLIP_TEST_DIR/db");
  b = clip_config_expand ("${CLIP_TEST_DIR}x${CLIP_TEST_UNSET}");
  c = clip_config_expand ("cost: 5$ ${open");
  g_assert_cmpstr (a, ==, "/somewhere/db");
  g_assert_cmpstr (b, ==, "/somewherex");
  g_assert_cmpstr (c, ==, "cost: 5$ ${open");
}

static void
test_missing_file_is_empty (void)
{
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (
      clip_config_load ("/nonexistent/cliphist/config", append_line, seen, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (seen->len, ==, 0);
}

static void
test_folder_is_an_error (void)
{
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (clip_config_load (g_get_tmp_dir (), append_line, seen, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ISDIR);
}

/* it is read no further than that */
static void
test_endless_is_an_error (void)
{
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (clip_config_load ("/dev/zero", append_line, seen, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
}

/* open(2) of one waits for a writer, and the daemon would wait with it */
static void
test_fifo_is_an_error (void)
{
  g_autofree char *folder = g_dir_make_tmp (NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "config", NULL);
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_false (clip_config_load (path, append_line, seen, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpuint (seen->len, ==, 0);
  g_assert_cmpint (unlink (path), ==, 0);
  g_assert_cmpint (rmdir (folder), ==, 0);
}

static gpointer
write_late (gpointer fd)
{
  const char line[] = "a b\n";

  g_assert_cmpint (write (GPOINTER_TO_INT (fd), line, strlen (line)), ==, strlen (line));
  close (GPOINTER_TO_INT (fd));
  return NULL;
}

/* as a shell's <(...) */
static void
test_pipe_is_waited_for (void)
{
  g_autofree char *path = NULL;
  g_autoptr (GString) seen = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  GThread *writer;
  int fds[2];

  g_assert_cmpint (pipe (fds), ==, 0);
  path = g_strdup_printf ("/dev/fd/%d", fds[0]);
  writer = g_thread_new ("writer", write_late, GINT_TO_POINTER (fds[1]));
  g_assert_true (clip_config_load (path, append_line, seen, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (seen->len, >, 0);
  g_thread_join (writer);
  close (fds[0]);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config/lines", test_lines);
  g_test_add_func ("/config/variables-expanded", test_variables_expanded);
  g_test_add_func ("/config/missing-file-is-empty", test_missing_file_is_empty);
  g_test_add_func ("/config/folder-is-an-error", test_folder_is_an_error);
  g_test_add_func ("/config/fifo-is-an-error", test_fifo_is_an_error);
  g_test_add_func ("/config/pipe-is-waited-for", test_pipe_is_waited_for);
  g_test_add_func ("/config/endless-is-an-error", test_endless_is_an_error);
  return g_test_run ();
}
