/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What goes while nobody copies anything. */
#include "clip-fd.h"
#include "clip-wall-timer.h"
#include "history-fixture.h"

#include <sqlite3.h>
#include <string.h>

#define TEXT "text/plain;charset=utf-8"
#define HOUR_US ((gint64) 3600 * G_USEC_PER_SEC)

static void
start_add (HistoryFixture *self,
           const char *text,
           gint64 at_us,
           GAsyncResult **out_result)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipStage) stage = clip_store_stage (self->store, &error);
  ClipDraft *draft = clip_draft_new ("");

  g_assert_no_error (error);
  g_assert_true (clip_write_all (clip_stage_fd (stage), text, strlen (text), &error));
  clip_stage_advance (stage, (goffset) strlen (text));
  clip_draft_add (draft, TEXT, stage, (gint64) strlen (text));
  clip_draft_set_times (draft, at_us, at_us);
  clip_store_change_async (self->store, clip_change_add (draft, NULL), keep_result,
                           out_result);
}

static void
add_text (HistoryFixture *self, const char *text, gint64 at_us)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  ClipOutcome added = { 0 };

  start_add (self, text, at_us, &result);
  wait_until (result);
  clip_store_change_finish (self->store, result, &added, &error);
  g_assert_no_error (error);
}

static void
add_many (HistoryFixture *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      add_text (self, text, g_get_real_time ());
    }
}

static void
expire_at (HistoryFixture *self, gint64 id, gint64 at_us)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_change_async (self->store, clip_change_expire (id, at_us), keep_result,
                           &result);
  wait_until (result);
}

static void
pin (HistoryFixture *self, gint64 id)
{
  g_autoptr (GAsyncResult) result = NULL;

  clip_store_change_async (self->store, clip_change_pin (id, TRUE), keep_result, &result);
  wait_until (result);
}

static void
set (HistoryFixture *self,
     ClipSetting setting,
     const char *value,
     ClipSettingOrigin origin)
{
  g_autoptr (GError) error = NULL;

  clip_settings_set (self->settings, setting, value, origin, &error);
  g_assert_no_error (error);
  clip_history_set_settings (self->history, self->settings);
}

static void
test_goes_when_its_time_comes (HistoryFixture *self, gconstpointer data)
{
  add_many (self, 3);
  clip_history_keep_limits (self->history);
  expire_at (self, 2, g_get_real_time () + 150000);
  expire_at (self, 1, g_get_real_time () + HOUR_US);
  wait_until (history_fixture_count (self) == 2);
  expire_at (self, 1, g_get_real_time () + 100000);
  wait_until (history_fixture_count (self) == 1);
  g_assert_cmpint (clip_store_next_expiry (self->store), ==, 0);
}

static void
test_overdue_goes_at_start (HistoryFixture *self, gconstpointer data)
{
  add_many (self, 2);
  expire_at (self, 1, 1000);
  history_fixture_close (self);
  history_fixture_open (self);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
  clip_history_keep_limits (self->history);
  wait_until (history_fixture_count (self) == 1);
}

/* nothing wakes up for it */
static void
test_pinned_waits_for_nothing (HistoryFixture *self, gconstpointer data)
{
  add_many (self, 2);
  pin (self, 1);
  clip_history_keep_limits (self->history);
  expire_at (self, 1, 1000);
  g_assert_cmpint (clip_store_next_expiry (self->store), ==, 0);
  expire_at (self, 2, 1000);
  wait_until (history_fixture_count (self) == 1);
  g_assert_cmpint (clip_store_next_expiry (self->store), ==, 0);
}

static void
test_old_goes_by_itself (HistoryFixture *self, gconstpointer data)
{
  gint64 now_us = g_get_real_time ();

  clip_history_keep_limits (self->history);
  set (self, CLIP_SETTING_MAX_AGE, "1h", CLIP_FROM_FLAG);
  add_text (self, "older", now_us - HOUR_US + 200000);
  add_text (self, "old", now_us - HOUR_US + 400000);
  add_text (self, "new", now_us);
  wait_until (history_fixture_count (self) == 1);
}

