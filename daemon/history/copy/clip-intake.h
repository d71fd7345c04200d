/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-gauge.h"
#include "clip-ignore.h"
#include "clip-policy.h"
#include "clip-secrets.h"
#include "clip-transfer.h"
G_BEGIN_DECLS

/* One copy on its way in: its contents arrive through pipes, one after the other, and are
 * then committed as one entry. Captures and D-Bus callers store through this, and through
 * nothing else. */
#define CLIP_TYPE_INTAKE (clip_intake_get_type ())
G_DECLARE_FINAL_TYPE (ClipIntake, clip_intake, CLIP, INTAKE, GObject)

ClipIntake *clip_intake_new (ClipStore *store,
                             ClipTransfers *transfers,
                             const ClipSettings *settings,
                             const char *origin);
void clip_intake_set_patience (ClipIntake *self, guint first_ms, guint idle_ms);
void clip_intake_set_unwritten (ClipIntake *self, goffset bytes);
void clip_intake_set_initial (ClipIntake *self);
void clip_intake_set_guards (ClipIntake *self, ClipIgnore *ignore, ClipSecrets *secrets);
void clip_intake_set_gauge (ClipIntake *self, ClipGauge *gauge);
void clip_intake_expect (ClipIntake *self, goffset bytes);

void clip_intake_receive_async (ClipIntake *self,
                                const char *mime,
                                int source_fd_take,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
goffset clip_intake_receive_finish (ClipIntake *self,
                                    GAsyncResult *result,
                                    GError **error);

guint clip_intake_n_contents (ClipIntake *self);
ClipEnding clip_intake_last_ending (ClipIntake *self);
gboolean clip_intake_last_is_small (ClipIntake *self);
void clip_intake_drop_last (ClipIntake *self);

void clip_intake_commit_async (ClipIntake *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean clip_intake_commit_finish (ClipIntake *self,
                                    GAsyncResult *result,
                                    ClipAdded *out_added,
                                    ClipDrop *out_drop,
                                    GError **error);

G_END_DECLS
