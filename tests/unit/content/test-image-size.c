/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is listed as an image was asked of the existing tool, case by case: NOT_LISTED are
 * images to others, or were damaged on the way.
 */
#include "clip-image-size.h"

#include "clip-detect.h"

#include <string.h>
#include <zlib.h>

#define BYTES(text) (const char[]){ text }, sizeof (text) - 1
#define NOT_LISTED FALSE
#define RIFF(length) "RIFF" length "\0\0\0WEBP"
#define BMP(header, bits, rest) \
  "BM\x3E\0\0\0\0\0\0\0\x36\0\0\0" header "\x03\0\0\0\x04\0\0\0\1\0" bits rest
#define BMP_TAIL "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define FRAME(height, width) "\xFF\xC0\0\x0B\10" height width "\1\1\x11\0"
#define JFIF "\xFF\xE0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
#define SCAN "\xFF\xDA\0\2"
#define TIFF_SIZE "\0\1\3\0\1\0\0\0\x40\1\0\0\1\1\4\0\1\0\0\0\xF0\0\0\0"

typedef struct
{
  const char *name;
  const char *bytes;
  gsize length;
  gboolean listed;
  guint32 width, height; /* 0: not there */
} Case;

static const Case cases[] = {
  { "gif", BYTES ("GIF89a\x40\1\xF0\0\0\0\0"), TRUE, 320, 240 },
  { "gif-of-1987", BYTES ("GIF87a\x40\1\xF0\0\0\0\0"), TRUE, 320, 240 },
  { "gif-of-nothing", BYTES ("GIF89a\0\0\0\0\0\0\0"), TRUE, 0, 0 },
  { "gif-with-colours", BYTES ("GIF89a\x40\1\xF0\0\x80\0\0abcdef"), TRUE, 320, 240 },
  { "gif-lacks-a-colour", BYTES ("GIF89a\x40\1\xF0\0\x80\0\0abcde"), NOT_LISTED, 320,
    240 },
  { "gif-truncated", BYTES ("GIF89a\x40\1\0"), NOT_LISTED, 320, 0 },
  { "gif-of-1988", BYTES ("GIF88a\x40\1\xF0\0\0\0\0"), NOT_LISTED, 0, 0 },
  { "gif-that-is-text", BYTES ("GIF89a is text"), TRUE, 26912, 8307 },
  { "bmp", BYTES (BMP ("\x28\0\0\0", "\x18\0", BMP_TAIL)), TRUE, 3, 4 },
  { "bmp-of-32-bits", BYTES (BMP ("\x28\0\0\0", "\x20\0", BMP_TAIL)), TRUE, 3, 4 },
  { "bmp-of-16-bits", BYTES (BMP ("\x28\0\0\0", "\x10\0", BMP_TAIL)), NOT_LISTED, 3, 4 },
  { "bmp-lacks-colours", BYTES (BMP ("\x28\0\0\0", "\x08\0", BMP_TAIL)), NOT_LISTED, 3,
    4 },
  { "bmp-compressed",
    BYTES (
        BMP ("\x28\0\0\0", "\x20\0", "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")),
    NOT_LISTED, 3, 4 },
  { "bmp-top-down",
    BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\xFC\xFF\xFF\xFF\1\0\x18"
           "\0" BMP_TAIL),
    TRUE, 3, 4 },
  { "bmp-of-width-below-zero",
    BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\xFD\xFF\xFF\xFF\4\0\0\0\1\0\x18"
           "\0" BMP_TAIL),
    NOT_LISTED, 0xFFFFFFFD, 4 },
  { "bmp-of-nothing",
    BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\0\0\0\0\0\0\0\0\1\0\x18"
           "\0" BMP_TAIL),
    TRUE, 0, 0 },
  { "bmp-os2", BYTES ("BM\x3E\0\0\0\0\0\0\0\x1A\0\0\0\x0C\0\0\0\x05\0\x06\0"), NOT_LISTED,
    5, 6 },
  { "bmp-truncated", BYTES ("BM\x3E\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x04"),
    NOT_LISTED, 0, 0 },
  { "webp-lossy", BYTES (RIFF ("\x16") "VP8 \x0A\0\0\0\x30\1\0\x9D\1\x2A\x20\x40\x10\0"),
    TRUE, 32, 16 },
  { "webp-lossy-no-key-frame", BYTES (RIFF ("\x16") "VP8 \x0A\0\0\0\x31\1\0"), TRUE, 0,
    0 },
  { "webp-lossy-without-its-code",
    BYTES (RIFF ("\x16") "VP8 \x0A\0\0\0\x30\1\0\x9D\1\x2B\x20\x40\x10\0"), NOT_LISTED, 0,
    0 },
  { "webp-lossless", BYTES (RIFF ("\x11") "VP8L\x05\0\0\0\x2F\x63\x40\x0C\0"), TRUE, 100,
    50 },
  { "webp-lossless-of-a-later-version",
    BYTES (RIFF ("\x11") "VP8L\x05\0\0\0\x2F\x63\x40\x0C\x20"), NOT_LISTED, 100, 50 },
  { "webp-extended", BYTES (RIFF ("\x16") "VP8X\x0A\0\0\0\x10\0\0\0\x8F\1\0\x2B\1\0"),
    TRUE, 400, 300 },
  { "webp-behind-another-chunk",
    BYTES (RIFF ("\x20") "VP8Z\1\0\0\0x\0VP8X\x0A\0\0\0\x10\0\0\0\x8F\1\0\x2B\1\0"), TRUE,
    400, 300 },
  { "webp-longer-than-its-file",
    BYTES (RIFF ("\x15") "VP8X\x0A\0\0\0\x10\0\0\0\x8F\1\0\x2B\1\0"), NOT_LISTED, 0, 0 },
  { "webp-truncated", BYTES (RIFF ("\x16") "VP8X\x0A\0\0\0\x10\0\0\0\x8F\1\0\x2B\1"),
    NOT_LISTED, 0, 0 },
  { "jpeg", BYTES ("\xFF\xD8" JFIF FRAME ("\0\x32", "\0\x64")), TRUE, 100, 50 },
  { "jpeg-without-jfif", BYTES ("\xFF\xD8" FRAME ("\0\x32", "\0\x64") SCAN), TRUE, 100,
    50 },
  { "jpeg-without-jfif-and-scan", BYTES ("\xFF\xD8" FRAME ("\0\x32", "\0\x64")),
    NOT_LISTED, 100, 50 },
  { "jpeg-of-no-height", BYTES ("\xFF\xD8" JFIF FRAME ("\0\0", "\0\x64")), TRUE, 100, 0 },
  { "jpeg-behind-what-belongs-nowhere",
    BYTES ("\xFF\xD8zz\xFF\0z\xFF\xD0" FRAME ("\0\x32", "\0\x64") SCAN), TRUE, 100, 50 },
  { "jpeg-progressive-after-tables-and-fill",
    BYTES ("\xFF\xD8\xFF\xDB\0\4zz\xFF\xC4\0\3z\xFF\xFF\xFF\xC2\0\x11\10\1\0\2\0\3"
           "\1\x22\0\2\x11\1\3\x11\1" SCAN),
    TRUE, 512, 256 },
  { "jpeg-lossless", BYTES ("\xFF\xD8" JFIF "\xFF\xC3\0\x0B\10\0\x32\0\x64\1\1\x11\0"),
    NOT_LISTED, 100, 50 },
  { "jpeg-of-12-bits", BYTES ("\xFF\xD8" JFIF "\xFF\xC1\0\x0B\14\0\x32\0\x64\1\1\x11\0"),
    NOT_LISTED, 100, 50 },
  { "jpeg-two-components-of-one-name",
    BYTES ("\xFF\xD8" JFIF "\xFF\xC0\0\x11\10\1\0\2\0\3\1\x22\0\1\x11\1\3\x11\1"),
    NOT_LISTED, 512, 256 },
  { "jpeg-sampled-unevenly",
    BYTES ("\xFF\xD8" JFIF "\xFF\xC0\0\x11\10\1\0\2\0\3\1\x22\0\2\x11\1\3\x21\1"),
    NOT_LISTED, 512, 256 },
  { "jpeg-of-four-components",
    BYTES ("\xFF\xD8" JFIF "\xFF\xC0\0\x14\10\1\0\2\0\4"
           "\1\x22\0\2\x11\1\3\x11\1\4\x22\0"),
    TRUE, 512, 256 },
  { "jpeg-frame-behind-the-head", BYTES ("\xFF\xD8\xFF\xE1\xFF\xFFxxxx"), NOT_LISTED, 0,
    0 },
  { "jpeg-segment-of-no-length", BYTES ("\xFF\xD8\xFF\xE1\0\0\xFF\xC0\0\x11"), NOT_LISTED,
    0, 0 },
  { "jpeg-scan-before-frame", BYTES ("\xFF\xD8" SCAN FRAME ("\0\1", "\0\1")), NOT_LISTED,
    0, 0 },
  { "tiff-little", BYTES ("II*\0\10\0\0\0\2\0" TIFF_SIZE), TRUE, 320, 240 },
  { "tiff-big",
    BYTES ("MM\0*\0\0\0\10\0\2\1\0\0\3\0\0\0\1\1\x40\0\0\1\1\0\4\0\0\0\1\0\0\0\xF0"),
    TRUE, 320, 240 },
  { "tiff-long",
    BYTES ("II*\0\10\0\0\0\2\0\0\1\4\0\1\0\0\0\x40\1\1\0\1\1\4\0\1\0\0\0\xF0\0\1\0"),
    TRUE, 65856, 65776 },
  { "tiff-of-nothing", BYTES ("II*\0\10\0\0\0\0\0"), TRUE, 0, 0 },
  { "tiff-not-in-order",
    BYTES ("II*\0\10\0\0\0\2\0\1\1\4\0\1\0\0\0\xF0\0\0\0\0\1\3\0\1\0\0\0\x40\1\0\0"),
    NOT_LISTED, 0, 240 },
  { "tiff-of-12-bits",
    BYTES ("II*\0\10\0\0\0\3\0" TIFF_SIZE "\2\1\3\0\1\0\0\0\x0C\0\0\0"), NOT_LISTED, 320,
    240 },
  { "tiff-of-printer-colours",
    BYTES ("II*\0\10\0\0\0\3\0" TIFF_SIZE "\6\1\3\0\1\0\0\0\5\0\0\0"), NOT_LISTED, 320,
    240 },
  { "tiff-of-floats", BYTES ("II*\0\10\0\0\0\3\0" TIFF_SIZE "\x53\1\3\0\1\0\0\0\3\0\0\0"),
    NOT_LISTED, 320, 240 },
  { "tiff-colours-of-three-bytes",
    BYTES ("II*\0\10\0\0\0\4\0" TIFF_SIZE "\2\1\3\0\3\0\0\0\x3A\0\0\0"
           "\6\1\3\0\1\0\0\0\2\0\0\0\10\0\10\0\10\0"),
    TRUE, 320, 240 },
  { "tiff-colours-of-two-bytes-and-one",
    BYTES ("II*\0\10\0\0\0\4\0" TIFF_SIZE "\2\1\3\0\3\0\0\0\x3A\0\0\0"
           "\6\1\3\0\1\0\0\0\2\0\0\0\x10\0\x10\0\10\0"),
    NOT_LISTED, 320, 240 },
  { "tiff-strips-outside",
    BYTES ("II*\0\10\0\0\0\3\0" TIFF_SIZE "\x11\1\4\0\2\0\0\0\xFF\0\0\0"), NOT_LISTED,
    320, 240 },
  { "tiff-directory-outside", BYTES ("II*\0\xFF\xFF\xFF\xFF\2\0"), NOT_LISTED, 0, 0 },
  { "tiff-endless-directory", BYTES ("II*\0\10\0\0\0\xFF\xFF\0\1\3\0\1\0\0\0\x40\1\0\0"),
    NOT_LISTED, 0, 0 },
  { "tiff-float-width",
    BYTES ("II*\0\10\0\0\0\2\0\0\1\13\0\1\0\0\0\x40\1\0\0\1\1\4\0\1\0\0\0\xF0\0\0\0"),
    NOT_LISTED, 0, 0 },
  { "text", BYTES ("hello"), NOT_LISTED, 0, 0 },
  { "nothing", BYTES (""), NOT_LISTED, 0, 0 },
};

