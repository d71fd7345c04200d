/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What there is of a history while the daemon runs: the displays, what follows from what
 * happens there (clip-clipboard), a pause, the limits; and what callers may know and
 * change of it.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-history-private.h"

#include "clip-error.h"
#include "clip-first-look.h"
#include "clip-history.h"

/* a transfer that is worth a word on the screen, and how often; it is read by people */
#define LONG_MS 2000
#define INTERVAL_MS 500

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
  g_clear_object (&self->primary);
  g_clear_object (&self->clipboard);
  g_clear_pointer (&self->long_transfers, clip_long_transfers_free);
  g_clear_object (&self->store);
  g_clear_pointer (&self->settings, clip_settings_free);
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
  self->backends = g_ptr_array_new_with_free_func (g_object_unref);
  self->display_sync = clip_display_sync_new (self->backends);
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
  clip_pause_set (self->pause, until_us, NULL, NULL);
}

static void
on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (clip_store_change_finish (CLIP_STORE (source), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* the same; ends when every daemon that starts from then on knows it, or it could not be
 * written: then it is in force until a restart */
void
clip_history_pause_async (ClipHistory *self,
                          gint64 until_us,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_history_pause_async);
  clip_pause_set (self->pause, until_us, on_changed, task);
}

/* FALSE with the error set: as clip_store_change_finish() */
gboolean
clip_history_pause_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
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
 * From now on applies the limits also while no copy comes: when the settings
 * change, and when the time of an entry comes.
 */
void
clip_history_keep_limits (ClipHistory *self)
{
  ClipLimits limits = clip_policy_limits (self->settings);

  if (!self->limiter)
    self->limiter = clip_limiter_new (self->store, &limits, on_spared, self);
}

/* weighs them anew, as after a trim that took more than they may */
static void
renew_limits (ClipHistory *self)
{
  ClipLimits limits = clip_policy_limits (self->settings);

  if (self->limiter)
    clip_limiter_set (self->limiter, &limits);
}

/* (transfer full): the keys of the limits that would take so much that they take
   nothing */
char **
clip_history_spared (ClipHistory *self)
{
  return clip_policy_limit_keys (self->limiter ? clip_limiter_spared (self->limiter) : 0);
}

/* --- displays --- */

static void
want_apps (ClipHistory *self, ClipBackend *backend)
{
  const ClipIgnore *ignore = clip_clipboard_ignore (self->clipboard);

  clip_backend_want_app (backend, ignore && clip_ignore_has_apps (ignore));
}

/**
 * clip_history_add_backend:
 *
 * Watches one more display. Entries are owned on the one from which they are carried over
 * to the others.
 */
void
clip_history_add_backend (ClipHistory *self, ClipBackend *backend)
{
  g_ptr_array_insert (self->backends, clip_backend_mirrors (backend) ? 0 : -1,
                      g_object_ref (backend));
  clip_clipboard_watch (self->clipboard, backend);
  want_apps (self, backend);
  clip_primary_watch (self->primary, backend);
  g_signal_emit (self, signals[BACKENDS_CHANGED], 0);
}

static void
on_display_lost (ClipHistory *self,
                 ClipBackend *backend,
                 ClipDisplays *displays G_GNUC_UNUSED)
{
  clip_clipboard_unwatch (self->clipboard, backend);
  clip_primary_unwatch (self->primary, backend);
  g_ptr_array_remove (self->backends, backend);
  clip_display_sync_lost (self->display_sync);
  g_signal_emit (self, signals[BACKENDS_CHANGED], 0);
}

static void
on_refusal_changed (ClipHistory *self)
{
  g_signal_emit (self, signals[BACKENDS_CHANGED], 0);
}

static gboolean
wants_primary (ClipHistory *self)
{
  return clip_settings_number (self->settings, CLIP_SETTING_PRIMARY) != 0;
}

/* they are going to be watched: until then it is unknown what the clipboard holds */
void
clip_history_expect_displays (ClipHistory *self)
{
  clip_display_sync_expect (self->display_sync);
}

/* all that can be reached are watched by now */
void
clip_history_found_displays (ClipHistory *self)
{
  clip_display_sync_found (self->display_sync);
}

/* finds the displays of the session, now and whenever they appear */
void
clip_history_watch_displays (ClipHistory *self)
{
  self->displays = clip_displays_new ();
  clip_displays_set_primary (self->displays, wants_primary (self));
  g_signal_connect_object (self->displays, "connected",
                           G_CALLBACK (clip_history_add_backend), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->displays, "disconnected", G_CALLBACK (on_display_lost),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->displays, "refusal-changed",
                           G_CALLBACK (on_refusal_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->displays, "searched",
                           G_CALLBACK (clip_history_found_displays), self,
                           G_CONNECT_SWAPPED);
  clip_displays_start (self->displays);
}

/**
 * clip_history_look_async:
 *
 * Ends when what the displays hold that are being looked for is in the history, where it
 * belongs there, or when that takes too long.
 */
void
clip_history_look_async (ClipHistory *self,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  clip_first_look_async (self->display_sync, self->clipboard, callback, user_data);
}

void
clip_history_look_finish (GAsyncResult *result)
{
  clip_first_look_finish (result);
}

static void
on_looked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  clip_first_look_finish (result);
  g_task_return_boolean (task, TRUE);
}

static void
on_searched (ClipDisplays *displays, gpointer user_data)
{
  GTask *task = user_data;

  g_signal_handlers_disconnect_by_func (displays, on_searched, task);
  clip_history_look_async (g_task_get_source_object (task), on_looked, task);
}

/**
 * clip_history_will_delete:
 *
 * A call deletes something now. One from ssh or cron, for which no display is watched,
 * may delete what the clipboard of a desktop holds, and the daemon that starts there next
 * would keep it anew. A daemon that runs there hears of the deletion itself.
 */
void
clip_history_will_delete (ClipHistory *self)
{
  if (self->backends->len == 0 && !clip_store_was_in_use (self->store))
    clip_privacy_deleted (clip_clipboard_privacy (self->clipboard));
}

/**
 * clip_history_use_display_async:
 * @environment: (array zero-terminated=1): names and values in turn, of where a display
 * is
 *
 * Looks for displays there, unless one is watched, and calls back when what they hold is
 * known: g_task_propagate_boolean() says nothing but that.
 */
void
clip_history_use_display_async (ClipHistory *self,
                                const char *const *environment,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_history_use_display_async);
  if (self->displays && clip_displays_look_at (self->displays, environment))
    g_signal_connect (self->displays, "searched", G_CALLBACK (on_searched),
                      g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

/* (nullable): why GNOME's own clipboard is not what is watched there */
const char *
clip_history_display_refusal (ClipHistory *self)
{
  return self->displays ? clip_displays_refusal (self->displays) : NULL;
}

/* (nullable): the one that is watched, as clip_display_name_is_other() takes it */
const char *
clip_history_display (ClipHistory *self)
{
  return self->displays ? clip_displays_watched (self->displays) : NULL;
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

static void
on_current_changed (ClipHistory *self)
{
  g_signal_emit (self, signals[CURRENT_CHANGED], 0);
}

static void
on_dropped (ClipHistory *self, int drop)
{
  g_debug ("copy dropped: %s", clip_drop_name (drop));
  g_signal_emit (self, signals[DROPPED], 0, drop,
                 (gint64) clip_policy_size_limit (self->settings, 0));
}

static void
on_trouble (ClipHistory *self, const GError *error)
{
  g_signal_emit (self, signals[TROUBLE], 0, error);
}

static void
add_clipboard (ClipHistory *self)
{
  const struct
  {
    const char *signal;
    GCallback callback;
  } handlers[] = {
    { "changed", G_CALLBACK (on_current_changed) },
    { "dropped", G_CALLBACK (on_dropped) },
    { "trouble", G_CALLBACK (on_trouble) },
  };

  self->clipboard = clip_clipboard_new (self->store, self->transfers,
                                        self->long_transfers, self->pause);
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_object (self->clipboard, handlers[i].signal, handlers[i].callback,
                             self, G_CONNECT_SWAPPED);
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
  self->transfers = clip_transfers_new ();
  self->streams = clip_streams_new (clip_store_dir (store), self->transfers);
  self->long_transfers = clip_long_transfers_new (LONG_MS, INTERVAL_MS);
  self->pause = clip_pause_new (store, on_pause_changed, self);
  add_clipboard (self);
  self->primary = clip_primary_new (store, self->transfers, self->long_transfers,
                                    self->pause, self->clipboard);
  clip_history_set_settings (self, settings);
  return self;
}

/* stops captures and transfers and lets the displays go; what is committed stays */
void
clip_history_close (ClipHistory *self)
{
  if (!self->transfers)
    return;
  g_clear_pointer (&self->display_sync, clip_display_sync_free);
  clip_primary_close (self->primary);
  clip_clipboard_close (self->clipboard);
  g_clear_object (&self->displays);
  g_clear_pointer (&self->pause, clip_pause_free);
  g_clear_pointer (&self->limiter, clip_limiter_free);
  g_ptr_array_set_size (self->backends, 0);
  g_clear_pointer (&self->streams, clip_streams_free);
  g_clear_pointer (&self->transfers, clip_transfers_free);
}

/* @settings: copied; in force from now on */
void
clip_history_set_settings (ClipHistory *self, const ClipSettings *settings)
{
  clip_settings_free (self->settings);
  self->settings = clip_settings_copy (settings);
  clip_clipboard_set_settings (self->clipboard, settings);
  for (guint i = 0; i < self->backends->len; i++)
    want_apps (self, g_ptr_array_index (self->backends, i));
  clip_primary_set_settings (self->primary, settings);
  if (self->displays)
    clip_displays_set_primary (self->displays, wants_primary (self));
  renew_limits (self);
}

/* borrowed; there until we are gone */
ClipStore *
clip_history_store (ClipHistory *self)
{
  return self->store;
}

/* in force now; borrowed, until the next clip_history_set_settings() */
const ClipSettings *
clip_history_settings (ClipHistory *self)
{
  return self->settings;
}

/* the contents that displays bring and fetch */
ClipLongTransfers *
clip_history_long_transfers (ClipHistory *self)
{
  return self->long_transfers;
}

/* the entry that the clipboard holds; 0 where it is none of them */
gint64
clip_history_current (ClipHistory *self)
{
  return clip_clipboard_current (self->clipboard);
}

/* --- callers --- */

/* (nullable): to be awaited before clip_history_refusal() is asked; none where no display
 * has anything to tell. An X server below a compositor may have, though nothing was
 * copied since a program came there */
ClipDisplaySync *
clip_history_display_sync (ClipHistory *self)
{
  if (self->displays)
    clip_displays_look_beside (self->displays);
  return self->display_sync && clip_display_sync_is_needed (self->display_sync)
             ? self->display_sync
             : NULL;
}

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
  switch (clip_privacy_ask (clip_clipboard_privacy (self->clipboard)))
    {
    case CLIP_PRIVACY_NO_SECRET:
      return CLIP_DROP_NONE;
    case CLIP_PRIVACY_UNANSWERED:
      return CLIP_DROP_UNANSWERED;
    case CLIP_PRIVACY_NOT_KNOWN:
    case CLIP_PRIVACY_SECRET:
    default:
      return CLIP_DROP_SECRET;
    }
}

/* what a caller stores is looked at as a copy is; @settings: in force for that call */
void
clip_history_guard (ClipHistory *self,
                    ClipEntryBuilder *builder,
                    const ClipSettings *settings)
{
  g_autoptr (ClipIgnore) ignore = clip_ignore_new_for_call (settings, self->settings);

  clip_entry_builder_set_guards (
      builder, ignore,
      clip_privacy_fingerprints (clip_clipboard_privacy (self->clipboard)));
}

/* whether clip_history_keep_refused() would find something */
gboolean
clip_history_may_keep_refused (ClipHistory *self)
{
  return clip_clipboard_may_keep_refused (self->clipboard);
}

/**
 * clip_history_keep_refused:
 *
 * Keeps the copy that was just dropped for its size, where its owner still has it: it is
 * asked for once more, and what comes of that is told as of any copy.
 *
 * Returns: whether there was one
 */
gboolean
clip_history_keep_refused (ClipHistory *self)
{
  return clip_clipboard_keep_refused (self->clipboard);
}

/* --- an entry onto the clipboard: PRIMARY comes first where that is wanted, too, because
 * the call ends with the clipboard, once the display knows of it --- */

/* the display has heard of it: who pastes from now on gets that entry */
static void
on_select_synced (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  clip_backend_sync_finish (CLIP_BACKEND (source), result);
  g_task_return_boolean (task, TRUE);
}

static void
fail_without_backend (GTask *task)
{
  g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                           "own the clipboard: no display is connected");
}

/**
 * clip_history_empty_async:
 *
 * Empties the clipboard, and ends when the display knows.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND where there is no display.
 */
void
clip_history_empty_async (ClipHistory *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;
  ClipBackend *backend;

  g_task_set_source_tag (task, clip_history_empty_async);
  if (self->backends->len == 0)
    {
      fail_without_backend (task);
      return;
    }
  backend = g_ptr_array_index (self->backends, 0);
  if (clip_clipboard_empty (self->clipboard, backend, &error))
    clip_backend_sync_async (backend, on_select_synced, g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

gboolean
clip_history_empty_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

typedef struct
{
  ClipBackend *backend;
  gint64 id;
  ClipSelectFlags flags;
} Selecting;

static void
selecting_free (gpointer data)
{
  Selecting *self = data;

  g_object_unref (self->backend);
  g_free (self);
}

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Selecting *selecting = g_task_get_task_data (task);
  GError *error = NULL;

  if (clip_clipboard_own_finish (CLIP_CLIPBOARD (source), result, &error))
    clip_backend_sync_async (selecting->backend, on_select_synced,
                             g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
select_clipboard (GTask *task_take)
{
  ClipHistory *self = g_task_get_source_object (task_take);
  Selecting *selecting = g_task_get_task_data (task_take);

  clip_clipboard_own_async (self->clipboard, selecting->backend, selecting->id,
                            selecting->flags & CLIP_SELECT_PLAIN ? CLIP_OWN_TAKE_PLAIN
                                                                 : CLIP_OWN_TAKE,
                            on_selected, task_take);
}

static void
on_primary_owned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (clip_primary_own_finish (CLIP_PRIMARY (source), result, &error))
    select_clipboard (g_steal_pointer (&task));
  else
    g_task_return_error (task, error);
}

static void
begin (GTask *task_take)
{
  ClipHistory *self = g_task_get_source_object (task_take);
  Selecting *selecting = g_task_get_task_data (task_take);

  if (selecting->flags & CLIP_SELECT_PRIMARY)
    clip_primary_own_async (self->primary, selecting->backend, selecting->id,
                            on_primary_owned, task_take);
  else
    select_clipboard (task_take);
}

/* where it cannot be moved, on a full disk, it goes onto the clipboard all the same; what
 * is not there is found missing by the next step, too */
static void
on_moved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Selecting *selecting = g_task_get_task_data (user_data);
  g_autoptr (GError) error = NULL;
  ClipOutcome moved;

  if (clip_store_change_finish (CLIP_STORE (source), result, &moved, &error))
    selecting->id = moved.id;
  else
    g_debug ("it keeps its place: %s", error->message);
  begin (user_data);
}

/* one that cannot be read keeps its place, and is found so by the next step, too */
static void
on_readable (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Selecting *selecting = g_task_get_task_data (user_data);
  g_autoptr (ClipPayload) payload =
      clip_store_open_content_finish (CLIP_STORE (source), result, NULL);

  if (payload)
    clip_store_change_async (CLIP_STORE (source), clip_change_move (selecting->id),
                             on_moved, user_data);
  else
    begin (user_data);
}

/**
 * clip_history_select_async:
 * @id: of the entry
 *
 * Makes us the owner of the clipboard, with every type that the entry holds and @flags
 * let through, and ends when the display knows. One that is to move does so first: who
 * pastes asks for it by the id that it keeps.
 *
 * Errors: %CLIP_ERROR_NOT_FOUND, %CLIP_ERROR_NO_SUCH_FORMAT, %CLIP_ERROR_NO_BACKEND where
 * there is no display.
 */
void
clip_history_select_async (ClipHistory *self,
                           gint64 id,
                           ClipSelectFlags flags,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  Selecting *selecting;

  g_task_set_source_tag (task, clip_history_select_async);
  if (self->backends->len == 0)
    {
      fail_without_backend (task);
      return;
    }
  selecting = g_new (Selecting, 1);
  *selecting =
      (Selecting){ g_object_ref (g_ptr_array_index (self->backends, 0)), id, flags };
  g_task_set_task_data (task, selecting, selecting_free);
  if (flags & CLIP_SELECT_MOVE)
    clip_store_open_content_async (self->store, id, NULL, on_readable,
                                   g_steal_pointer (&task));
  else
    begin (g_steal_pointer (&task));
}

gboolean
clip_history_select_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- it is emptied, when a session wants that --- */

/**
 * clip_history_clears_on:
 * @event: `lock` or `logout`
 *
 * Returns: whether the user wants the history to be emptied then
 */
gboolean
clip_history_clears_on (ClipHistory *self, const char *event)
{
  g_auto (GStrv) events = clip_settings_list (self->settings, CLIP_SETTING_CLEAR_ON);

  return g_strv_contains ((const char *const *) events, event);
}

/* removes every entry that is not pinned */
void
clip_history_clear_async (ClipHistory *self,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_history_clear_async);
  clip_store_change_async (self->store, clip_change_wipe (FALSE, 0), on_changed, task);
}

/* FALSE with the error set: as clip_store_change_finish() */
gboolean
clip_history_clear_finish (ClipHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* --- its limits are applied, when a caller wants that --- */

static void
on_trimmed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  ClipOutcome trimmed = { 0 };

  if (!clip_store_change_finish (CLIP_STORE (source), result, &trimmed, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  renew_limits (g_task_get_source_object (task));
  if ((trimmed.spared & CLIP_LIMIT_SPACE) != 0)
    g_task_return_new_error (
        task, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
        "make room: nothing was removed: even without all entries that "
        "are not pinned, less than min-free-space would be free");
  else
    g_task_return_int (task, trimmed.n);
}

/**
 * clip_history_trim_async:
 * @settings: whose limits are applied, even if many entries go
 * @pretends: whether only to count
 *
 * Errors: as clip_store_change_finish().
 */
void
clip_history_trim_async (ClipHistory *self,
                         const ClipSettings *settings,
                         gboolean pretends,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  ClipLimits limits = clip_policy_limits (settings);

  g_task_set_source_tag (task, clip_history_trim_async);
  limits.cautious = 0;
  limits.thorough = TRUE;
  clip_store_change_async (self->store, clip_change_trim (&limits, pretends), on_trimmed,
                           task);
}

/* Returns: how many entries went, or would go; -1 with @error set */
gint64
clip_history_trim_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}
