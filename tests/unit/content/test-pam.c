/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-pam.h"

#include <string.h>

#define HEAD "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"

static gboolean
parse (const char *head, const char *pixels, ClipPam *image, GError **error)
{
  g_autofree char *text = g_strconcat (head, pixels, NULL);
  g_autoptr (GBytes) file = g_bytes_new (text, strlen (text));

  return clip_pam_parse (file, image, error);
}

static void
test_pixels (void)
{
  g_auto (ClipPam) image = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (parse (HEAD, "RGBArgba", &image, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (image.width, ==, 2);
  g_assert_cmpuint (image.height, ==, 1);
  g_assert_cmpmem (g_bytes_get_data (image.pixels, NULL), g_bytes_get_size (image.pixels),
                   "RGBArgba", 8);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *head;
    const char *pixels;
  } bad[] = {
    { "", "" },
    { "P7\n", "" },
    { HEAD, "RGBArgb" },
    { HEAD, "RGBArgbaX" },
    { "P6" HEAD, "RGBArgba" },
    { "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nENDHDR\n", "RGBrgb" },
    { "P7\nWIDTH 0\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nENDHDR\n", "" },
    { "P7\nWIDTH -2\nHEIGHT -1\nDEPTH 4\nMAXVAL 255\nENDHDR\n", "RGBArgba" },
    { "P7\nWIDTH 99999\nHEIGHT 99999\nDEPTH 4\nMAXVAL 255\nENDHDR\n", "RGBA" },
    { "P7\nWIDTH 9999\nHEIGHT 9999\nDEPTH 4\nMAXVAL 255\nENDHDR\n", "RGBA" },
    { "P7\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nENDHDR\n", "RGBA" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_auto (ClipPam) image = { 0 };
      g_autoptr (GError) error = NULL;

      g_assert_false (parse (bad[i].head, bad[i].pixels, &image, &error));
      g_assert_error (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pam/pixels", test_pixels);
  g_test_add_func ("/pam/what-is-none-is-refused", test_refused);
  return g_test_run ();
}
