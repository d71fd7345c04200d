/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * To step from row to row through SQLite takes two to three times as long as to read the pages.
 * So a list, and a search that looks at many texts, take the rows out of the pages of their table
 * themselves, within a read of SQLite's, by its own descriptor.
 *
 * What makes that right: as long as a read goes on, the only pages of the file that anybody changes
 * are those that the log holds and that were not carried over when the read began. Which they are
 * stands in the index of the log (clip-leaf-log). These pages, rows that go on in other pages and rows of files
 * are left to SQLite, which knows the log. Where something looks odd, all that follows is: it says what is
 * damaged, and steps over what leads to a page, where to seek by it would miss rows.
 */
#include "clip-leaves.h"

#include "clip-leaf-log.h"
#include "clip-read-sql.h"

#include <string.h>

#define PAGE_BYTES CLIP_LEAF_PAGE_BYTES
#define MAX_LEVELS 8

/* neighbours are read together, more and more of them */
#define FIRST_AHEAD 4
#define MAX_AHEAD 16

/* a page that leads to others: the mark, then at these places */
#define NODE_MARK 5
#define NODE_LAST_CHILD 8
#define NODE_SLOTS 12

/* where a page is to be read */
typedef enum
{
  PLACE_FILE,
  PLACE_LOG, /* by SQLite: what is above `low` and not above `last` */
  PLACE_ODD,
} Place;

typedef struct
{
  guint8 bytes[PAGE_BYTES];
} Node;

struct ClipLeaves
{
  ClipDatabase *database;
  ClipLeavesSieve sieve; /* NULL = all are wanted */
  gpointer sieve_data;
  sqlite3_file *file; /* NULL = it cannot be done */
  guint32 root;
  guint32 version; /* of the data that all below is of */
  gboolean known;  /* there is something below */
  ClipLeafLog log;
  guint32 numbers[MAX_LEVELS]; /* of the nodes, apart: to forget them touches no page */
  Node nodes[MAX_LEVELS];
  int depth; /* of the pages of rows; -1 = not known yet */
  guint32 ahead_first;
  guint32 n_ahead;
  guint32 most_ahead;
  guint8 ahead[MAX_AHEAD * PAGE_BYTES];

  const guint8 *page; /* where we are; NULL = to be found */
  gboolean walks;     /* from the page behind it: all of it is to be read */
  gsize room;         /* then: what the rows that are still to be read take of it */
  gint64 low;         /* what it holds is above this id */
  gint64 high;        /* and not above this one */
  int index;          /* of the row that comes next */
  gint64 last;        /* which is this one at most */
  gint64 first;       /* and not below this one */
  gint64 below;       /* all that is above this one was handed out */
};

/* @database: borrowed */
ClipLeaves *
clip_leaves_new (ClipDatabase *database)
{
  ClipLeaves *self = g_malloc (sizeof *self); /* most of it is filled when it is needed */

  self->database = database;
  self->sieve = NULL;
  self->file = NULL;
  self->known = FALSE;
  self->page = NULL;
  self->last = 0;
  return self;
}

void
clip_leaves_free (ClipLeaves *self)
{
  g_free (self);
}

static gboolean
read_bytes (ClipLeaves *self, void *bytes, int length, gint64 offset)
{
  return self->file->pMethods->xRead (self->file, bytes, length, offset) == SQLITE_OK;
}

static gboolean
has_usual_pages (ClipLeaves *self)
{
  guint8 header[5]; /* from byte 16 of the file on */

  return read_bytes (self, header, sizeof header, 16) &&
         clip_leaf_get_16 (header) == PAGE_BYTES && header[4] == 0;
}

