/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-job-private.h"

#include "clip-batch-private.h"
#include "clip-draft-private.h"

/**
 * clip_job_new:
 * @done: (nullable): called when it is committed, or has failed
 */
ClipJob *
clip_job_new (ClipJobKind kind, ClipJobFunc done, gpointer user_data)
{
  const ClipLimits none = CLIP_NO_LIMITS;
  ClipJob *self = g_new0 (ClipJob, 1);

  self->kind = kind;
  if (kind == CLIP_JOB_ADD)
    self->add.limits = none;
  self->done = done;
  self->user_data = user_data;
  return self;
}

/**
 * clip_job_add:
 * @draft_take: (transfer full): the entry to be, also on failure
 * @limits: (nullable): what the history is trimmed to; %NULL = nothing
 *
 * Adds an entry; where the history has it already, that one moves to the top.
 */
ClipJob *
clip_job_add (ClipDraft *draft_take, const ClipLimits *limits)
{
  ClipJob *self = clip_job_new (CLIP_JOB_ADD, NULL, NULL);

  self->add.draft = draft_take;
  if (limits)
    self->add.limits = *limits;
  return self;
}

/**
 * clip_job_delete:
 * @ids: those that are not there do not count
 *
 * Deletes entries, pinned ones too, all or none.
 */
ClipJob *
clip_job_delete (const gint64 *ids, gsize n_ids)
{
  ClipJob *self = clip_job_new (CLIP_JOB_DELETE, NULL, NULL);

  self->delete.ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  if (n_ids)
    g_array_append_vals (self->delete.ids, ids, (guint) n_ids);
  return self;
}

/**
 * clip_job_delete_matching:
 * @needle: not empty
 *
 * Deletes every entry, pinned ones too, whose primary content contains @needle, byte for
 * byte.
 */
ClipJob *
clip_job_delete_matching (GBytes *needle)
{
  ClipJob *self = clip_job_new (CLIP_JOB_DELETE_MATCHING, NULL, NULL);

  self->delete_matching.needle = g_bytes_ref (needle);
  return self;
}

/* the newest entry, unless it is pinned */
ClipJob *
clip_job_delete_newest (void)
{
  return clip_job_new (CLIP_JOB_DELETE_NEWEST, NULL, NULL);
}

/* @since_us: only what was last copied since then; 0 = everything */
ClipJob *
clip_job_wipe (gboolean pinned_too, gint64 since_us)
{
  ClipJob *self = clip_job_new (CLIP_JOB_WIPE, NULL, NULL);

  self->wipe.pinned_too = pinned_too;
  self->wipe.since_us = since_us;
  return self;
}

/**
 * clip_job_trim:
 * @pretends: whether only to count
 *
 * Removes what has expired, then the oldest entries, until the limits are kept.
 */
ClipJob *
clip_job_trim (const ClipLimits *limits, gboolean pretends)
{
  ClipJob *self = clip_job_new (CLIP_JOB_TRIM, NULL, NULL);

  self->trim.limits = *limits;
  self->trim.pretends = pretends;
  return self;
}

/* Moves the entry to the top, as when it is copied again; ends with the id that it has
 * then. Fails with CLIP_ERROR_NOT_FOUND where there is no such entry; as do the next
 * three. */
ClipJob *
clip_job_move (gint64 id)
{
  ClipJob *self = clip_job_new (CLIP_JOB_MOVE, NULL, NULL);

  self->move.id = id;
  return self;
}

ClipJob *
clip_job_pin (gint64 id, gboolean pinned)
{
  ClipJob *self = clip_job_new (CLIP_JOB_PIN, NULL, NULL);

  self->pin.id = id;
  self->pin.pinned = pinned;
  return self;
}

/* @expires_us: microseconds since the epoch; 0 = never */
ClipJob *
clip_job_expire (gint64 id, gint64 expires_us)
{
  ClipJob *self = clip_job_new (CLIP_JOB_EXPIRE_AT, NULL, NULL);

  self->expire.id = id;
  self->expire.expires_us = expires_us;
  return self;
}

