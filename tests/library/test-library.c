/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of a history: pages, searches, and what it hears of. */
#include "bus-fixture.h"
#include "cliphist.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define MANY 1100
#define PAGE 12

static CliphistHistory *
open_history (BusFixture *self)
{
  return cliphist_history_new_for_connection (self->connection);
}

static gboolean
get_flag (CliphistHistory *history, const char *property)
{
  gboolean value;

  g_object_get (history, property, &value, NULL);
  return value;
}

static guint
count (CliphistHistory *history)
{
  return g_list_model_get_n_items (G_LIST_MODEL (history));
}

static void
wait_loaded (CliphistHistory *history)
{
  wait_until (!get_flag (history, "loading"));
}

static CliphistHistory *
open_loaded (BusFixture *self)
{
  CliphistHistory *history = open_history (self);

  wait_loaded (history);
  return history;
}

static guint64
id_at (CliphistHistory *history, guint position)
{
  g_autoptr (CliphistEntry) entry =
      g_list_model_get_item (G_LIST_MODEL (history), position);
  guint64 id = 0;

  if (entry)
    g_object_get (entry, "id", &id, NULL);
  return id;
}

static char *
text_at (CliphistHistory *history, guint position, const char *property)
{
  g_autoptr (CliphistEntry) entry =
      g_list_model_get_item (G_LIST_MODEL (history), position);
  char *text = NULL;

  if (entry)
    g_object_get (entry, property, &text, NULL);
  return text;
}

static gboolean
has_text (CliphistHistory *history, guint position, const char *text)
{
  g_autofree char *preview = text_at (history, position, "preview");

  return g_strcmp0 (preview, text) == 0;
}

/* as many items as the signals say, newest first */
typedef struct
{
  CliphistHistory *history;
  guint n;
  guint n_changes;
} Mirror;

static void
on_items_changed (Mirror *self, guint position, guint removed, guint added)
{
  g_assert_cmpuint (position + removed, <=, self->n);
  self->n += added - removed;
  self->n_changes++;
  g_assert_cmpuint (self->n, ==, count (self->history));
}

static void
mirror (Mirror *self, CliphistHistory *history)
{
  *self = (Mirror){ .history = history, .n = count (history) };
  g_signal_connect_swapped (history, "items-changed", G_CALLBACK (on_items_changed),
                            self);
}

static void
assert_in_order (CliphistHistory *history)
{
  for (guint i = 1; i < count (history); i++)
    g_assert_cmpuint (id_at (history, i), <, id_at (history, i - 1));
}

static void
store_numbered (BusFixture *self, guint first, guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      g_autofree char *text = g_strdup_printf ("entry number %u", i);

      bus_fixture_store_text (self, text);
    }
}

static void
search (CliphistHistory *history, const char *word)
{
  const char *words[] = { word, NULL };
  g_autoptr (CliphistQuery) query = cliphist_query_new (words);

  g_object_set (history, "query", query, NULL);
}

/* --- pages --- */

static void
test_empty (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_history (self);

  g_assert_true (get_flag (history, "loading"));
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, 0);
  g_assert_true (get_flag (history, "complete"));
  wait_until (get_flag (history, "available"));
}

static void
test_pages (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, MANY);
  history = open_loaded (self);
  mirror (&seen, history);
  g_assert_cmpuint (count (history), ==, PAGE);
  g_assert_true (has_text (history, 0, "entry number 1099"));
  while (!get_flag (history, "complete"))
    {
      guint n = count (history);

      cliphist_history_load_more (history);
      cliphist_history_load_more (history);
      wait_loaded (history);
      g_assert_cmpuint (count (history), ==, MIN (n + PAGE, MANY));
    }
  g_assert_true (has_text (history, MANY - 1, "entry number 0"));
  assert_in_order (history);
}

