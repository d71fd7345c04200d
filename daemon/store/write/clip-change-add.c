/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adding an entry, or finding that it is there: then it takes the next id and moves to
 * the top, with what it was (pins, tags, when it was first copied). Where a narrower
 * search has let twins in, one of them is what remains. One that has expired, and was
 * only not removed yet, is as good as new; but for what lay on the clipboard when the
 * daemon began, which is what expired.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

#include "clip-reserve.h"

/* Of entries with the same primary content so many are compared, the newest: each takes
 * a query. An archive is to add nothing when it is imported again. Where each has very
 * many contents, it is fewer. */
#define MAX_TWINS 16
#define MAX_TWINS_IN_ARCHIVE 256
#define MAX_TWIN_CONTENTS 4096

typedef struct
{
  ClipChange base;
  ClipDraft *draft;
  ClipLimits limits;
} Add;

typedef struct
{
  ClipEntryRows record;
  ClipRelation relation;
} Twin;

static ClipClaim
claim_blobs (const ClipDraft *draft, GError **error)
{
  ClipClaim claim = CLIP_CLAIM_READY;

  for (guint i = 0; i < draft->parts->len && claim == CLIP_CLAIM_READY; i++)
    {
      const ClipDraftPart *part = draft->parts->pdata[i];

      if (!part->bytes)
        claim = clip_stage_claim (part->stage, error);
    }
  return claim;
}

/* the lowest id that is looked at */
static gboolean
find_window (ClipTransaction *transaction,
             const ClipLimits *limits,
             gint64 *out_first,
             GError **error)
{
  *out_first = 0;
  return limits->max_dedupe_search < 0 ||
         limits->max_dedupe_search >= clip_transaction_totals (transaction)->count ||
         clip_statements_number (clip_transaction_db (transaction), CLIP_SQL_NTH_NEWEST,
                                 out_first, error, "i",
                                 limits->max_dedupe_search) != CLIP_ROWS_FAILED;
}

static gboolean
look_at (ClipTransaction *transaction,
         gint64 id,
         const ClipDraft *draft,
         GArray *twins,
         gint64 *n_contents,
         GError **error)
{
  Twin twin = { 0 };
  ClipRows state = clip_entry_rows_load (transaction, id, &twin.record, error);

  if (state != CLIP_ROWS_ROW)
    return state != CLIP_ROWS_FAILED;
  *n_contents += twin.record.extras;
  twin.relation = clip_dedupe_compare (transaction, &twin.record, draft, error);
  if (twin.relation == CLIP_RELATION_FAILED)
    return FALSE;
  if (twin.relation != CLIP_RELATION_OTHER)
    g_array_append_val (twins, twin);
  return TRUE;
}

