/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What happens to the clipboard, and what follows from it. What is there is a
 * ClipCurrentCopy; whether that is a secret, a ClipPrivacy.
 *
 *   a program copies  -> capture it (clip-capture), unless it is ours, an echo, ignored,
 *                        or paused
 *   its owner goes    -> a moment later own what came of it, if that is an entry
 *   a caller selects  -> own that entry
 *   we were restarted -> own what was ours, if no program owns the clipboard
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-clipboard.h"

#include "clip-current-copy.h"
#include "clip-echo-filter.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-reclaim-wait.h"
#include "clip-reclaim.h"
#include "clip-save-targets.h"

struct _ClipClipboard
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipLongTransfers *long_transfers;
  ClipPause *pause; /* borrowed */
  ClipSettings *settings;
  ClipIgnore *ignore;
  GPtrArray *displays; /* borrowed */
  gboolean is_used;    /* something was copied since the one that mirrors is watched */
  GCancellable *stopping;

  GPtrArray *coming; /* of ClipCapture: all that have not ended */
  ClipCurrentCopy copy;
  gint64 announced; /* its id, as "changed" told it */
  ClipPrivacy *privacy;
  ClipEchoFilter *echo_filter;
  ClipSelectionOwner *owner;
  ClipReclaimWait reclaim_wait;
  ClipReclaim *reclaim;
  ClipSaveTargets *save_targets;
};

enum
{
  CHANGED,
  SETTLED,
  DROPPED,
  TROUBLE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipClipboard, clip_clipboard, G_TYPE_OBJECT)

static void
clip_clipboard_dispose (GObject *object)
{
  ClipClipboard *self = CLIP_CLIPBOARD (object);

  if (self->store)
    {
      clip_clipboard_close (self);
      clip_current_copy_clear (&self->copy);
    }
  g_clear_object (&self->store);
  g_clear_object (&self->stopping);
  g_clear_object (&self->reclaim);
  g_clear_pointer (&self->settings, clip_settings_free);
  g_clear_pointer (&self->ignore, clip_ignore_unref);
  g_clear_pointer (&self->privacy, clip_privacy_free);
  g_clear_pointer (&self->echo_filter, clip_echo_filter_free);
  g_clear_pointer (&self->displays, g_ptr_array_unref);
  g_clear_pointer (&self->coming, g_ptr_array_unref);
  g_clear_pointer (&self->save_targets, clip_save_targets_free);
  G_OBJECT_CLASS (clip_clipboard_parent_class)->dispose (object);
}

