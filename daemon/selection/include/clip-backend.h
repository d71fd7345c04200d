/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-offer.h"
#include "clip-source.h"
G_BEGIN_DECLS

/* One way to watch and to own selections: a connection to a display. Signals, on the main
 * context:
 *
 *   "offered" (ClipOffer *)            a program owns a selection now; ourselves, too:
 *                                      clip_offer_is_own(). Without a type: the owner
 *                                      does not say what it has
 *   "stalled" (int, a ClipSelection)   and was asked long enough what it has copied
 *   "emptied" (int, a ClipSelection)   before the next, if known: it was meant
 *   "cleared" (int, a ClipSelection)   it has no owner any more
 *   "save" (ClipRequest *)             the owner of the clipboard ends, and waits until
 *                                      another has what it holds: then finish it
 *   "disconnected" (char *why)         the display has gone: make another backend
 */
#define CLIP_TYPE_BACKEND (clip_backend_get_type ())
G_DECLARE_DERIVABLE_TYPE (ClipBackend, clip_backend, CLIP, BACKEND, GObject)

const char *clip_backend_name (ClipBackend *self);
gboolean clip_backend_mirrors (ClipBackend *self);
gboolean clip_backend_spends_pastes (ClipBackend *self);
gboolean clip_backend_sees_less (ClipBackend *self);
void clip_backend_set_unwatched (ClipBackend *self);
gboolean clip_backend_was_unwatched (ClipBackend *self);
guint clip_backend_most_copies (ClipBackend *self);
void clip_backend_wake (ClipBackend *self);
void clip_backend_want_app (ClipBackend *self, gboolean wanted);

/* What a display knows about the end of a content. Wayland knows nothing, and says so
 * before the first byte. */
typedef enum
{
  CLIP_VERDICT_BROKEN = -1, /* the error is set */
  CLIP_VERDICT_EOF,         /* no more is known than that the pipe ended */
  CLIP_VERDICT_WHOLE,
} ClipVerdict;

/* Gets what to read from, a pipe or a file in memory, at most once and before the
 * result. */
typedef void (*ClipBackendOpened) (int source_fd_take, gpointer user_data);

void clip_backend_receive_async (ClipBackend *self,
                                 ClipOffer *offer,
                                 const char *mime,
                                 ClipBackendOpened opened,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
ClipVerdict clip_backend_receive_finish (ClipBackend *self,
                                         GAsyncResult *result,
                                         GError **error);

/* Ends once every change of owner that has happened by now has been told. */
void clip_backend_sync_async (ClipBackend *self,
                              GAsyncReadyCallback callback,
                              gpointer user_data);
gboolean clip_backend_sync_finish (ClipBackend *self, GAsyncResult *result);

gboolean clip_backend_own (ClipBackend *self,
                           ClipSelection selection,
                           ClipSource *source,
                           GError **error);
void clip_backend_disown (ClipBackend *self, ClipSelection selection);

G_END_DECLS
