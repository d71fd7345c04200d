/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A selection is announced with each move of the mouse, or each press of an arrow key. So
 * it is read once it has rested, and an entry that the same drag only makes longer or
 * shorter goes when the next one is there. A drag lasts as long as one announcement
 * follows the other. An entry stays where another came behind it, or where it was used.
 *
 * One with the mark of a secret is read at once, also of a program that is ignored: a
 * manager that carries it over to the clipboard reads it now, too.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-primary.h"

#include "clip-capture.h"
#include "clip-error.h"
#include "clip-secrecy.h"

#include <string.h>

#define REST_MS 300
/* what is selected so long after the last announcement is another drag */
#define DRAG_US (2 * (gint64) G_USEC_PER_SEC)

struct _ClipPrimary
{
  GObject parent_instance;
  ClipStore *store;
  ClipTransfers *transfers;
  ClipPause *pause;         /* borrowed */
  ClipClipboard *clipboard; /* borrowed: for what is ignored */
  ClipSettings *settings;
  ClipSelectionOwner *owner; /* what a caller wanted there */
  GCancellable *stopping;

  GPtrArray *coming;    /* of ClipCapture: all that have not ended */
  ClipBackend *backend; /* of what rests */
  ClipOffer *offer;
  guint rest_timer;
  gint64 offered_us; /* monotonic: the last announcement */
  guint drag;        /* to which that belongs, by number */

  gint64 coming_id; /* of the next one, while its text is read; 0 = none, or it stays */
  gint64 spared_id; /* wanted for another reason since it is there; 0 = none */
  gint64 last_id;   /* the entry that the last selection has made; 0 = none */
  GBytes *last_text;
  guint last_drag;
};

G_DEFINE_FINAL_TYPE (ClipPrimary, clip_primary, G_TYPE_OBJECT)

static void
clip_primary_dispose (GObject *object)
{
  ClipPrimary *self = CLIP_PRIMARY (object);

  clip_primary_close (self);
  g_clear_object (&self->owner);
  g_clear_object (&self->store);
  g_clear_object (&self->stopping);
  g_clear_pointer (&self->coming, g_ptr_array_unref);
  g_clear_pointer (&self->settings, clip_settings_free);
  g_clear_pointer (&self->last_text, g_bytes_unref);
  G_OBJECT_CLASS (clip_primary_parent_class)->dispose (object);
}

static void
clip_primary_class_init (ClipPrimaryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_primary_dispose;
}

static void
clip_primary_init (ClipPrimary *self)
{
  self->stopping = g_cancellable_new ();
  self->coming = g_ptr_array_new_with_free_func (g_object_unref);
}

static void
forget_last (ClipPrimary *self)
{
  self->last_id = 0;
  g_clear_pointer (&self->last_text, g_bytes_unref);
}

static gboolean
has_end (const char *longer, gsize length, const char *part, gsize part_length)
{
  return memcmp (longer, part, part_length) == 0 ||
         memcmp (longer + length - part_length, part, part_length) == 0;
}

/* whether one of them is the other and more, before or behind it */
static gboolean
has_grown (GBytes *before, GBytes *now)
{
  gsize length_before, length_now;
  const char *text_before = g_bytes_get_data (before, &length_before);
  const char *text_now = g_bytes_get_data (now, &length_now);

  return length_before < length_now
             ? has_end (text_now, length_now, text_before, length_before)
             : has_end (text_before, length_before, text_now, length_now);
}

typedef struct
{
  ClipPrimary *self;
  guint drag;
  ClipOutcome added;
} Weighing;

static void
weighing_free (Weighing *weighing)
{
  g_object_unref (weighing->self);
  g_free (weighing);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Weighing, weighing_free)

/* ids are given in order: the next one means that no other entry came between */
static gboolean
takes_the_place_of_last (ClipPrimary *self, const Weighing *weighing, GBytes *text)
{
  return self->last_id != 0 && weighing->added.id == self->last_id + 1 &&
         weighing->drag == self->last_drag && has_grown (self->last_text, text);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Weighing) weighing = user_data;
  ClipPrimary *self = weighing->self;
  g_autoptr (ClipPayload) payload =
      clip_store_open_content_finish (CLIP_STORE (source), result, NULL);
  const gint64 last_id = self->last_id;

  if (!payload || !payload->bytes || g_cancellable_is_cancelled (self->stopping))
    {
      forget_last (self);
      return;
    }
  if (takes_the_place_of_last (self, weighing, payload->bytes))
    clip_store_change_async (self->store, clip_change_delete (&last_id, 1), NULL, NULL);
  forget_last (self);
  /* what was an entry before is one for another reason */
  if (weighing->added.moved_from == 0 && weighing->added.id == self->coming_id)
    self->last_id = self->coming_id;
  self->last_text = g_bytes_ref (payload->bytes);
  self->last_drag = weighing->drag;
}

