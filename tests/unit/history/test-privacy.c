/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What must not become an entry though nothing marks it: a secret that comes back, and
 * what the user does not want to have kept. */
#include "clip-backend-private.h"
#include "clip-ignore.h"
#include "history-fixture.h"
#include "later-clock.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"
#define PNG "\x89PNG\r\n\x1a\n"
#define HINT "x-kde-passwordManagerHint"

static void
set (HistoryFixture *self, ClipSetting setting, const char *value)
{
  g_autoptr (GError) error = NULL;

  clip_settings_set (self->settings, setting, value, CLIP_FROM_FLAG, &error);
  g_assert_no_error (error);
  clip_history_set_settings (self->history, self->settings);
}

static void
assert_dropped (HistoryFixture *self, ClipDrop drop)
{
  guint before = self->n_drops;

  wait_until (self->n_drops == before + 1);
  g_assert_cmpint (self->last_drop, ==, drop);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* nothing more is asked of its owner then */
static void
test_history_closed_while_a_hint_is_read (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *display = g_object_ref (self->display);

  clip_backend_fake_stall (display, TRUE);
  clip_backend_fake_copy (display, TEXT, "hunter2", HINT, "secret", NULL);
  wait_until (clip_backend_fake_asked (display, HINT) == 1);
  history_fixture_close (self);
  history_fixture_open (self);
  clip_backend_fake_copy (self->display, TEXT, "next", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpuint (clip_backend_fake_asked (display, TEXT), ==, 0);
  g_object_unref (display);
}

/* in types that a copy would not be read in */
static void
test_secret_of_ignored_types_is_known (HistoryFixture *self, gconstpointer data)
{
  set (self, CLIP_SETTING_IGNORE_MIME, "text/plain");
  clip_backend_fake_copy (self->display, "text/plain", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "UTF8_STRING", "hunter2", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
}

/* as a manager does that offers again what a password manager has cleared */
static void
test_secret_that_comes_back_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "UTF8_STRING", "hunter2", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "hunter3", NULL);
  wait_until (self->n_added == 1);
}

/* in any type that it had, and with what managers add or take away */
static void
test_secret_that_comes_back_changed_is_one (HistoryFixture *self, gconstpointer data)
{
  static const struct
  {
    const char *mime, *text;
  } forms[] = {
    { TEXT, "hunter2\n" },
    { "UTF8_STRING", "\r\n hunter2\t" },
    { TEXT, "hunter2" },
    { TEXT, "hunter\r\n2" },
    { "text/html", "<b>hunter2</b>\n" },
    { "text/x-other", " other hunter2" },
    { "application/json", "{\"hunter\":2}" },
  };

  clip_backend_fake_copy (self->display, HINT, "secret", TEXT, " hunter2", "text/html",
                          "<b>hunter2</b>", "text/x-other", "other hunter2",
                          "application/json", "{\"hunter\":2}\n", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      clip_backend_fake_clear (self->display);
      clip_backend_fake_copy (self->display, forms[i].mime, forms[i].text, NULL);
      assert_dropped (self, CLIP_DROP_SECRET);
    }
  clip_backend_fake_copy (self->display, TEXT, "hunter 3", NULL);
  wait_until (self->n_added == 1);
}

/* neither among several types */
static void
test_secret_among_other_types_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "hunter2", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "text/html", "<b>hunter2</b>", TEXT, "hunter2",
                          NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
}

static void
on_late (gpointer is_late)
{
  *(gboolean *) is_late = TRUE;
}

/* What was read of it may be of the manager that was quicker, so that it is known for
 * seconds. Once it is cleared, the manager brings it back. */
static void
test_doubtful_secret_that_comes_back_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  clip_backend_fake_trickle (self->display, "hunter2");
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (self->n_drops == 1);
  g_atomic_int_add (&later_s, 12);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "UTF8_STRING", "hunter2", NULL);
  wait_until (self->n_drops + self->n_added == 2);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* nothing waits for its text, so its owner may take a while */
static void
test_secret_that_is_sent_late_is_known (HistoryFixture *self, gconstpointer data)
{
  gboolean is_late = FALSE;

  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "hunter2", NULL);
  g_timeout_add_once (800, on_late, &is_late);
  wait_until (is_late);
  clip_backend_fake_trickle (self->display, "hunter2");
  clip_backend_fake_stall (self->display, FALSE);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "text/html", "hunter2", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
}

/* a long one is known by how it begins */
static void
test_long_secret_that_comes_back_is_one (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = g_strnfill (100000, 's');

  clip_backend_fake_copy (self->display, TEXT, text, HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "UTF8_STRING", text, NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  text[0] = 'S';
  clip_backend_fake_copy (self->display, TEXT, text, NULL);
  wait_until (self->n_added == 1);
}

/* private windows mark the images that are copied there, too */
static void
test_secret_image_that_comes_back_is_one (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *pixels = g_strnfill (100000, 'p');

  clip_backend_fake_copy (self->display, "image/x-fake", pixels, HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "image/x-fake", pixels, NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
}

/* a password that can be pasted once is left for the user: the fake counts as Wayland
   here */
static void
test_secret_for_one_paste_is_not_read (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "UTF8_STRING"), ==, 0);
}

