/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"
G_BEGIN_DECLS

char *clip_login_name (void);
gboolean clip_login_is_new (ClipStore *store);

G_END_DECLS
