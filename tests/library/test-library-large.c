/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* 100,000 entries: what a list costs does not grow with them. */
#include "bus-fixture.h"
#include "cliphist.h"

#include <signal.h>

#define ENTRIES 100000
#define PAGE 12

static const char *filler;

static void
fill (BusFixture *self)
{
  g_autofree char *dir = g_build_filename (self->dir, "store", NULL);
  g_autofree char *count = g_strdup_printf ("%d", ENTRIES);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = NULL;

  bus_fixture_end_daemon (self, SIGTERM);
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error, filler, dir,
                              count, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_wait_check (process, NULL, &error));
  bus_fixture_start_daemon (self, NULL);
}

static gboolean
is_loading (CliphistHistory *history)
{
  gboolean loading;

  g_object_get (history, "loading", &loading, NULL);
  return loading;
}

static guint
count (CliphistHistory *history)
{
  return g_list_model_get_n_items (G_LIST_MODEL (history));
}

static void
say_time (const char *what, gint64 since_us)
{
  g_test_message ("%s: %.1f ms", what,
                  (double) (g_get_monotonic_time () - since_us) / 1000);
}

static void
wait_loaded (CliphistHistory *history, const char *what)
{
  const gint64 since_us = g_get_monotonic_time ();

  while (is_loading (history))
    g_main_context_iteration (NULL, TRUE);
  say_time (what, since_us);
}

static void
set_words (CliphistHistory *history, const char *word)
{
  const char *words[] = { word, NULL };
  g_autoptr (CliphistQuery) query = cliphist_query_new (words);

  g_object_set (history, "query", query, NULL);
}

/* the oldest is found, and what is typed before it is there leaves no trace */
static void
search (CliphistHistory *history, guint64 expected, const char *text)
{
  g_autoptr (CliphistEntry) found = NULL;
  guint64 id;

  for (gsize length = 1; length < 20; length++)
    {
      g_autofree char *part = g_utf8_substring (text, 0, (glong) length);

      set_words (history, part);
    }
  set_words (history, text);
  wait_loaded (history, "20 searches, each superseded by the next");
  g_assert_cmpuint (count (history), ==, 1);
  found = g_list_model_get_item (G_LIST_MODEL (history), 0);
  g_object_get (found, "id", &id, NULL);
  g_assert_cmpuint (id, ==, expected);
}

static char *
preview_of_oldest (BusFixture *self)
{
  g_autoptr (GVariant) entry = NULL;
  char *preview = NULL;

  clip_dbus_history_call_lookup_sync (self->proxy, 1, G_DBUS_CALL_FLAGS_NONE, -1, &entry,
                                      NULL, NULL);
  g_variant_lookup (entry, "preview", "s", &preview);
  return preview;
}

static void
test_large (BusFixture *self, gconstpointer data)
{
  g_autoptr (CliphistHistory) history = NULL;
  g_autofree char *oldest = NULL;

  fill (self);
  oldest = preview_of_oldest (self);
  history = cliphist_history_new_for_connection (self->connection);
  wait_loaded (history, "first page");
  g_assert_cmpuint (count (history), ==, PAGE);
  while (count (history) < 2000)
    {
      cliphist_history_load_more (history);
      wait_loaded (history, "one more page");
    }
  search (history, 1, oldest);
  g_object_set (history, "query", NULL, NULL);
  wait_loaded (history, "everything again");
  g_assert_cmpuint (count (history), ==, PAGE);
  cliphist_history_wipe_async (history, TRUE, 0, NULL, NULL, NULL);
  wait_until (count (history) == 0);
}

int
main (int argc, char *argv[])
{
  filler = argv[--argc];
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/library/a-hundred-thousand", test_large);
  return g_test_run ();
}
