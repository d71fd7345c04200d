/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clipse: one JSON object with a list in it, the newest item first, and images as files. */
#include "clip-foreign-format.h"
#include "clip-foreign-json.h"
#include "clip-foreign-parts.h"
#include "clip-mime.h"

#include <stdio.h>
#include <string.h>

#define LIST "clipboardHistory"

/* in the place of the name of a file, where there is none */
#define NO_FILE "null"

typedef struct
{
  const ClipForeignFile *file;
  ClipForeignBytes bytes;
  ClipForeignParts items;
} Clipse;

static gboolean
is_one (const ClipForeignFile *file)
{
  return clip_foreign_json_begins (file, "{\"" LIST "\":");
}

static gboolean
is_item (const json_t *value)
{
  return clip_foreign_json_text (value, "filePath") &&
         json_is_string (json_object_get (value, "value"));
}

static json_t *
read_item (Clipse *self, GError **error)
{
  goffset at = self->bytes.at;
  clip_autojson value = clip_foreign_json_value (&self->bytes, error);

  if (!value)
    return NULL;
  if (is_item (value))
    return json_incref (value);
  clip_foreign_damaged (error, at, "there is something else than an item");
  return NULL;
}

/* whether there is another one; FALSE at the end, and where the error is set */
static gboolean
go_on (Clipse *self, GError **error)
{
  char next;

  if (!clip_foreign_json_peek (&self->bytes, &next, error))
    return FALSE;
  if (next == ']')
    return FALSE;
  return self->items.parts->len == 0 || clip_foreign_json_take (&self->bytes, ',', error);
}

static gboolean
find_items (Clipse *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  while (go_on (self, &local))
    {
      goffset at = self->bytes.at;
      clip_autojson item = read_item (self, error);

      if (!item)
        return FALSE;
      clip_foreign_parts_add (&self->items, at, self->bytes.at);
    }
  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  return clip_foreign_json_take (&self->bytes, ']', error) &&
         clip_foreign_json_take (&self->bytes, '}', error);
}

static gboolean
begin (Clipse *self, GError **error)
{
  clip_autojson key = NULL;

  if (!clip_foreign_json_take (&self->bytes, '{', error))
    return FALSE;
  key = clip_foreign_json_value (&self->bytes, error);
  if (!key)
    return FALSE;
  if (g_strcmp0 (json_string_value (key), LIST) != 0)
    return clip_foreign_damaged (error, self->bytes.at, "there is no history in it");
  return clip_foreign_json_take (&self->bytes, ':', error) &&
         clip_foreign_json_take (&self->bytes, '[', error);
}

static void
clipse_close (gpointer reader)
{
  Clipse *self = reader;

  clip_foreign_bytes_clear (&self->bytes);
  clip_foreign_parts_clear (&self->items);
  g_free (self);
}

static gpointer
clipse_open (const ClipForeignFile *file, GError **error)
{
  Clipse *self = g_new0 (Clipse, 1);

  self->file = file;
  clip_foreign_parts_init (&self->items);
  clip_foreign_bytes_init (&self->bytes, file->fd, 0, file->size);
  if (!begin (self, error))
    {
      clipse_close (self);
      return NULL;
    }
  find_items (self, &self->items.fault);
  return self;
}

/* local time; what is none leaves the time of the file */
static gint64
time_of (const ClipForeignFile *file, const char *recorded)
{
  int year, month, day, hour, minute;
  g_autoptr (GDateTime) time = NULL;
  double seconds;
  gint64 us;

  if (!recorded || sscanf (recorded, "%4d-%2d-%2d %2d:%2d:%2d", &year, &month, &day,
                           &hour, &minute, &(int){ 0 }) != 6)
    return file->changed_us;
  seconds = g_ascii_strtod (strrchr (recorded, ':') + 1, NULL);
  time = g_date_time_new_local (year, month, day, hour, minute, seconds);
  us = time ? g_date_time_to_unix (time) * G_USEC_PER_SEC +
                  g_date_time_get_microsecond (time)
            : 0;
  return us > 0 && us <= g_get_real_time () ? us : file->changed_us;
}

/* in the folder beside the history, or where it says */
static void
add_image (const ClipForeignFile *file, const char *path, ClipForeignEntry *entry)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *beside = g_build_filename ("tmp_files", name, NULL);
  const char *const paths[] = { beside, path, NULL };

  clip_foreign_file_add_image (file, paths, entry);
}

static ClipForeignEntry *
make_entry (const ClipForeignFile *file, const json_t *item)
{
  const json_t *value = json_object_get (item, "value");
  const char *path = clip_foreign_json_text (item, "filePath");
  ClipForeignEntry *entry =
      clip_foreign_entry_new (time_of (file, clip_foreign_json_text (item, "recorded")));

  entry->pinned = json_is_true (json_object_get (item, "pinned"));
  if (!g_str_equal (path, NO_FILE))
    add_image (file, path, entry);
  else
    clip_foreign_entry_add_bytes (
        entry, CLIP_MIME_TEXT,
        g_bytes_new (json_string_value (value), json_string_length (value)));
  return entry;
}

static ClipForeignEntry *
clipse_next (gpointer reader, GError **error)
{
  Clipse *self = reader;
  clip_autojson item = NULL;
  ClipForeignPart part;

  if (!clip_foreign_parts_take (&self->items, &part, error))
    return NULL;
  clip_foreign_bytes_seek (&self->bytes, part.at);
  item = read_item (self, error);
  return item ? make_entry (self->file, item) : NULL;
}

const ClipForeignFormat clip_foreign_clipse = {
  .name = "clipse",
  .title = "clipse",
  .pattern = "clipboard_history.json",
  .is_one = is_one,
  .open = clipse_open,
  .next = clipse_next,
  .close = clipse_close,
};
