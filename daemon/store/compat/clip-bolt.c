/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The existing tool keeps its entries in one bucket of a bbolt file: the key is the id, as
 * eight bytes, the highest first, the value is the clip. A bucket is a tree of pages, and
 * lies, under its name, in the tree of buckets. Ids that do not grow are damage: so no leaf
 * can come twice.
 */
#include "clip-bolt.h"

#include "clip-bolt-page.h"
#include "clip-error.h"

#include <string.h>

#define BUCKET_NAME "b"

/* with two elements on a page that is more than a file can have */
#define MAX_DEPTH 64

/* what a bucket's value begins with */
typedef struct
{
  guint64 root; /* 0 = the bucket follows */
  guint64 sequence;
} Bucket;

G_STATIC_ASSERT (sizeof (Bucket) == 16);

struct ClipBolt
{
  ClipBoltFile file;
  GArray *pages;   /* ClipBoltPage, from the root down */
  gint64 last_id;  /* that was ever given */
  gint64 previous; /* the id of the last entry */
};

/* whether there is a bbolt file, be it damaged */
gboolean
clip_bolt_is_one (int fd)
{
  ClipBoltFile file;

  return clip_bolt_file_init (&file, fd, NULL);
}

static ClipBoltPage *
top (ClipBolt *self)
{
  return &g_array_index (self->pages, ClipBoltPage, self->pages->len - 1);
}

static gboolean
enter (ClipBolt *self, guint64 number, GError **error)
{
  ClipBoltPage page;

  if (self->pages->len == MAX_DEPTH)
    return clip_bolt_file_damaged (error, number, "its tree is too deep");
  if (!clip_bolt_page_load (&page, &self->file, number, error))
    return FALSE;
  g_array_append_val (self->pages, page);
  return TRUE;
}

/* the next element of a leaf; TRUE = there is one, FALSE = the end, or the error is set */
static gboolean
next_element (ClipBolt *self, ClipBoltElement *out_element, GError **error)
{
  while (self->pages->len > 0)
    {
      ClipBoltPage *page = top (self);

      if (page->next == page->count)
        {
          g_array_set_size (self->pages, self->pages->len - 1);
          continue;
        }
      if (!clip_bolt_page_element (page, &self->file, page->next++, out_element, error))
        return FALSE;
      if (!page->is_branch)
        return TRUE;
      if (!enter (self, out_element->page, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
is_our_bucket (ClipBolt *self, const ClipBoltElement *element, GError **error)
{
  char name[sizeof BUCKET_NAME - 1];

  return element->is_bucket && element->key_size == sizeof name &&
         element->value_size >= sizeof (Bucket) &&
         clip_bolt_page_read (top (self), &self->file, element->key_at, name, sizeof name,
                              error) &&
         memcmp (name, BUCKET_NAME, sizeof name) == 0;
}

/* from now on the entries are what is walked */
static gboolean
enter_bucket (ClipBolt *self, const ClipBoltElement *element, GError **error)
{
  goffset offset = top (self)->offset + (goffset) element->value_at;
  ClipBoltPage page;
  Bucket bucket;

  if (!clip_bolt_page_read (top (self), &self->file, element->value_at, &bucket,
                            sizeof bucket, error))
    return FALSE;
  if (bucket.sequence > G_MAXINT64 / 2)
    return clip_bolt_file_damaged (error, 0, "its ids have come to an end");
  self->last_id = (gint64) bucket.sequence;
  g_array_set_size (self->pages, 0);
  if (bucket.root != 0)
    return enter (self, bucket.root, error);
  if (!clip_bolt_page_load_inline (&page, &self->file, offset + (goffset) sizeof bucket,
                                   element->value_size - sizeof bucket, error))
    return FALSE;
  g_array_append_val (self->pages, page);
  return TRUE;
}

/* a file without any bucket is one that the tool had just begun */
static gboolean
find_bucket (ClipBolt *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  ClipBoltElement element;
  gboolean has_others = FALSE;

  if (!enter (self, self->file.root, error))
    return FALSE;
  while (next_element (self, &element, &local))
    {
      if (is_our_bucket (self, &element, &local))
        return enter_bucket (self, &element, error);
      if (local)
        break;
      has_others = TRUE;
    }
  if (has_others && !local)
    g_set_error (&local, CLIP_ERROR, CLIP_ERROR_CORRUPT,
                 "of another program: there is no bucket '" BUCKET_NAME "'");
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

  self->pages = g_array_new (FALSE, FALSE, sizeof (ClipBoltPage));
  g_array_set_clear_func (self->pages, (GDestroyNotify) clip_bolt_page_clear);
  if (!clip_bolt_file_init (&self->file, fd, error) || !find_bucket (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
clip_bolt_free (ClipBolt *self)
{
  if (!self)
    return;
  g_array_unref (self->pages);
  g_free (self);
}

static gboolean
read_id (ClipBolt *self, const ClipBoltElement *element, gint64 *out_id, GError **error)
{
  const char *fault = NULL;
  guint64 id = 0;

  if (element->is_bucket || element->key_size != sizeof id)
    return clip_bolt_file_damaged (error, 0, "there is something else than entries");
  if (!clip_bolt_page_read (top (self), &self->file, element->key_at, &id, sizeof id,
                            error))
    return FALSE;
  id = GUINT64_FROM_BE (id);
  if (id > G_MAXINT64 / 2)
    fault = "an id is too large";
  else if ((gint64) id <= self->previous)
    fault = "its ids do not grow";
  *out_id = (gint64) id;
  return !fault || clip_bolt_file_damaged (error, 0, fault);
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
  ClipBoltElement element;
  gint64 id = 0;

  if (!next_element (self, &element, error) || !read_id (self, &element, &id, error))
    return FALSE;
  self->previous = id;
  self->last_id = MAX (self->last_id, id);
  *out_entry = (ClipBoltEntry){ .id = id,
                                .offset = top (self)->offset + (goffset) element.value_at,
                                .size = element.value_size };
  return TRUE;
}

/* the highest id that was ever given, once clip_bolt_next() has come to the end; ids go on
 * from there */
gint64
clip_bolt_last_id (const ClipBolt *self)
{
  return self->last_id;
}
