/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CopyQ keeps a file for each tab, and exports some tabs into one: there they are byte
 * arrays in a map of Qt's, beside settings and commands, or, as the older versions had it,
 * one tab follows on its name. Either way a tab is a part of the file, with the newest item
 * first.
 */
#include "clip-foreign-bytes.h"
#include "clip-foreign-copyq-item.h"
#include "clip-foreign-format.h"
#include "clip-foreign-parts.h"
#include "clip-foreign-qt.h"

#include <string.h>

#define NAME_BYTES 4096
#define MAX_DEPTH 16

#define EXPORT_MARK "CopyQ v"

typedef struct
{
  char *name; /* NULL for the one that everything copied goes to */
  ClipForeignSpan span;
} Tab;

typedef struct
{
  const ClipForeignFile *file;
  ClipForeignBytes bytes;
  ClipForeignParts items;
  GArray *tabs;       /* Tab */
  guint32 n_expected; /* of them, as the newer exports say */
} Copyq;

static void
tab_clear (gpointer tab)
{
  g_free (((Tab *) tab)->name);
}

/* an ampersand is before the letter that a key chooses it by */
static void
add_tab (Copyq *self, const char *name, const ClipForeignSpan *span)
{
  g_auto (GStrv) parts = g_strsplit (name, "&", -1);
  g_autofree char *plain = g_strjoinv ("", parts);
  const Tab tab = {
    .name = g_str_equal (plain, "clipboard") ? NULL : g_steal_pointer (&plain),
    .span = *span,
  };

  g_array_append_val (self->tabs, tab);
}

/* --- exports --- */

static gboolean walk_map (Copyq *self, guint depth, GError **error);

