/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-remote.h"
G_BEGIN_DECLS

/* how an entry is put on the clipboard */
typedef struct
{
  gboolean plain;   /* its text alone */
  gboolean primary; /* and as the primary selection, too */
  gboolean move;    /* it moves to the top */
} ClipSelectHow;

int clip_select (const ClipCommand *command, gint64 id, const ClipSelectHow *how);
void clip_select_tell (const ClipCommand *command, gint64 id);
int clip_select_after (const ClipCommand *command,
                       ClipRemote *remote,
                       const ClipSelectHow *how,
                       const GError *failure);

G_END_DECLS
