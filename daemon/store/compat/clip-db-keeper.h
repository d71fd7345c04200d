/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transaction.h"
G_BEGIN_DECLS

/* Keeps the file at db-path: what is found there before a change, and what is left there
 * behind it. The writer's thread's. */
typedef struct ClipDbKeeper ClipDbKeeper;

/* what was done because of what is found there */
typedef enum
{
  CLIP_SETTLED_NOTHING,
  CLIP_SETTLED_WIPED_SOME, /* as much as fits one transaction */
  CLIP_SETTLED_WIPED,
  CLIP_SETTLED_ADOPTED, /* a database of the existing tool */
} ClipSettled;

ClipDbKeeper *clip_db_keeper_new (const char *dir);
void clip_db_keeper_free (ClipDbKeeper *self);

ClipSettled clip_db_keeper_settle (ClipDbKeeper *self,
                                   ClipTransaction *transaction,
                                   gint64 *n_wiped);
gboolean clip_db_keeper_publish (ClipDbKeeper *self, ClipTransaction *transaction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDbKeeper, clip_db_keeper_free)

G_END_DECLS
