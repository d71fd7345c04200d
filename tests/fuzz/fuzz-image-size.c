/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first byte chooses the signature that is laid over the rest: no time goes into
 * finding it. */
#include "fuzz.h"

#include "clip-detect.h"
#include "clip-image-size.h"

#include <string.h>

static const struct
{
  const char *bytes;
  gsize length;
} signatures[] = {
  { "\x89PNG\r\n\x1A\n\0\0\0\rIHDR", 16 },
  { "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\3\0\0\0\x28\xCB\x34\xBB", 33 },
  { "\xFF\xD8\xFF", 3 },
  { "\xFF\xD8\xFF\xC0\0\x11\10", 7 },
  { "GIF89a\0", 7 },
  { "BM\0\0\0\0\0\0\0\0", 10 },
  { "II*\0", 4 },
  { "MM\0*", 4 },
  { "RIFF\0\0\0\0WEBPVP8 ", 16 },
  { "RIFF\0\0\0\0WEBPVP8L", 16 },
  { "RIFF\0\0\0\0WEBPVP8X", 16 },
  { "", 0 },
};

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  guint choice = length > 0 ? data[0] % G_N_ELEMENTS (signatures) : 0;
  g_autofree guint8 *head = length > 1 ? g_memdup2 (data + 1, length - 1) : NULL;
  ClipImageSize found;

  if (!head)
    return 0;
  length--;
  memcpy (head, signatures[choice].bytes, MIN (length, signatures[choice].length));
  g_assert_cmpint (clip_image_size (head, length, &found), ==, found.is_listed);
  if (found.is_listed || found.width > 0 || found.height > 0)
    g_assert_nonnull (found.format);
  if (clip_detect_image (head, length))
    g_assert_cmpstr (found.format, ==, clip_detect_image (head, length));
  return 0;
}
