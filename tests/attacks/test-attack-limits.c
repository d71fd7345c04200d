/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls with more, or longer, arguments than anyone needs: each limit is in the D-Bus
   XML. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <string.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define REFUSED "org.cliphist.History1.Error.InvalidArgument"

static void
assert_refused (const GError *error, const char *what)
{
  g_autofree char *name = error ? g_dbus_error_get_remote_error (error) : NULL;

  if (g_strcmp0 (name, REFUSED) != 0)
    g_error ("%s: %s", what, error ? error->message : "not refused");
}

/* (transfer floating) */
static GVariant *
option (const char *key, GVariant *value)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", key, value);
  return g_variant_builder_end (&options);
}

static GVariant *
text (gsize length)
{
  return g_variant_new_take_string (g_strnfill (length, 'x'));
}

static GVariant *
texts (gsize n, gsize length)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE_STRING_ARRAY);
  for (gsize i = 0; i < n; i++)
    g_variant_builder_add_value (&list, text (length));
  return g_variant_builder_end (&list);
}

static void
call (BusFixture *self, const char *method, GVariant *parameters, GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GVariant) reply G_GNUC_UNUSED = NULL;
  clip_autofd int fd = bus_fixture_memfd ("text", 4);

  g_unix_fd_list_append (fds, fd, NULL);
  reply = g_dbus_connection_call_with_unix_fd_list_sync (
      self->connection, "org.cliphist.History1", "/org/cliphist/History1",
      "org.cliphist.History1", method, parameters, NULL, FLAGS, G_MAXINT, fds, NULL, NULL,
      error);
}

/* takes @parameters */
static void
assert_call_refused (BusFixture *self, const char *method, GVariant *parameters)
{
  g_autoptr (GError) error = NULL;

  call (self, method, parameters, &error);
  assert_refused (error, method);
}

static GVariant *
tags_call (guint64 id, gsize n, gsize length)
{
  return g_variant_new ("(t@asa{sv})", id, texts (n, length), NULL);
}

static void
test_tags (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GVariant) entry = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (bus_fixture_store_text (self, "one"), ==, 1);
  assert_call_refused (self, "SetTags", tags_call (1, 1, 257));
  assert_call_refused (self, "SetTags", tags_call (1, 1, 16 * 1024 * 1024));
  assert_call_refused (self, "SetTags", tags_call (1, 257, 8));
  call (self, "SetTags", tags_call (1, 256, 256), &error);
  g_assert_no_error (error);
  clip_dbus_history_call_lookup_sync (self->proxy, 1, FLAGS, -1, &entry, NULL, &error);
  g_assert_no_error (error);
}

static GVariant *
list_call (const char *key, GVariant *value)
{
  return g_variant_new ("(@a{sv})", option (key, value));
}

static void
test_queries (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  assert_call_refused (self, "List", list_call ("regex", text (4097)));
  assert_call_refused (self, "List", list_call ("words", texts (65, 1)));
  assert_call_refused (self, "List", list_call ("words", texts (1, 4097)));
  assert_call_refused (self, "List", list_call ("tag", text (257)));
  assert_call_refused (self, "List", list_call ("mime", text (256)));
  assert_call_refused (self, "List", list_call ("class", text (4097)));
  call (self, "List", list_call ("regex", text (4096)), &error);
  g_assert_no_error (error);
  call (self, "List", list_call ("words", texts (64, 64)), &error);
  g_assert_no_error (error);
}

static GVariant *
store_call (const char *key, GVariant *value)
{
  GVariantBuilder contents;

  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", "text/plain", 0);
  return g_variant_new ("(a(sh)@a{sv})", &contents, option (key, value));
}

static void
test_store (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  assert_call_refused (self, "Store", store_call ("ignore-pattern", texts (65, 1)));
  assert_call_refused (self, "Store", store_call ("ignore-pattern", texts (1, 4097)));
  assert_call_refused (self, "Store", store_call ("ignore-mime", texts (65, 1)));
  assert_call_refused (self, "Store", store_call ("ignore-mime", texts (1, 256)));
  assert_call_refused (self, "Store", store_call ("from-file", texts (65, 1)));
  assert_call_refused (self, "Store", store_call ("store", text (4097)));
  call (self, "Store", store_call ("ignore-pattern", texts (64, 64)), &error);
  g_assert_no_error (error);
}

