/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-readers.h"

#include "clip-error.h"

/* threads of each kind; they end when there is nothing to read */
static const int max_threads[CLIP_N_READ_KINDS] = {
  [CLIP_READ_SOON] = 2,
  [CLIP_READ_LONG] = 2,
  [CLIP_READ_FILES] = 1,
};

struct ClipReaders
{
  char *dir;
  GThreadPool *pools[CLIP_N_READ_KINDS];
  GMutex lock;
  GQueue idle;      /* ClipReader: opened, and not in use; under the lock */
  guint n_drops;    /* under the lock */
  guint64 n_orders; /* under the lock */
  gint stops;       /* atomic: what waits is not to be read */
  ClipRenewFunc renew;
  gpointer renew_data;
};

typedef struct
{
  GTask *task;
  guint64 number;
  ClipReadFunc function;
} Order;

/* each that its caller has before it is as if so many others had come before */
#define ORDERS_PER_TURN 32

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data G_GNUC_UNUSED)
{
  const Order *one = a, *other = b;

  return one->number < other->number ? -1 : one->number > other->number;
}

static gboolean
is_dropped (ClipReaders *self, GTask *task)
{
  if (g_task_return_error_if_cancelled (task))
    return TRUE;
  if (!g_atomic_int_get (&self->stops))
    return FALSE;
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "history is closed");
  return TRUE;
}

/* (transfer full) (nullable); @n_drops: gets how often they had been dropped by then */
static ClipReader *
pop_idle (ClipReaders *self, guint *n_drops)
{
  ClipReader *reader;

  g_mutex_lock (&self->lock);
  reader = g_queue_pop_head (&self->idle);
  *n_drops = self->n_drops;
  g_mutex_unlock (&self->lock);
  return reader;
}

/* NULL: none is idle, or the folder has another history by now, which the idle ones, each
 * in its turn, find out as well */
static ClipReader *
take_idle (ClipReaders *self, guint *n_drops)
{
  g_autoptr (ClipReader) reader = pop_idle (self, n_drops);

  if (!reader || clip_reader_is_current (reader))
    return g_steal_pointer (&reader);
  if (self->renew)
    self->renew (self->renew_data);
  return NULL;
}

static ClipReader *
open_reader (ClipReaders *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipReader *reader = clip_reader_open (self->dir, &local);

  if (reader)
    return reader;
  if (!self->renew || !g_error_matches (local, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  self->renew (self->renew_data);
  return clip_reader_open (self->dir, error);
}

/* @n_drops: when it was taken */
static void
give_back (ClipReaders *self, ClipReader *reader_take, guint n_drops)
{
  g_autoptr (ClipReader) reader = reader_take;

  g_mutex_lock (&self->lock);
  if (self->n_drops == n_drops)
    g_queue_push_tail (&self->idle, g_steal_pointer (&reader));
  g_mutex_unlock (&self->lock);
}

static void
read_order (gpointer data, gpointer user_data)
{
  ClipReaders *self = user_data;
  g_autofree Order *order = data;
  g_autoptr (GTask) task = order->task;
  g_autoptr (GError) error = NULL;
  guint n_drops;
  ClipReader *reader;

  if (is_dropped (self, task))
    return;
  reader = take_idle (self, &n_drops);
  if (!reader)
    reader = open_reader (self, &error);
  if (!reader)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  order->function (reader, task);
  give_back (self, reader, n_drops);
}

/**
 * clip_readers_new:
 * @dir: of a history; it is opened when somebody asks for something
 * @renew: (nullable): called on a reader's thread when the folder has lost its history,
 * or got another; may block until there is one
 */
ClipReaders *
clip_readers_new (const char *dir, ClipRenewFunc renew, gpointer user_data)
{
  ClipReaders *self = g_new0 (ClipReaders, 1);

  self->dir = g_strdup (dir);
  self->renew = renew;
  self->renew_data = user_data;
  g_mutex_init (&self->lock);
  for (guint i = 0; i < CLIP_N_READ_KINDS; i++)
    {
      self->pools[i] = g_thread_pool_new (read_order, self, max_threads[i], FALSE, NULL);
      g_thread_pool_set_sort_function (self->pools[i], compare_numbers, NULL);
    }
  return self;
}

/**
 * clip_readers_drop:
 *
 * Closes the readers that are idle, and each other one when it has read: the files are
 * gone, or something was removed that a reader may remember. From any thread.
 */
void
clip_readers_drop (ClipReaders *self)
{
  GQueue idle;

  g_mutex_lock (&self->lock);
  self->n_drops++;
  idle = self->idle;
  g_queue_init (&self->idle);
  g_mutex_unlock (&self->lock);
  g_queue_clear_full (&idle, (GDestroyNotify) clip_reader_free);
}

/* what has not begun fails with %G_IO_ERROR_CANCELLED from now on; never blocks */
void
clip_readers_stop (ClipReaders *self)
{
  g_atomic_int_set (&self->stops, TRUE);
}

/**
 * clip_readers_join:
 *
 * Stops, and waits for what is being read, and for nothing else.
 */
void
clip_readers_join (ClipReaders *self)
{
  clip_readers_stop (self);
  for (guint i = 0; i < CLIP_N_READ_KINDS; i++)
    if (self->pools[i])
      g_thread_pool_free (g_steal_pointer (&self->pools[i]), FALSE, TRUE);
}

/* as clip_readers_join() */
void
clip_readers_free (ClipReaders *self)
{
  if (!self)
    return;
  clip_readers_join (self);
  g_queue_clear_full (&self->idle, (GDestroyNotify) clip_reader_free);
  g_mutex_clear (&self->lock);
  g_free (self->dir);
  g_free (self);
}

/* never blocks; @turn: how many of the same caller are before it: who has fewer comes
 * sooner */
void
clip_readers_push (ClipReaders *self,
                   ClipReadKind kind,
                   guint turn,
                   GTask *task_take,
                   ClipReadFunc function)
{
  g_autoptr (GTask) task = task_take;
  Order *order;

  if (is_dropped (self, task))
    return;
  order = g_new0 (Order, 1);
  order->task = g_steal_pointer (&task);
  order->function = function;
  g_mutex_lock (&self->lock);
  order->number = ++self->n_orders + (guint64) turn * ORDERS_PER_TURN;
  g_mutex_unlock (&self->lock);
  g_thread_pool_push (self->pools[kind], order, NULL);
}
