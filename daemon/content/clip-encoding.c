/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-content"
#include "clip-encoding.h"

#include <string.h>

static const char *const names[CLIP_N_ENCODINGS] = {
  [CLIP_ENCODING_BYTES] = "ISO-8859-1", [CLIP_ENCODING_UTF16LE] = "UTF-16LE",
  [CLIP_ENCODING_UTF16BE] = "UTF-16BE", [CLIP_ENCODING_UTF32LE] = "UTF-32LE",
  [CLIP_ENCODING_UTF32BE] = "UTF-32BE",
};

/**
 * clip_encoding_is_utf8:
 * @is_cut: the text may go on, and @length end it within a character
 *
 * Returns: whether it is UTF-8, NULs among it, which GLib takes for none of its
 * characters
 */
gboolean
clip_encoding_is_utf8 (const char *text, gsize length, gboolean is_cut)
{
  const char *end = text + length;

  while (!g_utf8_validate_len (text, (gsize) (end - text), &text))
    {
      if (*text != '\0')
        return is_cut && end - text < 4;
      text++;
    }
  return TRUE;
}

/**
 * clip_encoding_may_be_wide:
 *
 * Returns: whether it is not to be read as UTF-8 alone: it is none, or there is a control
 * character in it that no text has, as in each Latin or Cyrillic letter of UTF-16; a NUL
 * at the end is what C programs copy with a text
 */
gboolean
clip_encoding_may_be_wide (const char *text, gsize length)
{
  if (length > 0 && text[length - 1] == '\0')
    length--;
  for (gsize i = 0; i < length; i++)
    if (text[i] == '\0' ||
        (g_ascii_iscntrl (text[i]) && !strchr ("\b\t\n\v\f\r\033\177", text[i])))
      return TRUE;
  return !clip_encoding_is_utf8 (text, length, TRUE);
}

/* Any bytes are some Chinese in UTF-16, so that one letter of Latin-1, or one control
 * character, would make that of a text of any length. Where characters have two bytes or
 * four there is a NUL, or more of the bytes are none of ASCII. */
static gboolean
is_narrow (const char *text, gsize length)
{
  gsize n_ascii = 0;

  if (length > 0 && text[length - 1] == '\0')
    length--;
  for (gsize i = 0; i < length; i++)
    n_ascii += g_ascii_isprint (text[i]) || g_ascii_isspace (text[i]);
  return !memchr (text, '\0', length) && n_ascii > length * 7 / 8;
}

/* without the NUL of one byte, or the line end, that a program writes behind wide ones */
static gsize
whole_characters (ClipEncoding encoding, const char *text, gsize length)
{
  const gsize width = encoding >= CLIP_ENCODING_UTF32LE ? 4
                      : encoding == CLIP_ENCODING_BYTES ? 1
                                                        : 2;

  while (length % width != 0 &&
         (text[length - 1] == '\0' || g_ascii_isspace (text[length - 1])))
    length--;
  return length;
}

/* how many blanks or NULs of one byte are before the mark of a byte order; 0 = it has
 * none, or begins with it */
static gsize
count_before_mark (const char *text, gsize length)
{
  gsize n = 0;

  while (n < length && (text[n] == '\0' || g_ascii_isspace (text[n])))
    n++;
  return length - n >= 2 && (memcmp (text + n, "\xFF\xFE", 2) == 0 ||
                             memcmp (text + n, "\xFE\xFF", 2) == 0)
             ? n
             : 0;
}

/**
 * clip_encoding_read:
 * @is_cut: the text may go on, and @length end it within a character
 * @out_length: (out): bytes
 *
 * Returns: (transfer full) (nullable): the text in UTF-8, with the mark of a byte order
 * that it begins with, if it does; %NULL where it is not so encoded
 */
char *
clip_encoding_read (ClipEncoding encoding,
                    const char *text,
                    gsize length,
                    gboolean is_cut,
                    gsize *out_length)
{
  g_autofree char *converted = NULL;
  gsize n_read = 0;

  *out_length = length;
  if (encoding == CLIP_ENCODING_BYTES && clip_encoding_is_utf8 (text, length, is_cut))
    return g_memdup2 (text, length);
  if (encoding != CLIP_ENCODING_BYTES && is_narrow (text, length))
    return NULL;
  if (encoding == CLIP_ENCODING_UTF16LE || encoding == CLIP_ENCODING_UTF16BE)
    {
      const gsize n = count_before_mark (text, length);

      text += n;
      length -= n;
    }
  length = whole_characters (encoding, text, length);
  converted = g_convert (text, (gssize) length, "UTF-8", names[encoding], &n_read,
                         out_length, NULL);
  return n_read < length && !is_cut ? NULL : g_steal_pointer (&converted);
}
