/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What goes where the disk is full. An entry goes for an entry: as many bytes as come in,
 * which are here already, and what a change needs to be written at all. The history is
 * not paid for what others put on the disk. A floor of free space that nobody has asked
 * for takes a tenth at most, as any limit, also where a change needs more to be written.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-change-steps.h"

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
look (ClipTransaction *transaction, const ClipLimits *limits, Room *room, GError **error)
{
  gint64 total, n_pages, page_bytes;

  *room = (Room){ 0 };
  if (!clip_blobs_space (clip_transaction_blobs (transaction), &room->free_bytes, &total,
                         error))
    return FALSE;
  /* what is kept for deleting, and is given up just now, is not there for anything
     else */
  room->free_bytes -= clip_reserve_lacks (clip_transaction_dir (transaction));
  room->floor_bytes = clip_limits_floor (limits, total);
  if (room->free_bytes >= room->floor_bytes)
    return TRUE;
  if (clip_statements_number (clip_transaction_db (transaction), CLIP_SQL_GET_FREE_PAGES,
                              &n_pages, error, "") == CLIP_ROWS_FAILED ||
      clip_statements_number (clip_transaction_db (transaction), CLIP_SQL_GET_PAGE_BYTES,
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
loose_bytes (ClipTransaction *transaction)
{
  return clip_transaction_totals (transaction)->bytes -
         clip_transaction_totals (transaction)->pinned_bytes;
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
find_price (ClipTransaction *transaction,
            const ClipLimits *limits,
            const Room *room,
            const ClipDraft *draft,
            gint64 *out_price,
            GError **error)
{
  const gboolean is_on_disk = clip_draft_has_blobs (draft);
  const gint64 missing = missing_bytes (room);
  const gint64 lacking = lacking_bytes (room);
  gint64 spare = loose_bytes (transaction);
  gint64 most =
      clip_draft_bytes (draft) + (is_on_disk ? CLIP_LIMITS_WORKING_BYTES : lacking);

  if (clip_limits_weigh (limits, CLIP_LIMIT_SPACE))
    {
      spare /= CLIP_LIMITS_SHARE;
      most = MIN (most, spare);
    }
  *out_price = MAX (MIN (missing, most), lacking);
  if ((is_on_disk && missing > most) || *out_price > spare)
    return refuse (missing, error);
  return CLIP_CHANGE_DONE;
}

/* The oldest go, and with them what is missing: their files are gone a moment later.
 * Others may have taken away meanwhile what is to go. */
static ClipChangeStep
give (ClipTransaction *transaction, gint64 *room_bytes, gint64 *n_removed, GError **error)
{
  const ClipTotals *totals = clip_transaction_totals (transaction);

  for (guint i = 0; *room_bytes > 0 && i < clip_transaction_step_rows (transaction); i++)
    {
      const gint64 before = totals->bytes;
      ClipOldest oldest;

      if (!clip_step_find_oldest (transaction, &oldest, error))
        return CLIP_CHANGE_FAILED;
      if (oldest.id == 0)
        return refuse (*room_bytes, error);
      if (!clip_step_remove_oldest (transaction, oldest.id, n_removed, error))
        return CLIP_CHANGE_FAILED;
      *room_bytes -= before - totals->bytes;
    }
  return *room_bytes > 0 ? CLIP_CHANGE_MORE : CLIP_CHANGE_DONE;
}

/* What went lies in the database as long as its pages do: where nothing can be written,
 * they are given back first. */
static ClipChangeStep
return_pages (ClipTransaction *transaction, const Room *room, GError **error)
{
  if (lacking_bytes (room) == 0 || room->unused_bytes == 0)
    return CLIP_CHANGE_DONE;
  return clip_statements_run (clip_transaction_db (transaction),
                              clip_transaction_step_rows (transaction) ==
                                      CLIP_TRANSACTION_ROWS
                                  ? CLIP_SQL_RETURN_PAGES
                                  : CLIP_SQL_RETURN_FEW_PAGES,
                              error, "")
             ? CLIP_CHANGE_MORE
             : CLIP_CHANGE_FAILED;
}

/**
 * clip_step_make_room:
 * @draft: that is to be added; what of it is on the disk has come already
 * @progress: (inout): its limits count
 *
 * Sees to the floor of free space before an entry is added: the oldest that are not
 * pinned go, for as many bytes as it has itself, but none where that would not be enough.
 *
 * Errors: %CLIP_ERROR_NO_SPACE.
 */
ClipChangeStep
clip_step_make_room (ClipTransaction *transaction,
                     const ClipDraft *draft,
                     ClipChangeProgress *progress,
                     GError **error)
{
  ClipOutcome *outcome = &progress->outcome;
  const gint64 n_before = outcome->n;
  ClipChangeStep step;
  Room room;

  if (!has_floor (&progress->limits))
    return CLIP_CHANGE_DONE;
  if (progress->room_bytes <= 0)
    {
      if (!look (transaction, &progress->limits, &room, error))
        return CLIP_CHANGE_FAILED;
      progress->has_room = progress->has_room || missing_bytes (&room) == 0;
      if (progress->has_room)
        return return_pages (transaction, &room, error);
      step = find_price (transaction, &progress->limits, &room, draft,
                         &progress->room_bytes, error);
      if (step != CLIP_CHANGE_DONE)
        return step;
    }
  step = give (transaction, &progress->room_bytes, &outcome->n, error);
  outcome->n_pushed_out += outcome->n - n_before;
  if (step != CLIP_CHANGE_DONE)
    return step;
  outcome->took_old = TRUE;
  /* the files that go are there until this much is committed */
  progress->has_room = TRUE;
  return CLIP_CHANGE_MORE;
}

/* where none may go for its sake: whether that much stays free. Errors:
 * %CLIP_ERROR_NO_SPACE. */
gboolean
clip_step_check_room (ClipTransaction *transaction,
                      const ClipLimits *limits,
                      GError **error)
{
  gint64 missing;
  Room room;

  if (!has_floor (limits))
    return TRUE;
  if (!look (transaction, limits, &room, error))
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
clip_step_find_floor (ClipTransaction *transaction,
                      ClipChangeProgress *progress,
                      GError **error)
{
  Room room;

  progress->room_bytes = 0;
  if (!progress->limits.thorough || !has_floor (&progress->limits))
    return TRUE;
  if (!look (transaction, &progress->limits, &room, error))
    return FALSE;
  if (missing_bytes (&room) > loose_bytes (transaction))
    progress->outcome.spared |= CLIP_LIMIT_SPACE;
  else
    progress->room_bytes = missing_bytes (&room);
  return TRUE;
}

/**
 * clip_step_trim_to_floor:
 *
 * The last of a trim: the files of what went before are gone once that is committed, and
 * only then it shows what is missing.
 */
ClipChangeStep
clip_step_trim_to_floor (ClipTransaction *transaction,
                         ClipChangeProgress *progress,
                         GError **error)
{
  gboolean is_even = progress->is_even || progress->outcome.n == 0;
  ClipChangeStep step;

  if (!progress->limits.thorough || !has_floor (&progress->limits) || progress->has_room)
    return CLIP_CHANGE_DONE;
  progress->is_even = TRUE;
  if (!is_even)
    return CLIP_CHANGE_MORE;
  if (progress->room_bytes <= 0 && !clip_step_find_floor (transaction, progress, error))
    return CLIP_CHANGE_FAILED;
  step = give (transaction, &progress->room_bytes, &progress->outcome.n, error);
  progress->has_room = step == CLIP_CHANGE_DONE;
  return step;
}
