/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

const char *clip_salvage_type (gint64 sum,
                               gint64 entry,
                               gint64 position,
                               gint64 size,
                               const void *data,
                               gsize length);

G_END_DECLS
