/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What belongs to the entries and is no content: that every row of it has its entry, and
 * that the sums are those of the rows.
 */
#include "clip-check-private.h"

#include "clip-error.h"

#define STEP_ROWS 2048

/* of the walks: two keys, and whether what they refer to is there */
enum
{
  COLUMN_FIRST,
  COLUMN_SECOND,
  COLUMN_IS_THERE,
};

typedef struct
{
  ClipRead statement;
  ClipFindingKind kind;
  int entry_key; /* which of the keys is an entry; -1 = neither */
  const char *text;
} Table;

static ClipRows
take_step (ClipCheck *self, const Table *table, gint64 keys[2], GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      self->reader->database, table->statement, error, "ii", keys[0], keys[1]);
  ClipRows state = CLIP_ROWS_ROW;

  for (guint n = 0; n < STEP_ROWS && state == CLIP_ROWS_ROW; n++)
    {
      state = clip_database_next (self->reader->database, rows, error);
      if (state != CLIP_ROWS_ROW)
        break;
      keys[0] = sqlite3_column_int64 (rows, COLUMN_FIRST);
      keys[1] = sqlite3_column_int64 (rows, COLUMN_SECOND);
      if (!sqlite3_column_int (rows, COLUMN_IS_THERE))
        clip_report_add (self->report, table->kind,
                         table->entry_key < 0 ? 0 : keys[table->entry_key], "", "%s",
                         table->text);
    }
  return state;
}

static gboolean
walk (ClipCheck *self, const Table *table, GError **error)
{
  gint64 keys[2] = { G_MININT64, G_MININT64 };
  g_autoptr (GError) local = NULL;
  ClipRows state = CLIP_ROWS_ROW;

  while (state == CLIP_ROWS_ROW)
    {
      if (!clip_check_is_on (self, error))
        return FALSE;
      state = take_step (self, table, keys, &local);
    }
  return state != CLIP_ROWS_FAILED ||
         clip_check_take_error (self->report, g_steal_pointer (&local), error);
}

/* the columns of what the history says of itself, and of what is counted */
enum
{
  SUM_COUNT,
  SUM_BYTES,
  SUM_PINNED,
  SUM_PINNED_BYTES,
  SUM_LAST_ID,
  SUM_FIRST_LOOSE,
  N_SUMS,
};

static gboolean
get_sums (ClipCheck *self, ClipRead statement, gint64 sums[N_SUMS], GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (self->reader->database, statement, error, "");
  ClipRows state = clip_database_next (self->reader->database, rows, error);

  for (int i = 0; i < N_SUMS; i++)
    sums[i] = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, i) : -1;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
are_right (const gint64 said[N_SUMS], const gint64 counted[N_SUMS])
{
  for (guint i = SUM_COUNT; i <= SUM_PINNED_BYTES; i++)
    if (said[i] != counted[i])
      return FALSE;
  return said[SUM_LAST_ID] >= counted[SUM_LAST_ID] &&
         said[SUM_FIRST_LOOSE] <= counted[SUM_FIRST_LOOSE];
}

/* as of one moment: one read, a fifth of a second for a million entries */
static gboolean
check_totals (ClipCheck *self, GError **error)
{
  ClipDatabase *database = self->reader->database;
  gint64 said[N_SUMS], counted[N_SUMS];
  gboolean done;

  if (!clip_check_is_on (self, error) ||
      !clip_database_run (database, CLIP_READ_BEGIN, error, ""))
    return FALSE;
  done = get_sums (self, CLIP_READ_SAID_SUMS, said, error) &&
         get_sums (self, CLIP_READ_COUNTED_SUMS, counted, error);
  clip_database_run (database, CLIP_READ_END, NULL, "");
  if (done && !are_right (said, counted))
    clip_report_add (self->report, CLIP_FINDING_TOTALS, 0, "",
                     "%" G_GINT64_FORMAT " entries with %" G_GINT64_FORMAT
                     " bytes are said to be there, and %" G_GINT64_FORMAT
                     " with %" G_GINT64_FORMAT " are",
                     said[SUM_COUNT], said[SUM_BYTES], counted[SUM_COUNT],
                     counted[SUM_BYTES]);
  return done;
}

/* what belongs to entries, and the totals */
gboolean
clip_check_tables (ClipCheck *self, GError **error)
{
  static const Table tables[] = {
    { CLIP_READ_CHECK_DUPS, CLIP_FINDING_DUPLICATES, 1,
      "what would find it by its bytes belongs to no entry" },
    { CLIP_READ_CHECK_TAGS, CLIP_FINDING_REFERENCE, 0,
      "a tag belongs to no entry, or has no name" },
    { CLIP_READ_CHECK_ORPHANS, CLIP_FINDING_REFERENCE, 0,
      "a content belongs to no entry" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!walk (self, &tables[i], error))
      return FALSE;
  return check_totals (self, error);
}