static GVariant *
many_options (gsize n)
{
  GVariantBuilder options;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *key = g_strdup_printf ("key-%" G_GSIZE_FORMAT, i);

      g_variant_builder_add (&options, "{sv}", key, g_variant_new_boolean (TRUE));
    }
  return g_variant_builder_end (&options);
}

static void
test_options (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  assert_call_refused (self, "List", g_variant_new ("(@a{sv})", many_options (65)));
  assert_call_refused (
      self, "SetPinned",
      g_variant_new ("(tb@a{sv})", (guint64) 1, TRUE, many_options (65)));
  call (self, "List", g_variant_new ("(@a{sv})", many_options (64)), &error);
  g_assert_no_error (error);
}

static GVariant *
bytes (gsize n)
{
  g_autofree char *zeros = g_malloc0 (n);

  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, zeros, n, 1);
}

static GVariant *
ids (gsize n)
{
  g_autofree guint64 *numbers = g_new0 (guint64, n);

  return g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, numbers, n, sizeof *numbers);
}

static void
test_needles_and_ids (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  assert_call_refused (self, "DeleteMatching",
                       g_variant_new ("(@aya{sv})", bytes (128 * 1024 + 1), NULL));
  assert_call_refused (self, "Delete", g_variant_new ("(@ata{sv})", ids (100001), NULL));
  assert_call_refused (
      self, "Join",
      g_variant_new ("(@ath@a{sv})", ids (1), 0, option ("separator", bytes (4097))));
  assert_call_refused (self, "Open",
                       g_variant_new ("(t@sa{sv})", (guint64) 1, text (256), NULL));
  assert_call_refused (self, "Send",
                       g_variant_new ("(t@sha{sv})", (guint64) 1, text (256), 0, NULL));
}

static void
assert_call_taken (BusFixture *self, const char *method, const char *parameters)
{
  g_autoptr (GError) error = NULL;

  call (self, method, g_variant_new_parsed (parameters), &error);
  g_assert_no_error (error);
}

static void
test_numbers (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const struct
  {
    const char *method;
    const char *parameters;
  } refused[] = {
    { "List", "({'limit': <uint32 0>},)" },
    { "List", "({'limit': <uint32 1001>},)" },
    { "List", "({'limit': <uint32 4294967295>},)" },
    { "Print", "({'limit': <uint32 0>}, @h 0)" },
    { "Thumbnail", "(@t 1, {'size': <uint32 0>})" },
    { "Thumbnail", "(@t 1, {'size': <uint32 2049>})" },
    { "SetExpiry", "(@t 1, @x -1, @a{sv} {})" },
    { "Pause", "(@x -2, @a{sv} {})" },
    { "Store", "([('text/plain', @h 0)], {'min-free-space': <@x -101>})" },
    { "Import", "(@h 0, {'min-free-space': <@x -9223372036854775808>})" },
    { "Trim", "({'min-free-space': <@x -101>},)" },
  };

  g_assert_cmpuint (bus_fixture_store_text (self, "one"), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    assert_call_refused (self, refused[i].method,
                         g_variant_new_parsed (refused[i].parameters));
  assert_call_taken (self, "List", "({'limit': <uint32 1>},)");
  assert_call_taken (self, "List", "({'limit': <uint32 1000>},)");
  assert_call_taken (self, "Print", "({'limit': <uint32 4294967295>}, @h 0)");
  assert_call_taken (self, "Trim", "({'max-items': <@x -9223372036854775808>},)");
  assert_call_taken (self, "Lookup", "(@t 1,)");
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/limits/tags", test_tags);
  bus_fixture_add ("/attack/limits/queries", test_queries);
  bus_fixture_add ("/attack/limits/store", test_store);
  bus_fixture_add ("/attack/limits/options", test_options);
  bus_fixture_add ("/attack/limits/numbers", test_numbers);
  bus_fixture_add ("/attack/limits/needles-and-ids", test_needles_and_ids);
  return g_test_run ();
}