/* @tags: all that it has from now on */
ClipJob *
clip_job_tag (gint64 id, const char *const *tags)
{
  ClipJob *self = clip_job_new (CLIP_JOB_TAG, NULL, NULL);

  self->tag.id = id;
  self->tag.tags = g_strdupv ((char **) tags);
  return self;
}

/* A small value that belongs to the history and outlives the daemon.
 * @value: (nullable): NULL forgets it */
ClipJob *
clip_job_note (const char *key, const char *value)
{
  ClipJob *self = clip_job_new (CLIP_JOB_NOTE, NULL, NULL);

  self->note.key = g_strdup (key);
  self->note.value = g_strdup (value);
  return self;
}

/* changes nothing, but as a change does it: what the file at db-path asks for is done,
 * and afterwards that is as it should be */
ClipJob *
clip_job_touch (void)
{
  return clip_job_new (CLIP_JOB_NOTHING, NULL, NULL);
}

static void
clear_data (ClipJob *self)
{
  switch (self->kind)
    {
    case CLIP_JOB_ADD:
      clip_draft_free (self->add.draft);
      break;
    case CLIP_JOB_DELETE:
      g_clear_pointer (&self->delete.ids, g_array_unref);
      break;
    case CLIP_JOB_DELETE_MATCHING:
      g_clear_pointer (&self->delete_matching.needle, g_bytes_unref);
      g_clear_pointer (&self->delete_matching.verdicts, g_hash_table_unref);
      break;
    case CLIP_JOB_TAG:
      g_strfreev (self->tag.tags);
      break;
    case CLIP_JOB_NOTE:
      g_free (self->note.key);
      g_free (self->note.value);
      break;
    case CLIP_JOB_SWEEP:
      g_strfreev (self->sweep.blobs);
      break;
    default:
      break;
    }
}

void
clip_job_free (ClipJob *self)
{
  if (!self)
    return;
  clear_data (self);
  g_clear_error (&self->error);
  g_free (self);
}

/* whether preparing it takes so long that it is done beside the writer */
gboolean
clip_job_is_slow (const ClipJob *self)
{
  return self->kind == CLIP_JOB_ADD && clip_draft_has_blobs (self->add.draft);
}

/* whether there is more room on the disk when it is done, so that it may take what is
 * kept for that meanwhile */
gboolean
clip_job_gives_room (const ClipJob *self)
{
  switch (self->kind)
    {
    case CLIP_JOB_ADD:
      /* when the older ones go, before or behind its own step; or have just gone for
         it */
      return (self->added.n_trimmed > self->added_before.n_trimmed &&
              (self->added.id == 0 || self->added_before.id != 0)) ||
             (self->added_before.has_room && self->added_before.id == 0);
    case CLIP_JOB_TRIM:
      return !self->trim.pretends;
    case CLIP_JOB_DELETE:
    case CLIP_JOB_DELETE_MATCHING:
    case CLIP_JOB_DELETE_NEWEST:
    case CLIP_JOB_WIPE:
    case CLIP_JOB_RETURN_PAGES:
      return TRUE;
    default:
      return FALSE;
    }
}

/* what can be done outside of a transaction, of a slow job on another thread than the
 * writer's; may be called again */
gboolean
clip_job_prepare (ClipJob *self, GError **error)
{
  if (self->kind == CLIP_JOB_IMPORT)
    return clip_batch_prepare (self->import.batch, error);
  if (self->kind == CLIP_JOB_ADD)
    return clip_draft_prepare (self->add.draft, error);
  return TRUE;
}

static ClipChangeStep
sweep (ClipJob *self, ClipLedger *ledger)
{
  for (char **name = self->sweep.blobs; *name; name++)
    clip_ledger_suspect (ledger, *name);
  return CLIP_CHANGE_DONE;
}

