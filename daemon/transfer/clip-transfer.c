/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Transfers and the threads that they run on. What is short, and comes into memory, is
 * taken on the caller's own context. Otherwise serving and capturing have a loop thread
 * each: a splice into a file waits for page allocation and write-back at times, and a
 * reader who wants a word must not wait along. Nor must it queue behind a hundred who
 * want a film: what is short has a loop thread of its own; and as no person waits for a
 * capture by the millisecond, it leaves the processor to those who are waited for. What a
 * loop thread does with a transfer is clip-pump-source's business; here is who asked for
 * it, and how they hear of it.
 */
#include "clip-transfer.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-loop-thread.h"
#include "clip-pump-source.h"
#include "clip-pump.h"
#include "clip-transfer-pool.h"

#include <string.h>

struct ClipTransfers
{
  ClipLoopThread *serve;
  ClipLoopThread *serve_short;
  ClipLoopThread *capture;
  ClipTransferPool *pool;
  GPtrArray *near; /* captures on their caller's own context */
};

/* what a finished transfer tells its caller */
typedef struct
{
  goffset moved;
  gboolean reader_left;
} Receipt;

/**
 * clip_transfers_new:
 *
 * Starts the threads. A process needs one of these.
 */
ClipTransfers *
clip_transfers_new (void)
{
  ClipTransfers *self = g_new0 (ClipTransfers, 1);

  self->pool = clip_transfer_pool_new (clip_pump_source_work);
  self->serve = clip_loop_thread_new ("clip-serve", FALSE);
  self->serve_short = clip_loop_thread_new ("clip-short", FALSE);
  self->capture = clip_loop_thread_new ("clip-capture", TRUE);
  self->near = g_ptr_array_new_with_free_func ((GDestroyNotify) g_source_unref);
  return self;
}

/**
 * clip_transfers_free:
 * @self: (nullable): no thread may be calling it any more, nor is it freed by one of its
 * callbacks
 *
 * Stops the threads. What still runs ends with %G_IO_ERROR_CANCELLED; those callbacks
 * come later, from the contexts of their callers, where no source of theirs is being
 * dispatched.
 */
void
clip_transfers_free (ClipTransfers *self)
{
  if (!self)
    return;
  clip_transfer_pool_dismiss (self->pool);
  for (guint i = 0; i < self->near->len; i++)
    clip_pump_source_abandon (self->near->pdata[i]);
  g_ptr_array_unref (self->near);
  clip_loop_thread_stop (self->serve);
  clip_loop_thread_stop (self->serve_short);
  clip_loop_thread_stop (self->capture);
  /* the pool wakes pump sources of loops that stand still already */
  clip_transfer_pool_free (self->pool);
  clip_loop_thread_free (self->serve);
  clip_loop_thread_free (self->serve_short);
  clip_loop_thread_free (self->capture);
  g_free (self);
}

/**
 * clip_transfers_pipes:
 *
 * Returns: (transfer none): the one budget for all, also for who moves bytes on a thread
 * of its own
 */
ClipPipes *
clip_transfers_pipes (ClipTransfers *self)
{
  return clip_transfer_pool_pipes (self->pool);
}

/**
 * clip_transfers_n_hanging:
 *
 * Returns: how many transfers a file system keeps waiting now: each has a thread, and may
 * keep it for ever, also when it is cancelled
 */
guint
clip_transfers_n_hanging (ClipTransfers *self)
{
  return clip_transfer_pool_n_late (self->pool);
}

static void
return_receipt (GTask *task, goffset moved, gboolean reader_left)
{
  Receipt *receipt = g_new0 (Receipt, 1);

  receipt->moved = moved;
  receipt->reader_left = reader_left;
  g_task_return_pointer (task, receipt, g_free);
}

static void
on_carried (goffset moved, gboolean reader_left, const GError *error, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  if (error)
    g_task_return_error (task, g_error_copy (error));
  else
    return_receipt (task, moved, reader_left);
}

static ClipPump *
make_pump (const ClipTransferJob *job)
{
  ClipPump *pump =
      job->bytes ? clip_pump_new_bytes (job->bytes, job->sink_fd)
                 : clip_pump_new (job->source_fd, job->sink_fd, job->size, job->limit);

  if (job->sink_in_memory)
    clip_pump_set_sink_in_memory (pump);
  return pump;
}

/* the job as a pump source takes it: a content in memory has no descriptor, and a caller
 * who left that at 0 did not mean stdin */
