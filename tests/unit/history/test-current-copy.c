/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is on the clipboard: each event in each state that it may come in. */
#include "clip-current-copy.h"

#include "history-fixture.h"

typedef enum
{
  BEGIN,
  RECEIVE,
  RECEIVED,          /* whole, as entry 1 */
  RECEIVED_PARTLY,   /* as entry 1, which has not all of it */
  RECEIVED_NOTHING,  /* it was dropped */
  RECEIVED_OF_OTHER, /* by a capture of an earlier copy */
  OWNER_LEFT,
  CLAIM,
  CLAIM_FAILED,
  RECLAIM, /* entry 2 */
  OURS,    /* entry 2 */
  END,
} Event;

#define NONE CLIP_COPY_NONE
#define COMING CLIP_COPY_COMING
#define THEIRS CLIP_COPY_THEIRS
#define LEAVING CLIP_COPY_LEAVING
#define LEFT CLIP_COPY_LEFT
#define CLAIMED CLIP_COPY_CLAIMED
#define IS_OURS CLIP_COPY_OURS

typedef struct
{
  ClipCopyState from;
  Event event;
  ClipCopyState to;
  gint64 id;        /* that is found on the clipboard then */
  gint64 offerable; /* that we may offer when its owner goes */
} Transition;

static const Transition transitions[] = {
  /* another program copies */
  { NONE, BEGIN, NONE, 0, 0 },
  { NONE, RECEIVE, COMING, 0, 0 },
  { COMING, BEGIN, NONE, 0, 0 },
  { COMING, RECEIVE, COMING, 0, 0 },
  { THEIRS, BEGIN, NONE, 0, 0 },
  { THEIRS, RECEIVE, COMING, 0, 0 },
  { LEAVING, BEGIN, NONE, 0, 0 },
  { LEFT, BEGIN, NONE, 0, 0 },
  { CLAIMED, BEGIN, NONE, 0, 0 },
  { IS_OURS, BEGIN, NONE, 0, 0 },
  /* that is received */
  { COMING, RECEIVED, THEIRS, 1, 1 },
  { COMING, RECEIVED_PARTLY, THEIRS, 1, 1 },
  { COMING, RECEIVED_NOTHING, THEIRS, 0, 0 },
  { COMING, RECEIVED_OF_OTHER, COMING, 0, 0 },
  { NONE, RECEIVED_OF_OTHER, NONE, 0, 0 },
  { THEIRS, RECEIVED_OF_OTHER, THEIRS, 1, 1 },
  { LEFT, RECEIVED_OF_OTHER, LEFT, 0, 1 },
  { IS_OURS, RECEIVED_OF_OTHER, IS_OURS, 2, 0 },
  { LEAVING, RECEIVED, LEFT, 0, 1 },
  { LEAVING, RECEIVED_PARTLY, LEFT, 0, 1 },
  { LEAVING, RECEIVED_NOTHING, NONE, 0, 0 },
  { LEAVING, RECEIVED_OF_OTHER, LEAVING, 0, 0 },
  /* its owner goes */
  { NONE, OWNER_LEFT, NONE, 0, 0 },
  { COMING, OWNER_LEFT, LEAVING, 0, 0 },
  { THEIRS, OWNER_LEFT, LEFT, 0, 1 },
  { CLAIMED, OWNER_LEFT, NONE, 0, 0 },
  { IS_OURS, OWNER_LEFT, NONE, 0, 0 },
  /* we take its place */
  { LEFT, CLAIM, CLAIMED, 0, 0 },
  { THEIRS, CLAIM, CLAIMED, 1, 0 },
  { CLAIMED, CLAIM_FAILED, NONE, 0, 0 },
  { NONE, CLAIM_FAILED, NONE, 0, 0 },
  { COMING, CLAIM_FAILED, COMING, 0, 0 },
  { LEFT, CLAIM_FAILED, LEFT, 0, 1 },
  { IS_OURS, CLAIM_FAILED, IS_OURS, 2, 0 },
  { NONE, RECLAIM, CLAIMED, 0, 0 },
  { NONE, OURS, IS_OURS, 2, 0 },
  { COMING, OURS, IS_OURS, 2, 0 },
  { THEIRS, OURS, IS_OURS, 2, 0 },
  { LEAVING, OURS, IS_OURS, 2, 0 },
  { LEFT, OURS, IS_OURS, 2, 0 },
  { CLAIMED, OURS, IS_OURS, 2, 0 },
  { IS_OURS, OURS, IS_OURS, 2, 0 },
  /* there is nothing */
  { NONE, END, NONE, 0, 0 },
  { COMING, END, NONE, 0, 0 },
  { THEIRS, END, NONE, 0, 0 },
  { LEAVING, END, NONE, 0, 0 },
  { LEFT, END, NONE, 0, 0 },
  { CLAIMED, END, NONE, 0, 0 },
  { IS_OURS, END, NONE, 0, 0 },
};

