/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The way in. Whether it is a secret comes first (clip-capture-secret); then the wanted
 * types, one request at a time, since their owner is a single-threaded program. Each ends
 * twice: the pipe comes to its end, and the display says what it knows about that end.
 * Only both together make a content.
 *
 * A copy that is replaced meanwhile is finished and not cancelled: the pipe that is open
 * is drained, nothing further is asked for, and what arrived counts where its end can be
 * trusted.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-capture-private.h"

#include "clip-error.h"
#include "clip-mime.h"

G_DEFINE_FINAL_TYPE (ClipCapture, clip_capture, G_TYPE_OBJECT)

/* how long a copy waits for the one before it, which may be large: order is worth a moment */
#define TURN_MS 30

static void conclude (ClipCapture *self);

static void
clip_capture_dispose (GObject *object)
{
  ClipCapture *self = CLIP_CAPTURE (object);

  g_clear_object (&self->backend);
  g_clear_object (&self->intake);
  g_clear_object (&self->offer);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->receiving);
  g_clear_pointer (&self->mimes, g_ptr_array_unref);
  g_clear_pointer (&self->ignore, clip_ignore_unref);
  g_clear_pointer (&self->secrets, clip_secrets_unref);
  g_clear_error (&self->arrival_error);
  G_OBJECT_CLASS (clip_capture_parent_class)->dispose (object);
}

static void
clip_capture_class_init (ClipCaptureClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = clip_capture_dispose;
}

static void
clip_capture_init (ClipCapture *self)
{
}

/* of one that has to be followed by others nobody knows how large those are */
static void
on_announced (ClipOffer *offer G_GNUC_UNUSED, goffset at_least_bytes, ClipCapture *self)
{
  if (self->opened && self->next == self->mimes->len)
    clip_intake_expect (self->intake, at_least_bytes);
}

/**
 * clip_capture_new:
 * @intake: takes what arrives
 * @transfers: outlives the capture
 */
ClipCapture *
clip_capture_new (ClipBackend *backend,
                  ClipOffer *offer,
                  ClipIntake *intake,
                  ClipTransfers *transfers)
{
  ClipCapture *self = g_object_new (CLIP_TYPE_CAPTURE, NULL);

  self->backend = g_object_ref (backend);
  self->offer = g_object_ref (offer);
  self->intake = g_object_ref (intake);
  self->transfers = transfers;
  self->mimes = clip_mime_choose (clip_offer_mimes (offer));
  g_signal_connect_object (offer, "announced", G_CALLBACK (on_announced), self, 0);
  return self;
}

/**
 * clip_capture_set_guards:
 * @ignore: asks for no type, and keeps no text, that is named there
 * @secrets: learns what turns out to be one
 */
void
clip_capture_set_guards (ClipCapture *self, ClipIgnore *ignore, ClipSecrets *secrets)
{
  clip_intake_set_guards (self->intake, ignore, secrets);
  self->ignore = clip_ignore_ref (ignore);
  self->secrets = clip_secrets_ref (secrets);
  for (guint i = self->mimes->len; i-- > 0;)
    if (clip_ignore_mime (ignore, g_ptr_array_index (self->mimes, i)))
      g_ptr_array_remove_index (self->mimes, i);
}

/* asks for the plain text alone; what has none is nothing */
void
clip_capture_set_text_only (ClipCapture *self)
{
  for (guint i = self->mimes->len; i-- > 0;)
    if (!clip_mime_is_plain (g_ptr_array_index (self->mimes, i)))
      g_ptr_array_remove_index (self->mimes, i);
}

/**
 * clip_capture_set_replaced:
 * @later: (nullable): the copy that takes its place, which waits a moment for this one
 *
 * Somebody copied something else: what is open is finished, nothing further is asked for. A secret that
 * is not read has ended at once, and waits for nobody.
 */
void
clip_capture_set_replaced (ClipCapture *self, ClipCapture *later)
{
  self->replaced = TRUE;
  if (!later || !later->task || !self->task)
    return;
  self->later = later;
  later->earlier = g_object_ref (self);
}

/**
 * clip_capture_hold:
 *
 * Takes in what there is, and keeps nothing before somebody calls clip_capture_let_go() or
 * clip_capture_abandon().
 */
void
clip_capture_hold (ClipCapture *self)
{
  self->held = TRUE;
}

static void
on_caller_cancelled (GCancellable *cancellable G_GNUC_UNUSED, gpointer user_data)
{
  g_cancellable_cancel (CLIP_CAPTURE (user_data)->receiving);
}

