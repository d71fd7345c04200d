/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 *                          receive                received
 *     NONE  --------------------------> COMING --------------> THEIRS
 *      ^ ^                                |                      |
 *      | |                     owner left |           owner left | it is an entry
 *      | |                                v                      v
 *      | |    received, and no entry   LEAVING --------------> LEFT
 *      | +--------------------------------+  received            |
 *      |                                                   claim | a moment later
 *      |  claim failed                                           v
 *      +------------------------------------------------------ CLAIMED --------> OURS
 *                                                                         ours
 *
 * And from anywhere:
 *
 *     begin      -> NONE      another program offers something, and tells of it first
 *     receive    -> COMING    and that is received
 *     owner left -> NONE      where nothing is to be offered in its place
 *     reclaim    -> CLAIMED   what we owned before our restart
 *     ours       -> OURS      we own an entry: as we were asked, or as the display tells
 *     end        -> NONE      it was emptied, or the display has gone (forget)
 *
 * A desktop may offer a part of what we offered, in its own name: then what is THEIRS is
 * claimed, and is theirs again if that fails. What is left or claimed is no entry that
 * a program finds on the clipboard.
 */
#include "clip-current-copy.h"

/* @self: zeroed */
void
clip_current_copy_init (ClipCurrentCopy *self, ClipStore *store)
{
  self->ids = clip_entry_ids_new (store);
  self->told = g_ptr_array_new ();
}

/* what is to be done for another one is not done any more */
static void
leave_state (ClipCurrentCopy *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_cancellable_cancel (self->claim);
  g_clear_object (&self->claim);
}

static void
enter (ClipCurrentCopy *self, ClipCopyState state)
{
  leave_state (self);
  self->state = state;
  if (state != CLIP_COPY_COMING && state != CLIP_COPY_LEAVING)
    g_clear_object (&self->capture);
  if (state != CLIP_COPY_LEAVING)
    g_clear_object (&self->remnant);
  if (state == CLIP_COPY_NONE || state == CLIP_COPY_OURS || state == CLIP_COPY_LEAVING ||
      state == CLIP_COPY_LEFT)
    g_clear_object (&self->offer);
  if (!self->offer || state == CLIP_COPY_COMING)
    self->too_large = FALSE;
}

/* a copy before it, of the same text, may have been stored behind it before we hear of
 * it */
static void
set_entry (ClipCurrentCopy *self, gint64 id, gboolean is_whole)
{
  clip_entry_id_unref (self->entry);
  self->entry = clip_entry_ids_hold_moved (self->ids, id);
  self->is_whole = is_whole;
  g_clear_pointer (&self->types, g_strfreev);
}

/* nothing is there, as far as the displays that have told of it say */
void
clip_current_copy_end (ClipCurrentCopy *self)
{
  enter (self, CLIP_COPY_NONE);
  set_entry (self, 0, FALSE);
}

/* nothing is known of any display */
void
clip_current_copy_forget (ClipCurrentCopy *self)
{
  clip_current_copy_end (self);
  g_ptr_array_set_size (self->told, 0);
}

void
clip_current_copy_clear (ClipCurrentCopy *self)
{
  clip_current_copy_forget (self);
  g_clear_object (&self->backend);
  g_clear_object (&self->ids);
  g_clear_pointer (&self->told, g_ptr_array_unref);
}

/* the entry that is on the clipboard; 0 = none */
gint64
clip_current_copy_id (const ClipCurrentCopy *self)
{
  switch (self->state)
    {
    case CLIP_COPY_THEIRS:
    case CLIP_COPY_OURS:
      return clip_entry_id_get (self->entry);
    case CLIP_COPY_CLAIMED:
      return self->offer ? clip_entry_id_get (self->entry) : 0;
    case CLIP_COPY_NONE:
    case CLIP_COPY_COMING:
    case CLIP_COPY_LEAVING:
    case CLIP_COPY_LEFT:
      break;
    }
  return 0;
}

/* the entry that we may offer once its owner has gone; 0 = none */
gint64
clip_current_copy_offerable (const ClipCurrentCopy *self)
{
  const gboolean is_another_s =
      self->state == CLIP_COPY_THEIRS || self->state == CLIP_COPY_LEFT;

  return is_another_s ? clip_entry_id_get (self->entry) : 0;
}

gboolean
clip_current_copy_is_told_by (const ClipCurrentCopy *self, ClipBackend *backend)
{
  return g_ptr_array_find (self->told, backend, NULL);
}

/* another display tells of it, too */
void
clip_current_copy_tell (ClipCurrentCopy *self, ClipBackend *backend)
{
  if (!clip_current_copy_is_told_by (self, backend))
    g_ptr_array_add (self->told, backend);
}

/* that display has gone */
void
clip_current_copy_untell (ClipCurrentCopy *self, ClipBackend *backend)
{
  g_ptr_array_remove (self->told, backend);
}

/* @backend: (nullable): the display that it is on */
void
clip_current_copy_set_backend (ClipCurrentCopy *self, ClipBackend *backend)
{
  g_set_object (&self->backend, backend);
}

/* its owner wants it to outlive it */
void
clip_current_copy_set_saved (ClipCurrentCopy *self)
{
  self->is_saved = TRUE;
}

