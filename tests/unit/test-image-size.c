/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-image-size.h"

#include "clip-detect.h"

#include <string.h>

#define BYTES(text) (const char[]){ text }, sizeof (text) - 1
#define PNG_START "\x89PNG\r\n\x1A\n\0\0\0\rIHDR"
#define WEBP_START "RIFF\x24\0\0\0WEBP"

typedef struct
{
  const char *name;
  const char *bytes;
  gsize length;
  guint32 width, height; /* 0: not there */
} Case;

static const Case cases[] = {
  { "png", BYTES (PNG_START "\0\0\0d\0\0\0\x32\10\2\0\0\0"), 100, 50 },
  { "png-long", BYTES (PNG_START "\0\1\0d\0\1\0\x32"), 65636, 65586 },
  { "png-huge", BYTES (PNG_START "\x7F\xFF\xFF\xFF\0\0\0\1"), 0x7FFFFFFF, 1 },
  { "png-truncated", BYTES (PNG_START "\0\0\0d\0\0\0"), 0, 0 },
  { "png-signature-alone", BYTES ("\x89PNG\r\n\x1A\n"), 0, 0 },
  { "png-of-nothing", BYTES (PNG_START "\0\0\0\0\0\0\0\0"), 0, 0 },
  { "png-without-header", BYTES ("\x89PNG\r\n\x1A\n\0\0\0\rIDAT\0\0\0d\0\0\0\x32"), 0,
    0 },
  { "gif", BYTES ("GIF89a\x40\1\xF0\0\xF7\0\0"), 320, 240 },
  { "gif-truncated", BYTES ("GIF89a\x40\1\0"), 0, 0 },
  { "bmp", BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x04\0\0\0"), 3, 4 },
  { "bmp-long", BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\1\0\x04\0\1\0"),
    65539, 65540 },
  { "bmp-top-down",
    BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x7C\0\0\0\x03\0\0\0\xFC\xFF\xFF\xFF"), 3, 4 },
  { "bmp-os2", BYTES ("BM\x3E\0\0\0\0\0\0\0\x1A\0\0\0\x0C\0\0\0\x05\0\x06\0"), 5, 6 },
  { "bmp-truncated", BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x04"), 0,
    0 },
  { "webp-lossy", BYTES (WEBP_START "VP8 \x18\0\0\0\x30\1\0\x9D\1\x2A\x20\x40\x10\0"), 32,
    16 },
  { "webp-lossless", BYTES (WEBP_START "VP8L\x18\0\0\0\x2F\x63\x40\x0C\0\0"), 100, 50 },
  { "webp-extended", BYTES (WEBP_START "VP8X\x0A\0\0\0\x10\0\0\0\x8F\1\0\x2B\1\0"), 400,
    300 },
  { "webp-truncated", BYTES (WEBP_START "VP8X\x0A\0\0\0\x10\0\0\0\x8F\1\0\x2B"), 0, 0 },
  { "jpeg", BYTES ("\xFF\xD8\xFF\xE0\0\6JFIF\xFF\xC0\0\x11\10\0\x32\0\x64\3"), 100, 50 },
  { "jpeg-progressive-after-tables-and-fill",
    BYTES ("\xFF\xD8\xFF\xDB\0\4zz\xFF\xC4\0\3z\xFF\xFF\xFF\xC2\0\x11\10\1\0\2\0\3"), 512,
    256 },
  { "jpeg-frame-behind-the-head", BYTES ("\xFF\xD8\xFF\xE1\xFF\xFFxxxx"), 0, 0 },
  { "jpeg-segment-of-no-length", BYTES ("\xFF\xD8\xFF\xE1\0\0\xFF\xC0\0\x11"), 0, 0 },
  { "jpeg-truncated-frame", BYTES ("\xFF\xD8\xFF\xC0\0\x11\10\0\x32\0"), 0, 0 },
  { "jpeg-scan-before-frame", BYTES ("\xFF\xD8\xFF\xDA\0\2\xFF\xC0\0\x11\10\0\1\0\1"), 0,
    0 },
  { "tiff-little",
    BYTES ("II*\0\10\0\0\0\2\0\0\1\3\0\1\0\0\0\x40\1\0\0\1\1\4\0\1\0\0\0\xF0\0\0\0"), 320,
    240 },
  { "tiff-long",
    BYTES ("II*\0\10\0\0\0\2\0\0\1\4\0\1\0\0\0\x40\1\1\0\1\1\4\0\1\0\0\0\xF0\0\1\0"),
    65856, 65776 },
  { "tiff-big",
    BYTES ("MM\0*\0\0\0\10\0\2\1\0\0\3\0\0\0\1\1\x40\0\0\1\1\0\4\0\0\0\1\0\0\0\xF0"), 320,
    240 },
  { "tiff-directory-outside", BYTES ("II*\0\xFF\xFF\xFF\xFF\2\0"), 0, 0 },
  { "tiff-endless-directory", BYTES ("II*\0\10\0\0\0\xFF\xFF\0\1\3\0\1\0\0\0\x40\1\0\0"),
    0, 0 },
  { "tiff-float-width",
    BYTES ("II*\0\10\0\0\0\2\0\0\1\13\0\1\0\0\0\x40\1\0\0\1\1\4\0\1\0\0\0\xF0\0\0\0"), 0,
    0 },
  { "text", BYTES ("hello"), 0, 0 },
  { "nothing", BYTES (""), 0, 0 },
};

/* on the heap, to the byte, so that a read behind it is seen */
static void
assert_size (const char *bytes, gsize length, guint32 width, guint32 height)
{
  g_autofree char *copy = g_memdup2 (bytes, length);
  guint32 found_width = 0, found_height = 0;

  g_assert_cmpint (clip_image_size (copy, length, &found_width, &found_height), ==,
                   width > 0);
  g_assert_cmpuint (found_width, ==, width);
  g_assert_cmpuint (found_height, ==, height);
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;

  assert_size (test->bytes, test->length, test->width, test->height);
}

static void
test_every_truncation (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize length = 0; length < cases[i].length; length++)
      {
        g_autofree char *copy = g_memdup2 (cases[i].bytes, length);
        guint32 width = 1, height = 1;

        if (clip_image_size (copy, length, &width, &height))
          {
            g_assert_cmpuint (width, ==, cases[i].width);
            g_assert_cmpuint (height, ==, cases[i].height);
          }
      }
}

static void
test_endless_markers (void)
{
  guint8 head[CLIP_HEAD_BYTES];

  memset (head, 0xFF, sizeof head);
  head[1] = 0xD8;
  assert_size ((const char *) head, sizeof head, 0, 0);
  for (gsize i = 2; i + 4 <= sizeof head; i += 4)
    memcpy (head + i, "\xFF\xE1\0\2", 4);
  assert_size ((const char *) head, sizeof head, 0, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/image-size/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  g_test_add_func ("/image-size/every-truncation", test_every_truncation);
  g_test_add_func ("/image-size/jpeg-endless-markers", test_endless_markers);
  return g_test_run ();
}
