/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-archive-entry.h"
G_BEGIN_DECLS

/* what a line of an archive was read as: the same text for the same entry, and for no other */
char *entry_text (const ClipArchiveEntry *entry);

G_END_DECLS
