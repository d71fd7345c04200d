/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is on a page of a bbolt file. Nothing of it is believed: each number is held against
 * the file before anything is read by it, and everything is read, never mapped, so that a
 * file that somebody cuts meanwhile is an error and no signal.
 */
#include "clip-bolt-page.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC 0xED0CDAEDu
#define VERSION 2
#define MIN_PAGE_SIZE 1024u
#define MAX_PAGE_SIZE (64u * 1024)

/* the first two pages hold the two descriptions of the file, in turn */
#define FIRST_PAGE 2

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
  guint32 overflow;
} Header;

typedef struct
{
  guint32 magic;
  guint32 version;
  guint32 page_size;
  guint32 flags;
  guint64 root;
  guint64 sequence;
  guint64 freelist;
  guint64 end;
  guint64 transaction;
  guint64 checksum;
} Meta;

typedef struct
{
  guint32 flags;
  guint32 at; /* from the element on */
  guint32 key_size;
  guint32 value_size;
} Leaf;

typedef struct
{
  guint32 at;
  guint32 key_size;
  guint64 page;
} Branch;

G_STATIC_ASSERT (sizeof (Header) == 16 && sizeof (Meta) == 64);
G_STATIC_ASSERT (sizeof (Leaf) == 16 && sizeof (Branch) == 16);

/* sets the error; FALSE */
gboolean
clip_bolt_file_damaged (GError **error, guint64 page, const char *what)
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

/**
 * clip_bolt_file_init:
 * @fd: outlives @self
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
gboolean
clip_bolt_file_init (ClipBoltFile *self, int fd, GError **error)
{
  struct stat status;
  Meta meta;

  if (fstat (fd, &status) < 0)
    return clip_set_errno (error, errno, "look at it");
  if (!find_meta (fd, &meta))
    return clip_bolt_file_damaged (error, 0, "neither description of the file is whole");
  *self = (ClipBoltFile){ .fd = fd,
                          .size = status.st_size,
                          .page_size = meta.page_size,
                          .end = meta.end,
                          .root = meta.root };
  return TRUE;
}

static gboolean
read_head (ClipBoltPage *self, const ClipBoltFile *file, guint64 number, GError **error)
{
  gsize length = (gsize) MIN (self->length, file->page_size);
  g_autofree guint8 *bytes = g_malloc (length);
  Header header;

  if (!clip_read_exactly (file->fd, bytes, length, self->offset, error))
    return FALSE;
  memcpy (&header, bytes, sizeof header);
  if (header.flags != FLAG_BRANCH && header.flags != FLAG_LEAF)
    return clip_bolt_file_damaged (error, number, "neither branch nor leaf");
  if ((header.count + 1) * sizeof (Leaf) > self->length)
    return clip_bolt_file_damaged (error, number, "more elements than it has room for");
  self->is_branch = header.flags == FLAG_BRANCH;
  self->count = header.count;
  self->head = g_bytes_new_take (g_steal_pointer (&bytes), length);
  return TRUE;
}

static gboolean
check_header (const ClipBoltFile *file,
              const Header *header,
              guint64 number,
              GError **error)
{
  if (header->number != number)
    return clip_bolt_file_damaged (error, number, "it says that it is another page");
  if (header->overflow >= file->end - number ||
      (number + header->overflow + 1) > (guint64) file->size / file->page_size)
    return clip_bolt_file_damaged (error, number, "it goes on behind the file's end");
  return TRUE;
}

/**
 * clip_bolt_page_load:
 * @self: (out): to be cleared
 *
 * No page comes twice in a tree, so a walk that visits more pages than the file has goes in
 * a circle.
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
gboolean
clip_bolt_page_load (ClipBoltPage *self,
                     ClipBoltFile *file,
                     guint64 number,
                     GError **error)
{
  Header header;

  if (number < FIRST_PAGE || number >= file->end ||
      number >= (guint64) file->size / file->page_size)
    return clip_bolt_file_damaged (error, number, "there is no such page");
  if (++file->n_visits > (guint64) file->size / file->page_size)
    return clip_bolt_file_damaged (error, number, "its tree goes in a circle");
  *self = (ClipBoltPage){ .offset = (goffset) (number * file->page_size) };
  if (!clip_read_exactly (file->fd, &header, sizeof header, self->offset, error) ||
      !check_header (file, &header, number, error))
    return FALSE;
  self->length = (header.overflow + (guint64) 1) * file->page_size;
  return read_head (self, file, number, error);
}

/* a bucket that lies, as a page without a number, in the value at @offset. Errors: as
 * clip_bolt_page_load(). */
gboolean
clip_bolt_page_load_inline (ClipBoltPage *self,
                            ClipBoltFile *file,
                            goffset offset,
                            guint64 length,
                            GError **error)
{
  *self = (ClipBoltPage){ .offset = offset, .length = length };
  if (length < sizeof (Header))
    return clip_bolt_file_damaged (error, 0, "a bucket is too short to be one");
  if (!read_head (self, file, 0, error))
    return FALSE;
  if (!self->is_branch)
    return TRUE;
  clip_bolt_page_clear (self);
  return clip_bolt_file_damaged (error, 0, "a bucket without pages has a branch");
}

/* @at: within the page, as is what follows */
gboolean
clip_bolt_page_read (const ClipBoltPage *self,
                     const ClipBoltFile *file,
                     guint64 at,
                     void *into,
                     gsize length,
                     GError **error)
{
  gsize head_length;
  const guint8 *head = g_bytes_get_data (self->head, &head_length);

  if (at + length > head_length)
    return clip_read_exactly (file->fd, into, length, self->offset + (goffset) at, error);
  memcpy (into, head + at, length);
  return TRUE;
}

static gboolean
has_room (const ClipBoltPage *self, guint64 at, guint64 length, GError **error)
{
  return (at <= self->length && length <= self->length - at) ||
         clip_bolt_file_damaged (error, (guint64) self->offset,
                                 "an element lies outside of its page");
}

/**
 * clip_bolt_page_element:
 * @index: below the page's count
 * @out_element: (out): key and value lie within the page
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
gboolean
clip_bolt_page_element (const ClipBoltPage *self,
                        const ClipBoltFile *file,
                        guint index,
                        ClipBoltElement *out_element,
                        GError **error)
{
  guint64 at = sizeof (Header) + index * (guint64) sizeof (Leaf);
  Branch branch;
  Leaf leaf;

  if (self->is_branch)
    {
      if (!clip_bolt_page_read (self, file, at, &branch, sizeof branch, error))
        return FALSE;
      *out_element = (ClipBoltElement){ .page = branch.page };
      return TRUE;
    }
  if (!clip_bolt_page_read (self, file, at, &leaf, sizeof leaf, error))
    return FALSE;
  *out_element = (ClipBoltElement){ .is_bucket = leaf.flags != 0,
                                    .key_at = at + leaf.at,
                                    .key_size = leaf.key_size,
                                    .value_at = at + leaf.at + leaf.key_size,
                                    .value_size = leaf.value_size };
  return has_room (self, out_element->key_at, leaf.key_size + (guint64) leaf.value_size,
                   error);
}

void
clip_bolt_page_clear (ClipBoltPage *self)
{
  g_clear_pointer (&self->head, g_bytes_unref);
}
