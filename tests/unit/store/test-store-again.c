/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What becomes of a copy that was there before: it moves up, and is kept once. */
#include "hoard-check.h"

#include "clip-error.h"

#include <string.h>

#define TEXT "text/plain;charset=utf-8"
#define HTML "text/html"

static void
test_same_again_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  ClipDraft *first = hoard_draft (hoard->store, TEXT, "one", NULL);
  ClipDraft *again = NULL;
  ClipOutcome added;

  clip_draft_set_times (first, 1000, 2000);
  hoard_add (hoard->store, first, NULL);
  hoard_add_text (hoard->store, "two");
  again = hoard_draft (hoard->store, TEXT, "one", NULL);
  clip_draft_set_times (again, 5000, 5000);
  added = hoard_add (hoard->store, again, NULL);
  g_assert_cmpint (added.id, ==, 3);
  g_assert_cmpint (added.moved_from, ==, 1);
  hoard_assert_list (hoard->store, "3 one;2 two;");
  entry = hoard_lookup (hoard->store, 3, &error);
  g_assert_cmpint (entry->row.first_us, ==, 1000);
  g_assert_cmpint (entry->row.last_us, ==, 5000);
  g_assert_cmpint (entry->row.copies, ==, 2);
  hoard_assert_totals (hoard->store, 2, 6, 0);
}

static ClipOutcome
take_answer (ClipStore *store, Answer *answer)
{
  g_autoptr (GAsyncResult) result = answer_wait (answer);
  g_autoptr (GError) error = NULL;
  ClipOutcome outcome;

  g_assert_true (clip_store_change_finish (store, result, &outcome, &error));
  return outcome;
}

/* Once for all who asked for it within one transaction: what they are told is there, or
 * it is told that it has moved. Of three at least two are in one, also where the first is
 * in that of another text. */
static void
test_same_thrice_at_once (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  g_autofree char *path = g_build_filename (hoard->dir, "history.db", NULL);
  Answer answers[4] = { { NULL } };
  ClipOutcome told[G_N_ELEMENTS (answers)];
  sqlite3 *db = NULL;

  hoard_add_text (hoard->store, "before");
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  hoard_exec (db, "BEGIN IMMEDIATE"); /* the first one waits for that, and they for it */
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      ClipDraft *draft = hoard_draft (hoard->store, TEXT, i == 0 ? "first" : "one", NULL);

      clip_store_change_async (hoard->store, clip_change_add (draft, NULL), on_answer,
                               &answers[i]);
    }
  hoard_exec (db, "COMMIT");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    told[i] = take_answer (hoard->store, &answers[i]);
  g_assert_cmpint (told[0].id, ==, 2);
  for (guint i = 1; i < G_N_ELEMENTS (told); i++)
    {
      g_autofree char *moved = g_strdup_printf ("%" G_GINT64_FORMAT ">5 ", told[i].id);

      g_assert_true (told[i].id == 5 || strstr (heard->str, moved));
      g_assert_true (told[i].id != 5 || told[i].moved_from != 0); /* not its alone */
    }
  hoard_assert_list (hoard->store, "5 one;2 first;1 before;");
}

static gint64
move (ClipStore *store, gint64 id, GError **error)
{
  ClipOutcome moved;
  Answer answer = { NULL };
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_change_async (store, clip_change_move (id), on_answer, &answer);
  result = answer_wait (&answer);
  return clip_store_change_finish (store, result, &moved, error) ? moved.id : -1;
}

static void
test_chosen_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_pin (hoard->store, 1, TRUE);
  heard = hoard_listen (hoard->store);
  g_assert_cmpint (move (hoard->store, 1, &error), ==, 3);
  g_assert_cmpint (move (hoard->store, 3, &error), ==, 3);
  g_assert_no_error (error);
  hoard_assert_list (hoard->store, "3 one;2 two;");
  g_assert_cmpstr (heard->str, ==, "1>3 ");
  entry = hoard_lookup (hoard->store, 3, &error);
  g_assert_true (entry->row.pinned);
  g_assert_cmpint (entry->row.copies, ==, 2);
  hoard_assert_totals (hoard->store, 2, 6, 1);
  g_assert_cmpint (move (hoard->store, 9, &error), ==, -1);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NOT_FOUND);
}

