/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The line by which a list shows a content. It is made once, when the content is stored,
 * from the first bytes of it, and is cut to the width that is asked for when it is shown:
 * that is why listing does not depend on how large the contents are. Scripts match these
 * lines: their form is the existing tool's.
 */
#include "clip-preview.h"

#include "clip-detect.h"
#include "clip-image-size.h"
#include "clip-mime.h"
#include "clip-units.h"
#include "clip-utf8.h"

#include <stdio.h>
#include <string.h>

/* of the line that is stored, but for its ellipsis */
#define PREVIEW_MAX_BYTES CLIP_HEAD_BYTES

/* `image/svg+xml` -> `svg`, `image/x-icon` -> `icon` */
static char *
format_by_mime (const char *mime)
{
  const char *name = mime + strlen ("image/");
  gsize length;

  if (g_str_has_prefix (name, "x-"))
    name += 2;
  for (length = 0; g_ascii_isalnum (name[length]);)
    length++;
  return length > 0 ? g_ascii_strdown (name, length) : g_strdup ("image");
}

/* a content that has a name is what it is called, and no text is an image then that only
 * begins like one; of one without a name only what the existing tool lists as an image
 * is one */
static char *
image_format (const char *mime,
              const void *head,
              gsize length,
              const ClipImageSize *found)
{
  const char *by_content = clip_detect_image (head, length);

  if (found->is_listed && (!mime || by_content))
    return g_strdup (found->format);
  if (!mime || g_ascii_strncasecmp (mime, "image/", strlen ("image/")) != 0)
    return NULL;
  return by_content ? g_strdup (by_content) : format_by_mime (mime);
}

#define IMAGE_BEGINS "[[ binary data "

/* whether a content is listed as an image. @preview: need not end with a NUL */
gboolean
clip_preview_is_image (const char *preview, gsize length)
{
  return length >= strlen (IMAGE_BEGINS) &&
         memcmp (preview, IMAGE_BEGINS, strlen (IMAGE_BEGINS)) == 0;
}

/**
 * clip_preview_image_pixels:
 * @preview: of an image; need not end with a NUL
 * @out_width: (out): pixels
 *
 * Returns: whether the line says how large it is
 */
gboolean
clip_preview_image_pixels (const char *preview,
                           gsize length,
                           guint32 *out_width,
                           guint32 *out_height)
{
  g_autofree char *line = g_strndup (preview, length);
  const char *blank = NULL;

  if (!clip_preview_is_image (preview, length) || !g_str_has_suffix (line, " ]]"))
    return FALSE;
  line[length - strlen (" ]]")] = '\0';
  blank = strrchr (line, ' ');
  return blank && sscanf (blank, " %" G_GUINT32_FORMAT "x%" G_GUINT32_FORMAT, out_width,
                          out_height) == 2;
}

/* a scheme and a path (RFC 3986, 3) */
static gboolean
is_uri (const char *word)
{
  const char *at = word;

  while (g_ascii_isalnum (*at) || (at > word && *at && strchr ("+-.", *at)))
    at++;
  if (at == word || at[0] != ':' || at[1] != '/')
    return FALSE;
  while (*at && !g_ascii_iscntrl (*at))
    at++;
  return *at == '\0';
}

/* whether @word is the last one of a line that is cut, and begins as the URI before it */
static gboolean
is_cut_uri (const char *word, const char *before)
{
  const gsize length = strlen (word);

  return g_str_has_suffix (word, CLIP_UTF8_ELLIPSIS) &&
         strncmp (word, before, length - strlen (CLIP_UTF8_ELLIPSIS)) == 0;
}

/**
 * clip_preview_is_uris:
 * @preview: of a list of files
 *
 * Returns: whether there is a URI in it, and nothing else to read but what file managers
 * say beside these is to become of the files
 */
gboolean
clip_preview_is_uris (const char *preview)
{
  static const char *const verbs[] = { "copy", "cut", "x-special/nautilus-clipboard",
                                       NULL };
  g_auto (GStrv) words = g_strsplit (preview, " ", -1);
  const char *uri = NULL;

  for (char **word = words; *word; word++)
    if (is_uri (*word))
      uri = *word;
    else if (!g_strv_contains (verbs, *word) && !(uri && is_cut_uri (*word, uri)))
      return FALSE;
  return uri != NULL;
}

