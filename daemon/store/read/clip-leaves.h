/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-database.h"
#include "clip-leaf.h"
#include "clip-plan.h"
G_BEGIN_DECLS

/* Entries, newest first, out of the pages of their table. */
typedef struct ClipLeaves ClipLeaves;

/* what clip_leaves_next() says */
typedef enum
{
  CLIP_LEAVES_END,
  CLIP_LEAVES_ROW,
  CLIP_LEAVES_ASK,    /* these ids are to be asked of SQLite */
  CLIP_LEAVES_ODD,    /* likewise, all that is left: here something is damaged */
  CLIP_LEAVES_PASSED, /* of these none is wanted */
} ClipLeavesStep;

/* whether one of the rows that lie in a page may be wanted; it may ask the bytes as a whole */
typedef gboolean (*ClipLeavesSieve) (const guint8 *page, gsize length, gpointer data);

ClipLeaves *clip_leaves_new (ClipDatabase *database);
void clip_leaves_free (ClipLeaves *self);
gboolean clip_leaves_begin (ClipLeaves *self);
void clip_leaves_set_sieve (ClipLeaves *self, ClipLeavesSieve sieve, gpointer data);
void clip_leaves_seek (ClipLeaves *self, const ClipStretch *stretch);
ClipLeavesStep clip_leaves_next (ClipLeaves *self,
                                 ClipLeafRow *row,
                                 ClipStretch *out_ask);
gboolean clip_leaves_are_whole (ClipLeaves *self, const ClipStretch *stretch);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipLeaves, clip_leaves_free)

G_END_DECLS