typedef struct
{
  ClipCurrentCopy copy;
  ClipBackend *display;
  GObject *capture;
  GObject *earlier;
} Scene;

static void
tell (Scene *self, Event event)
{
  g_autoptr (ClipOffer) offer = clip_offer_new (CLIP_SELECTION_CLIPBOARD, FALSE);
  g_autoptr (ClipOffer) kept = NULL;

  switch (event)
    {
    case BEGIN:
      clip_current_copy_begin (&self->copy, self->display);
      break;
    case RECEIVE:
      clip_current_copy_receive (&self->copy, self->display, offer, self->capture);
      break;
    case RECEIVED:
    case RECEIVED_PARTLY:
      clip_current_copy_received (&self->copy, self->capture, 1, event == RECEIVED,
                                  &kept);
      break;
    case RECEIVED_NOTHING:
      clip_current_copy_received (&self->copy, self->capture, 0, FALSE, &kept);
      break;
    case RECEIVED_OF_OTHER:
      g_assert_false (
          clip_current_copy_received (&self->copy, self->earlier, 3, TRUE, &kept));
      break;
    case OWNER_LEFT:
      clip_current_copy_owner_left (&self->copy, self->display);
      break;
    case CLAIM:
      clip_current_copy_claim (&self->copy);
      break;
    case CLAIM_FAILED:
      clip_current_copy_claim_failed (&self->copy);
      break;
    case RECLAIM:
      clip_current_copy_reclaim (&self->copy, self->display, 2);
      break;
    case OURS:
      clip_current_copy_ours (&self->copy, 2, self->display);
      break;
    case END:
      clip_current_copy_end (&self->copy);
      break;
    }
}

/* by the shortest way */
static void
enter (Scene *self, ClipCopyState state)
{
  static const Event ways[][5] = {
    [NONE] = { END },
    [COMING] = { BEGIN, RECEIVE, END },
    [THEIRS] = { BEGIN, RECEIVE, RECEIVED, END },
    [LEAVING] = { BEGIN, RECEIVE, OWNER_LEFT, END },
    [LEFT] = { BEGIN, RECEIVE, RECEIVED, OWNER_LEFT, END },
    [CLAIMED] = { RECLAIM, END },
    [IS_OURS] = { OURS, END },
  };

  for (guint i = 0; ways[state][i] != END; i++)
    tell (self, ways[state][i]);
  g_assert_cmpint (self->copy.state, ==, state);
}

static void
set_scene (Scene *self, HistoryFixture *fixture)
{
  clip_current_copy_init (&self->copy, fixture->store);
  self->display = CLIP_BACKEND (fixture->display);
  self->capture = g_object_new (G_TYPE_OBJECT, NULL);
  self->earlier = g_object_new (G_TYPE_OBJECT, NULL);
}

static void
clear_scene (Scene *self)
{
  clip_current_copy_clear (&self->copy);
  g_object_unref (self->capture);
  g_object_unref (self->earlier);
}

static void
test_transitions (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < G_N_ELEMENTS (transitions); i++)
    {
      const Transition *wanted = &transitions[i];
      Scene scene = { 0 };

      g_test_message ("state %d, event %d", wanted->from, wanted->event);
      set_scene (&scene, fixture);
      enter (&scene, wanted->from);
      tell (&scene, wanted->event);
      g_assert_cmpint (scene.copy.state, ==, wanted->to);
      g_assert_cmpint (clip_current_copy_id (&scene.copy), ==, wanted->id);
      g_assert_cmpint (clip_current_copy_offerable (&scene.copy), ==, wanted->offerable);
      clear_scene (&scene);
    }
}

/* where we offer it: what another display did goes with that alone */
static void
test_ours_is_where_we_offer_it (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ClipBackendFake *other = clip_backend_fake_new ();
  Scene scene = { 0 };

  set_scene (&scene, fixture);
  enter (&scene, THEIRS);
  clip_current_copy_ours (&scene.copy, 2, CLIP_BACKEND (other));
  g_assert_true (scene.copy.backend == CLIP_BACKEND (other));
  clear_scene (&scene);
  g_object_unref (other);
}

/* the copy before it, of the same text, came later, and was stored in the same moment */
static void
test_moved_before_it_is_told (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Scene scene = { 0 };

  set_scene (&scene, fixture);
  enter (&scene, COMING);
  g_signal_emit_by_name (fixture->store, "entry-moved", (gint64) 1, (gint64) 4);
  tell (&scene, RECEIVED);
  g_assert_cmpint (clip_current_copy_id (&scene.copy), ==, 4);
  clear_scene (&scene);
}

