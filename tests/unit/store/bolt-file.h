/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Writes bbolt files, as the existing tool has them, and as nobody should. */
typedef struct
{
  guint32 page_size;
  guint per_page;     /* elements of a page: few make a high tree; 1 only for one entry */
  gboolean is_inline; /* the entries lie in the page of the bucket's name */
  const char *bucket; /* its name; NULL = there is none */
  guint64 sequence;
  GArray *ids;       /* guint64, from low to high */
  GPtrArray *values; /* GBytes */
} BoltFile;

BoltFile *bolt_file_new (void);
void bolt_file_free (BoltFile *self);
void bolt_file_add (BoltFile *self, guint64 id, const void *data, gsize length);
void bolt_file_add_text (BoltFile *self, guint64 id, const char *text);
GByteArray *bolt_file_make (const BoltFile *self);
void bolt_file_write (const BoltFile *self, const char *path);
void bolt_file_sign (guint8 *image, gsize length, gsize offset);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (BoltFile, bolt_file_free)

G_END_DECLS
