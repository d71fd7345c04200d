/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What happens to the clipboard, and what follows from it:
 *
 *   somebody copies   -> capture it (clip-capture), unless it is ours, an echo, ignored, or paused
 *   the owner goes    -> a moment later own what it left, if it was whole and no secret
 *   a caller selects  -> own that entry (clip-clipboard-own)
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-clipboard-private.h"

#include "clip-mime.h"
#include "clip-presence.h"

enum
{
  CHANGED,
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

  clip_clipboard_close (self);
  g_clear_object (&self->store);
  g_clear_object (&self->stopping);
  g_clear_object (&self->doubt);
  g_clear_object (&self->reclaim);
  g_clear_pointer (&self->settings, clip_settings_free);
  g_clear_pointer (&self->ignore, clip_ignore_unref);
  g_clear_pointer (&self->secrets, clip_secrets_unref);
  g_clear_pointer (&self->echo_filter, clip_echo_filter_free);
  g_clear_pointer (&self->displays, g_ptr_array_unref);
  g_clear_pointer (&self->heard_on, g_ptr_array_unref);
  g_clear_pointer (&self->save_targets, clip_save_targets_free);
  g_clear_pointer (&self->drop_note, clip_drop_note_free);
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
  signals[DROPPED] = g_signal_new ("dropped", type, last, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_INT);
  signals[TROUBLE] = g_signal_new ("trouble", type, last, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
clip_clipboard_init (ClipClipboard *self)
{
  self->echo_filter = clip_echo_filter_new ();
  self->doubt = clip_doubt_new ();
  self->displays = g_ptr_array_new ();
  self->heard_on = g_ptr_array_new ();
  self->secrets = clip_secrets_new ();
  self->stopping = g_cancellable_new ();
}

/* @id: of the entry that the clipboard holds now; 0 = of none */
void
clip_clipboard_set_current (ClipClipboard *self, gint64 id)
{
  if (self->current == id)
    return;
  self->current = id;
  g_signal_emit (self, signals[CHANGED], 0);
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

/* --- somebody copies --- */

/* decides what its owner may leave behind; what a desktop has kept of ours is ours again */
static void
on_newest_captured (ClipClipboard *self, const ClipCaptured *captured)
{
  const gint64 id = captured->added.id;

  g_clear_object (&self->capture);
  clip_drop_note_set (self->drop_note, captured->drop);
  clip_clipboard_set_current (self, id);
  self->owner_exit.id = captured->whole ? id : 0;
  if (id == 0 || id != clip_selection_owner_lapsed (self->owner))
    return;
  self->owner_exit.id = id;
  clip_clipboard_own_left (self);
}

static void on_offered (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend);

/* what was on the clipboard before */
static void
on_older_captured (ClipClipboard *self,
                   ClipCapture *capture,
                   const ClipCaptured *captured)
{
  g_autoptr (ClipOffer) kept = NULL;

  clip_suspicion_recall (&self->suspicion, captured->drop, captured->is_unknown);
  kept = clip_owner_exit_came (&self->owner_exit, capture, captured,
                               clip_clipboard_own_left, self);
  if (kept)
    on_offered (self, kept, self->owner_exit.display);
}

static void
on_captured (ClipCapture *capture,
             const ClipCaptured *captured,
             const GError *error,
             gpointer user_data)
{
  g_autoptr (ClipClipboard) self = user_data;

  if (error)
    report_trouble (self, error);
  self->too_large |= self->capture == capture && captured->drop == CLIP_DROP_TOO_LARGE;
  if (captured->drop != CLIP_DROP_NONE)
    report_drop (self, captured->drop);
  clip_doubt_end (self->doubt, capture, captured);
  if (self->capture != capture)
    {
      on_older_captured (self, capture, captured);
      return;
    }
  on_newest_captured (self, captured);
  clip_save_targets_look (self->save_targets);
  /* what failed may still be the secret that it was taken for */
  if (!error)
    clip_suspicion_judge (&self->suspicion, captured->drop, captured->is_unknown);
}

static void
begin_capture (ClipClipboard *self,
               ClipBackend *backend,
               ClipOffer *offer,
               const ClipSettings *settings)
{
  const ClipCaptureTerms terms = { self->store,  self->transfers, settings,
                                   self->ignore, self->secrets,   self->traffic };

  self->capture = clip_capture_new (backend, offer, &terms);
  self->too_large = FALSE;
  g_set_object (&self->offer, offer);
  g_set_object (&self->owner_exit.display, backend);
  clip_capture_run (self->capture, self->stopping, on_captured, g_object_ref (self));
}

/* as the functions of history with these names */
gboolean
clip_clipboard_may_keep_refused (ClipClipboard *self)
{
  return self->too_large && clip_pause_until (self->pause) == 0;
}

/* see clip_history_keep_refused() */
gboolean
clip_clipboard_keep_refused (ClipClipboard *self)
{
  g_autoptr (ClipSettings) settings = clip_settings_copy (self->settings);

  if (!clip_clipboard_may_keep_refused (self))
    return FALSE;
  clip_settings_set (settings, CLIP_SETTING_MAX_STORE_SIZE, "0", CLIP_FROM_FLAG, NULL);
  begin_capture (self, self->owner_exit.display, self->offer, settings);
  return TRUE;
}

/* whatever was there is not there any longer */
static void
end_copy (ClipClipboard *self)
{
  clip_owner_exit_end (&self->owner_exit);
  if (self->capture)
    clip_capture_set_replaced (self->capture, NULL);
  g_clear_object (&self->capture);
  g_clear_object (&self->offer);
  self->too_large = FALSE;
  clip_clipboard_set_current (self, 0);
  clip_save_targets_look (self->save_targets);
}

static void
forget_clipboard (ClipClipboard *self)
{
  end_copy (self);
  g_ptr_array_set_size (self->heard_on, 0);
}

/* keeps nothing before the display that a copy may have come from has told what it knows */
static void
ask_others (ClipClipboard *self, ClipBackend *backend)
{
  for (guint i = 0; i < self->displays->len; i++)
    if (g_ptr_array_index (self->displays, i) != backend)
      {
        clip_doubt_hold (self->doubt, self->capture,
                         g_ptr_array_index (self->displays, i));
        return; /* there are two at most */
      }
}

/* what an ignored program copies neither a watcher beside us nor the bridge brings in */
static gboolean
is_ignored (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  if (!clip_ignore_app (self->ignore, clip_offer_app (offer)))
    return FALSE;
  if (!clip_backend_mirrors (backend))
    clip_doubt_ignore (self->doubt, offer);
  return TRUE;
}

/* why it is not even looked at */
static ClipDrop
refusal_of (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  if (is_ignored (self, offer, backend))
    return CLIP_DROP_IGNORED;
  if (clip_pause_until (self->pause) != 0)
    return CLIP_DROP_PAUSED;
  return clip_offer_is_initial (offer) ? clip_drop_note_why (self->drop_note)
                                       : CLIP_DROP_NONE;
}

static gboolean
is_refused (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  ClipDrop drop = refusal_of (self, offer, backend);

  if (drop == CLIP_DROP_NONE)
    return FALSE;
  if (clip_drop_is_private (drop))
    clip_suspicion_set (&self->suspicion, TRUE);
  clip_drop_note_set (self->drop_note, drop);
  report_drop (self, drop);
  return TRUE;
}

static void
on_new_copy (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  const char *const *mimes = clip_offer_mimes (offer);
  g_autoptr (ClipCapture) earlier = self->capture ? g_object_ref (self->capture) : NULL;

  clip_owner_exit_copied (&self->owner_exit, g_get_monotonic_time ());
  if (!clip_offer_is_kept (offer))
    clip_selection_owner_forget (self->owner);
  forget_clipboard (self);
  clip_reclaim_set_owned (self->reclaim, 0);
  self->is_saved = FALSE;
  g_ptr_array_add (self->heard_on, backend);
  clip_suspicion_set (&self->suspicion,
                      clip_offer_secrecy (offer) != CLIP_SECRECY_NONE);
  /* what has not ended may be that secret, too, or have been answered with it */
  if (earlier && self->suspicion.held &&
      (clip_backend_mirrors (backend) || backend != self->owner_exit.display))
    clip_capture_abandon (earlier);
  if (!*mimes || is_refused (self, offer, backend))
    return;
  if (!self->suspicion.held)
    clip_drop_note_set (self->drop_note, CLIP_DROP_NONE);
  begin_capture (self, backend, offer, self->settings);
  if (earlier)
    clip_capture_set_replaced (earlier, self->capture);
  /* what is copied on the display that mirrors the others does not come over their bridge */
  if (self->suspicion.held && !clip_backend_mirrors (backend))
    clip_doubt_begin (self->doubt, self->capture);
  if (clip_backend_mirrors (backend))
    ask_others (self, backend);
}

static void
on_own (ClipClipboard *self, ClipBackend *backend)
{
  forget_clipboard (self);
  g_ptr_array_add (self->heard_on, backend);
  clip_suspicion_set (&self->suspicion, FALSE);
  clip_drop_note_set (self->drop_note, CLIP_DROP_NONE);
  clip_clipboard_set_current (self, clip_selection_owner_id (self->owner));
  clip_reclaim_set_owned (self->reclaim, clip_selection_owner_id (self->owner));
}

/* The display that the program is on may know what the bridge to the other one has dropped: that
 * it is a secret, or whose it is. Then it is taken from there. */
static void
on_echo (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  if (!g_ptr_array_find (self->heard_on, backend, NULL))
    g_ptr_array_add (self->heard_on, backend);
  if (!self->capture ||
      (clip_offer_secrecy (offer) == CLIP_SECRECY_NONE &&
       !clip_ignore_app (self->ignore, clip_offer_app (offer))))
    return;
  clip_capture_abandon (self->capture);
  on_new_copy (self, offer, backend);
}

/* what a desktop goes on offering of a copy that we offer, or are about to, with all it had */
static gboolean
is_left_over (ClipClipboard *self, ClipOffer *offer)
{
  return clip_offer_is_kept (offer) &&
         (clip_selection_owner_id (self->owner) != 0 ||
          clip_owner_exit_has_more (&self->owner_exit, offer));
}

static void
on_offered (ClipClipboard *self, ClipOffer *offer, ClipBackend *backend)
{
  const char *const *mimes = clip_offer_mimes (offer);

  if (clip_offer_selection (offer) != CLIP_SELECTION_CLIPBOARD)
    return;
  if (clip_offer_is_bridged (offer) && self->displays->len > 1)
    {
      clip_doubt_carried (self->doubt);
      return;
    }
  if (clip_offer_is_own (offer))
    on_own (self, backend);
  else if (clip_suspicion_meets (&self->suspicion, offer) || is_left_over (self, offer))
    return;
  else if (clip_echo_filter_is_echo (self->echo_filter, backend, mimes,
                                     g_get_monotonic_time ()))
    on_echo (self, offer, backend);
  else if (!clip_mime_is_reassertion (mimes))
    on_new_copy (self, offer, backend);
}

/* --- its owner goes --- */

/* A display clears what the bridge has put there when the other one is cleared; the first of
 * them to tell ends the copy. It is put back on the one that carries it over to the other. */
static void
on_cleared (ClipClipboard *self, int selection, ClipBackend *backend)
{
  g_autoptr (ClipCapture) coming = self->capture ? g_object_ref (self->capture) : NULL;
  const gint64 left = self->owner_exit.id;

  if (selection != CLIP_SELECTION_CLIPBOARD ||
      !g_ptr_array_find (self->heard_on, backend, NULL))
    return;
  if (clip_owner_exit_is_due (&self->owner_exit))
    {
      if (clip_backend_mirrors (backend))
        g_set_object (&self->owner_exit.display, backend);
      return;
    }
  clip_suspicion_clear (&self->suspicion);
  clip_reclaim_set_owned (self->reclaim, 0);
  end_copy (self);
  if (!clip_policy_may_persist (self->settings))
    return;
  g_set_object (&self->owner_exit.display, backend);
  clip_owner_exit_leave (&self->owner_exit, left, coming, clip_clipboard_own_left, self);
}

/* Who clears it wants it to be empty. A program that has asked us to save what it has may do so as
 * it ends. */
static void
on_emptied (ClipClipboard *self, int selection, ClipBackend *backend)
{
  if (selection != CLIP_SELECTION_CLIPBOARD || self->is_saved ||
      !g_ptr_array_find (self->heard_on, backend, NULL))
    return;
  clip_suspicion_clear (&self->suspicion);
  clip_reclaim_set_owned (self->reclaim, 0);
  forget_clipboard (self);
}

/* --- its owner is about to go --- */

/* it waits until all of it is kept; from then on we follow it as we follow any other */
static void
on_save (ClipClipboard *self, ClipRequest *request, ClipBackend *backend)
{
  self->is_saved = TRUE;
  clip_save_targets_add (self->save_targets, backend, request);
}

static ClipSaved
is_saved (gpointer user_data)
{
  const ClipClipboard *self = user_data;

  if (self->capture)
    return CLIP_SAVED_NOT_YET;
  return self->owner_exit.id != 0 && clip_policy_may_persist (self->settings)
             ? CLIP_SAVED
             : CLIP_SAVED_NEVER;
}

/* --- the object --- */

/* an entry that is copied again, or deleted, while the clipboard holds it */
static void
on_entry_moved (ClipClipboard *self,
                gint64 old_id,
                gint64 new_id,
                ClipStore *store G_GNUC_UNUSED)
{
  if (self->current == old_id)
    clip_clipboard_set_current (self, new_id);
  clip_owner_exit_move (&self->owner_exit, old_id, new_id);
}

static void
on_entry_removed (gint64 id, gpointer user_data)
{
  ClipClipboard *self = user_data;

  if (id == self->current)
    {
      clip_drop_note_set (self->drop_note, CLIP_DROP_DELETED);
      clip_clipboard_set_current (self, 0);
    }
  clip_owner_exit_move (&self->owner_exit, id, 0);
}

/* of more than are listed, it is looked for ours */
static void
on_entries_removed (ClipClipboard *self, GArray *ids, ClipStore *store)
{
  if (ids->len == 0)
    {
      clip_presence_ask (store, self->current, on_entry_removed, G_OBJECT (self));
      clip_presence_ask (store, self->owner_exit.id, on_entry_removed, G_OBJECT (self));
    }
  for (guint i = 0; i < ids->len; i++)
    on_entry_removed (g_array_index (ids, gint64, i), self);
}

/**
 * clip_clipboard_new:
 * @transfers: outlives the object, as do @traffic and @pause
 *
 * Before it watches anything it wants to know the settings.
 */
ClipClipboard *
clip_clipboard_new (ClipStore *store,
                    ClipTransfers *transfers,
                    ClipTraffic *traffic,
                    ClipPause *pause)
{
  ClipClipboard *self = g_object_new (CLIP_TYPE_CLIPBOARD, NULL);

  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->traffic = traffic;
  self->pause = pause;
  self->save_targets = clip_save_targets_new (is_saved, self);
  self->owner =
      clip_selection_owner_new (store, transfers, traffic, CLIP_SELECTION_CLIPBOARD);
  self->reclaim = clip_reclaim_new (store);
  self->drop_note = clip_drop_note_new (store);
  g_signal_connect_object (self->reclaim, "reclaim",
                           G_CALLBACK (clip_clipboard_on_reclaim), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "entry-moved", G_CALLBACK (on_entry_moved), self,
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
  g_ptr_array_set_size (self->displays, 0);
  g_clear_object (&self->owner_exit.display);
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
  if (clip_owner_exit_is_due (&self->owner_exit) && !clip_policy_may_persist (settings))
    clip_owner_exit_end (&self->owner_exit);
}

/* @backend: borrowed until clip_clipboard_unwatch() */
void
clip_clipboard_watch (ClipClipboard *self, ClipBackend *backend)
{
  g_ptr_array_add (self->displays, backend);
  g_signal_connect_object (backend, "offered", G_CALLBACK (on_offered), self,
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
  g_ptr_array_remove (self->heard_on, backend);
  if (backend == self->owner_exit.display)
    forget_clipboard (self);
}

/* the entry that the clipboard holds; 0 where it is none of them */
gint64
clip_clipboard_current (ClipClipboard *self)
{
  return self->current;
}

/* whether what somebody finds there, or found there just now, may be a secret */
gboolean
clip_clipboard_may_be_secret (ClipClipboard *self)
{
  return clip_suspicion_lasts (&self->suspicion);
}

/* borrowed, until the settings change */
ClipIgnore *
clip_clipboard_ignore (ClipClipboard *self)
{
  return self->ignore;
}

/* borrowed; the same as long as we are there */
ClipSecrets *
clip_clipboard_secrets (ClipClipboard *self)
{
  return self->secrets;
}