static void
test_rows (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, MANY);
  history = open_loaded (self);
  mirror (&seen, history);
  cliphist_history_load_rows (history, 100);
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, PAGE + 100);
  cliphist_history_load_more (history);
  cliphist_history_load_rows (history, G_MAXUINT);
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, MANY);
  g_assert_true (get_flag (history, "complete"));
  assert_in_order (history);
}

/* --- what happens --- */

static void
test_added (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, 1);
  history = open_loaded (self);
  mirror (&seen, history);
  store_numbered (self, 1, 200);
  wait_until (count (history) == 201);
  g_assert_true (has_text (history, 0, "entry number 200"));
  assert_in_order (history);
}

static void
test_moved (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  guint64 id;

  store_numbered (self, 0, 5);
  history = open_loaded (self);
  id = bus_fixture_store_text (self, "entry number 2");
  wait_until (id_at (history, 0) == id);
  g_assert_cmpuint (count (history), ==, 5);
  g_assert_true (has_text (history, 0, "entry number 2"));
  assert_in_order (history);
}

static void
test_removed (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  g_autoptr (CliphistEntry) kept = NULL, same = NULL;
  guint64 ids[3];
  Mirror seen;

  store_numbered (self, 0, 6);
  history = open_loaded (self);
  mirror (&seen, history);
  kept = g_list_model_get_item (G_LIST_MODEL (history), 0);
  ids[0] = id_at (history, 1);
  ids[1] = id_at (history, 2);
  ids[2] = id_at (history, 4);
  cliphist_history_delete_async (history, ids, 3, NULL, NULL, NULL);
  wait_until (count (history) == 3);
  g_assert_cmpuint (seen.n_changes, ==, 2);
  same = g_list_model_get_item (G_LIST_MODEL (history), 0);
  g_assert_true (kept == same);
}

static gboolean
is_pinned (CliphistHistory *history, guint position)
{
  g_autoptr (CliphistEntry) entry =
      g_list_model_get_item (G_LIST_MODEL (history), position);
  gboolean pinned;

  g_object_get (entry, "pinned", &pinned, NULL);
  return pinned;
}

static void
test_changed (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  g_autoptr (CliphistEntry) old = NULL;
  gboolean pinned;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  old = g_list_model_get_item (G_LIST_MODEL (history), 1);
  cliphist_history_set_pinned_async (history, id_at (history, 1), TRUE, NULL, NULL, NULL);
  wait_until (is_pinned (history, 1));
  g_object_get (old, "pinned", &pinned, NULL);
  g_assert_false (pinned); /* what somebody holds never changes */
}

static void
on_change (GObject *source, GAsyncResult *result, gpointer n)
{
  g_assert_true (get_flag (CLIPHIST_HISTORY (source), "changing"));
  ++*(guint *) n;
}

/* one that fails is answered, too */
static void
test_changing (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  g_autoptr (GBytes) empty = g_bytes_new (NULL, 0);
  guint n = 0;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  g_assert_false (get_flag (history, "changing"));
  cliphist_history_set_pinned_async (history, id_at (history, 1), TRUE, NULL, on_change,
                                     &n);
  g_assert_true (get_flag (history, "changing"));
  cliphist_history_set_pinned_async (history, G_MAXINT64, TRUE, NULL, on_change, &n);
  cliphist_history_set_text_async (history, id_at (history, 2), "text", NULL, on_change,
                                   &n);
  cliphist_history_store_bytes_async (history, NULL, empty, FALSE, NULL, on_change, &n);
  cliphist_history_store_async (history, (const char *const[]){ "a/b", NULL }, NULL, 0,
                                FALSE, NULL, on_change, &n);
  wait_until (!get_flag (history, "changing"));
  g_assert_cmpuint (n, ==, 5);
}

