/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The starter of the thread waits until it is connected, but not for ever: a server that
 * hangs keeps the thread, which ends by itself when the server answers or dies. So the
 * thread and its starter share this object, and the last of the two frees it. */
#include "clip-x11-thread.h"

#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "clip-error.h"
#include "clip-x11-worker.h"

#define CONNECT_SECONDS 2
#define MAX_CONNECTING 8

/* deeper than the calls in which a content is read or written */
#define STACK_BYTES (16 * 1024)

typedef enum
{
  CONNECTING,
  CONNECTED,
  FAILED,
  ABANDONED, /* its starter waits no longer */
} State;

struct ClipX11Thread
{
  int n_refs;
  char *display_name;
  gboolean primary;
  ClipX11Limits limits;
  GMainContext *context;
  ClipX11Mailbox *orders;
  ClipX11Mailbox *news;
  GThread *thread;
  ClipX11Worker *worker; /* the thread's alone, as is what follows */
  gboolean quits;

  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t changed;
  State state;
  GError *error;
  int connection_fd;
};

/* threads whose server has not answered yet, of all displays together (atomic) */
static int n_connecting;

static void
thread_unref (ClipX11Thread *self)
{
  if (!g_atomic_int_dec_and_test (&self->n_refs))
    return;
  pthread_mutex_destroy (&self->lock);
  pthread_cond_destroy (&self->changed);
  g_clear_error (&self->error);
  clip_x11_mailbox_unref (self->orders);
  clip_x11_mailbox_unref (self->news);
  g_main_context_unref (self->context);
  g_free (self->display_name);
  g_free (self);
}

/* tells the starter how it went; FALSE where there is nothing to run for */
static gboolean
end_start_on_thread (ClipX11Thread *self, ClipX11Display *display, GError *error_take)
{
  gboolean wanted;

  pthread_mutex_lock (&self->lock);
  wanted = self->state == CONNECTING && display;
  if (self->state == CONNECTING)
    self->state = display ? CONNECTED : FAILED;
  if (wanted)
    self->connection_fd = clip_x11_display_fd (display);
  self->error = error_take;
  pthread_cond_signal (&self->changed);
  pthread_mutex_unlock (&self->lock);
  return wanted;
}

/* The linker saves registers on the stack where a library calls a function for the first
 * time, and what was copied a moment ago may be in them. */
static void G_GNUC_NO_INLINE
clear_stack_on_thread (void)
{
  char below[STACK_BYTES];

  explicit_bzero (below, sizeof below);
}

static void
run_loop_on_thread (ClipX11Thread *self)
{
  while (!self->quits)
    {
      g_main_context_iteration (self->context, TRUE);
      clear_stack_on_thread ();
    }
}

/* the one that is told that we are connected misses nothing from then on */
static void
run_worker_on_thread (ClipX11Thread *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipX11Display) display =
      clip_x11_display_open (self->display_name, self->context, &error);

  g_atomic_int_add (&n_connecting, -1);
  if (display)
    self->worker =
        clip_x11_worker_new (display, self->primary, &self->limits, self->news);
  if (end_start_on_thread (self, display, g_steal_pointer (&error)))
    run_loop_on_thread (self);
  g_clear_pointer (&self->worker, clip_x11_worker_free);
}

static gpointer
run_on_thread (gpointer data)
{
  ClipX11Thread *self = data;

  g_main_context_push_thread_default (self->context);
  run_worker_on_thread (self);
  clip_x11_mailbox_close (self->orders);
  g_main_context_pop_thread_default (self->context);
  thread_unref (self);
  return NULL;
}

static void
on_order_on_thread (ClipX11Message *order, gpointer user_data)
{
  ClipX11Thread *self = user_data;

  if (order->kind == CLIP_X11_QUIT)
    self->quits = TRUE;
  else
    clip_x11_worker_handle (self->worker, order);
}

static void
init_sync (ClipX11Thread *self)
{
  pthread_condattr_t attributes;

  pthread_mutex_init (&self->lock, NULL);
  pthread_condattr_init (&attributes);
  pthread_condattr_setclock (&attributes, CLOCK_MONOTONIC);
  pthread_cond_init (&self->changed, &attributes);
  pthread_condattr_destroy (&attributes);
}

/* (transfer full) (nullable): why it is not connected */
static GError *
wait_connected (ClipX11Thread *self)
{
  struct timespec until;
  GError *error = NULL;
  int timed_out = 0;

  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_sec += CONNECT_SECONDS;
  pthread_mutex_lock (&self->lock);
  while (self->state == CONNECTING && timed_out == 0)
    timed_out = pthread_cond_timedwait (&self->changed, &self->lock, &until);
  if (self->state == CONNECTING)
    {
      self->state = ABANDONED;
      error = g_error_new (CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                           "open X11 display '%s': no answer in %d seconds",
                           self->display_name ? self->display_name : "", CONNECT_SECONDS);
    }
  else
    error = g_steal_pointer (&self->error);
  pthread_mutex_unlock (&self->lock);
  return error;
}

/**
 * clip_x11_thread_start:
 * @news: where all that happens is told
 *
 * Connects and watches. Takes as long as a local server takes to answer, 2 s at most. The
 * thread of a server that has not answered by then stays until it does; there are not
 * many of these.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND.
 */
ClipX11Thread *
clip_x11_thread_start (const char *display_name,
                       gboolean primary,
                       const ClipX11Limits *limits,
                       ClipX11Mailbox *news,
                       GError **error)
{
  ClipX11Thread *self = NULL;
  GError *refused = NULL;

  if (g_atomic_int_add (&n_connecting, 1) >= MAX_CONNECTING)
    {
      g_atomic_int_add (&n_connecting, -1);
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   "open X11 display '%s': %d others have not answered yet",
                   display_name ? display_name : "", MAX_CONNECTING);
      return NULL;
    }
  self = g_new0 (ClipX11Thread, 1);
  self->n_refs = 2;
  self->display_name = g_strdup (display_name);
  self->primary = primary;
  self->limits = *limits;
  self->context = g_main_context_new ();
  self->orders = clip_x11_mailbox_new (on_order_on_thread, self);
  clip_x11_mailbox_deliver (self->orders, self->context);
  self->news = clip_x11_mailbox_ref (news);
  self->connection_fd = -1;
  init_sync (self);
  self->thread = g_thread_new ("clip-x11", run_on_thread, self);
  refused = wait_connected (self);
  if (!refused)
    return self;
  g_thread_unref (self->thread);
  thread_unref (self);
  g_propagate_error (error, refused);
  return NULL;
}

/**
 * clip_x11_thread_stop:
 *
 * Ends the connection and the thread, and waits for it. It does not wait for the server:
 * what the thread may be asking it just then fails at once.
 */
void
clip_x11_thread_stop (ClipX11Thread *self)
{
  /* in this order: the descriptor is the thread's until it is told to quit */
  shutdown (self->connection_fd, SHUT_RDWR);
  clip_x11_mailbox_post (self->orders, clip_x11_message_new (CLIP_X11_QUIT, 0));
  g_thread_join (self->thread);
  thread_unref (self);
}

ClipX11Mailbox *
clip_x11_thread_orders (ClipX11Thread *self)
{
  return self->orders;
}