static gboolean
replace (ClipStore *store, gint64 id, const char *text)
{
  ClipDraft *draft = hoard_draft (store, TEXT, text, NULL);

  clip_draft_set_replaces (draft, id);
  return hoard_add (store, draft, NULL).replaced;
}

/* in one transaction: who hears of it finds it done */
static void
test_replaced_gives_pin_and_tags (void)
{
  static const char *const tags[] = { "sig", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  Answer answer = { NULL };

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  hoard_pin (hoard->store, 1, TRUE);
  clip_store_change_async (hoard->store, clip_change_tag (1, tags), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  heard = hoard_listen (hoard->store);
  g_assert_true (replace (hoard->store, 1, "once"));
  g_assert_cmpstr (heard->str, ==, "+3 *3 -1 ");
  hoard_assert_list (hoard->store, "3 once;2 two;");
  hoard_assert_totals (hoard->store, 2, 7, 1);
  entry = hoard_lookup (hoard->store, 3, &error);
  g_assert_true (entry->row.pinned);
  g_assert_cmpstr (entry->tags[0], ==, "sig");
  /* with what another one holds, that one; then what is not there, and its own text */
  g_assert_true (replace (hoard->store, 3, "two"));
  hoard_assert_list (hoard->store, "4 two;");
  g_assert_false (replace (hoard->store, 3, "two"));
  g_assert_true (replace (hoard->store, 5, "two"));
  hoard_assert_list (hoard->store, "6 two;");
  hoard_assert_totals (hoard->store, 1, 3, 1);
}

static gint64
expiry (ClipStore *store, gint64 id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = hoard_lookup (store, id, &error);

  g_assert_no_error (error);
  return entry->row.expires_us;
}

static void
expire_at (ClipStore *store, gint64 id, gint64 expires_us)
{
  g_autoptr (GError) error = NULL;
  Answer answer = { NULL };

  clip_store_change_async (store, clip_change_expire (id, expires_us), on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (store, &answer, &error), ==, 1);
  g_assert_no_error (error);
}

/* but not to one that was there before; one that came meanwhile takes nothing along */
static void
test_replaced_gives_expiry (void)
{
  const gint64 soon_us = G_MAXINT64 - 1;
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  expire_at (hoard->store, 1, soon_us);
  g_assert_true (replace (hoard->store, 1, "once"));
  g_assert_cmpint (expiry (hoard->store, 3), ==, soon_us);
  g_assert_true (replace (hoard->store, 3, "two"));
  g_assert_cmpint (expiry (hoard->store, 4), ==, 0);
  hoard_add_text (hoard->store, "three");
  expire_at (hoard->store, 5, G_MAXINT64);
  expire_at (hoard->store, 4, soon_us);
  g_assert_true (replace (hoard->store, 5, "two"));
  g_assert_cmpint (expiry (hoard->store, 6), ==, soon_us);
  hoard_add_text (hoard->store, "four");
  hoard_pin (hoard->store, 7, TRUE);
  expire_at (hoard->store, 7, 1000);
  g_assert_true (replace (hoard->store, 7, "fourth"));
  g_assert_cmpint (expiry (hoard->store, 8), ==, 0);
  hoard_assert_list (hoard->store, "8 fourth;6 two;");
}

/* a page may have copied that text before, with a link of its own */
static void
test_replaced_by_its_text_alone (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;

  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "once", HTML, "<a>evil</a>", NULL), NULL);
  hoard_add_text (hoard->store, "one");
  hoard_pin (hoard->store, 2, TRUE);
  g_assert_true (replace (hoard->store, 2, "once"));
  hoard_assert_list (hoard->store, "3 once;1 once;");
  entry = hoard_lookup (hoard->store, 3, &error);
  g_assert_true (entry->row.pinned);
  g_assert_cmpuint (entry->contents->len, ==, 1);
  hoard_assert_bytes (hoard->store, 1, HTML, "<a>evil</a>");
}

/* the id says that something was copied, even if it was the newest already */
static void
test_newest_again_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 1);
  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 2);
  hoard_assert_list (hoard->store, "2 one;");
}

/* Returns: its id, as of a caller, who names no display */
static gint64
call_store (ClipStore *store, const char *text, gint64 at_us)
{
  g_autoptr (ClipStage) stage = hoard_stage (store, text, strlen (text));
  ClipDraft *draft = clip_draft_new ("");

  clip_draft_add (draft, TEXT, stage, (gint64) strlen (text));
  clip_draft_set_times (draft, at_us, at_us);
  return hoard_add (store, draft, NULL).id;
}

