/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What there is to do follows from the tables alone, so that a process that is killed
 * leaves nothing unfinished behind: stale segments are dropped, and then the ids that no
 * segment covers are walked through from the lowest on, and covered where it is worth it.
 *
 * Dropping is for whoever writes: what was deleted is in the index until then. Building
 * is for the session's daemon, which has the time. Neither has state that matters: a
 * segment is made in memory out of short reads, and written in one transaction, which
 * makes sure that none of its entries has left meanwhile. None can have come: ids only
 * grow.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-indexer.h"

#include "clip-reader.h"
#include "clip-segment.h"

/* how much is read in one step */
#define STEP_ROWS 512
#define STEP_BYTES (256 * 1024)

/* segments that one step passes on the way to what none covers */
#define STEP_SEGMENTS 64

/* fewer neighbours than this are looked at faster than a segment is asked */
#define MIN_ENTRIES 512

/* when there may be enough for one more segment at the top */
#define MORE_ENTRIES (256 * 32)
#define MORE_BYTES (2 * 1024 * 1024)

struct ClipIndexer
{
  char *dir;
  ClipLedger *ledger; /* the writer's */
  gboolean builds;
  gint dropping;        /* atomic: something is stale */
  gint busy;            /* atomic: there is something to do */
  gint64 indexed_bytes; /* atomic: texts that are longer are not indexed */
  gboolean rests;       /* nothing can be written: until something has been */

  gboolean walking;
  gboolean again;   /* something was dropped that lies behind the walk */
  gint64 next;      /* the walk: every id below is covered, or stays uncovered */
  gint64 hole_last; /* with a segment: no segment covers @next to here */
  ClipSegment *segment;
  ClipReader *reader;

  gint64 due_id;    /* what the history has to reach for the next walk */
  gint64 due_bytes; /* or how much text that is indexed has to come, */
  gint64 new_bytes; /* of which so much has, at most */
  gint64 seen_id;
  gint64 seen_bytes;
};

/* more entries than come between two looks */
#define MANY_ENTRIES (1024 * 1024)

/* @builds: or only drops */
ClipIndexer *
clip_indexer_new (const char *dir, ClipLedger *ledger, gboolean builds)
{
  ClipIndexer *self = g_new0 (ClipIndexer, 1);

  self->dir = g_strdup (dir);
  self->ledger = ledger;
  self->builds = builds;
  self->indexed_bytes = CLIP_INDEX_BYTES;
  return self;
}

static void
clear_segment (ClipIndexer *self)
{
  g_clear_pointer (&self->segment, clip_segment_free);
}

void
clip_indexer_free (ClipIndexer *self)
{
  if (!self)
    return;
  clear_segment (self);
  clip_reader_free (self->reader);
  g_free (self->dir);
  g_free (self);
}

/* The history is another one, or gone: forgets all about it, and rests until
 * clip_indexer_look(). */
void
clip_indexer_restart (ClipIndexer *self)
{
  clear_segment (self);
  g_clear_pointer (&self->reader, clip_reader_free);
  self->walking = self->again = FALSE;
  self->rests = TRUE;
  self->due_id = self->due_bytes = self->new_bytes = 0;
  self->seen_id = self->seen_bytes = 0;
  g_atomic_int_set (&self->dropping, FALSE);
  g_atomic_int_set (&self->busy, FALSE);
}

/* from any thread; for what is indexed from now on */
void
clip_indexer_set_bytes (ClipIndexer *self, gint64 bytes)
{
  __atomic_store_n (&self->indexed_bytes, MAX (bytes, 0), __ATOMIC_RELAXED);
}

/* whether something deleted may still be found in the index; from any thread */
gboolean
clip_indexer_is_dropping (ClipIndexer *self)
{
  return g_atomic_int_get (&self->dropping);
}

/* whether there is something to do; from any thread */
gboolean
clip_indexer_is_busy (ClipIndexer *self)
{
  return g_atomic_int_get (&self->busy);
}

/* within the transaction in which an entry leaves its id */
gboolean
clip_indexer_forget (ClipLedger *ledger, gint64 id, GError **error)
{
  return clip_database_run (ledger->database, CLIP_SQL_FORGET_ENTRY, error, "i", id);
}

