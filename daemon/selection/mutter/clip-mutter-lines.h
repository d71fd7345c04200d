/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-mutter-read.h"
G_BEGIN_DECLS

/* Sessions to read contents through, one content each at a time: a copy that replaces one
 * which is still being read need not wait for it. */
typedef struct ClipMutterLines ClipMutterLines;

ClipMutterLines *clip_mutter_lines_new (GDBusConnection *bus, const char *peer);
void clip_mutter_lines_free (ClipMutterLines *self);
void clip_mutter_lines_read (ClipMutterLines *self,
                             const ClipMutterReading *reading,
                             GTask *task_take);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipMutterLines, clip_mutter_lines_free)
G_END_DECLS
