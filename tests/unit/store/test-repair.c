/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-aside.h"
#include "clip-check.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-store-private.h"
#include "hoard-aside.h"
#include "hoard-check.h"
#include "hoard.h"
#include "wait-until.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOB_BYTES (200 * 1024)

/* of holes */
#define ENDLESS_BYTES ((goffset) 1 << 40)

/* entry 1 has five types, of which the second is a blob */
typedef struct
{
  Hoard *hoard;
  char *blob; /* the path of the only one */
} Place;

static void
add_text (ClipDraft *draft, const char *mime, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  clip_draft_add_bytes (draft, mime, bytes);
}

static void
set_up (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (ClipStage) stage = NULL;
  ClipDraft *draft = clip_draft_new ("");

  place->hoard = hoard_new (0);
  stage = hoard_stage_of (place->hoard->store, BLOB_BYTES, 7);
  add_text (draft, "text/plain", "plain");
  clip_draft_add (draft, "image/png", stage, BLOB_BYTES);
  add_text (draft, "text/html", "<b>second</b>");
  add_text (draft, "text/x-third", "third");
  add_text (draft, "text/x-fourth", "fourth");
  hoard_add (place->hoard->store, draft, NULL);
  place->blob = hoard_find_blob (place->hoard->dir);
  hoard_reopen (place->hoard, 0);
}

static void
tear_down (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_free (place->hoard);
  g_free (place->blob);
}

static void
damage_blob (Place *place)
{
  clip_autofd int fd = -1;

  g_assert_cmpint (chmod (place->blob, 0600), ==, 0);
  fd = open (place->blob, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (pwrite (fd, "X", 1, 1000), ==, 1);
  g_assert_cmpint (fchmod (fd, 0400), ==, 0);
}

/* (transfer full): "KIND;" of each, as they were found */
static char *
list_kinds (GVariant *findings)
{
  GString *all = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (findings); i++)
    {
      g_autoptr (GVariant) finding = g_variant_get_child_value (findings, i);
      const char *kind = "";

      g_variant_lookup (finding, "kind", "&s", &kind);
      g_string_append_printf (all, "%s;", kind);
    }
  return g_string_free (all, FALSE);
}

/* nothing is wrong any more, and @expected was; that the totals do not count a content
 * that went is found in the next round */
static void
repair (Place *place, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) report = NULL;
  g_autoptr (GVariant) repaired = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autofree char *kinds = NULL;
  gboolean ok = FALSE;
  Answer answer = { 0 };

  clip_store_check_async (place->hoard->store, TRUE, NULL, on_answer, &answer);
  result = answer_wait (&answer);
  report = clip_store_check_finish (place->hoard->store, result, &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_lookup (report, "ok", "b", &ok));
  g_assert_true (ok);
  repaired = g_variant_lookup_value (report, "repaired", G_VARIANT_TYPE ("aa{sv}"));
  kinds = list_kinds (repaired);
  g_assert_cmpstr (kinds, ==, expected);
}

static void
assert_gone (Place *place, const char *mime)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hoard_bytes (place->hoard->store, 1, mime, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT);
}

static void
test_two_of_one_entry (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  damage_blob (place);
  hoard_run_sql (place->hoard->dir,
                 "UPDATE content SET body = x'585858' WHERE position = 2");
  repair (place, "entry;blob-damaged;");
  assert_gone (place, "image/png");
  assert_gone (place, "text/html");
  hoard_assert_bytes (place->hoard->store, 1, "text/plain", "plain");
  hoard_assert_bytes (place->hoard->store, 1, "text/x-third", "third");
  hoard_assert_bytes (place->hoard->store, 1, "text/x-fourth", "fourth");
}