/* as a program does that goes on giving it: it is known when it comes back */
static void
test_secret_with_other_names_is_read (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "UTF8_STRING", "hunter2",
                          "TEXT", "hunter2", "STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 1);
}

/* another manager has it all the same, and fills the clipboard with it once it is empty,
   unmarked */
static void
test_unread_secret_that_is_brought_back_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", NULL);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  /* nor is it kept with another type: what has no text is a copy */
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "text/html", "<b>hunter2</b>",
                          NULL);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "image/png", PNG, NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* it is over at once, and the copy that it replaced still comes in */
static void
test_secret_that_is_not_read_keeps_nobody_waiting (HistoryFixture *self,
                                                   gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "slow", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2",
                          "application/x-nspasteboard-concealed-type", "", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_trickle (self->display, "slow");
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (self->n_added == 1);
}

static void
assert_only_this_is_kept (HistoryFixture *self, ClipBackendFake *below)
{
  g_autofree char *text = NULL;

  clip_backend_fake_copy (below, "text/html", "<i>in the open</i>", NULL);
  wait_until (self->n_added == 1);
  text = history_fixture_text (self, 1, "text/html");
  g_assert_cmpstr (text, ==, "<i>in the open</i>");
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

static void
assert_only_this_is_on_top (HistoryFixture *self, const char *expected)
{
  g_autofree char *text = NULL;

  wait_until (self->n_added == 1);
  text = history_fixture_text (self, 1, TEXT);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* the bridge carried over one copy late, and drops the mark of the next one, which was
 * replaced before anybody could read it */
static void
test_secret_that_cannot_be_read_does_not_come_over_the_bridge (HistoryFixture *self,
                                                               gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_copy (self->display, TEXT, "hunter2-1", NULL);
  clip_backend_fake_copy (below, TEXT, NULL, HINT, NULL, NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "hunter2-2", NULL);
  assert_only_this_is_kept (self, below);
  g_object_unref (below);
}

/* the display below tells of the next copy before the bridge does, and it seems to be the
 * last one, which is kept by then */
static void
test_secret_that_seems_to_be_the_copy_before_is_one (HistoryFixture *self,
                                                     gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_copy (self->display, TEXT, "in the open", NULL);
  wait_until (self->n_added == 1);
  clip_backend_fake_copy (below, TEXT, "hunter2", HINT, "secret", NULL);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  wait_until (self->n_drops == 2);
  clip_backend_fake_copy (below, "text/html", "<i>in the open</i>", NULL);
  wait_until (self->n_added == 2);
  g_assert_cmpint (history_fixture_count (self), ==, 2);
  g_object_unref (below);
}

/* nor does what waits for that lose its place to the next one that does */
static void
test_all_that_comes_over_the_bridge_waits_for_a_secret (HistoryFixture *self,
                                                        gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_stall (below, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "hunter2-1", NULL);
  clip_backend_fake_copy (below, TEXT, NULL, HINT, NULL, NULL);
  for (guint i = 0; i < 3; i++)
    {
      clip_backend_fake_copy (self->display, TEXT, "hunter2-2", NULL);
      wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
    }
  clip_backend_fake_stall (below, FALSE);
  assert_dropped (self, CLIP_DROP_SECRET);
  assert_only_this_is_kept (self, below);
  g_object_unref (below);
}

static gboolean
copy_secret (gpointer user_data)
{
  clip_backend_fake_copy (user_data, TEXT, "hunter2", HINT, "secret", NULL);
  return G_SOURCE_REMOVE;
}

/* it may have been deleted since, or copied in a pause; whichever display tells first */
static void
test_what_lay_below_does_not_come_back (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_hold (below, TEXT, "deleted", NULL);
  clip_backend_fake_hold (self->display, TEXT, "on top", NULL);
  clip_backend_fake_hold (below, TEXT, "deleted", NULL);
  assert_only_this_is_on_top (self, "on top");
  clip_backend_fake_copy (self->display, "text/html", "<i>copied</i>", NULL);
  wait_until (self->n_added == 2);
  /* an X server that is found with a copy holds that copy */
  clip_backend_fake_hold (below, TEXT, "first of an X program", NULL);
  wait_until (self->n_added == 3);
  g_object_unref (below);
}

/* a compositor may have answered with what replaces it: it is not kept because it only
 * waits for the copy before */
static void
test_copy_that_waits_for_its_turn_may_be_the_secret (HistoryFixture *self,
                                                     gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_stall (below, TRUE);
  clip_backend_fake_copy (below, TEXT, "slow", NULL);
  clip_backend_fake_set_busy (self->display, TRUE);
  clip_backend_fake_copy (self->display, "text/html", "hunter", NULL);
  wait_until (clip_backend_fake_syncing (self->display) == 1);
  /* both come in one turn of the main loop: no timer runs in between */
  clip_backend_fake_set_busy (self->display, FALSE);
  g_idle_add_full (G_PRIORITY_DEFAULT, copy_secret, self->display, NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_stall (below, FALSE);
  assert_only_this_is_kept (self, below);
  g_object_unref (below);
}

/* it told twice before the bridge told once: what comes over it then is no echo, and
   nobody's */
static void
test_ignored_program_does_not_come_over_the_bridge (HistoryFixture *self,
                                                    gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  set (self, CLIP_SETTING_IGNORE_APP, "*passx?");
  clip_backend_fake_set_app (below, "org.KeePassXC");
  for (guint i = 0; i < 2; i++)
    {
      clip_backend_fake_copy (below, TEXT, "unmarked", NULL);
      g_assert_cmpint (self->last_drop, ==, CLIP_DROP_IGNORED);
    }
  for (guint i = 0; i < 2; i++)
    clip_backend_fake_copy (self->display, TEXT, "unmarked", NULL);
  clip_backend_fake_set_app (below, "firefox");
  assert_only_this_is_kept (self, below);
  /* once another program owns what is copied there, what is copied here is no more in
     doubt */
  clip_backend_fake_copy (self->display, TEXT, "of Wayland", NULL);
  wait_until (self->n_added == 2);
  g_object_unref (below);
}

/* what is copied on Wayland is carried over to where an ignored program has copied just
   now */
static void
test_ignored_program_takes_no_copy_with_it (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);
  g_autoptr (ClipOffer) carried = clip_offer_new (CLIP_SELECTION_CLIPBOARD, FALSE);

  set (self, CLIP_SETTING_IGNORE_APP, "*passx?");
  clip_backend_fake_set_app (below, "org.KeePassXC");
  clip_backend_fake_copy (below, TEXT, "unmarked", NULL);
  clip_backend_fake_copy (self->display, TEXT, "unmarked", NULL);
  clip_backend_fake_copy (self->display, TEXT, "of Wayland", NULL);
  clip_offer_add_mime (carried, TEXT);
  clip_offer_set_bridged (carried);
  clip_backend_emit_offered (CLIP_BACKEND (below), carried);
  wait_until (self->n_added == 1);
  g_object_unref (below);
}

/* what was copied beside it, on the display that the bridge ends at, has not come over
   the bridge */
static void
test_secret_for_one_paste_takes_no_copy_with_it (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "image/png", PNG, NULL);
  wait_until (self->n_added == 1);
  g_object_unref (below);
}

static void
assert_only_the_next_is_kept (HistoryFixture *self)
{
  clip_backend_fake_copy (self->display, "image/png", PNG, NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* another manager was quicker than we, and offers the text alone */
static void
test_text_before_a_secret_is_read_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  wait_until (clip_backend_fake_asked (self->display, HINT) == 1);
  clip_backend_fake_stall (self->display, FALSE);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", NULL);
  assert_only_the_next_is_kept (self);
}

/* and its owner takes its time: as long as it may, and for a moment longer */
static void
test_text_while_a_secret_is_read_is_one (HistoryFixture *self, gconstpointer data)
{
  gboolean is_late = FALSE;

  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "hunter2", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  g_timeout_add_once (1200, on_late, &is_late);
  wait_until (is_late);
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE, "a text is not kept*");
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  clip_backend_fake_stall (self->display, FALSE);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "UTF8_STRING", "hunter2", NULL);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "UTF8_STRING"), ==, 0);
  assert_only_the_next_is_kept (self);
}

