/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file is: two descriptions of it, a list of free pages (none), the leaves of the
 * bucket, the branches above them, and the leaf with the name of the bucket, which is the
 * root.
 */
#include "bolt-file.h"

#include <string.h>

#define HEADER_BYTES 16
#define ELEMENT_BYTES 16
#define META_BYTES 64
#define SUMMED_BYTES 56

enum
{
  BRANCH = 1,
  LEAF = 2,
  META = 4,
  FREELIST = 16,
};

BoltFile *
bolt_file_new (void)
{
  BoltFile *self = g_new0 (BoltFile, 1);

  self->page_size = 4096;
  self->per_page = 20;
  self->bucket = "b";
  self->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  return self;
}

void
bolt_file_free (BoltFile *self)
{
  g_array_unref (self->ids);
  g_ptr_array_unref (self->values);
  g_free (self);
}

void
bolt_file_add (BoltFile *self, guint64 id, const void *data, gsize length)
{
  g_array_append_val (self->ids, id);
  g_ptr_array_add (self->values, g_bytes_new (data, length));
  self->sequence = MAX (self->sequence, id);
}

void
bolt_file_add_text (BoltFile *self, guint64 id, const char *text)
{
  bolt_file_add (self, id, text, strlen (text));
}

static void
put (GByteArray *out, gsize at, const void *data, gsize length)
{
  if (length > 0)
    memcpy (out->data + at, data, length);
}

static void
put_16 (GByteArray *out, gsize at, guint16 value)
{
  put (out, at, &value, sizeof value);
}

static void
put_32 (GByteArray *out, gsize at, guint32 value)
{
  put (out, at, &value, sizeof value);
}

static void
put_64 (GByteArray *out, gsize at, guint64 value)
{
  put (out, at, &value, sizeof value);
}

/* keys and values follow the elements of a page, in their order */
typedef struct
{
  guint16 flags;
  GArray *elements; /* of Element */
} Page;

typedef struct
{
  guint32 flags;
  guint64 below;
  GBytes *key;
  GBytes *value;
} Element;

static void
clear_element (gpointer data)
{
  Element *element = data;

  g_bytes_unref (element->key);
  g_clear_pointer (&element->value, g_bytes_unref);
}

static Page
page_new (guint16 flags)
{
  Page page = { flags, g_array_new (FALSE, TRUE, sizeof (Element)) };

  g_array_set_clear_func (page.elements, clear_element);
  return page;
}

static GBytes *
key_of (guint64 id)
{
  guint64 key = GUINT64_TO_BE (id);

  return g_bytes_new (&key, sizeof key);
}

static gsize
size_of (GBytes *bytes)
{
  return bytes ? g_bytes_get_size (bytes) : 0;
}

static gsize
page_bytes (const Page *page)
{
  gsize bytes = HEADER_BYTES;

  for (guint i = 0; i < page->elements->len; i++)
    {
      const Element *element = &g_array_index (page->elements, Element, i);

      bytes += ELEMENT_BYTES + size_of (element->key) + size_of (element->value);
    }
  return bytes;
}