static void
test_neighbours (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *aside = NULL;

  hoard_run_sql (place->hoard->dir,
                 "UPDATE content SET body = CAST('XXX' AS BLOB) WHERE position = 2;"
                 "UPDATE content SET body = CAST('YYY' AS BLOB) WHERE position = 3");
  repair (place, "entry;entry;");
  assert_gone (place, "text/html");
  assert_gone (place, "text/x-third");
  hoard_assert_bytes (place->hoard->store, 1, "text/x-fourth", "fourth");
  aside = hoard_list_aside (place->hoard->dir);
  g_assert_cmpstr (aside, ==, "XXX;YYY;");
}

static void
test_row_at_a_wrong_place (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  hoard_run_sql (place->hoard->dir, "UPDATE content SET position = 9 WHERE position = 4");
  repair (place, "entry;");
  assert_gone (place, "text/x-fourth");
  hoard_assert_bytes (place->hoard->store, 1, "text/x-third", "third");
}

/* neither the entry nor what is beside it */
static void
test_type_without_a_name (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *aside = NULL;

  hoard_run_sql (place->hoard->dir, "UPDATE content SET mime = 999 WHERE position = 3");
  repair (place, "entry;");
  hoard_assert_bytes (place->hoard->store, 1, "text/x-fourth", "fourth");
  hoard_run_sql (place->hoard->dir, "UPDATE entry SET mime = 999");
  /* it is another copy, of whichever type */
  g_assert_cmpint (hoard_add_text (place->hoard->store, "plain"), ==, 2);
  hoard_delete (place->hoard->store, 2);
  repair (place, "entry;");
  hoard_assert_list (place->hoard->store, "");
  aside = hoard_list_aside (place->hoard->dir);
  g_assert_nonnull (strstr (aside, "third;"));
  g_assert_nonnull (strstr (aside, "plain;"));
}

static void
test_name_that_is_no_text (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_strconcat (place->blob, "\377", NULL);
  g_autofree char *aside = NULL;

  g_assert_true (g_file_set_contents (path, "odd", -1, NULL));
  repair (place, "stray-file;");
  aside = hoard_list_aside (place->hoard->dir);
  g_assert_cmpstr (aside, ==, "odd;");
}

/* a blob whose hash begins so cannot be stored any more */
static void
test_file_in_the_place_of_a_folder (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_path_get_dirname (place->blob);
  g_autofree char *aside = NULL;

  g_assert_no_errno (g_unlink (place->blob));
  g_assert_no_errno (g_rmdir (folder));
  g_assert_true (g_file_set_contents (folder, "odd", -1, NULL));
  repair (place, "blob-missing;stray-file;");
  aside = hoard_list_aside (place->hoard->dir);
  g_assert_cmpstr (aside, ==, "odd;");
  hoard_add_blob (place->hoard->store, BLOB_BYTES, 7);
  g_assert_true (g_file_test (place->blob, G_FILE_TEST_EXISTS));
}

/* copies of entries lie in it, also of deleted ones */
static void
test_leftover_of_a_repair (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *work = g_build_filename (place->hoard->dir, CLIP_SALVAGE_NAME, NULL);
  g_autofree char *copy = g_build_filename (work, "copy.db", NULL);

  g_assert_cmpint (g_mkdir (work, 0700), ==, 0);
  g_assert_true (g_file_set_contents (copy, "a secret", -1, NULL));
  hoard_reopen (place->hoard, 0);
  g_assert_false (g_file_test (work, G_FILE_TEST_EXISTS));
}

