/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * GNOME, whose compositor has no data-control protocol: the clipboard of Mutter's remote
 * desktop. Its session is closed while the screen is locked, and opened again after
 * that; until then nothing is heard and nothing can be owned. It has no primary
 * selection.
 */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-mutter.h"

#include "clip-backend-private.h"
#include "clip-error.h"
#include "clip-mime.h"
#include "clip-mutter-readers.h"
#include "clip-mutter-remnant.h"
#include "clip-mutter-serve.h"
#include "clip-mutter-session.h"

/* until the session can be opened again: 0.1, 0.2, 0.4... s */
#define FIRST_REOPEN_MS 100
#define MAX_REOPEN_MS 60000

/* So many types of a program on Xwayland Mutter tells at the most: of what TARGETS brings
 * it reads 4096 bytes, a long for each (MAX_MIMETYPE_SIZE in 43 to 51, in its file
 * src/x11/meta-selection-source-x11.c). No program has so many; behind them may be the
 * mark of a secret. */
#define MOST_TOLD 512

#define CLIP_TYPE_MUTTER (clip_mutter_get_type ())
G_DECLARE_FINAL_TYPE (ClipMutter, clip_mutter, CLIP, MUTTER, ClipBackend)

struct _ClipMutter
{
  ClipBackend parent_instance;
  GDBusConnection *bus;
  char *peer;
  guint watch;
  ClipMutterSession *session; /* NULL while it is closed */
  ClipMutterReaders *lines;   /* while it is open */
  gboolean open;              /* it has answered */
  guint timer;
  guint n_reopened;
  GTask *starting; /* clip_mutter_new_async(), until it is answered */

  ClipOffer *offer;   /* what another program has selected */
  guint announcing;   /* what was selected when the session was opened */
  ClipSource *source; /* what we own, or are about to */
  guint n_claims; /* that Mutter has not answered: what it tells is from before them */
  guint n_emptying;
  ClipMutterRemnant remnant;
};

G_DEFINE_FINAL_TYPE (ClipMutter, clip_mutter, CLIP_TYPE_BACKEND)

static void open_session (ClipMutter *self);
static void claim_source (ClipMutter *self);

static void
drop_offer (ClipMutter *self)
{
  if (self->offer)
    clip_offer_set_replaced (self->offer);
  g_clear_object (&self->offer);
}

static void
lose_source (ClipMutter *self)
{
  g_autoptr (ClipSource) lost = g_steal_pointer (&self->source);

  if (lost)
    clip_source_cancel (lost);
}

static void
tear_down (ClipMutter *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->announcing, g_source_remove);
  g_clear_handle_id (&self->watch, g_bus_unwatch_name);
  g_clear_pointer (&self->session, clip_mutter_session_close);
  g_clear_pointer (&self->lines, clip_mutter_readers_free);
  self->open = FALSE;
  drop_offer (self);
}

/* --- what Mutter tells --- */

static ClipOffer *
make_offer (ClipMutter *self, const char *const *mimes, gboolean own)
{
  const gboolean is_remnant =
      clip_mutter_remnant_hear (&self->remnant, mimes, g_get_monotonic_time ());
  ClipOffer *offer = clip_offer_new (CLIP_SELECTION_CLIPBOARD, !self->open || is_remnant);

  if (g_strv_length ((char **) mimes) >= MOST_TOLD)
    clip_offer_add_mime (offer, CLIP_SECRECY_UNREAD);
  for (; *mimes; mimes++)
    clip_offer_add_mime (offer, *mimes);
  if (own)
    clip_offer_add_mime (offer, clip_source_token ());
  if (is_remnant)
    clip_offer_set_remnant (offer);
  return offer;
}

static void
on_changed (const char *const *mimes, gboolean own, gpointer user_data)
{
  g_autoptr (ClipMutter) self = g_object_ref (user_data);
  g_autoptr (ClipOffer) offer = NULL;

  drop_offer (self);
  g_clear_handle_id (&self->announcing, g_source_remove);
  if (own && self->n_emptying > 0)
    return; /* the moment before it is empty */
  if (!own && self->n_claims == 0)
    lose_source (self);
  if (!mimes)
    {
      clip_mutter_remnant_hear (&self->remnant, NULL, g_get_monotonic_time ());
      clip_backend_emit_cleared (CLIP_BACKEND (self), CLIP_SELECTION_CLIPBOARD);
      return;
    }
  offer = make_offer (self, mimes, own);
  if (!own)
    g_set_object (&self->offer, offer);
  if (self->open)
    clip_backend_emit_offered (CLIP_BACKEND (self), offer);
}

