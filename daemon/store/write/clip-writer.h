/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-change-private.h"
G_BEGIN_DECLS

/* The one thread of this process that changes the history. */
typedef struct ClipWriter ClipWriter;

/* What a commit did, or what others have: on the writer's thread, before those who asked
 * for the changes are told. */
typedef struct
{
  const GArray *events; /* ClipEvent */
  ClipReader *reader;   /* of that moment; NULL where nothing can be read any more */
  ClipTotals totals;
  gint64 newest;
  gboolean is_new_history; /* the one before is gone, and so are the files of it */
  gint64 next_expiry_us;   /* 0 = nothing expires */
  gboolean is_new_db_file; /* the file at db-path was made */
  gint64 n_wiped;          /* so many entries went, as that file was removed */
} ClipNews;

typedef void (*ClipNewsFunc) (const ClipNews *news, gpointer user_data);

ClipWriter *clip_writer_new (ClipTransaction *transaction_take,
                             ClipNewsFunc on_news,
                             gpointer user_data);
void clip_writer_free (ClipWriter *self);
void clip_writer_push (ClipWriter *self, ClipChange *change_take);
void clip_writer_look (ClipWriter *self);
gboolean clip_writer_is_overwriting (ClipWriter *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipWriter, clip_writer_free)

G_END_DECLS
