/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-command.h"
#include "clip-reader.h"
G_BEGIN_DECLS

ClipReader *clip_direct_open (const ClipCommand *command, GError **error);
gboolean clip_direct_has_entries (ClipReader *reader);
gint64 clip_direct_paused_until (ClipReader *reader);

G_END_DECLS
