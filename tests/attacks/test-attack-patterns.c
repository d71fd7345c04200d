/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Expressions that cost as much as they may, and somebody beside them who wants a
   word. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <string.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define NAME "org.cliphist.History1"

/* as many as a call may have */
#define PATTERNS 64
#define CONTENTS 8
#define N_SLOW 3 /* the last ends long after what is quick */
#define TEXT_BYTES 60000

/* at each place of a text of xs it looks at some hundred: 100 ms or more */
#define SLOW "[xy]{0,900}(?:[xz]|y)\\d"

/* far above what it takes, far below what all of them cost */
#define SOON_MS 10000

typedef struct
{
  guint n_open;
  guint n_dropped;
} Answers;

static GVariant *
patterns (const char *pattern)
{
  GVariantBuilder list, options;

  g_variant_builder_init (&list, G_VARIANT_TYPE_STRING_ARRAY);
  for (int i = 0; i < PATTERNS; i++)
    g_variant_builder_add (&list, "s", pattern);
  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "ignore-pattern",
                         g_variant_builder_end (&list));
  return g_variant_builder_end (&options);
}

static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answers *answers = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &error);
  g_autoptr (GVariant) details = NULL;
  const char *why = "";

  g_assert_no_error (error);
  details = g_variant_get_child_value (reply, 1);
  g_variant_lookup (details, "dropped", "&s", &why);
  answers->n_open--;
  answers->n_dropped += g_str_equal (why, "pattern");
}

static void
store (BusFixture *self, guint n_contents, const char *pattern, Answers *answers)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  GVariantBuilder contents;

  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  for (guint i = 0; i < n_contents; i++)
    {
      g_autofree char *xs = g_strnfill (TEXT_BYTES, 'x');
      g_autofree char *mime = g_strdup_printf ("text/x-%u", i);
      clip_autofd int fd = bus_fixture_memfd (xs, TEXT_BYTES);

      g_variant_builder_add (&contents, "(sh)", mime,
                             g_unix_fd_list_append (fds, fd, NULL));
    }
  answers->n_open++;
  g_dbus_connection_call_with_unix_fd_list (
      self->connection, NAME, "/org/cliphist/History1", NAME, "Store",
      g_variant_new ("(a(sh)@a{sv})", &contents, patterns (pattern)), NULL, FLAGS,
      G_MAXINT, fds, NULL, on_stored, answers);
}

/* until all is answered somebody else looks at an entry, again and again */
static void
await_beside_lookups (BusFixture *self, Answers *answers)
{
  while (answers->n_open > 0)
    {
      g_autoptr (GVariant) entry = NULL;
      g_autoptr (GError) error = NULL;

      clip_dbus_history_call_lookup_sync (self->proxy, 1, FLAGS, SOON_MS, &entry, NULL,
                                          &error);
      g_assert_no_error (error);
      g_main_context_iteration (NULL, FALSE);
    }
}

/* what is too much to look at is not kept: the caller wanted to keep something out */
static void
test_matching (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  Answers answers = { 0 };

  g_assert_cmpuint (bus_fixture_store_text (self, "one"), ==, 1);
  store (self, CONTENTS, SLOW, &answers);
  await_beside_lookups (self, &answers);
  g_assert_cmpuint (answers.n_dropped, ==, 1);
}

/* one that costs nothing does not wait for those that cost much */
static void
test_queue (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  Answers slow = { 0 }, quick = { 0 };

  for (int i = 0; i < N_SLOW; i++)
    store (self, CONTENTS, SLOW, &slow);
  store (self, 1, "y", &quick);
  while (quick.n_open > 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (quick.n_dropped, ==, 0);
  g_assert_cmpuint (slow.n_open, >, 0);
  while (slow.n_open > 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_no_expression (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  const char *const none[] = { "fine", "(", NULL };
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  clip_autofd int fd = bus_fixture_memfd ("text", 4);

  g_unix_fd_list_append (fds, fd, NULL);
  reply = g_dbus_connection_call_with_unix_fd_list_sync (
      self->connection, NAME, "/org/cliphist/History1", NAME, "Store",
      g_variant_new_parsed ("([('text/plain', @h 0)], {'ignore-pattern': <%^as>})", none),
      NULL, FLAGS, SOON_MS, fds, NULL, NULL, &error);
  g_assert_null (reply);
  name = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (name, ==, NAME ".Error.InvalidArgument");
  g_assert_cmpuint (clip_dbus_history_get_count (self->proxy), ==, 0);
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/patterns/that-match-slowly", test_matching);
  bus_fixture_add ("/attack/patterns/hold-up-no-other", test_queue);
  bus_fixture_add ("/attack/patterns/that-are-none", test_no_expression);
  return g_test_run ();
}