/* a query decides again when an entry changes */
static void
test_changed_query (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_loaded (self);
  g_autoptr (CliphistQuery) query =
      g_object_new (CLIPHIST_TYPE_QUERY, "pinned", TRUE, NULL);
  guint64 id;

  store_numbered (self, 0, 3);
  wait_until (count (history) == 3);
  id = id_at (history, 1);
  g_object_set (history, "query", query, NULL);
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, 0);
  cliphist_history_set_pinned_async (history, id, TRUE, NULL, NULL, NULL);
  wait_until (count (history) == 1);
  g_assert_cmpuint (id_at (history, 0), ==, id);
  cliphist_history_set_pinned_async (history, id, FALSE, NULL, NULL, NULL);
  wait_until (count (history) == 0);
}

static void
test_wiped (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, MANY);
  history = open_loaded (self);
  mirror (&seen, history);
  cliphist_history_load_more (history);
  cliphist_history_wipe_async (history, TRUE, 0, NULL, NULL, NULL);
  wait_until (count (history) == 0);
  bus_fixture_store_text (self, "after");
  wait_until (count (history) == 1);
  g_assert_true (has_text (history, 0, "after"));
}

/* --- nothing moves under the hand --- */

static guint64
n_held (CliphistHistory *history)
{
  guint64 n;

  g_object_get (history, "n-held", &n, NULL);
  return n;
}

static void
test_held (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  guint64 old, id;

  store_numbered (self, 0, 5);
  history = open_loaded (self);
  g_object_set (history, "hold", TRUE, NULL);
  old = id_at (history, 2);
  bus_fixture_store_text (self, "new");
  id = bus_fixture_store_text (self, "entry number 2");
  wait_until (n_held (history) == 2);
  g_assert_cmpuint (count (history), ==, 5);
  g_assert_cmpuint (id_at (history, 2), ==,
                    id); /* its place, and the id that it has now */
  g_assert_cmpuint (id, !=, old);
  g_object_set (history, "hold", FALSE, NULL);
  g_assert_cmpuint (n_held (history), ==, 0);
  wait_until (count (history) == 6);
  g_assert_cmpuint (id_at (history, 0), ==, id);
  assert_in_order (history);
}

static void
test_held_search (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  g_object_set (history, "hold", TRUE, NULL);
  bus_fixture_store_text (self, "new");
  wait_until (n_held (history) == 1);
  search (history, "new");
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, 1);
  g_assert_cmpuint (n_held (history), ==, 0);
}

/* its signal comes behind the question, before the answer that has it */
static void
test_held_listed (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  g_object_set (history, "hold", TRUE, NULL);
  bus_fixture_store_text (self, "new");
  search (history, "new");
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, 1);
  g_assert_cmpuint (n_held (history), ==, 0);
}

/* nothing moves where there is nothing: at the first start, and after a wipe */
static void
test_held_empty (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = open_loaded (self);

  g_object_set (history, "hold", TRUE, NULL);
  store_numbered (self, 0, 1);
  wait_until (count (history) == 1);
  store_numbered (self, 1, 2);
  wait_until (n_held (history) == 2);
  g_assert_cmpuint (count (history), ==, 1);
  cliphist_history_wipe_async (history, TRUE, 0, NULL, NULL, NULL);
  wait_until (count (history) == 0);
  store_numbered (self, 5, 1);
  wait_until (count (history) == 1);
  g_assert_true (has_text (history, 0, "entry number 5"));
  g_assert_cmpuint (n_held (history), ==, 0);
}

/* what waits comes when the last row goes */
static void
test_held_last (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  guint64 id;

  store_numbered (self, 0, 1);
  history = open_loaded (self);
  g_object_set (history, "hold", TRUE, NULL);
  bus_fixture_store_text (self, "new");
  wait_until (n_held (history) == 1);
  id = id_at (history, 0);
  cliphist_history_delete_async (history, &id, 1, NULL, NULL, NULL);
  wait_until (count (history) == 1 && has_text (history, 0, "new"));
  g_assert_cmpuint (n_held (history), ==, 0);
}