/* @n_left: (out): how many pages are unused after it */
static ClipChangeStep
return_pages (ClipLedger *ledger, gint64 *n_left, GError **error)
{
  ClipSql statement = clip_ledger_step_rows (ledger) == CLIP_STEP_ROWS
                          ? CLIP_SQL_RETURN_PAGES
                          : CLIP_SQL_RETURN_FEW_PAGES;

  return clip_database_run (clip_ledger_database (ledger), statement, error, "") &&
                 clip_database_number (clip_ledger_database (ledger),
                                       CLIP_SQL_GET_FREE_PAGES, n_left, error,
                                       "") == CLIP_ROWS_ROW
             ? CLIP_CHANGE_DONE
             : CLIP_CHANGE_FAILED;
}

static ClipChangeStep
note_blob (const ClipJob *self, ClipLedger *ledger, GError **error)
{
  return clip_database_run (clip_ledger_database (ledger), CLIP_SQL_NOTE_BLOB, error,
                            "iii", self->note_blob.id, self->note_blob.state.inode,
                            self->note_blob.state.changed_ns)
             ? CLIP_CHANGE_DONE
             : CLIP_CHANGE_FAILED;
}

/* when a step of it is committed, and more are to come: that much is done, for good */
void
clip_job_keep (ClipJob *self)
{
  self->added_before = self->added;
  self->trimmed_before = self->trimmed;
  self->n_before = self->n;
  self->n_retries = 0;
  if (self->kind == CLIP_JOB_IMPORT)
    clip_batch_keep (self->import.batch);
}

/* when the transaction that it ran in is lost: as if it had not */
void
clip_job_revert (ClipJob *self)
{
  self->added = self->added_before;
  self->trimmed = self->trimmed_before;
  self->n = self->n_before;
  if (self->kind == CLIP_JOB_IMPORT)
    clip_batch_revert (self->import.batch);
}

/* An entry that an earlier step has committed is there for all to see: what fails after
 * it is only the trimming, which the next addition goes on with. */
void
clip_job_settle (ClipJob *self)
{
  if (!self->error || self->added_before.id == 0)
    return;
  g_warning ("history is larger than it may be for now: %s", self->error->message);
  g_clear_error (&self->error);
  clip_job_revert (self);
}

/* when the history that it was done in is gone: nothing of it was ever done */
void
clip_job_restart (ClipJob *self)
{
  self->added = self->added_before = (ClipAdded){ 0 };
  self->trimmed = self->trimmed_before = (ClipTrimmed){ 0 };
  self->n = self->n_before = 0;
  if (self->kind == CLIP_JOB_IMPORT)
    clip_batch_restart (self->import.batch);
  self->prepared = FALSE;
  g_clear_error (&self->error);
}

/* once: a history that was within its limits before the first step of a job stays so */
static gboolean
weigh (ClipJob *self, ClipLimits *limits, ClipLedger *ledger, GError **error)
{
  if (!self->weighed && !clip_change_spare (ledger, limits, &self->trimmed.spared, error))
    return FALSE;
  self->weighed = TRUE;
  return TRUE;
}

static ClipChangeStep
add (ClipJob *self, ClipLedger *ledger, GError **error)
{
  if (!weigh (self, &self->add.limits, ledger, error))
    return CLIP_CHANGE_FAILED;
  return clip_change_add (ledger, self->add.draft, &self->add.limits, &self->added,
                          error);
}

static ClipChangeStep
trim (ClipJob *self, ClipLedger *ledger, GError **error)
{
  ClipLimits *limits = &self->trim.limits;

  if (!weigh (self, limits, ledger, error))
    return CLIP_CHANGE_FAILED;
  return self->trim.pretends
             ? clip_change_preview (ledger, limits, &self->trimmed, error)
             : clip_change_trim_all (ledger, limits, &self->trimmed, error);
}