static ClipTransferJob
own_job (const ClipTransferJob *job)
{
  ClipTransferJob own = *job;

  if (own.bytes)
    {
      own.source_fd = -1;
      own.size = (goffset) g_bytes_get_size (own.bytes);
    }
  return own;
}

static GSource *
pump_source_for (ClipTransfers *self,
                 const ClipTransferJob *job,
                 GCancellable *cancellable,
                 ClipPumpSourceDone done,
                 gpointer user_data)
{
  return clip_pump_source_new (make_pump (job), job, self->pool, cancellable, done,
                               user_data);
}

static gboolean
is_short (const ClipTransferJob *job)
{
  return job->size != CLIP_TO_END && job->size <= CLIP_SHORT_BYTES;
}

/**
 * clip_transfers_serve_async:
 * @job: copied; its descriptors are the transfer's from here on, also on failure
 * @cancellable: (nullable): ends the transfer with %G_IO_ERROR_CANCELLED
 * @callback: called on the caller's thread-default context, the descriptors closed
 *
 * Hands a content to the reader of the sink. A short one that needs no waiting, and
 * that fits the sink, is there when this returns: before a thread would be awake. The
 * limit of @job does not count for bytes.
 */
void
clip_transfers_serve_async (ClipTransfers *self,
                            const ClipTransferJob *job,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  ClipTransferJob own = own_job (job);
  g_autoptr (GSource) pump_source = NULL;

  g_task_set_source_tag (task, clip_transfers_serve_async);
  pump_source = pump_source_for (self, &own, cancellable, on_carried, task);
  if (!is_short (&own))
    clip_loop_thread_attach (self->serve, pump_source);
  else if (!clip_pump_source_hurry (pump_source))
    clip_loop_thread_attach (self->serve_short, pump_source);
}

static void
attach_near (ClipTransfers *self, GSource *pump_source, GTask *task)
{
  for (guint i = self->near->len; i-- > 0;)
    if (g_source_is_destroyed (self->near->pdata[i]))
      g_ptr_array_remove_index_fast (self->near, i);
  g_ptr_array_add (self->near, g_source_ref (pump_source));
  g_source_attach (pump_source, g_task_get_context (task));
}

/**
 * clip_transfers_capture_async:
 * @job: copied; its descriptors are the transfer's from here on, also on failure
 * @cancellable: (nullable): ends the transfer with %G_IO_ERROR_CANCELLED
 * @callback: called on the caller's thread-default context, the descriptors closed
 *
 * Takes in a content, from a program into a file of ours. What is there already, and goes
 * into memory, is taken before this returns; what is still to come into memory, which is
 * little, is taken on the caller's own context, since to wake another thread costs more.
 * That the source has ended is all that this can know; whether the program meant it is
 * for others to say.
 */
void
clip_transfers_capture_async (ClipTransfers *self,
                              const ClipTransferJob *job,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  ClipTransferJob own = own_job (job);
  g_autoptr (GSource) pump_source = NULL;

  g_task_set_source_tag (task, clip_transfers_capture_async);
  own.is_capture = TRUE;
  pump_source = pump_source_for (self, &own, cancellable, on_carried, task);
  /* a file may wait for its disk */
  if (!own.sink_in_memory)
    clip_loop_thread_attach (self->capture, pump_source);
  else if (clip_pump_source_hurry (pump_source))
    return;
  else if (clip_pump_source_may_block (pump_source))
    clip_loop_thread_attach (self->capture, pump_source);
  else
    attach_near (self, pump_source, task);
}

/**
 * clip_transfers_finish:
 * @out_reader_left: (out) (optional): whether the reader took less than everything and
 * left, which is no error
 *
 * Errors: those of clip_pump_step(); %CLIP_ERROR_STALLED, %G_IO_ERROR_CANCELLED.
 *
 * Returns: the bytes moved, or -1
 */
goffset
clip_transfers_finish (GAsyncResult *result, gboolean *out_reader_left, GError **error)
{
  g_autofree Receipt *receipt = g_task_propagate_pointer (G_TASK (result), error);

  if (out_reader_left)
    *out_reader_left = receipt && receipt->reader_left;
  return receipt ? receipt->moved : -1;
}

/* a piece of memory that is cleared before it is freed */
typedef struct
{
  gsize size;
  guint8 data[];
} Secret;

static Secret *
secret_new (gsize size)
{
  Secret *secret = g_malloc0 (sizeof (Secret) + size);

  secret->size = size;
  return secret;
}

