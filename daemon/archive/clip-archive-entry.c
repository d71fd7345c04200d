/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A line of an archive. Its writer is not to be believed: every number has a range,
 * every name a form, and what is wrong with one is said. Members that are not known are
 * passed over, so that a later version may add some.
 */
#include "clip-archive-entry.h"

#include "clip-archive-names.h"
#include "clip-error.h"
#include "clip-mime.h"

#include <jansson.h>
#include <string.h>

/* names of members are our own: ten digits and a suffix */
#define MAX_MEMBER_BYTES 255

/* An entry of 256 contents and 256 tags has less than 2,000 values. The tree that the
 * library makes of a line takes some hundred bytes for each, however short it is. */
#define MAX_VALUES 8192

#define SEAL_HEX_DIGITS 16

static void
json_clear (json_t **value)
{
  json_decref (*value);
}

#define auto_json __attribute__ ((cleanup (json_clear))) json_t *

/* Returns: %FALSE, with the error set: %CLIP_ERROR_CORRUPT */
gboolean
clip_archive_fail (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error)
    *error = g_error_new_valist (CLIP_ERROR, CLIP_ERROR_CORRUPT, format, args);
  va_end (args);
  return FALSE;
}

static void
content_free (ClipArchiveContent *self)
{
  g_free (self->mime);
  g_free (self->member);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self);
}

static ClipArchiveEntry *
entry_new (void)
{
  ClipArchiveEntry *self = g_new0 (ClipArchiveEntry, 1);

  self->contents = g_ptr_array_new_with_free_func ((GDestroyNotify) content_free);
  return self;
}

void
clip_archive_entry_free (ClipArchiveEntry *self)
{
  if (!self)
    return;
  g_free (self->origin);
  g_strfreev (self->tags);
  g_ptr_array_unref (self->contents);
  g_free (self);
}

/* whether members follow that belong to it */
gboolean
clip_archive_entry_has_files (const ClipArchiveEntry *self)
{
  for (guint i = 0; i < self->contents->len; i++)
    if (!((const ClipArchiveContent *) self->contents->pdata[i])->bytes)
      return TRUE;
  return FALSE;
}

/* a member that is missing leaves *@out as it is */
static gboolean
read_number (const json_t *object,
             const char *key,
             gint64 min,
             gint64 *out,
             GError **error)
{
  const json_t *value = json_object_get (object, key);
  gint64 number;

  if (!value)
    return TRUE;
  if (!json_is_integer (value))
    return clip_archive_fail (error, "\"%s\" is not a whole number", key);
  number = json_integer_value (value);
  if (number < min || number > CLIP_ARCHIVE_MAX_NUMBER)
    return clip_archive_fail (error, "\"%s\" is out of range", key);
  *out = number;
  return TRUE;
}

/* (transfer none): NULL where there is none, or, with the error set, where it is no text
 * without a NUL, or one of more than @max_bytes */
static const char *
read_text (const json_t *object, const char *key, gsize max_bytes, GError **error)
{
  const json_t *value = json_object_get (object, key);

  if (!value)
    return NULL;
  if (!json_is_string (value) ||
      strlen (json_string_value (value)) != json_string_length (value))
    {
      clip_archive_fail (error, "\"%s\" is not a text", key);
      return NULL;
    }
  if (json_string_length (value) > max_bytes)
    {
      clip_archive_fail (error, "\"%s\" is longer than %" G_GSIZE_FORMAT " bytes", key,
                         max_bytes);
      return NULL;
    }
  return json_string_value (value);
}

static gboolean
read_hex (const char *text, guint8 *out, gsize n)
{
  if (strlen (text) != 2 * n)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      int high = g_ascii_xdigit_value (text[2 * i]);
      int low = g_ascii_xdigit_value (text[2 * i + 1]);

      if (high < 0 || low < 0)
        return FALSE;
      out[i] = (guint8) (high << 4 | low);
    }
  return TRUE;
}

static gboolean
is_base64 (const char *text, gsize length)
{
  gsize n_padding = 0;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '=')
      n_padding++;
    else if (n_padding > 0 ||
             !(g_ascii_isalnum (text[i]) || text[i] == '+' || text[i] == '/'))
      return FALSE;
  return length % 4 == 0 && n_padding <= 2;
}

static GBytes *
read_base64 (const json_t *value, GError **error)
{
  const char *text = json_string_value (value);
  guchar *data;
  gsize length;

  if (!text || !is_base64 (text, json_string_length (value)))
    {
      clip_archive_fail (error, "\"base64\" is not base64");
      return NULL;
    }
  data = g_base64_decode (text, &length);
  return g_bytes_new_take (data, length);
}

