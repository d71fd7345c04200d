/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A commit only appends to the log. To carry the log into the database takes syncs of its
 * own, so it is done beside the writer: when the log has grown, or a moment after the
 * last commit. Where something was deleted, the log still holds it until it is emptied,
 * which takes that nobody reads just then: that is tried until it is done. A reader that
 * stays is waited for less and less often, not at every commit.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-checkpoint.h"

#include "clip-connect.h"

/* from here on at once; the log goes round when all of it was carried over */
#define GROWN_PAGES 256
/* from here on the writer is held up rather than to let the log grow */
#define LARGE_PAGES 800

#define QUIET_US (1000 * 1000)
#define OVERWRITTEN_QUIET_US (100 * 1000)
#define OVERWRITTEN_LATEST_US (1000 * 1000)
#define FIRST_RETRY_US (50 * 1000)
#define LAST_RETRY_US (30 * 1000 * 1000)

struct ClipCheckpoint
{
  char *dir;
  sqlite3 *db; /* the thread's */
  GMutex mutex;
  GCond changed;
  GThread *thread;      /* from here on guarded by mutex */
  int log_pages;        /* as of the last commit */
  gboolean pending;     /* there is something to carry */
  gboolean overwritten; /* and something to be rid of */
  gboolean ridding;     /* of which some is being carried just now */
  gint64 due_us;        /* monotonic */
  gint64 latest_us;
  gint64 retry_us;
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
  g_cond_signal (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_clear_pointer (&self->thread, g_thread_join);
  sqlite3_close (self->db);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self->dir);
  g_free (self);
}

typedef struct
{
  int mode;
  gboolean overwritten;
} Order;

/* waits for the time to come; FALSE = there is no more to do */
static gboolean
wait_order (ClipCheckpoint *self, Order *order)
{
  while (!self->closing && (!self->pending || g_get_monotonic_time () < self->due_us))
    if (self->pending)
      g_cond_wait_until (&self->changed, &self->mutex, self->due_us);
    else
      g_cond_wait (&self->changed, &self->mutex);
  order->overwritten = self->overwritten;
  order->mode = self->overwritten                ? SQLITE_CHECKPOINT_TRUNCATE
                : self->log_pages >= LARGE_PAGES ? SQLITE_CHECKPOINT_RESTART
                                                 : SQLITE_CHECKPOINT_PASSIVE;
  self->ridding = self->overwritten;
  self->pending = self->overwritten = FALSE;
  self->latest_us = 0;
  return !self->closing;
}

static gboolean
carry (ClipCheckpoint *self, int mode)
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

/* somebody reads: again, later and later */
static void
put_off (ClipCheckpoint *self, const Order *order)
{
  self->retry_us = CLAMP (self->retry_us * 2, FIRST_RETRY_US, LAST_RETRY_US);
  self->pending = TRUE;
  self->overwritten = self->overwritten || order->overwritten;
  self->due_us = g_get_monotonic_time () + self->retry_us;
}

static gpointer
run (gpointer data)
{
  ClipCheckpoint *self = data;
  Order order;

  g_mutex_lock (&self->mutex);
  while (wait_order (self, &order))
    {
      gboolean done;

      g_mutex_unlock (&self->mutex);
      done = carry (self, order.mode);
      g_mutex_lock (&self->mutex);
      self->ridding = FALSE;
      if (done)
        self->retry_us = 0;
      else
        put_off (self, &order);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

static gint64
find_due (ClipCheckpoint *self, gint64 now)
{
  if (self->overwritten && self->latest_us == 0)
    self->latest_us = now + OVERWRITTEN_LATEST_US;
  if (self->retry_us > 0)
    return MAX (self->due_us, now);
  if (self->log_pages >= GROWN_PAGES)
    return now;
  return self->overwritten ? MIN (now + OVERWRITTEN_QUIET_US, self->latest_us)
                           : now + QUIET_US;
}

/**
 * clip_checkpoint_note:
 * @log_pages: how long the log is
 * @overwritten: whether it holds what is no longer to be found anywhere
 *
 * After a commit. Never blocks.
 */
void
clip_checkpoint_note (ClipCheckpoint *self, int log_pages, gboolean overwritten)
{
  gboolean waits;
  gint64 due_us;

  g_mutex_lock (&self->mutex);
  self->log_pages = log_pages;
  self->overwritten = self->overwritten || overwritten;
  due_us = find_due (self, g_get_monotonic_time ());
  /* a thread that waits for an earlier time wakes up and waits on */
  waits = self->pending && due_us >= self->due_us;
  self->pending = TRUE;
  self->due_us = due_us;
  if (!self->thread)
    self->thread = g_thread_new ("clip-checkpoint", run, self);
  if (!waits)
    g_cond_signal (&self->changed);
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
