/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-capture.h"
G_BEGIN_DECLS

/* What the owner of the clipboard leaves behind, for us to offer. */
typedef struct
{
  gint64 id;            /* all of its copy; 0 = nothing, or not all of it yet */
  ClipBackend *display; /* where it is, or was */
  ClipCapture *coming;  /* what the owner that has gone may still have left */
  ClipOffer *kept;      /* what the desktop goes on offering of that */
  guint timer;          /* until we own it */
  GCancellable *owning; /* while we are about to */
  guint wait_ms;        /* before we own it; 0 = as ever */
  gint64 copied_us; /* when somebody copied last, and when we owned last what was left */
  gint64 owned_us;
} ClipOwnerExit;

void clip_owner_exit_end (ClipOwnerExit *self);
void clip_owner_exit_move (ClipOwnerExit *self, gint64 old_id, gint64 new_id);
gboolean clip_owner_exit_is_due (const ClipOwnerExit *self);
void clip_owner_exit_leave (ClipOwnerExit *self,
                            gint64 id,
                            ClipCapture *coming,
                            GSourceOnceFunc due,
                            gpointer user_data);
ClipOffer *clip_owner_exit_came (ClipOwnerExit *self,
                                 ClipCapture *capture,
                                 const ClipCaptured *captured,
                                 GSourceOnceFunc due,
                                 gpointer user_data);
gboolean clip_owner_exit_has_more (ClipOwnerExit *self, ClipOffer *kept);
void clip_owner_exit_copied (ClipOwnerExit *self, gint64 now_us);
void clip_owner_exit_make_way (ClipOwnerExit *self);
gint64 clip_owner_exit_take (ClipOwnerExit *self, GCancellable **out_owning);
void clip_owner_exit_taken (ClipOwnerExit *self, gint64 now_us);

G_END_DECLS
