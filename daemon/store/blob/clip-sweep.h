/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
G_BEGIN_DECLS

/* called with some names of blobs, which it takes; FALSE = enough */
typedef gboolean (*ClipSweepFunc) (char **names_take, gpointer user_data);

void clip_sweep_temporary (int blobs_fd);
gboolean clip_sweep_names (int blobs_fd, ClipSweepFunc function, gpointer user_data);
gboolean clip_sweep (int blobs_fd, ClipSweepFunc function, gpointer user_data);

G_END_DECLS
