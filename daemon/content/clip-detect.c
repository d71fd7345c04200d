/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The type of bytes that have no name. No text is taken for an image: each signature
 * below has a byte in it, or is looked at together with one, that UTF-8 text does not
 * hold.
 */
#include "clip-detect.h"

#include "clip-mime.h"
#include "clip-utf8.h"

#include <string.h>

/* in @bytes, a question mark stands for any byte */
typedef struct
{
  const char *bytes;
  guint8 length;
  gboolean wants_nul; /* all of its signature could be text */
  const char *format; /* as Go names it and scripts match it; NULL: has no such name */
  const char *mime;
} Signature;

static const Signature signatures[] = {
  { "\x89PNG\r\n\x1A\n", 8, FALSE, "png", "image/png" },
  { "\xFF\xD8\xFF", 3, FALSE, "jpeg", "image/jpeg" },
  { "GIF87a", 6, TRUE, "gif", "image/gif" },
  { "GIF89a", 6, TRUE, "gif", "image/gif" },
  { "BM????\0\0\0\0", 10, FALSE, "bmp", "image/bmp" },
  { "II*\0", 4, FALSE, "tiff", "image/tiff" },
  { "MM\0*", 4, FALSE, "tiff", "image/tiff" },
  { "RIFF????WEBPVP8", 15, TRUE, "webp", "image/webp" },
  { "\0\0\0?ftypavif", 12, FALSE, NULL, "image/avif" },
  { "\0\0\0\x0CJXL \r\n\x87\n", 12, FALSE, NULL, "image/jxl" },
};

static gboolean
matches (const Signature *self, const guint8 *data, gsize length)
{
  if (length < self->length)
    return FALSE;
  for (gsize i = 0; i < self->length; i++)
    if (self->bytes[i] != '?' && (guint8) self->bytes[i] != data[i])
      return FALSE;
  return !self->wants_nul || memchr (data, 0, length) != NULL;
}

static const Signature *
find_signature (const void *head, gsize length)
{
  for (guint i = 0; i < G_N_ELEMENTS (signatures); i++)
    if (matches (&signatures[i], head, length))
      return &signatures[i];
  return NULL;
}

/* a NUL is valid UTF-8, but no text: archives of text files are full of it */
static gboolean
is_text (const guint8 *data, gsize length, gboolean whole)
{
  for (gsize i = 0, step; i < length; i += step)
    {
      gunichar c;

      step = clip_utf8_decode (data + i, length - i, &c);
      if (step == 0)
        return !whole && clip_utf8_is_cut (data + i, length - i);
      if (c == 0)
        return FALSE;
    }
  return TRUE;
}

/**
 * clip_detect_mime:
 * @head: the first bytes of a content, or all of it
 * @whole: whether that is all: if not, it may end inside a character
 *
 * Returns: an image type by its signature, else %CLIP_MIME_TEXT for valid UTF-8, else
 * %CLIP_MIME_OCTETS; static
 */
const char *
clip_detect_mime (const void *head, gsize length, gboolean whole)
{
  const Signature *found = find_signature (head, length);

  if (found)
    return found->mime;
  return is_text (head, length, whole) ? CLIP_MIME_TEXT : CLIP_MIME_OCTETS;
}

/**
 * clip_detect_image:
 *
 * Returns: (nullable): the short name of an image that the existing tool knows, as its
 * list prints it: png, jpeg, gif, bmp, tiff, webp; static
 */
const char *
clip_detect_image (const void *head, gsize length)
{
  const Signature *found = find_signature (head, length);

  return found ? found->format : NULL;
}

/**
 * clip_detect_blank:
 * @data: all of a content
 *
 * Returns: whether it is empty, or nothing but Unicode white space
 */
gboolean
clip_detect_blank (const void *data, gsize length)
{
  const guint8 *bytes = data;

  for (gsize i = 0, step; i < length; i += step)
    {
      gunichar c;

      step = clip_utf8_decode (bytes + i, length - i, &c);
      if (step == 0 || !clip_utf8_is_space (c))
        return FALSE;
    }
  return TRUE;
}

/* Returns: the end of the tag that begins there, where that shows nothing by itself;
 * %NULL where it is another one, or none */
static const char *
skip_unseen_tag (const char *at, const char *end)
{
  static const char *const unseen[] = { "<!--",   "<meta",  "<html",  "<head", "<body",
                                        "<span",  "<div",   "<p",     "<br",   "</html",
                                        "</head", "</body", "</span", "</div", "</p" };

  for (gsize i = 0; i < G_N_ELEMENTS (unseen); i++)
    {
      const gsize length = strlen (unseen[i]);

      if ((gsize) (end - at) > length &&
          g_ascii_strncasecmp (at, unseen[i], length) == 0 &&
          (i == 0 || !g_ascii_isalnum (at[length])))
        {
          const char *last = memchr (at, '>', (gsize) (end - at));

          return last ? last + 1 : NULL;
        }
    }
  return NULL;
}

/**
 * clip_detect_blank_html:
 * @data: all of a content
 *
 * As browsers offer white space. What is not understood is taken for something.
 *
 * Returns: whether it is nothing but Unicode white space, between tags that show nothing
 */
gboolean
clip_detect_blank_html (const void *data, gsize length)
{
  static const char space[] = "&nbsp;";
  const char *at = data;
  const char *end = at + length;

  while (at < end)
    if (*at == '<')
      {
        at = skip_unseen_tag (at, end);
        if (!at)
          return FALSE;
      }
    else if ((gsize) (end - at) >= strlen (space) &&
             memcmp (at, space, strlen (space)) == 0)
      at += strlen (space);
    else
      {
        const char *next = at + 1;

        while (next < end && *next != '<' && *next != '&')
          next++;
        if (!clip_detect_blank (at, (gsize) (next - at)))
          return FALSE;
        at = next;
      }
  return TRUE;
}
