/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One transfer on its way: a GSource that steps a pump, once a dispatch, so that all
 * transfers of a thread advance in turn, and waits for the descriptor that the pump
 * names. The source's ready time does the rest: 0 while there is something to move,
 * otherwise the moment when the peer has been idle for too long.
 *
 * A step that may block is lent to the pool, for a few steps at a time. Until those come
 * back, the pump and the descriptors are not ours to touch; but the deadline and the
 * cancellation count, so that a disk which hangs costs the pool a hand, which it gets
 * back after a moment, and no caller an answer. The one that drops the last reference
 * then closes the descriptors.
 *
 * Where so much of the sink's disk is to stay free, it is looked at after each step.
 */
#include "clip-pump-source.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <sys/statvfs.h>

#define DEFAULT_IDLE_MS 30000

/* below this a pipe as it comes is as good */
#define LARGE_BYTES ((goffset) 256 * 1024)

/* how often a pipe that is not the largest may become larger */
#define ASK_AGAIN_BYTES ((goffset) 16 * 1024 * 1024)

/* what moves before others have their turn */
#define TURN_BYTES ((goffset) 1024 * 1024)

/* what the pool moves before it reports back */
#define LENT_BYTES ((goffset) 1024 * 1024)

/* what the pool has had for so long may never come back */
#define LATE_MS 100

typedef struct
{
  GSource base;
  ClipPump *pump;
  ClipTransferJob job; /* its descriptors are ours; its bytes are the pump's */
  ClipTransferPool *pool;
  GCancellable *cancellable;
  gulong cancelled_id;
  gulong dismissed_id;
  ClipPumpSourceDone done;
  gpointer user_data;

  gint64 deadline_us; /* 0 before the first dispatch */
  goffset reported;   /* what progress was told */
  goffset waited_at;  /* bytes moved when a step last came back empty-handed */
  gpointer tag;       /* of the descriptor that is waited for */
  GIOCondition awaited;
  goffset ask_again_at; /* bytes moved, for a larger pipe */
  ClipPipeLoan large_pipe;

  int is_lent;          /* atomic: the pool has the pump */
  GMainContext *home;   /* of ours, held while lent: a hand may outlive the loop thread */
  int has_ended;        /* atomic: the last word has been said */
  gboolean is_relieved; /* the pool has a hand more for it */
  gboolean is_back;
  ClipStep outcome;
  GError *outcome_error;
} ClipPumpSource;

static void
close_ends (ClipPumpSource *self)
{
  g_clear_pointer (&self->pump, clip_pump_free);
  (self->job.is_capture ? clip_fd_clear_foreign : clip_fd_clear) (&self->job.source_fd);
  (self->job.is_capture ? clip_fd_clear : clip_fd_clear_foreign) (&self->job.sink_fd);
}

static void
forget_tag (ClipPumpSource *self)
{
  if (self->tag)
    g_source_remove_unix_fd (&self->base, self->tag);
  self->tag = NULL;
}

static void
on_cancelled (GCancellable *cancellable G_GNUC_UNUSED, gpointer user_data)
{
  g_source_set_ready_time (user_data, 0);
}

/* not by a cancellable's own GSource: GLib 2.74 leaks that one when it is destroyed while
 * the cancellable is still telling others */
static gulong
wake_when_cancelled (ClipPumpSource *self, GCancellable *cancellable)
{
  if (!cancellable)
    return 0;
  return g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled),
                                g_source_ref (&self->base),
                                (GDestroyNotify) g_source_unref);
}

static void
forget_cancellables (ClipPumpSource *self)
{
  g_cancellable_disconnect (self->cancellable, self->cancelled_id);
  g_cancellable_disconnect (clip_transfer_pool_dismissed (self->pool),
                            self->dismissed_id);
}

/* the last word of this transfer; closes first, so that who hears it finds an end of file
 * at the other side */
static gboolean
finish (ClipPumpSource *self, const GError *error)
{
  gboolean is_ours = !g_atomic_int_get (&self->is_lent);
  goffset moved = is_ours ? clip_pump_moved (self->pump) : self->reported;
  gboolean reader_left = is_ours && clip_pump_reader_left (self->pump);

  forget_tag (self);
  forget_cancellables (self);
  /* also of a pipe that a hand has: until it is back, it stays open */
  clip_pipes_release (clip_transfer_pool_pipes (self->pool), &self->large_pipe);
  if (is_ours)
    {
      close_ends (self);
      /* the source itself may stay: who counts what is at work counts this one no more */
      g_clear_object (&self->cancellable);
    }
  self->done (moved, reader_left, error, self->user_data);
  g_atomic_int_set (&self->has_ended, TRUE);
  return G_SOURCE_REMOVE;
}