static GBytes *
read_string (const json_t *value, GError **error)
{
  if (json_is_string (value))
    return g_bytes_new (json_string_value (value), json_string_length (value));
  clip_archive_fail (error, "\"text\" is not a text");
  return NULL;
}

static gboolean
read_file (const json_t *object, ClipArchiveContent *content, GError **error)
{
  const char *member = read_text (object, "member", MAX_MEMBER_BYTES, error);
  const char *hash;

  if (!member)
    return FALSE;
  content->member = g_strdup (member);
  content->size = -1;
  if (!read_number (object, "size", 0, &content->size, error))
    return FALSE;
  if (content->size < 0)
    return clip_archive_fail (error, "a content in a member has no \"size\"");
  hash = json_object_get (object, "xxh3")
             ? read_text (object, "xxh3", 2 * CLIP_ARCHIVE_HASH_BYTES, error)
             : NULL;
  content->has_hash = hash && read_hex (hash, content->hash, sizeof content->hash);
  if (json_object_get (object, "xxh3") && !content->has_hash)
    {
      g_clear_error (error);
      return clip_archive_fail (error, "\"xxh3\" is not a hash");
    }
  return TRUE;
}

static gboolean
read_bytes (const json_t *object, ClipArchiveContent *content, GError **error)
{
  const json_t *text = json_object_get (object, "text");
  const json_t *base64 = json_object_get (object, "base64");
  const json_t *member = json_object_get (object, "member");

  if (!!text + !!base64 + !!member != 1)
    return clip_archive_fail (
        error, "a content has not one of \"text\", \"base64\" and \"member\"");
  if (member)
    return read_file (object, content, error);
  content->bytes = text ? read_string (text, error) : read_base64 (base64, error);
  if (!content->bytes)
    return FALSE;
  content->size = (gint64) g_bytes_get_size (content->bytes);
  return TRUE;
}

static gboolean
read_content (const json_t *object, ClipArchiveEntry *entry, GError **error)
{
  const json_t *offered = json_object_get (object, "offered");
  ClipArchiveContent *content;
  const char *mime;

  if (!json_is_object (object))
    return clip_archive_fail (error, "a content is not an object");
  mime = read_text (object, "type", CLIP_MIME_MAX_LENGTH, NULL);
  if (!mime || !clip_mime_is_valid (mime))
    return clip_archive_fail (error, "\"type\" of a content is not a MIME type");
  if (offered && !json_is_boolean (offered))
    return clip_archive_fail (error, "\"offered\" is neither true nor false");
  content = g_new0 (ClipArchiveContent, 1);
  content->mime = g_strdup (mime);
  content->offered = json_is_true (offered);
  g_ptr_array_add (entry->contents, content);
  return read_bytes (object, content, error);
}