/* a fresh one for each request: a cancelled one stays cancelled */
static GCancellable *
renew_receiving (ClipCapture *self)
{
  g_clear_object (&self->receiving);
  self->receiving = g_cancellable_new ();
  if (self->cancellable && g_cancellable_is_cancelled (self->cancellable))
    g_cancellable_cancel (self->receiving);
  return self->receiving;
}

static void commit (ClipCapture *self);

static void
leave_queue (ClipCapture *self)
{
  g_clear_handle_id (&self->turn_timer, g_source_remove);
  if (self->earlier)
    self->earlier->later = NULL;
  g_clear_object (&self->earlier);
}

static void
let_later_go (ClipCapture *self)
{
  g_autoptr (ClipCapture) later = self->later ? g_object_ref (self->later) : NULL;

  if (!later)
    return;
  self->later = NULL;
  g_clear_object (&later->earlier);
  if (later->turn_timer)
    commit (later);
}

/* what waits for its turn behind this copy goes on */
void
clip_capture_end (ClipCapture *self, ClipCaptured captured)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);
  ClipCaptured *result = g_new (ClipCaptured, 1);

  g_cancellable_disconnect (self->cancellable, self->cancelled_id);
  leave_queue (self);
  let_later_go (self);
  *result = captured;
  g_task_return_pointer (task, result, g_free);
}

/* likewise */
void
clip_capture_fail (ClipCapture *self, GError *error_take)
{
  g_autoptr (GTask) task = g_steal_pointer (&self->task);

  g_cancellable_disconnect (self->cancellable, self->cancelled_id);
  leave_queue (self);
  let_later_go (self);
  g_task_return_error (task, error_take);
}

static void
on_committed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  ClipCaptured captured = { 0 };
  GError *error = NULL;

  if (!clip_intake_commit_finish (CLIP_INTAKE (source), result, &captured.added,
                                  &captured.drop, &error))
    {
      clip_capture_fail (self, error);
      return;
    }
  captured.whole = captured.added.id != 0 && !self->partial;
  clip_capture_end (self, captured);
}

/* a stalled owner is asked for nothing more; without its primary content there is no
 * entry */
static void
on_content_failed (ClipCapture *self)
{
  g_autoptr (GError) error = g_steal_pointer (&self->arrival_error);
  gboolean too_large = g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);

  self->partial = TRUE;
  if (self->abandoned)
    clip_capture_receive_next (self); /* which asks for none */
  else if (too_large && clip_intake_n_contents (self->intake) == 0)
    clip_capture_end (self, (ClipCaptured){ .drop = CLIP_DROP_TOO_LARGE });
  else if (too_large)
    clip_capture_receive_next (self);
  else if (clip_intake_n_contents (self->intake) == 0 ||
           g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    clip_capture_fail (self, g_steal_pointer (&error));
  else
    {
      self->replaced = TRUE;
      clip_capture_receive_next (self);
    }
}

/* the end of a pipe is believed, unless the format shows that something is missing, or a
 * large copy was replaced while it came: its owner had reason to stop */
static gboolean
is_trusted (ClipCapture *self)
{
  if (self->verdict != CLIP_VERDICT_EOF)
    return self->verdict == CLIP_VERDICT_WHOLE;
  switch (clip_intake_last_ending (self->intake))
    {
    case CLIP_ENDING_THERE:
      return TRUE;
    case CLIP_ENDING_MISSING:
      return FALSE;
    case CLIP_ENDING_UNKNOWN:
    default:
      return !self->replaced || clip_intake_last_is_small (self->intake);
    }
}

static void
judge_end (ClipCapture *self)
{
  if (!is_trusted (self))
    {
      clip_intake_drop_last (self->intake);
      self->partial = TRUE;
    }
  clip_capture_receive_next (self);
}

static void
on_end_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  clip_backend_settle_finish (CLIP_BACKEND (source), result);
  judge_end (self);
}

/* the end of a pipe is often seen before the news of the copy that was its reason */
static gboolean
may_be_cut_off (ClipCapture *self)
{
  return self->verdict == CLIP_VERDICT_EOF && !self->replaced &&
         !clip_intake_last_is_small (self->intake);
}

static void
settle (ClipCapture *self)
{
  if (--self->n_pending > 0)
    return;
  if (self->arrival_error)
    on_content_failed (self);
  else if (self->bytes == 0)
    {
      self->partial = TRUE;
      clip_capture_receive_next (self);
    }
  else if (may_be_cut_off (self))
    clip_backend_settle_async (self->backend, on_end_settled, g_object_ref (self));
  else
    judge_end (self);
}

static void
on_verdict (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;
  g_autoptr (GError) error = NULL;

  self->verdict = clip_backend_receive_finish (CLIP_BACKEND (source), result, &error);
  if (error)
    {
      self->verdict = CLIP_VERDICT_BROKEN;
      g_debug ("content broke off: %s", error->message);
      if (!self->opened)
        self->arrival_error = g_steal_pointer (&error);
    }
  settle (self);
}

