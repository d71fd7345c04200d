/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

#define CLIP_TAR_BLOCK 512

/* of a name, with its NUL: ours are short, and of others only the end counts */
#define CLIP_TAR_NAME_BYTES 101

typedef enum
{
  CLIP_TAR_END,       /* a block of zeros */
  CLIP_TAR_FILE,      /* its bytes follow */
  CLIP_TAR_EXTENDED,  /* records about the next member follow */
  CLIP_TAR_LONG_NAME, /* the name of the next member follows */
  CLIP_TAR_IGNORED,   /* a folder, or of a kind without use: its bytes are passed over */
} ClipTarKind;

typedef struct
{
  ClipTarKind kind;
  gint64 size;                    /* of what follows, in bytes */
  char name[CLIP_TAR_NAME_BYTES]; /* behind the last slash; printable ASCII */
} ClipTarHeader;

void clip_tar_append_header (GString *out, const char *name, gint64 size, gint64 mtime_s);
void clip_tar_append_padding (GString *out, gint64 size);
void clip_tar_append_end (GString *out);

gboolean clip_tar_check_start (const guint8 *start, gsize length, GError **error);
gint64 clip_tar_padding (gint64 size);
gboolean clip_tar_read_header (const guint8 *block, ClipTarHeader *out, GError **error);
gboolean clip_tar_read_extension (const char *records,
                                  gsize length,
                                  ClipTarHeader *next,
                                  GError **error);
void clip_tar_set_name (ClipTarHeader *self, const char *path, gsize length);

G_END_DECLS