static gint64
find_stale (ClipIndexer *self)
{
  gint64 number;

  clip_database_number (self->ledger->database, CLIP_SQL_FIND_STALE, &number, NULL, "");
  return number;
}

static void
start_walk (ClipIndexer *self)
{
  clear_segment (self);
  self->walking = TRUE;
  self->again = FALSE;
  self->next = 1;
}

/* a film is no text to index: each new entry counts for as much as is indexed of one */
static void
note_growth (ClipIndexer *self)
{
  const ClipSums *sums = &self->ledger->sums;
  gint64 longest = __atomic_load_n (&self->indexed_bytes, __ATOMIC_RELAXED);
  gint64 n_entries = CLAMP (sums->last_id - self->seen_id, 0, MANY_ENTRIES);
  gint64 bytes = MAX (sums->bytes - self->seen_bytes, 0);

  self->new_bytes += MIN (bytes, n_entries * longest);
  self->seen_id = sums->last_id;
  self->seen_bytes = sums->bytes;
}

/**
 * clip_indexer_look:
 *
 * After a change by whomever, and at the start: sees what there is to do.
 */
void
clip_indexer_look (ClipIndexer *self)
{
  const ClipSums *sums = &self->ledger->sums;

  self->rests = FALSE;
  note_growth (self);
  g_atomic_int_set (&self->dropping, find_stale (self) != 0);
  if (self->builds && !self->walking &&
      (sums->last_id >= self->due_id || self->new_bytes >= self->due_bytes))
    start_walk (self);
  g_atomic_int_set (&self->busy, clip_indexer_wants (self));
}

/* whether clip_indexer_step() has something to do */
gboolean
clip_indexer_wants (ClipIndexer *self)
{
  return !self->rests && (clip_indexer_is_dropping (self) || self->walking);
}

static gboolean
drop_segment (ClipIndexer *self, gint64 number, GError **error)
{
  ClipDatabase *database = self->ledger->database;

  return clip_database_run (database, CLIP_SQL_DROP_SEARCH_ROWS, error, "ii",
                            number << 24, (number + 1) << 24) &&
         clip_database_run (database, CLIP_SQL_DROP_SEGMENT, error, "i", number);
}

/* one stale segment, in a transaction of its own */
static gboolean
drop_stale (ClipIndexer *self, GError **error)
{
  gint64 number;

  if (!clip_ledger_begin (self->ledger, error))
    return FALSE;
  number = find_stale (self);
  if ((number != 0 && !drop_segment (self, number, error)) ||
      !clip_ledger_commit (self->ledger, error))
    {
      clip_ledger_abandon (self->ledger);
      return FALSE;
    }
  self->ledger->has_removed = TRUE;
  g_atomic_int_set (&self->dropping, find_stale (self) != 0);
  if (self->builds && !self->walking)
    start_walk (self);
  self->again = TRUE;
  return TRUE;
}

/* at the top: what is there is too little for a segment */
static void
end_walk (ClipIndexer *self)
{
  gint64 n = clip_segment_n_entries (self->segment);
  gint64 bytes = (gint64) clip_segment_bytes (self->segment);

  self->due_id = self->next - 1 + MAX (MORE_ENTRIES - n, MIN_ENTRIES);
  self->due_bytes = MAX (MORE_BYTES - bytes, MORE_BYTES / 8);
  self->new_bytes = 0;
  self->walking = FALSE;
  clear_segment (self);
  if (self->again)
    start_walk (self);
  else
    g_clear_pointer (&self->reader, clip_reader_free);
}

/* begins with the next ids that no segment covers, unless they are too far */
static gboolean
find_hole (ClipIndexer *self, GError **error)
{
  for (guint i = 0; i < STEP_SEGMENTS; i++)
    {
      clip_autorows sqlite3_stmt *rows = clip_database_query (
          self->ledger->database, CLIP_SQL_NEXT_SEGMENT, error, "i", self->next);
      ClipRows state = clip_database_next (self->ledger->database, rows, error);
      gint64 first = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, 0) : 0;

      if (state == CLIP_ROWS_FAILED)
        return FALSE;
      if (state == CLIP_ROWS_END || first > self->next)
        {
          self->hole_last = state == CLIP_ROWS_ROW ? first - 1 : G_MAXINT64;
          self->segment = clip_segment_new (self->next);
          return TRUE;
        }
      self->next = sqlite3_column_int64 (rows, 1) + 1;
    }
  return TRUE;
}

