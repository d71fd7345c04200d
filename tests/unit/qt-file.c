/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "qt-file.h"

#include <string.h>
#include <zlib.h>

static const char *const names[QT_FILE_N_KINDS] = {
  "klipper", "copyq-tab", "copyq-2", "copyq-3", "copyq-4",
};

static void
content_free (gpointer content)
{
  QtContent *self = content;

  g_free (self->mime);
  g_bytes_unref (self->bytes);
  g_free (self);
}

QtFile *
qt_file_new (void)
{
  QtFile *self = g_new0 (QtFile, 1);

  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  return self;
}

void
qt_file_free (QtFile *self)
{
  g_ptr_array_unref (self->items);
  g_free (self);
}

void
qt_file_add_item (QtFile *self)
{
  g_ptr_array_add (self->items, g_ptr_array_new_with_free_func (content_free));
}

/* to the last item */
void
qt_file_add (QtFile *self, const char *mime, const void *data, gsize length)
{
  QtContent *content = g_new0 (QtContent, 1);

  content->mime = g_strdup (mime);
  content->bytes = g_bytes_new (data, length);
  g_ptr_array_add (self->items->pdata[self->items->len - 1], content);
}

gboolean
qt_file_kind_from_name (const char *name, QtFileKind *out_kind)
{
  for (guint i = 0; i < QT_FILE_N_KINDS; i++)
    if (g_str_equal (name, names[i]))
      {
        *out_kind = (QtFileKind) i;
        return TRUE;
      }
  return FALSE;
}

/* --- what a QDataStream has --- */

static void
append_u8 (GByteArray *out, guint8 value)
{
  g_byte_array_append (out, &value, 1);
}

static void
append_u32 (GByteArray *out, guint32 value)
{
  guint32 raw = GUINT32_TO_BE (value);

  g_byte_array_append (out, (const guint8 *) &raw, sizeof raw);
}

static void
append_bytes (GByteArray *out, const void *data, gsize length)
{
  append_u32 (out, (guint32) length);
  g_byte_array_append (out, data, (guint) length);
}

static void
append_string (GByteArray *out, const char *text)
{
  glong n;
  g_autofree guint16 *units = g_utf8_to_utf16 (text, -1, NULL, &n, NULL);

  for (glong i = 0; i < n; i++)
    units[i] = GUINT16_TO_BE (units[i]);
  append_bytes (out, units, (gsize) n * sizeof *units);
}

static const char *
text_of (const QtContent *content, gsize *out_length)
{
  const char *text = g_bytes_get_data (content->bytes, out_length);

  return text ? text : "";
}

static GByteArray *
pack (const void *data, gsize length)
{
  GByteArray *packed = g_byte_array_new ();
  uLongf n = compressBound ((uLong) length);

  append_u32 (packed, (guint32) length);
  g_byte_array_set_size (packed, (guint) (sizeof (guint32) + n));
  compress (packed->data + sizeof (guint32), &n, data, (uLong) length);
  g_byte_array_set_size (packed, (guint) (sizeof (guint32) + n));
  return packed;
}

/* --- Klipper --- */

static void
append_urls (GByteArray *out, const char *lines)
{
  g_auto (GStrv) urls = g_strsplit (lines, "\n", -1);

  append_string (out, "url");
  append_u32 (out, g_strv_length (urls));
  for (guint i = 0; urls[i]; i++)
    append_bytes (out, urls[i], strlen (urls[i]));
  append_u32 (out, 1);
  append_string (out, "a key");
  append_string (out, "its value");
  append_u32 (out, 1);
}

static void
append_klipper_item (GByteArray *out, const QtContent *content)
{
  gsize length;
  const char *data = text_of (content, &length);
  g_autofree char *text = g_strndup (data, length);

  if (g_str_has_prefix (content->mime, "image/"))
    {
      append_string (out, "image");
      append_u32 (out, 1);
      g_byte_array_append (out, (const guint8 *) data, (guint) length);
      return;
    }
  if (g_str_equal (content->mime, "text/uri-list"))
    {
      append_urls (out, text);
      return;
    }
  append_string (out, "string");
  append_string (out, text);
}

