/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What the first page of a database that is damaged says of whose it is. */
typedef enum
{
  CLIP_SALVAGE_OURS,
  CLIP_SALVAGE_DOUBTFUL, /* nothing, nor is it one of SQLite's */
  CLIP_SALVAGE_FOREIGN,
} ClipSalvageKind;

ClipSalvageKind clip_salvage_kind (const char *path);
gboolean clip_salvage_refuse (GError **error);

G_END_DECLS
