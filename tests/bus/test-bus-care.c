/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Check and Compact, as a caller sees them. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define BLOB_BYTES (300 * 1024)

static GVariant *
options (gboolean repair)
{
  return g_variant_new_parsed ("{'repair': <%b>}", repair);
}

/* (transfer full): "KIND ID;" of each of the findings under @key */
static char *
list (GVariant *report, const char *key)
{
  g_autoptr (GVariant) findings =
      g_variant_lookup_value (report, key, G_VARIANT_TYPE ("aa{sv}"));
  GString *all = g_string_new (NULL);

  for (gsize i = 0; findings && i < g_variant_n_children (findings); i++)
    {
      g_autoptr (GVariant) finding = g_variant_get_child_value (findings, i);
      const char *kind = "";
      guint64 id = 0;

      g_variant_lookup (finding, "kind", "&s", &kind);
      g_variant_lookup (finding, "id", "t", &id);
      g_string_append_printf (all, "%s %u;", kind, (guint) id);
    }
  return g_string_free (all, FALSE);
}

static GVariant *
check (BusFixture *self, gboolean repair)
{
  g_autoptr (GError) error = NULL;
  GVariant *report = NULL;

  clip_dbus_history_call_check_sync (self->proxy, options (repair), FLAGS, -1, &report,
                                     NULL, &error);
  g_assert_no_error (error);
  return report;
}

static void
store_blob (BusFixture *self, char byte)
{
  g_autofree char *bytes = g_malloc (BLOB_BYTES);
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = -1;

  memset (bytes, byte, BLOB_BYTES);
  fd = bus_fixture_memfd (bytes, BLOB_BYTES);
  g_assert_cmpuint (
      bus_fixture_store (self, "application/x-noise", fd, NULL, NULL, &error), >, 0);
  g_assert_no_error (error);
}

/* the only file below blobs/; as if a disk had changed it */
static void
damage_blob (BusFixture *self)
{
  g_autofree char *command =
      g_strdup_printf ("sh -c 'file=$(echo %s/blobs/*/*) && chmod 600 $file &&"
                       " printf X | dd of=$file bs=1 seek=1000 conv=notrunc status=none"
                       " && chmod 400 $file'",
                       clip_dbus_history_get_store (self->proxy));
  int status;

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
}

static void
test_whole (BusFixture *self, gconstpointer data)
{
  g_autoptr (GVariant) report = NULL;
  g_autofree char *found = NULL;
  guint64 entries = 0, blobs = 0, bytes = 0;
  gboolean ok = FALSE;

  bus_fixture_store_text (self, "a word");
  store_blob (self, 'a');
  report = check (self, FALSE);
  found = list (report, "findings");
  g_assert_cmpstr (found, ==, "");
  g_variant_lookup (report, "ok", "b", &ok);
  g_variant_lookup (report, "entries", "t", &entries);
  g_variant_lookup (report, "blobs", "t", &blobs);
  g_variant_lookup (report, "bytes", "t", &bytes);
  g_assert_true (ok);
  g_assert_cmpuint (entries, ==, 2);
  g_assert_cmpuint (blobs, ==, 1);
  g_assert_cmpuint (bytes, ==, BLOB_BYTES);
}

static void
test_damaged (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) report = NULL;
  g_autofree char *found = NULL;
  g_autofree char *remote = NULL;

  store_blob (self, 'a');
  damage_blob (self);
  report = check (self, FALSE);
  found = list (report, "findings");
  g_assert_cmpstr (found, ==, "blob-damaged 1;");
  clip_dbus_history_call_open_sync (self->proxy, 1, "", g_variant_new ("a{sv}", NULL),
                                    FLAGS, -1, NULL, NULL, NULL, NULL, NULL, NULL,
                                    &error);
  g_assert_nonnull (error);
  remote = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (remote, ==, "org.cliphist.History1.Error.Corrupt");
}

/* (transfer full): below the folder of the history */
static char *
find_files (BusFixture *self, const char *below)
{
  g_autofree char *command = g_strdup_printf (
      "find %s/%s -type f -size +0", clip_dbus_history_get_store (self->proxy), below);
  char *output = NULL;

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, NULL, NULL));
  return output;
}

/* a damaged content is set aside, and everything else stays */
static void
test_repaired (BusFixture *self, gconstpointer data)
{
  g_autoptr (GVariant) report = NULL;
  g_autoptr (GVariant) entries = NULL;
  g_autofree char *left = NULL;
  g_autofree char *repaired = NULL;
  g_autofree char *blobs = NULL;
  g_autofree char *aside = NULL;
  const char *folder = "";

  store_blob (self, 'a');
  bus_fixture_store_text (self, "a word");
  damage_blob (self);
  report = check (self, TRUE);
  left = list (report, "findings");
  repaired = list (report, "repaired");
  g_assert_cmpstr (left, ==, "");
  g_assert_cmpstr (repaired, ==, "blob-damaged 1;");
  g_variant_lookup (report, "aside", "&s", &folder);
  g_assert_true (g_str_has_prefix (folder, "damaged/"));
  aside = find_files (self, folder);
  blobs = find_files (self, "blobs");
  g_assert_nonnull (strstr (aside, "/1.0"));
  g_assert_cmpstr (blobs, ==, "");
  clip_dbus_history_call_list_sync (self->proxy, g_variant_new ("a{sv}", NULL), FLAGS, -1,
                                    &entries, NULL, NULL);
  g_assert_cmpuint (g_variant_n_children (entries), ==, 1);
}

static goffset
database_size (BusFixture *self)
{
  g_autofree char *path =
      g_build_filename (clip_dbus_history_get_store (self->proxy), "history.db", NULL);
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  return status.st_size;
}

static void
test_compacted (BusFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strnfill (60000, 'x');
  goffset before;

  for (guint i = 0; i < 40; i++)
    {
      text[i] = 'y';
      bus_fixture_store_text (self, text);
    }
  clip_dbus_history_call_compact_sync (self->proxy, g_variant_new ("a{sv}", NULL), FLAGS,
                                       -1, NULL, &error);
  g_assert_no_error (error);
  before = database_size (self);
  g_assert_cmpint (before, >, 40 * 60000);
  clip_dbus_history_call_wipe_sync (self->proxy, g_variant_new ("a{sv}", NULL), FLAGS, -1,
                                    NULL, NULL, &error);
  clip_dbus_history_call_compact_sync (self->proxy, g_variant_new ("a{sv}", NULL), FLAGS,
                                       -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (database_size (self), <, before / 4);
}

static void
on_checked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *done = user_data;

  *done = clip_dbus_history_call_check_finish (CLIP_DBUS_HISTORY (source), NULL, result,
                                               NULL);
}

/* a store, and its signal, while a check is under way */
static void
test_others_go_on (BusFixture *self, gconstpointer data)
{
  gboolean done = FALSE;

  store_blob (self, 'a');
  clip_dbus_history_call_check (self->proxy, options (FALSE), FLAGS, -1, NULL, on_checked,
                                &done);
  g_assert_cmpuint (bus_fixture_store_text (self, "meanwhile"), ==, 2);
  wait_until (done);
}

#define add(path, function) bus_fixture_add ("/bus-care/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("nothing-is-found-in-a-whole-one", test_whole);
  add ("damage-is-found-and-not-served", test_damaged);
  add ("a-repair-sets-aside-and-keeps-the-rest", test_repaired);
  add ("compact-gives-the-disk-back", test_compacted);
  add ("others-go-on", test_others_go_on);
  return g_test_run ();
}