/* what a desktop offers of ours is theirs again where we cannot have it */
static void
test_failed_claim_of_theirs (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Scene scene = { 0 };

  set_scene (&scene, fixture);
  enter (&scene, THEIRS);
  tell (&scene, CLAIM);
  tell (&scene, CLAIM_FAILED);
  g_assert_cmpint (scene.copy.state, ==, THEIRS);
  g_assert_cmpint (clip_current_copy_id (&scene.copy), ==, 1);
  clear_scene (&scene);
}

/* a claim that another copy, or the end, makes moot is cancelled; one that comes true is
   not */
static void
test_claim_is_cancelled (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const Event moot[] = { BEGIN, END, OWNER_LEFT, CLAIM_FAILED };
  Scene scene = { 0 };
  g_autoptr (GCancellable) fulfilled = NULL;

  set_scene (&scene, fixture);
  for (guint i = 0; i < G_N_ELEMENTS (moot); i++)
    {
      g_autoptr (GCancellable) claim = NULL;

      enter (&scene, CLAIMED);
      claim = g_object_ref (scene.copy.claim);
      tell (&scene, moot[i]);
      g_assert_true (g_cancellable_is_cancelled (claim));
    }
  enter (&scene, CLAIMED);
  fulfilled = g_object_ref (scene.copy.claim);
  tell (&scene, OURS);
  g_assert_false (g_cancellable_is_cancelled (fulfilled));
  clear_scene (&scene);
}

/* what a desktop goes on offering counts where nothing else comes of the copy */
static void
test_kept_part (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const ClipCopyState not_ended[] = { LEAVING, LEFT, CLAIMED };
  g_autoptr (ClipOffer) kept = clip_offer_new (CLIP_SELECTION_CLIPBOARD, FALSE);
  g_autoptr (ClipOffer) out_kept = NULL;
  Scene scene = { 0 };

  set_scene (&scene, fixture);
  for (guint i = 0; i < G_N_ELEMENTS (not_ended); i++)
    {
      enter (&scene, not_ended[i]);
      g_assert_true (clip_current_copy_goes_on (&scene.copy, kept));
    }
  enter (&scene, IS_OURS);
  g_assert_false (clip_current_copy_goes_on (&scene.copy, kept));
  enter (&scene, LEAVING);
  g_assert_true (clip_current_copy_goes_on (&scene.copy, kept));
  g_assert_true (
      clip_current_copy_received (&scene.copy, scene.capture, 1, TRUE, &out_kept));
  g_assert_null (out_kept);
  for (gint64 id = 0; id <= 1; id++)
    {
      enter (&scene, LEAVING);
      g_assert_true (clip_current_copy_goes_on (&scene.copy, kept));
      g_assert_true (
          clip_current_copy_received (&scene.copy, scene.capture, id, FALSE, &out_kept));
      g_assert_true (out_kept == kept);
      g_clear_object (&out_kept);
    }
  clear_scene (&scene);
}

/* an entry has another id from when it is copied again, and none once it is deleted */
static void
test_id_is_followed (HistoryFixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  Scene scene = { 0 };
  const gint64 id = 2;

  clip_backend_fake_copy (fixture->display, "text/plain", "word", NULL);
  wait_until (fixture->n_added == 1);
  set_scene (&scene, fixture);
  enter (&scene, THEIRS);
  clip_backend_fake_copy (fixture->display, "text/plain", "word", NULL);
  wait_until (fixture->n_moved == 1);
  g_assert_cmpint (clip_current_copy_id (&scene.copy), ==, 2);
  clip_store_change_async (fixture->store, clip_change_delete (&id, 1), NULL, NULL);
  wait_until (clip_current_copy_id (&scene.copy) == 0);
  g_assert_cmpint (clip_current_copy_offerable (&scene.copy), ==, 0);
  g_assert_cmpint (scene.copy.state, ==, THEIRS);
  clear_scene (&scene);
}

#define ADD(path, function) \
  g_test_add ("/current-copy/" path, HistoryFixture, NULL, history_fixture_setup, \
              function, history_fixture_teardown)

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("each-event-in-each-state", test_transitions);
  ADD ("ours-is-where-we-offer-it", test_ours_is_where_we_offer_it);
  ADD ("what-we-cannot-claim-is-theirs-again", test_failed_claim_of_theirs);
  ADD ("moot-claim-is-cancelled", test_claim_is_cancelled);
  ADD ("kept-part-counts-where-nothing-else-comes", test_kept_part);
  ADD ("id-is-followed", test_id_is_followed);
  ADD ("id-that-moved-before-it-is-told-is-followed", test_moved_before_it_is_told);
  return g_test_run ();
}
