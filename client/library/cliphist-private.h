/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the sources of the library share. Not installed. */
#pragma once
#include "cliphist-call.h"
#include "cliphist-entry.h"
#include "cliphist-history.h"
#include "cliphist-query.h"
G_BEGIN_DECLS

CliphistEntry *cliphist_entry_new (GVariant *row);
CliphistEntry *cliphist_entry_new_moved (const CliphistEntry *self, guint64 id);
guint64 cliphist_entry_get_id (const CliphistEntry *self);
gboolean cliphist_entry_is_same (const CliphistEntry *self, const CliphistEntry *other);

const char *cliphist_kind_name (CliphistKind kind);

GVariant *cliphist_query_to_variant (CliphistQuery *self,
                                     guint64 before,
                                     guint64 after,
                                     guint limit);

GDBusConnection *cliphist_history_connection (CliphistHistory *self);
void cliphist_history_await (CliphistHistory *self, GTask *change);

G_END_DECLS
