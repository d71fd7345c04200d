/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-mutter-read.h"
G_BEGIN_DECLS

/* Copies that may be read at once: each is a session with the shell, and no person makes
 * more in the seconds that the shell gives a program for one. */
#define CLIP_MUTTER_MOST_COPIES 32

/* Sessions to read contents through, one content each at a time: a copy that replaces one
 * which is still being read need not wait for it. */
typedef struct ClipMutterReaders ClipMutterReaders;

ClipMutterReaders *clip_mutter_readers_new (GDBusConnection *bus, const char *peer);
void clip_mutter_readers_free (ClipMutterReaders *self);
void clip_mutter_readers_read (ClipMutterReaders *self,
                               const ClipMutterReading *reading,
                               GTask *task_take);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipMutterReaders, clip_mutter_readers_free)
G_END_DECLS
