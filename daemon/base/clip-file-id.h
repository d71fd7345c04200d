/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sys/types.h>
G_BEGIN_DECLS

/* Which file it is, under any name; all zero is none. */
typedef struct
{
  dev_t device;
  ino_t inode;
} ClipFileId;

void clip_file_id_take (ClipFileId *self, const char *path);
gboolean clip_file_id_is_at (const ClipFileId *self, const char *path);

G_END_DECLS
