/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A commit only appends to the log. To carry the log into the database takes syncs of its
 * own, so it is done beside the writer: when the log has grown, or a moment after the
 * last commit. A writer that never pauses would keep the log from ever going round: so
 * when it is large, the writer itself waits for it to be carried whole.
 *
 * Where something was deleted, the log still holds it until it is emptied, which takes
 * that nobody reads just then: that is tried until it is done. A reader that stays is
 * waited for less and less often, not at every commit.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-checkpoint.h"

#include "clip-connect.h"

/* what has been added to the log before it is carried over beside the writer */
#define GROWN_PAGES 256
/* from here on the writer waits */
#define LARGE_PAGES 900

#define QUIET_US (1000 * 1000)
#define OVERWRITTEN_QUIET_US (100 * 1000)
#define OVERWRITTEN_LATEST_US (1000 * 1000)
#define FIRST_RETRY_US (50 * 1000)
#define LAST_RETRY_US (30 * 1000 * 1000)

struct ClipCheckpoint
{
  char *dir;
  sqlite3 *db; /* of whoever carries */
  GMutex mutex;
  GCond changed;
  GThread *thread;      /* from here on guarded by mutex */
  int log_pages;        /* as of the last commit */
  int carried_pages;    /* of these */
  gboolean carrying;    /* somebody does */
  gboolean ridding;     /* and empties the log */
  gboolean pending;     /* there is something to carry */
  gboolean overwritten; /* and something to be rid of */
  gint64 due_us;        /* monotonic */
  gint64 latest_us;
  gint64 retry_us;     /* 0 = nobody was in the way the last time */
  gboolean was_beside; /* that was beside the writer, in whose own way a commit may be */
  gboolean closing;
};

ClipCheckpoint *
clip_checkpoint_new (const char *dir)
{
  ClipCheckpoint *self = g_new0 (ClipCheckpoint, 1);

  self->dir = g_strdup (dir);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  return self;
}

/* stops; what is pending then is left to who closes the database last, or opens it next
 */
void
clip_checkpoint_free (ClipCheckpoint *self)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  self->closing = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&self->thread, g_thread_join);
  sqlite3_close (self->db);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self->dir);
  g_free (self);
}

static gboolean
carry_log (ClipCheckpoint *self, int mode)
{
  int n_log, n_carried;
  int code;

  if (!self->db)
    self->db = clip_connect_checkpointer (self->dir, NULL);
  if (!self->db)
    return FALSE;
  code = sqlite3_wal_checkpoint_v2 (self->db, NULL, mode, &n_log, &n_carried);
  return code == SQLITE_OK && n_carried >= n_log;
}

/* somebody is in the way: again, later and later */
static void
put_off (ClipCheckpoint *self)
{
  self->retry_us = CLAMP (self->retry_us * 2, FIRST_RETRY_US, LAST_RETRY_US);
  self->pending = TRUE;
  self->overwritten = self->overwritten || self->ridding;
  self->due_us = g_get_monotonic_time () + self->retry_us;
}

/* with the mutex, which it lets go of meanwhile; @mode: where there is nothing to be rid
 * of */
static void
carry (ClipCheckpoint *self, int mode)
{
  int pages = self->log_pages;
  gboolean done;

  self->carrying = TRUE;
  self->ridding = self->overwritten;
  self->pending = self->overwritten = FALSE;
  self->latest_us = 0;
  g_mutex_unlock (&self->mutex);
  done = carry_log (self, self->ridding ? SQLITE_CHECKPOINT_TRUNCATE : mode);
  g_mutex_lock (&self->mutex);
  if (done)
    {
      self->retry_us = 0;
      self->carried_pages = pages;
    }
  else
    put_off (self);
  self->was_beside = mode == SQLITE_CHECKPOINT_PASSIVE && !self->ridding;
  self->carrying = self->ridding = FALSE;
  g_cond_broadcast (&self->changed);
}

static gboolean
is_due (const ClipCheckpoint *self)
{
  return self->pending && !self->carrying && g_get_monotonic_time () >= self->due_us;
}

/* beside the writer; FALSE = it is to end */
static gboolean
wait_due (ClipCheckpoint *self)
{
  while (!self->closing && !is_due (self))
    if (self->pending && !self->carrying)
      g_cond_wait_until (&self->changed, &self->mutex, self->due_us);
    else
      g_cond_wait (&self->changed, &self->mutex);
  return !self->closing;
}

static gpointer
run (gpointer data)
{
  ClipCheckpoint *self = data;

  g_mutex_lock (&self->mutex);
  while (wait_due (self))
    carry (self, SQLITE_CHECKPOINT_PASSIVE);
  g_mutex_unlock (&self->mutex);
  return NULL;
}

static gint64
find_due (ClipCheckpoint *self, gint64 now)
{
  if (self->overwritten && self->latest_us == 0)
    self->latest_us = now + OVERWRITTEN_LATEST_US;
  if (self->retry_us > 0)
    return self->due_us;
  if (self->log_pages - self->carried_pages >= GROWN_PAGES)
    return now;
  return self->overwritten ? MIN (now + OVERWRITTEN_QUIET_US, self->latest_us)
                           : now + QUIET_US;
}

/* the log begins anew once all of it was carried */
static void
set_log_pages (ClipCheckpoint *self, int log_pages)
{
  if (log_pages < self->log_pages)
    self->carried_pages = 0;
  self->log_pages = log_pages;
}

/* a thread that waits for an earlier time wakes up then, and waits on */
static void
set_due (ClipCheckpoint *self, gint64 due_us)
{
  gboolean waits = self->pending && due_us >= self->due_us;

  self->pending = TRUE;
  self->due_us = due_us;
  if (!self->thread)
    self->thread = g_thread_new ("clip-checkpoint", run, self);
  if (!waits)
    g_cond_broadcast (&self->changed);
}

/**
 * clip_checkpoint_note:
 * @log_pages: how long the log is
 * @overwritten: whether it holds what is no longer to be found anywhere
 *
 * After a commit, on the writer's thread. Blocks only when the log has become large.
 */
void
clip_checkpoint_note (ClipCheckpoint *self, int log_pages, gboolean overwritten)
{
  gint64 now = g_get_monotonic_time ();

  g_mutex_lock (&self->mutex);
  set_log_pages (self, log_pages);
  self->overwritten = self->overwritten || overwritten;
  set_due (self, find_due (self, now));
  if (log_pages >= LARGE_PAGES &&
      (self->retry_us == 0 || self->was_beside || now >= self->due_us))
    {
      while (self->carrying)
        g_cond_wait (&self->changed, &self->mutex);
      carry (self, SQLITE_CHECKPOINT_RESTART);
    }
  g_mutex_unlock (&self->mutex);
}

/* the history is another one: lets go of the one before, and of what was pending there */
void
clip_checkpoint_restart (ClipCheckpoint *self)
{
  g_mutex_lock (&self->mutex);
  while (self->carrying)
    g_cond_wait (&self->changed, &self->mutex);
  sqlite3_close (g_steal_pointer (&self->db));
  self->log_pages = self->carried_pages = 0;
  self->pending = self->overwritten = FALSE;
  self->retry_us = self->latest_us = 0;
  g_mutex_unlock (&self->mutex);
}

/* whether something deleted may still be in the log */
gboolean
clip_checkpoint_is_pending (ClipCheckpoint *self)
{
  gboolean pending;

  g_mutex_lock (&self->mutex);
  pending = self->overwritten || self->ridding;
  g_mutex_unlock (&self->mutex);
  return pending;
}