static gint64
copy (ClipStore *store, const char *text, gint64 at_us)
{
  ClipDraft *draft = hoard_draft (store, TEXT, text, HTML, "<b>rich</b>", NULL);

  clip_draft_set_times (draft, at_us, at_us);
  return hoard_add (store, draft, NULL).id;
}

/* `wl-paste --watch cliphist store` beside the daemon; the same from two callers is two
   copies */
static void
test_watcher_beside_makes_no_second_copy (void)
{
  const gint64 then_us = g_get_real_time () - G_TIME_SPAN_HOUR;
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipEntry) entry = NULL;

  g_assert_cmpint (copy (hoard->store, "one", then_us), ==, 1);
  g_assert_cmpint (call_store (hoard->store, "one", then_us + 1000), ==, 1);
  g_assert_cmpint (copy (hoard->store, "one", then_us + 2000), ==, 2);
  g_assert_cmpint (call_store (hoard->store, "one", then_us + 60 * G_USEC_PER_SEC), ==,
                   3);
  entry = hoard_lookup (hoard->store, 3, NULL);
  g_assert_cmpint (entry->row.copies, ==, 3);
  g_assert_cmpint (call_store (hoard->store, "two", then_us), ==, 4);
  g_assert_cmpint (call_store (hoard->store, "two", then_us), ==, 5);
  g_assert_cmpint (copy (hoard->store, "one", then_us), ==, 6);
}

/* the watcher was first, and the daemon has no more than it */
static void
test_watcher_that_is_first_makes_no_second_copy (void)
{
  const gint64 now_us = g_get_real_time ();
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpint (call_store (hoard->store, "one", now_us), ==, 1);
  g_assert_cmpint (hoard_add_text (hoard->store, "one"), ==, 1);
  hoard_assert_list (hoard->store, "1 one;");
}

static void
test_large_again_moves (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  g_assert_cmpint (hoard_add_blob (hoard->store, 300000, 7), ==, 1);
  g_assert_cmpint (hoard_add_blob (hoard->store, 300000, 8), ==, 2);
  g_assert_cmpint (hoard_add_blob (hoard->store, 300000, 7), ==, 3);
  hoard_assert_totals (hoard->store, 2, 600000, 0);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 2);
}

