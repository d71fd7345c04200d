/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-readers.h"

#define MAX_READERS 2

struct ClipReaders
{
  char *dir;
  GThreadPool *pool;
  GAsyncQueue *idle; /* ClipReader: opened, and not in use */
  gint stops;        /* atomic: what waits is not to be read */
};

typedef struct
{
  GTask *task;
  ClipReadFunc function;
} Order;

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

static void
read_order (gpointer data, gpointer user_data)
{
  ClipReaders *self = user_data;
  g_autofree Order *order = data;
  g_autoptr (GTask) task = order->task;
  g_autoptr (GError) error = NULL;
  ClipReader *reader;

  if (is_dropped (self, task))
    return;
  reader = g_async_queue_try_pop (self->idle);
  if (!reader)
    reader = clip_reader_open (self->dir, &error);
  if (!reader)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  order->function (reader, task);
  g_async_queue_push (self->idle, reader);
}

ClipReaders *
clip_readers_new (const char *dir)
{
  ClipReaders *self = g_new0 (ClipReaders, 1);

  self->dir = g_strdup (dir);
  self->idle = g_async_queue_new_full ((GDestroyNotify) clip_reader_free);
  self->pool = g_thread_pool_new (read_order, self, MAX_READERS, FALSE, NULL);
  return self;
}

/* what has not begun fails with %G_IO_ERROR_CANCELLED from now on; never blocks */
void
clip_readers_stop (ClipReaders *self)
{
  g_atomic_int_set (&self->stops, TRUE);
}

/* waits for what is being read, and for nothing else */
void
clip_readers_free (ClipReaders *self)
{
  if (!self)
    return;
  clip_readers_stop (self);
  g_thread_pool_free (self->pool, FALSE, TRUE);
  g_async_queue_unref (self->idle);
  g_free (self->dir);
  g_free (self);
}

/* never blocks */
void
clip_readers_push (ClipReaders *self, GTask *task_take, ClipReadFunc function)
{
  Order *order = g_new0 (Order, 1);

  order->task = task_take;
  order->function = function;
  g_thread_pool_push (self->pool, order, NULL);
}