static gboolean
finish_stalled (ClipPumpSource *self)
{
  guint ms = self->reported > 0 ? self->job.idle_ms : self->job.first_ms;
  g_autoptr (GError) error = g_error_new (CLIP_ERROR, CLIP_ERROR_STALLED,
                                          "move content: no byte moved for %u ms", ms);

  return finish (self, error);
}

static gboolean
is_cancelled (ClipPumpSource *self, GError **error)
{
  return g_cancellable_set_error_if_cancelled (self->cancellable, error) ||
         g_cancellable_set_error_if_cancelled (clip_transfer_pool_dismissed (self->pool),
                                               error);
}

static gboolean
is_late (ClipPumpSource *self)
{
  return g_source_get_time (&self->base) >= self->deadline_us;
}

static void
set_deadline (ClipPumpSource *self, guint ms)
{
  self->deadline_us = g_source_get_time (&self->base) + (gint64) ms * 1000;
}

static gboolean
enlarge_pipe (ClipPumpSource *self, int fd)
{
  gboolean is_short = self->job.size >= 0 && self->job.size <= CLIP_SHORT_BYTES;

  return clip_pipes_enlarge (clip_transfer_pool_pipes (self->pool), fd, is_short,
                             &self->large_pipe);
}

/* either end, whichever is a pipe; as soon as the content is known to be large, and again
 * when others may have given theirs back */
static void
try_large_pipe (ClipPumpSource *self, goffset moved)
{
  if (moved < self->ask_again_at || MAX (self->job.size, moved) <= LARGE_BYTES)
    return;
  self->ask_again_at = moved + ASK_AGAIN_BYTES;
  if (!enlarge_pipe (self, self->job.sink_fd))
    enlarge_pipe (self, self->job.source_fd);
}

static void
report_progress (ClipPumpSource *self)
{
  goffset moved = clip_pump_moved (self->pump);

  if (moved == self->reported)
    return;
  self->reported = moved;
  set_deadline (self, self->job.idle_ms);
  try_large_pipe (self, moved);
  if (self->job.on_moved)
    self->job.on_moved (moved, self->job.moved_data);
}

/* who cancels sets the ready time too, perhaps a moment before us */
static gboolean
sleep_until_deadline (ClipPumpSource *self)
{
  g_source_set_ready_time (&self->base, self->deadline_us);
  if (is_cancelled (self, NULL))
    g_source_set_ready_time (&self->base, 0);
  return G_SOURCE_CONTINUE;
}

/* a descriptor costs two wake-ups of the context with each dispatch, so it is watched
 * only while it is waited for */
static gboolean
continue_at_once (ClipPumpSource *self)
{
  forget_tag (self);
  g_source_set_ready_time (&self->base, 0);
  return G_SOURCE_CONTINUE;
}

/* a peer that is running is quicker than a sleep: one more try before the first */
static gboolean
wait_for (ClipPumpSource *self, int fd, GIOCondition condition)
{
  if (self->waited_at != self->reported)
    {
      self->waited_at = self->reported;
      return continue_at_once (self);
    }
  if (is_late (self))
    return finish_stalled (self);
  if (!self->tag || self->awaited != condition)
    {
      forget_tag (self);
      self->tag = g_source_add_unix_fd (&self->base, fd, condition | G_IO_HUP | G_IO_ERR);
      self->awaited = condition;
    }
  return sleep_until_deadline (self);
}

static gboolean
await_crew (ClipPumpSource *self)
{
  gint64 late_us = g_source_get_time (&self->base) + LATE_MS * 1000;

  sleep_until_deadline (self);
  if (!self->is_relieved && late_us < g_source_get_ready_time (&self->base))
    g_source_set_ready_time (&self->base, late_us);
  return G_SOURCE_CONTINUE;
}

/* of what has been lent for long; it may be coming back while we set the time */
static gboolean
relieve_crew (ClipPumpSource *self)
{
  if (!self->is_relieved)
    clip_transfer_pool_add_hand (self->pool);
  self->is_relieved = TRUE;
  await_crew (self);
  if (!g_atomic_int_get (&self->is_lent))
    g_source_set_ready_time (&self->base, 0);
  return G_SOURCE_CONTINUE;
}

