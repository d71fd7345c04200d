/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A content on its way into the store: an unnamed file that a transfer fills, hashed and
 * written back behind it by a helper thread. Dropping it leaves nothing. */
typedef struct ClipStage ClipStage;

ClipStage *clip_stage_ref (ClipStage *self);
void clip_stage_unref (ClipStage *self);

int clip_stage_fd (const ClipStage *self);
void clip_stage_advance (ClipStage *self, goffset total);
GBytes *clip_stage_head (ClipStage *self, gsize limit, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStage, clip_stage_unref)

G_END_DECLS
