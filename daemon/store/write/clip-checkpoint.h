/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* When the log is to be carried into the database, and with what. The writer's, all zeros
 * at first. */
typedef struct
{
  int log_pages;       /* as of the last commit */
  int carried_pages;   /* of these */
  gint64 due_us;       /* monotonic; 0 = there is nothing to carry */
  gint64 latest_us;    /* when what was deleted is to be gone; 0 = nothing was */
  gint64 retry_us;     /* 0 = nobody was in the way the last time */
  gint is_overwriting; /* atomic: the log may hold something that was deleted */
} ClipCheckpoint;

void clip_checkpoint_restart (ClipCheckpoint *self);
void clip_checkpoint_note (ClipCheckpoint *self, int log_pages, gboolean overwritten);
gboolean clip_checkpoint_is_due (const ClipCheckpoint *self);
void clip_checkpoint_run (ClipCheckpoint *self, sqlite3 *db);
gboolean clip_checkpoint_is_pending (ClipCheckpoint *self);

G_END_DECLS
