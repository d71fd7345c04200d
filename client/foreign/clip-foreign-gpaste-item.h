/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One item of a history of GPaste, for its reader alone. */
#pragma once
#include "clip-foreign-file.h"
G_BEGIN_DECLS

typedef enum
{
  GPASTE_UNKNOWN,
  GPASTE_1, /* the value is the text of the item itself */
  GPASTE_2, /* it has an element of its own; others hold the same in other types */
} GpasteVersion;

GpasteVersion gpaste_version_of (const char *element,
                                 const char **names,
                                 const char **values);
ClipForeignEntry *gpaste_item_read (const ClipForeignFile *file,
                                    GpasteVersion version,
                                    const char *text,
                                    gsize length);

G_END_DECLS
