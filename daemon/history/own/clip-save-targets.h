/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* Owners of the clipboard that are about to end, and wait until what they copied is
   kept. */
typedef struct ClipSaveTargets ClipSaveTargets;

typedef enum
{
  CLIP_SAVED_NOT_YET,
  CLIP_SAVED,
  CLIP_SAVED_NEVER,
} ClipSaved;

typedef ClipSaved (*ClipSaveTargetsFunc) (gpointer user_data);

ClipSaveTargets *clip_save_targets_new (ClipSaveTargetsFunc look, gpointer user_data);
void clip_save_targets_free (ClipSaveTargets *self);
void clip_save_targets_add (ClipSaveTargets *self,
                            ClipBackend *backend,
                            ClipRequest *request);
void clip_save_targets_look (ClipSaveTargets *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSaveTargets, clip_save_targets_free)

G_END_DECLS
