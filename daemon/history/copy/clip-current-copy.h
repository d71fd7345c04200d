/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
#include "clip-entry-ids.h"
G_BEGIN_DECLS

/* What is on the clipboard, whose it is, and which entry: see the drawing in
   clip-current-copy.c. Others read it, and only these functions change it. */
typedef enum
{
  CLIP_COPY_NONE,    /* nothing that is known */
  CLIP_COPY_COMING,  /* another program's, which is being received */
  CLIP_COPY_THEIRS,  /* another program's, and what became of it is known */
  CLIP_COPY_LEAVING, /* its owner has gone while it was being received */
  CLIP_COPY_LEFT,    /* its owner has gone, and we are to own it in a moment */
  CLIP_COPY_CLAIMED, /* we are about to own it */
  CLIP_COPY_OURS,
} ClipCopyState;

typedef struct
{
  ClipCopyState state;
  ClipEntryIds *ids;
  ClipBackend *backend; /* (nullable): where it is, or was */
  GPtrArray *told;      /* of ClipBackend, borrowed: the displays that have told of it */
  ClipOffer *offer;     /* (nullable): another program's, as long as that has it */
  GObject *capture;     /* (nullable): that receives it */
  ClipEntryId *entry;   /* (nullable): that it is */
  gboolean is_whole;    /* all of it has come */
  GStrv types;          /* (nullable): that came with it; its entry may have more */
  gboolean is_saved;    /* its owner wanted it to outlive it */
  gboolean too_large;   /* to be kept, by the settings */
  ClipOffer
      *remnant; /* (nullable): what the desktop goes on offering of what is leaving */
  guint timer;  /* of what is left; 0 = none */
  GCancellable *claim; /* (nullable): cancelled when it is not to be ours after all */
} ClipCurrentCopy;

void clip_current_copy_init (ClipCurrentCopy *self, ClipStore *store);
void clip_current_copy_clear (ClipCurrentCopy *self);

gint64 clip_current_copy_id (const ClipCurrentCopy *self);
gint64 clip_current_copy_offerable (const ClipCurrentCopy *self);
gboolean clip_current_copy_is_told_by (const ClipCurrentCopy *self, ClipBackend *backend);
gboolean clip_current_copy_goes_on (ClipCurrentCopy *self, ClipOffer *remnant);

void clip_current_copy_begin (ClipCurrentCopy *self, ClipBackend *backend);
void clip_current_copy_tell (ClipCurrentCopy *self, ClipBackend *backend);
void clip_current_copy_untell (ClipCurrentCopy *self, ClipBackend *backend);
void clip_current_copy_set_backend (ClipCurrentCopy *self, ClipBackend *backend);
void clip_current_copy_set_saved (ClipCurrentCopy *self);
void clip_current_copy_set_types (ClipCurrentCopy *self, const char *const *types);
void clip_current_copy_set_too_large (ClipCurrentCopy *self);
void clip_current_copy_receive (ClipCurrentCopy *self,
                                ClipBackend *backend,
                                ClipOffer *offer,
                                GObject *capture);
gboolean clip_current_copy_received (ClipCurrentCopy *self,
                                     GObject *capture,
                                     gint64 id,
                                     gboolean is_whole,
                                     ClipOffer **out_remnant);
void clip_current_copy_owner_left (ClipCurrentCopy *self, ClipBackend *backend);
void clip_current_copy_await_owner (ClipCurrentCopy *self,
                                    guint wait_ms,
                                    GSourceOnceFunc due,
                                    gpointer user_data);
GCancellable *clip_current_copy_claim (ClipCurrentCopy *self);
GCancellable *clip_current_copy_reclaim (ClipCurrentCopy *self,
                                         ClipBackend *backend,
                                         gint64 id);
void clip_current_copy_claim_failed (ClipCurrentCopy *self);
void clip_current_copy_ours (ClipCurrentCopy *self, gint64 id, ClipBackend *backend);
void clip_current_copy_end (ClipCurrentCopy *self);
void clip_current_copy_forget (ClipCurrentCopy *self);

G_END_DECLS
