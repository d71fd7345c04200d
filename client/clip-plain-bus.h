/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-wire.h"
G_BEGIN_DECLS

/* The session bus without GIO, whose start takes longer than a call. */
typedef struct ClipPlainBus ClipPlainBus;

ClipPlainBus *clip_plain_bus_open (void);
void clip_plain_bus_free (ClipPlainBus *self);
gboolean clip_plain_bus_call (ClipPlainBus *self,
                              const char *method,
                              const char *signature,
                              const GByteArray *args,
                              int fd,
                              ClipWireMessage *reply,
                              GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipPlainBus, clip_plain_bus_free)

G_END_DECLS
