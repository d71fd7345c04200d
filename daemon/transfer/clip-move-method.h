/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-end.h"
G_BEGIN_DECLS

/* The most that one step moves: 256 KiB. A larger one makes the two sides of a 1 MiB pipe
 * sleep in turn, a smaller one wakes them too often. */
#define CLIP_CHUNK ((gsize) 256 * 1024)

/* Two ends, and what is between them. */
typedef struct
{
  ClipEnd source;
  ClipEnd sink;
  GBytes *bytes; /* the source, where it is no descriptor */
  goffset moved; /* bytes that have reached the sink */
  guint8 *buffer;
  gsize n_carried; /* read from the source, not in the sink yet */
  gsize carried_at;
} ClipFlow;

/* How bytes get from one kind of end to another. @move takes what it can get, at most
 * @length, and says how much reached the sink; 0 = the source has ended; -1 = errno. */
typedef struct
{
  const char *name;
  ClipEndKind sources;
  ClipEndKind sinks;
  gssize (*move) (ClipFlow *flow, gsize length);
} ClipMoveMethod;

const ClipMoveMethod *clip_move_method_first (const ClipFlow *flow);
const ClipMoveMethod *clip_move_method_next (const ClipMoveMethod *method,
                                             const ClipFlow *flow);

G_END_DECLS
