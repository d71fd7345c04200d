/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Adding an entry, or finding that it is there: then it takes the next id and moves to
 * the top, with what it was (pins, tags, when it was first copied). Where a narrower
 * search has let twins in, one of them is what remains. One that has expired, and was
 * only not removed yet, is as good as new.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-error.h"
#include "clip-record.h"
#include "clip-reserve.h"
#include "clip-tags.h"

/* how long a watcher takes on a busy machine */
#define ECHO_US (5 * G_USEC_PER_SEC)

typedef struct
{
  ClipRecord record;
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
find_window (ClipLedger *ledger,
             const ClipLimits *limits,
             gint64 *out_first,
             GError **error)
{
  *out_first = 0;
  return limits->max_dedupe_search < 0 ||
         limits->max_dedupe_search >= clip_ledger_sums (ledger)->count ||
         clip_database_number (clip_ledger_database (ledger), CLIP_SQL_NTH_NEWEST,
                               out_first, error, "i",
                               limits->max_dedupe_search) != CLIP_ROWS_FAILED;
}

static gboolean
list_candidates (ClipLedger *ledger, const ClipDraft *draft, GArray *ids, GError **error)
{
  clip_autorows sqlite3_stmt *rows = clip_database_query (
      clip_ledger_database (ledger), CLIP_SQL_FIND_DUPS, error, "i", draft->hash);
  ClipRows state;

  while ((state = clip_database_next (clip_ledger_database (ledger), rows, error)) ==
         CLIP_ROWS_ROW)
    {
      gint64 id = sqlite3_column_int64 (rows, 0);

      g_array_append_val (ids, id);
    }
  return state == CLIP_ROWS_END;
}

static gboolean
look_at (ClipLedger *ledger,
         gint64 id,
         const ClipDraft *draft,
         GArray *twins,
         GError **error)
{
  Twin twin = { 0 };
  ClipRows state = clip_record_load (ledger, id, &twin.record, error);

  if (state != CLIP_ROWS_ROW)
    return state != CLIP_ROWS_FAILED;
  twin.relation = clip_record_relate (ledger, &twin.record, draft, error);
  if (twin.relation == CLIP_RELATION_FAILED)
    return FALSE;
  if (twin.relation != CLIP_RELATION_OTHER)
    g_array_append_val (twins, twin);
  return TRUE;
}

/* newest first */
static gboolean
find_twins (ClipLedger *ledger,
            const ClipDraft *draft,
            const ClipLimits *limits,
            GArray *twins,
            GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 first = 0;

  if (!list_candidates (ledger, draft, ids, error) ||
      (ids->len > 0 && !find_window (ledger, limits, &first, error)))
    return FALSE;
  for (guint i = 0; i < ids->len; i++)
    {
      gint64 id = g_array_index (ids, gint64, i);

      if (id >= first && !look_at (ledger, id, draft, twins, error))
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

/* the one that stays: the newest of those that hold all of the draft and most besides,
 * else the newest that the draft enriches */
static const Twin *
choose_keeper (const GArray *twins)
{
  const Twin *keeper = NULL;

  for (guint i = 0; i < twins->len; i++)
    {
      const Twin *twin = &g_array_index (twins, Twin, i);

      if (!keeper || (is_enough (twin) && (!is_enough (keeper) ||
                                           twin->record.extras > keeper->record.extras)))
        keeper = twin;
    }
  return keeper;
}

/* what the draft, or an entry that is the same as the keeper, contributes to its course
 */
static void
merge_course (ClipRecord *into, const ClipRecord *from)
{
  into->first_us = MIN (into->first_us, from->first_us);
  into->last_us = MAX (into->last_us, from->last_us);
  into->copies += from->copies;
  into->pinned = into->pinned || from->pinned;
}

static gboolean
remove_twin (ClipLedger *ledger, const Twin *twin, gint64 into, GError **error)
{
  if (!clip_database_run (clip_ledger_database (ledger), CLIP_SQL_COPY_TAGS, error, "ii",
                          twin->record.id, into) ||
      !clip_record_drop (ledger, &twin->record, error))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_REMOVED, twin->record.id, 0);
  return TRUE;
}

/* a blob whose file was lost has come again: then the file is there again */
static gboolean
heal (ClipLedger *ledger, const ClipDraft *draft, GError **error)
{
  for (guint i = 0; i < draft->parts->len; i++)
    if (!clip_record_link (ledger, draft->parts->pdata[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
move_keeper (ClipLedger *ledger,
             const Twin *keeper,
             ClipRecord *record,
             const ClipDraft *draft,
             GError **error)
{
  gint64 id = record->id;

  clip_record_count_pin (clip_ledger_sums (ledger), &keeper->record,
                         record->pinned - keeper->record.pinned);
  record->id = keeper->record.id;
  record->hash = keeper->record.hash;
  record->extras = keeper->record.extras;
  if (!heal (ledger, draft, error) || !clip_record_move (ledger, id, record, error))
    return FALSE;
  record->id = id;
  clip_ledger_log (ledger, CLIP_EVENT_MOVED, id, keeper->record.id);
  return TRUE;
}

static gboolean
replace_keeper (ClipLedger *ledger,
                const Twin *keeper,
                const ClipRecord *record,
                const ClipDraft *draft,
                GError **error)
{
  if (!clip_record_insert (ledger, record, draft, error) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_COPY_TAGS, error, "ii",
                          keeper->record.id, record->id) ||
      !clip_record_drop (ledger, &keeper->record, error))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_MOVED, record->id, keeper->record.id);
  clip_ledger_log (ledger, CLIP_EVENT_CHANGED, record->id, 0);
  return TRUE;
}

static gboolean
settle_twins (ClipLedger *ledger,
              const GArray *twins,
              const Twin *keeper,
              ClipRecord *record,
              const ClipDraft *draft,
              GError **error)
{
  record->expires_us = has_expired (keeper) ? 0 : keeper->record.expires_us;
  merge_course (record, &keeper->record);
  for (guint i = 0; i < twins->len; i++)
    if (is_spare (&g_array_index (twins, Twin, i), keeper))
      merge_course (record, &g_array_index (twins, Twin, i).record);
  if (!(is_enough (keeper) ? move_keeper (ledger, keeper, record, draft, error)
                           : replace_keeper (ledger, keeper, record, draft, error)))
    return FALSE;
  for (guint i = 0; i < twins->len; i++)
    {
      const Twin *twin = &g_array_index (twins, Twin, i);

      if (is_spare (twin, keeper) && !remove_twin (ledger, twin, record->id, error))
        return FALSE;
    }
  return TRUE;
}

/* A watcher that stores what it finds on the clipboard, beside a daemon that watches it:
 * one copy is told twice, by a display and by a caller, whoever comes first. */
static gboolean
is_echo (ClipLedger *ledger, const ClipDraft *draft, const ClipRecord *record)
{
  return record->id == clip_ledger_sums (ledger)->last_id &&
         record->has_origin != (*draft->origin != '\0') &&
         ABS (draft->last_us - record->last_us) < ECHO_US;
}

/* whether what is there is not copied again by that */
static gboolean
is_no_news (ClipLedger *ledger, const ClipDraft *draft, const Twin *keeper)
{
  return is_enough (keeper) && !has_expired (keeper) &&
         (draft->initial || is_echo (ledger, draft, &keeper->record));
}

static gboolean
insert (ClipLedger *ledger,
        const ClipDraft *draft,
        const ClipLimits *limits,
        ClipAdded *out_added,
        GError **error)
{
  g_autoptr (GArray) twins = g_array_new (FALSE, FALSE, sizeof (Twin));
  ClipRecord record = { .first_us = draft->first_us,
                        .last_us = draft->last_us,
                        .copies = 1,
                        .extras = (gint64) draft->parts->len - 1,
                        .bytes = clip_draft_bytes (draft),
                        .hash = draft->hash };
  const Twin *keeper;

  if (!find_twins (ledger, draft, limits, twins, error))
    return FALSE;
  keeper = choose_keeper (twins);
  if (keeper && is_no_news (ledger, draft, keeper))
    {
      out_added->id = keeper->record.id;
      return TRUE;
    }
  record.id = ++clip_ledger_sums (ledger)->last_id;
  out_added->id = record.id;
  out_added->moved_from = keeper ? keeper->record.id : 0;
  if (keeper)
    return settle_twins (ledger, twins, keeper, &record, draft, error);
  if (!clip_record_insert (ledger, &record, draft, error))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_ADDED, record.id, 0);
  return TRUE;
}

static gboolean
take_pin (ClipLedger *ledger, const ClipRecord *old, gint64 id, GError **error)
{
  gint64 n = 0;

  return !old->pinned ||
         clip_change_pin (ledger, id, TRUE, &n, error) == CLIP_CHANGE_DONE;
}

/* @id: of what was added, which takes the place of the entry @old_id, if that is still
   there */
static gboolean
take_place (ClipLedger *ledger, gint64 old_id, gint64 id, GError **error)
{
  ClipRecord old = { 0 };
  ClipRows state = old_id == 0 || old_id == id
                       ? CLIP_ROWS_END
                       : clip_record_load (ledger, old_id, &old, error);

  if (state != CLIP_ROWS_ROW)
    return state != CLIP_ROWS_FAILED;
  if (!take_pin (ledger, &old, id, error) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_COPY_TAGS, error, "ii",
                          old_id, id) ||
      !clip_record_drop (ledger, &old, error))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_REMOVED, old_id, 0);
  return TRUE;
}

/* --- entries that somebody brings along --- */

/* What is there has less than the draft, which takes its place, its id included: that it
 * was brought along is no new copy. */
static gboolean
enrich (ClipLedger *ledger,
        const Twin *poorer,
        ClipRecord *record,
        const ClipDraft *draft,
        const ClipCourse *course,
        GError **error)
{
  record->id = poorer->record.id;
  record->expires_us = poorer->record.expires_us;
  record->copies = MAX (record->copies, poorer->record.copies);
  record->first_us = MIN (record->first_us, poorer->record.first_us);
  record->last_us = MAX (record->last_us, poorer->record.last_us);
  record->pinned = record->pinned || poorer->record.pinned;
  if (!clip_database_run (clip_ledger_database (ledger), CLIP_SQL_COPY_TAGS, error, "ii",
                          poorer->record.id, -record->id) ||
      !clip_record_drop (ledger, &poorer->record, error) ||
      !clip_record_insert (ledger, record, draft, error) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_COPY_TAGS, error, "ii",
                          -record->id, record->id) ||
      !clip_database_run (clip_ledger_database (ledger), CLIP_SQL_DROP_TAGS, error, "i",
                          -record->id))
    return FALSE;
  clip_ledger_log (ledger, CLIP_EVENT_CHANGED, record->id, 0);
  return clip_tags_add (ledger, record->id, (const char *const *) course->tags, error);
}

