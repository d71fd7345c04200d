/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What happens to the clipboard, and what follows from it:
 *
 *   somebody copies   -> capture it (clip-capture), unless it is ours, an echo, or we are paused
 *   the owner goes    -> a moment later own what it left, if it was whole and no secret
 *   a caller selects  -> own that entry (clip-restore)
 *   a caller stores   -> take it in (clip-call), unless the clipboard holds a secret
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-history.h"

#include "clip-arbiter.h"
#include "clip-capture.h"
#include "clip-displays.h"
#include "clip-error.h"
#include "clip-intake.h"
#include "clip-limiter.h"
#include "clip-mime.h"
#include "clip-pause.h"
#include "clip-restore.h"
#include "clip-streams.h"
#include "clip-suspicion.h"

/* an owner that goes is followed at once by the next one, often: wait before that */
#define FILL_AFTER_MS 100

struct _ClipHistory
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipStreams *streams;
  ClipSettings *settings;
  ClipDisplays *displays;
  ClipArbiter *arbiter;
  ClipRestore *restore;
  ClipPause *pause;
  ClipLimiter *limiter; /* (nullable) */
  GPtrArray *backends;
  GCancellable *stopping;

  ClipCapture *capture; /* the newest one under way */
  ClipBackend *restorable_on;
  gint64 restorable; /* what its owner would leave, for us to offer; 0 = nothing */
  gint64 current;    /* the entry that the clipboard holds; 0 = none */
  ClipSuspicion suspicion;
  guint fill_timer;
  GCancellable *filling; /* while we are about to own what was left */
};

enum
{
  BACKENDS_CHANGED,
  CURRENT_CHANGED,
  PAUSE_CHANGED,
  DROPPED,
  TROUBLE,
  SPARED_CHANGED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (ClipHistory, clip_history, G_TYPE_OBJECT)

static void
clip_history_dispose (GObject *object)
{
  ClipHistory *self = CLIP_HISTORY (object);

  clip_history_close (self);
  g_clear_object (&self->store);
  g_clear_object (&self->stopping);
  g_clear_pointer (&self->settings, clip_settings_free);
  g_clear_pointer (&self->arbiter, clip_arbiter_free);
  g_clear_pointer (&self->backends, g_ptr_array_unref);
  G_OBJECT_CLASS (clip_history_parent_class)->dispose (object);
}

static void
clip_history_class_init (ClipHistoryClass *klass)
{
  GType type = CLIP_TYPE_HISTORY;
  GSignalFlags last = G_SIGNAL_RUN_LAST;

  G_OBJECT_CLASS (klass)->dispose = clip_history_dispose;
  signals[BACKENDS_CHANGED] =
      g_signal_new ("backends-changed", type, last, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CURRENT_CHANGED] =
      g_signal_new ("current-changed", type, last, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PAUSE_CHANGED] =
      g_signal_new ("pause-changed", type, last, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DROPPED] = g_signal_new ("dropped", type, last, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT64);
  signals[TROUBLE] = g_signal_new ("trouble", type, last, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[SPARED_CHANGED] =
      g_signal_new ("spared-changed", type, last, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
clip_history_init (ClipHistory *self)
{
  self->arbiter = clip_arbiter_new ();
  self->backends = g_ptr_array_new_with_free_func (g_object_unref);
  self->stopping = g_cancellable_new ();
}

/* --- pause --- */

static void
on_pause_changed (gpointer user_data)
{
  g_signal_emit (user_data, signals[PAUSE_CHANGED], 0);
}

/**
 * clip_history_pause:
 * @until_us: microseconds since the epoch; 0 = go on, -1 = until told
 *
 * While paused nothing is captured and nothing stored. It is kept over a restart.
 */
void
clip_history_pause (ClipHistory *self, gint64 until_us)
{
  clip_pause_set (self->pause, until_us);
}

/* 0 = not paused, -1 = until told, otherwise when it ends */
gint64
clip_history_paused_until (ClipHistory *self)
{
  return clip_pause_until (self->pause);
}

/* --- limits --- */

static void
on_spared (guint spared G_GNUC_UNUSED, gpointer user_data)
{
  g_signal_emit (user_data, signals[SPARED_CHANGED], 0);
}

/**
 * clip_history_keep_limits:
 *
 * From now on sees to the limits also while nobody copies anything: when the settings change,
 * and when the time of an entry comes.
 */
void
clip_history_keep_limits (ClipHistory *self)
{
  ClipLimits limits = clip_policy_limits (self->settings);

  if (!self->limiter)
    self->limiter = clip_limiter_new (self->store, &limits, on_spared, self);
}

/* weighs them anew, as after a trim that took more than they may */
void
clip_history_renew_limits (ClipHistory *self)
{
  ClipLimits limits = clip_policy_limits (self->settings);

  if (self->limiter)
    clip_limiter_set (self->limiter, &limits);
}

/* (transfer full): the keys of the limits that would take so much that they take nothing */
char **
clip_history_spared (ClipHistory *self)
{
  return clip_policy_limit_keys (self->limiter ? clip_limiter_spared (self->limiter) : 0);
}

/* --- the clipboard changes --- */

static void
set_current (ClipHistory *self, gint64 id)
{
  if (self->current == id)
    return;
  self->current = id;
  g_signal_emit (self, signals[CURRENT_CHANGED], 0);
}

static void
report_drop (ClipHistory *self, ClipDrop drop)
{
  g_signal_emit (self, signals[DROPPED], 0, (int) drop,
                 (gint64) clip_policy_size_limit (self->settings));
}

static void
report_trouble (ClipHistory *self, const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_warning ("copy lost: %s", error->message);
  g_signal_emit (self, signals[TROUBLE], 0, error);
}

static void
on_filled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipHistory) self = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_restore_own_finish (CLIP_RESTORE (source), result, &error))
    set_current (self, clip_restore_id (self->restore));
  else
    g_info ("the clipboard stays empty: %s", error->message);
}

static void
own_entry (ClipHistory *self, gint64 id)
{
  self->restorable = 0;
  g_clear_object (&self->filling);
  self->filling = g_cancellable_new ();
  clip_restore_own_async (self->restore, self->restorable_on, id, CLIP_RESTORE_FILL,
                          self->filling, on_filled, g_object_ref (self));
}

/* decides what its owner may leave behind; what a desktop has kept of ours is ours again */
static void
on_newest_captured (ClipHistory *self, const ClipCaptured *captured)
{
  const gint64 id = captured->added.id;

  g_clear_object (&self->capture);
  set_current (self, id);
  self->restorable = captured->whole ? id : 0;
  if (id != 0 && id == clip_restore_lapsed (self->restore))
    own_entry (self, id);
}

static void
on_captured (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipHistory) self = user_data;
  ClipCapture *capture = CLIP_CAPTURE (source);
  g_autoptr (GError) error = NULL;
  ClipCaptured captured = { 0 };

