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

/* The rows, as changed inside of transactions: what happened, and which files may have
 * lost their last reference. One thread at a time. */
typedef struct
{
  ClipDatabase *database;
  ClipReader *reader; /* by the same connection; made when it is first wanted */
  ClipBlobs *blobs;
  ClipSums sums;     /* inside of a transaction */
  GArray *events;    /* ClipEvent: of this transaction */
  GPtrArray *linked; /* names that this transaction gave to files */
  char *name; /* (nullable): one that lasts, and was looked up in this transaction */
  gint64 name_id;
  GPtrArray *suspects;     /* names that nothing may refer to */
  guint n_arrivals;        /* among the events */
  gboolean journals;       /* for another process to announce */
  gint64 journal_end;      /* read so far */
  gint others_wait;        /* atomic: for this transaction to end */
  gboolean has_removed;    /* something was overwritten that the log still holds */
  gboolean has_lost_image; /* an entry whose thumbnail may lie there still is gone */
  const char *dir;  /* (nullable): of the history, where room is kept for deleting */
  gboolean is_wide; /* see clip_ledger_widen() */
  guint step_rows;  /* how many entries one transaction removes */

  gboolean is_known;     /* the sums are those of our last commit */
  guint32 known_version; /* of the data: another one = somebody has written since */
  gboolean is_behind;    /* what others have written is still to be announced */
  ClipSums begun_sums;
  ClipSums saved_sums;
  guint n_saved_events;
  guint n_saved_linked;
} ClipLedger;

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
void clip_ledger_widen (ClipLedger *self);
void clip_ledger_narrow (ClipLedger *self);

gboolean clip_ledger_begin (ClipLedger *self, GError **error);
gboolean clip_ledger_save (ClipLedger *self, GError **error);
gboolean clip_ledger_release (ClipLedger *self, GError **error);
gboolean clip_ledger_revert (ClipLedger *self);
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
