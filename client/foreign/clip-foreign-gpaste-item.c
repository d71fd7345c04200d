/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-foreign-gpaste-item.h"

#include "clip-mime.h"

#include <string.h>

/* what has a type in a value, as GPaste calls it and as everybody does */
static const struct
{
  const char *nick;
  const char *mime;
} mimes[] = {
  { "gnome-copied-files", "x-special/gnome-copied-files" },
  { "text-html", "text/html" },
  { "text-html-utf8", "text/html;charset=utf-8" },
  { "text-xml", "text/xml" },
  { "text-xml-utf8", "text/xml;charset=utf-8" },
};

typedef struct
{
  GpasteVersion version;
  ClipForeignEntry *entry;
  guint depth;
  char *kind;
  gint64 copied_us;
  const char *mime; /* of the value that is read; NULL = the item's own */
  GString *text;    /* of it */
  GString *value;   /* the item's own */
} Item;

static const char *
find_attribute (const char *name, const char **names, const char **values)
{
  for (guint i = 0; names[i]; i++)
    if (g_str_equal (names[i], name))
      return values[i];
  return NULL;
}

/* of the element that a history begins with */
GpasteVersion
gpaste_version_of (const char *element, const char **names, const char **values)
{
  const char *version = find_attribute ("version", names, values);

  if (!g_str_equal (element, "history"))
    return GPASTE_UNKNOWN;
  if (g_strcmp0 (version, "1.0") == 0)
    return GPASTE_1;
  return g_strcmp0 (version, "2.0") == 0 ? GPASTE_2 : GPASTE_UNKNOWN;
}

/* it has encoded two characters, although they stand in a section that needs none of that:
 * the way back is not that of XML */
static void
decode (GString *text)
{
  const char *from = text->str;
  char *to = text->str;

  while (from < text->str + text->len)
    {
      gboolean is_greater = g_str_has_prefix (from, "&gt;");
      gboolean is_ampersand = !is_greater && g_str_has_prefix (from, "&amp;");

      *to++ = is_greater ? '>' : *from;
      from += is_greater ? strlen ("&gt;") : is_ampersand ? strlen ("&amp;") : 1;
    }
  g_string_truncate (text, (gsize) (to - text->str));
}

static void
begin_item (Item *self, const char **names, const char **values)
{
  const char *date = find_attribute ("date", names, values);
  const char *favourite = find_attribute ("favourite", names, values);
  guint64 seconds;

  self->kind = g_strdup (find_attribute ("kind", names, values));
  self->entry->pinned = g_strcmp0 (favourite, "true") == 0;
  if (date && g_ascii_string_to_unsigned (date, 10, 1,
                                          (guint64) (self->copied_us / G_USEC_PER_SEC),
                                          &seconds, NULL))
    self->entry->first_us = self->entry->last_us = (gint64) seconds * G_USEC_PER_SEC;
}

static void
begin_value (Item *self, const char **names, const char **values)
{
  const char *nick = find_attribute ("mime", names, values);

  self->mime = nick ? "" : NULL; /* a type that is not known is passed over */
  for (guint i = 0; nick && i < G_N_ELEMENTS (mimes); i++)
    if (g_str_equal (mimes[i].nick, nick))
      self->mime = mimes[i].mime;
  g_string_truncate (self->text, 0);
}

static void
on_start (GMarkupParseContext *context G_GNUC_UNUSED,
          const char *element,
          const char **names,
          const char **values,
          gpointer user_data,
          GError **error)
{
  Item *self = user_data;

  if (self->depth == 0 && g_str_equal (element, "item"))
    begin_item (self, names, values);
  else if (self->depth == 1 && g_str_equal (element, "value"))
    begin_value (self, names, values);
  else
    g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_UNKNOWN_ELEMENT, "");
  self->depth++;
}