  if (!clip_capture_run_finish (capture, result, &captured, &error))
    report_trouble (self, error);
  else if (captured.drop != CLIP_DROP_NONE)
    report_drop (self, captured.drop);
  if (self->capture != capture)
    return;
  on_newest_captured (self, &captured);
  /* what failed may still be the secret that it was taken for */
  if (!error)
    clip_suspicion_set (&self->suspicion, captured.drop == CLIP_DROP_SENSITIVE);
}

static void
begin_capture (ClipHistory *self,
               ClipBackend *backend,
               ClipOffer *offer,
               ClipCapture *earlier)
{
  g_autofree char *origin =
      g_strdup_printf ("%s clipboard%s%s", clip_backend_name (backend),
                       clip_offer_app (offer) ? " " : "", clip_offer_app (offer) ?: "");
  g_autoptr (ClipIntake) intake =
      clip_intake_new (self->store, self->transfers, self->settings, origin);

  clip_intake_set_patience (intake, CLIP_POLICY_FIRST_MS, CLIP_POLICY_IDLE_MS);
  if (clip_offer_is_initial (offer))
    clip_intake_set_initial (intake);
  self->capture = clip_capture_new (backend, offer, intake, self->transfers);
  if (earlier)
    clip_capture_set_replaced (earlier, self->capture);
  g_set_object (&self->restorable_on, backend);
  clip_capture_run_async (self->capture, self->stopping, on_captured,
                          g_object_ref (self));
}

/* whatever was there is not there any longer */
static void
forget_clipboard (ClipHistory *self)
{
  g_clear_handle_id (&self->fill_timer, g_source_remove);
  g_cancellable_cancel (self->filling);
  g_clear_object (&self->filling);
  if (self->capture)
    clip_capture_set_replaced (self->capture, NULL);
  g_clear_object (&self->capture);
  set_current (self, 0);
  self->restorable = 0;
}

