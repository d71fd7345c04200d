/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a limit must not take. A number in a configuration file, or a default that was never
 * chosen, may come upon a history that has grown under another one: where it would take more
 * than a tenth, it is not obeyed, until somebody says so. What is weighed is the history
 * before a copy is added: one that was within its limits is never too large for them.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-error.h"
#include "clip-reserve.h"

/* one of so many is not missed */
#define SHARE 10

/* the age that was obeyed last: after a holiday all is too old, and nobody has changed
 * anything */
#define AGE_NOTE "max-age"

/* Too much is more than a tenth of what there is. The ids stand for the entries: to count
 * those would take as long as there are many. */
static gboolean
takes_too_old (ClipLedger *ledger, gint64 age_us, gboolean *out_takes, GError **error)
{
  const ClipSums *sums = &ledger->sums;
  gint64 id = sums->first_loose + (sums->last_id - sums->first_loose) / SHARE;
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, CLIP_SQL_OLDEST_LOOSE, error, "i", id);
  ClipRows state = clip_database_next (ledger->database, rows, error);

  *out_takes = state == CLIP_ROWS_ROW &&
               sqlite3_column_int64 (rows, 1) <= g_get_real_time () - age_us;
  return state != CLIP_ROWS_FAILED;
}

/* 0 = none is; readers go by it, too */
gboolean
clip_change_obeyed_age (ClipLedger *ledger, gint64 *out_age_us, GError **error)
{
  clip_autorows sqlite3_stmt *rows =
      clip_database_query (ledger->database, CLIP_SQL_GET_NOTE, error, "s", AGE_NOTE);
  ClipRows state = clip_database_next (ledger->database, rows, error);

  *out_age_us = state == CLIP_ROWS_ROW ? sqlite3_column_int64 (rows, 0) : 0;
  return state != CLIP_ROWS_FAILED;
}

static gboolean
set_obeyed_age (ClipLedger *ledger, gint64 age_us, GError **error)
{
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, age_us);

  return clip_change_note (ledger, AGE_NOTE, age_us > 0 ? value : NULL, error) ==
         CLIP_CHANGE_DONE;
}

/* one that has been in force is obeyed, whatever it takes */
static gboolean
spare_old (ClipLedger *ledger, ClipLimits *limits, gboolean *out_spared, GError **error)
{
  gint64 obeyed_us;

  *out_spared = FALSE;
  if (!clip_change_obeyed_age (ledger, &obeyed_us, error))
    return FALSE;
  if (limits->max_age_us > 0 && (obeyed_us == 0 || limits->max_age_us < obeyed_us) &&
      !takes_too_old (ledger, limits->max_age_us, out_spared, error))
    return FALSE;
  if (*out_spared)
    limits->max_age_us = 0;
  else if (limits->max_age_us != obeyed_us)
    return set_obeyed_age (ledger, limits->max_age_us, error);
  return TRUE;
}

static gboolean
is_weighed (const ClipLimits *limits, ClipLimit limit)
{
  return (limits->cautious & limit) != 0;
}

/**
 * clip_change_spare:
 * @limits: (inout): those that would take too much are lifted
 * @out_spared: (out): which they are
 */
gboolean
clip_change_spare (ClipLedger *ledger,
                   ClipLimits *limits,
                   guint *out_spared,
                   GError **error)
{
  const ClipSums *sums = &ledger->sums;
  gint64 n_over = sums->count - sums->pinned - limits->max_items;
  gint64 bytes_over = sums->bytes - sums->pinned_bytes - limits->max_total_bytes;
  gboolean old = FALSE;

  *out_spared = 0;
  if (is_weighed (limits, CLIP_LIMIT_ITEMS) && limits->max_items >= 0 &&
      n_over > sums->count / SHARE)
    {
      *out_spared |= CLIP_LIMIT_ITEMS;
      limits->max_items = -1;
    }
  if (is_weighed (limits, CLIP_LIMIT_BYTES) && limits->max_total_bytes > 0 &&
      bytes_over > sums->bytes / SHARE)
    {
      *out_spared |= CLIP_LIMIT_BYTES;
      limits->max_total_bytes = 0;
    }
  if (is_weighed (limits, CLIP_LIMIT_AGE) && !spare_old (ledger, limits, &old, error))
    return FALSE;
  *out_spared |= old ? CLIP_LIMIT_AGE : 0;
  return TRUE;
}

/* --- room on the disk --- */