/* makes its checksum that of its bytes */
void
qt_file_sign (GByteArray *klipper)
{
  guint32 sum = (guint32) crc32 (crc32 (0, NULL, 0), klipper->data + 8, klipper->len - 8);
  guint32 raw = GUINT32_TO_BE (sum);

  memcpy (klipper->data, &raw, sizeof raw);
}

static GByteArray *
make_klipper (const QtFile *self)
{
  GByteArray *out = g_byte_array_new ();
  guint32 raw;

  append_u32 (out, 0);
  append_u32 (out, 0);
  append_bytes (out, "5.27.5", sizeof "5.27.5");
  for (guint i = 0; i < self->items->len; i++)
    append_klipper_item (out, ((GPtrArray *) self->items->pdata[i])->pdata[0]);
  raw = GUINT32_TO_BE (out->len - 8);
  memcpy (out->data + 4, &raw, sizeof raw);
  qt_file_sign (out);
  return out;
}

/* --- CopyQ --- */

static void
append_copyq_content (GByteArray *out, const QtContent *content, gboolean is_packed)
{
  gboolean is_text = g_str_has_prefix (content->mime, "text/");
  g_autofree char *mime =
      g_strconcat (is_text ? "8" : "0", content->mime + (is_text ? 5 : 0), NULL);
  gsize length;
  const char *data = text_of (content, &length);
  g_autoptr (GByteArray) packed = is_packed ? pack (data, length) : NULL;

  append_string (out, mime);
  append_u8 (out, is_packed);
  if (packed)
    append_bytes (out, packed->data, packed->len);
  else
    append_bytes (out, data, length);
}

static GByteArray *
make_tab (const QtFile *self)
{
  GByteArray *out = g_byte_array_new ();

  append_u32 (out, self->items->len);
  for (guint i = 0; i < self->items->len; i++)
    {
      const GPtrArray *item = self->items->pdata[i];

      append_u32 (out, 0xFFFFFFFE);
      append_u32 (out, item->len);
      for (guint j = 0; j < item->len; j++)
        append_copyq_content (out, item->pdata[j], self->is_packed);
    }
  return out;
}

static void
begin_value (GByteArray *out, const char *key, guint32 type)
{
  append_string (out, key);
  append_u32 (out, type);
  append_u8 (out, 0);
}

static void
append_tab_map (GByteArray *out, const char *name, const GByteArray *tab)
{
  append_u32 (out, 3);
  begin_value (out, "name", 10);
  append_string (out, name);
  begin_value (out, "icon", 10);
  append_string (out, "");
  begin_value (out, "data", 12);
  append_bytes (out, tab->data, tab->len);
}

/* values of some types, which are passed over */
static void
append_settings (GByteArray *out)
{
  begin_value (out, "settings", 8);
  append_u32 (out, 4);
  begin_value (out, "a", 1);
  append_u8 (out, 1);
  begin_value (out, "b", 2);
  append_u32 (out, 42);
  begin_value (out, "c", 11);
  append_u32 (out, 1);
  append_string (out, "text");
  begin_value (out, "data", 12);
  append_bytes (out, "no tab", 6);
}

static GByteArray *
make_export (const QtFile *self, QtFileKind kind)
{
  static const char *const marks[] = { "CopyQ v2", "CopyQ v3", "CopyQ v4" };
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) tab = make_tab (self);

  append_bytes (out, marks[kind - QT_FILE_COPYQ_2], strlen (marks[0]));
  if (kind == QT_FILE_COPYQ_2)
    {
      append_string (out, "&clipboard");
      g_byte_array_append (out, tab->data, tab->len);
      return out;
    }
  append_u32 (out, 2);
  append_settings (out);
  if (kind == QT_FILE_COPYQ_3)
    {
      begin_value (out, "tabs", 9);
      append_u32 (out, 1);
      append_u32 (out, 8);
      append_u8 (out, 0);
    }
  else
    {
      begin_value (out, "tabs", 11);
      append_u32 (out, 1);
      append_string (out, "Wo&rk");
    }
  append_tab_map (out, "Wo&rk", tab);
  return out;
}

GByteArray *
qt_file_make (const QtFile *self, QtFileKind kind)
{
  if (kind == QT_FILE_KLIPPER)
    return make_klipper (self);
  return kind == QT_FILE_COPYQ_TAB ? make_tab (self) : make_export (self, kind);
}