static char *
image_line (const char *format, const ClipImageSize *found, gint64 size)
{
  g_autofree char *size_text = clip_format_size (size);

  if (!found->is_listed && (found->width == 0 || found->height == 0))
    return g_strdup_printf (IMAGE_BEGINS "%s %s ]]", size_text, format);
  return g_strdup_printf (IMAGE_BEGINS "%s %s %ux%u ]]", size_text, format, found->width,
                          found->height);
}

typedef struct
{
  GString *out;
  gsize most_bytes;
  gboolean blank; /* white space was seen since the last character */
  gboolean full;
} Line;

static void
put_char (Line *self, gunichar c)
{
  char utf8[6];
  int length = g_unichar_to_utf8 (c, utf8);

  if (clip_utf8_is_space (c))
    {
      self->blank = self->out->len > 0;
      return;
    }
  if (self->out->len + self->blank + length > self->most_bytes)
    {
      self->full = TRUE;
      return;
    }
  if (self->blank)
    g_string_append_c (self->out, ' ');
  self->blank = FALSE;
  g_string_append_len (self->out, utf8, length);
}

/* how many printable characters of ASCII there are at the beginning: most texts are
   little else */
static gsize
count_plain (const guint8 *text, gsize length)
{
  gsize n = 0;

  while (n < length && text[n] > ' ' && text[n] < 0x7F)
    n++;
  return n;
}

/* as put_char(), for each of them */
static void
put_plain (Line *self, const guint8 *text, gsize n)
{
  gsize used = self->out->len + self->blank;
  gsize room = self->most_bytes - MIN (used, self->most_bytes);

  self->full = n > room;
  if (room == 0)
    return;
  if (self->blank)
    g_string_append_c (self->out, ' ');
  self->blank = FALSE;
  g_string_append_len (self->out, (const char *) text, (gssize) MIN (n, room));
}

/* scripts break at a NUL and at invalid UTF-8: the one is dropped, the other marked */
static char *
text_line (const guint8 *head,
           gsize length,
           gboolean cut,
           gboolean latin1,
           gsize most_bytes)
{
  Line line = {
    .out = g_string_sized_new (MIN (length, most_bytes) + 8),
    .most_bytes = most_bytes,
  };

  for (gsize i = 0, step; i < length && !line.full; i += MAX (step, 1))
    {
      gunichar c = head[i];

      step = count_plain (head + i, length - i);
      if (step > 0)
        {
          put_plain (&line, head + i, step);
          continue;
        }
      step = latin1 ? 1 : clip_utf8_decode (head + i, length - i, &c);
      if (cut && step == 0 && clip_utf8_is_cut (head + i, length - i))
        break;
      if (c != 0)
        put_char (&line, c);
    }
  /* of a long one that is all NUL there is something to see, too */
  if (cut || line.full || (line.out->len == 0 && length > CLIP_HEAD_BYTES))
    g_string_append (line.out, CLIP_UTF8_ELLIPSIS);
  return g_string_free (line.out, FALSE);
}

/**
 * clip_preview_make:
 * @mime: (nullable): the type of the content, if it has one
 * @head: its first bytes; %CLIP_HEAD_BYTES are enough for most texts, not for the size of
 * each image and where there are mostly blanks
 * @size: bytes of the whole content
 *
 * Images, by content or by the type that was named, become
 * `[[ binary data 12 KiB png 100x50 ]]`, without the last word where the size does not
 * stand in @head. All else is text: white space around it is gone, every run of it is one
 * blank. Where more follows than @head, it ends with an ellipsis.
 *
 * Returns: (transfer full): one line of valid UTF-8 without line ends, tabs and NUL; not
 * cut to any width. Other control characters are as they were.
 */
