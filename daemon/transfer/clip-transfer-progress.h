/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* How far a transfer is. The thread that moves the bytes writes it and keeps no clock;
 * any thread may read it. */
typedef struct ClipTransferProgress ClipTransferProgress;

ClipTransferProgress *clip_transfer_progress_new (void);
ClipTransferProgress *clip_transfer_progress_ref (ClipTransferProgress *self);
void clip_transfer_progress_unref (ClipTransferProgress *self);

void clip_transfer_progress_expect (ClipTransferProgress *self, goffset total);
void clip_transfer_progress_advance (ClipTransferProgress *self, goffset done);
void clip_transfer_progress_end (ClipTransferProgress *self);
gboolean clip_transfer_progress_read (ClipTransferProgress *self,
                                      goffset *out_done,
                                      goffset *out_total);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipTransferProgress, clip_transfer_progress_unref)

G_END_DECLS
