/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hoard-check.h"

#include <string.h>

static void
on_added (ClipStore *store G_GNUC_UNUSED, ClipEntry *entry, GString *heard)
{
  g_string_append_printf (heard, "+%d ", (int) entry->row.id);
}

static void
on_moved (ClipStore *store G_GNUC_UNUSED, gint64 old_id, gint64 new_id, GString *heard)
{
  g_string_append_printf (heard, "%d>%d ", (int) old_id, (int) new_id);
}

static void
on_removed (ClipStore *store G_GNUC_UNUSED, GArray *ids, GString *heard)
{
  if (ids->len == 0)
    g_string_append (heard, "-many ");
  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (heard, "-%d ", (int) g_array_index (ids, gint64, i));
}

static void
on_changed (ClipStore *store G_GNUC_UNUSED, ClipEntry *entry, GString *heard)
{
  g_string_append_printf (heard, "*%d ", (int) entry->row.id);
}

/* what the signals say from now on, one after the other: added +ID, moved OLD>NEW,
 * removed -ID, or -many, changed *ID */
GString *
hoard_listen (ClipStore *store)
{
  GString *heard = g_string_new (NULL);

  g_signal_connect (store, "entry-added", G_CALLBACK (on_added), heard);
  g_signal_connect (store, "entry-moved", G_CALLBACK (on_moved), heard);
  g_signal_connect (store, "entries-removed", G_CALLBACK (on_removed), heard);
  g_signal_connect (store, "entry-changed", G_CALLBACK (on_changed), heard);
  return heard;
}

void
hoard_assert_bytes (ClipStore *store, gint64 id, const char *mime, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hoard_bytes (store, id, mime, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected,
                   strlen (expected));
}

void
hoard_assert_list (ClipStore *store, const char *expected)
{
  g_autofree char *list = hoard_list (store);

  g_assert_cmpstr (list, ==, expected);
}

void
hoard_assert_totals (ClipStore *store, gint64 count, gint64 bytes, gint64 pinned)
{
  ClipTotals totals;

  clip_store_get_totals (store, &totals);
  g_assert_cmpint (totals.count, ==, count);
  g_assert_cmpint (totals.bytes, ==, bytes);
  g_assert_cmpint (totals.pinned, ==, pinned);
}
