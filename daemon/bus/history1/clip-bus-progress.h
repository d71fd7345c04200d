/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transfer-progress.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* TransferProgress: sent to the caller of a transfer alone. */
typedef struct ClipBusProgress ClipBusProgress;

ClipBusProgress *clip_bus_progress_new (GDBusMethodInvocation *invocation,
                                        guint64 transfer,
                                        guint64 id,
                                        const char *direction);
void clip_bus_progress_free (ClipBusProgress *self);
ClipTransferProgress *clip_bus_progress_transfer (ClipBusProgress *self);
void clip_bus_progress_end (ClipBusProgress *self);

G_END_DECLS