/* of what was received: we are to offer these alone in its place */
void
clip_current_copy_set_types (ClipCurrentCopy *self, const char *const *types)
{
  g_strfreev (self->types);
  self->types = g_strdupv ((char **) types);
}

/* by the settings, to be kept; as long as a program offers it */
void
clip_current_copy_set_too_large (ClipCurrentCopy *self)
{
  self->too_large = TRUE;
}

/* another program offers something new, which @backend tells of first */
void
clip_current_copy_begin (ClipCurrentCopy *self, ClipBackend *backend)
{
  clip_current_copy_forget (self);
  self->is_saved = FALSE;
  clip_current_copy_tell (self, backend);
}

/* @capture: receives @offer from now on */
void
clip_current_copy_receive (ClipCurrentCopy *self,
                           ClipBackend *backend,
                           ClipOffer *offer,
                           GObject *capture)
{
  enter (self, CLIP_COPY_COMING);
  set_entry (self, 0, FALSE);
  g_set_object (&self->backend, backend);
  g_set_object (&self->offer, offer);
  g_set_object (&self->capture, capture);
}

/**
 * clip_current_copy_received:
 * @id: of the entry that came of it; 0 = none
 * @is_whole: whether that has all of it
 * @out_remnant: (out) (transfer full) (nullable): what a desktop goes on offering of it,
 * where we have no more
 *
 * Returns: whether @capture was that of what is, or was last, on the clipboard
 */
gboolean
clip_current_copy_received (ClipCurrentCopy *self,
                            GObject *capture,
                            gint64 id,
                            gboolean is_whole,
                            ClipOffer **out_remnant)
{
  g_autoptr (ClipOffer) remnant = g_steal_pointer (&self->remnant);

  *out_remnant = NULL;
  if (self->capture != capture)
    {
      self->remnant = g_steal_pointer (&remnant);
      return FALSE;
    }
  set_entry (self, id, is_whole);
  if (self->state == CLIP_COPY_COMING)
    enter (self, CLIP_COPY_THEIRS);
  else if (id != 0 && (is_whole || !remnant))
    enter (self, CLIP_COPY_LEFT);
  else
    {
      clip_current_copy_end (self);
      *out_remnant = g_steal_pointer (&remnant);
    }
  return TRUE;
}

/**
 * clip_current_copy_owner_left:
 * @backend: the display that has told of that
 *
 * What is on its way in may still become an entry.
 */
void
clip_current_copy_owner_left (ClipCurrentCopy *self, ClipBackend *backend)
{
  const gint64 left = clip_current_copy_offerable (self);

  g_set_object (&self->backend, backend);
  if (self->state == CLIP_COPY_COMING)
    enter (self, CLIP_COPY_LEAVING);
  else if (left != 0)
    enter (self, CLIP_COPY_LEFT);
  else
    clip_current_copy_end (self);
}

/**
 * clip_current_copy_goes_on:
 * @remnant: what a desktop goes on offering of a copy whose owner has gone
 *
 * Returns: whether we are to offer all of that copy, or may be; what is to come of
 * @remnant if not is for clip_current_copy_received() to say
 */
gboolean
clip_current_copy_goes_on (ClipCurrentCopy *self, ClipOffer *remnant)
{
  if (self->state == CLIP_COPY_LEAVING)
    g_set_object (&self->remnant, remnant);
  return self->state == CLIP_COPY_LEAVING || self->state == CLIP_COPY_LEFT ||
         self->state == CLIP_COPY_CLAIMED;
}

/* what is left has another owner soon, often: @due is called unless something happens
   within @wait_ms */
void
clip_current_copy_await_owner (ClipCurrentCopy *self,
                               guint wait_ms,
                               GSourceOnceFunc due,
                               gpointer user_data)
{
  if (self->state == CLIP_COPY_LEFT && self->timer == 0)
    self->timer = g_timeout_add_once (wait_ms, due, user_data);
}

/* Returns: (transfer none): cancelled when it is not to be ours after all */
GCancellable *
clip_current_copy_claim (ClipCurrentCopy *self)
{
  enter (self, CLIP_COPY_CLAIMED);
  self->claim = g_cancellable_new ();
  return self->claim;
}

/* @id: what we owned before our restart. Returns: as clip_current_copy_claim() */
GCancellable *
clip_current_copy_reclaim (ClipCurrentCopy *self, ClipBackend *backend, gint64 id)
{
  g_clear_object (&self->offer);
  g_set_object (&self->backend, backend);
  set_entry (self, id, TRUE);
  return clip_current_copy_claim (self);
}

/* of another claim than the present one nothing follows */
void
clip_current_copy_claim_failed (ClipCurrentCopy *self)
{
  if (self->state != CLIP_COPY_CLAIMED)
    return;
  if (self->offer)
    enter (self, CLIP_COPY_THEIRS);
  else
    clip_current_copy_end (self);
}

/* @id: of the entry that we offer; 0 = of none any more; @backend: (nullable): the
 * display that tells of that first */
void
clip_current_copy_ours (ClipCurrentCopy *self, gint64 id, ClipBackend *backend)
{
  g_clear_object (&self->claim); /* it has come true */
  enter (self, CLIP_COPY_OURS);
  set_entry (self, id, FALSE);
  if (!backend)
    return;
  g_set_object (&self->backend, backend);
  g_ptr_array_set_size (self->told, 0);
  clip_current_copy_tell (self, backend);
}