/* what is to be known of the database as it is in this read */
static gboolean
look (ClipLeaves *self)
{
  sqlite3 *db = clip_database_handle (self->database);
  sqlite3_file *log = NULL;

  memset (self->numbers, 0, sizeof self->numbers);
  self->depth = -1;
  self->n_ahead = 0;
  self->most_ahead = FIRST_AHEAD;
  sqlite3_file_control (db, "main", SQLITE_FCNTL_FILE_POINTER, &self->file);
  sqlite3_file_control (db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  return self->file && self->file->pMethods && has_usual_pages (self) &&
         clip_leaf_log_list (&self->log, self->file, log);
}

/**
 * clip_leaves_begin:
 *
 * In a read transaction, before anything is read in it.
 *
 * Returns: whether it can be done; if not, all is to be asked of SQLite
 */
gboolean
clip_leaves_begin (ClipLeaves *self)
{
  guint32 version = 0;
  gint64 root;

  /* this is where the read begins */
  if (clip_database_number (self->database, CLIP_READ_ROOT, &root, NULL, "") !=
      CLIP_ROWS_ROW)
    return FALSE;
  sqlite3_file_control (clip_database_handle (self->database), "main",
                        SQLITE_FCNTL_DATA_VERSION, &version);
  self->page = NULL;
  if (self->known && version == self->version && root == self->root)
    return TRUE;
  self->root = (guint32) root;
  self->version = version;
  self->known = root > 1 && look (self);
  return self->known;
}

/**
 * clip_leaves_set_sieve:
 * @sieve: (nullable): asked of a page before its rows are
 */
void
clip_leaves_set_sieve (ClipLeaves *self, ClipLeavesSieve sieve, gpointer data)
{
  self->sieve = sieve;
  self->sieve_data = data;
}

/**
 * clip_leaves_seek:
 * @stretch: the ids to be read, after clip_leaves_begin()
 */
void
clip_leaves_seek (ClipLeaves *self, const ClipStretch *stretch)
{
  self->page = NULL;
  self->walks = FALSE;
  self->first = stretch->first;
  self->last = self->below = stretch->last;
}

static guint
n_keys (const Node *node)
{
  return clip_leaf_get_16 (node->bytes + 3);
}

/* @out_bytes: (out): how many it takes in the page */
static gboolean
read_cell (const Node *node,
           guint index,
           guint32 *out_number,
           gint64 *out_key,
           gsize *out_bytes)
{
  const guint8 *end = node->bytes + PAGE_BYTES;
  const guint8 *slot = node->bytes + NODE_SLOTS + 2 * index;
  const guint8 *cell, *after;
  guint64 key;

  if (slot + 2 > end)
    return FALSE;
  cell = node->bytes + clip_leaf_get_16 (slot);
  if (cell + 4 >= end || !clip_leaf_number (cell + 4, end, &key, &after))
    return FALSE;
  *out_number = clip_leaf_get_32 (cell);
  *out_key = (gint64) key;
  *out_bytes = (gsize) (after - cell);
  return TRUE;
}

/* @out_key: of no child that has a smaller index, or that is this one, is there a higher id */
static gboolean
get_child (const Node *node, guint index, guint32 *out_number, gint64 *out_key)
{
  gsize bytes;

  if (index != n_keys (node))
    return read_cell (node, index, out_number, out_key, &bytes);
  *out_number = clip_leaf_get_32 (node->bytes + NODE_LAST_CHILD);
  *out_key = G_MAXINT64;
  return TRUE;
}

/* What a search by halves takes for granted, and that no child is missing. Its ids are above @low and
 * not above @high. */
static gboolean
has_order (const Node *node, gint64 low, gint64 high)
{
  guint n = n_keys (node);
  gint64 key = low;
  gsize room;

  if (n < 1 || n > CLIP_LEAF_MAX_CELLS ||
      !clip_leaf_room (node->bytes, NODE_SLOTS, &room))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      gint64 before = key;
      guint32 number;
      gsize bytes;

      if (!read_cell (node, i, &number, &key, &bytes) || key <= before || bytes > room)
        return FALSE;
      room -= bytes;
    }
  return key <= high && room == 0;
}

static const Node *
load_node (ClipLeaves *self, int level, guint32 number)
{
  Node *node = &self->nodes[level];

  if (self->numbers[level] == number)
    return node;
  self->numbers[level] = 0;
  if (!read_bytes (self, node->bytes, PAGE_BYTES, (number - 1) * (gint64) PAGE_BYTES) ||
      (node->bytes[0] == NODE_MARK && !has_order (node, self->low, self->high)))
    return NULL;
  self->numbers[level] = number;
  return node;
}

/* the child that holds `last`; between `low` and `high` are its ids then */
static gboolean
find_child (ClipLeaves *self, const Node *node, guint *out_index, guint32 *out_number)
{
  guint from = 0, to = n_keys (node);
  guint32 number;
  gint64 key;

  while (from < to)
    {
      guint middle = (from + to) / 2;

      if (!get_child (node, middle, &number, &key))
        return FALSE;
      if (key >= self->last)
        to = middle;
      else
        {
          from = middle + 1;
          self->low = MAX (self->low, key);
        }
    }
  *out_index = from;
  if (!get_child (node, from, out_number, &key))
    return FALSE;
  self->high = MIN (self->high, key);
  return *out_number > 1;
}