/* as if it had been found, and somebody had set it right before the repair came */
static void
repair_one (Place *place, ClipFinding finding)
{
  g_autoptr (ClipAside) aside = clip_aside_new (place->hoard->dir);
  g_autoptr (GError) error = NULL;

  g_assert_true (clip_store_change_wait (
      place->hoard->store, clip_change_repair (aside, &finding), NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (clip_aside_path (aside), ==, "");
}

static void
test_right_by_now (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  char *blob = place->blob + strlen (place->hoard->dir) + 1;
  char none[] = "";

  for (gint64 row = 0; row < 6; row++)
    repair_one (
        place,
        (ClipFinding){ .kind = CLIP_FINDING_ENTRY, .id = 1, .row = row, .path = none });
  repair_one (place, (ClipFinding){ .kind = CLIP_FINDING_STRAY, .path = blob });
  repair (place, "");
  hoard_assert_bytes (place->hoard->store, 1, "text/plain", "plain");
  hoard_assert_bytes (place->hoard->store, 1, "text/html", "<b>second</b>");
}

static gboolean
is_open (const char *path)
{
  g_autoptr (GDir) fds = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (fds)))
    {
      g_autofree char *link = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (link, NULL);

      if (g_strcmp0 (target, path) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
assert_cancelled (Place *place, Answer *answer)
{
  g_autoptr (GAsyncResult) result = answer_wait (answer);
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_store_check_finish (place->hoard->store, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* one that is in the middle of a file that takes minutes, and one that waits for it */
static void
test_check_ends_with_its_caller (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GCancellable) left = g_cancellable_new ();
  Answer answers[2] = { { NULL } };

  g_assert_cmpint (chmod (place->blob, 0600), ==, 0);
  g_assert_cmpint (truncate (place->blob, ENDLESS_BYTES), ==, 0);
  hoard_run_sql (place->hoard->dir, "UPDATE blob SET size = 1 << 40");
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    clip_store_check_async (place->hoard->store, FALSE, left, on_answer, &answers[i]);
  wait_until (is_open (place->blob));
  g_cancellable_cancel (left);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    assert_cancelled (place, &answers[i]);
}

/* of a database that another person has written */
static void
test_name_that_leads_out (Place *place, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "../victim", "aa/../../victim", "/%s" };
  g_autofree char *victim = g_build_filename (place->hoard->dir, "victim", NULL);
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (place->blob, &bytes, &length, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = *names[i] == '/' ? g_strdup (victim) : g_strdup (names[i]);
      g_autofree char *sql = g_strdup_printf ("UPDATE blob SET name = '%s'", name);
      g_autoptr (GBytes) read = NULL;
      gint64 id = i == 0 ? 1 : hoard_add_blob (place->hoard->store, BLOB_BYTES, 7 + i);

      g_assert_true (g_file_set_contents (victim, bytes, (gssize) length, NULL));
      hoard_run_sql (place->hoard->dir, sql);
      hoard_reopen (place->hoard, 0);
      read = hoard_bytes (place->hoard->store, id, i == 0 ? "image/png" : NULL, NULL);
      g_assert_null (read);
      if (i == 1)
        g_assert_cmpint (hoard_wipe (place->hoard->store, TRUE, 0), >, 0);
      else if (i == 2)
        g_assert_cmpint (hoard_delete (place->hoard->store, id), ==, 1);
      else
        repair (place, "blob-missing;stray-file;");
      g_assert_true (g_file_test (victim, G_FILE_TEST_EXISTS));
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add (name, Place, NULL, set_up, function, tear_down)
  ADD ("/repair/two-of-one-entry", test_two_of_one_entry);
  ADD ("/repair/neighbours", test_neighbours);
  ADD ("/repair/row-at-a-wrong-place", test_row_at_a_wrong_place);
  ADD ("/repair/type-without-a-name", test_type_without_a_name);
  ADD ("/repair/right-by-now", test_right_by_now);
  ADD ("/repair/name-that-is-no-text", test_name_that_is_no_text);
  ADD ("/repair/name-that-leads-out-of-the-folder", test_name_that_leads_out);
  ADD ("/repair/file-in-the-place-of-a-folder", test_file_in_the_place_of_a_folder);
  ADD ("/repair/leftover-of-a-repair", test_leftover_of_a_repair);
  ADD ("/repair/check-ends-with-its-caller", test_check_ends_with_its_caller);
#undef ADD
  return g_test_run ();
}