/* those that waited for the session hear it, too */
static gboolean
on_announce (gpointer user_data)
{
  g_autoptr (ClipMutter) self = g_object_ref (user_data);
  g_autoptr (ClipOffer) offer = self->offer ? g_object_ref (self->offer) : NULL;

  self->announcing = 0;
  if (offer)
    clip_backend_emit_offered (CLIP_BACKEND (self), offer);
  else
    clip_backend_emit_cleared (CLIP_BACKEND (self), CLIP_SELECTION_CLIPBOARD);
  return G_SOURCE_REMOVE;
}

static void
on_asked (const char *mime, guint32 serial, gpointer user_data)
{
  ClipMutter *self = user_data;

  clip_mutter_serve (self->session, self->source, mime, serial);
}

/* the task holds the reference on @self until here */
static void
answer_start (ClipMutter *self, GError *error_take)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->starting);

  if (error_take)
    {
      tear_down (self);
      g_task_return_error (task, error_take);
    }
  else
    g_task_return_pointer (task, g_object_ref (self), g_object_unref);
}

static void
on_opened (gpointer user_data)
{
  ClipMutter *self = user_data;

  self->open = TRUE;
  self->lines = clip_mutter_readers_new (self->bus, self->peer);
  self->n_reopened = 0;
  if (self->starting)
    answer_start (self, NULL);
  else
    g_info ("mutter: the session is open again");
  if (self->source)
    claim_source (self); /* no program has taken its place meanwhile */
  else
    self->announcing = g_idle_add_full (G_PRIORITY_DEFAULT, on_announce, self, NULL);
}

static gboolean
on_reopen (gpointer user_data)
{
  ClipMutter *self = user_data;

  self->timer = 0;
  open_session (self);
  return G_SOURCE_REMOVE;
}

static void
on_closed (const GError *why, gpointer user_data)
{
  g_autoptr (ClipMutter) self = g_object_ref (user_data);

  g_clear_pointer (&self->session, clip_mutter_session_close);
  g_clear_pointer (&self->lines, clip_mutter_readers_free);
  if (self->starting)
    {
      answer_start (
          self, g_error_new_literal (CLIP_ERROR, CLIP_ERROR_NO_BACKEND, why->message));
      return;
    }
  if (self->open)
    g_info ("mutter: %s", why->message);
  self->open = FALSE;
  self->n_claims = 0;
  self->n_emptying = 0;
  g_clear_handle_id (&self->announcing, g_source_remove);
  clip_mutter_remnant_miss (&self->remnant);
  drop_offer (self);
  self->timer = g_timeout_add (MIN (FIRST_REOPEN_MS << self->n_reopened, MAX_REOPEN_MS),
                               on_reopen, self);
  if (FIRST_REOPEN_MS << self->n_reopened < MAX_REOPEN_MS)
    self->n_reopened++;
}

static const ClipMutterSessionEvents session_events = {
  .opened = on_opened,
  .changed = on_changed,
  .asked = on_asked,
  .closed = on_closed,
};

static void
open_session (ClipMutter *self)
{
  self->session = clip_mutter_session_open (self->bus, self->peer, &session_events, self);
}

/* something has happened after which a session that is closed may be opened again */
static void
mutter_wake (ClipBackend *backend)
{
  ClipMutter *self = CLIP_MUTTER (backend);

  if (!self->timer)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  self->n_reopened = 0;
  open_session (self);
}

static void
on_vanished (GDBusConnection *bus G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             gpointer user_data)
{
  g_autoptr (ClipMutter) self = g_object_ref (user_data);

  tear_down (self);
  if (self->starting)
    answer_start (self, g_error_new_literal (CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                                             "GNOME Shell has gone"));
  else
    clip_backend_emit_disconnected (CLIP_BACKEND (self), "GNOME Shell has gone");
}

/* --- what history asks --- */

static void
mutter_receive (ClipBackend *backend,
                ClipOffer *offer,
                const char *mime,
                ClipBackendOpened opened,
                gpointer user_data,
                GTask *task_take)
{
  ClipMutter *self = CLIP_MUTTER (backend);
  g_autoptr (GTask) task = task_take;
  ClipMutterReading reading = { offer, mime, opened, user_data };

  if (self->open && offer == self->offer)
    clip_mutter_readers_read (self->lines, &reading, g_steal_pointer (&task));
  else
    g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                             "receive '%s': the offer has gone", mime);
}

typedef struct
{
  ClipMutter *backend;
  ClipMutterSession *session;
  ClipSource *source; /* NULL: to be empty */
} Claim;

