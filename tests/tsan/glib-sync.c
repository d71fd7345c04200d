/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tells the thread sanitizer what GLib synchronises. GLib is not built with it, and its
 * locks are futexes, so that it would see two threads and nothing between them. Preloaded
 * into the tests of a build with it, this stands between them and GLib: before a call by
 * which one thread lets go of something it says "release", after one by which another
 * takes it "acquire", and in between it calls the real thing. What GLib does inside
 * itself, as in a main context, it does with an eventfd too, which the sanitizer knows.
 *
 * Nothing is hidden by this, and no report suppressed: a lock that is forgotten is still
 * found.
 */
#include <dlfcn.h>
#include <glib-object.h>

/* not there in a process without the sanitizer, such as a shell between it and the test
 */
extern void __tsan_acquire (void *address) __attribute__ ((weak));
extern void __tsan_release (void *address) __attribute__ ((weak));

static void
acquire (gconstpointer address)
{
  if (__tsan_acquire && address)
    __tsan_acquire ((void *) address);
}

static void
release (gconstpointer address)
{
  if (__tsan_release && address)
    __tsan_release ((void *) address);
}

/* the real one; every thread finds the same, so that it does not matter who finds it
 * first */
#define REAL(name) \
  static __typeof__ (&name) real; \
  if (!__atomic_load_n (&real, __ATOMIC_RELAXED)) \
  __atomic_store_n (&real, (__typeof__ (&name)) dlsym (RTLD_NEXT, #name), \
                    __ATOMIC_RELAXED)

#define TAKES(name, Type) \
  void name (Type *lock) \
  { \
    REAL (name); \
    real (lock); \
    acquire (lock); \
  }

#define TRIES(name, Type) \
  gboolean name (Type *lock) \
  { \
    REAL (name); \
    gboolean taken = real (lock); \
    if (taken) \
      acquire (lock); \
    return taken; \
  }

#define GIVES(name, Type) \
  void name (Type *lock) \
  { \
    REAL (name); \
    release (lock); \
    real (lock); \
  }

TAKES (g_mutex_lock, GMutex)
TRIES (g_mutex_trylock, GMutex)
GIVES (g_mutex_unlock, GMutex)
TAKES (g_rec_mutex_lock, GRecMutex)
TRIES (g_rec_mutex_trylock, GRecMutex)
GIVES (g_rec_mutex_unlock, GRecMutex)
TAKES (g_rw_lock_reader_lock, GRWLock)
GIVES (g_rw_lock_reader_unlock, GRWLock)
TAKES (g_rw_lock_writer_lock, GRWLock)
GIVES (g_rw_lock_writer_unlock, GRWLock)

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  REAL (g_cond_wait);
  release (mutex);
  real (cond, mutex);
  acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;

  REAL (g_cond_wait_until);
  release (mutex);
  signalled = real (cond, mutex, end_time);
  acquire (mutex);
  return signalled;
}

/* a last reference is let go of after all the others */
#define DROPS(name) \
  void name (gpointer object) \
  { \
    REAL (name); \
    release (object); \
    acquire (object); \
    real (object); \
  }

#define DROPS_A(name, Type) \
  void name (Type *object) \
  { \
    REAL (name); \
    release (object); \
    acquire (object); \
    real (object); \
  }

DROPS (g_object_unref)
DROPS (g_atomic_rc_box_release)
DROPS_A (g_bytes_unref, GBytes)
DROPS_A (g_source_unref, GSource)
DROPS_A (g_main_context_unref, GMainContext)
DROPS_A (g_array_unref, GArray)
DROPS_A (g_ptr_array_unref, GPtrArray)

void
g_atomic_rc_box_release_full (gpointer object, GDestroyNotify clear)
{
  REAL (g_atomic_rc_box_release_full);
  release (object);
  acquire (object);
  real (object, clear);
}

gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  REAL (g_atomic_ref_count_dec);
  release (count);
  acquire (count);
  return real (count);
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  REAL (g_once_init_leave);
  release ((gconstpointer) location); /* whoever loads it, atomically, acquires */
  real (location, result);
}

void
g_async_queue_push (GAsyncQueue *queue, gpointer data)
{
  REAL (g_async_queue_push);
  release (queue);
  real (queue, data);
}

