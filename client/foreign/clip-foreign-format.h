/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a reader of a format is, for the room alone. */
#pragma once
#include "clip-foreign-file.h"
G_BEGIN_DECLS

/* A reader's state is its own business. @file outlives it. */
typedef struct
{
  const char *name;    /* as --from has it */
  const char *title;   /* as people call the program */
  const char *pattern; /* of its files' names in its folder; NULL = any file, by name */
  gboolean is_live;    /* it may be read while the program writes to it */

  /* by what the file begins with */
  gboolean (*is_one) (const ClipForeignFile *file);
  /* NULL with the error set */
  gpointer (*open) (const ClipForeignFile *file, GError **error);
  /* oldest first; NULL at the end, and where the error is set. A fault in one entry ends
   * all: what came before it is good */
  ClipForeignEntry *(*next) (gpointer reader, GError **error);
  void (*close) (gpointer reader);
} ClipForeignFormat;

extern const ClipForeignFormat clip_foreign_clipse;
extern const ClipForeignFormat clip_foreign_copyq_export;
extern const ClipForeignFormat clip_foreign_copyq_tab;
extern const ClipForeignFormat clip_foreign_gpaste;
extern const ClipForeignFormat clip_foreign_klipper_database;
extern const ClipForeignFormat clip_foreign_klipper_list;
extern const ClipForeignFormat clip_foreign_ringboard;
extern const ClipForeignFormat clip_foreign_sentriz;

G_END_DECLS
