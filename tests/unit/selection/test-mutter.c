/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the backend for GNOME hears and reads. */
#include "clip-error.h"
#include "clip-mutter-readers.h"
#include "clip-mutter-remnant.h"
#include "clip-mutter.h"
#include "later-clock.h"
#include "mutter-desk.h"

#include <signal.h>

#define TEXT "text/plain;charset=utf-8"

static FakeMutterTraits
version (gconstpointer data)
{
  return (FakeMutterTraits) GPOINTER_TO_UINT (data);
}

static void
test_copies_are_offered (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  fake_mutter_copy (self->mutter, TEXT, "one", "text/html", "<i>one</i>", NULL);
  desk_expect (self->desk, "offered " TEXT " text/html");
  mutter_desk_assert_reads (self, TEXT, "one");
  fake_mutter_copy (self->mutter, "image/png", "two", NULL);
  desk_expect (self->desk, "offered image/png");
  mutter_desk_assert_reads (self, "image/png", "two");
}

/* Mutter tells the first 512 of a program on Xwayland: the mark may be the next one */
static void
test_cut_off_list (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  for (guint n = 511; n <= 512; n++)
    {
      g_clear_object (&self->desk->offer);
      fake_mutter_copy_many (self->mutter, n);
      while (!self->desk->offer)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (clip_offer_secrecy (self->desk->offer), ==,
                       n < 512 ? CLIP_SECRECY_NONE : CLIP_SECRECY_SECRET);
      g_queue_clear_full (self->desk->events, g_free);
    }
}

/* the session believes itself busy with the first one a moment longer than that takes */
static void
test_types_one_after_the_other (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  fake_mutter_copy (self->mutter, TEXT, "one", "text/html", "<i>one</i>", NULL);
  desk_expect (self->desk, "offered " TEXT " text/html");
  mutter_desk_assert_reads (self, TEXT, "one");
  mutter_desk_assert_reads (self, "text/html", "<i>one</i>");
  mutter_desk_assert_reads (self, TEXT, "one");
  g_assert_cmpuint (fake_mutter_n_refused (self->mutter), >, 0);
}

static void
test_there_before (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_new (version (data));

  fake_mutter_copy (self->mutter, TEXT, "before", NULL);
  mutter_desk_sit_down (self);
  desk_expect (self->desk, "offered initial " TEXT);
  mutter_desk_assert_reads (self, TEXT, "before");
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

typedef struct
{
  int fd;
  gboolean ended;
} Stalled;

static void
on_stalled_opened (int source_fd_take, gpointer user_data)
{
  ((Stalled *) user_data)->fd = source_fd_take;
}

static void
on_stalled_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  clip_backend_receive_finish (CLIP_BACKEND (source), result, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  ((Stalled *) user_data)->ended = TRUE;
}

/* an owner that does not write keeps its session busy */
static void
test_read_while_another_stalls (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Stalled stalled = { .fd = -1 };

  fake_mutter_set_traits (self->mutter, version (data) | FAKE_MUTTER_STALLS);
  fake_mutter_copy (self->mutter, TEXT, "never comes", NULL);
  desk_expect (self->desk, "offered " TEXT);
  clip_backend_receive_async (self->desk->backend, self->desk->offer, TEXT,
                              on_stalled_opened, cancellable, on_stalled_ended, &stalled);
  while (stalled.fd < 0)
    g_main_context_iteration (NULL, TRUE);
  fake_mutter_set_traits (self->mutter, version (data));
  fake_mutter_copy (self->mutter, TEXT, "comes", NULL);
  desk_expect (self->desk, "offered " TEXT);
  mutter_desk_assert_reads (self, TEXT, "comes");
  g_cancellable_cancel (cancellable);
  while (!stalled.ended)
    g_main_context_iteration (NULL, TRUE);
  close (stalled.fd);
}

typedef struct
{
  GCancellable *cancellable;
  int fd;
  guint n_ended;
} Endless;

static void
on_endless_opened (int source_fd_take, gpointer user_data)
{
  ((Endless *) user_data)->fd = source_fd_take;
}

static void
on_endless_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Endless *self = user_data;

  clip_backend_receive_finish (CLIP_BACKEND (source), result, NULL);
  self->n_ended++;
}

