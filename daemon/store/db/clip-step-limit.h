/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* how long a statement may run: in place, as long as its connection is open */
typedef struct
{
  sqlite3 *db;
  const gint *stops; /* (nullable): atomic; not 0 = none goes on */
  gint64 n_steps;    /* since a statement began */
} ClipStepLimit;

void clip_step_limit_watch (ClipStepLimit *self, sqlite3 *db, const gint *stops);
void clip_step_limit_begin (ClipStepLimit *self);

G_END_DECLS
