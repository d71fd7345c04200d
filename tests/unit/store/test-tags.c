/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A tag is as private as what it was given to: it goes with the last entry that has
   it. */
#include "hoard-check.h"
#include "shelf.h"

#define TEXT "text/plain;charset=utf-8"

static void
set_tag (ClipStore *store, gint64 id, const char *tag)
{
  const char *const tags[] = { tag, NULL };
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_tag (id, tags), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (store, &answer, &error), ==, 1);
  g_assert_no_error (error);
}

/* entry 1 has it, entry 2 does not */
static Hoard *
make_tagged (const char *tag)
{
  Hoard *hoard = hoard_new (0);

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  set_tag (hoard->store, 1, tag);
  g_assert_true (hoard_holds (hoard->dir, tag));
  return hoard;
}

static void
assert_gone (Hoard *hoard, const char *tag)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (hoard_holds (hoard->dir, tag) && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (hoard_holds (hoard->dir, tag));
}

static gint64
count_names (Hoard *hoard)
{
  return shelf_get_number (hoard->dir, "SELECT count(*) FROM name");
}

static void
test_deleted (void)
{
  g_autoptr (Hoard) hoard = make_tagged ("SECRETTAG");

  hoard_delete (hoard->store, 1);
  assert_gone (hoard, "SECRETTAG");
}

static void
test_wiped (void)
{
  g_autoptr (Hoard) hoard = make_tagged ("SECRETTAG");

  hoard_pin (hoard->store, 2, TRUE);
  g_assert_cmpint (hoard_wipe (hoard->store, FALSE, 0), ==, 1);
  assert_gone (hoard, "SECRETTAG");
}

static void
test_expired (void)
{
  g_autoptr (Hoard) hoard = make_tagged ("SECRETTAG");
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (hoard->store, clip_change_expire (1, 1), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  g_assert_no_error (error);
  hoard_trim (hoard->store, (ClipLimits) CLIP_NO_LIMITS, FALSE);
  assert_gone (hoard, "SECRETTAG");
}

static void
test_untagged (void)
{
  g_autoptr (Hoard) hoard = make_tagged ("SECRETTAG");
  gint64 n = count_names (hoard);

  set_tag (hoard->store, 1, "another");
  assert_gone (hoard, "SECRETTAG");
  set_tag (hoard->store, 1, NULL);
  g_assert_cmpint (count_names (hoard), ==, n - 1);
}

static void
assert_tagged (Hoard *hoard, gint64 id, const char *tag)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, id, &error);

  g_assert_no_error (error);
  g_assert_true (g_strv_contains ((const char *const *) entry->tags, tag));
}

static void
test_shared_stays (void)
{
  g_autoptr (Hoard) hoard = make_tagged ("shared");

  set_tag (hoard->store, 2, "shared");
  hoard_delete (hoard->store, 1);
  assert_tagged (hoard, 2, "shared");
  /* what is copied again keeps it under its new id */
  g_assert_cmpint (hoard_add_text (hoard->store, "two"), ==, 3);
  assert_tagged (hoard, 3, "shared");
  hoard_delete (hoard->store, 3);
  assert_gone (hoard, "shared");
}

/* whichever it was first */
static void
test_type_stays (void)
{
  g_autoptr (Hoard) hoard = make_tagged (TEXT);

  set_tag (hoard->store, 2, "text/html");
  hoard_add (hoard->store, hoard_draft (hoard->store, "text/html", "<b>", NULL), NULL);
  hoard_delete (hoard->store, 1);
  hoard_delete (hoard->store, 2);
  g_assert_cmpint (hoard_add_text (hoard->store, "four"), ==, 4);
  hoard_assert_list (hoard->store, "4 four;3 <b>;");
  g_assert_cmpint (shelf_get_number (hoard->dir, "SELECT count(*) FROM name, entry"
                                                 " WHERE name.id = entry.mime"),
                   ==, 2);
}

/* by a damaged page: what has it goes into messages of D-Bus */
static void
test_no_text (void)
{
  g_autoptr (Hoard) hoard = make_tagged ("sig");

  g_assert_cmpint (hoard_run_sql (hoard->dir, "UPDATE name SET text = CAST (x'7369e7'"
                                              " AS TEXT) WHERE text = 'sig'"),
                   ==, 1);
  assert_tagged (hoard, 1, "si\357\277\275");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tags/go-with-a-deleted-entry", test_deleted);
  g_test_add_func ("/tags/go-with-a-wiped-entry", test_wiped);
  g_test_add_func ("/tags/go-with-an-expired-entry", test_expired);
  g_test_add_func ("/tags/go-when-taken-away", test_untagged);
  g_test_add_func ("/tags/stay-while-an-entry-has-them", test_shared_stays);
  g_test_add_func ("/tags/stay-where-a-type-is-called-so", test_type_stays);
  g_test_add_func ("/tags/are-text-though-the-database-has-none", test_no_text);
  return g_test_run ();
}