static gboolean
read_contents (const json_t *object, ClipArchiveEntry *entry, GError **error)
{
  const json_t *array = json_object_get (object, "contents");
  gsize n = json_array_size (array);

  if (n == 0 || n > CLIP_ARCHIVE_MAX_CONTENTS)
    return clip_archive_fail (error, "\"contents\" are not 1 to %d contents",
                              CLIP_ARCHIVE_MAX_CONTENTS);
  for (gsize i = 0; i < n; i++)
    if (!read_content (json_array_get (array, i), entry, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_tags (const json_t *object, ClipArchiveEntry *entry, GError **error)
{
  const json_t *array = json_object_get (object, "tags");
  gsize n = json_array_size (array);
  gsize n_tags = 0;

  if (array && (!json_is_array (array) || n > CLIP_MAX_TAGS))
    return clip_archive_fail (error, "\"tags\" are not up to %d texts", CLIP_MAX_TAGS);
  if (n == 0)
    return TRUE;
  entry->tags = g_new0 (char *, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      const json_t *tag = json_array_get (array, i);
      const char *text = json_string_value (tag);

      if (!text || strlen (text) != json_string_length (tag))
        return clip_archive_fail (error, "a tag is not a text");
      if (json_string_length (tag) > CLIP_MAX_TAG_BYTES)
        return clip_archive_fail (error, "a tag is longer than %d bytes",
                                  CLIP_MAX_TAG_BYTES);
      if (*text) /* an empty one, which could be given once, says nothing */
        entry->tags[n_tags++] = g_strdup (text);
    }
  return TRUE;
}

static gboolean
read_course (const json_t *object, ClipArchiveEntry *entry, GError **error)
{
  const json_t *pinned = json_object_get (object, "pinned");
  const json_t *guessed = json_object_get (object, "guessed");

  entry->copies = 1;
  entry->last_us = -1;
  if (!read_number (object, "id", 1, &entry->id, error) ||
      !read_number (object, "last", 0, &entry->last_us, error) ||
      !read_number (object, "copies", 1, &entry->copies, error) ||
      !read_number (object, "expires", 0, &entry->expires_us, error))
    return FALSE;
  if (entry->last_us < 0)
    return clip_archive_fail (error, "\"last\", when it was copied, is missing");
  entry->first_us = entry->last_us;
  if (!read_number (object, "first", 0, &entry->first_us, error))
    return FALSE;
  if (entry->first_us > entry->last_us)
    return clip_archive_fail (error, "\"first\" is later than \"last\"");
  if (pinned && !json_is_boolean (pinned))
    return clip_archive_fail (error, "\"pinned\" is neither true nor false");
  entry->pinned = json_is_true (pinned);
  if (guessed && !json_is_boolean (guessed))
    return clip_archive_fail (error, "\"guessed\" is neither true nor false");
  entry->guessed = json_is_true (guessed);
  return TRUE;
}

static ClipArchiveEntry *
read_entry (const json_t *object, GError **error)
{
  g_autoptr (ClipArchiveEntry) entry = entry_new ();
  g_autoptr (GError) local = NULL;
  const char *origin = read_text (object, "origin", CLIP_MAX_ORIGIN_BYTES, &local);

  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  entry->origin = g_strdup (origin ?: "");
  if (read_course (object, entry, error) && read_tags (object, entry, error) &&
      read_contents (object, entry, error))
    return g_steal_pointer (&entry);
  return NULL;
}

static gboolean
read_seal (const json_t *object, ClipArchiveLine *out, GError **error)
{
  const char *hash = read_text (object, "xxh3", SEAL_HEX_DIGITS, NULL);
  guint8 bytes[SEAL_HEX_DIGITS / 2];

  out->is_seal = TRUE;
  if (!read_number (object, "lines", 0, &out->n_lines, error))
    return FALSE;
  if (!hash || !read_hex (hash, bytes, sizeof bytes))
    return clip_archive_fail (error, "\"xxh3\" is not a hash");
  for (gsize i = 0; i < sizeof bytes; i++)
    out->hash = out->hash << 8 | bytes[i];
  return TRUE;
}

static gboolean
read_line (const json_t *object, ClipArchiveLine *out, GError **error)
{
  gint64 version = 0;

  if (!json_is_object (object))
    return clip_archive_fail (error, "it is not an object");
  if (json_object_get (object, CLIP_ARCHIVE_MARK))
    {
      if (!read_number (object, CLIP_ARCHIVE_MARK, 1, &version, error))
        return FALSE;
      out->version = (int) MIN (version, G_MAXINT);
      return TRUE;
    }
  if (json_object_get (object, "lines"))
    return read_seal (object, out, error);
  out->entry = read_entry (object, error);
  return out->entry != NULL;
}

/* without the words of the library, which quote what was copied */
static const char *
reason_of (const json_error_t *reason)
{
  switch (json_error_code (reason))
    {
    case json_error_stack_overflow:
      return "it is nested too deeply";
    case json_error_invalid_utf8:
      return "it is not UTF-8";
    case json_error_duplicate_key:
      return "a name stands in it twice";
    case json_error_numeric_overflow:
      return "a number in it is out of range";
    case json_error_premature_end_of_input:
      return "it breaks off";
    default:
      return "it is malformed";
    }
}

/* how many values the line has at most: no fewer commas and brackets stand outside its
   texts */
static gsize
count_values (const char *line, gsize length)
{
  gboolean is_text = FALSE;
  gsize n = 0;

  for (gsize i = 0; i < length; i++)
    if (line[i] == '\\' && is_text)
      i++;
    else if (line[i] == '"')
      is_text = !is_text;
    else
      n += !is_text && (line[i] == '{' || line[i] == '[' || line[i] == ',');
  return n;
}

/**
 * clip_archive_line_parse:
 * @line: JSON, without the end of the line
 * @out: (out): the entry in it is the caller's
 *
 * Errors: %CLIP_ERROR_CORRUPT.
 */
gboolean
clip_archive_line_parse (const char *line,
                         gsize length,
                         ClipArchiveLine *out,
                         GError **error)
{
  json_error_t reason;
  auto_json object = NULL;

  *out = (ClipArchiveLine){ 0 };
  if (count_values (line, length) > MAX_VALUES)
    return clip_archive_fail (error, "it has more than %d values", MAX_VALUES);
  object = json_loadb (line, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &reason);
  if (!object)
    return clip_archive_fail (error, "it is not JSON: %s, at its byte %d",
                              reason_of (&reason), reason.position);
  return read_line (object, out, error);
}
