/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entries come in the order of their ids and are put into blocks; a table of trigrams
 * collects in which blocks each occurs. Written is that table in the order of the
 * trigrams, some of them in each row, two rows a page. A block is as large as costs next
 * to nothing to look at, and a segment has as many as a byte can number: so looking
 * something up in it, writing it and dropping it take a millisecond or two.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-segment.h"

#include "clip-postings.h"
#include "clip-sql.h"
#include "clip-trigrams.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_ENTRIES 32
#define BLOCK_BYTES (8 * 1024)

/* what ends a segment before it has all of its blocks: long texts, and rich ones */
#define SEGMENT_BYTES (2 * 1024 * 1024)
#define SEGMENT_TRIGRAMS (96 * 1024)

/* with so many, one more text has its block looked at whatever is searched */
#define MAX_TRIGRAMS (128 * 1024)

#define FIRST_SLOTS (32 * 1024)

/* of two such rows, both are in one page */
#define ROW_BYTES 1980
#define LONGEST_POSTING_BYTES 40

typedef struct
{
  guint32 key; /* the trigram + 1; 0 = free */
  ClipBlockSet blocks;
} Slot;

struct ClipSegment
{
  gint64 first;
  gint64 last_of[CLIP_SEGMENT_BLOCKS]; /* the highest id in each block */
  guint n_blocks;
  guint n_in_block;
  gsize bytes_in_block;
  guint n_entries;
  gsize bytes;
  ClipBlockSet open; /* blocks that are always looked at */

  Slot *slots;
  guint n_slots; /* a power of two */
  guint n_trigrams;
  GByteArray *folded;
};

/* @first: the lowest id that the segment covers */
ClipSegment *
clip_segment_new (gint64 first)
{
  ClipSegment *self = g_new0 (ClipSegment, 1);

  self->first = first;
  self->n_slots = FIRST_SLOTS;
  self->slots = g_new0 (Slot, self->n_slots);
  self->folded = g_byte_array_new ();
  return self;
}

void
clip_segment_free (ClipSegment *self)
{
  if (!self)
    return;
  g_free (self->slots);
  g_byte_array_unref (self->folded);
  g_free (self);
}

static Slot *
find_slot (Slot *slots, guint n_slots, guint32 key)
{
  guint i = key * 2654435761u & (n_slots - 1);

  while (slots[i].key != 0 && slots[i].key != key)
    i = (i + 1) & (n_slots - 1);
  return &slots[i];
}

static void
grow (ClipSegment *self)
{
  guint n_slots = self->n_slots * 2;
  Slot *slots = g_new0 (Slot, n_slots);

  for (guint i = 0; i < self->n_slots; i++)
    if (self->slots[i].key != 0)
      *find_slot (slots, n_slots, self->slots[i].key) = self->slots[i];
  g_free (self->slots);
  self->slots = slots;
  self->n_slots = n_slots;
}

static void
add_trigram (ClipSegment *self, guint32 trigram)
{
  Slot *slot = find_slot (self->slots, self->n_slots, trigram + 1);

  clip_block_set_add (&slot->blocks, self->n_blocks - 1);
  if (slot->key != 0)
    return;
  slot->key = trigram + 1;
  if (++self->n_trigrams > self->n_slots / 2)
    grow (self);
}

static void
begin_block (ClipSegment *self)
{
  if (self->n_blocks > 0 && self->n_in_block < BLOCK_ENTRIES &&
      self->bytes_in_block < BLOCK_BYTES)
    return;
  self->n_blocks++;
  self->n_in_block = 0;
  self->bytes_in_block = 0;
}

static void
add_text (ClipSegment *self, const void *text, gsize length)
{
  clip_trigrams_fold (self->folded, text, length);
  for (gsize i = 0; i + CLIP_TRIGRAM_BYTES <= self->folded->len; i++)
    {
      if (self->n_trigrams >= MAX_TRIGRAMS)
        {
          clip_block_set_add (&self->open, self->n_blocks - 1);
          return;
        }
      add_trigram (self, clip_trigram_at (self->folded->data + i));
    }
}

/**
 * clip_segment_add:
 * @id: higher than any before
 * @text: (nullable): what of it is searched; %NULL = whatever is searched, this entry is
 * looked at
 *
 * To be called only while the segment is not full.
 */
