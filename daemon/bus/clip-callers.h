/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-process.h"

#include <gio/gio.h>
G_BEGIN_DECLS

/* Who has how much under way. What lasts is counted, and ends when its caller leaves the
 * bus. That it is about to, its process shows before the bus can say so. */
typedef struct ClipCallers ClipCallers;

#define CLIP_CALLERS_MAX_EACH 128
#define CLIP_CALLERS_MAX_TOTAL 512

ClipCallers *clip_callers_new (void);
void clip_callers_free (ClipCallers *self);
GCancellable *clip_callers_begin (ClipCallers *self,
                                  GDBusMethodInvocation *invocation,
                                  GError **error);
void clip_callers_identify (ClipCallers *self, GDBusMethodInvocation *invocation);
ClipOutlook clip_callers_outlook (ClipCallers *self, GDBusMethodInvocation *invocation);
void clip_callers_end (ClipCallers *self,
                       GDBusMethodInvocation *invocation,
                       GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipCallers, clip_callers_free)

G_END_DECLS
