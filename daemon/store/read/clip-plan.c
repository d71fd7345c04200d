/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From the newest entry down: what lies between segments is all to be looked at, and of a
 * segment the blocks that hold every trigram of an alternative. One segment is in memory
 * at a time, and what it said stays true when it is dropped meanwhile: entries leave, but
 * none comes at an id that was passed.
 */
#include "clip-plan.h"

#include "clip-postings.h"
#include "clip-read-sql.h"

#include <string.h>

struct ClipPlan
{
  ClipTerms *terms;
  guint n_loaded;
  gint64 until; /* for what lies before this id, the segment is the next one */
  gint64 first; /* of the segment; 0 = there is no further one */
  gint64 last;
  guint n_blocks;
  gint64 last_of[CLIP_SEGMENT_BLOCKS];
  ClipBlockSet wanted;
};

ClipPlan *
clip_plan_new (ClipTerms *terms_take)
{
  ClipPlan *self = g_new0 (ClipPlan, 1);

  self->terms = terms_take;
  return self;
}

void
clip_plan_free (ClipPlan *self)
{
  if (!self)
    return;
  clip_terms_free (self->terms);
  g_free (self);
}

/* how many segments it has asked so far: what it cost */
guint
clip_plan_n_loaded (const ClipPlan *self)
{
  return self->n_loaded;
}

static guint
count (const ClipBlockSet *set)
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (set->words); i++)
    n += (guint) __builtin_popcountll (set->words[i]);
  return n;
}

/* leaves of @set the blocks that hold the trigram, too */
static gboolean
narrow (ClipDatabase *database,
        gint64 number,
        guint32 trigram,
        ClipBlockSet *set,
        GError **error)
{
  gint64 wanted = number << 24 | trigram;
  ClipBlockSet holding = { { 0 } };
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      database, CLIP_READ_POSTINGS, error, "ii", wanted, number << 24);
  ClipRows state = clip_database_next (database, rows, error);

  if (state == CLIP_ROWS_FAILED)
    return FALSE;
  if (state == CLIP_ROWS_ROW)
    clip_postings_find (sqlite3_column_blob (rows, 1),
                        (gsize) sqlite3_column_bytes (rows, 1),
                        (guint32) (wanted - sqlite3_column_int64 (rows, 0)), &holding);
  for (guint i = 0; i < G_N_ELEMENTS (set->words); i++)
    set->words[i] &= holding.words[i];
  return TRUE;
}

static gboolean
ask (ClipPlan *self, ClipDatabase *database, gint64 number, GError **error)
{
  for (guint i = 0; i < self->terms->alternatives->len; i++)
    {
      const GArray *trigrams = self->terms->alternatives->pdata[i];
      ClipBlockSet set;

      memset (&set, 0xFF, sizeof set);
      /* one block is looked at as fast as another trigram */
      for (guint j = 0; j < trigrams->len && count (&set) > 1; j++)
        if (!narrow (database, number, g_array_index (trigrams, guint32, j), &set, error))
          return FALSE;
      for (guint j = 0; j < G_N_ELEMENTS (set.words); j++)
        self->wanted.words[j] |= set.words[j];
    }
  return TRUE;
}

/* FALSE = damaged: it counts as one block that is wanted */
static gboolean
read_blocks (ClipPlan *self, const guint8 *data, gsize length)
{
  gint64 last = self->first - 1;
  gsize at = sizeof (ClipBlockSet);

  if (length < at)
    return FALSE;
  clip_postings_read_set (data, &self->wanted);
  for (self->n_blocks = 0; at < length && self->n_blocks < CLIP_SEGMENT_BLOCKS;)
    {
      guint64 n;
      gsize used = clip_postings_read_number (data + at, length - at, &n);

      if (used == 0 || n == 0 || n > (guint64) (self->last - last))
        return FALSE;
      last += (gint64) n;
      self->last_of[self->n_blocks++] = last;
      at += used;
    }
  return at == length && last == self->last;
}

static gboolean
load (ClipPlan *self, ClipDatabase *database, gint64 before, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (database, CLIP_READ_SEGMENT, error, "i", before);
  ClipRows state = clip_database_next (database, rows, error);

  self->until = before;
  self->first = self->last = 0;
  if (state != CLIP_ROWS_ROW)
    return state == CLIP_ROWS_END;
  self->n_loaded++;
  self->first = sqlite3_column_int64 (rows, 1);
  self->last = sqlite3_column_int64 (rows, 2);
  if (read_blocks (self, sqlite3_column_blob (rows, 3),
                   (gsize) sqlite3_column_bytes (rows, 3)))
    return ask (self, database, sqlite3_column_int64 (rows, 0), error);
  self->n_blocks = 1;
  self->last_of[0] = self->last;
  clip_block_set_add (&self->wanted, 0);
  return TRUE;
}

static gint64
first_of (const ClipPlan *self, guint block)
{
  return block > 0 ? self->last_of[block - 1] + 1 : self->first;
}

/* the highest wanted blocks that follow each other; FALSE = there are none below */
static gboolean
find_blocks (const ClipPlan *self, gint64 before, ClipStretch *out_stretch)
{
  guint block = self->n_blocks;

  while (block > 0 && (first_of (self, block - 1) >= before ||
                       !clip_block_set_has (&self->wanted, block - 1)))
    block--;
  if (block == 0)
    return FALSE;
  out_stretch->last = MIN (self->last_of[block - 1], before - 1);
  while (block > 0 && clip_block_set_has (&self->wanted, block - 1))
    block--;
  out_stretch->first = first_of (self, block);
  return TRUE;
}

/**
 * clip_plan_next:
 * @before: ids below this one, and
 * @after: above this one
 * @out_stretch: (out): the newest that have to be looked at
 *
 * Within a read transaction: a segment and its rows are of one state.
 */
gboolean
clip_plan_next (ClipPlan *self,
                ClipDatabase *database,
                gint64 before,
                gint64 after,
                ClipStretch *out_stretch,
                GError **error)
{
  *out_stretch = (ClipStretch){ 0 };
  while (before - 1 > after)
    {
      if ((before > self->until || before <= self->first) &&
          !load (self, database, before, error))
        return FALSE;
      if (before - 1 > self->last)
        {
          out_stretch->first = self->last + 1;
          out_stretch->last = before - 1;
        }
      else if (!find_blocks (self, before, out_stretch))
        {
          before = self->first;
          continue;
        }
      out_stretch->first = MAX (out_stretch->first, after + 1);
      if (out_stretch->last <= after)
        *out_stretch = (ClipStretch){ 0 };
      return TRUE;
    }
  return TRUE;
}