static void
on_captured (ClipCapture *taken,
             const ClipCaptured *captured,
             const GError *error,
             gpointer user_data)
{
  g_autoptr (Weighing) weighing = user_data;
  ClipPrimary *self = weighing->self;

  g_ptr_array_remove (self->coming, taken);
  if (error)
    {
      g_info ("selection not kept: %s", error->message);
      return;
    }
  if (captured->added.id == 0 || captured->added.id == self->last_id)
    return;
  /* the store tells of an entry, and of what becomes of it, before the capture does */
  self->coming_id = captured->added.is_echo || captured->added.id == self->spared_id
                        ? 0
                        : captured->added.id;
  weighing->added = captured->added;
  clip_store_open_content_async (self->store, captured->added.id, "", on_text,
                                 g_steal_pointer (&weighing));
}

static void
forget_offer (ClipPrimary *self)
{
  g_clear_handle_id (&self->rest_timer, g_source_remove);
  g_clear_object (&self->backend);
  g_clear_object (&self->offer);
}

static void
capture (ClipPrimary *self)
{
  const ClipCaptureTerms terms = { .store = self->store,
                                   .transfers = self->transfers,
                                   .settings = self->settings,
                                   .ignore = clip_clipboard_ignore (self->clipboard),
                                   .fingerprints = clip_privacy_fingerprints (
                                       clip_clipboard_privacy (self->clipboard)) };
  g_autoptr (ClipCapture) taken = clip_capture_new (self->backend, self->offer, &terms);
  Weighing *weighing = g_new (Weighing, 1);

  clip_capture_set_text_only (taken);
  clip_capture_join (taken, self->coming);
  *weighing = (Weighing){ .self = g_object_ref (self), .drag = self->drag };
  clip_capture_run (taken, self->stopping, on_captured, weighing);
}

static gboolean
is_marked (ClipOffer *offer)
{
  return clip_offer_secrecy (offer) != CLIP_SECRECY_NONE;
}

static gboolean
on_rest (gpointer user_data)
{
  ClipPrimary *self = user_data;

  self->rest_timer = 0;
  if (!clip_offer_is_replaced (self->offer) && !is_marked (self->offer))
    capture (self);
  forget_offer (self);
  return G_SOURCE_REMOVE;
}

static gboolean
is_wanted (ClipPrimary *self, ClipOffer *offer)
{
  return clip_settings_number (self->settings, CLIP_SETTING_PRIMARY) != 0 &&
         !clip_offer_is_initial (offer) && !clip_offer_is_own (offer) &&
         clip_pause_until (self->pause) == 0 &&
         !clip_privacy_suspects_selected (clip_clipboard_privacy (self->clipboard),
                                          offer) &&
         (is_marked (offer) || !clip_ignore_app (clip_clipboard_ignore (self->clipboard),
                                                 clip_offer_app (offer)));
}

/* the bridge between two displays drops the mark of a secret, and the other one offers it
 * without */
static gboolean
has_marked_one (ClipPrimary *self, ClipBackend *backend)
{
  return self->offer && self->backend != backend && is_marked (self->offer) &&
         !clip_offer_is_replaced (self->offer);
}

static void
note_drag (ClipPrimary *self)
{
  const gint64 now_us = g_get_monotonic_time ();

  if (now_us - self->offered_us >= DRAG_US)
    self->drag++;
  self->offered_us = now_us;
}

static void
on_offered (ClipPrimary *self, ClipOffer *offer, ClipBackend *backend)
{
  if (clip_offer_selection (offer) != CLIP_SELECTION_PRIMARY ||
      has_marked_one (self, backend))
    return;
  forget_offer (self);
  note_drag (self);
  clip_privacy_selected (clip_clipboard_privacy (self->clipboard), offer);
  if (!is_wanted (self, offer))
    return;
  self->backend = g_object_ref (backend);
  self->offer = g_object_ref (offer);
  self->rest_timer = g_timeout_add (REST_MS, on_rest, self);
  if (is_marked (offer))
    capture (self);
}

