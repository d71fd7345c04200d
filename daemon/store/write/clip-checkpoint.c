/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A commit only appends to the log. To carry the log into the database takes syncs of its
 * own, so the writer does it when the log has grown, or a moment after the last commit.
 *
 * Where something was deleted, the log still holds it until it is emptied, which takes
 * that nobody reads just then: that is tried until it is done. A reader that stays is
 * waited for less and less often, and never long: the next commit waits meanwhile.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-checkpoint.h"

#include "clip-connect.h"

/* what has been added to the log before it is carried over */
#define GROWN_PAGES 256
/* from here on the log begins anew, for which readers are waited for */
#define LARGE_PAGES 900

#define QUIET_US (1000 * 1000)
#define OVERWRITTEN_QUIET_US (100 * 1000)
#define OVERWRITTEN_LATEST_US (1000 * 1000)
#define FIRST_RETRY_US (50 * 1000)
#define LAST_RETRY_US (30 * 1000 * 1000)

static gint64
find_due (const ClipCheckpoint *self, gint64 now)
{
  if (self->retry_us > 0)
    return self->due_us;
  if (self->log_pages - self->carried_pages >= GROWN_PAGES)
    return now;
  return self->latest_us > 0 ? MIN (now + OVERWRITTEN_QUIET_US, self->latest_us)
                             : now + QUIET_US;
}

/* nothing is pending any more */
static void
end (ClipCheckpoint *self)
{
  self->due_us = self->latest_us = self->retry_us = 0;
  g_atomic_int_set (&self->is_overwriting, FALSE);
}

/* the history is another one: what was pending in the one before is not */
void
clip_checkpoint_restart (ClipCheckpoint *self)
{
  self->log_pages = self->carried_pages = 0;
  end (self);
}

/**
 * clip_checkpoint_note:
 * @log_pages: how long the log is
 * @overwritten: whether it holds what is no longer to be found anywhere
 *
 * After a commit.
 */
void
clip_checkpoint_note (ClipCheckpoint *self, int log_pages, gboolean overwritten)
{
  gint64 now = g_get_monotonic_time ();

  /* the log begins anew once all of it was carried */
  if (log_pages < self->log_pages)
    self->carried_pages = 0;
  self->log_pages = log_pages;
  if (overwritten && self->latest_us == 0)
    self->latest_us = now + OVERWRITTEN_LATEST_US;
  if (overwritten)
    g_atomic_int_set (&self->is_overwriting, TRUE);
  self->due_us = find_due (self, now);
}

gboolean
clip_checkpoint_is_due (const ClipCheckpoint *self)
{
  return self->due_us > 0 && g_get_monotonic_time () >= self->due_us;
}

/* somebody is in the way: again, later and later */
static void
put_off (ClipCheckpoint *self)
{
  self->retry_us = CLAMP (self->retry_us * 2, FIRST_RETRY_US, LAST_RETRY_US);
  self->due_us = g_get_monotonic_time () + self->retry_us;
}

/**
 * clip_checkpoint_run:
 * @db: outside of a transaction
 *
 * Carries the log over, and empties it where it holds what was deleted. Where that cannot
 * be done now, it is due again.
 */
void
clip_checkpoint_run (ClipCheckpoint *self, sqlite3 *db)
{
  int mode = self->latest_us > 0              ? SQLITE_CHECKPOINT_TRUNCATE
             : self->log_pages >= LARGE_PAGES ? SQLITE_CHECKPOINT_RESTART
                                              : SQLITE_CHECKPOINT_PASSIVE;

  if (!clip_connect_carry_log (db, mode))
    {
      put_off (self);
      return;
    }
  /* what was deleted may still lie in the gaps of cached pages, and is cleared only in
   * those that are read from the file */
  if (mode == SQLITE_CHECKPOINT_TRUNCATE)
    sqlite3_db_release_memory (db);
  self->carried_pages = self->log_pages;
  end (self);
}

/* whether something deleted may still be in the log; from any thread */
gboolean
clip_checkpoint_is_pending (ClipCheckpoint *self)
{
  return g_atomic_int_get (&self->is_overwriting);
}
