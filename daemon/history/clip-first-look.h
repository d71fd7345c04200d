/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-clipboard.h"
#include "clip-display-sync.h"
G_BEGIN_DECLS

void clip_first_look_async (ClipDisplaySync *display_sync,
                            ClipClipboard *clipboard,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
void clip_first_look_finish (GAsyncResult *result);

G_END_DECLS
