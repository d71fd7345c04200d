/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An owner goes before all of its copy has been handed to the store where it serves one paste only, since
 * that paste is ours: what comes of it then is the user's all the same.
 */
#include "clip-owner-exit.h"

/* an owner that goes is followed at once by the next one, often: wait before that */
#define DUE_AFTER_MS 100
/* and longer where it was too early: another copy came so soon after */
#define MAX_DUE_AFTER_MS 1000
#define EARLY_US G_USEC_PER_SEC
/* so long after a copy the next one has nothing to do with it */
#define ROW_US (2 * G_USEC_PER_SEC)

/* somebody else is about to own the clipboard, on our behalf */
void
clip_owner_exit_make_way (ClipOwnerExit *self)
{
  g_cancellable_cancel (self->owning);
  g_clear_object (&self->owning);
}

/**
 * clip_owner_exit_end:
 *
 * There is nothing, and what was left before is not ours to offer any more. Where it was stays known.
 */
void
clip_owner_exit_end (ClipOwnerExit *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  clip_owner_exit_make_way (self);
  g_clear_object (&self->coming);
  g_clear_object (&self->kept);
  self->id = 0;
}

/* its entry has another id now; 0 = it was deleted */
void
clip_owner_exit_move (ClipOwnerExit *self, gint64 old_id, gint64 new_id)
{
  if (self->id == old_id)
    self->id = new_id;
}

/* whether its owner has gone, and we are to offer it */
gboolean
clip_owner_exit_is_due (const ClipOwnerExit *self)
{
  return self->timer != 0 || self->coming;
}

/**
 * clip_owner_exit_leave:
 * @id: the entry; 0 = none
 * @coming: (nullable): the capture that is under way
 * @due: called in a moment, unless clip_owner_exit_end() is; only where there is something
 *
 * The owner has gone.
 */
void
clip_owner_exit_leave (ClipOwnerExit *self,
                       gint64 id,
                       ClipCapture *coming,
                       GSourceOnceFunc due,
                       gpointer user_data)
{
  self->id = id;
  g_set_object (&self->coming, coming);
  if (id != 0)
    self->timer = g_timeout_add_once (MAX (self->wait_ms, DUE_AFTER_MS), due, user_data);
}

/**
 * clip_owner_exit_copied:
 * @now_us: monotonic time
 *
 * Somebody has copied. A program that does so again and again, and is gone after each of its copies, is left
 * alone from the second or third one on: a compositor cannot keep us from taking the place of a copy
 * that is made in the same moment.
 */
void
clip_owner_exit_copied (ClipOwnerExit *self, gint64 now_us)
{
  if (now_us - self->copied_us > ROW_US)
    self->wait_ms = 0;
  else if (self->owned_us > self->copied_us && now_us - self->owned_us < EARLY_US)
    self->wait_ms = MIN (4 * MAX (self->wait_ms, DUE_AFTER_MS), MAX_DUE_AFTER_MS);
  self->copied_us = now_us;
}

/**
 * clip_owner_exit_has_more:
 * @kept: what a desktop goes on offering of a copy whose owner has gone
 *
 * Returns: whether we are to offer all of that copy, or may be; what is to come of @kept if not is
 * for clip_owner_exit_came() to say
 */
gboolean
clip_owner_exit_has_more (ClipOwnerExit *self, ClipOffer *kept)
{
  if (self->coming)
    g_set_object (&self->kept, kept);
  return clip_owner_exit_is_due (self) || self->owning;
}

/**
 * clip_owner_exit_came:
 * @captured: what has become of @capture
 * @due: as clip_owner_exit_leave()
 *
 * Tells of every capture that is not that of what is on the clipboard now.
 *
 * Returns: (transfer full) (nullable): what a desktop has kept of it, where that is all there is
 */
ClipOffer *
clip_owner_exit_came (ClipOwnerExit *self,
                      ClipCapture *capture,
                      const ClipCaptured *captured,
                      GSourceOnceFunc due,
                      gpointer user_data)
{
  g_autoptr (ClipOffer) kept = NULL;

  if (self->coming != capture)
    return NULL;
  kept = g_steal_pointer (&self->kept);
  clip_owner_exit_leave (self, captured->whole ? captured->added.id : 0, NULL, due,
                         user_data);
  /* the mark of a secret is not kept with it, nor whose it was */
  if (captured->whole || clip_drop_is_private (captured->drop))
    return NULL;
  return g_steal_pointer (&kept);
}

/**
 * clip_owner_exit_take:
 * @out_owning: (transfer none): cancelled when it shall not be offered after all
 *
 * Returns: the entry, which we are about to own
 */
gint64
clip_owner_exit_take (ClipOwnerExit *self, GCancellable **out_owning)
{
  gint64 id = self->id;

  self->timer = 0;
  self->id = 0;
  g_clear_object (&self->owning);
  *out_owning = self->owning = g_cancellable_new ();
  return id;
}

/* we own it, or cannot; @now_us: monotonic time */
void
clip_owner_exit_taken (ClipOwnerExit *self, gint64 now_us)
{
  self->owned_us = now_us;
  g_clear_object (&self->owning);
}
