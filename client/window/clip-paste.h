/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-placement.h"

#include <cliphist.h>
G_BEGIN_DECLS

/* What is taken, and how. */
typedef struct
{
  GArray *ids;       /* of guint64: several are joined, in that order */
  CliphistKind kind; /* of all; several are texts, or files */
  CliphistSelectFlags flags;
  gboolean presses; /* a key after it is on the clipboard */
} ClipTaking;

void clip_paste (ClipPlacement *placement,
                 CliphistHistory *history,
                 const ClipTaking *taking);

G_END_DECLS
