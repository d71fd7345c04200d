/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What goes where the disk is full. A floor of free space that nobody has asked for takes no more
 * than a tenth, as any limit; where more is missing, somebody else has filled the disk, and an entry
 * goes for an entry: as many bytes as come in, and what a change needs to be written at all. That
 * is so for an entry that is to be added, and for a content that has met the full disk while it
 * came in; what has gone for that is not asked for again when it is added.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-error.h"
#include "clip-reserve.h"
#include "clip-stage-private.h"

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
               "%" G_GINT64_FORMAT " bytes are missing of those that are to stay free",
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
      (!clip_limits_weigh (limits, CLIP_LIMIT_SPACE) ||
       missing <= ledger->sums.bytes / CLIP_LIMITS_SHARE))
    return MAX (missing, lacking);
  return clip_limits_weigh (limits, CLIP_LIMIT_SPACE) ? bytes + lacking : missing;
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
 * @bytes: of the entry that is to be added, without those that something has gone for already
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
  if (missing == 0)
    return TRUE;
  refuse (missing, error);
  g_prefix_error (error, "the disk is full: ");
  return FALSE;
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

/* --- what comes in --- */

/* what goes at a time for a content whose length nobody knows: as much as has come since it was last
 * stopped, for the rest may be as long as that, or next to nothing */
#define LEAST_STEP_BYTES (256 * 1024)
#define LARGEST_STEP_BYTES (16 * 1024 * 1024)

/* what others may have taken of the room that was made for it */
#define LOST_BYTES (4 * 1024 * 1024)

static gint64
step_bytes (const ClipShortage *shortage, gint64 paid)
{
  return shortage->rest >= 0
             ? shortage->rest
             : CLAMP (shortage->there - paid, LEAST_STEP_BYTES, LARGEST_STEP_BYTES);
}

/* Nobody knows whether the end of such a content ever comes: for it half of what may go goes at
 * most, and what each change needs. */
static gint64
spendable_bytes (const ClipLedger *ledger, const ClipShortage *shortage, gint64 paid)
{
  gint64 loose = loose_bytes (ledger);

  return shortage->rest >= 0 ? loose
                             : MIN (loose, (loose + paid) / 2 + WORKING_BYTES +
                                               CLIP_RESERVE_BYTES - paid);
}

/* see find_price(); where there is room, and a write was refused all the same, as for a quota,
 * what is free is none of it */
static gint64
find_step_price (const ClipLedger *ledger,
                 const ClipLimits *limits,
                 const Room *room,
                 const ClipShortage *shortage,
                 gint64 paid)
{
  gint64 bytes = step_bytes (shortage, paid);
  gint64 there = room->free_bytes + room->unused_bytes;
  gint64 missing = MAX (room->floor_bytes + bytes - there, 0);
  gint64 least = shortage->is_again ? bytes + lacking_bytes (room)
                                    : MAX (bytes + WORKING_BYTES - there, 0);

  if (!clip_limits_weigh (limits, CLIP_LIMIT_SPACE))
    return MAX (missing, least);
  return missing <= loose_bytes (ledger) &&
                 missing + paid <= (ledger->sums.bytes + paid) / CLIP_LIMITS_SHARE
             ? MAX (missing, least)
             : least;
}

/* Returns: %FALSE */
static gboolean
refuse_content (const ClipShortage *shortage, gint64 missing, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
               "%" G_GINT64_FORMAT
               " bytes of it have come, and there is no room for %" G_GINT64_FORMAT
               " more",
               shortage->there, missing);
  return FALSE;
}

static gboolean
find_step (ClipLedger *ledger,
           const ClipLimits *limits,
           const ClipShortage *shortage,
           gint64 paid,
           ClipTrimmed *trimmed,
           GError **error)
{
  gint64 price;
  Room room;

  if (!has_floor (limits) || paid > shortage->there + LOST_BYTES)
    return refuse_content (shortage, step_bytes (shortage, paid), error);
  if (!look (ledger, limits, &room, error))
    return FALSE;
  price = find_step_price (ledger, limits, &room, shortage, paid);
  if (price > spendable_bytes (ledger, shortage, paid))
    return refuse_content (shortage, price, error);
  trimmed->room_bytes = price;
  return TRUE;
}

/* What lies in the database is of no use to a file before its pages are given back. What is kept
 * for deleting comes back before the content that comes in can take it. */
static ClipChangeStep
settle (ClipLedger *ledger, GError **error)
{
  gint64 n_before;
  gint64 n_left = 0;
  ClipSql statement = ledger->step_rows == CLIP_STEP_ROWS ? CLIP_SQL_RETURN_PAGES
                                                          : CLIP_SQL_RETURN_FEW_PAGES;

  if (clip_database_number (ledger->database, CLIP_SQL_GET_FREE_PAGES, &n_before, error,
                            "") == CLIP_ROWS_FAILED ||
      !clip_database_run (ledger->database, statement, error, "") ||
      clip_database_number (ledger->database, CLIP_SQL_GET_FREE_PAGES, &n_left, error,
                            "") == CLIP_ROWS_FAILED)
    return CLIP_CHANGE_FAILED;
  /* as every step but the last, it is carried out of the log */
  if (n_left < n_before)
    return CLIP_CHANGE_MORE;
  if (ledger->dir)
    clip_reserve_keep (ledger->dir, NULL);
  return CLIP_CHANGE_DONE;
}

/**
 * clip_change_make_room_for_content:
 * @stage: what is there of it; what has gone for its sake is noted there by whoever runs this
 * @trimmed: (inout): zeroed before the first call
 *
 * A content has met a full disk while it came in: the oldest that are not pinned go for what is
 * to come, as they would for the whole of it, and none where that would not be enough.
 *
 * Errors: %CLIP_ERROR_NO_SPACE.
 */
ClipChangeStep
clip_change_make_room_for_content (ClipLedger *ledger,
                                   const ClipLimits *limits,
                                   const ClipStage *stage,
                                   const ClipShortage *shortage,
                                   ClipTrimmed *trimmed,
                                   GError **error)
{
  gint64 before = ledger->sums.bytes;
  ClipChangeStep step;

  if (trimmed->has_room)
    return settle (ledger, error);
  if (trimmed->room_bytes <= 0 &&
      !find_step (ledger, limits, shortage, stage->paid, trimmed, error))
    return CLIP_CHANGE_FAILED;
  step = give (ledger, &trimmed->room_bytes, &trimmed->n, error);
  trimmed->n_bytes += before - ledger->sums.bytes;
  trimmed->has_room = step == CLIP_CHANGE_DONE;
  return step == CLIP_CHANGE_DONE ? CLIP_CHANGE_MORE : step;
}
