/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <cliphist.h>
G_BEGIN_DECLS

/* Where no service manager starts a daemon again that has crashed, the window does: it
 * is there all the time, also while it is hidden. */
typedef struct ClipDaemonRestart ClipDaemonRestart;

ClipDaemonRestart *clip_daemon_restart_new (CliphistHistory *history);
void clip_daemon_restart_free (ClipDaemonRestart *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDaemonRestart, clip_daemon_restart_free)

G_END_DECLS
