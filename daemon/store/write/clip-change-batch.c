/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-batch.h"

#include "clip-connect.h"
#include "clip-error.h"
#include "clip-reserve.h"

/* how often a change may find the disk full before it fails */
#define MAX_RETRIES 2

/* The first of @batch fails, or is to be prepared again. The transaction is taken back,
 * and those before it are done again: one that finds no room takes no other with it. */
static void
take_back (ClipTransaction *transaction,
           GQueue *batch,
           GQueue *through,
           ClipChangeStep step)
{
  ClipChange *culprit = g_queue_peek_head (batch);

  clip_transaction_abandon (transaction);
  culprit->prepared = step != CLIP_CHANGE_AGAIN;
  if (step == CLIP_CHANGE_FAILED && !culprit->error)
    g_set_error (&culprit->error, CLIP_ERROR, CLIP_ERROR_FAILED, "change history");
  while (through->length > 0)
    g_queue_push_head (batch, g_queue_pop_tail (through));
  g_queue_foreach (batch, (GFunc) (gpointer) clip_change_revert, NULL);
}

static void
prepare (ClipChange *change)
{
  change->yields = FALSE; /* of its last step */
  if (!change->prepared && !change->error)
    change->prepared = clip_change_prepare (change, &change->error);
}

/* Outside of the transaction an entry that it adds and moves never had the id between: it
 * comes as one that was there before. */
static void
follow (const GQueue *through, const ClipOutcome *moved)
{
  for (GList *link = through->head; link && moved->moved_from != 0; link = link->next)
    {
      ClipOutcome *earlier = &((ClipChange *) link->data)->now.outcome;

      if (earlier->id != moved->moved_from)
        continue;
      earlier->id = moved->id;
      if (earlier->moved_from == 0)
        earlier->moved_from = moved->moved_from;
    }
}

/* those that are through move to @through */
static ClipChangeStep
run_batch (ClipTransaction *transaction, GQueue *batch, GQueue *through)
{
  while (batch->length > 0)
    {
      ClipChange *change = g_queue_peek_head (batch);
      ClipChangeStep step = change->error
                                ? CLIP_CHANGE_DONE
                                : change->kind->run (change, transaction, &change->error);

      follow (through, &change->now.outcome);
      if (step != CLIP_CHANGE_DONE)
        return step;
      g_queue_push_tail (through, g_queue_pop_head (batch));
    }
  return CLIP_CHANGE_DONE;
}

/* all of @batch is through, and has failed with what is through already */
void
clip_change_batch_fail (GQueue *batch, GQueue *through, const GError *error)
{
  while (batch->length > 0)
    g_queue_push_tail (through, g_queue_pop_head (batch));
  for (GList *link = through->head; link; link = link->next)
    {
      ClipChange *change = link->data;

      if (!change->error)
        change->error = g_error_copy (error);
    }
}

/**
 * clip_change_batch_commit:
 * @batch: (element-type ClipChange): what remains in it is for the next transaction
 * @through: (element-type ClipChange): empty; gets those that are done, or have failed
 *
 * One transaction, without the changes that fail. When it cannot be had, or not be
 * committed, all that is in it fails.
 */
void
clip_change_batch_commit (ClipTransaction *transaction, GQueue *batch, GQueue *through)
{
  g_autoptr (GError) error = NULL;
  g_auto (GQueue) partly = G_QUEUE_INIT;
  ClipChangeStep step = CLIP_CHANGE_AGAIN;

  while (step == CLIP_CHANGE_FAILED || step == CLIP_CHANGE_AGAIN)
    {
      g_queue_foreach (batch, (GFunc) (gpointer) prepare, NULL);
      if (!clip_transaction_begin (transaction, &error))
        {
          clip_change_batch_fail (batch, through, error);
          return;
        }
      step = run_batch (transaction, batch, through);
      if (step == CLIP_CHANGE_FAILED || step == CLIP_CHANGE_AGAIN)
        take_back (transaction, batch, through, step);
    }
  if (step == CLIP_CHANGE_MORE)
    g_queue_push_tail (&partly, g_queue_pop_head (batch));
  if (!clip_transaction_commit (transaction, &error))
    clip_change_batch_fail (&partly, through, error);
  else if (partly.length > 0)
    {
      clip_change_keep (partly.head->data);
      g_queue_push_head (batch, g_queue_pop_head (&partly));
    }
}