/* to be compared with one that is still being read, though another becomes known */
static void
test_rich_text_between_two_secrets_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_copy (self->display, TEXT, "", "text/html", "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_answer_newest (self->display, "hunter2");
  wait_until (clip_backend_fake_asked (self->display, "text/html") == 1);
  clip_backend_fake_answer_newest (self->display, "<b>hunter2</b>");
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_answer_newest (self->display, "hunter3");
  wait_until (self->n_drops == 1);
  clip_backend_fake_trickle (self->display, "hunter2");
  clip_backend_fake_stall (self->display, FALSE);
  wait_until (self->n_drops == 3);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

/* Copies one whose text does not come. */
static void
copy_slow_secret (ClipBackendFake *display)
{
  clip_backend_fake_stall (display, TRUE);
  clip_backend_fake_copy (display, "application/x-nspasteboard-concealed-type", "", TEXT,
                          "", NULL);
  wait_until (clip_backend_fake_asked (display, TEXT) == 1);
}

static void
answer_slow_secret (ClipBackendFake *display)
{
  clip_backend_fake_trickle (display, "hunter2");
  clip_backend_fake_stall (display, FALSE);
}

/* another that is read sooner does not end the suspicion */
static void
test_text_while_an_earlier_secret_is_read_is_one (HistoryFixture *self,
                                                  gconstpointer data)
{
  copy_slow_secret (self->display);
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_answer_newest (self->display, "hunter3");
  wait_until (self->n_drops == 1);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  answer_slow_secret (self->display);
  wait_until (self->n_drops == 2);
  assert_only_the_next_is_kept (self);
}

static void
copy_image_over_slow_secret (HistoryFixture *self)
{
  copy_slow_secret (self->display);
  clip_backend_fake_copy (self->display, "image/png", "", NULL);
  wait_until (clip_backend_fake_asked (self->display, "image/png") == 1);
  clip_backend_fake_answer_newest (self->display, PNG);
  wait_until (clip_history_current (self->history) == 1);
}

/* nor does one that has no text */
static void
test_text_behind_an_image_over_a_secret_is_one (HistoryFixture *self, gconstpointer data)
{
  copy_image_over_slow_secret (self);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  g_assert_cmpuint (self->n_drops, ==, 1);
  answer_slow_secret (self->display);
  wait_until (self->n_drops == 2);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

static void
test_rich_text_behind_an_image_over_a_secret_is_one (HistoryFixture *self,
                                                     gconstpointer data)
{
  copy_image_over_slow_secret (self);
  clip_backend_fake_copy (self->display, TEXT, "", "text/html", "", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_answer_newest (self->display, "hunter2");
  wait_until (clip_backend_fake_asked (self->display, "text/html") == 1);
  clip_backend_fake_answer_newest (self->display, "<b>hunter2</b>");
  answer_slow_secret (self->display);
  wait_until (self->n_drops == 2);
  g_assert_cmpint (history_fixture_count (self), ==, 1);
}

/* a manager of X11 was quicker than we, though it was copied on Wayland, which that
   display may have told of, too */
static void
test_text_below_while_a_secret_is_read_is_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  copy_slow_secret (self->display);
  clip_backend_fake_copy (below, TEXT, "hunter2", NULL);
  clip_backend_fake_copy (below, TEXT, "hunter2", NULL);
  g_assert_cmpuint (clip_backend_fake_asked (below, TEXT), ==, 0);
  answer_slow_secret (self->display);
  assert_dropped (self, CLIP_DROP_SECRET);
  assert_only_this_is_kept (self, below);
  g_object_unref (below);
}

/* what is copied on Wayland waits for what is read below: first the bridge tells of
   that */
static void
test_text_above_while_a_secret_is_read_is_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  copy_slow_secret (below);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  answer_slow_secret (below);
  wait_until (self->n_drops == 2);
  assert_only_this_is_kept (self, below);
  g_object_unref (below);
}

/* it is asked for anew, and the bridge may give the next copy for it */
static void
test_what_is_kept_all_the_same_may_be_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  set (self, CLIP_SETTING_MAX_STORE_SIZE, "4");
  clip_backend_fake_copy (self->display, TEXT, "large", NULL);
  assert_dropped (self, CLIP_DROP_TOO_LARGE);
  clip_backend_fake_set_busy (below, TRUE);
  g_assert_true (clip_history_keep_refused (self->history));
  wait_until (clip_backend_fake_syncing (below) > 0);
  clip_backend_fake_copy (below, TEXT, "hunter2", HINT, "secret", NULL);
  clip_backend_fake_set_busy (below, FALSE);
  assert_dropped (self, CLIP_DROP_SECRET);
  set (self, CLIP_SETTING_MAX_STORE_SIZE, "0");
  assert_only_this_is_kept (self, below);
  g_object_unref (below);
}