static void
copy_endless (MutterDesk *self, Endless *endless)
{
  endless->fd = -1;
  fake_mutter_copy (self->mutter, TEXT, "never comes", NULL);
  desk_expect (self->desk, "offered " TEXT);
  clip_backend_receive_async (self->desk->backend, self->desk->offer, TEXT,
                              on_endless_opened, endless->cancellable, on_endless_ended,
                              endless);
  while (endless->fd < 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
give_up (Endless *endless)
{
  g_cancellable_cancel (endless->cancellable);
  close (endless->fd);
  while (endless->n_ended == 0)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (endless->cancellable);
}

typedef struct
{
  int fd;
  GAsyncResult *result;
} Slow;

static void
on_slow_opened (int source_fd_take, gpointer user_data)
{
  ((Slow *) user_data)->fd = source_fd_take;
}

static void
on_slow_ended (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  ((Slow *) user_data)->result = g_object_ref (result);
}

/* ends after a minute. @text: (nullable): what came by then. @is_locked: it ends as the
 * screen is locked */
static ClipVerdict
read_slowly (MutterDesk *self,
             FakeMutterTraits traits,
             const char *text,
             gboolean is_locked,
             GError **error)
{
  Slow slow = { .fd = -1 };
  char bytes[16];
  ClipVerdict verdict;

  fake_mutter_set_traits (self->mutter, traits | FAKE_MUTTER_STALLS);
  fake_mutter_copy (self->mutter, TEXT, "comes late", NULL);
  desk_expect (self->desk, "offered " TEXT);
  clip_backend_receive_async (self->desk->backend, self->desk->offer, TEXT,
                              on_slow_opened, NULL, on_slow_ended, &slow);
  while (slow.fd < 0)
    g_main_context_iteration (NULL, TRUE);
  if (text)
    {
      fake_mutter_give (self->mutter, text);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_assert_cmpint (read (slow.fd, bytes, sizeof bytes), ==, strlen (text));
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_assert_null (slow.result);
    }
  g_atomic_int_add (&later_s, 60);
  if (is_locked)
    fake_mutter_lock (self->mutter);
  fake_mutter_end (self->mutter);
  while (!slow.result)
    g_main_context_iteration (NULL, TRUE);
  close (slow.fd);
  verdict = clip_backend_receive_finish (self->desk->backend, slow.result, error);
  g_object_unref (slow.result);
  return verdict;
}

/* Mutter gives up after 15 s what nothing has come of, and lets the rest take its time */
static void
test_slow (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (read_slowly (self, version (data), "comes", FALSE, &error), ==,
                   CLIP_VERDICT_EOF);
  g_assert_no_error (error);
  read_slowly (self, version (data), NULL, FALSE, &error);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_STALLED);
}

/* which ends all sessions, and with them what they read */
static void
test_cut_off_by_lock (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (read_slowly (self, version (data), "comes", TRUE, &error), !=,
                   CLIP_VERDICT_EOF);
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
}

/* each is a session with the shell, which cannot be ended: the one of a copy that never
   ended, and was given up, reads the next. It waits for none: while there is no other, a
   copy is lost, with an error */
static void
test_given_up (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));
  g_autoptr (GError) error = NULL;
  Endless endless[2 * CLIP_MUTTER_MOST_COPIES] = { 0 };

  fake_mutter_set_traits (self->mutter, version (data) | FAKE_MUTTER_STALLS);
  for (guint i = 0; i < G_N_ELEMENTS (endless); i++)
    {
      endless[i].cancellable = g_cancellable_new ();
      copy_endless (self, &endless[i]);
    }
  fake_mutter_set_traits (self->mutter, version (data));
  fake_mutter_copy (self->mutter, TEXT, "comes", NULL);
  desk_expect (self->desk, "offered " TEXT);
  g_assert_null (mutter_desk_read (self, self->desk->offer, TEXT, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_LIMITS);
  give_up (&endless[0]);
  mutter_desk_assert_reads (self, TEXT, "comes");
  g_assert_cmpuint (fake_mutter_n_sessions (self->mutter), ==,
                    1 + G_N_ELEMENTS (endless));
  for (guint i = 1; i < G_N_ELEMENTS (endless); i++)
    give_up (&endless[i]);
}

