/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Called in a signal handler, where little is allowed. */
typedef void (*ClipSignalCleanupFunc) (void);

void clip_signal_cleanup_set (ClipSignalCleanupFunc function);

G_END_DECLS