/* Copies one whose hint says that it is none, and whose text does not come. */
static void
copy_public_one (ClipBackendFake *display)
{
  clip_backend_fake_stall (display, TRUE);
  clip_backend_fake_copy (display, TEXT, "", HINT, "", NULL);
  wait_until (clip_backend_fake_asked (display, HINT) == 1);
  clip_backend_fake_answer_newest (display, "public");
  wait_until (clip_backend_fake_asked (display, TEXT) == 1);
}

static void
test_text_while_a_public_one_comes_is_none (HistoryFixture *self, gconstpointer data)
{
  copy_public_one (self->display);
  clip_backend_fake_copy (self->display, "UTF8_STRING", "", NULL);
  wait_until (clip_backend_fake_asked (self->display, "UTF8_STRING") == 1);
  clip_backend_fake_answer_newest (self->display, "next");
  wait_until (self->n_added == 1);
}

static void
test_nothing_waits_for_a_public_one (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  copy_public_one (below);
  clip_backend_fake_copy (self->display, "text/html", "<i>next</i>", NULL);
  wait_until (self->n_added == 1);
  g_object_unref (below);
}

/* another program takes its place before it was read. @is_answered: whether it is read
   all the same */
static void
copy_over_secret (HistoryFixture *self,
                  const char *secret,
                  gboolean is_answered,
                  const char *text,
                  const char *mime)
{
  clip_backend_fake_stall (self->display, TRUE);
  clip_backend_fake_copy (self->display, "application/x-nspasteboard-concealed-type", "",
                          TEXT, secret, NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  if (is_answered)
    clip_backend_fake_trickle (self->display, secret);
  clip_backend_fake_stall (self->display, FALSE);
  clip_backend_fake_copy (self->display, TEXT, text, mime, "more than a text", NULL);
}

/* as a manager does, with types of its own. @mime: one of these */
static void
test_rich_text_while_a_secret_is_read_is_one (HistoryFixture *self, gconstpointer mime)
{
  copy_over_secret (self, "hunter2", TRUE, "hunter2", mime);
  wait_until (self->n_drops == 2);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpint (history_fixture_count (self), ==, 0);
}

static void
test_page_while_a_secret_is_read_is_none (HistoryFixture *self, gconstpointer data)
{
  copy_over_secret (self, "hunter2", TRUE, "a page", "text/html");
  wait_until (self->n_added == 1);
  g_assert_cmpuint (self->n_drops, ==, 1);
}

static void
test_rich_text_while_a_secret_is_not_read_is_one (HistoryFixture *self,
                                                  gconstpointer data)
{
  copy_over_secret (self, "hunter2", FALSE, "hunter2", "text/html");
  wait_until (self->n_drops == 2);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_SECRET);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "text/html", "<b>hunter2</b>",
                          NULL);
  assert_only_the_next_is_kept (self);
}