/* Mutter would read what is selected by then */
static void
test_replaced_offer_is_not_read (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));
  g_autoptr (ClipOffer) first = NULL;
  g_autoptr (GError) error = NULL;

  fake_mutter_copy (self->mutter, TEXT, "first", NULL);
  desk_expect (self->desk, "offered " TEXT);
  first = g_object_ref (self->desk->offer);
  fake_mutter_copy (self->mutter, TEXT, "second", NULL);
  g_assert_null (mutter_desk_read (self, first, TEXT, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  desk_expect (self->desk, "offered " TEXT);
}

static void
test_kept_is_no_copy (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  fake_mutter_copy (self->mutter, "text/html", "<i>one</i>", TEXT, "one", NULL);
  desk_expect (self->desk, "offered text/html " TEXT);
  fake_mutter_clear (self->mutter);
  desk_expect (self->desk, "cleared");
  desk_expect (self->desk, "offered initial remnant " TEXT);
  fake_mutter_copy (self->mutter, TEXT, "a copy of the same type", NULL);
  desk_expect (self->desk, "offered " TEXT);
}

static void
test_type_that_is_kept (void)
{
  static const char *const both[] = { "image/png", "text/html", TEXT, NULL };
  static const char *const only[] = { TEXT, NULL };
  static const char *const none[] = { "text/html", NULL };
  ClipMutterRemnant kept = { 0 };

  g_assert_cmpstr (clip_mutter_remnant_type (both), ==, TEXT);
  g_assert_null (clip_mutter_remnant_type (none));
  g_assert_false (clip_mutter_remnant_hear (&kept, both, 1));
  g_assert_false (
      clip_mutter_remnant_hear (&kept, only, 2)); /* a copy: nobody has gone */
  g_assert_false (clip_mutter_remnant_hear (&kept, NULL, 3));
  g_assert_false (clip_mutter_remnant_hear (&kept, none, 4));
  g_assert_false (clip_mutter_remnant_hear (&kept, both, 5));
  g_assert_false (clip_mutter_remnant_hear (&kept, NULL, 6));
  g_assert_true (clip_mutter_remnant_hear (&kept, only, 7));
  g_assert_false (clip_mutter_remnant_hear (&kept, NULL, 8));
  g_assert_false (clip_mutter_remnant_hear (&kept, only, 8 + CLIP_MUTTER_REMNANT_US));
}

static void
test_lock_and_unlock (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));
  static const char *const mimes[] = { TEXT, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) read_error = NULL;

  fake_mutter_copy (self->mutter, TEXT, "one", NULL);
  desk_expect (self->desk, "offered " TEXT);
  fake_mutter_lock (self->mutter);
  while (!clip_offer_is_replaced (self->desk->offer))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (desk_own (self->desk, CLIP_SELECTION_CLIPBOARD, mimes, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_null (mutter_desk_read (self, self->desk->offer, TEXT, &read_error));
  fake_mutter_copy (self->mutter, "image/png", "while locked", NULL);
  fake_mutter_unlock (self->mutter);
  clip_backend_wake (self->desk->backend);
  desk_expect (self->desk, "offered initial image/png");
  mutter_desk_assert_reads (self, "image/png", "while locked");
  fake_mutter_copy (self->mutter, TEXT, "two", NULL);
  desk_expect (self->desk, "offered " TEXT);
  mutter_desk_assert_reads (self, TEXT, "two");
}

/* nobody says that it is unlocked: it is tried */
static void
test_opened_again_by_itself (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  fake_mutter_lock (self->mutter);
  while (fake_mutter_n_refused (self->mutter) < 2)
    g_main_context_iteration (NULL, TRUE);
  fake_mutter_unlock (self->mutter);
  desk_expect (self->desk, "cleared");
  fake_mutter_copy (self->mutter, TEXT, "one", NULL);
  desk_expect (self->desk, "offered " TEXT);
}

/* a password manager that clears while the screen is locked: the mark is gone by then */
static void
test_kept_while_locked (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  fake_mutter_copy (self->mutter, TEXT, "hunter2", "x-kde-passwordManagerHint", "secret",
                    NULL);
  desk_expect (self->desk, "offered " TEXT " x-kde-passwordManagerHint");
  fake_mutter_lock (self->mutter);
  fake_mutter_clear (self->mutter);
  fake_mutter_unlock (self->mutter);
  desk_expect (self->desk, "offered initial remnant " TEXT);
}

static void
test_gone (gconstpointer data)
{
  g_autoptr (MutterDesk) self = mutter_desk_at (version (data));

  g_clear_pointer (&self->mutter, fake_mutter_free);
  desk_expect (self->desk, "disconnected: GNOME Shell has gone");
}

static void
assert_refused (FakeMutterTraits traits, const char *why)
{
  g_autoptr (MutterDesk) self = mutter_desk_new (traits);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  clip_mutter_new_async (self->bus, fake_mutter_peer (self->mutter), NULL, keep_result,
                         &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (clip_mutter_new_finish (result, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND);
  g_assert_cmpstr (error->message, ==, why);
}

static void
test_refused (gconstpointer data)
{
  assert_refused (version (data) | FAKE_MUTTER_NO_SESSION, "create a session: inhibited");
  assert_refused (version (data) | FAKE_MUTTER_NO_CLIPBOARD,
                  "enable the clipboard: not for you");
}

static void
add (const char *name, GTestDataFunc test)
{
  g_autofree char *old = g_strdup_printf ("/mutter/43/%s", name);
  g_autofree char *new = g_strdup_printf ("/mutter/51/%s", name);

  g_test_add_data_func (old, GUINT_TO_POINTER (FAKE_MUTTER_43), test);
  g_test_add_data_func (new, GUINT_TO_POINTER (FAKE_MUTTER_51), test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/mutter/type-that-is-kept", test_type_that_is_kept);
  add ("copies-are-offered", test_copies_are_offered);
  add ("list-that-may-be-cut-off-is-a-secret", test_cut_off_list);
  add ("types-one-after-the-other", test_types_one_after_the_other);
  add ("there-before", test_there_before);
  add ("read-while-another-stalls", test_read_while_another_stalls);
  add ("slow-one-is-whole-and-one-that-never-begins-is-not", test_slow);
  add ("cut-off-by-a-lock-is-not-whole", test_cut_off_by_lock);
  add ("session-of-a-read-that-is-given-up-reads-the-next", test_given_up);
  add ("replaced-offer-is-not-read", test_replaced_offer_is_not_read);
  add ("kept-is-no-copy", test_kept_is_no_copy);
  add ("lock-and-unlock", test_lock_and_unlock);
  add ("opened-again-by-itself", test_opened_again_by_itself);
  add ("kept-while-locked", test_kept_while_locked);
  add ("gone", test_gone);
  add ("refused", test_refused);
  return g_test_run ();
}