char *
clip_preview_make (const char *mime, const void *head, gsize length, gint64 size)
{
  gsize used = MIN (length, CLIP_HEAD_BYTES);
  g_autofree char *format = NULL;
  ClipImageSize found;

  clip_image_size (head, length, &found);
  format = image_format (mime, head, used, &found);
  if (format)
    return image_line (format, &found, size);
  used = MIN (length, CLIP_PREVIEW_SEARCHED_BYTES);
  return text_line (head, used, size > (gint64) used,
                    mime && clip_mime_same (mime, CLIP_MIME_LATIN1), PREVIEW_MAX_BYTES);
}

/**
 * clip_preview_make_wide:
 * @mime: the type of a content that is listed as text
 * @width: code points that are to be shown
 *
 * As clip_preview_make(), for more than the line that is stored.
 */
char *
clip_preview_make_wide (const char *mime,
                        const void *head,
                        gsize length,
                        gint64 size,
                        gint64 width)
{
  return text_line (head, length, size > (gint64) length,
                    clip_mime_same (mime, CLIP_MIME_LATIN1), 4 * (gsize) width + 4);
}

/**
 * clip_preview_is_prefix:
 *
 * Returns: whether @head starts with the bytes of @preview, so that their number is all
 * that need be stored of it
 */
gboolean
clip_preview_is_prefix (const char *preview, const void *head, gsize length)
{
  gsize bytes = strlen (preview);

  return bytes <= length && (bytes == 0 || memcmp (preview, head, bytes) == 0);
}

/* how many characters start in them: all bytes but those of the form 10xxxxxx. A product
 * adds up the bytes of a word in its highest one; counting bits is a call where the
 * processor is not known to do it. */
static int
characters_in_eight (const char *bytes)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 word;

  memcpy (&word, bytes, sizeof word);
  word = word >> 7 & ~word >> 6 & ones;
  return 8 - (int) (word * ones >> 56);
}

/**
 * clip_preview_cut:
 * @width: code points; below 0: all
 *
 * Returns: the bytes of @text that @width code points have; @length where there are no
 * more
 */
gsize
clip_preview_cut (const char *text, gsize length, gint64 width)
{
  gint64 seen = 0;
  gsize i = 0;

  if (width < 0 || (gint64) length <= width)
    return length;
  for (; i + 8 <= length && seen + 8 <= width; i += 8)
    seen += characters_in_eight (text + i);
  for (; i < length; i++)
    if ((text[i] & 0xC0) != 0x80 && seen++ == width)
      return i;
  return length;
}

/**
 * clip_preview_append:
 * @preview: as clip_preview_make() made it; need not end with a NUL
 * @width: code points; what is longer is cut there and ends with an ellipsis; below 0:
 * not cut
 */
void
clip_preview_append (GString *out, const char *preview, gsize length, gint64 width)
{
  gsize shown = clip_preview_cut (preview, length, width);

  g_string_append_len (out, preview, shown);
  if (shown < length)
    g_string_append_len (out, CLIP_UTF8_ELLIPSIS, strlen (CLIP_UTF8_ELLIPSIS));
}

/* DEL, C1 controls, what ends a line or a paragraph, and what turns the direction of
   writing: it lets text pose as other text */
gboolean
clip_preview_is_hidden (gunichar c)
{
  return (c >= 0x7F && c <= 0x9F) || c == 0x61C || (c >= 0x200E && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

static void
append_visible (GString *out, gunichar c)
{
  if (c < 0x20)
    c += 0x2400;
  else if (c == 0x7F)
    c = 0x2421;
  else if (clip_preview_is_hidden (c))
    c = 0xFFFD;
  g_string_append_unichar (out, c);
}

/**
 * clip_preview_append_safe:
 * @preview: any bytes
 * @width: as in clip_preview_append()
 *
 * As clip_preview_append(), for a terminal: a control character becomes its picture, and
 * nothing in @preview can move the cursor, change colours or reverse the text.
 */
void
clip_preview_append_safe (GString *out, const char *preview, gsize length, gint64 width)
{
  gsize shown = clip_preview_cut (preview, length, width);

  for (gsize i = 0, step; i < shown; i += MAX (step, 1))
    {
      gunichar c;

      step = clip_utf8_decode ((const guint8 *) preview + i, shown - i, &c);
      append_visible (out, c);
    }
  if (shown < length)
    g_string_append (out, CLIP_UTF8_ELLIPSIS);
}