/* and is what the clipboard holds, also while what it held before is being read: that is
   not put back */
static void
test_unread_secret_that_is_brought_back_is_current (HistoryFixture *self,
                                                    gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "image/png", PNG "older", NULL);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  g_assert_cmpuint (self->n_drops, ==, 2);
  g_assert_cmpint (clip_history_current (self->history), ==, 0);
  wait_until (self->n_added == 1);
  clip_backend_fake_clear (self->display);
  clip_backend_fake_copy (self->display, "image/png", PNG "next", NULL);
  wait_until (self->n_added == 2);
  g_assert_null (clip_backend_fake_owned (self->display));
}

/* Nothing tells what is found there from a secret that another manager offers. One that
 * still has its mark is read. */
static void
test_found_on_a_display_that_went_unwatched_is_one (HistoryFixture *self,
                                                    gconstpointer data)
{
  ClipBackendFake *first = self->display;

  self->display = clip_backend_fake_new_mirror ();
  clip_backend_set_unwatched (CLIP_BACKEND (self->display));
  clip_history_add_backend (self->history, CLIP_BACKEND (self->display));
  clip_backend_fake_hold (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 1);
  g_test_expect_message ("clip-history", G_LOG_LEVEL_MESSAGE,
                         "what is found * not kept*");
  clip_backend_fake_hold (self->display, TEXT, "hunter2", NULL);
  g_test_assert_expected_messages ();
  g_assert_cmpuint (self->n_drops, ==, 2);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  assert_only_the_next_is_kept (self);
  g_object_unref (first);
}

/* each program that asks what we offer is told our own type */
static void
test_mark_beside_our_own_type_counts (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret",
                          clip_source_token (), "not ours", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  assert_only_the_next_is_kept (self);
}

/* with which a manager fills an empty clipboard, or says so */
static void
test_mark_beside_that_of_a_reassertion_counts (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret",
                          "application/x-kde-onlyReplaceEmpty", "1", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", NULL);
  assert_only_the_next_is_kept (self);
}

/* of one that is not read, as that would be its paste */
static void
test_text_behind_a_secret_for_one_paste_is_one (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", NULL);
  assert_only_the_next_is_kept (self);
}

/* as an old manager of X11 offers a text, with all that it says of itself */
static void
test_text_among_old_names_is_bare (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "UTF8_STRING", "hunter2", "OWNER_OS", "Linux",
                          "LENGTH", "7", "CLASS", "XClipboard", NULL);
  assert_only_the_next_is_kept (self);
}

/* as Mutter tells of a text that an X program offers */
static void
test_text_among_messages_is_bare (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, "TARGETS", "", TEXT, "hunter2", "TIMESTAMP", "",
                          NULL);
  assert_only_the_next_is_kept (self);
}

/* @is_silent: as the display tells of a program that does not say what it has; else, as
   of what was ours, and is not any more */
static void
emit_replaced (ClipBackendFake *display, gboolean is_silent)
{
  g_autoptr (ClipOffer) offer = clip_offer_new (CLIP_SELECTION_CLIPBOARD, FALSE);

  if (is_silent)
    clip_offer_set_silent (offer);
  clip_offer_set_replaced (offer);
  clip_backend_emit_offered (CLIP_BACKEND (display), offer);
}

/* it stands still, or what it says cannot be read; a watcher that only asks for text may
   get one all the same */
static void
test_what_is_not_told_may_be_one (HistoryFixture *self, gconstpointer data)
{
  emit_replaced (self->display, FALSE);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_NONE);
  emit_replaced (self->display, TRUE);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_UNANSWERED);
  clip_backend_fake_copy (self->display, TEXT, "hunter2", HINT, "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
}

