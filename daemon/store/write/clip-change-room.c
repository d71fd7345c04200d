/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What goes where the disk is full. An entry goes for an entry: as many bytes as come in,
 * which are here already, and what a change needs to be written at all. The history is
 * not paid for what others put on the disk. A floor of free space that nobody has asked
 * for takes a tenth at most, as any limit.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change.h"

#include "clip-draft-private.h"
#include "clip-error.h"
#include "clip-reserve.h"

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
  if (!clip_blobs_space (clip_ledger_blobs (ledger), &room->free_bytes, &total, error))
    return FALSE;
  /* what is kept for deleting, and is given up just now, is not there for anything
     else */
  room->free_bytes -=
      clip_ledger_dir (ledger) ? clip_reserve_lacks (clip_ledger_dir (ledger)) : 0;
  room->floor_bytes = clip_limits_floor (limits, total);
  if (room->free_bytes >= room->floor_bytes)
    return TRUE;
  if (clip_database_number (clip_ledger_database (ledger), CLIP_SQL_GET_FREE_PAGES,
                            &n_pages, error, "") == CLIP_ROWS_FAILED ||
      clip_database_number (clip_ledger_database (ledger), CLIP_SQL_GET_PAGE_BYTES,
                            &page_bytes, error, "") == CLIP_ROWS_FAILED)
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
  return MAX (CLIP_LIMITS_WORKING_BYTES - room->free_bytes, 0);
}

static gint64
loose_bytes (ClipLedger *ledger)
{
  return clip_ledger_sums (ledger)->bytes - clip_ledger_sums (ledger)->pinned_bytes;
}

static ClipChangeStep
refuse (gint64 missing, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
               "%" G_GINT64_FORMAT " bytes are missing of those that are to stay free",
               missing);
  return CLIP_CHANGE_FAILED;
}

/* What goes for the sake of an entry of so many bytes, at most those. One that lies on
 * the disk stays there only above the floor; one that is in memory is taken below it,
 * too. */
static ClipChangeStep
find_price (ClipLedger *ledger,
            const ClipLimits *limits,
            const Room *room,
            const ClipDraft *draft,
            gint64 *out_price,
            GError **error)
{
  const gboolean is_on_disk = clip_draft_has_blobs (draft);
  gint64 missing = missing_bytes (room);
  gint64 lacking = lacking_bytes (room);
  gint64 most = clip_draft_bytes (draft);

  if (clip_limits_weigh (limits, CLIP_LIMIT_SPACE))
    most = MIN (most, clip_ledger_sums (ledger)->bytes / CLIP_LIMITS_SHARE);
  most += is_on_disk ? CLIP_LIMITS_WORKING_BYTES : lacking;
  *out_price = MAX (MIN (missing, most), lacking);
  if ((is_on_disk && missing > most) || *out_price > loose_bytes (ledger))
    return refuse (missing, error);
  return CLIP_CHANGE_DONE;
}

static gboolean
find_oldest (ClipLedger *ledger, gint64 *out_id, GError **error)
{
  return clip_database_number (
             clip_ledger_database (ledger), CLIP_SQL_OLDEST_LOOSE, out_id, error, "i",
             clip_ledger_sums (ledger)->first_loose) != CLIP_ROWS_FAILED;
}

/* the oldest goes, and with it what is missing: its files are gone a moment later. FALSE
 * without an error: there is none */
static gboolean
remove_oldest (ClipLedger *ledger, gint64 *room_bytes, gint64 *n_removed, GError **error)
{
  gint64 before = clip_ledger_sums (ledger)->bytes;
  gint64 oldest;

  if (!find_oldest (ledger, &oldest, error) || oldest == 0 ||
      !clip_change_remove (ledger, oldest, n_removed, error))
    return FALSE;
  clip_ledger_sums (ledger)->first_loose = oldest + 1;
  *room_bytes -= before - clip_ledger_sums (ledger)->bytes;
  return TRUE;
}

/* Until what is missing is made up for. Others may have taken away meanwhile what is to
   go. */
static ClipChangeStep
give (ClipLedger *ledger, gint64 *room_bytes, gint64 *n_removed, GError **error)
{
  for (guint i = 0; *room_bytes > 0 && i < clip_ledger_step_rows (ledger); i++)
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

/* What went lies in the database as long as its pages do: where nothing can be written,
 * they are given back first. */
static ClipChangeStep
return_pages (ClipLedger *ledger, const Room *room, GError **error)
{
  if (lacking_bytes (room) == 0 || room->unused_bytes == 0)
    return CLIP_CHANGE_DONE;
  return clip_database_run (clip_ledger_database (ledger),
                            clip_ledger_step_rows (ledger) == CLIP_STEP_ROWS
                                ? CLIP_SQL_RETURN_PAGES
                                : CLIP_SQL_RETURN_FEW_PAGES,
                            error, "")
             ? CLIP_CHANGE_MORE
             : CLIP_CHANGE_FAILED;
}

/**
 * clip_change_make_room:
 * @draft: that is to be added; what of it is on the disk has come already
 * @added: (inout): zeroed before the first call
 *
 * Sees to the floor of free space before an entry is added: the oldest that are not
 * pinned go, for as many bytes as it has itself, but none where that would not be enough.
 *
 * Errors: %CLIP_ERROR_NO_SPACE.
 */
ClipChangeStep
clip_change_make_room (ClipLedger *ledger,
                       const ClipLimits *limits,
                       const ClipDraft *draft,
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
      step = find_price (ledger, limits, &room, draft, &added->room_bytes, error);
      if (step != CLIP_CHANGE_DONE)
        return step;
    }
  step = give (ledger, &added->room_bytes, &added->n_trimmed, error);
  if (step != CLIP_CHANGE_DONE)
    return step;
  added->took_old = TRUE;
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

/* What is to go for the floor by order, which no copy waits for; nothing where all that
 * may go would not make up for it. */
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
 * The last of a trim: the files of what went before are gone once that is committed, and
 * only then it shows what is missing.
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