static void
on_arrived (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  self->bytes =
      clip_intake_receive_finish (CLIP_INTAKE (source), result, &self->arrival_error);
  if (self->arrival_error)
    g_cancellable_cancel (self->receiving);
  settle (self);
}

static void
commit (ClipCapture *self)
{
  leave_queue (self);
  clip_intake_commit_async (self->intake, on_committed, g_object_ref (self));
  let_later_go (self);
}

static gboolean
on_turn (gpointer user_data)
{
  ClipCapture *self = user_data;

  self->turn_timer = 0;
  commit (self);
  return G_SOURCE_REMOVE;
}

/* ids are the order of the copies: one that was replaced while it came is handed to the store before
 * the one that replaced it */
static void
await_turn (ClipCapture *self)
{
  if (self->earlier)
    self->turn_timer = g_timeout_add (TURN_MS, on_turn, self);
  else
    commit (self);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipCapture) self = user_data;

  clip_backend_settle_finish (CLIP_BACKEND (source), result);
  self->settled = TRUE;
  conclude (self);
}

/* Everything that comes is there: what becomes of it is for those to say who know more. Some
 * compositors answer for an old offer with what has replaced it, which may be a secret: whoever
 * hears of that first abandons us. Whose it is may have become known only now. */
static void
conclude (ClipCapture *self)
{
  if (clip_backend_mirrors (self->backend) && !self->settled)
    {
      clip_backend_settle_async (self->backend, on_settled, g_object_ref (self));
      return;
    }
  self->waits = FALSE;
  if (self->abandoned)
    clip_capture_end (self, (ClipCaptured){ 0 });
  else if (self->ignore && clip_ignore_app (self->ignore, clip_offer_app (self->offer)))
    clip_capture_end (self, (ClipCaptured){ .drop = CLIP_DROP_IGNORED });
  else if (self->held)
    self->waits = TRUE;
  else
    await_turn (self);
}

/* ends clip_capture_hold(): what is there by now, or comes, is kept */
void
clip_capture_let_go (ClipCapture *self)
{
  self->held = FALSE;
  if (self->waits)
    conclude (self);
}

/* ends it, without an entry, and without asking for anything further; what has been handed to the store
 * is kept */
void
clip_capture_abandon (ClipCapture *self)
{
  self->abandoned = self->replaced = TRUE;
  if (self->n_pending > 0)
    g_cancellable_cancel (self->receiving);
  if (self->waits || self->turn_timer)
    conclude (self);
}

static void
on_opened (int source_fd_take, gpointer user_data)
{
  ClipCapture *self = user_data;

  self->opened = TRUE;
  self->n_pending++;
  clip_intake_receive_async (self->intake, self->mime, source_fd_take, self->receiving,
                             on_arrived, g_object_ref (self));
}

/* asks for the next type, or comes to the end where there is none, or none is to be asked for */
void
clip_capture_receive_next (ClipCapture *self)
{
  if (self->replaced || self->next == self->mimes->len)
    {
      self->partial |= self->next < self->mimes->len;
      conclude (self);
      return;
    }
  self->mime = g_ptr_array_index (self->mimes, self->next++);
  self->n_pending = 1;
  self->opened = FALSE;
  renew_receiving (self);
  clip_backend_read_async (self->backend, self->offer, self->mime, on_opened,
                           self->receiving, on_verdict, g_object_ref (self));
}

/**
 * clip_capture_run_async:
 *
 * Captures the offer. What is dropped on purpose is not an error.
 *
 * Errors: %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SPACE, %CLIP_ERROR_NO_BACKEND,
 * %G_IO_ERROR_CANCELLED, %G_FILE_ERROR; nothing is left behind then.
 */
void
clip_capture_run_async (ClipCapture *self,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  self->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->task, clip_capture_run_async);
  self->receiving = g_cancellable_new ();
  if (cancellable)
    {
      self->cancellable = g_object_ref (cancellable);
      self->cancelled_id = g_cancellable_connect (
          cancellable, G_CALLBACK (on_caller_cancelled), self, NULL);
    }
  clip_capture_ask_secrecy (self);
}

/* FALSE with the error set; @out_captured says what was dropped on purpose, and why */
gboolean
clip_capture_run_finish (ClipCapture *self,
                         GAsyncResult *result,
                         ClipCaptured *out_captured,
                         GError **error)
{
  g_autofree ClipCaptured *captured = g_task_propagate_pointer (G_TASK (result), error);

  if (!captured)
    return FALSE;
  *out_captured = *captured;
  return TRUE;
}
