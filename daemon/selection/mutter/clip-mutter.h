/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend.h"
G_BEGIN_DECLS

void clip_mutter_new_async (GDBusConnection *bus,
                            const char *peer,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
ClipBackend *clip_mutter_new_finish (GAsyncResult *result, GError **error);

G_END_DECLS