/* on the heap, to the byte, so that a read behind it is seen */
static void
assert_size (const char *bytes,
             gsize length,
             gboolean listed,
             guint32 width,
             guint32 height)
{
  g_autofree char *copy = g_memdup2 (bytes, length);
  ClipImageSize found;

  g_assert_cmpint (clip_image_size (copy, length, &found), ==, listed);
  g_assert_cmpint (found.is_listed, ==, listed);
  g_assert_cmpuint (found.width, ==, width);
  g_assert_cmpuint (found.height, ==, height);
}

static void
test_case (gconstpointer data)
{
  const Case *test = data;

  assert_size (test->bytes, test->length, test->listed, test->width, test->height);
}

static void
test_every_truncation (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize length = 0; length < cases[i].length; length++)
      {
        g_autofree char *copy = g_memdup2 (cases[i].bytes, length);
        ClipImageSize found;

        if (clip_image_size (copy, length, &found))
          {
            g_assert_cmpuint (found.width, ==, cases[i].width);
            g_assert_cmpuint (found.height, ==, cases[i].height);
          }
      }
}

static void
test_endless_markers (void)
{
  guint8 head[CLIP_HEAD_BYTES];

  memset (head, 0xFF, sizeof head);
  head[1] = 0xD8;
  assert_size ((const char *) head, sizeof head, NOT_LISTED, 0, 0);
  for (gsize i = 2; i + 4 <= sizeof head; i += 4)
    memcpy (head + i, "\xFF\xE1\0\2", 4);
  assert_size ((const char *) head, sizeof head, NOT_LISTED, 0, 0);
}

