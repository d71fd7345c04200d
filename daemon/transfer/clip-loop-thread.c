/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-loop-thread.h"

#include "clip-thread.h"

struct ClipLoopThread
{
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread; /* NULL once it has been joined */
  gboolean stands_back;
};

static gpointer
run_on_thread (gpointer data)
{
  ClipLoopThread *self = data;

  if (self->stands_back)
    clip_thread_stand_back ();
  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  g_main_context_pop_thread_default (self->context);
  return NULL;
}

/**
 * clip_loop_thread_new:
 * @name: of the thread; at most 15 characters show
 * @stands_back: whether it yields to everybody else, as of clip_thread_stand_back()
 */
ClipLoopThread *
clip_loop_thread_new (const char *name, gboolean stands_back)
{
  ClipLoopThread *self = g_new0 (ClipLoopThread, 1);

  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->stands_back = stands_back;
  self->thread = g_thread_new (name, run_on_thread, self);
  return self;
}

/* from any thread; the thread has a reference of its own then */
void
clip_loop_thread_attach (ClipLoopThread *self, GSource *source)
{
  g_source_attach (source, self->context);
}

static gboolean
on_stop (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

/**
 * clip_loop_thread_stop:
 *
 * Ends the thread as soon as no source of default priority is ready any more: what has
 * been cancelled before gets to know it. The context stays, so that who still has a
 * source of it may touch that.
 */
void
clip_loop_thread_stop (ClipLoopThread *self)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_callback (source, on_stop, self->loop, NULL);
  g_source_attach (source, self->context);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
clip_loop_thread_free (ClipLoopThread *self)
{
  if (!self)
    return;
  if (self->thread)
    clip_loop_thread_stop (self);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_free (self);
}