/* whether the entries that were read are still there, and nobody was faster */
static gboolean
is_still_so (ClipIndexer *self, gint64 last, gboolean *out_so, GError **error)
{
  ClipDatabase *database = self->ledger->database;
  gint64 first = clip_segment_first (self->segment);
  gint64 n, covered;

  if (clip_database_number (database, CLIP_SQL_COUNT_ENTRIES, &n, error, "ii", first,
                            last) == CLIP_ROWS_FAILED ||
      clip_database_number (database, CLIP_SQL_END_OF_SEGMENT, &covered, error, "i",
                            last) == CLIP_ROWS_FAILED)
    return FALSE;
  *out_so = n == clip_segment_n_entries (self->segment) && covered < first;
  return TRUE;
}

static gboolean
write_segment (ClipIndexer *self, gint64 last, GError **error)
{
  gboolean so;

  if (!clip_ledger_begin (self->ledger, error))
    return FALSE;
  if (!is_still_so (self, last, &so, error) ||
      (so && !clip_segment_write (self->segment, self->ledger->database, last, error)) ||
      !clip_ledger_commit (self->ledger, error))
    {
      clip_ledger_abandon (self->ledger);
      return FALSE;
    }
  if (so)
    self->next = last + 1;
  else
    self->next = clip_segment_first (self->segment);
  clear_segment (self);
  return TRUE;
}

/* Between segments even a small one joins them. Not at the very bottom: what lies there
 * is trimmed, one entry with each copy. */
static gboolean
is_worth_it (const ClipIndexer *self)
{
  return clip_segment_first (self->segment) > 1 &&
         clip_segment_n_entries (self->segment) >= MIN_ENTRIES;
}

static gboolean
end_hole (ClipIndexer *self, GError **error)
{
  if (self->hole_last == G_MAXINT64)
    {
      end_walk (self);
      return TRUE;
    }
  if (is_worth_it (self))
    return write_segment (self, self->hole_last, error);
  self->next = self->hole_last + 1;
  clear_segment (self);
  return TRUE;
}

static gboolean
on_text (gint64 id, const void *text, gsize length, gpointer user_data)
{
  ClipIndexer *self = user_data;

  clip_segment_add (self->segment, id, text, length);
  return !clip_segment_is_full (self->segment);
}

static gboolean
read_some (ClipIndexer *self, GError **error)
{
  ClipTextRange range = { .first = self->next,
                          .last = self->hole_last,
                          .max_rows = STEP_ROWS,
                          .max_bytes = STEP_BYTES };
  gboolean more;

  range.longest = (gsize) __atomic_load_n (&self->indexed_bytes, __ATOMIC_RELAXED);
  if (!self->reader)
    self->reader = clip_reader_open (self->dir, error);
  if (!self->reader ||
      !clip_reader_texts (self->reader, &range, on_text, self, &more, error))
    return FALSE;
  self->next = range.first;
  if (clip_segment_is_full (self->segment))
    return write_segment (self, self->next - 1, error);
  return more || end_hole (self, error);
}

/**
 * clip_indexer_step:
 *
 * Does a millisecond or two of what there is to do, outside of any transaction. Where it
 * cannot, it rests until something has changed.
 */
void
clip_indexer_step (ClipIndexer *self)
{
  g_autoptr (GError) error = NULL;
  gboolean done;

  if (clip_indexer_is_dropping (self))
    done = drop_stale (self, &error);
  else if (!self->segment)
    done = find_hole (self, &error);
  else
    done = read_some (self, &error);
  if (!done)
    {
      g_info ("search index is not kept up for now: %s", error->message);
      self->rests = TRUE;
      if (self->walking)
        start_walk (self);
    }
  g_atomic_int_set (&self->busy, clip_indexer_wants (self));
}
