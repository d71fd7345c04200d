/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-archive-entry.h"
G_BEGIN_DECLS

ClipArchiveEntry *clip_archive_plain_parse (const char *line, gsize length);

G_END_DECLS
