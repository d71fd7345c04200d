/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-commit.h"

#include "clip-connect.h"
#include "clip-error.h"
#include "clip-reserve.h"

/* how often a job may find the disk full before it fails */
#define MAX_RETRIES 2

/* The job at the head fails, or is to be prepared again. The transaction is taken back, and
 * those before it are done again: one that finds no room takes no other with it. */
static void
take_back (ClipLedger *ledger, GQueue *batch, GQueue *through, ClipChangeStep step)
{
  ClipJob *culprit = g_queue_peek_head (batch);

  clip_ledger_abandon (ledger);
  culprit->prepared = step != CLIP_CHANGE_AGAIN;
  if (step == CLIP_CHANGE_FAILED && !culprit->error)
    g_set_error (&culprit->error, CLIP_ERROR, CLIP_ERROR_FAILED, "change history");
  while (through->length > 0)
    g_queue_push_head (batch, g_queue_pop_tail (through));
  for (GList *link = batch->head; link; link = link->next)
    clip_job_revert (link->data);
}

/* What the log holds is in the database then, and the next transaction begins it anew.
 * What went for the sake of an entry gives its room back only then, and so does the log:
 * that is waited for, in a call of its own, as no call changes a database and its log at
 * once. */
static void
carry_log (ClipLedger *ledger, const ClipJob *job)
{
  sqlite3 *db = clip_database_handle (clip_ledger_database (ledger));

  sqlite3_wal_checkpoint_v2 (db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  if (job->kind == CLIP_JOB_ADD)
    clip_connect_empty_log (db);
}

static void
prepare (ClipJob *job)
{
  if (!job->prepared && !job->error)
    job->prepared = clip_job_prepare (job, &job->error);
}

/* the jobs that are through move to @through; the rest of @batch is for the next
 * transaction */
static ClipChangeStep
run_batch (ClipLedger *ledger, GQueue *batch, GQueue *through)
{
  ClipChangeStep step = CLIP_CHANGE_DONE;

  while (batch->length > 0 && step == CLIP_CHANGE_DONE)
    {
      ClipJob *job = g_queue_peek_head (batch);

      if (!job->error)
        step = clip_job_run (job, ledger, &job->error);
      if (step == CLIP_CHANGE_DONE)
        g_queue_push_tail (through, g_queue_pop_head (batch));
    }
  return step;
}

/**
 * clip_commit_jobs:
 * @batch: (element-type ClipJob): what remains in it is for the next transaction
 * @through: (element-type ClipJob): empty; those that are done, or have failed, are added
 *
 * One transaction, without the jobs that fail. When it cannot be had, or not be
 * committed, all that is in it fails.
 */
void
clip_commit_jobs (ClipLedger *ledger, GQueue *batch, GQueue *through)
{
  g_autoptr (GError) error = NULL;
  ClipChangeStep step = CLIP_CHANGE_AGAIN;

  while (step == CLIP_CHANGE_FAILED || step == CLIP_CHANGE_AGAIN)
    {
      g_queue_foreach (batch, (GFunc) (gpointer) prepare, NULL);
      if (!clip_ledger_begin (ledger, &error))
        {
          clip_jobs_move (batch, through);
          clip_jobs_fail (through, error);
          return;
        }
      step = run_batch (ledger, batch, through);
      if (step == CLIP_CHANGE_FAILED || step == CLIP_CHANGE_AGAIN)
        take_back (ledger, batch, through, step);
    }
  if (clip_ledger_commit (ledger, &error))
    {
      if (step == CLIP_CHANGE_MORE)
        clip_job_keep (g_queue_peek_head (batch));
      return;
    }
  if (step == CLIP_CHANGE_MORE)
    g_queue_push_tail (through, g_queue_pop_head (batch));
  clip_jobs_fail (through, error);
}

static gboolean
is_to_be_retried (const ClipJob *job)
{
  return g_error_matches (job->error, CLIP_ERROR, CLIP_ERROR_NO_SPACE) &&
         job->n_retries < MAX_RETRIES && clip_job_gives_room (job);
}

/* with less and less in one transaction */
static void
retry (ClipLedger *ledger, ClipJob *job)
{
  g_message ("the disk is full: using the room that is kept for deleting");
  carry_log (ledger, job);
  g_clear_error (&job->error);
  clip_job_revert (job);
  job->n_retries++;
  clip_ledger_set_step_rows (ledger, job->n_retries < MAX_RETRIES ? CLIP_STEP_ROWS_SHORT
                                                                  : CLIP_STEP_ROWS_LEAST);
}

/**
 * clip_commit_use_reserve:
 * @batch: (element-type ClipJob): what is for the next transaction
 * @through: (element-type ClipJob): what is through; moves to @batch where it has failed
 * because the disk is full, and would give room back
 *
 * Returns: whether there is such a job: the room that was kept is for that now
 */
gboolean
clip_commit_use_reserve (ClipLedger *ledger, GQueue *batch, GQueue *through)
{
  gboolean is_used = FALSE;
  GList *previous;

  for (GList *link = through->tail; clip_ledger_dir (ledger) && link; link = previous)
    {
      ClipJob *job = link->data;

      previous = link->prev;
      if (!is_to_be_retried (job) || (!clip_reserve_release (clip_ledger_dir (ledger)) &&
                                      !clip_commit_is_short (ledger)))
        continue;
      retry (ledger, job);
      g_queue_delete_link (through, link);
      g_queue_push_head (batch, job);
      is_used = TRUE;
    }
  return is_used;
}

/* whether the disk was full, and each job is to have a transaction for itself */
gboolean
clip_commit_is_short (ClipLedger *ledger)
{
  return clip_ledger_step_rows (ledger) != CLIP_STEP_ROWS;
}

/* when there may be room again */
void
clip_commit_keep_reserve (ClipLedger *ledger)
{
  if (clip_ledger_dir (ledger) && clip_reserve_keep (clip_ledger_dir (ledger), NULL))
    clip_ledger_set_step_rows (ledger, CLIP_STEP_ROWS);
}
