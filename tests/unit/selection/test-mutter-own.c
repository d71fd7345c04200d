/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the backend for GNOME owns. */
#include "clip-error.h"
#include "mutter-desk.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"
#define TEXTS TEXT " text/plain"

static void
own_text (MutterDesk *self)
{
  desk_own_text (self->desk);
  desk_expect (self->desk, DESK_OWN_TEXT);
}

/* Mutter reads what it keeps at once */
static void
answer_mutter (MutterDesk *self, const char *text)
{
  g_autoptr (ClipRequest) request = desk_next_request (self->desk);

  g_assert_cmpstr (clip_request_mime (request), ==, TEXT);
  desk_answer (request, text);
}

static void
assert_pasted (MutterDesk *self, const char *mime, const char *text)
{
  guint32 serial = fake_mutter_ask (self->mutter, mime);
  g_autoptr (ClipRequest) request = desk_next_request (self->desk);
  g_autofree char *pasted = NULL;

  g_assert_cmpstr (clip_request_mime (request), ==, mime);
  desk_answer (request, text);
  pasted = fake_mutter_take (self->mutter, serial);
  g_assert_cmpstr (pasted, ==, text);
}

static void
assert_types (MutterDesk *self, const char *expected)
{
  g_autofree char *types = fake_mutter_types (self->mutter);

  g_assert_cmpstr (types, ==, expected);
}

static void
test_pastes_what_is_owned (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  own_text (self);
  assert_types (self, TEXTS);
  answer_mutter (self, "our text");
  assert_pasted (self, "text/plain", "our text");
  assert_pasted (self, TEXT, "again");
}

/* a paste that is refused is ended, and not left to Mutter's patience */
static void
test_what_is_not_offered_is_ended (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  own_text (self);
  answer_mutter (self, "our text");
  g_assert_null (
      fake_mutter_take (self->mutter, fake_mutter_ask (self->mutter, "text/html")));
  g_assert_null (fake_mutter_take (self->mutter,
                                   fake_mutter_ask (self->mutter, clip_source_token ())));
  g_assert_true (g_queue_is_empty (self->desk->requests));
}

static void
test_broken_paste_is_said (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);
  g_autoptr (ClipRequest) request = NULL;
  guint32 serial;

  own_text (self);
  answer_mutter (self, "our text");
  serial = fake_mutter_ask (self->mutter, TEXT);
  request = desk_next_request (self->desk);
  clip_request_finish (request, FALSE);
  g_assert_null (fake_mutter_take (self->mutter, serial));
}

static void
test_lost_to_the_next_copy (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);
  g_autoptr (ClipRequest) request = NULL;
  g_autofree char *pasted = NULL;
  guint32 serial;

  own_text (self);
  answer_mutter (self, "our text");
  serial = fake_mutter_ask (self->mutter, TEXT);
  request = desk_next_request (self->desk);
  fake_mutter_copy (self->mutter, "text/html", "a", NULL);
  desk_expect (self->desk, "offered text/html");
  g_assert_cmpuint (self->desk->n_cancelled, ==, 1);
  desk_answer (request, "asked for in time");
  pasted = fake_mutter_take (self->mutter, serial);
  g_assert_cmpstr (pasted, ==, "asked for in time");
}

/* a copy that is heard before Mutter has our claim does not end it */
static void
test_copy_just_before_is_replaced (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  fake_mutter_copy (self->mutter, "text/html", "a", NULL);
  desk_own_text (self->desk);
  desk_expect (self->desk, "offered text/html");
  desk_expect (self->desk, DESK_OWN_TEXT);
  g_assert_cmpuint (self->desk->n_cancelled, ==, 0);
  answer_mutter (self, "our text");
  assert_pasted (self, TEXT, "our text");
}

static void
test_owned_again (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  desk_own_text (self->desk);
  desk_own_text (self->desk);
  desk_expect (self->desk, DESK_OWN_TEXT);
  desk_expect (self->desk, DESK_OWN_TEXT);
  g_assert_cmpuint (self->desk->n_cancelled, ==, 1);
  answer_mutter (self, "older");
  answer_mutter (self, "newer");
  assert_pasted (self, TEXT, "newest");
}

