/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-backend.h"

#include "clip-backend-private.h"
#include "clip-fd.h"

enum
{
  OFFERED,
  CLEARED,
  SAVE,
  DISCONNECTED,
  EMPTIED,
  STALLED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

typedef struct
{
  gboolean was_unwatched;
} ClipBackendPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (ClipBackend, clip_backend, G_TYPE_OBJECT)

static void
clip_backend_class_init (ClipBackendClass *klass)
{
  klass->name = "none";
  signals[OFFERED] = g_signal_new ("offered", CLIP_TYPE_BACKEND, G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 1, CLIP_TYPE_OFFER);
  signals[CLEARED] = g_signal_new ("cleared", CLIP_TYPE_BACKEND, G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[EMPTIED] = g_signal_new ("emptied", CLIP_TYPE_BACKEND, G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[STALLED] = g_signal_new ("stalled", CLIP_TYPE_BACKEND, G_SIGNAL_RUN_LAST, 0,
                                   NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[SAVE] = g_signal_new ("save", CLIP_TYPE_BACKEND, G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, CLIP_TYPE_REQUEST);
  signals[DISCONNECTED] =
      g_signal_new ("disconnected", CLIP_TYPE_BACKEND, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
clip_backend_init (ClipBackend *self)
{
}

/* what `status` and the origin of an entry call it: ext, wlr, mutter, x11 */
const char *
clip_backend_name (ClipBackend *self)
{
  ClipBackendClass *klass = CLIP_BACKEND_GET_CLASS (self);

  return klass->get_name ? klass->get_name (self) : klass->name;
}

/* whether a compositor puts here what is copied on another display */
gboolean
clip_backend_mirrors (ClipBackend *self)
{
  return CLIP_BACKEND_GET_CLASS (self)->mirrors;
}

/* whether to read what can be pasted once is that paste: on X11 nothing tells it from
 * other copies, and GNOME Shell has read it before it tells of it */
gboolean
clip_backend_spends_pastes (ClipBackend *self)
{
  return CLIP_BACKEND_GET_CLASS (self)->spends_pastes;
}

/* whether it says less than a compositor that is there, too */
gboolean
clip_backend_sees_less (ClipBackend *self)
{
  return CLIP_BACKEND_GET_CLASS (self)->sees_less;
}

/* before anything is found there */
void
clip_backend_set_unwatched (ClipBackend *self)
{
  ClipBackendPrivate *private = clip_backend_get_instance_private (self);

  private->was_unwatched = TRUE;
}

/* whether what is found there may have been copied, and taken over by another program,
 * while we were kept from watching */
gboolean
clip_backend_was_unwatched (ClipBackend *self)
{
  const ClipBackendPrivate *private = clip_backend_get_instance_private (self);

  return private->was_unwatched;
}

/* from how many copies contents may be received at the same time; 0 = from any number */
guint
clip_backend_most_copies (ClipBackend *self)
{
  return CLIP_BACKEND_GET_CLASS (self)->most_copies;
}

/* the desktop may let us watch what it did not before: it is asked again */
void
clip_backend_wake (ClipBackend *self)
{
  if (CLIP_BACKEND_GET_CLASS (self)->wake)
    CLIP_BACKEND_GET_CLASS (self)->wake (self);
}

/* whether clip_offer_app() is looked at: to know it may cost something */
void
clip_backend_want_app (ClipBackend *self, gboolean wanted)
{
  if (CLIP_BACKEND_GET_CLASS (self)->want_app)
    CLIP_BACKEND_GET_CLASS (self)->want_app (self, wanted);
}

/**
 * clip_backend_receive_async:
 * @mime: one of clip_offer_mimes(), or a name that the protocol allows to ask for
 * @opened: called once there is something to read from, with @user_data
 *
 * Has the owner of @offer send @mime. One request at a time for an offer: its owner is a
 * single-threaded program. The result arrives when the display knows as much as it ever
 * will, which may be before the content has been read to its end: wait for both.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND (the offer is gone or the display is),
 * %CLIP_ERROR_STALLED, %CLIP_ERROR_NO_SUCH_FORMAT (refused), %CLIP_ERROR_FAILED (broken
 * off), %G_IO_ERROR_CANCELLED. @opened is not called where there was nothing to read.
 */
void
clip_backend_receive_async (ClipBackend *self,
                            ClipOffer *offer,
                            const char *mime,
                            ClipBackendOpened opened,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, clip_backend_receive_async);
  CLIP_BACKEND_GET_CLASS (self)->receive (self, offer, mime, opened, user_data, task);
}

/**
 * clip_backend_open_pipe:
 * @opened: gets the end to read from
 *
 * For a display that writes into what it is given.
 *
 * Returns: (transfer full): the end to write into; -1 where @task has returned the error
 */
int
clip_backend_open_pipe (ClipBackendOpened opened, gpointer user_data, GTask *task)
{
  GError *error = NULL;
  int fds[2];

  if (!clip_pipe (fds, &error))
    {
      g_task_return_error (task, error);
      return -1;
    }
  opened (fds[0], user_data);
  return fds[1];
}

ClipVerdict
clip_backend_receive_finish (ClipBackend *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), CLIP_VERDICT_BROKEN);
  return (ClipVerdict) g_task_propagate_int (G_TASK (result), error);
}

/**
 * clip_backend_sync_async:
 *
 * Where a copy is heard of on two displays, the one that the program is on knows more of
 * it: its types, and who it is. Once this has ended, all that that display knows has been
 * told. A display that has gone, or whose owner does not answer in time, knows nothing
 * more.
 */
void
clip_backend_sync_async (ClipBackend *self,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);

  g_task_set_source_tag (task, clip_backend_sync_async);
  if (CLIP_BACKEND_GET_CLASS (self)->sync)
    {
      CLIP_BACKEND_GET_CLASS (self)->sync (self, task);
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

/**
 * clip_backend_sync_finish:
 *
 * Returns: %FALSE where a program on that display copied something a moment ago, and it
 * went before it had told what it is: it may have been a secret, and known elsewhere
 */
gboolean
clip_backend_sync_finish (ClipBackend *self, GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), NULL);
}

/**
 * clip_backend_own:
 * @source: what is offered; referenced until it is cancelled or replaced
 *
 * Takes the ownership of @selection. The display tells everybody, ourselves included.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND where the display refuses.
 */
gboolean
clip_backend_own (ClipBackend *self,
                  ClipSelection selection,
                  ClipSource *source,
                  GError **error)
{
  return CLIP_BACKEND_GET_CLASS (self)->own (self, selection, source, error);
}

/* gives up what clip_backend_own() took; nothing where it is lost already */
void
clip_backend_disown (ClipBackend *self, ClipSelection selection)
{
  CLIP_BACKEND_GET_CLASS (self)->disown (self, selection);
}

void
clip_backend_emit_offered (ClipBackend *self, ClipOffer *offer)
{
  ClipBackendClass *klass = CLIP_BACKEND_GET_CLASS (self);

  /* the program with the focus need not be the owner of what was there before */
  if (klass->name_app && !clip_offer_is_own (offer) && !clip_offer_is_initial (offer))
    klass->name_app (self, offer);
  g_signal_emit (self, signals[OFFERED], 0, offer);
}

/* by a program that is still there, and not because the owner has gone */
void
clip_backend_emit_emptied (ClipBackend *self, ClipSelection selection)
{
  g_signal_emit (self, signals[EMPTIED], 0, (int) selection);
}

/* a copy whose owner was asked often enough what it has, and has not said it */
void
clip_backend_emit_stalled (ClipBackend *self, ClipSelection selection)
{
  g_signal_emit (self, signals[STALLED], 0, (int) selection);
}

void
clip_backend_emit_cleared (ClipBackend *self, ClipSelection selection)
{
  g_signal_emit (self, signals[CLEARED], 0, (int) selection);
}

void
clip_backend_emit_save (ClipBackend *self, ClipRequest *request)
{
  g_signal_emit (self, signals[SAVE], 0, request);
}

void
clip_backend_emit_disconnected (ClipBackend *self, const char *why)
{
  g_signal_emit (self, signals[DISCONNECTED], 0, why);
}