/* as the bridge does not, when a compositor is at work */
static void
test_what_is_not_told_takes_no_copy_with_it (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  clip_backend_fake_copy (self->display, TEXT, "in the open", NULL);
  emit_replaced (below, TRUE);
  wait_until (self->n_added == 1);
  g_object_unref (below);
}

/* GTK has the same names, and one more: that is read */
static void
test_secret_of_a_private_window_is_learnt (HistoryFixture *self, gconstpointer data)
{
  clip_backend_fake_copy (self->display, TEXT, "hunter2", "STRING", "hunter2",
                          "UTF8_STRING", "hunter2", "COMPOUND_TEXT", "hunter2", HINT,
                          "secret", NULL);
  assert_dropped (self, CLIP_DROP_SECRET);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 1);
}

static void
test_pattern_is_dropped (HistoryFixture *self, gconstpointer data)
{
  set (self, CLIP_SETTING_IGNORE_PATTERN, "^sk-[0-9a-f]{8}$");
  set (self, CLIP_SETTING_IGNORE_PATTERN, "(?i)internal");
  clip_backend_fake_copy (self->display, TEXT, "sk-0123abcd", NULL);
  assert_dropped (self, CLIP_DROP_PATTERN);
  clip_backend_fake_copy (self->display, TEXT, "harmless", "text/html", "<i>Internal</i>",
                          NULL);
  assert_dropped (self, CLIP_DROP_PATTERN);
  clip_backend_fake_copy (self->display, TEXT, "sk-0123abcd and more", NULL);
  wait_until (self->n_added == 1);
}

/* what costs too much to look at is not kept, and keeps nobody busy */
static void
test_endless_pattern_is_a_match (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = g_strnfill (5000, 'a');

  set (self, CLIP_SETTING_IGNORE_PATTERN, "(a+)+b|(a*)*c");
  clip_backend_fake_copy (self->display, TEXT, text, NULL);
  assert_dropped (self, CLIP_DROP_PATTERN);
}

/* however many places there are at which it may begin */
static void
test_pattern_that_is_slow_everywhere_is_a_match (HistoryFixture *self, gconstpointer data)
{
  g_autofree char *text = g_strnfill (CLIP_IGNORE_TEXT_BYTES, 'a');

  set (self, CLIP_SETTING_IGNORE_PATTERN, "(?=a)\\w+\\s");
  clip_backend_fake_copy (self->display, TEXT, text, NULL);
  assert_dropped (self, CLIP_DROP_PATTERN);
}

/* an empty line is not an empty text */
static void
test_pattern_sees_one_text (HistoryFixture *self, gconstpointer data)
{
  set (self, CLIP_SETTING_IGNORE_PATTERN, "^$");
  clip_backend_fake_copy (self->display, TEXT, "one\n\ntwo", NULL);
  wait_until (self->n_added == 1);
}

/* a key, say, in a type that no table names, and an image that is a text */
static void
test_pattern_sees_what_reads_as_text (HistoryFixture *self, gconstpointer data)
{
  static const char *const types[] = { "application/octet-stream", "application/x-key",
                                       "image/svg+xml" };
  static const char marker[] = "application/x-kde-cutselection";

  set (self, CLIP_SETTING_IGNORE_PATTERN, "KEY");
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      clip_backend_fake_copy (self->display, types[i], "<svg>PRIVATE\1 KEY</svg>", NULL);
      wait_until (self->last_drop == CLIP_DROP_PATTERN);
      self->last_drop = CLIP_DROP_NONE;
    }
  clip_backend_fake_copy (self->display, "image/png", "\x89PNG\r\n\x1a\nKEY", NULL);
  wait_until (self->n_added == 1);
  /* what a program notes beside a text is none that is meant */
  clip_backend_fake_copy (self->display, TEXT, "word", "application/x-note", "KEY", NULL);
  wait_until (self->n_added == 2);
  set (self, CLIP_SETTING_IGNORE_PATTERN, "^[0-9]$");
  clip_backend_fake_copy (self->display, "image/png", "\x89PNG\r\n\x1a\nb", marker, "1",
                          NULL);
  wait_until (self->n_added == 3);
}

static void
test_type_is_left_out (HistoryFixture *self, gconstpointer data)
{
  g_autoptr (ClipEntry) entry = NULL;

  set (self, CLIP_SETTING_IGNORE_MIME, "text/h*");
  clip_backend_fake_copy (self->display, "text/html", "<b>word</b>", TEXT, "word", NULL);
  wait_until (clip_history_current (self->history) == 1);
  entry = history_fixture_lookup (self, 1, NULL);
  g_assert_cmpuint (entry->contents->len, ==, 1);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "text/html"), ==, 0);
}

