/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* A bbolt file: pages of a B+ tree, named by their number. Numbers are those of the machine
 * that wrote it, in its own byte order. */
typedef struct
{
  int fd;
  goffset size;
  guint32 page_size;
  guint64 end;  /* the first page that was never used */
  guint64 root; /* the page of the tree of buckets */
  guint64 n_visits;
} ClipBoltFile;

/* one page, with those that it overflows into; or a bucket so small that it lies in one */
typedef struct
{
  goffset offset;
  guint64 length;
  gboolean is_branch;
  guint count;
  guint next; /* its element that has not been looked at */
  GBytes *head;
} ClipBoltPage;

/* an element of a page. What it is for the elements of a leaf: a key and a value; of a
 * branch: a page below */
typedef struct
{
  gboolean is_bucket;
  guint64 page;
  guint64 key_at; /* within the page, checked */
  guint32 key_size;
  guint64 value_at;
  guint32 value_size;
} ClipBoltElement;

gboolean clip_bolt_file_init (ClipBoltFile *self, int fd, GError **error);
gboolean clip_bolt_file_damaged (GError **error, guint64 page, const char *what);

gboolean clip_bolt_page_load (ClipBoltPage *self,
                              ClipBoltFile *file,
                              guint64 number,
                              GError **error);
gboolean clip_bolt_page_load_inline (ClipBoltPage *self,
                                     ClipBoltFile *file,
                                     goffset offset,
                                     guint64 length,
                                     GError **error);
gboolean clip_bolt_page_read (const ClipBoltPage *self,
                              const ClipBoltFile *file,
                              guint64 at,
                              void *into,
                              gsize length,
                              GError **error);
gboolean clip_bolt_page_element (const ClipBoltPage *self,
                                 const ClipBoltFile *file,
                                 guint index,
                                 ClipBoltElement *out_element,
                                 GError **error);
void clip_bolt_page_clear (ClipBoltPage *self);

G_END_DECLS