/* --- PNG: what is summed --- */

static void
append_number (GString *out, guint32 number)
{
  number = GUINT32_TO_BE (number);
  g_string_append_len (out, (const char *) &number, sizeof number);
}

static void
append_chunk (GString *out, const char *type, const char *data, gsize length)
{
  gsize start = out->len + 4;

  append_number (out, (guint32) length);
  g_string_append (out, type);
  g_string_append_len (out, data, (gssize) length);
  append_number (out, (guint32) crc32 (0, (const Bytef *) out->str + start, length + 4));
}

static GString *
begin_png (void)
{
  return g_string_new_len ("\x89PNG\r\n\x1A\n", 8);
}

static void
append_header (GString *out, guint32 width, guint32 height, const char *last_five)
{
  g_autoptr (GString) data = g_string_new (NULL);

  append_number (data, width);
  append_number (data, height);
  g_string_append_len (data, last_five, 5);
  append_chunk (out, "IHDR", data->str, data->len);
}

static void
assert_png (const GString *png, gboolean listed, guint32 width, guint32 height)
{
  assert_size (png->str, png->len, listed, width, height);
}

static void
assert_header (guint32 width, guint32 height, const char *last_five, gboolean listed)
{
  g_autoptr (GString) png = begin_png ();

  append_header (png, width, height, last_five);
  assert_png (png, listed, width, height);
}

