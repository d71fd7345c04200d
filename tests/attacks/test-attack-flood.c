/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that calls and calls, and one beside it that wants a list. */
#include "bus-fixture.h"

#include <stdio.h>
#include <string.h>

#define CALLS "40000"

/* of which these wait: their messages, and the answers of those that are served */
#define MOST_KIB (64 * 1024)

/* below the limit of calls that wait */
#define N_LARGE 280

/* of eight pages, each of them as entries, as an answer and on its way */
#define MOST_LARGE_KIB (160 * 1024)

static const char *flooder;

static GSubprocess *
start_flooder (BusFixture *self)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, flooder,
                        g_test_dbus_get_bus_address (self->bus), CALLS, NULL);

  g_assert_no_error (error);
  return process;
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **said = user_data;

  g_assert_true (g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result,
                                                       said, NULL, NULL));
}

static gint64
list (BusFixture *self)
{
  g_autoptr (GVariant) entries = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 begun_us = g_get_monotonic_time ();

  clip_dbus_history_call_list_sync (self->proxy, g_variant_new ("a{sv}", NULL),
                                    G_DBUS_CALL_FLAGS_NONE, G_MAXINT, &entries, NULL,
                                    &error);
  g_assert_no_error (error);
  return g_get_monotonic_time () - begun_us;
}

static gint64
look_up (BusFixture *self, guint64 id)
{
  g_autoptr (GVariant) entry = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 begun_us = g_get_monotonic_time ();

  clip_dbus_history_call_lookup_sync (self->proxy, id, G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
                                      &entry, NULL, &error);
  g_assert_no_error (error);
  return g_get_monotonic_time () - begun_us;
}

/* the most that the daemon ever had, in KiB */
static guint64
peak (BusFixture *self)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/status", g_subprocess_get_identifier (self->daemon));
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "VmHWM:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10);
}

/* what takes longer to answer than to send */
static void
fill (BusFixture *self)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      bus_fixture_store_text (self, text);
    }
}

static void
test_flood (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *said = NULL;
  gint64 longest_us = 0;
  guint64 before;
  int n_refused, n_refused_later;

  fill (self);
  before = peak (self);
  process = start_flooder (self);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, on_ended, &said);
  while (!said)
    {
      longest_us = MAX (longest_us, list (self));
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_test_message ("another waited %.1f ms, and it took %" G_GUINT64_FORMAT " KiB",
                  (double) longest_us / 1000, peak (self) - before);
  g_assert_cmpint (sscanf (said, "%d refused\n%d", &n_refused, &n_refused_later), ==, 2);
  g_assert_cmpint (n_refused, >, 0);
  g_assert_cmpint (n_refused_later, ==, 0);
  if (BUS_FIXTURE_IS_MEASURABLE)
    g_assert_cmpuint (peak (self) - before, <=, MOST_KIB);
}

/* as many and as long as the limits let them be: a page of these entries has 2.6 MB */
static void
tag_all (BusFixture *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) tags = NULL;

  for (guint i = 0; i < 256; i++)
    {
      g_autofree char *tag = g_strdup_printf ("%0253u", i);

      g_strv_builder_add (builder, tag);
    }
  tags = g_strv_builder_end (builder);
  for (guint64 id = 1; id <= 40; id++)
    {
      g_autoptr (GError) error = NULL;

      clip_dbus_history_call_set_tags_sync (self->proxy, id, (const char *const *) tags,
                                            g_variant_new ("a{sv}", NULL),
                                            G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
      g_assert_no_error (error);
    }
}

/* the answer is dropped by GIO */
static void
send_list (GDBusConnection *connection)
{
  g_autoptr (GDBusMessage) call = g_dbus_message_new_method_call (
      "org.cliphist.History1", "/org/cliphist/History1", "org.cliphist.History1", "List");

  g_dbus_message_set_body (call, g_variant_new_parsed ("(@a{sv} {},)"));
  g_dbus_connection_send_message (connection, call, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL,
                                  NULL);
}

/* fewer calls than may wait, with large answers */
static void
test_large_answers (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GDBusConnection) other = NULL;
  guint64 before;
  gint64 longest_us = 0;

  fill (self);
  tag_all (self);
  list (self);
  before = peak (self);
  other = bus_fixture_connect (self);
  for (guint i = 0; i < N_LARGE; i++)
    send_list (other);
  for (guint64 id = 1; id <= 10; id++)
    longest_us = MAX (longest_us, look_up (self, id));
  g_test_message ("another waited %.1f ms, and it took %" G_GUINT64_FORMAT " KiB",
                  (double) longest_us / 1000, peak (self) - before);
  if (BUS_FIXTURE_IS_MEASURABLE)
    g_assert_cmpuint (peak (self) - before, <=, MOST_LARGE_KIB);
}

int
main (int argc, char *argv[])
{
  g_assert_cmpint (argc, >, 2);
  flooder = argv[--argc];
  argv[argc] = NULL;
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/flood/of-calls-on-one-connection", test_flood);
  bus_fixture_add ("/attack/flood/of-calls-with-large-answers", test_large_answers);
  return g_test_run ();
}
