/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What TSan has to know of GLib, which is not built for it: that a lock, a queue, a pool,
 * a task and a reference count bring what one thread did before what another one does
 * next. Each of these calls goes on to GLib's own. Linked into the unit tests of a TSan
 * build, and nowhere else.
 */
#include <dlfcn.h>
#include <gio/gio.h>

void __tsan_acquire (void *address);
void __tsan_release (void *address);

#define REAL(name) \
  ({ \
    static gpointer real; \
    if (!g_atomic_pointer_get (&real)) \
      g_atomic_pointer_set (&real, dlsym (RTLD_NEXT, #name)); \
    (__typeof__ (&name)) g_atomic_pointer_get (&real); \
  })

void
g_mutex_lock (GMutex *mutex)
{
  REAL (g_mutex_lock) (mutex);
  __tsan_acquire (mutex);
}

void
g_mutex_unlock (GMutex *mutex)
{
  __tsan_release (mutex);
  REAL (g_mutex_unlock) (mutex);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  __tsan_release (mutex);
  REAL (g_cond_wait) (cond, mutex);
  __tsan_acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_us)
{
  gboolean signalled;

  __tsan_release (mutex);
  signalled = REAL (g_cond_wait_until) (cond, mutex, end_us);
  __tsan_acquire (mutex);
  return signalled;
}

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  __tsan_release (queue);
  REAL (g_async_queue_push) (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer data = REAL (g_async_queue_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  gpointer data = REAL (g_async_queue_try_pop) (queue);

  __tsan_acquire (queue);
  return data;
}

typedef struct
{
  GFunc function;
  gpointer user_data;
} PoolCall;

static void
run_in_pool (gpointer data, gpointer user_data)
{
  PoolCall *call = user_data;

  __tsan_acquire (call);
  call->function (data, call->user_data);
  __tsan_release (call);
}

/* the call is not freed: a test ends soon */
GThreadPool *
g_thread_pool_new (GFunc function,
                   gpointer user_data,
                   int max_threads,
                   gboolean exclusive,
                   GError **error)
{
  PoolCall *call = g_new0 (PoolCall, 1);

  call->function = function;
  call->user_data = user_data;
  __tsan_release (call);
  return REAL (g_thread_pool_new) (run_in_pool, call, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  __tsan_release (pool->user_data);
  return REAL (g_thread_pool_push) (pool, data, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean waits)
{
  gpointer call = pool->user_data;

  REAL (g_thread_pool_free) (pool, immediate, waits);
  __tsan_acquire (call);
}

typedef struct
{
  GThreadFunc function;
  gpointer data;
} ThreadCall;

static gpointer
run_in_thread (gpointer data)
{
  ThreadCall *call = data;
  gpointer result;

  __tsan_acquire (call);
  result = call->function (call->data);
  __tsan_release (g_thread_self ());
  return result;
}

GThread *
g_thread_new (const char *name, GThreadFunc function, gpointer data)
{
  ThreadCall *call = g_new0 (ThreadCall, 1);

  call->function = function;
  call->data = data;
  __tsan_release (call);
  return REAL (g_thread_new) (name, run_in_thread, call);
}

gpointer
g_thread_join (GThread *thread)
{
  gpointer address = thread;
  gpointer result = REAL (g_thread_join) (thread);

  __tsan_acquire (address);
  return result;
}

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify free_result)
{
  __tsan_release (task);
  REAL (g_task_return_pointer) (task, result, free_result);
}

void
g_task_return_int (GTask *task, gssize result)
{
  __tsan_release (task);
  REAL (g_task_return_int) (task, result);
}

void
g_task_return_boolean (GTask *task, gboolean result)
{
  __tsan_release (task);
  REAL (g_task_return_boolean) (task, result);
}

void
g_task_return_error (GTask *task, GError *error)
{
  __tsan_release (task);
  REAL (g_task_return_error) (task, error);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  __tsan_acquire (task);
  return REAL (g_task_propagate_pointer) (task, error);
}

gssize
g_task_propagate_int (GTask *task, GError **error)
{
  __tsan_acquire (task);
  return REAL (g_task_propagate_int) (task, error);
}

gboolean
g_task_propagate_boolean (GTask *task, GError **error)
{
  __tsan_acquire (task);
  return REAL (g_task_propagate_boolean) (task, error);
}

/* what drops the last reference comes after all who held one */
void
g_object_unref (gpointer object)
{
  __tsan_release (object);
  __tsan_acquire (object);
  REAL (g_object_unref) (object);
}

gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  gboolean last;

  __tsan_release ((gpointer) count);
  last = REAL (g_atomic_ref_count_dec) (count);
  __tsan_acquire ((gpointer) count);
  return last;
}