/* what it holds is in the database then, and the next transaction begins it anew */
static void
carry_log (ClipTransaction *transaction)
{
  sqlite3_wal_checkpoint_v2 (clip_statements_handle (clip_transaction_db (transaction)),
                             NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
}

/**
 * clip_change_batch_turn_short:
 * @is_waiting: for who still reads from the log, in a call of its own, as no call changes
 * a database and its log at once: what went for the sake of an entry gives its room back
 * only then, and so does the log
 *
 * The disk is full: what the log holds is in the database then, and the next transaction
 * begins it anew, with few rows.
 */
void
clip_change_batch_turn_short (ClipTransaction *transaction, gboolean is_waiting)
{
  sqlite3 *db = clip_statements_handle (clip_transaction_db (transaction));

  if (!clip_change_batch_is_short (transaction))
    g_message ("the disk is full: using the room that is kept for deleting");
  carry_log (transaction);
  if (is_waiting)
    clip_connect_empty_log (db);
  clip_transaction_set_step_rows (transaction, CLIP_TRANSACTION_ROWS_SHORT);
}

static gboolean
is_to_be_retried (const ClipChange *change)
{
  return g_error_matches (change->error, CLIP_ERROR, CLIP_ERROR_NO_SPACE) &&
         change->n_retries < MAX_RETRIES && (change->gives_room || change->kind->is_note);
}

/* A note, such as that a secret is on the clipboard, has little to write: the log is
 * begun anew for it, and where it has no room even so, it gets a part of what is kept. */
static gboolean
make_room_for_note (ClipTransaction *transaction, const ClipChange *change)
{
  if (change->n_retries == 0)
    carry_log (transaction);
  else if (clip_reserve_release_part (clip_transaction_dir (transaction)))
    clip_change_batch_turn_short (transaction, FALSE);
  else
    return FALSE;
  return TRUE;
}

/* with less and less in one transaction */
static gboolean
make_room (ClipTransaction *transaction, const ClipChange *change)
{
  if (!clip_reserve_release (clip_transaction_dir (transaction)) &&
      !clip_change_batch_is_short (transaction))
    return FALSE;
  clip_change_batch_turn_short (transaction, !change->kind->gives_room);
  if (change->n_retries + 1 == MAX_RETRIES)
    clip_transaction_set_step_rows (transaction, CLIP_TRANSACTION_ROWS_LEAST);
  return TRUE;
}

/**
 * clip_change_batch_use_reserve:
 * @batch: (element-type ClipChange): what is for the next transaction
 * @through: (element-type ClipChange): what is through; moves to @batch where it has
 * failed because the disk is full, and would give room back, or is a note
 *
 * Returns: whether there is such a change: the room that was kept is for that now
 */
gboolean
clip_change_batch_use_reserve (ClipTransaction *transaction,
                               GQueue *batch,
                               GQueue *through)
{
  gboolean is_used = FALSE;
  GList *previous;

  for (GList *link = through->tail; link; link = previous)
    {
      ClipChange *change = link->data;

      previous = link->prev;
      if (!is_to_be_retried (change) ||
          !(change->kind->is_note ? make_room_for_note (transaction, change)
                                  : make_room (transaction, change)))
        continue;
      change->n_retries++;
      g_clear_error (&change->error);
      clip_change_revert (change);
      g_queue_delete_link (through, link);
      g_queue_push_head (batch, change);
      is_used = TRUE;
    }
  return is_used;
}

/* whether the disk was full, and each change is to have a transaction for itself */
gboolean
clip_change_batch_is_short (ClipTransaction *transaction)
{
  return clip_transaction_step_rows (transaction) != CLIP_TRANSACTION_ROWS;
}

/* when there may be room again */
void
clip_change_batch_keep_reserve (ClipTransaction *transaction)
{
  if (clip_reserve_keep (clip_transaction_dir (transaction), NULL))
    clip_transaction_set_step_rows (transaction, CLIP_TRANSACTION_ROWS);
}
