/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Where the entries of a file are that has the newest first: they are found from the first on, and
 * come from the last on. What is wrong with the file is said when all have come that lie
 * before the fault. */
typedef struct
{
  goffset at;
  goffset end;
} ClipForeignPart;

typedef struct
{
  GArray *parts; /* ClipForeignPart */
  GError *fault;
} ClipForeignParts;

void clip_foreign_parts_init (ClipForeignParts *self);
void clip_foreign_parts_clear (ClipForeignParts *self);
void clip_foreign_parts_add (ClipForeignParts *self, goffset at, goffset end);
gboolean clip_foreign_parts_take (ClipForeignParts *self,
                                  ClipForeignPart *out_part,
                                  GError **error);

G_END_DECLS
