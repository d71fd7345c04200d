/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An item is a map of types and bytes. What CopyQ itself remembers of it (tags, a note, that
 * it is pinned) stands among them, under types of its own.
 */
#include "clip-foreign-copyq-item.h"

#include "clip-foreign-qt.h"

#include <string.h>
#include <zlib.h>

#define MIME_BYTES 4096
#define MAX_REMARK_BYTES (64 * 1024)
#define MAX_INFLATED_BYTES (256 * 1024 * 1024)

/* more than that is not to be had from a byte */
#define MAX_INFLATION 1040

/* what is up to this size is kept in memory */
#define SMALL_BYTES (64 * 1024)

#define FILE_PREFIX "FILE:"
#define OWN_PREFIX "application/x-copyq-"
#define TAGS OWN_PREFIX "tags"
#define PINNED OWN_PREFIX "item-pinned"
#define SECRET OWN_PREFIX "secret"
#define NOTES OWN_PREFIX "item-notes"

/* the beginning of a type is one digit, of 16 */
static const char *const beginnings[] = {
  "",
  OWN_PREFIX "owner-window-title",
  NOTES,
  OWN_PREFIX,
  "text/plain",
  "text/html",
  "text/uri-list",
  "image/",
  "text/",
  "application/",
  "audio/",
  "video/",
};

typedef struct
{
  const ClipForeignFile *file;
  ClipForeignBytes *bytes;
  ClipForeignEntry *entry; /* NULL: it is only passed over */
} Item;

/* of a number of bytes, the highest of which comes first, and a stream of zlib */
static GBytes *
inflate_span (Item *self, const ClipForeignSpan *span, GError **error)
{
  g_autoptr (GBytes) packed = NULL;
  g_autofree guint8 *data = NULL;
  const guint8 *from;
  uLongf length;
  guint32 size;
  gsize n;

  clip_foreign_bytes_seek (self->bytes, span->at - (goffset) sizeof size);
  packed = clip_foreign_qt_bytes (self->bytes, MAX_INFLATED_BYTES, error);
  from = packed ? g_bytes_get_data (packed, &n) : NULL;
  if (!packed)
    return NULL;
  if (n == 0) /* as the oldest version has what is empty */
    return g_steal_pointer (&packed);
  memcpy (&size, from, MIN (n, sizeof size));
  length = n < sizeof size ? 0 : GUINT32_FROM_BE (size);
  if (n > sizeof size && length <= MAX_INFLATED_BYTES && length / MAX_INFLATION <= n)
    data = g_malloc (length);
  if (data &&
      uncompress (data, &length, from + sizeof size, (uLong) (n - sizeof size)) == Z_OK)
    return g_bytes_new_take (g_steal_pointer (&data), length);
  clip_foreign_damaged (error, span->at, "what is compressed cannot be read");
  return NULL;
}

static GBytes *
load_span (Item *self, const ClipForeignSpan *span, gsize limit, GError **error)
{
  clip_foreign_bytes_seek (self->bytes, span->at - (goffset) sizeof (guint32));
  return clip_foreign_qt_bytes (self->bytes, limit, error);
}

/* one name a hash with three slashes in it; nothing else is looked for */
static const char *
data_name (const char *path, gsize length)
{
  static const char form[] = "xxxxxxxxxxxxxxxx/xxxxxxxxxxxxxxxx/xxxxxxxxxxxxxxxx/"
                             "xxxxxxxxxxxxxxxx.dat";
  const char *name = length > strlen (form) ? path + length - strlen (form) : NULL;

  for (gsize i = 0; name && form[i]; i++)
    if (form[i] == 'x' ? !g_ascii_isxdigit (name[i]) : name[i] != form[i])
      return NULL;
  return name;
}

/* beside the tabs, where newer versions keep both, or where the item says */
static gboolean
add_file (Item *self, const char *mime, const ClipForeignSpan *span, GError **error)
{
  g_autoptr (GBytes) raw = load_span (self, span, MIME_BYTES, error);
  g_autofree char *path = NULL;
  g_autofree char *beside = NULL;
  const char *name;
  goffset size = 0;
  int fd = -1;

  if (!raw)
    return FALSE;
  path =
      g_strndup (span->size > 0 ? g_bytes_get_data (raw, NULL) : "", (gsize) span->size);
  name = data_name (path, strlen (path));
  beside = g_build_filename ("items", name ? name : "-", NULL);
  if (name)
    fd = clip_foreign_file_beside (self->file, beside, &size);
  if (name && fd < 0)
    fd = clip_foreign_file_beside (self->file, path, &size);
  if (fd < 0)
    self->entry->is_incomplete = TRUE;
  else
    clip_foreign_entry_add_part (self->entry, mime, fd, 0, size);
  return TRUE;
}

