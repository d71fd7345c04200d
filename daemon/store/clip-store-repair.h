/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store-private.h"
G_BEGIN_DECLS

GVariant *clip_store_repair (ClipStore *self, GError **error);

G_END_DECLS