/* X11 has names of its own for a text */
static void
test_type_is_left_out_by_each_of_its_names (HistoryFixture *self, gconstpointer data)
{
  set (self, CLIP_SETTING_IGNORE_MIME, "text/*");
  clip_backend_fake_copy (self->display, "UTF8_STRING", "word", "STRING", "word", NULL);
  clip_backend_fake_copy (self->display, "image/png", "\x89PNG\r\n\x1a\n", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "UTF8_STRING"), ==, 0);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, "STRING"), ==, 0);
}

static void
test_program_is_ignored (HistoryFixture *self, gconstpointer data)
{
  set (self, CLIP_SETTING_IGNORE_APP, "*passx?");
  clip_backend_fake_set_app (self->display, "org.KeePassXC");
  clip_backend_fake_copy (self->display, TEXT, "unmarked", NULL);
  g_assert_cmpint (self->last_drop, ==, CLIP_DROP_IGNORED);
  g_assert_cmpuint (clip_backend_fake_asked (self->display, TEXT), ==, 0);
  /* nor is it stored by a watcher beside us */
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  clip_backend_fake_set_app (self->display, "firefox");
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
}

/* its window had come just before, and nobody had said yet what it is */
static void
test_program_that_is_known_late_is_ignored (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  set (self, CLIP_SETTING_IGNORE_APP, "*passx?");
  clip_backend_fake_set_app_late (self->display, "org.KeePassXC");
  clip_backend_fake_copy (self->display, TEXT, "unmarked", NULL);
  assert_dropped (self, CLIP_DROP_IGNORED);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  clip_backend_fake_set_app_late (self->display, "firefox");
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  g_object_unref (below);
}

/* nor where its copy has gone before that is known, as after one paste */
static void
test_program_that_has_gone_is_ignored (HistoryFixture *self, gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);
  ClipOffer *offer;

  set (self, CLIP_SETTING_IGNORE_APP, "*passx?");
  clip_backend_fake_stall (self->display, TRUE);
  offer = clip_backend_fake_copy (self->display, TEXT, "unmarked", NULL);
  wait_until (clip_backend_fake_asked (self->display, TEXT) == 1);
  clip_backend_fake_trickle (self->display, "unmarked");
  clip_offer_set_app (offer, "org.KeePassXC");
  clip_backend_fake_clear (self->display);
  clip_backend_fake_stall (self->display, FALSE);
  assert_dropped (self, CLIP_DROP_IGNORED);
  g_assert_cmpint (clip_history_refusal (self->history), ==, CLIP_DROP_SECRET);
  g_object_unref (below);
}

/* and is so once only, though another display is asked meanwhile what it knows */
static void
test_program_that_is_known_late_is_not_waited_for (HistoryFixture *self,
                                                   gconstpointer data)
{
  ClipBackendFake *below = history_fixture_put_bridge (self);

  set (self, CLIP_SETTING_IGNORE_APP, "*passx?");
  clip_backend_fake_set_app_late (self->display, "org.KeePassXC");
  clip_backend_fake_set_busy (below, TRUE);
  clip_backend_fake_copy (self->display, TEXT, "unmarked", NULL);
  assert_dropped (self, CLIP_DROP_IGNORED);
  clip_backend_fake_set_busy (below, FALSE);
  clip_backend_fake_set_app_late (self->display, "firefox");
  clip_backend_fake_copy (self->display, TEXT, "word", NULL);
  wait_until (self->n_added == 1);
  g_assert_cmpuint (self->n_drops, ==, 1);
  g_object_unref (below);
}

#define add_with(path, data, function) \
  g_test_add ("/privacy/" path, HistoryFixture, data, history_fixture_setup, function, \
              history_fixture_teardown)
#define add(path, function) add_with (path, NULL, function)

static void
add_texts_behind_a_secret (void)
{
  add_with ("text-and-html-while-a-secret-is-read-is-one", "text/html",
            test_rich_text_while_a_secret_is_read_is_one);
  add_with ("text-and-own-type-while-a-secret-is-read-is-one", "application/x-own",
            test_rich_text_while_a_secret_is_read_is_one);
  add ("text-while-an-earlier-secret-is-read-is-one",
       test_text_while_an_earlier_secret_is_read_is_one);
  add ("text-behind-an-image-over-a-secret-is-one",
       test_text_behind_an_image_over_a_secret_is_one);
  add ("rich-text-behind-an-image-over-a-secret-is-one",
       test_rich_text_behind_an_image_over_a_secret_is_one);
  add ("text-below-while-a-secret-is-read-is-one",
       test_text_below_while_a_secret_is_read_is_one);
  add ("text-above-while-a-secret-is-read-is-one",
       test_text_above_while_a_secret_is_read_is_one);
  add ("what-is-kept-all-the-same-may-be-one", test_what_is_kept_all_the_same_may_be_one);
  add ("rich-text-between-two-secrets-is-one", test_rich_text_between_two_secrets_is_one);
  add ("secret-of-ignored-types-is-known", test_secret_of_ignored_types_is_known);
  add ("page-while-a-secret-is-read-is-none", test_page_while_a_secret_is_read_is_none);
  add ("rich-text-while-a-secret-is-not-read-is-one",
       test_rich_text_while_a_secret_is_not_read_is_one);
  add ("text-behind-a-secret-for-one-paste-is-one",
       test_text_behind_a_secret_for_one_paste_is_one);
}

