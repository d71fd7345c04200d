/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A text as the index has it: case folded, and seen as overlapping runs of three bytes.
 * Folding goes letter by letter, so that what is a part of a text stays a part of it, and
 * letters that a caseless pattern takes for each other fold to the same bytes. Whatever
 * clip_match_test() finds in a text is therefore in the folded text, too; the reverse
 * need not hold, as every candidate is looked at again.
 */
#include "clip-trigrams.h"

#include "clip-utf8.h"

#include <string.h>

/* Returns: the bytes from the start that are letters beyond ASCII */
static gsize
wide_run (const guint8 *bytes, gsize length)
{
  gsize run = 0, step;
  gunichar c;

  while (run < length && bytes[run] >= 0x80 &&
         (step = clip_utf8_decode (bytes + run, length - run, &c)) > 0)
    run += step;
  return run;
}

/* Cherokee has its capitals as the folded form, but g_utf8_casefold() lowers them */
static gunichar
settle (gunichar c)
{
  if (c >= 0x13A0 && c <= 0x13EF)
    return c - 0x13A0 + 0xAB70;
  return c >= 0x13F0 && c <= 0x13F5 ? c - 0x13F0 + 0x13F8 : c;
}

static void
append_wide (GByteArray *out, const guint8 *bytes, gsize length)
{
  g_autofree char *folded = g_utf8_casefold ((const char *) bytes, (gssize) length);

  for (const char *cursor = folded; *cursor; cursor = g_utf8_next_char (cursor))
    {
      char utf8[8];
      int n = g_unichar_to_utf8 (settle (g_utf8_get_char (cursor)), utf8);

      g_byte_array_append (out, (const guint8 *) utf8, (guint) n);
    }
}

/**
 * clip_trigrams_fold:
 * @out: what it held is gone
 * @text: any bytes; what is not UTF-8 in them stays as it is
 */
void
clip_trigrams_fold (GByteArray *out, const void *text, gsize length)
{
  const guint8 *bytes = text;

  g_byte_array_set_size (out, 0);
  for (gsize i = 0; i < length;)
    {
      gsize start = i, wide;

      while (i < length && bytes[i] < 0x80)
        i++;
      if (i > start)
        {
          g_byte_array_append (out, bytes + start, (guint) (i - start));
          for (guint8 *c = out->data + out->len - (i - start); c < out->data + out->len;
               c++)
            *c = (guint8) g_ascii_tolower ((char) *c);
        }
      if (i == length)
        return;
      wide = wide_run (bytes + i, length - i);
      if (wide > 0)
        append_wide (out, bytes + i, wide);
      else
        g_byte_array_append (out, bytes + i, 1);
      i += MAX (wide, 1);
    }
}
