/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The existing tool keeps its entries in one bucket of a bbolt file: the key is the id,
 * as eight bytes, the highest first, the value is the clip. A bucket is a B+ tree of
 * pages, and lies, under its name, in the tree of buckets, which has no other. Ids that
 * do not grow are damage, and so is a page below another that has no element: no leaf can
 * come twice, and a walk is no longer than the file has bytes.
 *
 * Nothing in the file is believed: each number is held against the file before anything
 * is read by it, and everything is read, never mapped, so that a file that is cut
 * meanwhile is an error and no signal. Numbers are in the byte order of the machine that
 * wrote it, its own.
 */
#include "clip-bolt.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC 0xED0CDAEDu
#define VERSION 2
#define MIN_PAGE_SIZE 1024u
#define MAX_PAGE_SIZE (64u * 1024)
#define BUCKET_NAME "b"

/* the first two pages hold the two descriptions of the file, in turn */
#define FIRST_PAGE 2

/* with two elements on a page that is more than a file can have */
#define MAX_DEPTH 64

#define FNV_BASIS G_GUINT64_CONSTANT (14695981039346656037)
#define FNV_PRIME G_GUINT64_CONSTANT (1099511628211)

enum
{
  FLAG_BRANCH = 0x01,
  FLAG_LEAF = 0x02,
};

/* the format: these lie in the file as they are here */
typedef struct
{
  guint64 number;
  guint16 flags;
  guint16 count;
  guint32 overflow; /* further pages that belong to this one */
} Header;

typedef struct
{
  guint32 magic;
  guint32 version;
  guint32 page_size;
  guint32 flags;
  guint64 root; /* the page of the tree of buckets */
  guint64 sequence;
  guint64 freelist;
  guint64 end; /* the first page that was never used */
  guint64 transaction;
  guint64 checksum;
} Meta;

typedef struct
{
  guint32 flags;
  guint32 at; /* from the element on: the key, and behind it the value */
  guint32 key_size;
  guint32 value_size;
} Leaf;

typedef struct
{
  guint32 at;
  guint32 key_size;
  guint64 page;
} Branch;

/* what a bucket's value begins with */
typedef struct
{
  guint64 root; /* 0 = the bucket follows, a page without a number */
  guint64 sequence;
} Bucket;

G_STATIC_ASSERT (sizeof (Header) == 16 && sizeof (Meta) == 64 && sizeof (Bucket) == 16);
G_STATIC_ASSERT (sizeof (Leaf) == 16 && sizeof (Branch) == 16);

/* one page, with those that it overflows into; or a bucket so small that it lies in
   one */
typedef struct
{
  goffset offset;
  guint64 length;
  gboolean is_branch;
  guint count;
  guint next; /* its element that has not been looked at */
} Page;

/* of a leaf; key and value lie within the page */
typedef struct
{
  gboolean is_bucket;
  goffset key;
  guint32 key_size;
  goffset value;
  guint32 value_size;
} Element;

struct ClipBolt
{
  int fd;
  guint64 n_pages; /* of the file */
  Meta meta;
  Page path[MAX_DEPTH]; /* from the root down */
  guint depth;
  guint64 n_bytes; /* of the values so far */
  gint64 last_id;  /* that was ever given */
  gint64 previous; /* the id of the last entry */
};

static gboolean
damaged (GError **error, guint64 page, const char *what)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT,
               "damaged at page %" G_GUINT64_FORMAT ": %s", page, what);
  return FALSE;
}

static guint64
checksum (const Meta *meta)
{
  const guint8 *bytes = (const guint8 *) meta;
  guint64 sum = FNV_BASIS;

  for (gsize i = 0; i < G_STRUCT_OFFSET (Meta, checksum); i++)
    sum = (sum ^ bytes[i]) * FNV_PRIME;
  return sum;
}

/* whether there is a description of the file at a page that begins at @offset */
static gboolean
read_meta (int fd, goffset offset, Meta *out_meta)
{
  return clip_read_exactly (fd, out_meta, sizeof *out_meta,
                            offset + (goffset) sizeof (Header), NULL) &&
         out_meta->magic == MAGIC && out_meta->version == VERSION &&
         out_meta->page_size >= MIN_PAGE_SIZE && out_meta->page_size <= MAX_PAGE_SIZE &&
         (out_meta->page_size & (out_meta->page_size - 1)) == 0 &&
         out_meta->checksum == checksum (out_meta);
}

