/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How far something is, and how fast, as one line. Knows no terminal, and no clock but
 * its caller's. */
typedef struct
{
  guint64 done;
  guint64 total; /* 0 = unknown */
  double speed;  /* bytes a second */
  gint64 at_us;  /* when that was found out */
} ClipBar;

void clip_bar_begin (ClipBar *self, gint64 now_us);
void clip_bar_update (ClipBar *self, guint64 done, guint64 total, gint64 now_us);
char *clip_bar_line (const ClipBar *self, guint columns);

G_END_DECLS
