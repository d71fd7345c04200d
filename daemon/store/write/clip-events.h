/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-transaction.h"
G_BEGIN_DECLS

/* What a signal of the store is for. */
typedef enum
{
  CLIP_NOTICE_ADDED,      /* an entry */
  CLIP_NOTICE_CHANGED,    /* likewise */
  CLIP_NOTICE_MOVED,      /* its id before, and now */
  CLIP_NOTICE_REMOVED,    /* ids */
  CLIP_NOTICE_IMPORTED,   /* how many */
  CLIP_NOTICE_PUSHED_OUT, /* likewise */
  CLIP_NOTICE_NOTES,
  CLIP_NOTICE_EXPIRY,
  CLIP_NOTICE_REPAIRED,
  CLIP_NOTICE_ROOM_MADE,
  CLIP_N_NOTICES,
} ClipNoticeKind;

/* One signal to be emitted, with what it carries. */
typedef struct
{
  ClipNoticeKind kind;
  ClipEntry *entry;
  gint64 id;
  gint64 n;        /* how many, or the id before */
  GArray *removed; /* gint64 */
} ClipNotice;

ClipNotice *clip_notice_new (ClipNoticeKind kind, gint64 n);
void clip_notice_free (ClipNotice *self);
void clip_notices_append (GPtrArray *notices, const GArray *events, ClipReader *reader);

G_END_DECLS