static gsize
put_bytes (GByteArray *out, gsize at, GBytes *bytes)
{
  if (bytes)
    put (out, at, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return at + size_of (bytes);
}

static void
put_element (GByteArray *out,
             gsize at,
             const Page *page,
             const Element *element,
             guint32 distance)
{
  if (page->flags == BRANCH)
    {
      put_32 (out, at, distance);
      put_32 (out, at + 4, (guint32) size_of (element->key));
      put_64 (out, at + 8, element->below);
      return;
    }
  put_32 (out, at, element->flags);
  put_32 (out, at + 4, distance);
  put_32 (out, at + 8, (guint32) size_of (element->key));
  put_32 (out, at + 12, (guint32) size_of (element->value));
}

/* at the end of @out, which grows by @bytes */
static void
append_page (GByteArray *out,
             const Page *page,
             guint64 number,
             guint32 overflow,
             gsize bytes)
{
  gsize start = out->len;
  gsize data = start + HEADER_BYTES + page->elements->len * (gsize) ELEMENT_BYTES;

  g_byte_array_set_size (out, (guint) (start + bytes));
  memset (out->data + start, 0, bytes);
  put_64 (out, start, number);
  put_16 (out, start + 8, page->flags);
  put_16 (out, start + 10, (guint16) page->elements->len);
  put_32 (out, start + 12, overflow);
  for (guint i = 0; i < page->elements->len; i++)
    {
      const Element *element = &g_array_index (page->elements, Element, i);
      gsize at = start + HEADER_BYTES + i * (gsize) ELEMENT_BYTES;

      put_element (out, at, page, element, (guint32) (data - at));
      data = put_bytes (out, put_bytes (out, data, element->key), element->value);
    }
}

static guint64
add_page (const BoltFile *self, GByteArray *out, const Page *page)
{
  gsize n = (page_bytes (page) + self->page_size - 1) / self->page_size;
  guint64 number = out->len / self->page_size;

  append_page (out, page, number, (guint32) (n - 1), n * self->page_size);
  return number;
}

/* a page of every so many elements of @all, each of them an element of the result */
static Page
add_level (const BoltFile *self, GByteArray *out, const Page *all)
{
  Page above = page_new (BRANCH);

  for (guint first = 0; first < all->elements->len; first += self->per_page)
    {
      guint n = MIN (self->per_page, all->elements->len - first);
      const Element *lowest = &g_array_index (all->elements, Element, first);
      GArray *some = g_array_new (FALSE, FALSE, sizeof (Element));
      Page page = { all->flags, some };
      Element element = { .key = g_bytes_ref (lowest->key) };

      g_array_append_vals (some, lowest, n);
      element.below = add_page (self, out, &page);
      g_array_append_val (above.elements, element);
      g_array_unref (some);
    }
  return above;
}

static Page
all_entries (const BoltFile *self)
{
  Page all = page_new (LEAF);

  for (guint i = 0; i < self->ids->len; i++)
    {
      Element element = { .key = key_of (g_array_index (self->ids, guint64, i)),
                          .value = g_bytes_ref (self->values->pdata[i]) };

      g_array_append_val (all.elements, element);
    }
  return all;
}

/* Returns: the page of the root of the bucket's tree */
static guint64
add_tree (const BoltFile *self, GByteArray *out)
{
  Page level = all_entries (self);
  guint64 root = 0;

  if (level.elements->len == 0)
    root = add_page (self, out, &level);
  while (root == 0)
    {
      Page above = add_level (self, out, &level);

      g_array_unref (level.elements);
      level = above;
      if (level.elements->len == 1)
        root = g_array_index (level.elements, Element, 0).below;
    }
  g_array_unref (level.elements);
  return root;
}

/* what is kept under the name of the bucket */
static GBytes *
make_bucket (const BoltFile *self, GByteArray *out)
{
  g_autoptr (GByteArray) value = g_byte_array_new ();
  guint64 header[] = { 0, self->sequence };
  Page all;

  if (!self->is_inline)
    {
      header[0] = add_tree (self, out);
      return g_bytes_new (header, sizeof header);
    }
  all = all_entries (self);
  g_byte_array_append (value, (const guint8 *) header, sizeof header);
  append_page (value, &all, 0, 0, page_bytes (&all));
  g_array_unref (all.elements);
  return g_byte_array_free_to_bytes (g_steal_pointer (&value));
}

static guint64
add_root (const BoltFile *self, GByteArray *out)
{
  Page page = page_new (LEAF);
  guint64 number;

  if (self->bucket)
    {
      Element element = { .flags = 1,
                          .key = g_bytes_new (self->bucket, strlen (self->bucket)),
                          .value = make_bucket (self, out) };

      g_array_append_val (page.elements, element);
    }
  number = add_page (self, out, &page);
  g_array_unref (page.elements);
  return number;
}

/* gives the description of the file at @offset of @image the checksum that it should
   have */
void
bolt_file_sign (guint8 *image, gsize length, gsize offset)
{
  guint64 sum = G_GUINT64_CONSTANT (14695981039346656037);
  guint8 *meta = image + offset + HEADER_BYTES;

  if (offset + HEADER_BYTES + META_BYTES > length)
    return;
  for (gsize i = 0; i < SUMMED_BYTES; i++)
    sum = (sum ^ meta[i]) * G_GUINT64_CONSTANT (1099511628211);
  memcpy (meta + SUMMED_BYTES, &sum, sizeof sum);
}

static void
put_meta (const BoltFile *self, GByteArray *out, guint number, guint64 root)
{
  gsize start = number * (gsize) self->page_size;
  gsize meta = start + HEADER_BYTES;

  put_64 (out, start, number);
  put_16 (out, start + 8, META);
  put_32 (out, meta, 0xED0CDAED);
  put_32 (out, meta + 4, 2);
  put_32 (out, meta + 8, self->page_size);
  put_64 (out, meta + 16, root);
  put_64 (out, meta + 32, 2);
  put_64 (out, meta + 40, out->len / self->page_size);
  put_64 (out, meta + 48, number + 1);
  bolt_file_sign (out->data, out->len, start);
}

/* (transfer full): the bytes of the file */
GByteArray *
bolt_file_make (const BoltFile *self)
{
  GByteArray *out = g_byte_array_new ();
  guint64 root;

  g_byte_array_set_size (out, 3 * self->page_size);
  memset (out->data, 0, out->len);
  put_64 (out, 2 * (gsize) self->page_size, 2);
  put_16 (out, 2 * (gsize) self->page_size + 8, FREELIST);
  root = add_root (self, out);
  put_meta (self, out, 0, root);
  put_meta (self, out, 1, root);
  return out;
}

void
bolt_file_write (const BoltFile *self, const char *path)
{
  g_autoptr (GByteArray) image = bolt_file_make (self);

  g_assert_true (
      g_file_set_contents (path, (const char *) image->data, (gssize) image->len, NULL));
}
