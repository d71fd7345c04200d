/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-foreign-entry.h"

#include <sys/stat.h>
G_BEGIN_DECLS

/* what a format is known by stands in the first bytes of a file */
#define CLIP_FOREIGN_HEAD_BYTES 1024

/* A file that a foreign history lies in, and the folder around it. */
typedef struct
{
  char *path;
  int fd;
  int folder_fd;
  goffset size;
  gint64 changed_us; /* when it was last written, which no entry is younger than */
  struct stat status;
  char head[CLIP_FOREIGN_HEAD_BYTES];
  gsize head_length;
} ClipForeignFile;

ClipForeignFile *clip_foreign_file_open (const char *path, GError **error);
void clip_foreign_file_free (ClipForeignFile *self);
gboolean clip_foreign_file_has_changed (const ClipForeignFile *self);
gboolean clip_foreign_file_begins (const ClipForeignFile *self,
                                   gsize offset,
                                   const char *bytes,
                                   gsize length);
char *clip_foreign_file_stem (const ClipForeignFile *self);
int clip_foreign_file_beside (const ClipForeignFile *self,
                              const char *path,
                              goffset *out_size);
gboolean clip_foreign_file_add_image (const ClipForeignFile *self,
                                      const char *const *paths,
                                      ClipForeignEntry *entry);
gboolean clip_foreign_damaged (GError **error, goffset at, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipForeignFile, clip_foreign_file_free)

G_END_DECLS