static void
secret_free (gpointer data)
{
  Secret *secret = data;

  explicit_bzero (secret->data, secret->size);
  g_free (secret);
}

static GBytes *
read_secret (int fd, gsize size, GError **error)
{
  Secret *secret = secret_new (size);

  if (!clip_read_exactly (fd, secret->data, size, 0, error))
    {
      secret_free (secret);
      return NULL;
    }
  return g_bytes_new_with_free_func (secret->data, size, secret_free, secret);
}

/* a memory file that is being filled, and who waits for it; the capture thread's */
typedef struct
{
  GTask *task;
  int fd;
  gsize limit;
  gboolean overflows; /* what is beyond the limit is left alone, and no error */
} Basket;

static void
basket_free (Basket *basket)
{
  clip_fd_clear (&basket->fd);
  g_object_unref (basket->task);
  g_free (basket);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Basket, basket_free)

static void
on_collected (goffset moved,
              gboolean reader_left G_GNUC_UNUSED,
              const GError *error,
              gpointer user_data)
{
  g_autoptr (Basket) basket = user_data;
  const gboolean is_full =
      basket->overflows && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_TOO_LARGE);
  GError *local = error && !is_full ? g_error_copy (error) : NULL;
  GBytes *bytes = NULL;

  if (!local)
    bytes = read_secret (basket->fd, is_full ? basket->limit : (gsize) moved, &local);
  if (bytes)
    g_task_return_pointer (basket->task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (basket->task, local);
}

static void
collect (ClipTransfers *self,
         int source_fd_take,
         Basket *basket_take,
         guint idle_ms,
         GCancellable *cancellable)
{
  g_autoptr (Basket) basket = basket_take;
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);
  g_autoptr (GSource) pump_source = NULL;
  ClipTransferJob job = { .source_fd = source_fd_take,
                          .size = CLIP_TO_END,
                          .is_capture = TRUE };
  GError *error = NULL;

  basket->fd = clip_memfd (nothing, &error);
  job.sink_fd = error ? -1 : clip_fd_dup (basket->fd, &error);
  if (error)
    {
      clip_fd_clear_foreign (&source_fd_take);
      g_task_return_error (basket->task, error);
      return;
    }
  job.limit = (goffset) basket->limit;
  job.idle_ms = idle_ms;
  pump_source =
      pump_source_for (self, &job, cancellable, on_collected, g_steal_pointer (&basket));
  clip_loop_thread_attach (self->capture, pump_source);
}

static Basket *
basket_new (gpointer tag,
            gsize limit,
            GCancellable *cancellable,
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  Basket *basket = g_new0 (Basket, 1);

  basket->task = g_task_new (NULL, cancellable, callback, user_data);
  basket->limit = limit;
  g_task_set_source_tag (basket->task, tag);
  return basket;
}

/**
 * clip_transfers_read_async:
 * @source_fd_take: the transfer's from here on, also on failure
 * @limit: the most that is accepted, in bytes; not 0
 * @idle_ms: as in #ClipTransferJob
 * @callback: called on the caller's thread-default context, the descriptor closed
 *
 * Reads a small content into memory: a hint that says whether another one is a secret. It
 * is wiped when its last reference goes.
 */
void
clip_transfers_read_async (ClipTransfers *self,
                           int source_fd_take,
                           gsize limit,
                           guint idle_ms,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  collect (
      self, source_fd_take,
      basket_new (clip_transfers_read_async, limit, cancellable, callback, user_data),
      idle_ms, cancellable);
}

/**
 * clip_transfers_read_head_async:
 * @limit: how much of it is read, in bytes; not 0
 *
 * As clip_transfers_read_async(), but what is longer is no error: its first bytes are
 * read, and its writer finds its reader gone.
 */
void
clip_transfers_read_head_async (ClipTransfers *self,
                                int source_fd_take,
                                gsize limit,
                                guint idle_ms,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  Basket *basket = basket_new (clip_transfers_read_head_async, limit, cancellable,
                               callback, user_data);

  basket->overflows = TRUE;
  collect (self, source_fd_take, basket, idle_ms, cancellable);
}

/**
 * clip_transfers_read_finish:
 *
 * Errors: %CLIP_ERROR_TOO_LARGE, otherwise as clip_transfers_finish().
 *
 * Returns: (transfer full): the content, or %NULL
 */
GBytes *
clip_transfers_read_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