static void
on_offered (ClipHistory *self, ClipOffer *offer, ClipBackend *backend)
{
  const char *const *mimes = clip_offer_mimes (offer);
  g_autoptr (ClipCapture) earlier = NULL;
  const char *hint;

  if (clip_offer_selection (offer) != CLIP_SELECTION_CLIPBOARD)
    return;
  if (clip_offer_is_own (offer))
    {
      forget_clipboard (self);
      clip_suspicion_set (&self->suspicion, FALSE);
      set_current (self, clip_restore_id (self->restore));
      return;
    }
  if (clip_suspicion_meets (&self->suspicion, offer) ||
      (clip_offer_is_kept (offer) && self->fill_timer))
    return; /* in a moment we own all of it */
  if (clip_arbiter_is_echo (self->arbiter, backend, mimes, g_get_monotonic_time ()) ||
      clip_mime_is_reassertion (mimes))
    return;
  if (!clip_offer_is_kept (offer))
    clip_restore_forget (self->restore);
  earlier = self->capture ? g_object_ref (self->capture) : NULL;
  forget_clipboard (self);
  clip_suspicion_set (&self->suspicion,
                      clip_mime_secrecy (mimes, &hint) != CLIP_SECRECY_NONE);
  if (!*mimes)
    return;
  if (clip_pause_until (self->pause) != 0)
    report_drop (self, CLIP_DROP_PAUSED);
  else
    begin_capture (self, backend, offer, earlier);
}

static void
on_fill (gpointer user_data)
{
  ClipHistory *self = user_data;

  self->fill_timer = 0;
  own_entry (self, self->restorable);
}

static void
on_cleared (ClipHistory *self, int selection, ClipBackend *backend)
{
  gint64 left = self->restorable;

  if (selection != CLIP_SELECTION_CLIPBOARD)
    return;
  forget_clipboard (self);
  clip_suspicion_set (&self->suspicion, FALSE);
  if (left == 0 || backend != self->restorable_on ||
      !clip_policy_may_persist (self->settings))
    return;
  self->restorable = left;
  self->fill_timer = g_timeout_add_once (FILL_AFTER_MS, on_fill, self);
}

/* --- displays --- */

/**
 * clip_history_add_backend:
 *
 * Watches one more display. The first one is where entries are owned.
 */
void
clip_history_add_backend (ClipHistory *self, ClipBackend *backend)
{
  g_ptr_array_add (self->backends, g_object_ref (backend));
  g_signal_connect_object (backend, "offered", G_CALLBACK (on_offered), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "cleared", G_CALLBACK (on_cleared), self,
                           G_CONNECT_SWAPPED);
  g_signal_emit (self, signals[BACKENDS_CHANGED], 0);
}

static void
on_display_lost (ClipHistory *self,
                 ClipBackend *backend,
                 ClipDisplays *displays G_GNUC_UNUSED)
{
  g_signal_handlers_disconnect_by_data (backend, self);
  clip_arbiter_forget (self->arbiter, backend);
  if (backend == self->restorable_on)
    forget_clipboard (self);
  g_ptr_array_remove (self->backends, backend);
  g_signal_emit (self, signals[BACKENDS_CHANGED], 0);
}

static void
on_refusal_changed (ClipHistory *self)
{
  g_signal_emit (self, signals[BACKENDS_CHANGED], 0);
}

/* finds the displays of the session, now and whenever they appear */
void
clip_history_watch_displays (ClipHistory *self)
{
  self->displays = clip_displays_new ();
  g_signal_connect_object (self->displays, "connected",
                           G_CALLBACK (clip_history_add_backend), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->displays, "disconnected", G_CALLBACK (on_display_lost),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->displays, "refusal-changed",
                           G_CALLBACK (on_refusal_changed), self, G_CONNECT_SWAPPED);
  clip_displays_start (self->displays);
}

/* (nullable): why GNOME's own clipboard is not what is watched there */
const char *
clip_history_display_refusal (ClipHistory *self)
{
  return self->displays ? clip_displays_refusal (self->displays) : NULL;
}

/* (transfer full): their names, for people */
char **
clip_history_backends (ClipHistory *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < self->backends->len; i++)
    g_strv_builder_add (names, clip_backend_name (g_ptr_array_index (self->backends, i)));
  return g_strv_builder_end (names);
}

/* --- the object --- */

