/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What Ringboard dumps: a list of JSON objects, or, as its own import wants them, the
 * objects one after the other; the favourites, and then the others, the oldest first. It
 * says nothing of when they were copied.
 */
#include "clip-foreign-format.h"
#include "clip-foreign-json.h"

#include <string.h>

/* the number of a ring stands above that of a place in it */
#define RING_SHIFT 32
#define RING_OF_FAVOURITES 0

typedef struct
{
  const ClipForeignFile *file;
  ClipForeignBytes bytes;
  gboolean is_list;
  gboolean has_begun; /* the first one was read */
} Ringboard;

static gboolean
is_one (const ClipForeignFile *file)
{
  static const char *const forms[] = {
    "[{\"id\":0,\"kind\":\"",
    "{\"id\":0,\"kind\":\"",
    "[{\"kind\":\"",
    "{\"kind\":\"",
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    if (clip_foreign_json_begins (file, forms[i]))
      return TRUE;
  return FALSE;
}

static void
ringboard_close (gpointer reader)
{
  Ringboard *self = reader;

  clip_foreign_bytes_clear (&self->bytes);
  g_free (self);
}

static gpointer
ringboard_open (const ClipForeignFile *file, GError **error)
{
  Ringboard *self = g_new0 (Ringboard, 1);
  char first;

  self->file = file;
  clip_foreign_bytes_init (&self->bytes, file->fd, 0, file->size);
  if (clip_foreign_json_peek (&self->bytes, &first, error))
    {
      self->is_list = first == '[';
      self->bytes.at += self->is_list;
      if (first == '[' || first == '{')
        return self;
      clip_foreign_damaged (error, self->bytes.at,
                            first ? "it is malformed" : "it breaks off");
    }
  ringboard_close (self);
  return NULL;
}

/* whether there is another one; FALSE at the end, and where the error is set */
static gboolean
go_on (Ringboard *self, GError **error)
{
  char next;

  if (!clip_foreign_json_peek (&self->bytes, &next, error))
    return FALSE;
  if (!self->is_list)
    return next != '\0';
  if (next == ']')
    return FALSE;
  return !self->has_begun || clip_foreign_json_take (&self->bytes, ',', error);
}

static gboolean
is_base64 (const json_t *data)
{
  const char *text = json_string_value (data);
  gsize n = 0;

  while (g_ascii_isalnum (text[n]) || text[n] == '+' || text[n] == '/')
    n++;
  return n == json_string_length (data) && n % 4 != 1;
}

/* it leaves the padding away, which the decoder wants */
static GBytes *
decode (const json_t *data)
{
  const char *text = json_string_value (data);
  gsize length = json_string_length (data);
  g_autofree char *padded = g_malloc (length + 4);
  guchar *bytes;
  gsize n;

  memcpy (padded, text, length);
  while (length % 4 != 0)
    padded[length++] = '=';
  padded[length] = '\0';
  bytes = g_base64_decode (padded, &n);
  return g_bytes_new_take (bytes, n);
}

static ClipForeignEntry *
make_entry (const ClipForeignFile *file, const json_t *item)
{
  const char *kind = clip_foreign_json_text (item, "kind");
  const char *mime = clip_foreign_json_text (item, "mime_type");
  const json_t *data = json_object_get (item, "data");
  const json_t *id = json_object_get (item, "id");
  gboolean is_text = g_strcmp0 (kind, "Human") == 0;
  ClipForeignEntry *entry;

  if (!json_is_string (data) ||
      (!is_text && (g_strcmp0 (kind, "Bytes") != 0 || !is_base64 (data))))
    return NULL;
  entry = clip_foreign_entry_new (file->changed_us);
  entry->pinned = json_is_integer (id) && json_integer_value (id) >= 0 &&
                  json_integer_value (id) >> RING_SHIFT == RING_OF_FAVOURITES;
  clip_foreign_entry_add_bytes (
      entry, mime ? mime : "",
      is_text ? g_bytes_new (json_string_value (data), json_string_length (data))
              : decode (data));
  return entry;
}

static ClipForeignEntry *
ringboard_next (gpointer reader, GError **error)
{
  Ringboard *self = reader;
  clip_autojson item = NULL;
  ClipForeignEntry *entry;
  goffset at;

  if (!go_on (self, error))
    return NULL;
  at = self->bytes.at;
  item = clip_foreign_json_value (&self->bytes, error);
  if (!item)
    return NULL;
  self->has_begun = TRUE;
  entry = make_entry (self->file, item);
  if (!entry)
    clip_foreign_damaged (error, at, "there is something else than an entry");
  return entry;
}

const ClipForeignFormat clip_foreign_ringboard = {
  .name = "ringboard",
  .title = "Ringboard",
  .is_one = is_one,
  .open = ringboard_open,
  .next = ringboard_next,
  .close = ringboard_close,
};