static void
clip_clipboard_class_init (ClipClipboardClass *klass)
{
  GType type = CLIP_TYPE_CLIPBOARD;
  GSignalFlags last = G_SIGNAL_RUN_LAST;

  G_OBJECT_CLASS (klass)->dispose = clip_clipboard_dispose;
  signals[CHANGED] =
      g_signal_new ("changed", type, last, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SETTLED] =
      g_signal_new ("settled", type, last, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DROPPED] = g_signal_new ("dropped", type, last, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_INT);
  signals[TROUBLE] = g_signal_new ("trouble", type, last, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
clip_clipboard_init (ClipClipboard *self)
{
  self->echo_filter = clip_echo_filter_new ();
  self->displays = g_ptr_array_new ();
  self->coming = g_ptr_array_new_with_free_func (g_object_unref);
  self->stopping = g_cancellable_new ();
}

/* the end of each event: all is as it is to be, and may be told */
static void
announce (ClipClipboard *self)
{
  const gint64 id = clip_current_copy_id (&self->copy);
  const gboolean has_changed = self->announced != id;

  clip_save_targets_look (self->save_targets);
  self->announced = id;
  if (has_changed)
    g_signal_emit (self, signals[CHANGED], 0);
  if (!clip_clipboard_is_receiving (self))
    g_signal_emit (self, signals[SETTLED], 0);
}

static void
report_drop (ClipClipboard *self, ClipDrop drop)
{
  g_signal_emit (self, signals[DROPPED], 0, (int) drop);
}

static void
report_trouble (ClipClipboard *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_warning ("copy lost: %s", error->message);
  g_signal_emit (self, signals[TROUBLE], 0, error);
}

/* --- we take the place of its owner --- */

static void
on_filled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipClipboard) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean is_owned =
      clip_selection_owner_own_finish (CLIP_SELECTION_OWNER (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* another one may be on its way */
  if (error)
    g_info ("the clipboard stays empty: %s", error->message);
  if (!is_owned)
    clip_current_copy_claim_failed (&self->copy);
  else if (self->copy.state == CLIP_COPY_CLAIMED)
    clip_current_copy_ours (&self->copy, clip_selection_owner_id (self->owner), NULL);
  announce (self);
}

static void
fill (ClipClipboard *self, const char *const *types, GCancellable *claim)
{
  clip_selection_owner_own_async (self->owner, self->copy.backend,
                                  clip_entry_id_get (self->copy.entry), CLIP_OWN_FILL,
                                  types, claim, on_filled, g_object_ref (self));
}

/* It is put back on the display that carries it over to the other, also where that has
 * not heard yet that its owner is gone: the bridge to it may be shut. */
static void
prefer_mirror (ClipClipboard *self)
{
  for (guint i = 0; i < self->displays->len; i++)
    {
      ClipBackend *display = g_ptr_array_index (self->displays, i);

      if (clip_backend_mirrors (display) &&
          clip_current_copy_is_told_by (&self->copy, display))
        clip_current_copy_set_backend (&self->copy, display);
    }
}

/* with what was copied, and nothing that another copy of the same text has given its
 * entry */
static void
on_left_for_a_moment (gpointer user_data)
{
  ClipClipboard *self = user_data;

  prefer_mirror (self);
  fill (self, (const char *const *) self->copy.types,
        clip_current_copy_claim (&self->copy));
}

static void
await_next_owner (ClipClipboard *self)
{
  clip_current_copy_await_owner (&self->copy, clip_reclaim_wait_ms (&self->reclaim_wait),
                                 on_left_for_a_moment, self);
}

/* it was ours before our restart, and has no owner now */
static void
on_reclaim (ClipClipboard *self, gint64 id, ClipBackend *backend)
{
  fill (self, clip_reclaim_types (self->reclaim),
        clip_current_copy_reclaim (&self->copy, backend, id));
}

/* --- a program copies --- */

static void consider (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend);

/* what a desktop has kept of ours is ours again */
static void
reclaim_lapsed (ClipClipboard *self, gint64 id)
{
  if (id != 0 && self->copy.state == CLIP_COPY_THEIRS &&
      id == clip_selection_owner_lapsed (self->owner))
    fill (self, clip_selection_owner_types (self->owner),
          clip_current_copy_claim (&self->copy));
}

/* What was copied before it, and has come after it, lies above it. @id: of that; 0 =
 * nothing was kept of it */
static void
raise_current (ClipClipboard *self, gint64 id)
{
  const gint64 current = clip_current_copy_id (&self->copy);

  if (self->copy.state == CLIP_COPY_THEIRS && current != 0 && current < id)
    clip_store_change_async (self->store, clip_change_raise (current), NULL, NULL);
}

static void
on_captured (ClipCapture *capture,
             const ClipCaptured *captured,
             const GError *error,
             gpointer user_data)
{
  g_autoptr (ClipClipboard) self = user_data;
  g_autoptr (ClipOffer) remnant = NULL;
  const gboolean is_current =
      self->copy.state == CLIP_COPY_COMING && self->copy.capture == G_OBJECT (capture);

  g_ptr_array_remove (self->coming, capture);
  clip_privacy_captured (self->privacy, capture, captured, is_current, error != NULL);
  if (clip_current_copy_received (&self->copy, G_OBJECT (capture), captured->added.id,
                                  captured->whole, &remnant))
    {
      if (is_current && captured->drop == CLIP_DROP_TOO_LARGE)
        clip_current_copy_set_too_large (&self->copy);
      clip_current_copy_set_types (&self->copy, captured->types);
      reclaim_lapsed (self, clip_entry_id_get (self->copy.entry));
      await_next_owner (self);
    }
  else
    raise_current (self, captured->added.id);
  /* the mark of a secret is not kept with it, nor whose it was */
  if (remnant && !clip_drop_is_private (captured->drop))
    consider (self, remnant, self->copy.backend);
  announce (self);
  if (error)
    report_trouble (self, error);
  if (captured->drop != CLIP_DROP_NONE)
    report_drop (self, captured->drop);
}

static void
on_no_secret (ClipCapture *capture, ClipClipboard *self)
{
  clip_privacy_denied (self->privacy, capture);
}

/* the display that the bridge may have carried this copy from; there are two at most */
static ClipBackend *
other_display (ClipClipboard *self, ClipBackend *backend)
{
  for (guint i = 0; i < self->displays->len; i++)
    if (g_ptr_array_index (self->displays, i) != backend)
      return g_ptr_array_index (self->displays, i);
  return NULL;
}

static void
begin_capture (ClipClipboard *self,
               ClipBackend *backend,
               ClipOffer *offer,
               const ClipSettings *settings)
{
  const ClipCaptureTerms terms = { self->store,
                                   self->transfers,
                                   settings,
                                   self->ignore,
                                   clip_privacy_fingerprints (self->privacy),
                                   self->long_transfers };
  g_autoptr (ClipCapture) capture = clip_capture_new (backend, offer, &terms);

  g_signal_connect_object (capture, "no-secret", G_CALLBACK (on_no_secret), self, 0);
  clip_current_copy_receive (&self->copy, backend, offer, G_OBJECT (capture));
  clip_capture_join (capture, self->coming);
  clip_capture_run (capture, self->stopping, on_captured, g_object_ref (self));
  clip_privacy_watch (self->privacy, capture, offer, backend,
                      other_display (self, backend));
}

/* whether a copy that was too large is still there to be kept all the same */
gboolean
clip_clipboard_may_keep_refused (ClipClipboard *self)
{
  return self->copy.too_large && clip_pause_until (self->pause) == 0;
}

/* keeps it, whatever its size. Returns: whether there was one */
gboolean
clip_clipboard_keep_refused (ClipClipboard *self)
{
  g_autoptr (ClipSettings) settings = clip_settings_copy (self->settings);
  g_autoptr (ClipOffer) offer = NULL;

  if (!clip_clipboard_may_keep_refused (self))
    return FALSE;
  offer = g_object_ref (self->copy.offer);
  clip_settings_set (settings, CLIP_SETTING_MAX_STORE_SIZE, "0", CLIP_FROM_FLAG, NULL);
  begin_capture (self, self->copy.backend, offer, settings);
  return TRUE;
}

/* what is being received is there no longer: it is finished, and nothing further is asked
   for */
static void
replace_capture (ClipClipboard *self)
{
  if (self->copy.state == CLIP_COPY_COMING)
    clip_capture_set_replaced (CLIP_CAPTURE (self->copy.capture));
}

static void
forget_clipboard (ClipClipboard *self)
{
  replace_capture (self);
  clip_current_copy_forget (&self->copy);
}

/* What was there when we began. One that still says that it may be a secret is read
 * again, to be known where it comes back without its mark. Another one may have lost it
 * while we were kept from watching. */
static ClipDrop
noted_of (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  const gboolean was_unwatched = clip_backend_was_unwatched (backend);
  const ClipDrop why =
      was_unwatched ? CLIP_DROP_SECRET : clip_privacy_noted (self->privacy);

  if (why == CLIP_DROP_SECRET && clip_offer_secrecy (offer) != CLIP_SECRECY_NONE)
    return CLIP_DROP_NONE;
  if (was_unwatched)
    g_message ("what is found on the clipboard is not kept: the display was lost again "
               "and again, and it may be a secret that was copied meanwhile");
  return why;
}

/* why it is not even looked at */
static ClipDrop
refusal_of (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  if (clip_ignore_app (self->ignore, clip_offer_app (offer)))
    {
      clip_privacy_ignored (self->privacy, backend, offer);
      return CLIP_DROP_IGNORED;
    }
  if (clip_pause_until (self->pause) != 0)
    return CLIP_DROP_PAUSED;
  return clip_offer_is_initial (offer) ? noted_of (self, offer, backend) : CLIP_DROP_NONE;
}

/* What has not ended may be a secret that is copied now on @backend, too, or have been
 * answered with it: the newest on the same display, where that mirrors, and all on
 * another. @earlier: (nullable): the newest */
static void
abandon_what_may_be_it (ClipClipboard *self, ClipBackend *backend, ClipCapture *earlier)
{
  /* one that ends at once leaves them */
  g_autoptr (GPtrArray) coming = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->coming->len; i++)
    g_ptr_array_add (coming, g_object_ref (self->coming->pdata[i]));
  for (guint i = 0; i < coming->len; i++)
    if ((clip_backend_mirrors (backend) && coming->pdata[i] == earlier) ||
        clip_capture_backend (coming->pdata[i]) != backend)
      clip_capture_abandon (coming->pdata[i], CLIP_DROP_NONE);
}

/* @drop: why it is not looked at, as far as is known */
static void
take_in (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend, ClipDrop drop)
{
  g_autoptr (ClipCapture) earlier = self->copy.state == CLIP_COPY_COMING
                                        ? CLIP_CAPTURE (g_object_ref (self->copy.capture))
                                        : NULL;

  clip_reclaim_wait_copied (&self->reclaim_wait, g_get_monotonic_time ());
  if (!clip_offer_is_remnant (offer))
    clip_selection_owner_forget (self->owner);
  replace_capture (self);
  clip_current_copy_begin (&self->copy, backend);
  clip_reclaim_set_owned (self->reclaim, 0, NULL);
  clip_privacy_copied (self->privacy, offer);
  if (*clip_offer_mimes (offer))
    {
      if (clip_privacy_holds_one (self->privacy))
        abandon_what_may_be_it (self, backend, earlier);
      if (drop == CLIP_DROP_NONE)
        drop = refusal_of (self, offer, backend);
      clip_privacy_refused (self->privacy, offer, drop);
      if (drop == CLIP_DROP_NONE)
        begin_capture (self, backend, offer, self->settings);
    }
  announce (self);
  if (drop != CLIP_DROP_NONE)
    report_drop (self, drop);
}

/* what we offer is there now */
static void
on_own (ClipClipboard *self, ClipBackend *backend)
{
  const gint64 id = clip_selection_owner_id (self->owner);

  replace_capture (self);
  clip_current_copy_ours (&self->copy, id, backend);
  clip_privacy_ours (self->privacy);
  clip_reclaim_set_owned (self->reclaim, id, clip_selection_owner_types (self->owner));
  announce (self);
}

/* The display that the program is on may know what the bridge to the other one has
 * dropped: that it is a secret, or whose it is. Then it is taken from there, also where
 * the copy that it seemed to be has ended: it is the next one then, of which the bridge
 * has still to tell. */
static void
on_echo (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  clip_current_copy_tell (&self->copy, backend);
  if (clip_offer_secrecy (offer) == CLIP_SECRECY_NONE &&
      !clip_ignore_app (self->ignore, clip_offer_app (offer)))
    return;
  if (self->copy.state == CLIP_COPY_COMING)
    {
      g_autoptr (ClipCapture) bridged = CLIP_CAPTURE (g_object_ref (self->copy.capture));

      clip_capture_abandon (bridged, CLIP_DROP_NONE);
    }
  take_in (self, offer, backend, CLIP_DROP_NONE);
}

/* what a desktop goes on offering of a copy that we offer, or are about to, with all it
   had */
static gboolean
is_left_over (ClipClipboard *self, ClipOffer *offer)
{
  return clip_offer_is_remnant (offer) &&
         (clip_selection_owner_id (self->owner) != 0 ||
          clip_current_copy_goes_on (&self->copy, offer));
}

/* What a program offers, or a desktop in its name. A secret that is back is a copy that
 * is dropped, unless it is held already. */
static void
consider (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  const char *const *mimes = clip_offer_mimes (offer);
  const gboolean is_held = clip_privacy_holds_one (self->privacy);

  if (clip_privacy_suspects (self->privacy, offer, backend))
    {
      if (!is_held)
        take_in (self, offer, backend, CLIP_DROP_SECRET);
      return;
    }
  if (is_left_over (self, offer))
    return;
  if (clip_echo_filter_is_echo (self->echo_filter, backend, mimes,
                                g_get_monotonic_time ()))
    on_echo (self, offer, backend);
  else if (clip_offer_secrecy (offer) != CLIP_SECRECY_NONE ||
           !clip_mime_is_reassertion (mimes))
    take_in (self, offer, backend, CLIP_DROP_NONE);
}

/* What programs of the other display copied before we watched: the one that mirrors holds
 * it, too, or something newer; or nothing, as that owner has gone. It may have been
 * deleted since, or copied in a pause: the note speaks of the newest copy alone. */
static gboolean
is_older (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  return clip_offer_is_initial (offer) && !clip_backend_mirrors (backend) &&
         self->displays->len > 1 && !self->is_used &&
         clip_offer_secrecy (offer) == CLIP_SECRECY_NONE &&
         !clip_offer_is_silent (offer) &&
         !clip_ignore_app (self->ignore, clip_offer_app (offer));
}

/* A program that takes over each copy may offer our token with all that it took of us: a
 * copy as any other, which a deletion has to know of. */
static gboolean
is_ours (ClipClipboard *self, ClipOffer *offer)
{
  return clip_offer_is_own (offer) && clip_selection_owner_id (self->owner) != 0;
}

static void
on_offered (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  if (clip_offer_selection (offer) != CLIP_SELECTION_CLIPBOARD)
    return;
  g_debug ("%s offers %u types; dropped are %u", clip_backend_name (backend),
           g_strv_length ((char **) clip_offer_mimes (offer)),
           clip_offer_n_dropped (offer));
  if (clip_offer_is_bridged (offer) && self->displays->len > 1)
    {
      clip_privacy_carried (self->privacy);
      return;
    }
  if (is_older (self, offer, backend))
    return;
  self->is_used |= clip_backend_mirrors (backend) && !clip_offer_is_initial (offer);
  if (is_ours (self, offer))
    on_own (self, backend);
  else
    consider (self, offer, backend);
}

/* What it had in mind is not known, and so not whether it was to be kept. */
static void
on_stalled (ClipClipboard *self, int selection, ClipBackend *backend G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  if (selection != CLIP_SELECTION_CLIPBOARD || clip_pause_until (self->pause) != 0)
    return;
  g_set_error (&error, CLIP_ERROR, CLIP_ERROR_STALLED,
               "its owner does not say what it is");
  report_trouble (self, error);
}

/* --- its owner goes --- */

/* we do not own it yet */
static gboolean
is_leaving (ClipClipboard *self)
{
  return self->copy.state == CLIP_COPY_LEFT || self->copy.state == CLIP_COPY_LEAVING ||
         (self->copy.state == CLIP_COPY_CLAIMED && !self->copy.offer);
}

/* A display clears what the bridge has put there when the other one is cleared; the first
 * of them to tell ends the copy. */
static void
on_cleared (ClipClipboard *self, int selection, ClipBackend *backend)
{
  if (selection != CLIP_SELECTION_CLIPBOARD ||
      !clip_current_copy_is_told_by (&self->copy, backend) || is_leaving (self))
    return;
  clip_privacy_cleared (self->privacy);
  clip_reclaim_set_owned (self->reclaim, 0, NULL);
  replace_capture (self);
  if (clip_policy_may_persist (self->settings))
    clip_current_copy_owner_left (&self->copy, backend);
  else
    clip_current_copy_end (&self->copy);
  await_next_owner (self);
  announce (self);
}

/* Who clears it wants it to be empty. A program that has asked us to save what it has may
 * do so as it ends. */
static void
on_emptied (ClipClipboard *self, int selection, ClipBackend *backend)
{
  if (selection != CLIP_SELECTION_CLIPBOARD || self->copy.is_saved ||
      !clip_current_copy_is_told_by (&self->copy, backend))
    return;
  clip_privacy_cleared (self->privacy);
  clip_reclaim_set_owned (self->reclaim, 0, NULL);
  forget_clipboard (self);
  announce (self);
}

/* --- its owner is about to go --- */

/* it waits until all of it is kept; from then on we follow it as we follow any other */
static void
on_save (ClipClipboard *self, ClipRequest *request, ClipBackend *backend)
{
  clip_current_copy_set_saved (&self->copy);
  clip_save_targets_add (self->save_targets, backend, request);
}

static ClipSaved
is_saved (gpointer user_data)
{
  const ClipClipboard *self = user_data;

  if (self->copy.state == CLIP_COPY_COMING)
    return CLIP_SAVED_NOT_YET;
  return clip_current_copy_offerable (&self->copy) != 0 && self->copy.is_whole &&
                 clip_policy_may_persist (self->settings)
             ? CLIP_SAVED
             : CLIP_SAVED_NEVER;
}

/* --- a caller selects --- */

static void
on_owned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ClipClipboard *self = g_task_get_source_object (task);
  GError *error = NULL;
  gint64 id;

  if (!clip_selection_owner_own_finish (CLIP_SELECTION_OWNER (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  id = clip_selection_owner_id (CLIP_SELECTION_OWNER (source));
  /* of what comes meanwhile the display says whether it was before or after */
  if (id != 0 && self->copy.state != CLIP_COPY_COMING)
    {
      clip_current_copy_ours (&self->copy, id, NULL);
      announce (self);
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * clip_clipboard_own_async:
 * @id: of the entry
 *
 * Makes us the owner of the clipboard of @backend, with every type that the entry holds
 * and @mode offers.
 *
 * Errors: as clip_selection_owner_own_async().
 */
void
clip_clipboard_own_async (ClipClipboard *self,
                          ClipBackend *backend,
                          gint64 id,
                          ClipOwnMode mode,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_clipboard_own_async);
  clip_current_copy_claim_failed (&self->copy); /* it makes way */
  clip_selection_owner_own_async (self->owner, backend, id, mode, NULL, NULL, on_owned,
                                  task);
}

gboolean
clip_clipboard_own_finish (ClipClipboard *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/**
 * clip_clipboard_empty:
 *
 * Nothing is on the clipboard from then on, and nothing is put there in its place.
 *
 * Errors: as clip_backend_own().
 */
gboolean
clip_clipboard_empty (ClipClipboard *self, ClipBackend *backend, GError **error)
{
  if (!clip_selection_owner_empty (self->owner, backend, error))
    return FALSE;
  replace_capture (self);
  clip_current_copy_end (&self->copy);
  clip_reclaim_set_owned (self->reclaim, 0, NULL);
  announce (self);
  return TRUE;
}

/* --- the object --- */

/* What was there when we began was copied before that: it may be what goes now, of an
 * owner that has not answered yet (clip-first-look waits for a moment). */
static void
on_entries_removed (ClipClipboard *self)
{
  if (self->copy.state != CLIP_COPY_COMING || !clip_offer_is_initial (self->copy.offer))
    return;
  clip_capture_abandon (CLIP_CAPTURE (self->copy.capture), CLIP_DROP_DELETED);
}

/* an entry that is copied again, or deleted, while the clipboard holds it */
static void
on_id_changed (ClipClipboard *self, gint64 old_id, gint64 new_id)
{
  if (new_id == 0 && old_id == self->announced)
    clip_privacy_deleted (self->privacy);
  announce (self);
}

/**
 * clip_clipboard_new:
 * @transfers: outlives the object, as do @long_transfers and @pause
 *
 * Before it watches anything it wants to know the settings.
 */
ClipClipboard *
clip_clipboard_new (ClipStore *store,
                    ClipTransfers *transfers,
                    ClipLongTransfers *long_transfers,
                    ClipPause *pause)
{
  ClipClipboard *self = g_object_new (CLIP_TYPE_CLIPBOARD, NULL);

  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->long_transfers = long_transfers;
  self->pause = pause;
  clip_current_copy_init (&self->copy, store);
  self->privacy = clip_privacy_new (store);
  self->save_targets = clip_save_targets_new (is_saved, self);
  self->owner = clip_selection_owner_new (store, self->copy.ids, transfers,
                                          long_transfers, CLIP_SELECTION_CLIPBOARD);
  self->reclaim = clip_reclaim_new (store, self->copy.ids);
  g_signal_connect_object (self->reclaim, "reclaim", G_CALLBACK (on_reclaim), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->copy.ids, "changed", G_CALLBACK (on_id_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "entries-removed", G_CALLBACK (on_entries_removed),
                           self, G_CONNECT_SWAPPED);
  return self;
}

/* stops captures, and gives up what we own */
void
clip_clipboard_close (ClipClipboard *self)
{
  g_cancellable_cancel (self->stopping);
  forget_clipboard (self);
  announce (self);
  g_ptr_array_set_size (self->displays, 0);
  clip_current_copy_set_backend (&self->copy, NULL);
  clip_reclaim_stop (self->reclaim);
  g_clear_object (&self->owner);
}

/* @settings: copied */
void
clip_clipboard_set_settings (ClipClipboard *self, const ClipSettings *settings)
{
  clip_settings_free (self->settings);
  self->settings = clip_settings_copy (settings);
  clip_ignore_unref (self->ignore);
  self->ignore = clip_ignore_new (settings);
  if (is_leaving (self) && !clip_policy_may_persist (settings))
    clip_current_copy_end (&self->copy);
}

/* @backend: borrowed until clip_clipboard_unwatch() */
void
clip_clipboard_watch (ClipClipboard *self, ClipBackend *backend)
{
  g_ptr_array_add (self->displays, backend);
  g_signal_connect_object (backend, "offered", G_CALLBACK (on_offered), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "stalled", G_CALLBACK (on_stalled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "emptied", G_CALLBACK (on_emptied), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "cleared", G_CALLBACK (on_cleared), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "save", G_CALLBACK (on_save), self,
                           G_CONNECT_SWAPPED);
  clip_reclaim_look (self->reclaim, backend);
}

/* the display has gone, and what was copied there */
void
clip_clipboard_unwatch (ClipClipboard *self, ClipBackend *backend)
{
  g_signal_handlers_disconnect_by_data (backend, self);
  clip_echo_filter_forget (self->echo_filter, backend);
  g_ptr_array_remove (self->displays, backend);
  clip_current_copy_untell (&self->copy, backend);
  if (clip_backend_mirrors (backend))
    self->is_used = FALSE;
  if (backend != self->copy.backend)
    return;
  forget_clipboard (self);
  announce (self);
}

/* whether what it holds, or held last, is on its way in: "settled" follows */
gboolean
clip_clipboard_is_receiving (ClipClipboard *self)
{
  return self->copy.state == CLIP_COPY_COMING || self->copy.state == CLIP_COPY_LEAVING;
}

/* the entry that the clipboard holds; 0 where it is none of them */
gint64
clip_clipboard_current (ClipClipboard *self)
{
  return clip_current_copy_id (&self->copy);
}

/* borrowed: who follows the entries that are held on to */
ClipEntryIds *
clip_clipboard_ids (ClipClipboard *self)
{
  return self->copy.ids;
}

/* borrowed; the same as long as we are there */
ClipPrivacy *
clip_clipboard_privacy (ClipClipboard *self)
{
  return self->privacy;
}

/* borrowed, until the settings change */
ClipIgnore *
clip_clipboard_ignore (ClipClipboard *self)
{
  return self->ignore;
}
