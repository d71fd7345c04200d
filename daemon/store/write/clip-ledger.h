/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
#include "clip-database.h"
#include "clip-reader.h"
#include "clip-sql.h"
G_BEGIN_DECLS

/* What a transaction did to an entry; the journal keeps these numbers. */
typedef enum
{
  CLIP_EVENT_ADDED = 1,
  CLIP_EVENT_MOVED = 2,
  CLIP_EVENT_REMOVED = 3,
  CLIP_EVENT_CHANGED = 4,
  CLIP_EVENT_NOTE = 5,
  CLIP_EVENT_IMPORTED = 6, /* how many, in place of the id before */
} ClipEventKind;

/* in place of the id of what was removed: more than are listed */
#define CLIP_EVENT_MANY 0

/* in one transaction, and in one signal */
#define CLIP_EVENT_MOST_REMOVED 1000

typedef struct
{
  ClipEventKind kind;
  gint64 id;
  gint64 was; /* the id before it moved */
} ClipEvent;

/* A name that was a type or an origin stays: nothing counts the entries that have it. */
typedef enum
{
  CLIP_NAME_LASTING,
  CLIP_NAME_OF_TAG,
} ClipNameUse;

/* what is true of the history as a whole */
typedef struct
{
  gint64 count;
  gint64 bytes;
  gint64 pinned;
  gint64 pinned_bytes;
  gint64 last_id;
  gint64 first_loose;
} ClipSums;

/* what a transaction leaves to be done */
typedef enum
{
  CLIP_MARK_OVERWRITTEN = 1 << 0, /* the log still holds something that is gone */
  CLIP_MARK_IMAGE = 1 << 1, /* an entry whose thumbnail may lie there still is gone */
} ClipMark;

/* The rows, as changed inside of transactions: what happened, and which files may have
 * lost their last reference. One thread at a time. */
typedef struct ClipLedger ClipLedger;

/* how many entries one transaction removes; where the disk is full: at first, and then */
#define CLIP_STEP_ROWS 1000
#define CLIP_STEP_ROWS_SHORT 16
#define CLIP_STEP_ROWS_LEAST 1

ClipLedger *clip_ledger_new (ClipDatabase *database_take,
                             ClipBlobs *blobs,
                             gboolean journals,
                             GError **error);
void clip_ledger_free (ClipLedger *self);
void clip_ledger_move (ClipLedger *self, ClipDatabase *database_take);
ClipDatabase *clip_ledger_database (const ClipLedger *self);
ClipBlobs *clip_ledger_blobs (const ClipLedger *self);
ClipSums *clip_ledger_sums (ClipLedger *self);
GArray *clip_ledger_events (const ClipLedger *self);
gboolean clip_ledger_journals (const ClipLedger *self);
const char *clip_ledger_dir (const ClipLedger *self);
void clip_ledger_set_dir (ClipLedger *self, const char *dir);
guint clip_ledger_step_rows (const ClipLedger *self);
void clip_ledger_set_step_rows (ClipLedger *self, guint n);
gboolean clip_ledger_has_mark (const ClipLedger *self, ClipMark mark);
void clip_ledger_set_mark (ClipLedger *self, ClipMark mark, gboolean is_set);
gboolean clip_ledger_is_awaited (ClipLedger *self);
void clip_ledger_set_awaited (ClipLedger *self, gboolean is_awaited);
void clip_ledger_note_link (ClipLedger *self, const char *blob);

void clip_ledger_widen (ClipLedger *self);
gboolean clip_ledger_is_wide (const ClipLedger *self);
void clip_ledger_narrow (ClipLedger *self);

gboolean clip_ledger_begin (ClipLedger *self, GError **error);
gboolean clip_ledger_commit (ClipLedger *self, GError **error);
void clip_ledger_abandon (ClipLedger *self);

void clip_ledger_log (ClipLedger *self, ClipEventKind kind, gint64 id, gint64 was);
gboolean clip_ledger_has_news (const ClipLedger *self);
gboolean clip_ledger_begin_look (ClipLedger *self, GError **error);
void clip_ledger_end_look (ClipLedger *self);
ClipReader *clip_ledger_reader (ClipLedger *self);
gboolean clip_ledger_look (ClipLedger *self,
                           GArray *events,
                           gint64 *out_newest,
                           GError **error);
void clip_ledger_suspect (ClipLedger *self, const char *blob);
gboolean clip_ledger_clean (ClipLedger *self, GArray *fds, GError **error);
void clip_ledger_forget_name (ClipLedger *self);
gboolean clip_ledger_name (ClipLedger *self,
                           const char *text,
                           ClipNameUse use,
                           gint64 *out_id,
                           GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipLedger, clip_ledger_free)

G_END_DECLS
