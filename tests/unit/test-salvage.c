/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A damaged database gives way to a new one with all that can be read of it. */
#include "clip-aside.h"
#include "clip-check.h"
#include "clip-fd.h"
#include "clip-salvage.h"
#include "hoard.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define N_TEXTS 120
#define PAGE_BYTES 4096
#define TEXTS_OF_A_PAGE (PAGE_BYTES / 300)

/* entries 1 to N_TEXTS, of a few hundred bytes each, and one with two types; closed */
typedef struct
{
  Hoard *hoard;
  char *database;
} Place;

static char *
make_text (gint64 id)
{
  g_autofree char *word = g_strdup_printf ("%d ", (int) id);
  GString *text = g_string_new (NULL);

  while (text->len < 300)
    g_string_append (text, word);
  return g_string_free (text, FALSE);
}

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  place->hoard = hoard_new (0);
  place->database = g_build_filename (place->hoard->dir, "history.db", NULL);
  for (gint64 id = 1; id <= N_TEXTS; id++)
    {
      g_autofree char *text = make_text (id);

      g_assert_cmpint (hoard_add_text (place->hoard->store, text), ==, id);
    }
  hoard_add (place->hoard->store,
             hoard_draft (place->hoard->store, "text/plain", "plain", "text/html",
                          "<b>rich</b>", NULL),
             NULL);
  clip_store_close (place->hoard->store);
  g_clear_object (&place->hoard->store);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
  g_free (place->database);
}

static goffset
size_of (const char *path)
{
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_size;
}

static void
zero_page (const char *path, goffset number)
{
  g_autofree guint8 *zeros = g_malloc0 (PAGE_BYTES);
  clip_autofd int fd = open (path, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (pwrite (fd, zeros, PAGE_BYTES, number * PAGE_BYTES), ==, PAGE_BYTES);
}

static void
salvage (Place *place)
{
  g_autoptr (ClipAside) aside = clip_aside_new (place->hoard->dir);
  g_autoptr (GError) error = NULL;
  g_autofree char *old = NULL;

  g_assert_true (clip_salvage (place->hoard->dir, aside, &error));
  g_assert_no_error (error);
  old = g_build_filename (place->hoard->dir, clip_aside_path (aside), NULL);
  g_assert_cmpuint (hoard_count_files (old, NULL), >, 0);
}

/* how many texts are there; each is what was stored */
static guint
count_texts (Place *place)
{
  guint n = 0;

  hoard_reopen (place->hoard, 0);
  for (gint64 id = 1; id <= N_TEXTS; id++)
    {
      g_autofree char *expected = make_text (id);
      g_autoptr (GBytes) bytes = hoard_bytes (place->hoard->store, id, NULL, NULL);

      if (!bytes)
        continue;
      g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                       strlen (expected));
      n++;
    }
  return n;
}

static void
assert_whole (Place *place)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReport) report = clip_check (place->hoard->dir, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < report->findings->len; i++)
    g_error ("%s", ((ClipFinding *) report->findings->pdata[i])->text);
}

static void
test_header_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  zero_page (place->database, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
  /* ids go on */
  g_assert_cmpint (hoard_add_text (place->hoard->store, "new"), ==, N_TEXTS + 2);
}

/* each page in turn: a page takes with it what is on it, and nothing wrong comes back */
static void
test_any_page_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *whole = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (place->database, &whole, &length, NULL));
  for (gsize page = 0; page < length / PAGE_BYTES; page++)
    {
      zero_page (place->database, (goffset) page);
      salvage (place);
      g_assert_cmpuint (count_texts (place), >=, N_TEXTS - TEXTS_OF_A_PAGE);
      assert_whole (place);
      clip_store_close (place->hoard->store);
      g_clear_object (&place->hoard->store);
      g_assert_true (g_file_set_contents (place->database, whole, (gssize) length, NULL));
    }
}

static void
test_second_half_lost (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpint (truncate (place->database, size_of (place->database) * 3 / 4), ==, 0);
  salvage (place);
  g_assert_cmpuint (count_texts (place), >, 10);
  assert_whole (place);
}

static void
test_nothing_left (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (g_file_set_contents (place->database, "nothing at all", -1, NULL));
  salvage (place);
  g_assert_cmpuint (count_texts (place), ==, 0);
  assert_whole (place);
}

/* an open store goes on in the new database */
static void
test_store_follows (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  salvage (place);
  g_assert_cmpint (hoard_add_text (place->hoard->store, "new"), ==, N_TEXTS + 2);
  g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
  assert_whole (place);
}

/* whoever is killed leaves the old one, or the new one: neither lacks an entry here */
static void
test_killed (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < 12; i++)
    {
      pid_t pid = fork ();
      int status;

      if (pid == 0)
        {
          g_autoptr (ClipAside) aside = clip_aside_new (place->hoard->dir);

          clip_salvage (place->hoard->dir, aside, NULL);
          _exit (0);
        }
      g_usleep (i * 2000); /* a moment, whichever it is */
      kill (pid, SIGKILL);
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_cmpuint (count_texts (place), ==, N_TEXTS);
      clip_store_close (place->hoard->store);
      g_clear_object (&place->hoard->store);
    }
  assert_whole (place);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/salvage/header-lost", test_header_lost);
  ADD ("/salvage/any-page-lost", test_any_page_lost);
  ADD ("/salvage/second-half-lost", test_second_half_lost);
  ADD ("/salvage/nothing-left", test_nothing_left);
  ADD ("/salvage/store-follows", test_store_follows);
  ADD ("/salvage/killed-leaves-old-or-new", test_killed);
#undef ADD
  return g_test_run ();
}