static gboolean
walk_value (Copyq *self, guint32 type, guint depth, GError **error)
{
  guint32 n;

  if (depth > MAX_DEPTH)
    return clip_foreign_damaged (error, self->bytes.at, "it is nested too deeply");
  if (type == CLIP_QT_MAP || type == CLIP_QT_HASH)
    return walk_map (self, depth + 1, error);
  if (type != CLIP_QT_LIST)
    return clip_foreign_qt_pass_value (&self->bytes, type, error);
  if (!clip_foreign_qt_count (&self->bytes, 5, &n, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      guint8 is_null;

      if (!clip_foreign_qt_u32 (&self->bytes, &type, error) ||
          !clip_foreign_qt_u8 (&self->bytes, &is_null, error) ||
          !walk_value (self, type, depth + 1, error))
        return FALSE;
    }
  return TRUE;
}

typedef struct
{
  char *name;
  ClipForeignSpan data;
  gboolean has_data;
} Found;

/* their names come first, and then each of them in a map of its own */
static gboolean
expect_tabs (Copyq *self, GError **error)
{
  goffset at = self->bytes.at;

  if (!clip_foreign_qt_u32 (&self->bytes, &self->n_expected, error))
    return FALSE;
  clip_foreign_bytes_seek (&self->bytes, at);
  return clip_foreign_qt_pass_value (&self->bytes, CLIP_QT_STRINGS, error);
}

/* a tab that breaks off is one as far as it goes */
static gboolean
read_data (Copyq *self, ClipForeignSpan *out, GError **error)
{
  out->at = MIN (self->bytes.at + (goffset) sizeof (guint32), self->bytes.end);
  out->size = self->bytes.end - out->at;
  if (clip_foreign_qt_span (&self->bytes, out, error))
    return TRUE;
  out->size = self->bytes.end - out->at;
  return FALSE;
}

static gboolean
walk_member (Copyq *self, Found *found, guint depth, GError **error)
{
  g_autofree char *key = clip_foreign_qt_name (&self->bytes, NAME_BYTES, error);
  guint32 type;
  guint8 is_null;

  if (!key || !clip_foreign_qt_u32 (&self->bytes, &type, error) ||
      !clip_foreign_qt_u8 (&self->bytes, &is_null, error))
    return FALSE;
  if (type == CLIP_QT_STRING && g_str_equal (key, "name"))
    {
      g_free (found->name);
      found->name = clip_foreign_qt_name (&self->bytes, NAME_BYTES, error);
      return found->name != NULL;
    }
  if (type == CLIP_QT_STRINGS && depth == 0 && g_str_equal (key, "tabs"))
    return expect_tabs (self, error);
  if (type != CLIP_QT_BYTES || !g_str_equal (key, "data"))
    return walk_value (self, type, depth, error);
  found->has_data = TRUE;
  return read_data (self, &found->data, error);
}

/* what has a name and data is a tab */
static gboolean
walk_map (Copyq *self, guint depth, GError **error)
{
  Found found = { 0 };
  gboolean fine;
  guint32 n;

  fine = clip_foreign_qt_count (&self->bytes, 9, &n, error);
  for (guint32 i = 0; fine && i < n; i++)
    fine = walk_member (self, &found, depth, error);
  if (found.name && found.has_data)
    add_tab (self, found.name, &found.data);
  g_free (found.name);
  return fine;
}

static gboolean
find_only_tab (Copyq *self, GError **error)
{
  g_autofree char *name = clip_foreign_qt_name (&self->bytes, NAME_BYTES, error);
  ClipForeignSpan span = { .at = self->bytes.at };

  span.size = self->bytes.end - span.at;
  if (name)
    add_tab (self, name, &span);
  return name != NULL;
}

static gboolean
find_tabs (Copyq *self, GError **error)
{
  g_autoptr (GBytes) mark = clip_foreign_qt_bytes (&self->bytes, NAME_BYTES, error);
  gsize length = 0;
  const char *data = mark ? g_bytes_get_data (mark, &length) : NULL;
  char version = length > strlen (EXPORT_MARK) ? data[strlen (EXPORT_MARK)] : '\0';

  if (!mark)
    return FALSE;
  if (version == '1' || version == '2')
    return find_only_tab (self, error);
  if (version == '5')
    return clip_foreign_damaged (error, 0, "it is encrypted");
  if (version != '3' && version != '4')
    return clip_foreign_damaged (error, 0, "it is of a version that is not known");
  do
    if (!walk_map (self, 0, error))
      return FALSE;
  while (self->bytes.at < self->bytes.end);
  return self->tabs->len >= self->n_expected ||
         clip_foreign_damaged (error, self->bytes.at, "it breaks off");
}

/* --- items --- */

static gboolean
find_items (Copyq *self, const Tab *tab, GError **error)
{
  guint32 n;

  clip_foreign_bytes_seek (&self->bytes, tab->span.at);
  self->bytes.end = tab->span.at + tab->span.size;
  if (!clip_foreign_qt_count (&self->bytes, sizeof (guint32), &n, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    {
      goffset at = self->bytes.at;

      if (!copyq_item_read (self->file, &self->bytes, NULL, error))
        return FALSE;
      clip_foreign_parts_add (&self->items, at, self->bytes.at);
    }
  return TRUE;
}

/* a fault in the description of tabs is behind those that were found, one in a tab before
 * those that come after it */
static void
find_all_items (Copyq *self)
{
  GError *fault = NULL;

  for (guint i = 0; i < self->tabs->len && !fault; i++)
    find_items (self, &g_array_index (self->tabs, Tab, i), &fault);
  if (!fault)
    return;
  g_clear_error (&self->items.fault);
  self->items.fault = fault;
}

static const char *
tab_of (const Copyq *self, goffset at)
{
  for (guint i = 0; i < self->tabs->len; i++)
    {
      const Tab *tab = &g_array_index (self->tabs, Tab, i);

      if (at >= tab->span.at && at < tab->span.at + tab->span.size)
        return tab->name;
    }
  return NULL;
}

static void
copyq_close (gpointer reader)
{
  Copyq *self = reader;

  clip_foreign_bytes_clear (&self->bytes);
  clip_foreign_parts_clear (&self->items);
  g_array_unref (self->tabs);
  g_free (self);
}

static Copyq *
copyq_new (const ClipForeignFile *file)
{
  Copyq *self = g_new0 (Copyq, 1);

  self->file = file;
  self->tabs = g_array_new (FALSE, FALSE, sizeof (Tab));
  g_array_set_clear_func (self->tabs, tab_clear);
  clip_foreign_parts_init (&self->items);
  clip_foreign_bytes_init (&self->bytes, file->fd, 0, file->size);
  return self;
}

static gpointer
export_open (const ClipForeignFile *file, GError **error)
{
  Copyq *self = copyq_new (file);

  if (!find_tabs (self, &self->items.fault) && self->tabs->len == 0)
    {
      g_propagate_error (error, g_steal_pointer (&self->items.fault));
      copyq_close (self);
      return NULL;
    }
  find_all_items (self);
  return self;
}

/* the name of a tab stands in that of its file, in base64 with a `-` for each `/` */
static char *
name_of_tab (const ClipForeignFile *file)
{
  g_autofree char *stem = clip_foreign_file_stem (file);
  char *code = strstr (stem, "_tab_");
  g_autofree guchar *name = NULL;
  gsize length;

  if (!code || !code[strlen ("_tab_")])
    return g_strdup ("clipboard");
  name = g_base64_decode (g_strdelimit (code + strlen ("_tab_"), "-", '/'), &length);
  return g_strndup ((const char *) name, length);
}

/* as a whole, by the plugin that did it before CopyQ itself could: a text of Qt's says so */
static gboolean
is_encrypted (const ClipForeignFile *file)
{
  static const char mark[] = "\0C\0o\0p\0y\0Q\0_\0e\0n\0c\0r\0y\0p\0t\0e\0d";

  return clip_foreign_file_begins (file, sizeof (guint32), mark, sizeof mark - 1);
}

static gpointer
tab_open (const ClipForeignFile *file, GError **error)
{
  g_autofree char *name = name_of_tab (file);
  const ClipForeignSpan all = { .at = 0, .size = file->size };
  Copyq *self;

  if (is_encrypted (file))
    {
      clip_foreign_damaged (error, 0, "it is encrypted");
      return NULL;
    }
  self = copyq_new (file);
  add_tab (self, name, &all);
  find_all_items (self);
  return self;
}

static ClipForeignEntry *
copyq_next (gpointer reader, GError **error)
{
  Copyq *self = reader;
  g_autoptr (ClipForeignEntry) entry = NULL;
  ClipForeignPart part;
  const char *tab;

  if (!clip_foreign_parts_take (&self->items, &part, error))
    return NULL;
  entry = clip_foreign_entry_new (self->file->changed_us);
  clip_foreign_bytes_seek (&self->bytes, part.at);
  self->bytes.end = part.end;
  if (!copyq_item_read (self->file, &self->bytes, entry, error))
    return NULL;
  tab = tab_of (self, part.at);
  if (tab)
    clip_foreign_entry_add_tag (entry, tab, -1);
  return g_steal_pointer (&entry);
}

static gboolean
is_export (const ClipForeignFile *file)
{
  return clip_foreign_file_begins (file, sizeof (guint32), EXPORT_MARK,
                                   strlen (EXPORT_MARK));
}

/* how many items, and the version of the first one */
static gboolean
is_tab (const ClipForeignFile *file)
{
  static const char numbers[2][5] = { "\xFF\xFF\xFF\xFE", "\xFF\xFF\xFF\xFD" };

  return clip_foreign_file_begins (file, 4, numbers[0], 4) ||
         clip_foreign_file_begins (file, 4, numbers[1], 4) || is_encrypted (file);
}

const ClipForeignFormat clip_foreign_copyq_export = {
  .name = "copyq",
  .title = "CopyQ",
  .pattern = "*.cpq",
  .is_one = is_export,
  .open = export_open,
  .next = copyq_next,
  .close = copyq_close,
};

const ClipForeignFormat clip_foreign_copyq_tab = {
  .name = "copyq",
  .title = "CopyQ",
  .pattern = "*_tab_*.dat",
  .is_one = is_tab,
  .open = tab_open,
  .next = copyq_next,
  .close = copyq_close,
};
