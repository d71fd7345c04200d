/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Characters out of bytes that may be anything. GLib's own functions stop at a NUL or
 * take the text for valid; a clip is neither.
 */
#include "clip-utf8.h"

/* how many bytes a character has by its first one; 0: no character starts so */
static gsize
length_by_lead (guint8 lead)
{
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2)
    return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

/* the second byte is where overlong forms, surrogates and what is beyond U+10FFFF show */
static gboolean
is_second (guint8 lead, guint8 byte)
{
  if (lead == 0xE0)
    return byte >= 0xA0 && byte <= 0xBF;
  if (lead == 0xED)
    return byte >= 0x80 && byte <= 0x9F;
  if (lead == 0xF0)
    return byte >= 0x90 && byte <= 0xBF;
  if (lead == 0xF4)
    return byte >= 0x80 && byte <= 0x8F;
  return (byte & 0xC0) == 0x80;
}

/* the bytes from the start that can belong to one character, at most @wanted */
static gsize
well_formed (const guint8 *data, gsize length, gsize wanted)
{
  gsize n = 1;

  if (length < 2 || wanted < 2 || !is_second (data[0], data[1]))
    return n;
  for (n = 2; n < MIN (length, wanted); n++)
    if ((data[n] & 0xC0) != 0x80)
      break;
  return n;
}

/**
 * clip_utf8_decode:
 * @data: at least one byte
 * @out_char: (out): the character; U+FFFD where there is none
 *
 * Returns: the bytes of the first character of @data, 0 when its first byte starts none
 */
gsize
clip_utf8_decode (const guint8 *data, gsize length, gunichar *out_char)
{
  gsize wanted = length_by_lead (data[0]);
  gunichar c;

  *out_char = 0xFFFD;
  if (wanted == 0 || well_formed (data, length, wanted) < wanted)
    return 0;
  if (wanted == 1)
    c = data[0];
  else
    c = data[0] & (0xFFu >> (wanted + 1));
  for (gsize i = 1; i < wanted; i++)
    c = c << 6 | (data[i] & 0x3F);
  *out_char = c;
  return wanted;
}

/**
 * clip_utf8_is_cut:
 *
 * Returns: whether all of @data is the beginning of one character, which more bytes could
 * complete
 */
gboolean
clip_utf8_is_cut (const guint8 *data, gsize length)
{
  gsize wanted = length > 0 ? length_by_lead (data[0]) : 0;

  return length < wanted && well_formed (data, length, wanted) == length;
}

/**
 * clip_utf8_is_space:
 *
 * Returns: whether Unicode calls @c White_Space. That is more than g_unichar_isspace(),
 * and what the existing tool trims and collapses.
 */
gboolean
clip_utf8_is_space (gunichar c)
{
  if (c < 0x80)
    return c == ' ' || (c >= '\t' && c <= '\r');
  if (c < 0x1680)
    return c == 0x85 || c == 0xA0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
         c == 0x202F || c == 0x205F || c == 0x3000;
}