void
clip_segment_add (ClipSegment *self, gint64 id, const void *text, gsize length)
{
  begin_block (self);
  self->last_of[self->n_blocks - 1] = id;
  self->n_in_block++;
  self->n_entries++;
  if (!text)
    {
      clip_block_set_add (&self->open, self->n_blocks - 1);
      return;
    }
  self->bytes_in_block += length;
  self->bytes += length;
  add_text (self, text, length);
}

/* one more entry belongs into the next one */
gboolean
clip_segment_is_full (const ClipSegment *self)
{
  return (self->n_blocks == CLIP_SEGMENT_BLOCKS &&
          (self->n_in_block == BLOCK_ENTRIES || self->bytes_in_block >= BLOCK_BYTES)) ||
         self->bytes >= SEGMENT_BYTES || self->n_trigrams >= SEGMENT_TRIGRAMS;
}

guint
clip_segment_n_entries (const ClipSegment *self)
{
  return self->n_entries;
}

/* of the texts in it */
gsize
clip_segment_bytes (const ClipSegment *self)
{
  return self->bytes;
}

/* the lowest id that it covers */
gint64
clip_segment_first (const ClipSegment *self)
{
  return self->first;
}

static gboolean
write_head (ClipSegment *self,
            ClipDatabase *database,
            gint64 last,
            gint64 *out_number,
            GError **error)
{
  g_autoptr (GByteArray) blocks = g_byte_array_new ();
  gint64 before = self->first - 1;

  self->last_of[self->n_blocks - 1] = last;
  clip_postings_append_set (blocks, &self->open);
  for (guint i = 0; i < self->n_blocks; i++)
    {
      clip_postings_append_number (blocks, (guint64) (self->last_of[i] - before));
      before = self->last_of[i];
    }
  if (!clip_database_run (database, CLIP_SQL_ADD_SEGMENT, error, "iib", self->first, last,
                          blocks->data, (gsize) blocks->len))
    return FALSE;
  *out_number = sqlite3_last_insert_rowid (clip_database_handle (database));
  return TRUE;
}

static int
compare_slots (const void *a, const void *b)
{
  const Slot *first = *(const Slot *const *) a;
  const Slot *second = *(const Slot *const *) b;

  return first->key < second->key ? -1 : first->key > second->key;
}

/* (transfer container) (element-type Slot): those in use, in the order of their trigrams
 */
static GPtrArray *
sort_slots (ClipSegment *self)
{
  GPtrArray *used = g_ptr_array_sized_new (self->n_trigrams);

  for (guint i = 0; i < self->n_slots; i++)
    if (self->slots[i].key != 0)
      g_ptr_array_add (used, &self->slots[i]);
  if (used->len > 0)
    qsort (used->pdata, used->len, sizeof (gpointer), compare_slots);
  return used;
}

/* Returns: how many of the slots from @start on are in the row */
static guint
fill_row (GByteArray *row, const GPtrArray *used, guint start)
{
  guint i;

  g_byte_array_set_size (row, 0);
  for (i = start; i < used->len && row->len + LONGEST_POSTING_BYTES <= ROW_BYTES; i++)
    {
      const Slot *slot = used->pdata[i];
      const Slot *before = used->pdata[i > start ? i - 1 : i];

      clip_postings_append (row, slot->key - before->key, &slot->blocks);
    }
  return i - start;
}

/**
 * clip_segment_write:
 * @last: the highest id that it covers: of the last entry, or higher where none follows
 *
 * Within a transaction; to a segment that has an entry.
 */
gboolean
clip_segment_write (ClipSegment *self,
                    ClipDatabase *database,
                    gint64 last,
                    GError **error)
{
  g_autoptr (GPtrArray) used = sort_slots (self);
  g_autoptr (GByteArray) row = g_byte_array_new ();
  gint64 number;

  if (!write_head (self, database, last, &number, error))
    return FALSE;
  for (guint i = 0; i < used->len;)
    {
      gint64 trigram = ((const Slot *) used->pdata[i])->key - 1;

      i += fill_row (row, used, i);
      if (!clip_database_run (database, CLIP_SQL_ADD_SEARCH_ROW, error, "ib",
                              number << 24 | trigram, row->data, (gsize) row->len))
        return FALSE;
    }
  return TRUE;
}