gpointer
g_async_queue_pop (GAsyncQueue *queue)
{
  gpointer data;

  REAL (g_async_queue_pop);
  data = real (queue);
  acquire (queue);
  return data;
}

gpointer
g_async_queue_try_pop (GAsyncQueue *queue)
{
  gpointer data;

  REAL (g_async_queue_try_pop);
  data = real (queue);
  acquire (queue);
  return data;
}

gpointer
g_async_queue_timeout_pop (GAsyncQueue *queue, guint64 timeout_us)
{
  gpointer data;

  REAL (g_async_queue_timeout_pop);
  data = real (queue, timeout_us);
  acquire (queue);
  return data;
}

typedef struct
{
  gconstpointer released; /* by whoever asks for it */
  GSourceFunc callback;
  gpointer user_data;
  GDestroyNotify notify;
} Call;

static gboolean
make_call (gpointer user_data)
{
  Call *call = user_data;

  acquire (call->released);
  return call->callback (call->user_data);
}

static void
end_call (gpointer user_data)
{
  Call *call = user_data;

  if (call->notify)
    call->notify (call->user_data);
  g_free (call);
}

/* idle sources and time-outs are what one thread calls another's functions by (a GTask
 * does); other kinds have callbacks of other types, and descriptors, which the sanitizer
 * knows */
void
g_source_set_callback (GSource *source,
                       GSourceFunc func,
                       gpointer data,
                       GDestroyNotify notify)
{
  Call *call;

  REAL (g_source_set_callback);
  if (!func ||
      (source->source_funcs != &g_idle_funcs && source->source_funcs != &g_timeout_funcs))
    {
      real (source, func, data, notify);
      return;
    }
  call = g_new (Call, 1);
  *call = (Call){ source, func, data, notify };
  real (source, make_call, call, end_call);
}

guint
g_source_attach (GSource *source, GMainContext *context)
{
  REAL (g_source_attach);
  release (source);
  return real (source, context);
}

/* what it makes of this, it makes inside itself */
void
g_main_context_invoke_full (GMainContext *context,
                            gint priority,
                            GSourceFunc function,
                            gpointer data,
                            GDestroyNotify notify)
{
  Call *call = g_new (Call, 1);

  REAL (g_main_context_invoke_full);
  *call = (Call){ call, function, data, notify };
  release (call);
  real (context, priority, make_call, call, end_call);
}

/* a kind of source of somebody's own: what GLib is given, and what it stands for */
typedef struct
{
  GSourceFuncs given;
  gboolean (*dispatch) (GSource *source, GSourceFunc callback, gpointer user_data);
} Kind;

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  const Kind *kind = (const Kind *) source->source_funcs;

  acquire (source);
  return kind->dispatch (source, callback, user_data);
}

/* a source that comes to a context whose thread was awake already. What stands for its
 * kind stays in memory: a test has few sources */
GSource *
g_source_new (GSourceFuncs *funcs, guint size)
{
  Kind *kind = g_new (Kind, 1);

  REAL (g_source_new);
  *kind = (Kind){ .given = *funcs, .dispatch = funcs->dispatch };
  kind->given.dispatch = dispatch;
  return real (&kind->given, size);
}

typedef struct
{
  GFunc work;
  gpointer user_data;
} Work;

static void
do_work (gpointer data, gpointer user_data)
{
  Work *work = user_data;

  acquire (data);
  work->work (data, work->user_data);
  release (work->user_data);
}

/* the wrapper stays in memory: a test has few pools */
GThreadPool *
g_thread_pool_new (GFunc func,
                   gpointer user_data,
                   int max_threads,
                   gboolean exclusive,
                   GError **error)
{
  Work *work = g_new (Work, 1);

  REAL (g_thread_pool_new);
  work->work = func;
  work->user_data = user_data;
  return real (do_work, work, max_threads, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  REAL (g_thread_pool_push);
  release (data);
  return real (pool, data, error);
}

void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait)
{
  const Work *work = pool->user_data;

  REAL (g_thread_pool_free);
  real (pool, immediate, wait);
  acquire (work->user_data);
}
