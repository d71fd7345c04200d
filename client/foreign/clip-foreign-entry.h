/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* a content of a foreign entry: bytes in memory, or a part of a file */
typedef struct
{
  char *mime;       /* as the source calls it; "" = it does not say */
  gboolean is_note; /* about the others, and kept beside them */
  GBytes *bytes;    /* NULL where it lies in a file */
  int fd;           /* of that file, its own; -1 where there are bytes */
  goffset offset;
  goffset size;
} ClipForeignContent;

/* An entry of another manager's history. Times are microseconds since the epoch. */
typedef struct
{
  gint64 id; /* 0 = the source has none that means anything outside */
  gint64 first_us;
  gint64 last_us;
  gboolean pinned;
  gboolean is_secret;     /* the source says so */
  gboolean is_incomplete; /* a file that it refers to is not there */
  GPtrArray *tags;        /* (element-type utf8) */
  GPtrArray *contents;    /* ClipForeignContent, in the order of the source */
} ClipForeignEntry;

ClipForeignEntry *clip_foreign_entry_new (gint64 copied_us);
void clip_foreign_entry_free (ClipForeignEntry *self);
void clip_foreign_entry_add_tag (ClipForeignEntry *self, const char *tag, gssize length);
void clip_foreign_entry_add_bytes (ClipForeignEntry *self,
                                   const char *mime,
                                   GBytes *bytes_take);
void clip_foreign_entry_add_note (ClipForeignEntry *self,
                                  const char *mime,
                                  GBytes *bytes_take);
void clip_foreign_entry_add_text (ClipForeignEntry *self,
                                  const char *mime,
                                  const char *text);
void clip_foreign_entry_add_part (ClipForeignEntry *self,
                                  const char *mime,
                                  int fd_take,
                                  goffset offset,
                                  goffset size);
gboolean clip_foreign_entry_add_range (ClipForeignEntry *self,
                                       const char *mime,
                                       int fd,
                                       goffset offset,
                                       goffset size,
                                       GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipForeignEntry, clip_foreign_entry_free)

G_END_DECLS