/* every depth with every colour type, whoever has no palette */
static void
test_png_depths (void)
{
  static const char *const sound[] = {
    "\1\0",  "\2\0",  "\4\0",  "\10\0", "\20\0", "\10\2",
    "\20\2", "\10\4", "\20\4", "\10\6", "\20\6",
  };

  for (guint depth = 0; depth < 256; depth++)
    for (guint colour = 0; colour < 256; colour++)
      {
        const char last_five[5] = { (char) depth, (char) colour };
        gboolean listed = FALSE;

        for (guint i = 0; i < G_N_ELEMENTS (sound); i++)
          listed |= memcmp (sound[i], last_five, 2) == 0;
        assert_header (100, 50, last_five, listed);
      }
}

static void
test_png_header (void)
{
  assert_header (100, 50, "\10\2\0\0\1", TRUE);
  assert_header (100, 50, "\10\2\0\0\2", NOT_LISTED); /* interlaced how? */
  assert_header (100, 50, "\10\2\1\0\0", NOT_LISTED); /* compressed, filtered how? */
  assert_header (100, 50, "\10\2\0\1\0", NOT_LISTED);
  assert_header (0, 50, "\10\2\0\0\0", NOT_LISTED);
  assert_header (100, 0, "\10\2\0\0\0", NOT_LISTED);
  assert_header (0x7FFFFFFF, 1, "\10\2\0\0\0", TRUE);
  assert_header (0x80000000, 1, "\10\2\0\0\0", NOT_LISTED);
  assert_header (1 << 30, (1 << 30) - 1, "\10\2\0\0\0", TRUE);
  assert_header (1 << 30, 1 << 30, "\10\2\0\0\0", NOT_LISTED);
}