/* of the user */
static void
add_rules (void)
{
  add ("pattern-is-dropped", test_pattern_is_dropped);
  add ("endless-pattern-is-a-match", test_endless_pattern_is_a_match);
  add ("pattern-that-is-slow-everywhere-is-a-match",
       test_pattern_that_is_slow_everywhere_is_a_match);
  add ("pattern-sees-one-text", test_pattern_sees_one_text);
  add ("pattern-sees-what-reads-as-text", test_pattern_sees_what_reads_as_text);
  add ("type-is-left-out", test_type_is_left_out);
  add ("type-is-left-out-by-each-of-its-names",
       test_type_is_left_out_by_each_of_its_names);
  add ("program-is-ignored", test_program_is_ignored);
  add ("program-that-is-known-late-is-ignored",
       test_program_that_is_known_late_is_ignored);
  add ("program-that-has-gone-is-ignored", test_program_that_has_gone_is_ignored);
  add ("program-that-is-known-late-is-not-waited-for",
       test_program_that_is_known_late_is_not_waited_for);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  add ("doubtful-secret-that-comes-back-is-one",
       test_doubtful_secret_that_comes_back_is_one);
  add ("mark-beside-our-own-type-counts", test_mark_beside_our_own_type_counts);
  add ("mark-beside-that-of-a-reassertion-counts",
       test_mark_beside_that_of_a_reassertion_counts);
  add ("found-on-a-display-that-went-unwatched-is-one",
       test_found_on_a_display_that_went_unwatched_is_one);
  add ("secret-that-comes-back-is-one", test_secret_that_comes_back_is_one);
  add ("secret-that-comes-back-changed-is-one",
       test_secret_that_comes_back_changed_is_one);
  add ("secret-among-other-types-is-one", test_secret_among_other_types_is_one);
  add ("secret-that-is-sent-late-is-known", test_secret_that_is_sent_late_is_known);
  add ("long-secret-that-comes-back-is-one", test_long_secret_that_comes_back_is_one);
  add ("secret-image-that-comes-back-is-one", test_secret_image_that_comes_back_is_one);
  add ("secret-for-one-paste-is-not-read", test_secret_for_one_paste_is_not_read);
  add ("secret-with-other-names-is-read", test_secret_with_other_names_is_read);
  add ("unread-secret-that-is-brought-back-is-one",
       test_unread_secret_that_is_brought_back_is_one);
  add ("unread-secret-that-is-brought-back-is-current",
       test_unread_secret_that_is_brought_back_is_current);
  add ("secret-that-is-not-read-keeps-nobody-waiting",
       test_secret_that_is_not_read_keeps_nobody_waiting);
  add ("ignored-program-does-not-come-over-the-bridge",
       test_ignored_program_does_not_come_over_the_bridge);
  add ("ignored-program-takes-no-copy-with-it",
       test_ignored_program_takes_no_copy_with_it);
  add ("secret-that-cannot-be-read-does-not-come-over-the-bridge",
       test_secret_that_cannot_be_read_does_not_come_over_the_bridge);
  add ("secret-that-seems-to-be-the-copy-before-is-one",
       test_secret_that_seems_to_be_the_copy_before_is_one);
  add ("all-that-comes-over-the-bridge-waits-for-a-secret",
       test_all_that_comes_over_the_bridge_waits_for_a_secret);
  add ("what-lay-below-does-not-come-back", test_what_lay_below_does_not_come_back);
  add ("copy-that-waits-for-its-turn-may-be-the-secret",
       test_copy_that_waits_for_its_turn_may_be_the_secret);
  add ("secret-for-one-paste-takes-no-copy-with-it",
       test_secret_for_one_paste_takes_no_copy_with_it);
  add ("text-before-a-secret-is-read-is-one", test_text_before_a_secret_is_read_is_one);
  add ("text-while-a-secret-is-read-is-one", test_text_while_a_secret_is_read_is_one);
  add ("text-while-a-public-one-comes-is-none",
       test_text_while_a_public_one_comes_is_none);
  add ("nothing-waits-for-a-public-one", test_nothing_waits_for_a_public_one);
  add_texts_behind_a_secret ();
  add ("text-among-old-names-is-bare", test_text_among_old_names_is_bare);
  add ("text-among-messages-is-bare", test_text_among_messages_is_bare);
  add ("what-is-not-told-may-be-one", test_what_is_not_told_may_be_one);
  add ("what-is-not-told-takes-no-copy-with-it",
       test_what_is_not_told_takes_no_copy_with_it);
  add ("secret-of-a-private-window-is-learnt", test_secret_of_a_private_window_is_learnt);
  add ("history-closed-while-a-hint-is-read", test_history_closed_while_a_hint_is_read);
  add_rules ();
  return g_test_run ();
}