static void
on_claimed (GObject *object G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autofree Claim *claim = user_data;
  g_autoptr (ClipMutter) self = claim->backend;
  g_autoptr (ClipMutterSession) session = claim->session;
  g_autoptr (ClipSource) source = claim->source;
  g_autoptr (GError) error = NULL;
  gboolean claimed = clip_mutter_session_finish (result, NULL, &error);

  if (session != self->session)
    return; /* counted anew since */
  if (!source)
    {
      self->n_emptying--;
      return;
    }
  self->n_claims--;
  if (claimed)
    return;
  g_warning ("the clipboard is not ours: %s", error->message);
  if (self->source == source)
    lose_source (self);
}

static void
claim (ClipMutter *self, const char *const *mimes, ClipSource *source)
{
  Claim *claim = g_new0 (Claim, 1);

  claim->backend = g_object_ref (self);
  claim->session = clip_mutter_session_ref (self->session);
  g_set_object (&claim->source, source);
  clip_mutter_session_select_async (self->session, mimes, on_claimed, claim);
}

static void
claim_source (ClipMutter *self)
{
  g_autoptr (GPtrArray) mimes = g_ptr_array_new ();

  for (const char *const *mime = clip_source_mimes (self->source); *mime; mime++)
    if (clip_mime_is_valid (*mime))
      g_ptr_array_add (mimes, (gpointer) *mime);
  g_ptr_array_add (mimes, (gpointer) clip_source_token ());
  g_ptr_array_add (mimes, NULL);
  self->n_claims++;
  claim (self, (const char *const *) mimes->pdata, self->source);
}

static gboolean
mutter_own (ClipBackend *backend,
            ClipSelection selection,
            ClipSource *source,
            GError **error)
{
  ClipMutter *self = CLIP_MUTTER (backend);

  if (selection != CLIP_SELECTION_CLIPBOARD)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   "own selection: GNOME Shell keeps the primary one for itself");
      return FALSE;
    }
  lose_source (self);
  if (!self->open)
    {
      g_set_error (
          error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
          "own selection: GNOME Shell has closed the session (a locked screen?)");
      return FALSE;
    }
  self->source = g_object_ref (source);
  claim_source (self);
  return TRUE;
}

/* Mutter would offer what it has kept of ours: something that it cannot keep goes
   first */
static void
mutter_disown (ClipBackend *backend, ClipSelection selection)
{
  ClipMutter *self = CLIP_MUTTER (backend);
  const char *const unkept[] = { clip_source_token (), NULL };

  if (selection != CLIP_SELECTION_CLIPBOARD || !self->source)
    return;
  lose_source (self);
  if (!self->open)
    return;
  self->remnant = (ClipMutterRemnant){ 0 };
  self->n_emptying += 2;
  claim (self, unkept, NULL);
  claim (self, NULL, NULL);
}

/* --- the object --- */

static void
clip_mutter_dispose (GObject *object)
{
  ClipMutter *self = CLIP_MUTTER (object);

  tear_down (self);
  g_clear_object (&self->source);
  g_clear_object (&self->bus);
  g_clear_pointer (&self->peer, g_free);
  G_OBJECT_CLASS (clip_mutter_parent_class)->dispose (object);
}

static void
clip_mutter_class_init (ClipMutterClass *klass)
{
  ClipBackendClass *backend_class = CLIP_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = clip_mutter_dispose;
  backend_class->name = "mutter";
  backend_class->most_copies = CLIP_MUTTER_MOST_COPIES;
  backend_class->wake = mutter_wake;
  backend_class->receive = mutter_receive;
  backend_class->own = mutter_own;
  backend_class->disown = mutter_disown;
}

static void
clip_mutter_init (ClipMutter *self)
{
}

/**
 * clip_mutter_new_async:
 * @peer: the unique name of the owner of %CLIP_MUTTER_NAME on @bus
 *
 * Opens a session. What is selected already is announced from the thread's default main
 * context, as initial.
 */
void
clip_mutter_new_async (GDBusConnection *bus,
                       const char *peer,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  ClipMutter *self = g_object_new (CLIP_TYPE_MUTTER, NULL);

  self->bus = g_object_ref (bus);
  self->peer = g_strdup (peer);
  self->starting = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (self->starting, clip_mutter_new_async);
  g_task_set_task_data (self->starting, self, g_object_unref);
  self->watch = g_bus_watch_name_on_connection (bus, peer, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                NULL, on_vanished, self, NULL);
  open_session (self);
}

/* (transfer full): Errors: %CLIP_ERROR_NO_BACKEND, or %G_IO_ERROR_CANCELLED */
ClipBackend *
clip_mutter_new_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
