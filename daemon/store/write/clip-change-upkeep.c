/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a history needs from time to time, and no caller asks for. */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-private.h"

typedef struct
{
  ClipChange base;
  char **names;
} Sweep;

typedef struct
{
  ClipChange base;
  gint64 blob;
  ClipBlobState state;
} NoteBlob;

typedef struct
{
  ClipChange base;
  const gint *stops;
} ReturnPages;

static ClipChangeStep
run_nothing (ClipChange *change G_GNUC_UNUSED,
             ClipTransaction *transaction G_GNUC_UNUSED,
             GError **error G_GNUC_UNUSED)
{
  return CLIP_CHANGE_DONE;
}

static const ClipChangeKind touch_kind = {
  .name = "touch",
  .is_asked_for = TRUE,
  .bytes = sizeof (ClipChange),
  .run = run_nothing,
};

/* changes nothing, but as a change does it: what the file at db-path asks for is done,
 * and afterwards that is as it should be */
ClipChange *
clip_change_touch (void)
{
  return clip_change_new (&touch_kind);
}

static ClipChangeStep
run_sweep (ClipChange *change, ClipTransaction *transaction, GError **error G_GNUC_UNUSED)
{
  for (char **name = ((Sweep *) change)->names; name && *name; name++)
    clip_transaction_suspect (transaction, *name);
  return CLIP_CHANGE_DONE;
}

static void
clear_sweep (ClipChange *change)
{
  g_strfreev (((Sweep *) change)->names);
}

static const ClipChangeKind sweep_kind = {
  .name = "sweep",
  .bytes = sizeof (Sweep),
  .run = run_sweep,
  .clear = clear_sweep,
};

/* @names_take: (nullable): of files that a row may refer to, or not; %NULL: only what
 * comes before any change is done */
ClipChange *
clip_change_sweep (char **names_take)
{
  Sweep *self = clip_change_new (&sweep_kind);

  self->names = names_take;
  return &self->base;
}

/* some pages a step, behind the changes that wait, which may free others; until a step
 * gives none back */
static ClipChangeStep
run_return_pages (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  ClipStatements *db = clip_transaction_db (transaction);
  ClipSql statement = clip_transaction_step_rows (transaction) == CLIP_TRANSACTION_ROWS
                          ? CLIP_SQL_RETURN_PAGES
                          : CLIP_SQL_RETURN_FEW_PAGES;
  const ReturnPages *self = (ReturnPages *) change;
  gint64 n_before, n_left;

  if (clip_statements_number (db, CLIP_SQL_GET_FREE_PAGES, &n_before, error, "") !=
          CLIP_ROWS_ROW ||
      !clip_statements_run (db, statement, error, "") ||
      clip_statements_number (db, CLIP_SQL_GET_FREE_PAGES, &n_left, error, "") !=
          CLIP_ROWS_ROW)
    return CLIP_CHANGE_FAILED;
  change->now.outcome.n = n_left;
  return n_left > 0 && n_left < n_before &&
                 !(self->stops && g_atomic_int_get (self->stops))
             ? CLIP_CHANGE_MORE
             : CLIP_CHANGE_DONE;
}

static const ClipChangeKind return_pages_kind = {
  .name = "return pages",
  .gives_room = TRUE,
  .yields = TRUE,
  .empties_log = TRUE,
  .bytes = sizeof (ReturnPages),
  .run = run_return_pages,
};

/* Gives the pages back that are unused, and says how many are left. VACUUM would write
 * all of the history anew, and keep everybody from changing it meanwhile.
 * @stops: (nullable): atomic, outlives the change; once it is true, the step under way
 * is the last */
ClipChange *
clip_change_return_pages (const gint *stops)
{
  ReturnPages *self = clip_change_new (&return_pages_kind);

  self->stops = stops;
  return &self->base;
}

static ClipChangeStep
run_note_blob (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  const NoteBlob *self = (NoteBlob *) change;

  return clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_NOTE_BLOB,
                              error, "iii", self->blob, self->state.inode,
                              self->state.changed_ns)
             ? CLIP_CHANGE_DONE
             : CLIP_CHANGE_FAILED;
}

static const ClipChangeKind note_blob_kind = {
  .name = "note blob",
  .bytes = sizeof (NoteBlob),
  .run = run_note_blob,
};

/* @state: in which its bytes are known to be right */
ClipChange *
clip_change_note_blob (gint64 blob, const ClipBlobState *state)
{
  NoteBlob *self = clip_change_new (&note_blob_kind);

  self->blob = blob;
  self->state = *state;
  return &self->base;
}
