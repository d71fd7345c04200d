/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

/* Owners of the clipboard that are about to end, and wait until what they copied is kept. */
typedef struct ClipSaves ClipSaves;

typedef enum
{
  CLIP_SAVED_NOT_YET,
  CLIP_SAVED,
  CLIP_SAVED_NEVER,
} ClipSaved;

typedef ClipSaved (*ClipSavesFunc) (gpointer user_data);

ClipSaves *clip_saves_new (ClipSavesFunc look, gpointer user_data);
void clip_saves_free (ClipSaves *self);
void clip_saves_add (ClipSaves *self, ClipBackend *backend, ClipRequest *request);
void clip_saves_look (ClipSaves *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipSaves, clip_saves_free)

G_END_DECLS