/* newest first */
static gboolean
find_twins (ClipTransaction *transaction,
            const ClipDraft *draft,
            const ClipLimits *limits,
            gint64 n_most,
            GArray *twins,
            GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 first = 0, n_contents = 0;

  if (!clip_transaction_collect (transaction,
                                 clip_statements_query (clip_transaction_db (transaction),
                                                        CLIP_SQL_FIND_DUPS, error, "ii",
                                                        draft->hash, n_most),
                                 ids, error) ||
      (ids->len > 0 && !find_window (transaction, limits, &first, error)))
    return FALSE;
  for (guint i = 0; i < ids->len && n_contents < MAX_TWIN_CONTENTS; i++)
    {
      gint64 id = g_array_index (ids, gint64, i);

      if (id >= first && !look_at (transaction, id, draft, twins, &n_contents, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_expired (const Twin *twin)
{
  return twin->record.expires_us > 0 && twin->record.expires_us <= g_get_real_time ();
}

/* whether it has all that the draft has */
static gboolean
is_enough (const Twin *twin)
{
  return twin->relation == CLIP_RELATION_SAME || twin->relation == CLIP_RELATION_HOLDS;
}

/* whether, beside the one that stays, it has nothing of its own */
static gboolean
is_spare (const Twin *twin, const Twin *keeper)
{
  return twin != keeper && twin->relation != CLIP_RELATION_HOLDS;
}

static gboolean
is_better (const Twin *twin, const Twin *keeper)
{
  if (keeper->relation == CLIP_RELATION_SAME || !is_enough (twin))
    return FALSE;
  return twin->relation == CLIP_RELATION_SAME || !is_enough (keeper) ||
         twin->record.extras > keeper->record.extras;
}

/* the one that stays: the newest that is the same, or else of those that hold all of the
 * draft and most besides, or else that the draft enriches */
static const Twin *
choose_keeper (const GArray *twins)
{
  const Twin *keeper = NULL;

  for (guint i = 0; i < twins->len; i++)
    {
      const Twin *twin = &g_array_index (twins, Twin, i);

      if (!keeper || is_better (twin, keeper))
        keeper = twin;
    }
  return keeper;
}

/* what the draft, or an entry that is the same as the keeper, contributes to its course
 */
static void
merge_course (ClipEntryRows *into, const ClipEntryRows *from)
{
  into->first_us = MIN (into->first_us, from->first_us);
  into->last_us = MAX (into->last_us, from->last_us);
  into->copies += from->copies;
  into->pinned = into->pinned || from->pinned;
}

static gboolean
remove_twin (ClipTransaction *transaction, const Twin *twin, gint64 into, GError **error)
{
  if (!clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_COPY_TAGS, error,
                            "ii", twin->record.id, into) ||
      !clip_entry_rows_drop (transaction, &twin->record, error))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED, twin->record.id, 0);
  return TRUE;
}

/* a blob whose file was lost has come again: then the file is there again */
static gboolean
heal (ClipTransaction *transaction, const ClipDraft *draft, GError **error)
{
  for (guint i = 0; i < draft->parts->len; i++)
    if (!clip_entry_rows_link (transaction, draft->parts->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
move_keeper (ClipTransaction *transaction,
             const Twin *keeper,
             ClipEntryRows *record,
             const ClipDraft *draft,
             GError **error)
{
  gint64 id = record->id;

  clip_entry_rows_count_pin (clip_transaction_totals (transaction), &keeper->record,
                             record->pinned - keeper->record.pinned);
  record->id = keeper->record.id;
  record->hash = keeper->record.hash;
  record->extras = keeper->record.extras;
  if (!heal (transaction, draft, error) ||
      !clip_entry_rows_move (transaction, id, record, error))
    return FALSE;
  record->id = id;
  clip_transaction_add_event (transaction, CLIP_EVENT_MOVED, id, keeper->record.id);
  return TRUE;
}

static gboolean
replace_keeper (ClipTransaction *transaction,
                const Twin *keeper,
                const ClipEntryRows *record,
                const ClipDraft *draft,
                GError **error)
{
  if (!clip_entry_rows_insert (transaction, record, draft, error) ||
      !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_COPY_TAGS, error,
                            "ii", keeper->record.id, record->id) ||
      !clip_entry_rows_drop (transaction, &keeper->record, error))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_MOVED, record->id,
                              keeper->record.id);
  clip_transaction_add_event (transaction, CLIP_EVENT_CHANGED, record->id, 0);
  return TRUE;
}

static gboolean
settle_twins (ClipTransaction *transaction,
              const GArray *twins,
              const Twin *keeper,
              ClipEntryRows *record,
              const ClipDraft *draft,
              GError **error)
{
  record->expires_us = has_expired (keeper) ? 0 : keeper->record.expires_us;
  merge_course (record, &keeper->record);
  for (guint i = 0; i < twins->len; i++)
    if (is_spare (&g_array_index (twins, Twin, i), keeper))
      merge_course (record, &g_array_index (twins, Twin, i).record);
  if (!(is_enough (keeper) ? move_keeper (transaction, keeper, record, draft, error)
                           : replace_keeper (transaction, keeper, record, draft, error)))
    return FALSE;
  for (guint i = 0; i < twins->len; i++)
    {
      const Twin *twin = &g_array_index (twins, Twin, i);

      if (is_spare (twin, keeper) && !remove_twin (transaction, twin, record->id, error))
        return FALSE;
    }
  return TRUE;
}

/* whether what is there is not copied again by that */
static gboolean
is_no_news (ClipTransaction *transaction, const ClipDraft *draft, const Twin *keeper)
{
  return is_enough (keeper) &&
         (draft->initial || (!has_expired (keeper) &&
                             clip_dedupe_is_echo (transaction, &keeper->record, draft)));
}

static gboolean
insert (ClipTransaction *transaction,
        const ClipDraft *draft,
        const ClipLimits *limits,
        ClipOutcome *outcome,
        GError **error)
{
  g_autoptr (GArray) twins = g_array_new (FALSE, FALSE, sizeof (Twin));
  ClipEntryRows record = { .first_us = draft->first_us,
                           .last_us = draft->last_us,
                           .copies = 1,
                           .extras = (gint64) draft->parts->len - 1,
                           .bytes = clip_draft_bytes (draft),
                           .hash = draft->hash };
  const Twin *keeper;

  if (!find_twins (transaction, draft, limits, MAX_TWINS, twins, error))
    return FALSE;
  keeper = choose_keeper (twins);
  if (keeper && is_no_news (transaction, draft, keeper))
    {
      outcome->id = keeper->record.id;
      outcome->is_echo = TRUE;
      return TRUE;
    }
  record.id = ++clip_transaction_totals (transaction)->last_id;
  outcome->id = record.id;
  outcome->moved_from = keeper ? keeper->record.id : 0;
  if (keeper)
    return settle_twins (transaction, twins, keeper, &record, draft, error);
  if (!clip_entry_rows_insert (transaction, &record, draft, error))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_ADDED, record.id, 0);
  return TRUE;
}

static gboolean
take_pin (ClipTransaction *transaction,
          const ClipEntryRows *old,
          gint64 id,
          GError **error)
{
  gint64 n = 0;

  return !old->pinned || clip_step_pin (transaction, id, TRUE, &n, error);
}

/* a time that has come meanwhile would take the new one at once */
static gboolean
take_expiry (ClipTransaction *transaction,
             const ClipEntryRows *old,
             gint64 id,
             GError **error)
{
  return old->expires_us <= g_get_real_time () ||
         clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_SET_EXPIRY,
                              error, "ii", id, old->expires_us);
}

/* What was added takes the place of the entry @old_id, if that is still there; it may be
 * that one itself. One that was there before stays as long as it was to stay.
 * @last_id: before it was added */
static gboolean
take_place (ClipTransaction *transaction,
            gint64 old_id,
            gint64 last_id,
            ClipOutcome *outcome,
            GError **error)
{
  const gboolean is_itself = old_id == outcome->id || old_id == outcome->moved_from;
  const gboolean is_new = outcome->id > last_id && outcome->moved_from == 0;
  ClipEntryRows old = { 0 };
  ClipRows state = old_id == 0 || is_itself
                       ? CLIP_ROWS_END
                       : clip_entry_rows_load (transaction, old_id, &old, error);

  outcome->replaced = old_id != 0 && (is_itself || state == CLIP_ROWS_ROW);
  if (state != CLIP_ROWS_ROW)
    return state != CLIP_ROWS_FAILED;
  if (!take_pin (transaction, &old, outcome->id, error) ||
      (is_new && !take_expiry (transaction, &old, outcome->id, error)) ||
      !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_COPY_TAGS, error,
                            "ii", old_id, outcome->id) ||
      !clip_entry_rows_drop (transaction, &old, error))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_REMOVED, old_id, 0);
  return TRUE;
}