static gboolean
add_tags (Item *self, GBytes *list)
{
  gsize length;
  const char *data = g_bytes_get_data (list, &length);
  g_autofree char *text = g_strndup (data ? data : "", length);
  g_auto (GStrv) tags = g_strsplit (text, ",", -1);

  for (guint i = 0; tags[i]; i++)
    clip_foreign_entry_add_tag (self->entry, tags[i], -1);
  return TRUE;
}

/* what is not here means something to CopyQ only */
static gboolean
add_remark (Item *self, const char *mime, GBytes *value)
{
  if (g_str_equal (mime, TAGS))
    return add_tags (self, value);
  if (g_str_equal (mime, PINNED))
    self->entry->pinned = TRUE;
  else if (g_str_equal (mime, SECRET))
    self->entry->is_secret = TRUE;
  else if (g_str_equal (mime, NOTES) && g_bytes_get_size (value) > 0)
    clip_foreign_entry_add_note (self->entry, mime, g_bytes_ref (value));
  return TRUE;
}

static gboolean
add_value (Item *self,
           const char *mime,
           gboolean is_packed,
           const ClipForeignSpan *span,
           GError **error)
{
  gboolean is_own = g_str_has_prefix (mime, OWN_PREFIX);
  g_autoptr (GBytes) bytes = NULL;

  if (!is_packed && !is_own && span->size > SMALL_BYTES)
    return clip_foreign_entry_add_range (self->entry, mime, self->bytes->fd, span->at,
                                         span->size, error);
  if (is_own && span->size > MAX_REMARK_BYTES)
    return TRUE;
  bytes = is_packed ? inflate_span (self, span, error)
                    : load_span (self, span, SMALL_BYTES, error);
  if (!bytes)
    return FALSE;
  if (is_own)
    return add_remark (self, mime, bytes);
  clip_foreign_entry_add_bytes (self->entry, mime, g_steal_pointer (&bytes));
  return TRUE;
}

/* Returns: (transfer full) (nullable): %NULL with the error set */
static char *
read_mime (Item *self, GError **error)
{
  goffset at = self->bytes->at;
  g_autofree char *mime = clip_foreign_qt_name (self->bytes, MIME_BYTES, error);
  int beginning = mime ? g_ascii_xdigit_value (*mime) : -1;

  if (!mime)
    return NULL;
  if (beginning >= 0 && beginning < (int) G_N_ELEMENTS (beginnings))
    return g_strconcat (beginnings[beginning], mime + 1, NULL);
  clip_foreign_damaged (error, at, "a type begins with something else than a digit");
  return NULL;
}

static gboolean
read_value (Item *self, GError **error)
{
  g_autofree char *mime = read_mime (self, error);
  ClipForeignSpan span;
  guint8 is_packed;
  gboolean fine = TRUE;
  goffset end;

  if (!mime || !clip_foreign_qt_u8 (self->bytes, &is_packed, error) ||
      !clip_foreign_qt_span (self->bytes, &span, error))
    return FALSE;
  end = self->bytes->at;
  if (self->entry && g_str_has_prefix (mime, FILE_PREFIX))
    fine = add_file (self, mime + strlen (FILE_PREFIX), &span, error);
  else if (self->entry)
    fine = add_value (self, mime, is_packed, &span, error);
  clip_foreign_bytes_seek (self->bytes, end);
  return fine;
}

/* of the oldest version, where all is compressed */
static gboolean
read_old_value (Item *self, GError **error)
{
  g_autofree char *mime = clip_foreign_qt_name (self->bytes, MIME_BYTES, error);
  ClipForeignSpan span;
  gboolean fine = TRUE;
  goffset end;

  if (!mime || !clip_foreign_qt_span (self->bytes, &span, error))
    return FALSE;
  end = self->bytes->at;
  if (self->entry)
    fine = add_value (self, mime, TRUE, &span, error);
  clip_foreign_bytes_seek (self->bytes, end);
  return fine;
}

/**
 * copyq_item_read:
 * @bytes: at an item; behind it afterwards
 * @entry: (nullable): what it is added to
 *
 * Errors: %CLIP_ERROR_CORRUPT, %G_FILE_ERROR.
 */
gboolean
copyq_item_read (const ClipForeignFile *file,
                 ClipForeignBytes *bytes,
                 ClipForeignEntry *entry,
                 GError **error)
{
  Item self = { .file = file, .bytes = bytes, .entry = entry };
  goffset at = bytes->at;
  guint32 version;
  guint32 n;

  if (!clip_foreign_qt_u32 (bytes, &version, error))
    return FALSE;
  if (version == COPYQ_ENCRYPTED)
    return clip_foreign_damaged (error, at, "it is encrypted");
  if (version != COPYQ_VERSION_2)
    clip_foreign_bytes_seek (bytes, at); /* the number of values stands in its place */
  if (!clip_foreign_qt_count (bytes, 2 * sizeof (guint32), &n, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    if (!(version == COPYQ_VERSION_2 ? read_value (&self, error)
                                     : read_old_value (&self, error)))
      return FALSE;
  return TRUE;
}
