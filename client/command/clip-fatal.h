/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Called in a signal handler, where little is allowed. */
typedef void (*ClipFatalFunc) (void);

void clip_fatal_add (ClipFatalFunc function);
void clip_fatal_remove (ClipFatalFunc function);

G_END_DECLS