/* --- entries that somebody brings along --- */

/* What is called tag:NAME, and a key pastes, is not for an archive to say: a tag that an
 * entry has which was there before stays with that. */
static gboolean
bring_tags (ClipTransaction *transaction,
            gint64 id,
            const ClipCourse *course,
            ClipImported *imported,
            GError **error)
{
  for (char **tag = course->tags; tag && *tag; tag++)
    {
      const char *const tags[] = { *tag, NULL };
      gint64 own;
      ClipRows state = clip_statements_number (clip_transaction_db (transaction),
                                               CLIP_SQL_FIND_OWN_TAG, &own, error, "sii",
                                               *tag, imported->last_own_id, id);

      imported->n_tags_left += state == CLIP_ROWS_ROW;
      if (state == CLIP_ROWS_FAILED ||
          (state == CLIP_ROWS_END &&
           !clip_entry_rows_add_tags (transaction, id, tags, error)))
        return FALSE;
    }
  return TRUE;
}

/* What is there has less than the draft, which takes its place, its id included: that it
 * was brought along is no new copy. */
static gboolean
enrich (ClipTransaction *transaction,
        const Twin *poorer,
        ClipEntryRows *record,
        const ClipDraft *draft,
        const ClipCourse *course,
        ClipImported *imported,
        GError **error)
{
  record->id = poorer->record.id;
  record->expires_us = poorer->record.expires_us;
  record->copies = MAX (record->copies, poorer->record.copies);
  record->first_us = MIN (record->first_us, poorer->record.first_us);
  record->last_us = MAX (record->last_us, poorer->record.last_us);
  record->pinned = record->pinned || poorer->record.pinned;
  if (!clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_COPY_TAGS, error,
                            "ii", poorer->record.id, -record->id) ||
      !clip_entry_rows_drop (transaction, &poorer->record, error) ||
      !clip_entry_rows_insert (transaction, record, draft, error) ||
      !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_COPY_TAGS, error,
                            "ii", -record->id, record->id) ||
      !clip_statements_run (clip_transaction_db (transaction), CLIP_SQL_DROP_TAGS, error,
                            "i", -record->id))
    return FALSE;
  clip_transaction_add_event (transaction, CLIP_EVENT_CHANGED, record->id, 0);
  return bring_tags (transaction, record->id, course, imported, error);
}

