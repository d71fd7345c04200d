/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-draft-private.h"
#include "clip-transaction.h"
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
  gint64 blob;  /* that holds it, once loaded; 0 = none does */
  ClipClass kind;
  gboolean has_origin;
} ClipEntryRows;

/* how the contents of an entry and of a draft relate */
typedef enum
{
  CLIP_RELATION_OTHER,
  CLIP_RELATION_SAME,
  CLIP_RELATION_HOLDS,  /* the entry has all that the draft has, and more */
  CLIP_RELATION_WITHIN, /* the draft has all that the entry has, and more */
  CLIP_RELATION_FAILED,
} ClipRelation;

gsize clip_entry_rows_head (sqlite3_stmt *rows);
ClipRows clip_entry_rows_load (ClipTransaction *transaction,
                               gint64 id,
                               ClipEntryRows *record,
                               GError **error);
ClipRelation clip_dedupe_compare (ClipTransaction *transaction,
                                  const ClipEntryRows *record,
                                  const ClipDraft *draft,
                                  GError **error);
gboolean clip_dedupe_is_echo (ClipTransaction *transaction,
                              const ClipEntryRows *record,
                              const ClipDraft *draft);
gboolean clip_entry_rows_insert (ClipTransaction *transaction,
                                 const ClipEntryRows *record,
                                 const ClipDraft *draft,
                                 GError **error);
gboolean clip_entry_rows_move (ClipTransaction *transaction,
                               gint64 id,
                               const ClipEntryRows *record,
                               GError **error);
void clip_entry_rows_count_pin (ClipTotals *totals,
                                const ClipEntryRows *record,
                                gint64 n);
gboolean clip_entry_rows_link (ClipTransaction *transaction,
                               const ClipDraftPart *part,
                               GError **error);
gboolean clip_entry_rows_drop_blob (ClipTransaction *transaction,
                                    gint64 blob,
                                    GError **error);
gboolean clip_entry_rows_drop (ClipTransaction *transaction,
                               const ClipEntryRows *record,
                               GError **error);
gboolean clip_entry_rows_add_tags (ClipTransaction *transaction,
                                   gint64 id,
                                   const char *const *tags,
                                   GError **error);
gboolean clip_entry_rows_set_tags (ClipTransaction *transaction,
                                   gint64 id,
                                   const char *const *tags,
                                   GError **error);

G_END_DECLS