/* Somebody else writes: until he is ready, the trim and the copy behind it wait. */
static sqlite3 *
hold_database (HistoryFixture *self)
{
  g_autofree char *path = g_build_filename (self->dir, "history.db", NULL);
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 10000);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  return db;
}

/* what comes while the history is trimmed becomes too old like anything else */
static void
test_what_comes_meanwhile_goes_by_itself (HistoryFixture *self, gconstpointer data)
{
  gint64 old_us = g_get_real_time () - HOUR_US + 400000;
  g_autoptr (GAsyncResult) busy = NULL;
  g_autoptr (GAsyncResult) added = NULL;
  sqlite3 *db;

  clip_history_keep_limits (self->history);
  add_text (self, "older", old_us - HOUR_US);
  db = hold_database (self);
  clip_store_change_async (self->store, clip_change_expire (1000, old_us), keep_result,
                           &busy);
  set (self, CLIP_SETTING_MAX_AGE, "1h", CLIP_FROM_FLAG);
  start_add (self, "old", old_us, &added);
  sqlite3_close (db);
  wait_until (busy && added);
  add_text (self, "new", g_get_real_time ());
  wait_until (history_fixture_count (self) == 1);
}

static void
test_changed_limit_applied (HistoryFixture *self, gconstpointer data)
{
  add_many (self, 20);
  clip_history_keep_limits (self->history);
  set (self, CLIP_SETTING_MAX_ITEMS, "18", CLIP_FROM_FILE);
  wait_until (history_fixture_count (self) == 18);
}

static gboolean
is_spared (HistoryFixture *self, const char *key)
{
  g_auto (GStrv) keys = clip_history_spared (self->history);

  return g_strv_contains ((const char *const *) keys, key);
}

static void
on_spared_changed (guint *n)
{
  (*n)++;
}

static void
test_spared_until_told (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  add_many (self, 20);
  clip_history_keep_limits (self->history);
  g_signal_connect_swapped (self->history, "spared-changed",
                            G_CALLBACK (on_spared_changed), &n);
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE, "max-items would take*");
  set (self, CLIP_SETTING_MAX_ITEMS, "3", CLIP_FROM_FILE);
  wait_until (n == 1);
  g_test_assert_expected_messages ();
  g_assert_true (is_spared (self, "max-items"));
  g_assert_cmpint (history_fixture_count (self), ==, 20);
  clip_history_trim_async (self->history, self->settings, FALSE, keep_result, &result);
  wait_until (result);
  g_assert_cmpint (clip_history_trim_finish (result, &error), ==, 17);
  wait_until (n == 2);
  g_assert_false (is_spared (self, "max-items"));
}

static void
on_time (gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
test_timer_goes_off_once (HistoryFixture *self, gconstpointer data)
{
  guint first = 0, second = 0;
  g_autoptr (ClipWallTimer) never = clip_wall_timer_new (on_time, &first);
  g_autoptr (ClipWallTimer) timer = clip_wall_timer_new (on_time, &second);

  clip_wall_timer_set (never, 1000);
  clip_wall_timer_set (never, 0);
  clip_wall_timer_set (timer, 1000);
  wait_until (second == 1);
  clip_wall_timer_set (timer, g_get_real_time () + 50000);
  wait_until (second == 2);
  g_assert_cmpuint (first, ==, 0);
}

static void
add (const char *path, void (*test) (HistoryFixture *, gconstpointer))
{
  g_test_add (path, HistoryFixture, NULL, history_fixture_setup, test,
              history_fixture_teardown);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/limiter/goes-when-its-time-comes", test_goes_when_its_time_comes);
  add ("/limiter/overdue-goes-at-start", test_overdue_goes_at_start);
  add ("/limiter/pinned-waits-for-nothing", test_pinned_waits_for_nothing);
  add ("/limiter/old-goes-by-itself", test_old_goes_by_itself);
  add ("/limiter/what-comes-meanwhile-goes-by-itself",
       test_what_comes_meanwhile_goes_by_itself);
  add ("/limiter/changed-limit-applied", test_changed_limit_applied);
  add ("/limiter/spared-until-told", test_spared_until_told);
  add ("/limiter/timer-goes-off-once", test_timer_goes_off_once);
  return g_test_run ();
}
