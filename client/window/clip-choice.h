/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
#include <gtk/gtk.h>
G_BEGIN_DECLS

/* Which rows of a list are chosen, in which order, and the one that keys move from. */
typedef struct ClipChoice ClipChoice;

typedef void (*ClipChoiceFunc) (gpointer user_data);

ClipChoice *clip_choice_new (GListModel *entries,
                             GtkListView *view,
                             ClipChoiceFunc changed,
                             gpointer user_data);
void clip_choice_free (ClipChoice *self);

void clip_choice_reset (ClipChoice *self);
void clip_choice_let_go (ClipChoice *self);
gboolean clip_choice_take_lost (ClipChoice *self);
void clip_choice_begin (ClipChoice *self);
guint clip_choice_lacks (const ClipChoice *self, int rows);
void clip_choice_move (ClipChoice *self, int rows, gboolean extend);
void clip_choice_extend (ClipChoice *self, guint position);
void clip_choice_set (ClipChoice *self, guint position);
void clip_choice_await (ClipChoice *self, guint64 id);
CliphistEntry *clip_choice_entry (const ClipChoice *self);
GArray *clip_choice_ids (const ClipChoice *self);
guint clip_choice_order (const ClipChoice *self, CliphistEntry *entry);
CliphistKind clip_choice_kind (const ClipChoice *self);

guint64 clip_choice_entry_id (CliphistEntry *entry);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipChoice, clip_choice_free)

G_END_DECLS