/* Mutter has a part of it, which it would go on offering */
static void
test_given_up_whole (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  own_text (self);
  answer_mutter (self, "our text");
  assert_pasted (self, TEXT, "our text"); /* so that Mutter has it by now */
  clip_backend_disown (self->desk->backend, CLIP_SELECTION_CLIPBOARD);
  desk_expect (self->desk, "cleared");
  assert_types (self, "");
  g_assert_cmpuint (self->desk->n_cancelled, ==, 1);
}

static void
test_own_right_after_giving_up (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  own_text (self);
  answer_mutter (self, "our text");
  clip_backend_disown (self->desk->backend, CLIP_SELECTION_CLIPBOARD);
  desk_own_text (self->desk);
  desk_expect (self->desk, "cleared");
  desk_expect (self->desk, DESK_OWN_TEXT);
  answer_mutter (self, "again");
  assert_pasted (self, "text/plain", "again");
}

static void
test_lost_when_locked (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);

  own_text (self);
  answer_mutter (self, "our text");
  assert_pasted (self, TEXT, "our text");
  fake_mutter_lock (self->mutter);
  fake_mutter_unlock (self->mutter);
  desk_expect (self->desk, "offered initial remnant " TEXT);
  g_assert_cmpuint (self->desk->n_cancelled, ==, 1);
  mutter_desk_assert_reads (self, TEXT, "our text");
}

/* nothing of it was kept, and nobody has copied anything */
static void
test_ours_again_when_unlocked (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);
  static const char *const mimes[] = { "text/html", NULL };

  g_assert_true (desk_own (self->desk, CLIP_SELECTION_CLIPBOARD, mimes, NULL));
  desk_expect (self->desk, "offered own text/html");
  fake_mutter_lock (self->mutter);
  fake_mutter_unlock (self->mutter);
  desk_expect (self->desk, "offered own text/html");
  g_assert_cmpuint (self->desk->n_cancelled, ==, 0);
  assert_pasted (self, "text/html", "<i>ours</i>");
}

static void
test_deleted_while_locked (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);
  static const char *const mimes[] = { "text/html", NULL };

  g_assert_true (desk_own (self->desk, CLIP_SELECTION_CLIPBOARD, mimes, NULL));
  desk_expect (self->desk, "offered own text/html");
  fake_mutter_lock (self->mutter);
  while (fake_mutter_n_refused (self->mutter) == 0)
    g_main_context_iteration (NULL, TRUE);
  clip_backend_disown (self->desk->backend, CLIP_SELECTION_CLIPBOARD);
  fake_mutter_unlock (self->mutter);
  desk_expect (self->desk, "cleared");
  assert_types (self, "");
}

static void
test_no_primary (void)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (FAKE_MUTTER_43);
  static const char *const mimes[] = { TEXT, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_false (desk_own (self->desk, CLIP_SELECTION_PRIMARY, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/mutter-own/pastes-what-is-owned", test_pastes_what_is_owned);
  g_test_add_func ("/mutter-own/what-is-not-offered-is-ended",
                   test_what_is_not_offered_is_ended);
  g_test_add_func ("/mutter-own/broken-paste-is-said", test_broken_paste_is_said);
  g_test_add_func ("/mutter-own/lost-to-the-next-copy", test_lost_to_the_next_copy);
  g_test_add_func ("/mutter-own/copy-just-before-is-replaced",
                   test_copy_just_before_is_replaced);
  g_test_add_func ("/mutter-own/owned-again", test_owned_again);
  g_test_add_func ("/mutter-own/given-up-whole", test_given_up_whole);
  g_test_add_func ("/mutter-own/own-right-after-giving-up",
                   test_own_right_after_giving_up);
  g_test_add_func ("/mutter-own/lost-when-locked", test_lost_when_locked);
  g_test_add_func ("/mutter-own/ours-again-when-unlocked", test_ours_again_when_unlocked);
  g_test_add_func ("/mutter-own/deleted-while-locked", test_deleted_while_locked);
  g_test_add_func ("/mutter-own/no-primary", test_no_primary);
  return g_test_run ();
}