/* copied again, what is on top already moves nowhere */
static void
test_held_top (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  guint64 id;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  g_object_set (history, "hold", TRUE, NULL);
  for (int i = 0; i < 2; i++)
    {
      id = bus_fixture_store_text (self, "entry number 2");
      wait_until (id_at (history, 0) == id);
      g_assert_cmpuint (n_held (history), ==, 0);
    }
  bus_fixture_store_text (self, "new");
  wait_until (n_held (history) == 1);
  bus_fixture_store_text (self, "entry number 2");
  wait_until (n_held (history) == 2);
  g_object_set (history, "hold", FALSE, NULL);
  wait_until (count (history) == 4);
  assert_in_order (history);
}

/* --- searches --- */

static void
test_search (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, 10);
  history = open_loaded (self);
  mirror (&seen, history);
  search (history, "NUMBER 7");
  g_assert_cmpuint (count (history), ==, 10); /* the old rows stay */
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, 1);
  g_assert_true (has_text (history, 0, "entry number 7"));
  bus_fixture_store_text (self, "something else");
  bus_fixture_store_text (self, "entry number 70");
  wait_until (count (history) == 2);
  g_assert_true (has_text (history, 0, "entry number 70"));
  g_object_set (history, "query", NULL, NULL);
  wait_loaded (history);
  g_assert_cmpuint (count (history), ==, 12);
}

/* only the last one counts, whichever is answered first */
static void
test_superseded (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, 30);
  history = open_loaded (self);
  mirror (&seen, history);
  for (guint i = 0; i < 30; i++)
    {
      g_autofree char *text = g_strdup_printf ("number %u", i);

      search (history, text);
    }
  wait_loaded (history);
  g_assert_cmpuint (seen.n_changes, ==, 1);
  g_assert_cmpuint (count (history), ==, 1);
  g_assert_true (has_text (history, 0, "entry number 29"));
}

static void
test_bad_query (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  g_autoptr (CliphistQuery) query =
      g_object_new (CLIPHIST_TYPE_QUERY, "regex", "(", NULL);
  GError *error = NULL;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  g_object_set (history, "query", query, NULL);
  wait_loaded (history);
  g_object_get (history, "error", &error, NULL);
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_INVALID_ARGUMENT);
  g_assert_null (strstr (error->message, "GDBus"));
  g_assert_cmpuint (count (history), ==, 3);
  g_clear_error (&error);
  g_object_set (history, "query", NULL, NULL);
  wait_loaded (history);
  g_object_get (history, "error", &error, NULL);
  g_assert_no_error (error);
}

/* --- the daemon's end --- */

static void
test_daemon_back (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  Mirror seen;

  store_numbered (self, 0, 2 * PAGE - 2);
  history = open_loaded (self);
  cliphist_history_load_more (history);
  wait_loaded (history);
  wait_until (get_flag (history, "available"));
  mirror (&seen, history);
  bus_fixture_end_daemon (self, SIGKILL);
  wait_until (!get_flag (history, "available"));
  g_assert_cmpuint (count (history), ==, 2 * PAGE - 2);
  bus_fixture_start_daemon (self, NULL);
  bus_fixture_store_text (self, "after");
  wait_until (count (history) == 2 * PAGE - 1);
  g_assert_true (has_text (history, 0, "after"));
  g_assert_cmpuint (seen.n_changes, ==, 1); /* the rows are those from before */
}

