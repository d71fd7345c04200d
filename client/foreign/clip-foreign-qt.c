/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A QDataStream: numbers with their highest byte first, everything that has a length behind
 * that length. It is believed no further than the bytes go that are there.
 */
#include "clip-foreign-qt.h"

#include "clip-error.h"
#include "clip-foreign-file.h"

#include <string.h>

/* in the place of a length: there is nothing, which is not the same as nothing in it */
#define NULL_LENGTH G_MAXUINT32

gboolean
clip_foreign_qt_u8 (ClipForeignBytes *bytes, guint8 *out, GError **error)
{
  return clip_foreign_bytes_read (bytes, out, sizeof *out, error);
}

gboolean
clip_foreign_qt_u32 (ClipForeignBytes *bytes, guint32 *out, GError **error)
{
  guint32 raw;

  if (!clip_foreign_bytes_read (bytes, &raw, sizeof raw, error))
    return FALSE;
  *out = GUINT32_FROM_BE (raw);
  return TRUE;
}

/**
 * clip_foreign_qt_count:
 * @each: the least bytes that one of them takes
 *
 * How many of something follow. Errors: %CLIP_ERROR_CORRUPT where there is no room for them.
 */
gboolean
clip_foreign_qt_count (ClipForeignBytes *bytes, guint each, guint32 *out, GError **error)
{
  goffset at = bytes->at;

  if (!clip_foreign_qt_u32 (bytes, out, error))
    return FALSE;
  return (guint64) *out * each <= (guint64) (bytes->end - bytes->at) ||
         clip_foreign_damaged (error, at, "there are not as many as it says");
}

/* something with a length, which is passed over */
gboolean
clip_foreign_qt_span (ClipForeignBytes *bytes, ClipForeignSpan *out, GError **error)
{
  guint32 length;

  if (!clip_foreign_qt_u32 (bytes, &length, error))
    return FALSE;
  out->at = bytes->at;
  out->size = length == NULL_LENGTH ? 0 : (goffset) length;
  return clip_foreign_bytes_pass (bytes, (guint64) out->size, error);
}

static gboolean
enter_span (ClipForeignBytes *bytes, gsize limit, ClipForeignSpan *out, GError **error)
{
  goffset at = bytes->at;

  if (!clip_foreign_qt_span (bytes, out, error))
    return FALSE;
  if ((guint64) out->size > limit)
    return clip_foreign_damaged (error, at, "it is too long");
  clip_foreign_bytes_seek (bytes, out->at);
  return TRUE;
}

/* a QByteArray of @limit bytes at most */
GBytes *
clip_foreign_qt_bytes (ClipForeignBytes *bytes, gsize limit, GError **error)
{
  g_autofree char *data = NULL;
  ClipForeignSpan span;

  if (!enter_span (bytes, limit, &span, error))
    return NULL;
  data = g_malloc ((gsize) span.size);
  if (!clip_foreign_bytes_read (bytes, data, (gsize) span.size, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), (gsize) span.size);
}

/* half of a pair without the other half becomes U+FFFD, as Qt has it */
static GBytes *
to_utf8 (const guint16 *units, gsize n)
{
  GString *text = g_string_sized_new (n + n / 2 + 1);

  for (gsize i = 0; i < n; i++)
    {
      gunichar c = GUINT16_FROM_BE (units[i]);
      gunichar next = i + 1 < n ? GUINT16_FROM_BE (units[i + 1]) : 0;

      if (c >= 0xD800 && c < 0xDC00 && next >= 0xDC00 && next < 0xE000)
        {
          c = 0x10000 + ((c - 0xD800) << 10) + (next - 0xDC00);
          i++;
        }
      else if (c >= 0xD800 && c < 0xE000)
        c = 0xFFFD;
      g_string_append_unichar (text, c);
    }
  return g_string_free_to_bytes (text);
}

/**
 * clip_foreign_qt_text:
 * @limit: the most bytes that it may take as UTF-16
 *
 * Returns: (transfer full) (nullable): a QString as UTF-8; %NULL with the error set
 */
GBytes *
clip_foreign_qt_text (ClipForeignBytes *bytes, gsize limit, GError **error)
{
  goffset at = bytes->at;
  g_autoptr (GBytes) raw = clip_foreign_qt_bytes (bytes, limit, error);
  gsize length;
  const void *data;

  if (!raw)
    return NULL;
  data = g_bytes_get_data (raw, &length);
  if (length % sizeof (guint16) == 0)
    return to_utf8 (data, length / sizeof (guint16));
  clip_foreign_damaged (error, at, "a text is cut within a character");
  return NULL;
}

/* one that is a name: what stands behind a NUL in it is lost */
char *
clip_foreign_qt_name (ClipForeignBytes *bytes, gsize limit, GError **error)
{
  g_autoptr (GBytes) text = clip_foreign_qt_text (bytes, limit, error);
  gsize length;
  const char *data = text ? g_bytes_get_data (text, &length) : NULL;

  return text ? g_strndup (data ? data : "", length) : NULL;
}

/* what has the same length each time; 0 = a type that nobody needed yet */
static guint
fixed_size (guint32 type)
{
  static const guint8 sizes[] = {
    [1] = 1,   /* bool */
    [2] = 4,   /* int */
    [3] = 4,   /* unsigned int */
    [4] = 8,   /* long long */
    [5] = 8,   /* unsigned long long */
    [6] = 8,   /* double */
    [7] = 2,   /* QChar */
    [19] = 16, /* QRect */
    [21] = 8,  /* QSize */
    [25] = 8,  /* QPoint */
  };

  return type < G_N_ELEMENTS (sizes) ? sizes[type] : 0;
}

static gboolean
pass_strings (ClipForeignBytes *bytes, GError **error)
{
  ClipForeignSpan span;
  guint32 n;

  if (!clip_foreign_qt_count (bytes, sizeof (guint32), &n, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    if (!clip_foreign_qt_span (bytes, &span, error))
      return FALSE;
  return TRUE;
}

/**
 * clip_foreign_qt_pass_value:
 * @type: of a QVariant that is no map, list or hash, and whose value comes now
 *
 * Errors: %CLIP_ERROR_CORRUPT, also for a type that is not known, since its length is not
 */
gboolean
clip_foreign_qt_pass_value (ClipForeignBytes *bytes, guint32 type, GError **error)
{
  ClipForeignSpan span;
  guint size = fixed_size (type);

  if (type == CLIP_QT_STRING || type == CLIP_QT_BYTES)
    return clip_foreign_qt_span (bytes, &span, error);
  if (type == CLIP_QT_STRINGS)
    return pass_strings (bytes, error);
  if (size > 0)
    return clip_foreign_bytes_pass (bytes, size, error);
  return clip_foreign_damaged (error, bytes->at,
                               "a value is of type %u, which is not known", type);
}