static void
thank_crew (ClipPumpSource *self)
{
  if (self->is_relieved)
    clip_transfer_pool_drop_hand (self->pool);
  self->is_relieved = FALSE;
}

/* everything is arranged before the push: the pool may be back before we return */
static gboolean
lend (ClipPumpSource *self)
{
  forget_tag (self);
  await_crew (self);
  self->home = g_main_context_ref (g_source_get_context (&self->base));
  g_atomic_int_set (&self->is_lent, TRUE);
  clip_transfer_pool_push (self->pool, g_source_ref (&self->base));
  return G_SOURCE_CONTINUE;
}

/* a look at the other sources costs as much as a step */
static ClipStep
take_turn (ClipPumpSource *self, GError **error)
{
  goffset until = clip_pump_moved (self->pump) + TURN_BYTES;
  ClipStep step;

  do
    step = clip_pump_step (self->pump, error);
  while (step == CLIP_STEP_MORE && clip_pump_moved (self->pump) < until &&
         !clip_pump_may_block (self->pump));
  return step;
}

static ClipStep
take_step (ClipPumpSource *self, GError **error)
{
  if (!self->is_back)
    return take_turn (self, error);
  self->is_back = FALSE;
  if (self->outcome_error)
    g_propagate_error (error, g_steal_pointer (&self->outcome_error));
  return self->outcome;
}

/* A file system that does not say how large it is has no floor. */
static gboolean
is_disk_short (const ClipPumpSource *self, GError **error)
{
  struct statvfs disk;

  if (self->job.keep_free <= 0 || fstatvfs (self->job.sink_fd, &disk) < 0 ||
      disk.f_blocks == 0 ||
      (goffset) (disk.f_bavail * disk.f_frsize) >= self->job.keep_free)
    return FALSE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE,
               "the disk is almost full: %" G_GOFFSET_FORMAT
               " bytes of it are to stay free",
               self->job.keep_free);
  return TRUE;
}

static gboolean
advance (ClipPumpSource *self)
{
  g_autoptr (GError) error = NULL;
  ClipStep step = take_step (self, &error);

  report_progress (self);
  if (step != CLIP_STEP_FAILED && is_disk_short (self, &error))
    step = CLIP_STEP_FAILED;
  switch (step)
    {
    case CLIP_STEP_MORE:
      return continue_at_once (self);
    case CLIP_STEP_WAIT_IN:
      return wait_for (self, self->job.source_fd, G_IO_IN);
    case CLIP_STEP_WAIT_OUT:
      return wait_for (self, self->job.sink_fd, G_IO_OUT);
    case CLIP_STEP_DONE:
    case CLIP_STEP_FAILED:
    default:
      return finish (self, error);
    }
}

/* then there is nothing to lend for, and the descriptors can be closed at once */
static gboolean
has_waited_in_vain (ClipPumpSource *self)
{
  return self->tag && is_late (self) &&
         g_source_query_unix_fd (&self->base, self->tag) == 0;
}

static gboolean
on_dispatch (GSource *source,
             GSourceFunc callback G_GNUC_UNUSED,
             gpointer user_data G_GNUC_UNUSED)
{
  ClipPumpSource *self = (ClipPumpSource *) source;
  gboolean is_lent = g_atomic_int_get (&self->is_lent);
  g_autoptr (GError) error = NULL;

  if (is_cancelled (self, &error))
    return finish (self, error);
  if (is_lent)
    return is_late (self) ? finish_stalled (self) : relieve_crew (self);
  thank_crew (self);
  if (self->deadline_us == 0)
    {
      set_deadline (self, self->job.first_ms);
      try_large_pipe (self, 0);
    }
  if (has_waited_in_vain (self))
    return finish_stalled (self);
  if (!self->is_back && clip_pump_may_block (self->pump))
    return lend (self);
  return advance (self);
}

static void
on_finalize (GSource *source)
{
  ClipPumpSource *self = (ClipPumpSource *) source;

  g_warn_if_fail (g_atomic_int_get (&self->has_ended));
  g_warn_if_fail (!g_atomic_int_get (&self->is_lent));
  thank_crew (self);
  close_ends (self);
  g_clear_object (&self->cancellable);
  g_clear_error (&self->outcome_error);
}

/* prepare and check are GLib's own: a descriptor that is ready, or the ready time */
static GSourceFuncs functions = {
  .dispatch = on_dispatch,
  .finalize = on_finalize,
};