/* what a change takes for itself, whatever it adds: for the log, and its index */
#define WORKING_BYTES (512 * 1024)

/* what is there, and what is to be */
typedef struct
{
  gint64 free_bytes;
  gint64 unused_bytes; /* of the database: as good as free */
  gint64 floor_bytes;
} Room;

static gboolean
has_floor (const ClipLimits *limits)
{
  return limits->min_free_bytes > 0 || limits->min_free_percent > 0;
}

static gboolean
look (ClipLedger *ledger, const ClipLimits *limits, Room *room, GError **error)
{
  gint64 total, n_pages, page_bytes;

  *room = (Room){ 0 };
  if (!clip_blobs_space (ledger->blobs, &room->free_bytes, &total, error))
    return FALSE;
  /* what is kept for deleting, and is given up just now, is not there for anything else */
  room->free_bytes -= ledger->dir ? clip_reserve_lacks (ledger->dir) : 0;
  room->floor_bytes =
      MAX (limits->min_free_bytes, total / 100 * limits->min_free_percent);
  if (room->free_bytes >= room->floor_bytes)
    return TRUE;
  if (clip_database_number (ledger->database, CLIP_SQL_GET_FREE_PAGES, &n_pages, error,
                            "") == CLIP_ROWS_FAILED ||
      clip_database_number (ledger->database, CLIP_SQL_GET_PAGE_BYTES, &page_bytes, error,
                            "") == CLIP_ROWS_FAILED)
    return FALSE;
  room->unused_bytes = n_pages * page_bytes;
  return TRUE;
}

static gint64
missing_bytes (const Room *room)
{
  return MAX (room->floor_bytes - room->free_bytes - room->unused_bytes, 0);
}

/* below that nothing can be written at all */
static gint64
lacking_bytes (const Room *room)
{
  return MAX (WORKING_BYTES - room->free_bytes, 0);
}

static gint64
loose_bytes (const ClipLedger *ledger)
{
  return ledger->sums.bytes - ledger->sums.pinned_bytes;
}

static ClipChangeStep
refuse (gint64 missing, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
               "the disk is full, the copy is not kept: %" G_GINT64_FORMAT
               " bytes are missing of those that are to stay free",
               missing);
  return CLIP_CHANGE_FAILED;
}

/* What goes for the sake of an entry of so many bytes: all that is missing. A floor that nobody
 * has asked for takes no more than a tenth, as any limit; beyond that an entry goes for an entry: the
 * disk is no fuller than it was, and the history is not paid for what others put there. */
static gint64
find_price (const ClipLedger *ledger,
            const ClipLimits *limits,
            const Room *room,
            gint64 bytes)
{
  gint64 missing = missing_bytes (room);
  gint64 lacking = lacking_bytes (room);

  if (missing <= loose_bytes (ledger) &&
      (!is_weighed (limits, CLIP_LIMIT_SPACE) || missing <= ledger->sums.bytes / SHARE))
    return MAX (missing, lacking);
  return is_weighed (limits, CLIP_LIMIT_SPACE) ? bytes + lacking : missing;
}

static gboolean
find_oldest (ClipLedger *ledger, gint64 *out_id, GError **error)
{
  return clip_database_number (ledger->database, CLIP_SQL_OLDEST_LOOSE, out_id, error,
                               "i", ledger->sums.first_loose) != CLIP_ROWS_FAILED;
}

/* the oldest goes, and with it what is missing: its files are gone a moment later. FALSE without
 * an error: there is none */
static gboolean
remove_oldest (ClipLedger *ledger, gint64 *room_bytes, gint64 *n_removed, GError **error)
{
  gint64 before = ledger->sums.bytes;
  gint64 oldest;

  if (!find_oldest (ledger, &oldest, error) || oldest == 0 ||
      !clip_change_remove (ledger, oldest, n_removed, error))
    return FALSE;
  ledger->sums.first_loose = oldest + 1;
  *room_bytes -= before - ledger->sums.bytes;
  return TRUE;
}