static gboolean
bring_in (ClipTransaction *transaction,
          const ClipDraft *draft,
          const ClipCourse *course,
          ClipImported *imported,
          GError **error)
{
  g_autoptr (GArray) twins = g_array_new (FALSE, FALSE, sizeof (Twin));
  ClipLimits none = CLIP_NO_LIMITS;
  ClipEntryRows record = { .first_us = draft->first_us,
                           .last_us = draft->last_us,
                           .copies = course->copies,
                           .expires_us = course->expires_us,
                           .pinned = course->pinned,
                           .extras = (gint64) draft->parts->len - 1,
                           .bytes = clip_draft_bytes (draft),
                           .hash = draft->hash };
  const Twin *keeper;

  if (!find_twins (transaction, draft, &none, MAX_TWINS_IN_ARCHIVE, twins, error))
    return FALSE;
  keeper = choose_keeper (twins);
  imported->n_known += keeper != NULL;
  if (keeper && is_enough (keeper))
    return heal (transaction, draft, error);
  if (keeper)
    return enrich (transaction, keeper, &record, draft, course, imported, error);
  if (imported->keeps_ids &&
      course->id > clip_transaction_totals (transaction)->last_id &&
      course->id <= CLIP_MAX_KEPT_ID)
    clip_transaction_totals (transaction)->last_id = course->id;
  else
    clip_transaction_totals (transaction)->last_id++;
  record.id = clip_transaction_totals (transaction)->last_id;
  imported->n_added++;
  return clip_entry_rows_insert (transaction, &record, draft, error) &&
         bring_tags (transaction, record.id, course, imported, error);
}

static ClipChangeStep
step_of_claim (ClipClaim claim)
{
  return claim == CLIP_CLAIM_READY   ? CLIP_CHANGE_DONE
         : claim == CLIP_CLAIM_AGAIN ? CLIP_CHANGE_AGAIN
                                     : CLIP_CHANGE_FAILED;
}

/**
 * clip_step_bring_in:
 * @draft: prepared
 * @course: what became of the entry elsewhere
 * @imported: (inout): counts; where it keeps ids, the entry gets the one that it had,
 * if that is higher than any, and not above %CLIP_MAX_KEPT_ID
 *
 * Adds the entry, unless there is one that holds all of it, which stays as it is. Nothing
 * is trimmed, and nobody is told of the entry itself. That the reserve is kept is for the
 * caller to see to.
 */