/* Both are looked at: the newer one counts, unless it was not written to its end. The
 * second lies where the first says, and where that is damaged, at its own page size. */
static gboolean
find_meta (int fd, Meta *out_meta)
{
  Meta other;

  if (read_meta (fd, 0, out_meta))
    {
      if (read_meta (fd, out_meta->page_size, &other) &&
          other.page_size == out_meta->page_size &&
          other.transaction > out_meta->transaction)
        *out_meta = other;
      return TRUE;
    }
  for (guint32 size = MIN_PAGE_SIZE; size <= MAX_PAGE_SIZE; size *= 2)
    if (read_meta (fd, size, out_meta) && out_meta->page_size == size)
      return TRUE;
  return FALSE;
}

/* whether there is a bbolt file, be it damaged */
gboolean
clip_bolt_is_one (int fd)
{
  Meta meta;

  return find_meta (fd, &meta);
}

/* onto the path. @number: 0 for a bucket that lies in a value */
static gboolean
push (ClipBolt *self, Page page, const Header *header, guint64 number, GError **error)
{
  if (header->flags != FLAG_BRANCH && header->flags != FLAG_LEAF)
    return damaged (error, number, "neither branch nor leaf");
  if ((header->count + 1) * sizeof (Leaf) > page.length)
    return damaged (error, number, "more elements than it has room for");
  page.is_branch = header->flags == FLAG_BRANCH;
  page.count = header->count;
  self->path[self->depth++] = page;
  return TRUE;
}

static gboolean
enter (ClipBolt *self, guint64 number, GError **error)
{
  Page page = { .offset = (goffset) (number * self->meta.page_size) };
  Header header;

  if (self->depth == MAX_DEPTH)
    return damaged (error, number, "its tree is too deep");
  if (number < FIRST_PAGE || number >= self->meta.end || number >= self->n_pages)
    return damaged (error, number, "there is no such page");
  if (!clip_read_exactly (self->fd, &header, sizeof header, page.offset, error))
    return FALSE;
  if (header.number != number)
    return damaged (error, number, "it says that it is another page");
  if (header.count == 0 && self->depth > 0)
    return damaged (error, number, "there is nothing on it");
  if (header.overflow >= self->meta.end - number ||
      number + header.overflow + 1 > self->n_pages)
    return damaged (error, number, "it goes on behind the file's end");
  page.length = (header.overflow + (guint64) 1) * self->meta.page_size;
  return push (self, page, &header, number, error);
}

static gboolean
read_leaf (ClipBolt *self, const Page *page, goffset at, Element *out, GError **error)
{
  goffset end = page->offset + (goffset) page->length;
  Leaf leaf;

  if (!clip_read_exactly (self->fd, &leaf, sizeof leaf, at, error))
    return FALSE;
  *out = (Element){ .is_bucket = leaf.flags != 0,
                    .key = at + leaf.at,
                    .key_size = leaf.key_size,
                    .value = at + leaf.at + leaf.key_size,
                    .value_size = leaf.value_size };
  return out->value + out->value_size <= end ||
         damaged (error, (guint64) page->offset / self->meta.page_size,
                  "an element lies outside of its page");
}

/* the next element of a leaf; TRUE = there is one, FALSE = the end, or the error is
   set */
static gboolean
next_element (ClipBolt *self, Element *out_element, GError **error)
{
  while (self->depth > 0)
    {
      Page *page = &self->path[self->depth - 1];
      goffset at =
          page->offset + (goffset) (sizeof (Header) + page->next * sizeof (Leaf));
      Branch branch;

      if (page->next == page->count)
        {
          self->depth--;
          continue;
        }
      page->next++;
      if (!page->is_branch)
        return read_leaf (self, page, at, out_element, error);
      if (!clip_read_exactly (self->fd, &branch, sizeof branch, at, error) ||
          !enter (self, branch.page, error))
        return FALSE;
    }
  return FALSE;
}

