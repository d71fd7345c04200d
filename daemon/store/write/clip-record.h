/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-draft-private.h"
#include "clip-ledger.h"
G_BEGIN_DECLS

/* An entry as it is in the tables, without its bytes. */
typedef struct
{
  gint64 id;
  gint64 first_us;
  gint64 last_us;
  gint64 copies;
  gint64 expires_us;
  gint64 pinned;
  gint64 extras;
  gint64 bytes; /* of all contents */
  gint64 hash;  /* of the primary content, short */
  ClipClass kind;
  gboolean has_origin;
} ClipRecord;

/* how the contents of an entry and of a draft relate */
typedef enum
{
  CLIP_RELATION_OTHER,
  CLIP_RELATION_SAME,
  CLIP_RELATION_HOLDS,  /* the entry has all that the draft has, and more */
  CLIP_RELATION_WITHIN, /* the draft has all that the entry has, and more */
  CLIP_RELATION_FAILED,
} ClipRelation;

gsize clip_record_head (sqlite3_stmt *rows);
ClipRows clip_record_load (ClipLedger *ledger,
                           gint64 id,
                           ClipRecord *record,
                           GError **error);
ClipRelation clip_record_relate (ClipLedger *ledger,
                                 const ClipRecord *record,
                                 const ClipDraft *draft,
                                 GError **error);
gboolean clip_record_insert (ClipLedger *ledger,
                             const ClipRecord *record,
                             const ClipDraft *draft,
                             GError **error);
gboolean clip_record_move (ClipLedger *ledger,
                           gint64 id,
                           const ClipRecord *record,
                           GError **error);
void clip_record_count_pin (ClipSums *sums, const ClipRecord *record, gint64 n);
gboolean clip_record_link (ClipLedger *ledger, const ClipDraftPart *part, GError **error);
gboolean clip_record_drop_blob (ClipLedger *ledger, gint64 blob, GError **error);
gboolean clip_record_drop (ClipLedger *ledger, const ClipRecord *record, GError **error);

G_END_DECLS
