/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
#include "clip-transaction.h"
G_BEGIN_DECLS

/* What a signal of the store is for. */
typedef enum
{
  CLIP_SIGNAL_ADDED,      /* an entry */
  CLIP_SIGNAL_CHANGED,    /* likewise */
  CLIP_SIGNAL_MOVED,      /* its id before, and now */
  CLIP_SIGNAL_REMOVED,    /* ids */
  CLIP_SIGNAL_IMPORTED,   /* how many */
  CLIP_SIGNAL_PUSHED_OUT, /* likewise */
  CLIP_SIGNAL_WIPED,      /* likewise */
  CLIP_SIGNAL_NOTES,
  CLIP_SIGNAL_EXPIRY,
  CLIP_SIGNAL_REPAIRED,
  CLIP_SIGNAL_LOST,
  CLIP_SIGNAL_ROOM_MADE,
  CLIP_N_SIGNALS,
} ClipStoreSignalKind;

/* One signal to be emitted, with what it carries. */
typedef struct
{
  ClipStoreSignalKind kind;
  ClipEntry *entry;
  gint64 id;
  gint64 n;        /* how many, or the id before */
  GArray *removed; /* gint64 */
} ClipStoreSignal;

ClipStoreSignal *clip_store_signal_new (ClipStoreSignalKind kind, gint64 n);
void clip_store_signal_free (ClipStoreSignal *self);
void clip_store_signals_append (GPtrArray *pending,
                                const GArray *events,
                                ClipReader *reader);

G_END_DECLS