/* an entry that is copied again, or deleted, while the clipboard holds it */
static void
on_entry_moved (ClipHistory *self,
                gint64 old_id,
                gint64 new_id,
                ClipStore *store G_GNUC_UNUSED)
{
  if (self->current == old_id)
    set_current (self, new_id);
  if (self->restorable == old_id)
    self->restorable = new_id;
}

static void
on_entries_removed (ClipHistory *self, GArray *ids, ClipStore *store G_GNUC_UNUSED)
{
  for (guint i = 0; i < ids->len; i++)
    {
      gint64 id = g_array_index (ids, gint64, i);

      set_current (self, self->current == id ? 0 : self->current);
      self->restorable = self->restorable == id ? 0 : self->restorable;
    }
}

/**
 * clip_history_new:
 * @settings: in force until clip_history_set_settings(); copied
 */
ClipHistory *
clip_history_new (ClipStore *store, const ClipSettings *settings)
{
  ClipHistory *self = g_object_new (CLIP_TYPE_HISTORY, NULL);

  self->store = g_object_ref (store);
  clip_history_set_settings (self, settings);
  self->transfers = clip_transfers_new ();
  self->streams = clip_streams_new (clip_store_dir (store), self->transfers);
  self->restore = clip_restore_new (store, self->transfers);
  g_signal_connect_object (store, "entry-moved", G_CALLBACK (on_entry_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "entries-removed", G_CALLBACK (on_entries_removed),
                           self, G_CONNECT_SWAPPED);
  self->pause = clip_pause_new (store, on_pause_changed, self);
  return self;
}

/* stops captures and transfers and lets the displays go; what is committed stays */
void
clip_history_close (ClipHistory *self)
{
  if (!self->transfers)
    return;
  g_cancellable_cancel (self->stopping);
  forget_clipboard (self);
  g_clear_object (&self->displays);
  g_clear_object (&self->restorable_on);
  g_clear_object (&self->restore);
  g_clear_pointer (&self->pause, clip_pause_free);
  g_clear_pointer (&self->limiter, clip_limiter_free);
  g_ptr_array_set_size (self->backends, 0);
  g_clear_pointer (&self->streams, clip_streams_free);
  g_clear_pointer (&self->transfers, clip_transfers_free);
}

void
clip_history_set_settings (ClipHistory *self, const ClipSettings *settings)
{
  clip_settings_free (self->settings);
  self->settings = clip_settings_copy (settings);
  clip_store_set_index_bytes (self->store,
                              clip_settings_number (settings, CLIP_SETTING_INDEX_BYTES));
  clip_history_renew_limits (self);
}

ClipStore *
clip_history_store (ClipHistory *self)
{
  return self->store;
}

/* (nullable): what is closed has none */
ClipStreams *
clip_history_streams (ClipHistory *self)
{
  return self->streams;
}

ClipTransfers *
clip_history_transfers (ClipHistory *self)
{
  return self->transfers;
}

const ClipSettings *
clip_history_settings (ClipHistory *self)
{
  return self->settings;
}

/* the entry that the clipboard holds; 0 where it is none of them */
gint64
clip_history_current (ClipHistory *self)
{
  return self->current;
}

/* --- callers --- */

/**
 * clip_history_refusal:
 *
 * Returns: why nothing that a caller stores is kept at the moment: we are paused, or the
 * clipboard holds a secret, which an older watcher beside us may be storing right now
 */
ClipDrop
clip_history_refusal (ClipHistory *self)
{
  if (clip_pause_until (self->pause) != 0)
    return CLIP_DROP_PAUSED;
  if (clip_suspicion_lasts (&self->suspicion))
    return CLIP_DROP_SENSITIVE;
  return CLIP_DROP_NONE;
}

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  ClipHistory *self = g_task_get_source_object (task);
  GError *error = NULL;

  if (!clip_restore_own_finish (CLIP_RESTORE (source), result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  set_current (self, clip_restore_id (self->restore));
  g_task_return_boolean (task, TRUE);
}

/**
 * clip_history_select_async:
 * @id: of the entry
 *
 * Makes us the owner of the clipboard, with every type that the entry holds.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_BACKEND where there is no display.
 */
void
clip_history_select_async (ClipHistory *self,
                           gint64 id,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_history_select_async);
  if (self->backends->len == 0)
    {
      g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                               "own the clipboard: no display is connected");
      return;
    }
  clip_restore_own_async (self->restore, g_ptr_array_index (self->backends, 0), id,
                          CLIP_RESTORE_TAKE, NULL, on_selected, g_steal_pointer (&task));
}

gboolean
clip_history_select_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}