/* Until what is missing is made up for. Others may have taken away meanwhile what is to go. */
static ClipChangeStep
give (ClipLedger *ledger, gint64 *room_bytes, gint64 *n_removed, GError **error)
{
  for (guint i = 0; *room_bytes > 0 && i < ledger->step_rows; i++)
    {
      g_autoptr (GError) reason = NULL;

      if (remove_oldest (ledger, room_bytes, n_removed, &reason))
        continue;
      if (!reason)
        return refuse (*room_bytes, error);
      g_propagate_error (error, g_steal_pointer (&reason));
      return CLIP_CHANGE_FAILED;
    }
  return *room_bytes > 0 ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

/* What went lies in the database as long as its pages do: where nothing can be written, they are
 * given back first. */
static ClipChangeStep
return_pages (ClipLedger *ledger, const Room *room, GError **error)
{
  if (lacking_bytes (room) == 0 || room->unused_bytes == 0)
    return CLIP_CHANGE_DONE;
  return clip_database_run (ledger->database,
                            ledger->step_rows == CLIP_STEP_ROWS
                                ? CLIP_SQL_RETURN_PAGES
                                : CLIP_SQL_RETURN_FEW_PAGES,
                            error, "")
             ? CLIP_CHANGE_MORE
             : CLIP_CHANGE_FAILED;
}

/**
 * clip_change_make_room:
 * @bytes: of the entry that is to be added
 * @added: (inout): zeroed before the first call
 *
 * Sees to the floor of free space before an entry is added: the oldest that are not pinned
 * go, but none where that would not be enough.
 *
 * Errors: %CLIP_ERROR_NO_SPACE.
 */
ClipChangeStep
clip_change_make_room (ClipLedger *ledger,
                       const ClipLimits *limits,
                       gint64 bytes,
                       ClipAdded *added,
                       GError **error)
{
  ClipChangeStep step;
  Room room;

  if (!has_floor (limits))
    return CLIP_CHANGE_DONE;
  if (added->room_bytes <= 0)
    {
      if (!look (ledger, limits, &room, error))
        return CLIP_CHANGE_FAILED;
      added->has_room = added->has_room || missing_bytes (&room) == 0;
      if (added->has_room)
        return return_pages (ledger, &room, error);
      added->room_bytes = find_price (ledger, limits, &room, bytes);
      if (added->room_bytes > loose_bytes (ledger))
        return refuse (missing_bytes (&room), error);
    }
  step = give (ledger, &added->room_bytes, &added->n_trimmed, error);
  if (step != CLIP_CHANGE_DONE)
    return step;
  /* the files that go are there until this much is committed */
  added->has_room = TRUE;
  return CLIP_CHANGE_MORE;
}

/* where none may go for its sake: whether that much stays free. Errors:
 * %CLIP_ERROR_NO_SPACE. */
gboolean
clip_change_check_room (ClipLedger *ledger, const ClipLimits *limits, GError **error)
{
  gint64 missing;
  Room room;

  if (!has_floor (limits))
    return TRUE;
  if (!look (ledger, limits, &room, error))
    return FALSE;
  missing = missing_bytes (&room);
  return missing == 0 || refuse (missing, error) == CLIP_CHANGE_DONE;
}

/* What is to go for the floor by order, which no copy waits for; nothing where all that may go
 * would not make up for it. */
gboolean
clip_change_find_floor (ClipLedger *ledger,
                        const ClipLimits *limits,
                        ClipTrimmed *trimmed,
                        GError **error)
{
  Room room;

  trimmed->room_bytes = 0;
  if (!limits->thorough || !has_floor (limits))
    return TRUE;
  if (!look (ledger, limits, &room, error))
    return FALSE;
  if (missing_bytes (&room) > loose_bytes (ledger))
    trimmed->spared |= CLIP_LIMIT_SPACE;
  else
    trimmed->room_bytes = missing_bytes (&room);
  return TRUE;
}

/**
 * clip_change_trim_to_floor:
 *
 * The last of a trim: the files of what went before are gone once that is committed, and only
 * then it shows what is missing.
 */
ClipChangeStep
clip_change_trim_to_floor (ClipLedger *ledger,
                           const ClipLimits *limits,
                           ClipTrimmed *trimmed,
                           GError **error)
{
  gboolean is_settled = trimmed->is_settled || trimmed->n == 0;
  ClipChangeStep step;

  if (!limits->thorough || !has_floor (limits) || trimmed->has_room)
    return CLIP_CHANGE_DONE;
  trimmed->is_settled = TRUE;
  if (!is_settled)
    return CLIP_CHANGE_MORE;
  if (trimmed->room_bytes <= 0 &&
      !clip_change_find_floor (ledger, limits, trimmed, error))
    return CLIP_CHANGE_FAILED;
  step = give (ledger, &trimmed->room_bytes, &trimmed->n, error);
  trimmed->has_room = step == CLIP_CHANGE_DONE;
  return step;
}
