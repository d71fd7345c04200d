/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Our share of the user's pipes: who wants a larger one asks here. Every call is safe in
 * any thread. */
typedef struct ClipPipes ClipPipes;

/* a pipe that was enlarged; all zeros = none */
typedef struct
{
  int fd; /* borrowed: still open when it is released */
  int former_bytes;
  int bytes; /* what it has of our share */
} ClipPipeLoan;

/* what is soon through, and need not wait for what is not */
#define CLIP_SHORT_BYTES ((goffset) 1024 * 1024)

ClipPipes *clip_pipes_new (void);
void clip_pipes_free (ClipPipes *self);
gboolean clip_pipes_enlarge (ClipPipes *self,
                             int fd,
                             gboolean is_short,
                             ClipPipeLoan *loan);
void clip_pipes_release (ClipPipes *self, ClipPipeLoan *loan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPipes, clip_pipes_free)

G_END_DECLS