/* within a transaction */
ClipChangeStep
clip_job_run (ClipJob *self, ClipLedger *ledger, GError **error)
{
  switch (self->kind)
    {
    case CLIP_JOB_ADD:
      return add (self, ledger, error);
    case CLIP_JOB_DELETE:
      return clip_change_delete (ledger, self->delete.ids, &self->n, error);
    case CLIP_JOB_DELETE_MATCHING:
      return clip_change_delete_matching (ledger, self->delete_matching.needle,
                                          self->delete_matching.verdicts, &self->n,
                                          error);
    case CLIP_JOB_DELETE_NEWEST:
      return clip_change_delete_newest (ledger, &self->n, error);
    case CLIP_JOB_WIPE:
      return clip_change_wipe (ledger, self->wipe.pinned_too, self->wipe.since_us,
                               &self->n, error);
    case CLIP_JOB_TRIM:
      return trim (self, ledger, error);
    case CLIP_JOB_MOVE:
      return clip_change_move (ledger, self->move.id, &self->n, error);
    case CLIP_JOB_PIN:
      return clip_change_pin (ledger, self->pin.id, self->pin.pinned, &self->n, error);
    case CLIP_JOB_EXPIRE_AT:
      return clip_change_expire_at (ledger, self->expire.id, self->expire.expires_us,
                                    &self->n, error);
    case CLIP_JOB_TAG:
      return clip_change_tag (ledger, self->tag.id, (const char *const *) self->tag.tags,
                              &self->n, error);
    case CLIP_JOB_NOTHING:
      return CLIP_CHANGE_DONE;
    case CLIP_JOB_NOTE:
      return clip_change_note (ledger, self->note.key, self->note.value, error);
    case CLIP_JOB_SWEEP:
      return sweep (self, ledger);
    case CLIP_JOB_RETURN_PAGES:
      return return_pages (ledger, &self->n, error);
    case CLIP_JOB_IMPORT:
      return clip_change_import (ledger, self->import.batch, &self->import.limits, error);
    case CLIP_JOB_NOTE_BLOB:
      return note_blob (self, ledger, error);
    case CLIP_JOB_REPAIR:
      return clip_change_repair (ledger, self->repair.aside, self->repair.finding, error);
    default:
      g_return_val_if_reached (CLIP_CHANGE_FAILED);
    }
}

/* for those that have not failed already */
void
clip_jobs_fail (GQueue *self, const GError *error)
{
  for (GList *link = self->head; link; link = link->next)
    {
      ClipJob *job = link->data;

      if (!job->error)
        job->error = g_error_copy (error);
    }
}

/* all of them, behind those that are there */
void
clip_jobs_move (GQueue *from, GQueue *to)
{
  while (from->length > 0)
    g_queue_push_tail (to, g_queue_pop_head (from));
}

/* see clip_job_restart() */
void
clip_jobs_restart (GQueue *self)
{
  g_queue_foreach (self, (GFunc) (gpointer) clip_job_restart, NULL);
}

/* whether none of them is about entries */
gboolean
clip_jobs_are_notes (const GQueue *self)
{
  for (const GList *link = self->head; link; link = link->next)
    if (((const ClipJob *) link->data)->kind != CLIP_JOB_NOTE)
      return FALSE;
  return TRUE;
}

/* To keep limits is nothing that anybody asked for; what an import brings, a sweep finds
 * and a repair mends shows in the events. */
static gboolean
is_asked_for (const ClipJob *self)
{
  switch (self->kind)
    {
    case CLIP_JOB_ADD:
    case CLIP_JOB_DELETE:
    case CLIP_JOB_DELETE_MATCHING:
    case CLIP_JOB_DELETE_NEWEST:
    case CLIP_JOB_WIPE:
    case CLIP_JOB_MOVE:
    case CLIP_JOB_PIN:
    case CLIP_JOB_EXPIRE_AT:
    case CLIP_JOB_TAG:
    case CLIP_JOB_NOTHING:
      return TRUE;
    case CLIP_JOB_TRIM:
    case CLIP_JOB_NOTE:
    case CLIP_JOB_SWEEP:
    case CLIP_JOB_RETURN_PAGES:
    case CLIP_JOB_IMPORT:
    case CLIP_JOB_NOTE_BLOB:
    case CLIP_JOB_REPAIR:
    default:
      return FALSE;
    }
}

/* whether one of them was about entries, and went well, even if there turned out to be
   none */
gboolean
clip_jobs_have_change (const GQueue *self)
{
  for (const GList *link = self->head; link; link = link->next)
    {
      const ClipJob *job = link->data;

      if (is_asked_for (job) && !job->error)
        return TRUE;
    }
  return FALSE;
}
