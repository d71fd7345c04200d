/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-readers.h"

#define MAX_READERS 2

struct ClipReaders
{
  char *dir;
  GThreadPool *pool;
  GAsyncQueue *idle; /* ClipReader: opened, and not in use */
};

typedef struct
{
  GTask *task;
  ClipReadFunc function;
} Order;

static void
read_order (gpointer data, gpointer user_data)
{
  ClipReaders *self = user_data;
  g_autofree Order *order = data;
  g_autoptr (GTask) task = order->task;
  g_autoptr (GError) error = NULL;
  ClipReader *reader = g_async_queue_try_pop (self->idle);

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

/* waits for what is being read */
void
clip_readers_free (ClipReaders *self)
{
  if (!self)
    return;
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
