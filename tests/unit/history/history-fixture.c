/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "history-fixture.h"

#include "clip-error.h"

#include <stdlib.h>

static void
on_dropped (HistoryFixture *self, int drop)
{
  self->last_drop = drop;
  self->n_drops++;
}

static void
on_trouble (HistoryFixture *self, const GError *error)
{
  self->n_stalled += g_error_matches (error, CLIP_ERROR, CLIP_ERROR_STALLED);
}

static void
on_added (HistoryFixture *self)
{
  self->n_added++;
}

static void
on_moved (HistoryFixture *self)
{
  self->n_moved++;
}

void
history_fixture_open (HistoryFixture *self)
{
  g_autoptr (GError) error = NULL;

  self->store = clip_store_open (self->dir, CLIP_STORE_SESSION, &error);
  g_assert_no_error (error);
  self->history = clip_history_new (self->store, self->settings);
  self->display = clip_backend_fake_new ();
  clip_history_add_backend (self->history, CLIP_BACKEND (self->display));
  g_signal_connect_swapped (self->history, "dropped", G_CALLBACK (on_dropped), self);
  g_signal_connect_swapped (self->history, "trouble", G_CALLBACK (on_trouble), self);
  g_signal_connect_swapped (self->store, "entry-added", G_CALLBACK (on_added), self);
  g_signal_connect_swapped (self->store, "entry-moved", G_CALLBACK (on_moved), self);
}

void
history_fixture_close (HistoryFixture *self)
{
  g_signal_handlers_disconnect_by_data (self->store, self);
  clip_history_close (self->history);
  g_clear_object (&self->history);
  g_clear_object (&self->display);
  clip_store_close (self->store);
  g_clear_object (&self->store);
}

/* Returns: (transfer full): the display below; the fixture's is the one that carries over
   now */
ClipBackendFake *
history_fixture_put_bridge (HistoryFixture *self)
{
  ClipBackendFake *below = self->display;

  self->display = clip_backend_fake_new_mirror ();
  clip_history_add_backend (self->history, CLIP_BACKEND (self->display));
  return below;
}

void
history_fixture_setup (HistoryFixture *self, gconstpointer data)
{
  self->dir = g_dir_make_tmp ("clip-history-XXXXXX", NULL);
  self->settings = clip_settings_new ();
  clip_settings_set (self->settings, CLIP_SETTING_MIN_FREE_SPACE, "0", CLIP_FROM_FLAG,
                     NULL);
  history_fixture_open (self);
}

void
history_fixture_teardown (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", self->dir);

  history_fixture_close (self);
  g_assert_cmpint (system (command), ==, 0);
  clip_settings_free (self->settings);
  g_free (self->dir);
}

void
keep_result (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

ClipEntry *
history_fixture_lookup (HistoryFixture *self, gint64 id, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_lookup_async (self->store, id, keep_result, &result);
  wait_until (result);
  return clip_store_lookup_finish (self->store, result, error);
}

char *
history_fixture_text (HistoryFixture *self, gint64 id, const char *mime)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (ClipPayload) payload = NULL;
  g_autoptr (GError) error = NULL;

  clip_store_open_content_async (self->store, id, mime, keep_result, &result);
  wait_until (result);
  payload = clip_store_open_content_finish (self->store, result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (payload->bytes);
  return g_strndup (g_bytes_get_data (payload->bytes, NULL), (gsize) payload->size);
}

gint64
history_fixture_count (HistoryFixture *self)
{
  ClipTotals totals;

  clip_store_get_totals (self->store, &totals);
  return totals.count;
}
