/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <gio/gio.h>
G_BEGIN_DECLS

/* When each connection to the bus was made, as far as it happened before us. */
typedef struct ClipCallerAges ClipCallerAges;

ClipCallerAges *clip_caller_ages_new (GDBusConnection *bus);
void clip_caller_ages_free (ClipCallerAges *self);
gint64 clip_caller_ages_since (const ClipCallerAges *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipCallerAges, clip_caller_ages_free)

G_END_DECLS
