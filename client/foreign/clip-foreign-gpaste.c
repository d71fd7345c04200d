/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * GPaste's history: an XML file, the newest item first, and a folder of images beside it. It
 * is read twice: once to see where each item lies, and then item by item from the last one on,
 * so that only one of them is ever in memory. GMarkup does not say at which byte it is; but it
 * gets the file in pieces that end with a `>`, as every tag does, and so it is known.
 */
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-foreign-bytes.h"
#include "clip-foreign-format.h"
#include "clip-foreign-gpaste-item.h"
#include "clip-foreign-parts.h"

#include <string.h>

/* far more than GPaste keeps of a text */
#define MAX_ITEM_BYTES (1024 * 1024 * 1024)

typedef struct
{
  const ClipForeignFile *file;
  ClipForeignParts items;
  GpasteVersion version;
  guint depth;  /* of the elements that are open */
  goffset at;   /* of the file: what the parser has */
  goffset last; /* where the last item ended, or where they begin */
} Gpaste;

/* <history version="…"> is the first element, whatever stands before it */
static gboolean
is_one (const ClipForeignFile *file)
{
  g_autofree char *head = g_strndup (file->head, file->head_length);
  const char *first = strstr (head, "<history");

  return *head == '<' && first && strstr (first, "version=") &&
         (strstr (head, "<?xml") || first == head);
}

static void
on_start (GMarkupParseContext *context G_GNUC_UNUSED,
          const char *element,
          const char **names,
          const char **values,
          gpointer user_data,
          GError **error)
{
  Gpaste *self = user_data;

  if (self->depth == 0)
    {
      self->version = gpaste_version_of (element, names, values);
      self->last = self->at;
      if (self->version == GPASTE_UNKNOWN)
        g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT,
                             "it is of a version that is not known");
    }
  self->depth++;
}

static void
on_end (GMarkupParseContext *context G_GNUC_UNUSED,
        const char *element G_GNUC_UNUSED,
        gpointer user_data,
        GError **error G_GNUC_UNUSED)
{
  Gpaste *self = user_data;

  self->depth--;
  if (self->depth != 1)
    return;
  clip_foreign_parts_add (&self->items, self->last, self->at);
  self->last = self->at;
}

/* up to the next `>`, or as much as there is at once; FALSE at the end, and where the error is
 * set */
static gboolean
feed (Gpaste *self, GMarkupParseContext *context, ClipForeignBytes *bytes, GError **error)
{
  const guint8 *piece;
  const guint8 *end;
  gsize length;

  if (!clip_foreign_bytes_peek (bytes, &piece, &length, error) || length == 0)
    return FALSE;
  end = memchr (piece, '>', length);
  if (end)
    length = (gsize) (end - piece) + 1;
  bytes->at += (goffset) length;
  self->at = bytes->at;
  if (self->at - self->last > MAX_ITEM_BYTES)
    return clip_foreign_damaged (error, self->last, "an item is too large");
  return g_markup_parse_context_parse (context, (const char *) piece, (gssize) length,
                                       error);
}

/* @error: of the parser, whose words quote what somebody copied */
static void
say_where (GError **error, goffset at)
{
  const char *what = "it is malformed";

  if ((*error)->domain != G_MARKUP_ERROR)
    return;
  if ((*error)->code == G_MARKUP_ERROR_BAD_UTF8)
    what = "it is not UTF-8";
  else if ((*error)->code == G_MARKUP_ERROR_INVALID_CONTENT)
    what = "it is of a version that is not known";
  g_clear_error (error);
  clip_foreign_damaged (error, at, "%s", what);
}

static void
find_items (Gpaste *self)
{
  static const GMarkupParser parser = { .start_element = on_start,
                                        .end_element = on_end };
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, self, NULL);
  g_auto (ClipForeignBytes) bytes = { 0 };

  clip_foreign_bytes_init (&bytes, self->file->fd, 0, self->file->size);
  while (feed (self, context, &bytes, &self->items.fault))
    continue;
  if (self->items.fault)
    say_where (&self->items.fault, self->at);
  else if (!g_markup_parse_context_end_parse (context, NULL) ||
           self->version == GPASTE_UNKNOWN)
    clip_foreign_damaged (&self->items.fault, self->at, "it breaks off");
}

static void
gpaste_close (gpointer reader)
{
  Gpaste *self = reader;

  clip_foreign_parts_clear (&self->items);
  g_free (self);
}

static gpointer
gpaste_open (const ClipForeignFile *file, GError **error)
{
  Gpaste *self = g_new0 (Gpaste, 1);

  self->file = file;
  clip_foreign_parts_init (&self->items);
  find_items (self);
  if (self->items.parts->len > 0 || !self->items.fault)
    return self;
  g_propagate_error (error, g_steal_pointer (&self->items.fault));
  gpaste_close (self);
  return NULL;
}

static ClipForeignEntry *
gpaste_next (gpointer reader, GError **error)
{
  Gpaste *self = reader;
  g_autofree char *text = NULL;
  ClipForeignEntry *entry;
  ClipForeignPart part;
  gsize length;

  if (!clip_foreign_parts_take (&self->items, &part, error))
    return NULL;
  length = (gsize) (part.end - part.at);
  text = g_malloc (length);
  if (!clip_read_exactly (self->file->fd, text, length, part.at, error))
    return NULL;
  entry = gpaste_item_read (self->file, self->version, text, length);
  if (!entry)
    clip_foreign_damaged (error, part.at, "there is something else than an item");
  return entry;
}

const ClipForeignFormat clip_foreign_gpaste = {
  .name = "gpaste",
  .title = "GPaste",
  .pattern = "*.xml",
  .is_one = is_one,
  .open = gpaste_open,
  .next = gpaste_next,
  .close = gpaste_close,
};
