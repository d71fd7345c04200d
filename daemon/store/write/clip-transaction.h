/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blobs.h"
#include "clip-reader.h"
#include "clip-statements.h"
#include "clip-write-sql.h"
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

/* what a transaction leaves to be done */
typedef enum
{
  CLIP_MARK_OVERWRITTEN = 1 << 0, /* the log still holds something that is gone */
  CLIP_MARK_IMAGE = 1 << 1, /* an entry whose thumbnail may lie there still is gone */
} ClipMark;

/* The rows, as changed inside of transactions: what happened, and which files may have
 * lost their last reference. One thread at a time. */
typedef struct ClipTransaction ClipTransaction;

/* how many entries one transaction removes; where the disk is full: at first, and then */
#define CLIP_TRANSACTION_ROWS 1000
#define CLIP_TRANSACTION_ROWS_SHORT 16
#define CLIP_TRANSACTION_ROWS_LEAST 1

ClipTransaction *clip_transaction_new (const char *dir,
                                       ClipStatements *database_take,
                                       ClipBlobs *blobs,
                                       gboolean journals,
                                       GError **error);
void clip_transaction_free (ClipTransaction *self);
void clip_transaction_move (ClipTransaction *self, ClipStatements *database_take);
ClipStatements *clip_transaction_db (const ClipTransaction *self);
ClipBlobs *clip_transaction_blobs (const ClipTransaction *self);
ClipTotals *clip_transaction_totals (ClipTransaction *self);
GArray *clip_transaction_events (const ClipTransaction *self);
gboolean clip_transaction_journals (const ClipTransaction *self);
const char *clip_transaction_dir (const ClipTransaction *self);
guint clip_transaction_step_rows (const ClipTransaction *self);
void clip_transaction_set_step_rows (ClipTransaction *self, guint n);
gboolean clip_transaction_is_wiped_since (const ClipTransaction *self, gint64 us);
void clip_transaction_set_wiped (ClipTransaction *self, gint64 us);
gboolean clip_transaction_has_mark (const ClipTransaction *self, ClipMark mark);
void clip_transaction_set_mark (ClipTransaction *self, ClipMark mark, gboolean is_set);
void clip_transaction_note_link (ClipTransaction *self, const char *blob);

gboolean clip_transaction_begin (ClipTransaction *self, GError **error);
gboolean clip_transaction_commit (ClipTransaction *self, GError **error);
gboolean clip_transaction_cut (ClipTransaction *self, GError **error);
void clip_transaction_abandon (ClipTransaction *self);
void clip_transaction_forget (ClipTransaction *self);

void clip_transaction_add_event (ClipTransaction *self,
                                 ClipEventKind kind,
                                 gint64 id,
                                 gint64 was);
gboolean clip_transaction_has_news (const ClipTransaction *self);
gboolean clip_transaction_begin_look (ClipTransaction *self, GError **error);
void clip_transaction_end_look (ClipTransaction *self);
ClipReader *clip_transaction_reader (ClipTransaction *self);
gboolean clip_transaction_look (ClipTransaction *self,
                                GArray *events,
                                gint64 *out_newest,
                                GError **error);
void clip_transaction_suspect (ClipTransaction *self, const char *blob);
void clip_transaction_suspect_row (ClipTransaction *self, const char *name);
gboolean clip_transaction_clean (ClipTransaction *self, GArray *fds, GError **error);
gboolean clip_transaction_collect (ClipTransaction *self,
                                   sqlite3_stmt *rows_take,
                                   GArray *ids,
                                   GError **error);
gboolean clip_transaction_intern (ClipTransaction *self,
                                  const char *text,
                                  ClipNameUse use,
                                  gint64 *out_id,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTransaction, clip_transaction_free)

G_END_DECLS