static void
remove_file (BusFixture *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->dir, "store", name, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

/* its ids begin anew */
static void
test_daemon_back_with_another_history (BusFixture *self, gconstpointer data)
{
  for (guint holds = 0; holds < 2; holds++)
    {
      g_autoptr (CliphistHistory) history = NULL;

      store_numbered (self, 0, 5);
      history = open_loaded (self);
      g_object_set (history, "hold", holds, NULL);
      wait_until (get_flag (history, "available"));
      bus_fixture_end_daemon (self, SIGTERM);
      wait_until (!get_flag (history, "available"));
      remove_file (self, "history.db");
      bus_fixture_start_daemon (self, NULL);
      bus_fixture_store_text (self, "first");
      wait_until (count (history) == 1);
      g_object_set (history, "hold", FALSE, NULL);
      bus_fixture_store_text (self, "second");
      wait_until (count (history) == 2);
      g_assert_true (has_text (history, 0, "second"));
    }
}

static void
test_without_daemon (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  g_autoptr (GError) error = NULL;

  bus_fixture_store_text (self, "here");
  bus_fixture_end_daemon (self, SIGTERM);
  history = open_loaded (self);
  g_object_get (history, "error", &error, NULL);
  g_assert_error (error, CLIPHIST_ERROR, CLIPHIST_ERROR_UNAVAILABLE);
  bus_fixture_start_daemon (self, NULL);
  wait_until (count (history) == 1);
}

/* in milliseconds; -1 where nothing is due before somebody says something */
static int
next_due (void)
{
  GMainContext *context = g_main_context_default ();
  int priority, due_ms = 0;

  g_assert_true (g_main_context_acquire (context));
  g_main_context_prepare (context, &priority);
  g_main_context_query (context, G_MAXINT, &due_ms, NULL, 0);
  g_main_context_release (context);
  return due_ms;
}

/* what is due while a call is under way is its time-out */
static void
test_idle (BusFixture *self, gconstpointer data)
{
  const gint64 until_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  g_autoptr (CliphistHistory) history = NULL;

  store_numbered (self, 0, 3);
  history = open_loaded (self);
  wait_until (get_flag (history, "available"));
  while (next_due () != -1)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_main_context_iteration (NULL, TRUE);
    }
}

/* one that is dropped with a read under way is gone */
static void
test_dropped (BusFixture *self, gconstpointer data)
{
  CliphistHistory *history = open_history (self);
  gpointer left = history;

  g_object_add_weak_pointer (G_OBJECT (history), &left);
  g_object_unref (history);
  g_assert_null (left);
  bus_fixture_store_text (self, "meanwhile");
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/library/empty", test_empty);
  bus_fixture_add ("/library/pages", test_pages);
  bus_fixture_add ("/library/rows", test_rows);
  bus_fixture_add ("/library/added", test_added);
  bus_fixture_add ("/library/moved", test_moved);
  bus_fixture_add ("/library/removed", test_removed);
  bus_fixture_add ("/library/changed", test_changed);
  bus_fixture_add ("/library/a-change-is-told-until-it-is-answered", test_changing);
  bus_fixture_add ("/library/a-change-meets-the-query", test_changed_query);
  bus_fixture_add ("/library/wiped-while-open", test_wiped);
  bus_fixture_add ("/library/held", test_held);
  bus_fixture_add ("/library/held-until-a-search", test_held_search);
  bus_fixture_add ("/library/what-is-listed-is-not-held", test_held_listed);
  bus_fixture_add ("/library/held-where-there-are-no-rows", test_held_empty);
  bus_fixture_add ("/library/held-until-the-last-row-goes", test_held_last);
  bus_fixture_add ("/library/what-is-on-top-already-is-not-held", test_held_top);
  bus_fixture_add ("/library/search", test_search);
  bus_fixture_add ("/library/superseded-search", test_superseded);
  bus_fixture_add ("/library/malformed-search", test_bad_query);
  bus_fixture_add ("/library/daemon-killed-and-back", test_daemon_back);
  bus_fixture_add ("/library/daemon-back-with-another-history",
                   test_daemon_back_with_another_history);
  bus_fixture_add ("/library/no-daemon", test_without_daemon);
  bus_fixture_add ("/library/idle-wakes-nobody", test_idle);
  bus_fixture_add ("/library/dropped", test_dropped);
  return g_test_run ();
}
