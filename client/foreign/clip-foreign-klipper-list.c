/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Klipper before Plasma 6.3: history2.lst, a checksum and a QDataStream, the newest item
 * first. What is copied is a text, a list of files, or an image, which Qt has made a PNG of.
 */
#include "clip-fd.h"
#include "clip-foreign-bytes.h"
#include "clip-foreign-format.h"
#include "clip-foreign-parts.h"
#include "clip-foreign-qt.h"
#include "clip-mime.h"

#include <string.h>
#include <zlib.h>

#define NAME_BYTES 64
#define MAX_URL_BYTES (1024 * 1024)
#define CUT "application/x-kde-cutselection"

static const guint8 png_begin[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n' };

typedef struct
{
  const ClipForeignFile *file;
  ClipForeignBytes bytes;
  ClipForeignParts items;
  gboolean is_cut; /* it ends before it should */
} List;

/* a checksum, how many bytes follow, and then the version of Klipper: its length, digits and
 * dots, a NUL */
static gboolean
is_one (const ClipForeignFile *file)
{
  const char *length = file->head + 8;
  guint n = file->head_length > 12 && memcmp (length, "\0\0\0", 3) == 0
                ? (guchar) length[3]
                : 0;
  const char *version = length + 4;

  if (n < 2 || n > NAME_BYTES || file->head_length < 12 + n || version[n - 1] != '\0')
    return FALSE;
  return strspn (version, "0123456789.") == n - 1;
}

static gboolean
check_sum (const List *self, guint32 expected, GError **error)
{
  g_auto (ClipForeignBytes) bytes = { 0 };
  uLong sum = crc32 (0, NULL, 0);
  const guint8 *piece;
  gsize length;

  clip_foreign_bytes_init (&bytes, self->file->fd, self->bytes.at, self->bytes.end);
  while (clip_foreign_bytes_peek (&bytes, &piece, &length, error))
    {
      if (length == 0)
        return (guint32) sum == expected ||
               clip_foreign_damaged (error, 0, "its checksum is not that of its bytes");
      sum = crc32 (sum, piece, (uInt) length);
      bytes.at += (goffset) length;
    }
  return FALSE;
}

/* an image is written as it is, without its length: PNG says itself where it ends */
static gboolean
pass_png (ClipForeignBytes *bytes, GError **error)
{
  goffset at = bytes->at;
  guint8 begin[sizeof png_begin];
  char type[4] = "";
  guint32 length;

  if (!clip_foreign_bytes_read (bytes, begin, sizeof begin, error))
    return FALSE;
  if (memcmp (begin, png_begin, sizeof begin) != 0)
    return clip_foreign_damaged (error, at, "an image is no PNG");
  while (memcmp (type, "IEND", sizeof type) != 0)
    if (!clip_foreign_qt_u32 (bytes, &length, error) ||
        !clip_foreign_bytes_read (bytes, type, sizeof type, error) ||
        !clip_foreign_bytes_pass (bytes, (guint64) length + 4, error))
      return FALSE;
  return TRUE;
}

/* in @entry, or passed over where that is NULL */
static gboolean
read_image (ClipForeignBytes *bytes, ClipForeignEntry *entry, GError **error)
{
  guint32 is_there;
  goffset at;

  if (!clip_foreign_qt_u32 (bytes, &is_there, error))
    return FALSE;
  at = bytes->at;
  if (!is_there)
    return TRUE;
  return pass_png (bytes, error) &&
         (!entry || clip_foreign_entry_add_range (entry, "image/png", bytes->fd, at,
                                                  bytes->at - at, error));
}

static gboolean
read_string (ClipForeignBytes *bytes, ClipForeignEntry *entry, GError **error)
{
  ClipForeignSpan span;
  GBytes *text;

  if (!entry)
    return clip_foreign_qt_span (bytes, &span, error);
  text = clip_foreign_qt_text (bytes, G_MAXUINT32, error);
  if (text)
    clip_foreign_entry_add_bytes (entry, CLIP_MIME_TEXT, text);
  return text != NULL;
}

static gboolean
read_urls (ClipForeignBytes *bytes, GString *list, GError **error)
{
  guint32 n;

  if (!clip_foreign_qt_count (bytes, sizeof (guint32), &n, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      g_autoptr (GBytes) url = clip_foreign_qt_bytes (bytes, MAX_URL_BYTES, error);
      gsize length;
      const char *data;

      if (!url)
        return FALSE;
      data = g_bytes_get_data (url, &length);
      g_string_append_len (list, data, (gssize) length);
      g_string_append (list, "\r\n");
    }
  return TRUE;
}

/* a QMap of texts, which other programs than KDE's would not understand */
static gboolean
pass_metadata (ClipForeignBytes *bytes, GError **error)
{
  ClipForeignSpan span;
  guint32 n;

  if (!clip_foreign_qt_count (bytes, 2 * sizeof (guint32), &n, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    if (!clip_foreign_qt_span (bytes, &span, error) ||
        !clip_foreign_qt_span (bytes, &span, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_files (ClipForeignBytes *bytes, ClipForeignEntry *entry, GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint32 is_cut;

  if (!read_urls (bytes, list, error) || !pass_metadata (bytes, error) ||
      !clip_foreign_qt_u32 (bytes, &is_cut, error))
    return FALSE;
  if (!entry)
    return TRUE;
  clip_foreign_entry_add_text (entry, CLIP_MIME_URI_LIST, list->str);
  clip_foreign_entry_add_text (entry, CUT, is_cut ? "1" : "0");
  return TRUE;
}

static gboolean
read_item (ClipForeignBytes *bytes, ClipForeignEntry *entry, GError **error)
{
  goffset at = bytes->at;
  g_autofree char *kind = clip_foreign_qt_name (bytes, NAME_BYTES, error);

  if (!kind)
    return FALSE;
  if (g_str_equal (kind, "string"))
    return read_string (bytes, entry, error);
  if (g_str_equal (kind, "url"))
    return read_files (bytes, entry, error);
  if (g_str_equal (kind, "image"))
    return read_image (bytes, entry, error);
  return clip_foreign_damaged (error, at, "there is something else than an item");
}

static gboolean
find_items (List *self, GError **error)
{
  while (self->bytes.at < self->bytes.end)
    {
      goffset at = self->bytes.at;

      if (!read_item (&self->bytes, NULL, error))
        return FALSE;
      clip_foreign_parts_add (&self->items, at, self->bytes.at);
    }
  return !self->is_cut || clip_foreign_damaged (error, self->bytes.at, "it breaks off");
}

/* what a longer file was cut off from is still of use; what has other bytes than it was
 * written with is not */
static gboolean
begin (List *self, GError **error)
{
  ClipForeignSpan version;
  guint32 sum;
  guint32 length;
  goffset there;

  if (!clip_foreign_qt_u32 (&self->bytes, &sum, error) ||
      !clip_foreign_qt_u32 (&self->bytes, &length, error))
    return FALSE;
  there = self->bytes.end - self->bytes.at;
  self->is_cut = (goffset) length > there;
  self->bytes.end = self->bytes.at + MIN ((goffset) length, there);
  return (self->is_cut || check_sum (self, sum, error)) &&
         clip_foreign_qt_span (&self->bytes, &version, error);
}

static void
list_close (gpointer reader)
{
  List *self = reader;

  clip_foreign_bytes_clear (&self->bytes);
  clip_foreign_parts_clear (&self->items);
  g_free (self);
}

static gpointer
list_open (const ClipForeignFile *file, GError **error)
{
  List *self = g_new0 (List, 1);

  self->file = file;
  clip_foreign_parts_init (&self->items);
  clip_foreign_bytes_init (&self->bytes, file->fd, 0, file->size);
  if (!begin (self, error))
    {
      list_close (self);
      return NULL;
    }
  find_items (self, &self->items.fault);
  return self;
}

static ClipForeignEntry *
list_next (gpointer reader, GError **error)
{
  List *self = reader;
  g_autoptr (ClipForeignEntry) entry = NULL;
  ClipForeignPart part;

  if (!clip_foreign_parts_take (&self->items, &part, error))
    return NULL;
  entry = clip_foreign_entry_new (self->file->changed_us);
  clip_foreign_bytes_seek (&self->bytes, part.at);
  return read_item (&self->bytes, entry, error) ? g_steal_pointer (&entry) : NULL;
}

const ClipForeignFormat clip_foreign_klipper_list = {
  .name = "klipper",
  .title = "Klipper",
  .pattern = "history2.lst",
  .is_one = is_one,
  .open = list_open,
  .next = list_next,
  .close = list_close,
};