/* neighbours that come next and lie close by; the range grows to both sides */
static void
find_neighbours (const ClipLeaves *self,
                 const Node *parent,
                 guint index,
                 guint32 *from,
                 guint32 *to)
{
  guint32 number;
  gint64 key;

  while (index-- > 0 && get_child (parent, index, &number, &key) && key >= self->first &&
         number > 1 && !clip_leaf_log_has (&self->log, number) &&
         MAX (*to, number) - MIN (*from, number) < self->most_ahead)
    {
      *from = MIN (*from, number);
      *to = MAX (*to, number);
    }
}

static const guint8 *
load_leaf (ClipLeaves *self, const Node *parent, guint index, guint32 number)
{
  guint32 from = number, to = number;

  if (number - self->ahead_first >= self->n_ahead)
    {
      find_neighbours (self, parent, index, &from, &to);
      self->ahead_first = from;
      self->n_ahead = 0;
      if (!read_bytes (self, self->ahead, (int) (to - from + 1) * PAGE_BYTES,
                       (from - 1) * (gint64) PAGE_BYTES))
        return NULL;
      self->n_ahead = to - from + 1;
      self->most_ahead = MIN (self->most_ahead * 2, MAX_AHEAD);
    }
  return self->ahead + (gsize) (number - self->ahead_first) * PAGE_BYTES;
}

/* Whoever seeks takes the order for granted, whoever reads all of a page sees it. */
static gboolean
is_odd_leaf (ClipLeaves *self, const guint8 *bytes)
{
  if (self->walks)
    return clip_leaf_seems_odd (bytes, self->low, self->high, &self->room);
  return clip_leaf_is_odd (bytes, self->low, self->high);
}

/* @level: 0 = no page leads to it, and it may be empty */
static gboolean
is_odd (ClipLeaves *self, int level, const guint8 *bytes)
{
  if (bytes[0] == NODE_MARK)
    return level == self->depth;
  return bytes[0] != CLIP_LEAF_MARK ||
         ((level > 0 || clip_leaf_n_rows (bytes) > 0) && is_odd_leaf (self, bytes));
}

/* the page that holds `last` */
static Place
descend (ClipLeaves *self)
{
  guint32 number = self->root;
  const Node *node = NULL;
  guint index = 0;

  self->low = 0;
  self->high = G_MAXINT64;
  for (int level = 0; level < MAX_LEVELS; level++)
    {
      const guint8 *bytes = NULL;

      if (clip_leaf_log_has (&self->log, number))
        return PLACE_LOG;
      if (node && level == self->depth)
        bytes = load_leaf (self, node, index, number);
      else if ((node = load_node (self, level, number)))
        bytes = node->bytes;
      if (!bytes || is_odd (self, level, bytes))
        return PLACE_ODD;
      if (bytes[0] == CLIP_LEAF_MARK)
        {
          self->depth = level;
          self->page = bytes;
          return PLACE_FILE;
        }
      if (!find_child (self, node, &index, &number))
        return PLACE_ODD;
    }
  return PLACE_ODD;
}

/* of the last row that is not above `last`; -1 = there is none */
static Place
find_index (ClipLeaves *self)
{
  int from = 0, to = (int) clip_leaf_n_rows (self->page);
  ClipLeafRow row = { 0 };

  while (!self->walks && from < to)
    {
      int middle = (from + to) / 2;

      if (clip_leaf_read (self->page, (guint) middle, &row) == CLIP_LEAF_ODD)
        return PLACE_ODD;
      if (row.id <= self->last)
        from = middle + 1;
      else
        to = middle;
    }
  self->index = to - 1;
  return PLACE_FILE;
}

/* the next row is in the page before */
static void
walk (ClipLeaves *self)
{
  self->last = self->low;
  self->page = NULL;
  self->walks = TRUE;
}

/* all of the page that is left */
static ClipLeavesStep
leave_rest (ClipLeaves *self, ClipLeavesStep step, ClipStretch *out_ask)
{
  *out_ask = (ClipStretch){ MAX (self->first, MAX (self->low, 0) + 1), self->last };
  walk (self);
  self->below = self->last;
  return out_ask->first <= out_ask->last ? step : CLIP_LEAVES_END;
}

