/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which pages of the database are not to be read in its file, as long as a read goes on: those that
 * the log holds and that were not carried over when it began. Nobody may carry over more than the
 * read knows of, nor begin the log anew while it needs any of it: so nothing else changes.
 *
 * The numbers of the pages, in the order of the log, stand in its index, which all that have the
 * history open share (https://sqlite.org/walformat.html).
 */
#include "clip-leaf-log.h"

#include <string.h>

/* the first part of the index: a header, then the pages, then what finds a page */
#define INDEX_BYTES 32768
#define HEADER_WORDS 34
#define MAX_FRAMES (INDEX_BYTES / 2 / 4 - HEADER_WORDS)
#define VERSION 3007000
#define WORD_VERSION 0
#define WORD_N_FRAMES 4
#define WORD_N_CARRIED 24

static void
add (ClipLeafLog *self, guint32 page)
{
  guint bit = page % CLIP_LEAF_LOG_BITS;

  self->bits[bit / 8] |= (guint8) (1 << bit % 8);
}

gboolean
clip_leaf_log_has (const ClipLeafLog *self, guint32 page)
{
  guint bit = page % CLIP_LEAF_LOG_BITS;

  return self->bits[bit / 8] >> bit % 8 & 1;
}

static guint32
get_word (const guint32 *words, guint index)
{
  return (guint32) g_atomic_int_get ((const gint *) &words[index]);
}

/* In a read SQLite has mapped the index already. Others write to it meanwhile: what is carried
 * over only becomes more, what is added is not of this read, and where the index is begun anew
 * the read needs nothing of the log. */
static const guint32 *
map_index (sqlite3_file *file)
{
  volatile void *region = NULL;

  if (file->pMethods->iVersion < 2 || !file->pMethods->xShmMap ||
      file->pMethods->xShmMap (file, 0, INDEX_BYTES, FALSE, &region) != SQLITE_OK)
    return NULL;
  return (const guint32 *) region;
}

/**
 * clip_leaf_log_list:
 * @file: the database, in a read
 * @log: (nullable): not open where there is none
 *
 * Returns: whether it can be known
 */
gboolean
clip_leaf_log_list (ClipLeafLog *self, sqlite3_file *file, const sqlite3_file *log)
{
  const guint32 *words;
  guint32 n_carried, n_frames;

  memset (self, 0, sizeof *self);
  if (!log || !log->pMethods)
    return TRUE;
  words = map_index (file);
  if (!words)
    return FALSE;
  n_carried = get_word (words, WORD_N_CARRIED);
  n_frames = get_word (words, WORD_N_FRAMES);
  if (get_word (words, WORD_VERSION) != VERSION || n_frames > MAX_FRAMES)
    return FALSE;
  for (guint32 i = n_carried; i < n_frames; i++)
    add (self, get_word (words, HEADER_WORDS + i));
  return TRUE;
}