static void
test_move_keeps_everything (void)
{
  static const char *const tags[] = { "red", "blue", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  Answer answer = { NULL };

  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>", NULL), NULL);
  hoard_pin (hoard->store, 1, TRUE);
  clip_store_change_async (hoard->store, clip_change_tag (1, tags), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  clip_store_change_async (hoard->store, clip_change_expire (1, G_MAXINT64), on_answer,
                           &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  g_assert_no_error (error);

  g_assert_cmpint (hoard_add_text (hoard->store, "plain"), ==, 2);
  entry = hoard_lookup (hoard->store, 2, &error);
  g_assert_no_error (error);
  g_assert_true (entry->row.pinned);
  g_assert_cmpint (entry->row.expires_us, ==, G_MAXINT64);
  g_assert_true (g_strv_contains ((const char *const *) entry->tags, "red"));
  g_assert_true (g_strv_contains ((const char *const *) entry->tags, "blue"));
  g_assert_cmpuint (entry->contents->len, ==, 2);
  hoard_assert_bytes (hoard->store, 2, HTML, "<b>rich</b>");
  hoard_assert_totals (hoard->store, 1, 16, 1);
}

static void
test_richer_replaces_plainer (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = hoard_listen (hoard->store);
  ClipOutcome added;

  hoard_add_text (hoard->store, "plain");
  added = hoard_add (hoard->store,
                     hoard_draft (hoard->store, TEXT, "plain", HTML, "<b>rich</b>", NULL),
                     NULL);
  g_assert_cmpint (added.moved_from, ==, 1);
  hoard_assert_list (hoard->store, "2 plain;");
  hoard_assert_bytes (hoard->store, 2, HTML, "<b>rich</b>");
  hoard_assert_totals (hoard->store, 1, 16, 0);
  g_assert_cmpstr (heard->str, ==, "+1 1>2 *2 ");
}

static void
add_rich (Hoard *hoard, const char *html)
{
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "sig", HTML, html, NULL),
             NULL);
}

/* whoever copies that text with a type of their own */
static void
test_marked_one_keeps_its_contents (void)
{
  static const char *const tags[] = { "sig", NULL };
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipEntry) entry = NULL;
  Answer answer = { NULL };

  hoard_add_text (hoard->store, "sig");
  clip_store_change_async (hoard->store, clip_change_tag (1, tags), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  add_rich (hoard, "<a>other</a>");
  hoard_assert_list (hoard->store, "2 sig;1 sig;");
  clip_store_change_async (hoard->store, clip_change_tag (1, NULL), on_answer, &answer);
  g_assert_cmpint (hoard_wait_n (hoard->store, &answer, &error), ==, 1);
  hoard_pin (hoard->store, 1, TRUE);
  add_rich (hoard, "<a>third</a>");
  hoard_assert_list (hoard->store, "3 sig;2 sig;1 sig;");
  entry = hoard_lookup (hoard->store, 1, &error);
  g_assert_cmpuint (entry->contents->len, ==, 1);
  /* each is itself when it comes again */
  hoard_add_text (hoard->store, "sig");
  add_rich (hoard, "<a>other</a>");
  hoard_assert_list (hoard->store, "5 sig;4 sig;3 sig;");
  hoard_assert_bytes (hoard->store, 5, HTML, "<a>other</a>");
  hoard_assert_totals (hoard->store, 3, 33, 1);
}

static void
test_same_bytes_of_another_type (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add (hoard->store, hoard_draft (hoard->store, "text/html", "<b>", NULL), NULL);
  hoard_add_text (hoard->store, "<b>");
  hoard_add (hoard->store,
             hoard_draft (hoard->store, "application/x-evil", "<b>", "text/x", "1", NULL),
             NULL);
  hoard_assert_list (hoard->store, "3 <b>;2 <b>;1 <b>;");
  /* plain text has several names */
  hoard_add (hoard->store,
             hoard_draft (hoard->store, "text/plain;charset=us-ascii", "<b>", NULL),
             NULL);
  hoard_assert_list (hoard->store, "4 <b>;3 <b>;1 <b>;");
}

/* where it is pasted, what was cut is moved, and gone from where it was; each file
 * manager reads its mark in its own way */
static void
test_copied_files_are_not_those_that_were_cut (void)
{
  static const struct
  {
    const char *mime;
    const char *cut;
  } marks[] = {
    { "application/x-kde-cutselection", "1" },
    { "x-special/gnome-copied-files", "cut\nfile:///a" },
    { "x-special/gnome-copied-files", "CUT\nfile:///a" },
    { "x-special/gnome-copied-files", "cut\r\nfile:///a" },
    { "x-special/gnome-copied-files", "cut" },
    { "x-special/mate-copied-files", "CUT\nfile:///a" },
    { "x-special/nautilus-clipboard", "cut\nfile:///a" },
    { TEXT, "x-special/nautilus-clipboard\ncut\nfile:///a\n" },
    { "x-special/gnome-copied-files", "copy\nfile:///b" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    for (guint is_cut_first = 0; is_cut_first < 2; is_cut_first++)
      {
        g_autoptr (Hoard) hoard = hoard_new (0);
        g_autoptr (GError) error = NULL;

        for (guint n = 0; n < 2; n++)
          hoard_add (hoard->store,
                     hoard_draft (hoard->store, "text/uri-list", "file:///a\r\n",
                                  n == is_cut_first ? NULL : marks[i].mime, marks[i].cut,
                                  NULL),
                     NULL);
        for (gint64 id = 1; id <= 2; id++)
          {
            g_autoptr (ClipEntry) entry = hoard_lookup (hoard->store, id, &error);

            g_assert_no_error (error);
            g_assert_cmpuint (entry->contents->len, ==, id == 1 + is_cut_first ? 1 : 2);
          }
      }
}

/* an archive, or a caller, may bring a text that a person has copied, with such a list */
static void
test_no_list_of_files_is_added_to_a_text (void)
{
  static const char *const lists[] = { "text/uri-list", "x-special/gnome-copied-files",
                                       "text/x-moz-url", "application/x-kde4-urilist",
                                       "text/uri-list;charset=utf-8" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint nth = 0; nth < 2; nth++)
      {
        g_autoptr (Hoard) hoard = hoard_new (0);
        g_autoptr (GError) error = NULL;
        g_autoptr (ClipEntry) entry = NULL;

        for (guint n = 0; n < 2; n++)
          hoard_add (hoard->store,
                     hoard_draft (hoard->store, TEXT, "sig", n == nth ? lists[i] : NULL,
                                  "cut\nfile:///a", NULL),
                     NULL);
        hoard_assert_list (hoard->store, "2 sig;1 sig;");
        /* that of the person moves up */
        hoard_add_text (hoard->store, "sig");
        entry = hoard_lookup (hoard->store, 3, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (entry->contents->len, ==, 1);
      }
}

/* an image viewer copies the file, too, and a watcher, as
 * `wl-paste --type image --watch cliphist store`, takes the image */
static void
test_image_with_its_file_is_told_twice (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStage) stage = hoard_stage (hoard->store, "\x89PNG", 4);
  ClipDraft *watched = clip_draft_new ("");

  hoard_add (hoard->store,
             hoard_draft (hoard->store, "image/png", "\x89PNG", "text/uri-list",
                          "file:///a.png", NULL),
             NULL);
  clip_draft_add (watched, "image/png", stage, 4);
  g_assert_true (hoard_add (hoard->store, watched, NULL).is_echo);
  /* without the file it is another copy */
  hoard_add (hoard->store, hoard_draft (hoard->store, "image/png", "\x89PNG", NULL),
             NULL);
  hoard_assert_totals (hoard->store, 2, 4 + 13 + 4, 0);
}

/* who reads an image off the clipboard, and stores it with files to be cut */
static void
test_caller_adds_no_file_to_an_image (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStage) image = hoard_stage (hoard->store, "\x89PNG", 4);
  g_autoptr (ClipStage) list = hoard_stage (hoard->store, "file:///a", 9);
  ClipDraft *called = clip_draft_new ("");

  hoard_add (hoard->store, hoard_draft (hoard->store, "image/png", "\x89PNG", NULL),
             NULL);
  clip_draft_add (called, "image/png", image, 4);
  clip_draft_add (called, "text/uri-list", list, 9);
  hoard_add (hoard->store, called, NULL);
  hoard_assert_totals (hoard->store, 2, 4 + 4 + 9, 0);
}

static void
test_image_is_told_before_its_file (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (ClipStage) stage = hoard_stage (hoard->store, "\x89PNG", 4);
  ClipDraft *watched = clip_draft_new ("");

  clip_draft_add (watched, "image/png", stage, 4);
  hoard_add (hoard->store, watched, NULL);
  hoard_add (hoard->store,
             hoard_draft (hoard->store, "image/png", "\x89PNG", "text/uri-list",
                          "file:///a.png", NULL),
             NULL);
  hoard_assert_totals (hoard->store, 1, 4 + 13, 0);
}

/* too long for a row: it is in a file, and compared all the same */
static void
test_long_list_of_files_may_be_cut (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autofree char *list = g_strnfill (70000, 'a');

  memcpy (list, "cut\n", 4);
  hoard_add (hoard->store, hoard_draft (hoard->store, "text/uri-list", "file:///a", NULL),
             NULL);
  for (guint i = 0; i < 2; i++)
    hoard_add (hoard->store,
               hoard_draft (hoard->store, "text/uri-list", "file:///a",
                            "x-special/gnome-copied-files", list, NULL),
               NULL);
  hoard_assert_list (hoard->store, "3 file:///a;1 file:///a;");
}

/* an archive, or a program, may bring very many */
static void
test_of_many_twins_the_newest_are_compared (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  for (guint i = 0; i < 20; i++)
    {
      g_autofree char *html = g_strdup_printf ("%u", i);

      add_rich (hoard, html);
    }
  add_rich (hoard, "19");
  add_rich (hoard, "4");
  hoard_assert_totals (hoard->store, 20, 20 * 3 + 10 + 20, 0);
  add_rich (hoard, "0");
  hoard_assert_totals (hoard->store, 21, 21 * 3 + 10 + 21, 0);
}

static void
test_neither_within_the_other (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "a", HTML, "1", NULL), NULL);
  hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "a", HTML, "2", NULL), NULL);
  hoard_assert_list (hoard->store, "2 a;1 a;");
  /* all that the second has, and the first has not */
  hoard_add (hoard->store,
             hoard_draft (hoard->store, TEXT, "a", HTML, "2", "text/x", "3", NULL), NULL);
  hoard_assert_list (hoard->store, "3 a;1 a;");
}