/**
 * clip_pump_source_new:
 * @pump_take: (transfer full): between the descriptors of @job, which the pump source
 * closes
 * @pool: outlives the pump source, or is dismissed before it goes
 * @cancellable: (nullable): ends the transfer with %G_IO_ERROR_CANCELLED
 * @done: called once, with %CLIP_ERROR_STALLED or an error of clip_pump_step() otherwise
 *
 * Returns: (transfer full): a source for the context of a thread that does nothing else,
 * or, where clip_pump_source_may_block() says no, of any thread
 */
GSource *
clip_pump_source_new (ClipPump *pump_take,
                      const ClipTransferJob *job,
                      ClipTransferPool *pool,
                      GCancellable *cancellable,
                      ClipPumpSourceDone done,
                      gpointer user_data)
{
  GSource *source = g_source_new (&functions, sizeof (ClipPumpSource));
  ClipPumpSource *self = (ClipPumpSource *) source;

  self->pump = pump_take;
  self->job = *job;
  self->job.idle_ms = job->idle_ms ?: DEFAULT_IDLE_MS;
  self->job.first_ms = job->first_ms ?: self->job.idle_ms;
  self->pool = pool;
  self->done = done;
  self->user_data = user_data;
  self->reported = clip_pump_moved (pump_take);
  self->waited_at = -1;
  g_set_object (&self->cancellable, cancellable);
  g_source_set_static_name (source, "clip-pump-source");
  g_source_set_ready_time (source, 0);
  self->cancelled_id = wake_when_cancelled (self, cancellable);
  self->dismissed_id = wake_when_cancelled (self, clip_transfer_pool_dismissed (pool));
  g_atomic_int_set (&self->is_lent, FALSE);
  return source;
}

/**
 * clip_pump_source_hurry:
 * @source: a pump source that no context has yet
 *
 * Moves what can be moved without waiting, on the thread of the caller: one turn of it at
 * most.
 *
 * Returns: whether that was all: @done has been called, and @source is not to be attached
 */
gboolean
clip_pump_source_hurry (GSource *source)
{
  ClipPumpSource *self = (ClipPumpSource *) source;
  g_autoptr (GError) error = NULL;
  ClipStep step = CLIP_STEP_MORE;

  if (is_cancelled (self, NULL))
    return FALSE;
  try_large_pipe (self, 0);
  while (step == CLIP_STEP_MORE && clip_pump_moved (self->pump) <= TURN_BYTES &&
         !clip_pump_may_block (self->pump))
    step = clip_pump_step (self->pump, &error);
  if (step != CLIP_STEP_DONE && step != CLIP_STEP_FAILED)
    return FALSE;
  if (self->job.on_moved)
    self->job.on_moved (clip_pump_moved (self->pump), self->job.moved_data);
  finish (self, error);
  return TRUE;
}

/* whether its next step may wait for a disk; while it has no context */
gboolean
clip_pump_source_may_block (GSource *source)
{
  return clip_pump_may_block (((ClipPumpSource *) source)->pump);
}

/* ends it as its dismissal would, from the thread of its context: nothing may be left
   then */
void
clip_pump_source_abandon (GSource *source)
{
  ClipPumpSource *self = (ClipPumpSource *) source;
  g_autoptr (GError) error = NULL;

  if (g_source_is_destroyed (source))
    return;
  g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "move content: stopped");
  finish (self, error);
  g_source_destroy (source);
}

static gboolean
may_go_on (ClipPumpSource *self, goffset until)
{
  return clip_pump_moved (self->pump) < until && !is_cancelled (self, NULL);
}

/**
 * clip_pump_source_work:
 * @data: (transfer full): a pump source that has been lent
 *
 * The pool's work: a few steps, which may block, then back to the source's own thread.
 * One that has been cancelled while it waited takes none.
 */
void
clip_pump_source_work (gpointer data, gpointer user_data G_GNUC_UNUSED)
{
  ClipPumpSource *self = data;
  g_autoptr (GMainContext) home G_GNUC_UNUSED = g_steal_pointer (&self->home);
  g_autoptr (GSource) source = data;
  goffset until;

  g_assert (g_atomic_int_get (&self->is_lent));
  until = clip_pump_moved (self->pump) + LENT_BYTES;
  self->outcome = CLIP_STEP_MORE;
  while (self->outcome == CLIP_STEP_MORE && may_go_on (self, until))
    self->outcome = clip_pump_step (self->pump, &self->outcome_error);
  self->is_back = TRUE;
  g_atomic_int_set (&self->is_lent, FALSE);
  g_source_set_ready_time (source, 0);
}
