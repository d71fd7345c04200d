/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One item of CopyQ, for its reader alone. */
#pragma once
#include "clip-foreign-bytes.h"
#include "clip-foreign-file.h"
G_BEGIN_DECLS

#define COPYQ_VERSION_2 0xFFFFFFFEu
#define COPYQ_ENCRYPTED 0xFFFFFFFDu

gboolean copyq_item_read (const ClipForeignFile *file,
                          ClipForeignBytes *bytes,
                          ClipForeignEntry *entry,
                          GError **error);

G_END_DECLS