static void
test_narrow_search_lets_twins_in (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);
  g_autoptr (GString) heard = NULL;
  ClipLimits narrow = CLIP_NO_LIMITS;

  narrow.max_dedupe_search = 1;
  hoard_add_text (hoard->store, "one");
  hoard_add_text (hoard->store, "two");
  /* the newest two are looked at */
  g_assert_cmpint (
      hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "one", NULL), &narrow)
          .moved_from,
      ==, 1);
  hoard_add_text (hoard->store, "three");
  g_assert_cmpint (
      hoard_add (hoard->store, hoard_draft (hoard->store, TEXT, "two", NULL), &narrow)
          .moved_from,
      ==, 0);
  hoard_assert_list (hoard->store, "5 two;4 three;3 one;2 two;");
  heard = hoard_listen (hoard->store);
  /* one of them remains */
  g_assert_cmpint (hoard_add_text (hoard->store, "two"), ==, 6);
  hoard_assert_list (hoard->store, "6 two;4 three;3 one;");
  g_assert_cmpstr (heard->str, ==, "5>6 -2 ");
}

static void
test_no_files_left_of_duplicates (void)
{
  g_autoptr (Hoard) hoard = hoard_new (0);

  for (guint i = 0; i < 5; i++)
    hoard_add_blob (hoard->store, 70000, 3);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 1);
  hoard_delete (hoard->store, 5);
  g_assert_cmpuint (hoard_count_files (hoard->dir, "blobs"), ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/same-again-moves-up", test_same_again_moves);
  g_test_add_func ("/store/same-thrice-at-once-is-one", test_same_thrice_at_once);
  g_test_add_func ("/store/chosen-moves-up", test_chosen_moves);
  g_test_add_func ("/store/replaced-gives-pin-and-tags",
                   test_replaced_gives_pin_and_tags);
  g_test_add_func ("/store/replaced-gives-expiry", test_replaced_gives_expiry);
  g_test_add_func ("/store/replaced-by-its-text-alone", test_replaced_by_its_text_alone);
  g_test_add_func ("/store/newest-again-gets-the-next-id", test_newest_again_moves);
  g_test_add_func ("/store/watcher-beside-makes-no-second-copy",
                   test_watcher_beside_makes_no_second_copy);
  g_test_add_func ("/store/watcher-that-is-first-makes-no-second-copy",
                   test_watcher_that_is_first_makes_no_second_copy);
  g_test_add_func ("/store/large-one-again-moves-up", test_large_again_moves);
  g_test_add_func ("/store/move-keeps-pin-tags-expiry", test_move_keeps_everything);
  g_test_add_func ("/store/richer-replaces-plainer", test_richer_replaces_plainer);
  g_test_add_func ("/store/one-with-a-pin-or-a-tag-keeps-its-contents",
                   test_marked_one_keeps_its_contents);
  g_test_add_func ("/store/same-bytes-of-another-type-are-another-entry",
                   test_same_bytes_of_another_type);
  g_test_add_func ("/store/copied-files-are-not-those-that-were-cut",
                   test_copied_files_are_not_those_that_were_cut);
  g_test_add_func ("/store/a-long-list-of-files-may-be-one-that-was-cut",
                   test_long_list_of_files_may_be_cut);
  g_test_add_func ("/store/no-list-of-files-is-added-to-a-text",
                   test_no_list_of_files_is_added_to_a_text);
  g_test_add_func ("/store/image-with-its-file-is-told-twice",
                   test_image_with_its_file_is_told_twice);
  g_test_add_func ("/store/caller-adds-no-file-to-an-image",
                   test_caller_adds_no_file_to_an_image);
  g_test_add_func ("/store/image-is-told-before-its-file",
                   test_image_is_told_before_its_file);
  g_test_add_func ("/store/of-many-twins-the-newest-are-compared",
                   test_of_many_twins_the_newest_are_compared);
  g_test_add_func ("/store/neither-within-the-other", test_neither_within_the_other);
  g_test_add_func ("/store/narrow-search-lets-twins-in",
                   test_narrow_search_lets_twins_in);
  g_test_add_func ("/store/one-file-for-equal-bytes", test_no_files_left_of_duplicates);
  return g_test_run ();
}