static void
test_png_checksum (void)
{
  g_autoptr (GString) png = begin_png ();
  gsize length;

  append_header (png, 100, 50, "\10\2\0\0\0");
  length = png->len;
  for (gsize i = 0; i < length; i++)
    assert_size (png->str, i, NOT_LISTED, i < 29 ? 0 : 100, i < 29 ? 0 : 50);
  for (gsize bit = 8 * 8; bit < 8 * length; bit++)
    {
      ClipImageSize found;

      png->str[bit / 8] ^= (char) (1 << bit % 8);
      g_assert_false (clip_image_size (png->str, length, &found));
      png->str[bit / 8] ^= (char) (1 << bit % 8);
    }
  g_string_append (png, "whatever follows");
  assert_png (png, TRUE, 100, 50);
}

/* one that nobody knows may stand in front, where it is sound */
static void
test_png_chunk_before_header (void)
{
  static const char *const refused[] = { "PLTE", "tRNS", "IDAT", "IEND" };
  g_autoptr (GString) png = begin_png ();

  append_chunk (png, "teXt", "first", 5);
  append_header (png, 100, 50, "\10\2\0\0\0");
  assert_png (png, TRUE, 100, 50);
  png->str[8 + 8] ^= 1;
  assert_png (png, NOT_LISTED, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_string_truncate (png, 8);
      append_chunk (png, refused[i], "\0\0\0", 3);
      append_header (png, 100, 50, "\10\2\0\0\0");
      assert_png (png, NOT_LISTED, 0, 0);
    }
}

typedef struct
{
  const char *chunks[4]; /* four letters of the type, and the data */
  guint lengths[4];      /* of the data */
  gboolean listed;
} Palette;

/* two colours, as the depth is one bit */
static void
test_png_palette (void)
{
  static const Palette palettes[] = {
    { { "PLTEaaabbb", "IDAT" }, { 6, 0 }, TRUE },
    { { "PLTEaaa", "tRNSa" }, { 3, 1 }, TRUE },
    { { "PLTEaaa", "tRNS" }, { 3, 0 }, TRUE },
    { { "teXta", "PLTEaaa", "teXta", "IDAT" }, { 1, 3, 1, 0 }, TRUE },
    { { "PLTEaaa" }, { 3 }, NOT_LISTED },
    { { "PLTEaaa", "IEND" }, { 3, 0 }, NOT_LISTED },
    { { "PLTEaaa", "PLTEaaa", "IDAT" }, { 3, 3, 0 }, NOT_LISTED },
    { { "PLTEaaabb", "IDAT" }, { 5, 0 }, NOT_LISTED },
    { { "PLTE", "IDAT" }, { 0, 0 }, NOT_LISTED },
    { { "PLTEaaabbbccc", "IDAT" }, { 9, 0 }, NOT_LISTED },
    { { "IDAT" }, { 0 }, NOT_LISTED },
    { { "tRNSa", "IDAT" }, { 1, 0 }, NOT_LISTED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (palettes); i++)
    {
      g_autoptr (GString) png = begin_png ();

      append_header (png, 100, 50, "\1\3\0\0\0");
      for (guint j = 0; j < 4 && palettes[i].chunks[j]; j++)
        {
          g_autofree char *type = g_strndup (palettes[i].chunks[j], 4);

          append_chunk (png, type, palettes[i].chunks[j] + 4, palettes[i].lengths[j]);
        }
      assert_png (png, palettes[i].listed, 100, 50);
    }
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
  g_test_add_func ("/image-size/png-depths-and-colours", test_png_depths);
  g_test_add_func ("/image-size/png-header", test_png_header);
  g_test_add_func ("/image-size/png-every-bit-counts", test_png_checksum);
  g_test_add_func ("/image-size/png-chunk-before-header", test_png_chunk_before_header);
  g_test_add_func ("/image-size/png-palette", test_png_palette);
  return g_test_run ();
}