static gboolean
bring_in (ClipLedger *ledger,
          const ClipDraft *draft,
          const ClipCourse *course,
          gboolean keeps_id,
          ClipImported *imported,
          GError **error)
{
  g_autoptr (GArray) twins = g_array_new (FALSE, FALSE, sizeof (Twin));
  ClipLimits none = CLIP_NO_LIMITS;
  ClipRecord record = { .first_us = draft->first_us,
                        .last_us = draft->last_us,
                        .copies = course->copies,
                        .expires_us = course->expires_us,
                        .pinned = course->pinned,
                        .extras = (gint64) draft->parts->len - 1,
                        .bytes = clip_draft_bytes (draft),
                        .hash = draft->hash };
  const Twin *keeper;

  if (!find_twins (ledger, draft, &none, twins, error))
    return FALSE;
  keeper = choose_keeper (twins);
  imported->n_known += keeper != NULL;
  if (keeper && is_enough (keeper))
    return heal (ledger, draft, error);
  if (keeper)
    return enrich (ledger, keeper, &record, draft, course, error);
  if (keeps_id && course->id > clip_ledger_sums (ledger)->last_id &&
      course->id <= CLIP_MAX_KEPT_ID)
    clip_ledger_sums (ledger)->last_id = course->id;
  else
    clip_ledger_sums (ledger)->last_id++;
  record.id = clip_ledger_sums (ledger)->last_id;
  imported->n_added++;
  return clip_record_insert (ledger, &record, draft, error) &&
         clip_tags_add (ledger, record.id, (const char *const *) course->tags, error);
}

