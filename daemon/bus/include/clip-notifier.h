/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
G_BEGIN_DECLS

/* Tells people what they would otherwise miss: a copy that was too large, a disk that is
 * full, a history that was damaged, a mistake in the configuration, a pause, a transfer
 * that takes long. What was copied is never shown: its class and its size are. A missing
 * or stuck notification server changes nothing. */
typedef struct ClipNotifier ClipNotifier;

ClipNotifier *clip_notifier_new (ClipHistory *history);
void clip_notifier_free (ClipNotifier *self);
void clip_notifier_say_mistakes (ClipNotifier *self,
                                 const char *const *complaints,
                                 const char *const *backends,
                                 gboolean has_logind,
                                 gboolean has_locker);
void clip_notifier_say_store (ClipNotifier *self, const char *dir);
void clip_notifier_say_pause (ClipNotifier *self);
void clip_notifier_say_chosen (ClipNotifier *self, gboolean is_there);
void clip_notifier_say_unopened (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipNotifier, clip_notifier_free)

G_END_DECLS
