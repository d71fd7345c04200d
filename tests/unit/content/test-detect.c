/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-detect.h"

#include "clip-mime.h"
#include "clip-utf8.h"

#include <string.h>

typedef struct
{
  const char *bytes;
  gsize length;
  const char *value;
} Case;

#define BYTES(text) text, sizeof (text) - 1

static void
test_images (void)
{
  static const Case cases[] = {
    { BYTES ("\x89PNG\r\n\x1A\n\0\0"), "png" },
    { BYTES ("\xFF\xD8\xFF\xE0"), "jpeg" },
    { BYTES ("GIF89a\1\0\1\0"), "gif" },
    { BYTES ("GIF87a\1\0\1\0"), "gif" },
    { BYTES ("BM\x3E\0\0\0\0\0\0\0\x36"), "bmp" },
    { BYTES ("II*\0\10\0\0\0"), "tiff" },
    { BYTES ("MM\0*\0\0\0\10"), "tiff" },
    { BYTES ("RIFF\x24\0\0\0WEBPVP8 "), "webp" },
    { BYTES ("GIF89a is what they start with"), NULL },
    { BYTES ("BMW"), NULL },
    { BYTES ("RIFFraff WEBPVP8"), NULL },
    { BYTES ("\x89PNG\r\n"), NULL },
    { BYTES ("\0\0\0\x1C"
             "ftypavif"),
      NULL },
    { BYTES (""), NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (clip_detect_image (cases[i].bytes, cases[i].length), ==,
                     cases[i].value);
}

static void
test_mime (void)
{
  static const Case cases[] = {
    { BYTES ("\x89PNG\r\n\x1A\n\0\0"), "image/png" },
    { BYTES ("\0\0\0\x1C"
             "ftypavif"),
      "image/avif" },
    { BYTES ("plain"), CLIP_MIME_TEXT },
    { BYTES (""), CLIP_MIME_TEXT },
    { BYTES ("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80"), CLIP_MIME_TEXT },
    { BYTES ("gr\xFC\xDF"), CLIP_MIME_OCTETS },
    { BYTES ("a\0b"), CLIP_MIME_OCTETS },
    { BYTES ("\xC0\x80"), CLIP_MIME_OCTETS },
    { BYTES ("\xED\xA0\x80"), CLIP_MIME_OCTETS },
    { BYTES ("\xF4\x90\x80\x80"), CLIP_MIME_OCTETS },
    { BYTES ("cut \xE2\x82"), CLIP_MIME_OCTETS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (clip_detect_mime (cases[i].bytes, cases[i].length, TRUE), ==,
                     cases[i].value);
}

static void
test_head_ends_inside (void)
{
  static const Case cases[] = {
    { BYTES ("cut \xE2\x82"), CLIP_MIME_TEXT },
    { BYTES ("cut \xF0\x9F\x98"), CLIP_MIME_TEXT },
    { BYTES ("cut \xC3"), CLIP_MIME_TEXT },
    { BYTES ("cut \xE0\x80"), CLIP_MIME_OCTETS },
    { BYTES ("cut \x82"), CLIP_MIME_OCTETS },
    { BYTES ("cut \xE2\x82 on"), CLIP_MIME_OCTETS },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpstr (clip_detect_mime (cases[i].bytes, cases[i].length, FALSE), ==,
                     cases[i].value);
}

static void
test_blank (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    gboolean blank;
  } cases[] = {
    { BYTES (""), TRUE },
    { BYTES (" \t\n\v\f\r"), TRUE },
    { BYTES ("\xC2\x85\xC2\xA0\xE1\x9A\x80"), TRUE },
    { BYTES ("\xE2\x80\x80\xE2\x80\x8A\xE2\x80\xA8\xE2\x80\xA9"), TRUE },
    { BYTES ("\xE2\x80\xAF\xE2\x81\x9F\xE3\x80\x80"), TRUE },
    { BYTES (" a "), FALSE },
    { BYTES ("\xE2\x80\x8B"), FALSE }, /* zero-width space is none */
    { BYTES ("\xEF\xBB\xBF"), FALSE },
    { BYTES ("\x85"), FALSE },
    { BYTES ("\xA0"), FALSE },
    { BYTES ("\0"), FALSE },
    { BYTES (" \xE2\x80"), FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (clip_detect_blank (cases[i].bytes, cases[i].length), ==,
                     cases[i].blank);
}

/* as Chromium, Firefox and what passes them on write it */
static void
test_blank_html (void)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    gboolean blank;
  } cases[] = {
    { BYTES (" "), TRUE },
    { BYTES ("<meta charset='utf-8'><span style=\"color: red\"> </span>"), TRUE },
    { BYTES ("<META charset='utf-8'><p>&nbsp;</P><br/>\xC2\xA0"), TRUE },
    { BYTES ("<html><body>\n<!--StartFragment--> <!--EndFragment-->\n</body></html>"),
      TRUE },
    { BYTES ("<span>a</span>"), FALSE },
    { BYTES ("<span>&gt;</span>"), FALSE },
    { BYTES ("<span> </span><img src='a'>"), FALSE },
    { BYTES ("<table><tr><td bgcolor='red'> </td></tr></table>"), FALSE },
    { BYTES ("<spanner>"), FALSE },
    { BYTES ("<span"), FALSE },
    { BYTES ("<span> </span>\0<img>"), FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (clip_detect_blank_html (cases[i].bytes, cases[i].length), ==,
                     cases[i].blank);
}

/* GLib's table is another one's work: where it says "valid", so do we, and only there */
static void
test_all_characters (void)
{
  for (gunichar c = 0; c <= 0x110000; c++)
    {
      char utf8[6];
      int length = g_unichar_to_utf8 (c, utf8);
      gunichar decoded;
      gsize step = clip_utf8_decode ((const guint8 *) utf8, length, &decoded);

      g_assert_cmpint (step, ==, g_unichar_validate (c) ? length : 0);
      g_assert_cmphex (decoded, ==, g_unichar_validate (c) ? c : 0xFFFD);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/detect/images", test_images);
  g_test_add_func ("/detect/types", test_mime);
  g_test_add_func ("/detect/head-ends-inside-a-character", test_head_ends_inside);
  g_test_add_func ("/detect/blank", test_blank);
  g_test_add_func ("/detect/blank-html", test_blank_html);
  g_test_add_func ("/detect/every-character", test_all_characters);
  return g_test_run ();
}
