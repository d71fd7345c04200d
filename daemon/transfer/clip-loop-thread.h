/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A thread that runs a main context of its own. */
typedef struct ClipLoopThread ClipLoopThread;

ClipLoopThread *clip_loop_thread_new (const char *name, gboolean stands_back);
void clip_loop_thread_attach (ClipLoopThread *self, GSource *source);
void clip_loop_thread_stop (ClipLoopThread *self);
void clip_loop_thread_free (ClipLoopThread *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipLoopThread, clip_loop_thread_free)

G_END_DECLS
