/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
#include <gtk/gtk.h>
G_BEGIN_DECLS

/* Entries that the user has deleted, for as long as that can be taken back: they are
 * hidden, and still there. A crash in between deletes nothing. */
typedef struct ClipRemoval ClipRemoval;

typedef void (*ClipRemovalFunc) (gpointer user_data);

ClipRemoval *clip_removal_new (CliphistHistory *history,
                               ClipRemovalFunc changed,
                               gpointer user_data);
void clip_removal_free (ClipRemoval *self);

GListModel *clip_removal_rows (ClipRemoval *self);
guint clip_removal_count (const ClipRemoval *self);
void clip_removal_add (ClipRemoval *self, const GArray *ids);
guint64 clip_removal_take_back (ClipRemoval *self);
void clip_removal_commit (ClipRemoval *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipRemoval, clip_removal_free)

G_END_DECLS
