/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "cliphist-entry.h"
#include "cliphist-query.h"
G_BEGIN_DECLS

#define CLIPHIST_TYPE_HISTORY (cliphist_history_get_type ())
G_DECLARE_FINAL_TYPE (CliphistHistory, cliphist_history, CLIPHIST, HISTORY, GObject)

CliphistHistory *cliphist_history_new (void);
CliphistHistory *cliphist_history_new_for_connection (GDBusConnection *connection);
void cliphist_history_load_more (CliphistHistory *self);
void cliphist_history_load_rows (CliphistHistory *self, guint n);

G_END_DECLS
