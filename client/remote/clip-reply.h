/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-progress.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
G_BEGIN_DECLS

/* A call of the daemon's, to be answered. */
typedef struct
{
  const char *interface; /* (nullable): of the history, where it is none */
  const char *method;
  GVariant *args; /* with the options of the history's */
  const char *reply_type;
  GUnixFDList *fds; /* (nullable) */
} ClipCall;

GVariant *clip_reply_await (GDBusConnection *connection,
                            const char *name,
                            const ClipCall *call,
                            ClipProgress *progress,
                            GError **error);

G_END_DECLS