static ClipLeavesStep
ask_rest (ClipLeaves *self, ClipStretch *out_ask)
{
  return leave_rest (self, CLIP_LEAVES_ASK, out_ask);
}

/* All of it is to be read, and none of it wanted. Rows that are not all here, or look odd, are
 * looked at one by one. */
static gboolean
is_unwanted (const ClipLeaves *self)
{
  return self->sieve && self->walks && self->low >= self->first - 1 &&
         clip_leaf_is_simple (self->page, self->low, self->last, self->room) &&
         !self->sieve (self->page, PAGE_BYTES, self->sieve_data);
}

/* all that is left, if anything is: who steps from row to row gets to more of it than who seeks. A row with an id
 * that no entry can have would end a list from the first one on, and is SQLite's to look at. */
static ClipLeavesStep
ask_all (ClipLeaves *self, ClipStretch *out_ask)
{
  *out_ask = (ClipStretch){ self->first > 1 ? self->first : G_MININT64, self->below };
  self->page = NULL;
  self->last = self->first - 1;
  return CLIP_LEAVES_ODD;
}

/* Returns: whether the row that comes next is one, and in its order */
static gboolean
peek (const ClipLeaves *self, ClipLeafRow *row, gboolean *out_is_simple)
{
  ClipLeafResult result = clip_leaf_read (self->page, (guint) self->index, row);

  *out_is_simple = result == CLIP_LEAF_WHOLE && !row->has_blob;
  return result != CLIP_LEAF_ODD && row->id <= self->last && row->id > self->low;
}

static void
pass (ClipLeaves *self, const ClipLeafRow *row)
{
  self->index--;
  self->room -= row->taken_bytes;
  self->last = self->below = row->id - 1;
}

/* with those that follow and are no simpler */
static ClipLeavesStep
ask_row (ClipLeaves *self, ClipLeafRow *row, ClipStretch *out_ask)
{
  gboolean is_simple;

  *out_ask = (ClipStretch){ row->id, row->id };
  while (self->index >= 0 && peek (self, row, &is_simple) && !is_simple &&
         row->id >= self->first)
    {
      pass (self, row);
      out_ask->first = row->id;
    }
  return CLIP_LEAVES_ASK;
}

/* All of a page was to be read, and the ids came to their end before its rows did, or the other way
 * round. */
static gboolean
is_left_over (const ClipLeaves *self)
{
  return self->page && self->walks && self->low >= self->first - 1 &&
         (self->index >= 0 || self->room != 0);
}

/**
 * clip_leaves_next:
 * @row: (out): borrowed until the next call
 * @out_ask: (out): ids that are to be asked of SQLite, or were passed over, and come before
 * those of the next call
 */
ClipLeavesStep
clip_leaves_next (ClipLeaves *self, ClipLeafRow *row, ClipStretch *out_ask)
{
  gboolean is_simple;

  for (;;)
    {
      Place place = PLACE_FILE;

      if (self->last < self->first)
        return is_left_over (self) ? ask_all (self, out_ask) : CLIP_LEAVES_END;
      if (!self->page && (place = descend (self)) == PLACE_FILE)
        {
          if (is_unwanted (self))
            return leave_rest (self, CLIP_LEAVES_PASSED, out_ask);
          place = find_index (self);
        }
      if (place != PLACE_FILE)
        return (place == PLACE_LOG ? ask_rest : ask_all) (self, out_ask);
      if (self->index >= 0)
        break;
      if (self->walks && self->room != 0)
        return ask_all (self, out_ask);
      walk (self);
    }
  if (!peek (self, row, &is_simple))
    return ask_all (self, out_ask);
  if (row->id < self->first)
    return CLIP_LEAVES_END;
  pass (self, row);
  return is_simple ? CLIP_LEAVES_ROW : ask_row (self, row, out_ask);
}

/* Returns: whether the pages of these ids, as far as they are not SQLite's to read, are as they should be;
 * after clip_leaves_begin() */
gboolean
clip_leaves_are_whole (ClipLeaves *self, const ClipStretch *stretch)
{
  clip_leaves_seek (self, stretch);
  while (self->last >= self->first)
    {
      if (descend (self) == PLACE_ODD)
        return FALSE;
      walk (self);
      self->walks = FALSE;
    }
  return TRUE;
}