/* from now on the entries are what is walked */
static gboolean
enter_bucket (ClipBolt *self, const Element *element, GError **error)
{
  const goffset inside = element->value + (goffset) sizeof (Bucket);
  Bucket bucket;
  Header header;

  if (!clip_read_exactly (self->fd, &bucket, sizeof bucket, element->value, error))
    return FALSE;
  if (bucket.sequence > G_MAXINT64 / 2)
    return damaged (error, 0, "its ids have come to an end");
  self->last_id = (gint64) bucket.sequence;
  self->depth = 0;
  if (bucket.root != 0)
    return enter (self, bucket.root, error);
  if (element->value_size < sizeof bucket + sizeof header)
    return damaged (error, 0, "a bucket is too short to be one");
  if (!clip_read_exactly (self->fd, &header, sizeof header, inside, error))
    return FALSE;
  if (header.flags == FLAG_BRANCH)
    return damaged (error, 0, "a bucket without pages has a branch");
  return push (self,
               (Page){ .offset = inside, .length = element->value_size - sizeof bucket },
               &header, 0, error);
}

/* FALSE also where the name cannot be read, with the error set */
static gboolean
is_our_bucket (ClipBolt *self, const Element *element, GError **error)
{
  char name[sizeof BUCKET_NAME - 1];

  return element->is_bucket && element->key_size == sizeof name &&
         element->value_size >= sizeof (Bucket) &&
         clip_read_exactly (self->fd, name, sizeof name, element->key, error) &&
         memcmp (name, BUCKET_NAME, sizeof name) == 0;
}

/* a file without any bucket is one that the tool had just begun */
static gboolean
find_bucket (ClipBolt *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  Element element;

  if (!enter (self, self->meta.root, error))
    return FALSE;
  if (next_element (self, &element, &local))
    {
      if (is_our_bucket (self, &element, &local))
        return enter_bucket (self, &element, error);
      if (!local)
        g_set_error (&local, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                     "of another program: there is no bucket '" BUCKET_NAME "'");
    }
  if (!local)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/**
 * clip_bolt_open:
 * @fd: of the file; outlives the result, and nobody writes to it meanwhile
 *
 * Returns: (transfer full): at the oldest entry
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
ClipBolt *
clip_bolt_open (int fd, GError **error)
{
  g_autoptr (ClipBolt) self = g_new0 (ClipBolt, 1);
  struct stat status;

  if (fstat (fd, &status) < 0)
    {
      clip_set_errno (error, errno, "look at it");
      return NULL;
    }
  if (!find_meta (fd, &self->meta))
    {
      damaged (error, 0, "neither description of the file is whole");
      return NULL;
    }
  self->fd = fd;
  self->n_pages = (guint64) status.st_size / self->meta.page_size;
  return find_bucket (self, error) ? g_steal_pointer (&self) : NULL;
}

void
clip_bolt_free (ClipBolt *self)
{
  g_free (self);
}

/**
 * clip_bolt_next:
 *
 * Returns: whether there is another entry; %FALSE at the end, and where @error is set
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
gboolean
clip_bolt_next (ClipBolt *self, ClipBoltEntry *out_entry, GError **error)
{
  Element element;
  guint64 id = 0;

  if (!next_element (self, &element, error))
    return FALSE;
  if (element.is_bucket || element.key_size != sizeof id)
    return damaged (error, 0, "there is something else than entries");
  if (!clip_read_exactly (self->fd, &id, sizeof id, element.key, error))
    return FALSE;
  id = GUINT64_FROM_BE (id);
  if (id > G_MAXINT64 / 2)
    return damaged (error, 0, "an id is too large");
  if ((gint64) id <= self->previous)
    return damaged (error, 0, "its ids do not grow");
  self->n_bytes += element.value_size;
  if (self->n_bytes > self->n_pages * self->meta.page_size)
    return damaged (error, 0, "its entries overlap");
  self->previous = (gint64) id;
  self->last_id = MAX (self->last_id, self->previous);
  *out_entry = (ClipBoltEntry){ .id = self->previous,
                                .offset = element.value,
                                .size = element.value_size };
  return TRUE;
}

/* the highest id that was ever given, once clip_bolt_next() has come to the end; ids go
 * on from there */
gint64
clip_bolt_last_id (const ClipBolt *self)
{
  return self->last_id;
}
