/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What GLib leaves out of threads. */

#define CLIP_THREAD_BACK_NICE 10

void clip_thread_stand_back (void);

G_END_DECLS
