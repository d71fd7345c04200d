/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The arrays of a file are walked here, and jansson reads what is in them, one value after
 * the other: so a history is never in memory as a whole.
 */
#include "clip-foreign-json.h"

#include <string.h>

/* a clip, in base64 */
#define MAX_VALUE_BYTES (1024 * 1024 * 1024)

#define BLANKS " \t\r\n"

/**
 * clip_foreign_json_begins:
 * @form: of the first bytes, without the blanks between them; 0 stands for a number
 */
gboolean
clip_foreign_json_begins (const ClipForeignFile *file, const char *form)
{
  g_autofree char *head = g_strndup (file->head, file->head_length);
  const char *at = head;

  for (; *form; form++)
    {
      at += strspn (at, BLANKS);
      if (*form == '0' ? !g_ascii_isdigit (*at) : *at != *form)
        return FALSE;
      at += *form == '0' ? strspn (at, "0123456789") : 1;
    }
  return TRUE;
}

/* the next byte that is not blank; 0 at the end */
gboolean
clip_foreign_json_peek (ClipForeignBytes *bytes, char *out, GError **error)
{
  const guint8 *piece;
  gsize length;

  while (clip_foreign_bytes_peek (bytes, &piece, &length, error))
    {
      gsize n = 0;

      while (n < length && piece[n] && strchr (BLANKS, piece[n]))
        n++;
      bytes->at += (goffset) n;
      *out = n < length ? (char) piece[n] : '\0';
      if (n < length || length == 0)
        return TRUE;
    }
  return FALSE;
}

/* passes over @expected. Errors: %CLIP_ERROR_CORRUPT where something else stands there */
gboolean
clip_foreign_json_take (ClipForeignBytes *bytes, char expected, GError **error)
{
  char found;

  if (!clip_foreign_json_peek (bytes, &found, error))
    return FALSE;
  if (found != expected)
    return clip_foreign_damaged (error, bytes->at,
                                 found ? "it is malformed" : "it breaks off");
  bytes->at++;
  return TRUE;
}

typedef struct
{
  ClipForeignBytes *bytes;
  goffset start;
  GError *fault;
} Feed;

static size_t
feed (void *buffer, size_t size, void *user_data)
{
  Feed *self = user_data;
  const guint8 *piece;
  gsize length;

  if (self->bytes->at - self->start > MAX_VALUE_BYTES)
    clip_foreign_damaged (&self->fault, self->start, "it is too long");
  else if (clip_foreign_bytes_peek (self->bytes, &piece, &length, &self->fault))
    {
      length = MIN (length, size);
      memcpy (buffer, piece, length);
      self->bytes->at += (goffset) length;
      return length;
    }
  return (size_t) -1;
}

/* without the words of the library, which quote what somebody copied */
static gboolean
say_where (GError **error, const Feed *feed, const json_error_t *reason)
{
  goffset at = feed->start + MAX (reason->position, 0);

  switch (json_error_code (reason))
    {
    case json_error_premature_end_of_input:
      return clip_foreign_damaged (error, at, "it breaks off");
    case json_error_invalid_utf8:
      return clip_foreign_damaged (error, at, "it is not UTF-8");
    default:
      return clip_foreign_damaged (error, at, "it is malformed");
    }
}

/**
 * clip_foreign_json_value:
 *
 * Returns: (transfer full) (nullable): the next value; %NULL with the error set
 */
json_t *
clip_foreign_json_value (ClipForeignBytes *bytes, GError **error)
{
  Feed source = { .bytes = bytes, .start = bytes->at };
  json_error_t reason;
  json_t *value = json_load_callback (feed, &source,
                                      JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES |
                                          JSON_DECODE_ANY | JSON_ALLOW_NUL,
                                      &reason);

  if (source.fault)
    g_propagate_error (error, source.fault);
  else if (!value)
    say_where (error, &source, &reason);
  if (value) /* it was given more than it took */
    clip_foreign_bytes_seek (bytes, source.start + reason.position);
  if (value && source.fault)
    g_clear_pointer (&value, json_decref);
  return value;
}

/* (transfer none) (nullable): where it is one, without a NUL */
const char *
clip_foreign_json_text (const json_t *object, const char *key)
{
  const json_t *value = json_object_get (object, key);
  const char *text = json_string_value (value);

  return text && strlen (text) == json_string_length (value) ? text : NULL;
}
