/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-key.h"
#include "clip-select.h"
G_BEGIN_DECLS

const ClipKey *clip_insert_usual_key (void);
int clip_insert (const ClipCommand *command,
                 gint64 id,
                 const ClipKey *named,
                 const ClipSelectHow *how);
int clip_insert_clipboard (const ClipCommand *command, const ClipKey *key);

G_END_DECLS