static void
on_text (GMarkupParseContext *context G_GNUC_UNUSED,
         const char *text,
         gsize length,
         gpointer user_data,
         GError **error G_GNUC_UNUSED)
{
  Item *self = user_data;

  if (self->depth == 2)
    g_string_append_len (self->text, text, (gssize) length);
  else if (self->depth == 1 && self->version == GPASTE_1 &&
           strspn (text, " \t\r\n") < length)
    g_string_append_len (self->value, text, (gssize) length);
}

static void
end_value (Item *self)
{
  gsize length;
  guchar *bytes;

  decode (self->text);
  if (!self->mime)
    {
      g_string_assign (self->value, self->text->str);
      return;
    }
  if (!*self->mime || self->text->len == 0)
    return;
  bytes = g_base64_decode (self->text->str, &length);
  clip_foreign_entry_add_bytes (self->entry, self->mime,
                                g_bytes_new_take (bytes, length));
}

static void
on_end (GMarkupParseContext *context G_GNUC_UNUSED,
        const char *element G_GNUC_UNUSED,
        gpointer user_data,
        GError **error G_GNUC_UNUSED)
{
  Item *self = user_data;

  self->depth--;
  if (self->depth == 1)
    end_value (self);
  else if (self->version == GPASTE_1)
    decode (self->value);
}

/* in the folder of this history, as the newer versions have it, in that of all of them, or
 * where the item says */
static void
add_image (const ClipForeignFile *file, const char *path, ClipForeignEntry *entry)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *stem = clip_foreign_file_stem (file);
  g_autofree char *own = g_build_filename ("images", stem, name, NULL);
  g_autofree char *common = g_build_filename ("images", name, NULL);
  const char *const paths[] = { own, common, path, NULL };

  clip_foreign_file_add_image (file, paths, entry);
}

/* paths or URIs, one a line */
static void
add_uris (const char *lines, ClipForeignEntry *entry)
{
  g_auto (GStrv) words = g_strsplit (lines, "\n", -1);
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; words[i]; i++)
    {
      g_autofree char *uri = *words[i] == '/' ? g_filename_to_uri (words[i], NULL, NULL)
                                              : g_strdup (words[i]);

      if (uri && *uri)
        g_string_append_printf (list, "%s\r\n", uri);
    }
  clip_foreign_entry_add_text (entry, CLIP_MIME_URI_LIST, list->str);
}

static void
add_value (const ClipForeignFile *file, Item *self)
{
  const char *kind = self->kind ? self->kind : "";
  const char *value = self->value->str;

  self->entry->is_secret = g_str_equal (kind, "Password");
  if (self->entry->is_secret || self->value->len == 0)
    return;
  if (g_str_equal (kind, "Image"))
    add_image (file, value, self->entry);
  else if (g_str_equal (kind, "Uris"))
    add_uris (value, self->entry);
  else
    clip_foreign_entry_add_text (self->entry, CLIP_MIME_TEXT, value);
}

/**
 * gpaste_item_read:
 * @text: the element, and white space before it
 *
 * Returns: (transfer full) (nullable): %NULL where it is none
 */
ClipForeignEntry *
gpaste_item_read (const ClipForeignFile *file,
                  GpasteVersion version,
                  const char *text,
                  gsize length)
{
  static const GMarkupParser parser = { .start_element = on_start,
                                        .end_element = on_end,
                                        .text = on_text };
  g_autoptr (ClipForeignEntry) entry = clip_foreign_entry_new (file->changed_us);
  g_autoptr (GString) value = g_string_new (NULL);
  g_autoptr (GString) buffer = g_string_new (NULL);
  Item item = { .version = version,
                .entry = entry,
                .copied_us = file->changed_us,
                .text = buffer,
                .value = value };
  g_autoptr (GMarkupParseContext) context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &item, NULL);
  gboolean fine = g_markup_parse_context_parse (context, text, (gssize) length, NULL) &&
                  g_markup_parse_context_end_parse (context, NULL);

  if (fine)
    add_value (file, &item);
  g_free (item.kind);
  return fine ? g_steal_pointer (&entry) : NULL;
}
