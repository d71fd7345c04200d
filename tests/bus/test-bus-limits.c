/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What goes by itself, while other programs look on; and a file that must not take too
   much. */
#include "bus-fixture.h"
#include "clip-paths.h"

#include <signal.h>

#define NO_OPTIONS g_variant_new ("a{sv}", NULL)
#define FLAGS G_DBUS_CALL_FLAGS_NONE

static void
store_many (BusFixture *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      g_assert_cmpuint (bus_fixture_store_text (self, text), ==, i + 1);
    }
}

static void
expire_in (BusFixture *self, guint64 id, gint64 us)
{
  g_autoptr (GError) error = NULL;

  clip_dbus_history_call_set_expiry_sync (self->proxy, id, g_get_real_time () + us,
                                          NO_OPTIONS, FLAGS, -1, NULL, &error);
  g_assert_no_error (error);
}

static void
configure (BusFixture *self, const char *text)
{
  g_autofree char *path = g_build_filename (self->dir, "config", NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* (transfer full): as it is now, also where changes of it are not announced */
static GVariant *
get_property (BusFixture *self, const char *name)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->connection, CLIP_BUS_NAME, CLIP_BUS_PATH, "org.freedesktop.DBus.Properties",
      "Get", g_variant_new ("(ss)", CLIP_BUS_NAME, name), G_VARIANT_TYPE ("(v)"), FLAGS,
      -1, NULL, NULL);
  GVariant *value = NULL;

  g_assert_nonnull (reply);
  g_variant_get (reply, "(v)", &value);
  return value;
}

static guint64
count (BusFixture *self)
{
  g_autoptr (GVariant) value = get_property (self, "Count");

  return g_variant_get_uint64 (value);
}

static gboolean
is_removing (BusFixture *self)
{
  g_autoptr (GVariant) value = get_property (self, "Removing");

  return g_variant_get_boolean (value);
}

static gsize
n_spared (BusFixture *self)
{
  g_autoptr (GVariant) value = get_property (self, "Spared");

  return g_variant_n_children (value);
}

static guint64
trim (BusFixture *self, gboolean pretends)
{
  GVariantBuilder options;
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&options, "{sv}", "dry-run", g_variant_new_boolean (pretends));
  clip_dbus_history_call_trim_sync (self->proxy, g_variant_builder_end (&options), FLAGS,
                                    -1, &n, NULL, &error);
  g_assert_no_error (error);
  return n;
}

static void
on_removed (guint64 *out_id, GVariant *ids)
{
  g_variant_get_child (ids, 0, "t", out_id);
}

static void
test_expiry_is_announced (BusFixture *self, gconstpointer data)
{
  guint64 removed = 0;

  store_many (self, 2);
  g_signal_connect_swapped (self->proxy, "entries-removed", G_CALLBACK (on_removed),
                            &removed);
  expire_in (self, 1, 200000);
  wait_until (removed == 1);
  g_assert_cmpuint (count (self), ==, 1);
  wait_until (!is_removing (self));
}

static void
test_overdue_goes_with_the_next_daemon (BusFixture *self, gconstpointer data)
{
  store_many (self, 2);
  expire_in (self, 1, 300000);
  bus_fixture_end_daemon (self, SIGKILL);
  bus_fixture_start_daemon (self, NULL);
  wait_until (count (self) == 1);
}

static void
test_changed_file_spares (BusFixture *self, gconstpointer data)
{
  store_many (self, 20);
  configure (self, "max-items 3\n");
  wait_until (n_spared (self) == 1);
  g_assert_cmpuint (count (self), ==, 20);
  g_assert_cmpuint (bus_fixture_store_text (self, "one more"), ==, 21);
  g_assert_cmpuint (count (self), ==, 21);
  g_assert_cmpuint (trim (self, TRUE), ==, 18);
  g_assert_cmpuint (count (self), ==, 21);
  g_assert_cmpuint (trim (self, FALSE), ==, 18);
  wait_until (n_spared (self) == 0);
  g_assert_cmpuint (count (self), ==, 3);
}

static void
test_small_change_is_applied (BusFixture *self, gconstpointer data)
{
  store_many (self, 20);
  configure (self, "max-items 19\n");
  wait_until (count (self) == 19);
  g_assert_cmpuint (n_spared (self), ==, 0);
}

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/bus-limits/expiry-is-announced", test_expiry_is_announced);
  bus_fixture_add ("/bus-limits/overdue-goes-with-the-next-daemon",
                   test_overdue_goes_with_the_next_daemon);
  bus_fixture_add ("/bus-limits/changed-file-spares", test_changed_file_spares);
  bus_fixture_add ("/bus-limits/small-change-is-applied", test_small_change_is_applied);
  return g_test_run ();
}