ClipChangeStep
clip_step_bring_in (ClipTransaction *transaction,
                    ClipDraft *draft,
                    const ClipCourse *course,
                    ClipImported *imported,
                    GError **error)
{
  ClipChangeStep step = step_of_claim (claim_blobs (draft, error));

  if (step == CLIP_CHANGE_DONE && !bring_in (transaction, draft, course, imported, error))
    step = CLIP_CHANGE_FAILED;
  return step;
}

/* as when it is copied: it is added, or its twin moves to the top */
ClipChangeStep
clip_step_copy (ClipTransaction *transaction, ClipDraft *draft, GError **error)
{
  const ClipLimits none = CLIP_NO_LIMITS;
  ClipChangeStep step = step_of_claim (claim_blobs (draft, error));
  ClipOutcome outcome = { 0 };

  if (step == CLIP_CHANGE_DONE && !insert (transaction, draft, &none, &outcome, error))
    step = CLIP_CHANGE_FAILED;
  return step;
}

/* --- the change --- */

static gboolean
prepare_add (ClipChange *change, GError **error)
{
  return clip_draft_prepare (((Add *) change)->draft, error);
}

static void
clear_add (ClipChange *change)
{
  clip_draft_free (((Add *) change)->draft);
}

/* the older ones go, before the entry comes or behind it; that takes the room that is
 * kept for deleting, as does what comes behind those that have just gone, but for what is
 * a file: its name is gone with the transaction */
static ClipChangeStep
run_add (ClipChange *change, ClipTransaction *transaction, GError **error)
{
  Add *self = (Add *) change;
  ClipChangeProgress *now = &change->now;
  const gint64 last_id = clip_transaction_totals (transaction)->last_id;
  ClipChangeStep step;

  now->outcome.is_late = now->outcome.id == 0 && clip_transaction_is_wiped_since (
                                                     transaction, self->draft->begun_us);
  if (now->outcome.is_late)
    return CLIP_CHANGE_DONE;
  change->gives_room =
      change->kept.outcome.id != 0 || (change->kept.has_room && !change->is_slow);
  if (!clip_step_weigh (transaction, clip_transaction_totals (transaction), &self->limits,
                        now, error))
    return CLIP_CHANGE_FAILED;
  if (now->outcome.id == 0)
    {
      step = clip_step_make_room (transaction, self->draft, now, error);
      change->gives_room |= now->outcome.n > change->kept.outcome.n;
      if (step != CLIP_CHANGE_DONE)
        return step;
      if (!clip_reserve_keep (clip_transaction_dir (transaction), error))
        return CLIP_CHANGE_FAILED;
      step = step_of_claim (claim_blobs (self->draft, error));
      if (step != CLIP_CHANGE_DONE)
        return step;
      if (!insert (transaction, self->draft, &now->limits, &now->outcome, error) ||
          !take_place (transaction, self->draft->replaces, last_id, &now->outcome, error))
        return CLIP_CHANGE_FAILED;
    }
  return clip_step_trim (transaction, &now->limits, now->outcome.id, &now->outcome,
                         error);
}

static const ClipChangeKind add_kind = {
  .name = "add",
  .is_asked_for = TRUE,
  .bytes = sizeof (Add),
  .run = run_add,
  .prepare = prepare_add,
  .clear = clear_add,
};

/**
 * clip_change_add:
 * @draft_take: (transfer full): the entry to be, also on failure
 * @limits: (nullable): what the history is trimmed to; %NULL = nothing
 *
 * Adds an entry, or moves its twin to the top, drops the one that it replaces, and trims
 * the history to the limits. What had begun to come before a wipe is not added.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
ClipChange *
clip_change_add (ClipDraft *draft_take, const ClipLimits *limits)
{
  const ClipLimits none = CLIP_NO_LIMITS;
  Add *self = clip_change_new (&add_kind);

  self->draft = draft_take;
  self->limits = limits ? *limits : none;
  self->base.is_slow = clip_draft_has_blobs (draft_take);
  return &self->base;
}