/**
 * clip_change_add_as:
 * @draft: prepared
 * @course: what became of the entry elsewhere
 * @keeps_id: whether it gets the id that it had, where that is higher than any, and not
 * above %CLIP_MAX_KEPT_ID
 *
 * Adds the entry, unless there is one that holds all of it, which stays as it is. Nothing
 * is trimmed, and nobody is told of the entry itself. That the reserve is kept is for the
 * caller to see to.
 */
ClipChangeStep
clip_change_add_as (ClipLedger *ledger,
                    ClipDraft *draft,
                    const ClipCourse *course,
                    gboolean keeps_id,
                    ClipImported *imported,
                    GError **error)
{
  ClipClaim claim;

  claim = claim_blobs (draft, error);
  if (claim != CLIP_CLAIM_READY)
    return claim == CLIP_CLAIM_AGAIN ? CLIP_CHANGE_AGAIN : CLIP_CHANGE_FAILED;
  return bring_in (ledger, draft, course, keeps_id, imported, error) ? CLIP_CHANGE_DONE
                                                                     : CLIP_CHANGE_FAILED;
}

/**
 * clip_change_add:
 * @draft: prepared
 * @out_added: (inout): zeroed before the first call
 *
 * Adds the entry, or moves its twin to the top, drops the one that it replaces, and trims
 * the history to the limits.
 *
 * Errors: %CLIP_ERROR_NO_SPACE, %G_FILE_ERROR, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_FAILED.
 */
ClipChangeStep
clip_change_add (ClipLedger *ledger,
                 ClipDraft *draft,
                 const ClipLimits *limits,
                 ClipAdded *out_added,
                 GError **error)
{
  if (out_added->id == 0)
    {
      ClipChangeStep step =
          clip_change_make_room (ledger, limits, draft, out_added, error);
      ClipClaim claim;

      if (step != CLIP_CHANGE_DONE)
        return step;
      if (clip_ledger_dir (ledger) &&
          !clip_reserve_keep (clip_ledger_dir (ledger), error))
        return CLIP_CHANGE_FAILED;
      claim = claim_blobs (draft, error);
      if (claim != CLIP_CLAIM_READY)
        return claim == CLIP_CLAIM_AGAIN ? CLIP_CHANGE_AGAIN : CLIP_CHANGE_FAILED;
      if (!insert (ledger, draft, limits, out_added, error) ||
          !take_place (ledger, draft->replaces, out_added->id, error))
        return CLIP_CHANGE_FAILED;
    }
  return clip_change_trim (ledger, limits, out_added->id, &out_added->n_trimmed, error);
}
