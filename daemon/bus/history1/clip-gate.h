/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-history.h"
G_BEGIN_DECLS

/* Who may call at all: no program in a sandbox, unless the settings name it. A caller
 * is looked at once; until that is done, its calls wait, and keep their order. */
typedef struct ClipGate ClipGate;

/* takes @invocation */
typedef void (*ClipGateFunc) (GDBusMethodInvocation *invocation, gpointer user_data);

ClipGate *clip_gate_new (ClipHistory *history);
void clip_gate_watch (ClipGate *self, GDBusConnection *bus);
ClipGate *clip_gate_ref (ClipGate *self);
void clip_gate_unref (ClipGate *self);
void clip_gate_hold (ClipGate *self);
void clip_gate_open (ClipGate *self);
void clip_gate_shut (ClipGate *self);
void clip_gate_admit (ClipGate *self,
                      GDBusMethodInvocation *invocation_take,
                      ClipGateFunc function,
                      gpointer user_data);
gint64 clip_gate_pid (ClipGate *self, GDBusMethodInvocation *invocation);
gboolean clip_gate_is_idle (ClipGate *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipGate, clip_gate_unref)

G_END_DECLS