static void
on_cleared (ClipPrimary *self, int selection)
{
  if (selection == CLIP_SELECTION_PRIMARY)
    forget_offer (self);
}

/* @id: of an entry that stays when the next one is selected, as another reason for it
 * came */
void
clip_primary_spare (ClipPrimary *self, gint64 id)
{
  self->spared_id = id;
  if (self->last_id == id)
    self->last_id = 0;
  if (self->coming_id == id)
    self->coming_id = 0;
}

/* a program copied it, too */
static void
on_entry_moved (ClipPrimary *self, gint64 old_id)
{
  clip_primary_spare (self, old_id);
}

/* or pinned it, or gave it a tag */
static void
on_entry_changed (ClipPrimary *self, const ClipEntry *entry)
{
  clip_primary_spare (self, entry->row.id);
}

/* or put it on the clipboard */
static void
on_current_changed (ClipPrimary *self)
{
  const gint64 id = clip_clipboard_current (self->clipboard);

  if (id != 0)
    clip_primary_spare (self, id);
}

/**
 * clip_primary_new:
 * @transfers: outlives the object, as do @long_transfers, @pause and @clipboard
 */
ClipPrimary *
clip_primary_new (ClipStore *store,
                  ClipTransfers *transfers,
                  ClipLongTransfers *long_transfers,
                  ClipPause *pause,
                  ClipClipboard *clipboard)
{
  ClipPrimary *self = g_object_new (CLIP_TYPE_PRIMARY, NULL);

  self->store = g_object_ref (store);
  self->transfers = transfers;
  self->pause = pause;
  self->clipboard = clipboard;
  self->owner =
      clip_selection_owner_new (store, clip_clipboard_ids (clipboard), transfers,
                                long_transfers, CLIP_SELECTION_PRIMARY);
  g_signal_connect_object (store, "entry-moved", G_CALLBACK (on_entry_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "entry-changed", G_CALLBACK (on_entry_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (clipboard, "changed", G_CALLBACK (on_current_changed), self,
                           G_CONNECT_SWAPPED);
  return self;
}

/* what is being read ends, and becomes no entry */
void
clip_primary_close (ClipPrimary *self)
{
  g_cancellable_cancel (self->stopping);
  forget_offer (self);
}

/* @settings: copied; for what is selected from now on */
void
clip_primary_set_settings (ClipPrimary *self, const ClipSettings *settings)
{
  clip_settings_free (self->settings);
  self->settings = clip_settings_copy (settings);
}

void
clip_primary_watch (ClipPrimary *self, ClipBackend *backend)
{
  g_signal_connect_object (backend, "offered", G_CALLBACK (on_offered), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (backend, "cleared", G_CALLBACK (on_cleared), self,
                           G_CONNECT_SWAPPED);
}

void
clip_primary_unwatch (ClipPrimary *self, ClipBackend *backend)
{
  g_signal_handlers_disconnect_by_data (backend, self);
  if (backend == self->backend)
    forget_offer (self);
}

static void
on_owned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (GError) error = NULL;

  clip_selection_owner_own_finish (CLIP_SELECTION_OWNER (source), result, &error);
  if (g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SUCH_FORMAT))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (error)
    g_debug ("primary selection not owned: %s", error->message);
  g_task_return_boolean (task, TRUE);
}

/**
 * clip_primary_own_async:
 * @id: of the entry whose plain text is offered
 *
 * A display that keeps its primary selection to itself changes nothing.
 *
 * Errors: %CLIP_ERROR_NO_SUCH_FORMAT where the entry has no text: a program that pastes
 * from there would paste what was selected before.
 */
void
clip_primary_own_async (ClipPrimary *self,
                        ClipBackend *backend,
                        gint64 id,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_primary_own_async);
  clip_selection_owner_own_async (self->owner, backend, id, CLIP_OWN_TAKE_PLAIN, NULL,
                                  self->stopping, on_owned, task);
}

gboolean
clip_primary_own_finish (ClipPrimary *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
