/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The form of pam(5) that is asked of the thumbnail program: four samples of a byte. */
#include "clip-pam.h"

#include "clip-error.h"

#include <string.h>

#define MOST_HEADER_BYTES 512
#define END "\nENDHDR\n"

/* the value of a line of the header, if it is a number of one to four digits */
static guint
get_number (const char *header, const char *name)
{
  g_autofree char *start = g_strdup_printf ("\n%s ", name);
  const char *found = strstr (header, start);
  gsize digits;

  if (!found)
    return 0;
  found += strlen (start);
  digits = strspn (found, "0123456789");
  if (digits == 0 || digits > 4 || found[digits] != '\n')
    return 0;
  return (guint) g_ascii_strtoull (found, NULL, 10);
}

static gboolean
fail (GError **error)
{
  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_CORRUPT, "it is no picture");
  return FALSE;
}

/**
 * clip_pam_parse:
 * @out_image: (out): borrows nothing of @file but its bytes; to be cleared
 *
 * Errors: %CLIP_ERROR_CORRUPT.
 */
gboolean
clip_pam_parse (GBytes *file, ClipPam *out_image, GError **error)
{
  gsize length;
  const char *data = g_bytes_get_data (file, &length);
  g_autofree char *head = g_strndup (data ?: "", MIN (length, MOST_HEADER_BYTES));
  const char *end = strstr (head, END);
  gsize start = end ? (gsize) (end - head) + strlen (END) : 0;
  guint width = 0, height = 0;

  if (!end || !g_str_has_prefix (head, "P7\n"))
    return fail (error);
  width = get_number (head, "WIDTH");
  height = get_number (head, "HEIGHT");
  if (width == 0 || height == 0 || width > CLIP_PAM_MOST_SIDE ||
      height > CLIP_PAM_MOST_SIDE || get_number (head, "DEPTH") != CLIP_PAM_PIXEL_BYTES ||
      get_number (head, "MAXVAL") != 255 ||
      length - start != (gsize) width * height * CLIP_PAM_PIXEL_BYTES)
    return fail (error);
  *out_image =
      (ClipPam){ .width = width,
                 .height = height,
                 .pixels = g_bytes_new_from_bytes (file, start, length - start) };
  return TRUE;
}

void
clip_pam_clear (ClipPam *self)
{
  g_clear_pointer (&self->pixels, g_bytes_unref);
}
