/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Copies faster than a person makes them: what they push out of the history. */
typedef struct
{
  gint64 began_us; /* on the clock of the caller; 0 = not yet */
  gint64 n;        /* entries that went since then */
  gint64 limit;    /* so many are told */
} ClipPushedOut;

/* at the least: a small history gives away a tenth with each copy of a person */
#define CLIP_PUSHED_OUT_LEAST 30

gboolean clip_pushed_out_add (ClipPushedOut *self,
                              gint64 n,
                              gint64 n_left,
                              gint64 now_us);

G_END_DECLS
