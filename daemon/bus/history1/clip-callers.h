/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-transfer-progress.h"
#include "clip-unread.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* Who has how much under way. What lasts is counted, by process, and ends when its caller
 * leaves the bus, or gives way to others. That it is about to, its process shows before
 * the bus can say so. */
typedef struct ClipCallers ClipCallers;

/* of all processes together, a transfer as often as it has descriptors; Print, Join and
   Import are streams, and hold a thread each; Check and DeleteMatching walk through all
   files, and a Delete looks for many entries; a page, of a List, of GetResultMetas or of
   Match, has megabytes at the worst */
#define CLIP_CALLERS_MAX_TRANSFERS 512
#define CLIP_CALLERS_MAX_STREAMS 32
#define CLIP_CALLERS_MAX_WALKS 32
#define CLIP_CALLERS_MAX_PAGES 512
#define CLIP_CALLERS_MAX_LOOKUPS 512

ClipCallers *clip_callers_new (void);
void clip_callers_free (ClipCallers *self);
void clip_callers_set_unread (ClipCallers *self, ClipUnread *unread_take);
GCancellable *clip_callers_begin (ClipCallers *self,
                                  GDBusMethodInvocation *invocation,
                                  gint64 pid,
                                  GError **error);
guint clip_callers_turn (ClipCallers *self, GCancellable *cancellable);
void clip_callers_watch (ClipCallers *self,
                         GCancellable *cancellable,
                         ClipTransferProgress *progress);
gboolean clip_callers_grow (ClipCallers *self, goffset bytes, GError **error);
gboolean clip_callers_is_leaving (ClipCallers *self, GDBusMethodInvocation *invocation);
void clip_callers_end (ClipCallers *self,
                       GDBusMethodInvocation *invocation,
                       GCancellable *cancellable_take);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipCallers, clip_callers_free)

G_END_DECLS
