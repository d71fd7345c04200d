/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-fd.h"
#include "clip-ownership.h"
#include "clip-paths.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define NOBODY 65534

typedef struct
{
  char *parent;
  char *dir;
  char *database;
} Place;

static void
set_up (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  self->parent = g_dir_make_tmp ("clip-ownership-XXXXXX", NULL);
  g_assert_nonnull (self->parent);
  g_chmod (self->parent, 0755);
  self->dir = g_build_filename (self->parent, "db.d", NULL);
  self->database = g_build_filename (self->dir, CLIP_DATABASE_NAME, NULL);
  g_mkdir (self->dir, 0700);
}

static void
tear_down (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_unlink (self->database);
  if (g_rmdir (self->dir) < 0)
    g_unlink (self->dir);
  g_rmdir (self->parent);
  g_free (self->database);
  g_free (self->dir);
  g_free (self->parent);
}

/* as a reader and as a writer open it */
static gboolean
open_both (Place *self, GError **error)
{
  clip_autofd int made_fd = clip_ownership_make_folder (self->dir, error);
  clip_autofd int fd = made_fd < 0 ? -1 : clip_ownership_open_folder (self->dir, error);

  return fd >= 0 && clip_ownership_check_database (self->dir, error);
}

static void
assert_refused (Place *self, const char *path, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (open_both (self, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_PERM);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_nonnull (strstr (error->message, why));
}

static void
test_ours_is_taken (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  struct stat status;

  g_assert_true (open_both (self, &error));
  g_assert_true (g_file_set_contents (self->database, "x", 1, NULL));
  g_chmod (self->database, 0600);
  g_assert_true (open_both (self, &error));
  g_unlink (self->database);
  g_rmdir (self->dir);
  g_assert_true (open_both (self, &error));
  g_assert_cmpint (stat (self->dir, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0700);
}

static void
test_a_writable_folder (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_chmod (self->dir, 0770);
  assert_refused (self, self->dir, "other users may write");
  g_chmod (self->dir, 0702);
  assert_refused (self, self->dir, "other users may write");
  g_chmod (self->dir, 0755);
  g_assert_true (open_both (self, NULL));
}

static void
test_a_writable_file (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (g_file_set_contents (self->database, "x", 1, NULL));
  g_chmod (self->database, 0620);
  assert_refused (self, self->database, "other users may write");
}

static void
test_a_link_as_file (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (symlink ("/dev/null", self->database), ==, 0);
  assert_refused (self, self->database, "it is a link");
  g_unlink (self->database);
  g_assert_cmpint (mkfifo (self->database, 0600), ==, 0);
  assert_refused (self, self->database, "no plain file");
}

/* which SQLite would remove */
static void
test_a_journal_that_names_a_file (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char end[] = "/a/file\0\0\0\7\0\0\2\x9f\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  g_autofree char *journal = g_strconcat (self->database, "-journal", NULL);

  g_assert_true (g_file_set_contents (journal, end, sizeof end - 2, NULL));
  g_chmod (journal, 0600);
  g_assert_true (clip_ownership_check_database (self->dir, NULL));
  g_assert_true (g_file_set_contents (journal, end, sizeof end - 1, NULL));
  g_chmod (journal, 0600);
  assert_refused (self, journal, "it names another file");
}

/* whoever has the history on another disk has made the link himself */
static void
test_our_own_link_to_our_folder (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *elsewhere = g_build_filename (self->parent, "elsewhere", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_rename (self->dir, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, self->dir), ==, 0);
  g_assert_true (open_both (self, &error));
  g_chmod (elsewhere, 0777);
  assert_refused (self, self->dir, "other users may write");
  g_rmdir (elsewhere);
}

/* root gives them away; a plain user sees root's as anybody does, which is trusted */
static gboolean
needs_root (void)
{
  if (geteuid () == 0)
    return FALSE;
  g_test_skip ("only root gives a file to another user");
  return TRUE;
}

static void
test_a_folder_of_another_user (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  if (needs_root ())
    return;
  g_assert_cmpint (chown (self->dir, NOBODY, NOBODY), ==, 0);
  assert_refused (self, self->dir, "belongs to another user (65534)");
  g_setenv ("SUDO_UID", "65534", TRUE);
  assert_refused (self, self->dir, "another user (65534); call it without sudo");
  g_unsetenv ("SUDO_UID");
}

static void
test_a_file_of_another_user (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  if (needs_root ())
    return;
  g_assert_true (g_file_set_contents (self->database, "x", 1, NULL));
  g_chmod (self->database, 0600);
  g_assert_cmpint (chown (self->database, NOBODY, NOBODY), ==, 0);
  assert_refused (self, self->database, "belongs to another user (65534)");
}

static void
test_a_link_of_another_user (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *elsewhere = g_build_filename (self->parent, "elsewhere", NULL);

  if (needs_root ())
    return;
  g_assert_cmpint (g_rename (self->dir, elsewhere), ==, 0);
  g_assert_cmpint (symlink (elsewhere, self->dir), ==, 0);
  g_assert_cmpint (lchown (self->dir, NOBODY, NOBODY), ==, 0);
  assert_refused (self, self->dir, "link of another user (65534)");
  g_rmdir (elsewhere);
}

/* the folder of a user who has given it away, as that user sees it */
static void
test_as_a_plain_user (Place *self, gconstpointer data G_GNUC_UNUSED)
{
  int status;
  pid_t pid;

  if (needs_root ())
    return;
  g_assert_cmpint (chown (self->dir, NOBODY - 1, NOBODY - 1), ==, 0);
  g_chmod (self->dir, 0755);
  pid = fork ();
  if (pid == 0)
    {
      g_autoptr (GError) error = NULL;

      if (setresuid (NOBODY, NOBODY, NOBODY) < 0)
        _exit (2);
      clip_ownership_open_folder (self->dir, &error);
      _exit (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM) ? 0 : 1);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Place *self, gconstpointer data);
  } tests[] = {
    { "/ownership/ours-is-taken", test_ours_is_taken },
    { "/ownership/a-writable-folder", test_a_writable_folder },
    { "/ownership/a-writable-file", test_a_writable_file },
    { "/ownership/a-link-as-file", test_a_link_as_file },
    { "/ownership/a-journal-that-names-a-file", test_a_journal_that_names_a_file },
    { "/ownership/our-own-link-to-our-folder", test_our_own_link_to_our_folder },
    { "/ownership/a-folder-of-another-user", test_a_folder_of_another_user },
    { "/ownership/a-file-of-another-user", test_a_file_of_another_user },
    { "/ownership/a-link-of-another-user", test_a_link_of_another_user },
    { "/ownership/as-a-plain-user", test_as_a_plain_user },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Place, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
