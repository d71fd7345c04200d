/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The entries that a history has at the moment, newest first, and how they become others:
 * with as few items changed as there are other ones. Not installed.
 */
#pragma once
#include "cliphist-private.h"
G_BEGIN_DECLS

typedef struct
{
  GListModel *model; /* that tells of changes; not owned */
  GPtrArray *items;  /* CliphistEntry */
} CliphistRows;

void cliphist_rows_init (CliphistRows *self, GListModel *model);
void cliphist_rows_clear (CliphistRows *self);

gboolean cliphist_rows_find (const CliphistRows *self, guint64 id, guint *out_position);
guint64 cliphist_rows_lowest (const CliphistRows *self);
void cliphist_rows_replace (CliphistRows *self, GPtrArray *fresh);
void cliphist_rows_insert (CliphistRows *self, guint position, GPtrArray *fresh);
void cliphist_rows_insert_sorted (CliphistRows *self, CliphistEntry *entry);
void cliphist_rows_set (CliphistRows *self, guint position, CliphistEntry *entry);
void cliphist_rows_remove_at (CliphistRows *self, guint position);
void cliphist_rows_remove (CliphistRows *self, GHashTable *ids);
void cliphist_rows_remove_above (CliphistRows *self, guint64 id);

G_END_DECLS
