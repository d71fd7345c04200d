/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The D-Bus specification, "Message Protocol": everything lies at a multiple of its own
 * size, counted from the start of the message, so arguments are built on their own and
 * put behind a header that ends at a multiple of eight.
 */
#include "clip-wire.h"

#include <string.h>

#define PROTOCOL 1
#define TYPE_CALL 1
#define FLAG_NO_AUTO_START 2

#define FIXED_BYTES 16

/* the bus itself takes no more */
#define MAX_BYTES (128 * 1024 * 1024)

#define HOST_ORDER (G_BYTE_ORDER == G_LITTLE_ENDIAN ? 'l' : 'B')

enum
{
  FIELD_PATH = 1,
  FIELD_INTERFACE,
  FIELD_MEMBER,
  FIELD_ERROR_NAME,
  FIELD_REPLY_SERIAL,
  FIELD_DESTINATION,
  FIELD_SENDER,
  FIELD_SIGNATURE,
  FIELD_UNIX_FDS,
};

static void
align (GByteArray *bytes, guint alignment)
{
  static const guint8 zeros[8];

  g_byte_array_append (bytes, zeros, (alignment - bytes->len % alignment) % alignment);
}

void
clip_wire_add_uint32 (GByteArray *bytes, guint32 value)
{
  align (bytes, sizeof value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
add_int64 (GByteArray *bytes, gint64 value)
{
  align (bytes, sizeof value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

void
clip_wire_add_string (GByteArray *bytes, const char *text)
{
  gsize length = strlen (text);

  clip_wire_add_uint32 (bytes, (guint32) length);
  g_byte_array_append (bytes, (const guint8 *) text, (guint) length + 1);
}

static void
add_signature (GByteArray *bytes, const char *signature)
{
  guint8 length = (guint8) strlen (signature);

  g_byte_array_append (bytes, &length, 1);
  g_byte_array_append (bytes, (const guint8 *) signature, length + 1u);
}

/* an element of a{sv} */
static void
begin_option (GByteArray *bytes, const char *key, const char *type)
{
  align (bytes, 8);
  clip_wire_add_string (bytes, key);
  add_signature (bytes, type);
}

void
clip_wire_add_option_string (GByteArray *bytes, const char *key, const char *text)
{
  begin_option (bytes, key, "s");
  clip_wire_add_string (bytes, text);
}

void
clip_wire_add_option_int64 (GByteArray *bytes, const char *key, gint64 value)
{
  begin_option (bytes, key, "x");
  add_int64 (bytes, value);
}

void
clip_wire_add_option_strings (GByteArray *bytes, const char *key, GPtrArray *texts)
{
  gsize begin;

  begin_option (bytes, key, "as");
  begin = clip_wire_begin_array (bytes, 4);
  for (guint i = 0; i < texts->len; i++)
    clip_wire_add_string (bytes, g_ptr_array_index (texts, i));
  clip_wire_end_array (bytes, begin, 4);
}

/**
 * clip_wire_begin_array:
 * @alignment: of an element
 *
 * Returns: what clip_wire_end_array() has to be given
 */
gsize
clip_wire_begin_array (GByteArray *bytes, guint alignment)
{
  gsize begin;

  clip_wire_add_uint32 (bytes, 0);
  begin = bytes->len;
  align (bytes, alignment);
  return begin;
}

/* the padding before the first element does not count */
void
clip_wire_end_array (GByteArray *bytes, gsize begin, guint alignment)
{
  gsize first = (begin + alignment - 1) / alignment * alignment;
  guint32 length = (guint32) (bytes->len - first);

  memcpy (bytes->data + begin - sizeof length, &length, sizeof length);
}

static void
begin_field (GByteArray *bytes, guint8 field, const char *type)
{
  align (bytes, 8);
  g_byte_array_append (bytes, &field, 1);
  add_signature (bytes, type);
}

static void
add_text_field (GByteArray *bytes, guint8 field, const char *type, const char *text)
{
  begin_field (bytes, field, type);
  clip_wire_add_string (bytes, text);
}

static void
add_fields (GByteArray *bytes, const ClipWireCall *call)
{
  gsize begin = clip_wire_begin_array (bytes, 8);

  add_text_field (bytes, FIELD_PATH, "o", call->path);
  add_text_field (bytes, FIELD_INTERFACE, "s", call->interface);
  add_text_field (bytes, FIELD_MEMBER, "s", call->method);
  add_text_field (bytes, FIELD_DESTINATION, "s", call->destination);
  if (*call->signature)
    {
      begin_field (bytes, FIELD_SIGNATURE, "g");
      add_signature (bytes, call->signature);
    }
  if (call->n_fds > 0)
    {
      begin_field (bytes, FIELD_UNIX_FDS, "u");
      clip_wire_add_uint32 (bytes, call->n_fds);
    }
  clip_wire_end_array (bytes, begin, 8);
}

/**
 * clip_wire_add_call:
 * @bytes: whose length is a multiple of eight
 * @args: (nullable): as clip_wire_add_string() and its like have made them
 *
 * Appends a call, after which @bytes may be added another one. It starts no daemon.
 */
void
clip_wire_add_call (GByteArray *bytes, const ClipWireCall *call, const GByteArray *args)
{
  const guint8 start[] = { HOST_ORDER, TYPE_CALL, FLAG_NO_AUTO_START, PROTOCOL };
  g_autoptr (GByteArray) message = g_byte_array_new ();

  g_byte_array_append (message, start, sizeof start);
  clip_wire_add_uint32 (message, args ? args->len : 0);
  clip_wire_add_uint32 (message, call->serial);
  add_fields (message, call);
  align (message, 8);
  g_byte_array_append (bytes, message->data, message->len);
  if (args)
    g_byte_array_append (bytes, args->data, args->len);
}

/* What is being read: FALSE, and `at` stays, where it ends too early. */
typedef struct
{
  const guint8 *data;
  gsize length;
  gsize at;
} Cursor;

static gboolean
skip (Cursor *cursor, gsize n, guint alignment)
{
  gsize start = (cursor->at + alignment - 1) / alignment * alignment;

  if (start > cursor->length || n > cursor->length - start)
    return FALSE;
  cursor->at = start + n;
  return TRUE;
}

static gboolean
take_uint32 (Cursor *cursor, guint32 *out_value)
{
  if (!skip (cursor, sizeof *out_value, sizeof *out_value))
    return FALSE;
  memcpy (out_value, cursor->data + cursor->at - sizeof *out_value, sizeof *out_value);
  return TRUE;
}

/* @length: without the NUL that has to follow */
static gboolean
take_chars (Cursor *cursor, gsize length, const char **out_text)
{
  const char *text = (const char *) cursor->data + cursor->at;

  if (length >= cursor->length - cursor->at ||
      memchr (text, '\0', length + 1) != text + length)
    return FALSE;
  *out_text = text;
  cursor->at += length + 1;
  return TRUE;
}

static gboolean
take_string (Cursor *cursor, const char **out_text)
{
  guint32 length;

  return take_uint32 (cursor, &length) && take_chars (cursor, length, out_text);
}

static gboolean
take_signature (Cursor *cursor, const char **out_text)
{
  return skip (cursor, 1, 1) &&
         take_chars (cursor, cursor->data[cursor->at - 1], out_text);
}

static gboolean
take_field (Cursor *cursor, ClipWireMessage *message)
{
  const char *type, *text;
  guint8 field;

  if (!skip (cursor, 1, 8))
    return FALSE;
  field = cursor->data[cursor->at - 1];
  if (!take_signature (cursor, &type))
    return FALSE;
  if (field == FIELD_REPLY_SERIAL)
    return g_str_equal (type, "u") && take_uint32 (cursor, &message->reply_serial);
  if (g_str_equal (type, "g"))
    return take_signature (cursor,
                           field == FIELD_SIGNATURE ? &message->signature : &text);
  if (g_str_equal (type, "s") || g_str_equal (type, "o"))
    return take_string (cursor, field == FIELD_ERROR_NAME ? &message->error_name : &text);
  return g_str_equal (type, "u") && skip (cursor, 4, 4);
}

static gboolean
take_fields (Cursor *cursor, gsize length, ClipWireMessage *message)
{
  Cursor fields = { cursor->data, cursor->at + length, cursor->at };

  while (fields.at < fields.length)
    if (!take_field (&fields, message))
      return FALSE;
  cursor->at = fields.length;
  return skip (cursor, 0, 8);
}

/**
 * clip_wire_read:
 * @data: what came, from the start of a message on
 * @out_used: (out): the bytes of the message, where it is whole
 * @out_whole: (out): whether it is
 *
 * Returns: %FALSE where this is no message, or one of another byte order
 */
gboolean
clip_wire_read (const guint8 *data,
                gsize length,
                ClipWireMessage *message,
                gsize *out_used,
                gboolean *out_whole)
{
  Cursor cursor = { data, length, 4 };
  guint32 body_length, serial, fields_length;
  gsize total;

  *message = (ClipWireMessage){ .signature = "" };
  *out_whole = FALSE;
  if (length < FIXED_BYTES)
    return TRUE;
  if (data[0] != HOST_ORDER || data[3] != PROTOCOL ||
      !take_uint32 (&cursor, &body_length) || !take_uint32 (&cursor, &serial) ||
      !take_uint32 (&cursor, &fields_length) || body_length > MAX_BYTES ||
      fields_length > MAX_BYTES)
    return FALSE;
  total = FIXED_BYTES + (fields_length + 7) / 8 * 8 + body_length;
  if (length < total)
    return TRUE;
  cursor.length = total - body_length;
  if (!take_fields (&cursor, fields_length, message))
    return FALSE;
  message->type = data[1];
  message->body = data + total - body_length;
  message->body_length = body_length;
  *out_used = total;
  *out_whole = TRUE;
  return TRUE;
}

/* (nullable): the text that the body begins with, if it does with one */
const char *
clip_wire_text (const ClipWireMessage *message)
{
  Cursor cursor = { message->body, message->body_length, 0 };
  const char *text;

  return message->signature[0] == 's' && take_string (&cursor, &text) ? text : NULL;
}

/* past a value of these types, with which every value of ours is made */
static gboolean
take_value (Cursor *cursor, const char *type, const char **out_text)
{
  *out_text = NULL;
  if (g_str_equal (type, "s"))
    return take_string (cursor, out_text);
  if (g_str_equal (type, "t") || g_str_equal (type, "x"))
    return skip (cursor, 8, 8);
  return (g_str_equal (type, "b") || g_str_equal (type, "u")) && skip (cursor, 4, 4);
}

/* (nullable): of an answer that is a number and details, the detail @key, where it is a text */
const char *
clip_wire_detail (const ClipWireMessage *message, const char *key)
{
  Cursor cursor = { message->body, message->body_length, 0 };
  const char *name, *type, *text;
  guint32 length;

  if (!g_str_equal (message->signature, "ta{sv}") || !skip (&cursor, 8, 8) ||
      !take_uint32 (&cursor, &length))
    return NULL;
  while (skip (&cursor, 0, 8) && take_string (&cursor, &name) &&
         take_signature (&cursor, &type) && take_value (&cursor, type, &text))
    if (g_str_equal (name, key))
      return text;
  return NULL;
}
