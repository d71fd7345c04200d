/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first byte chooses type and width, the rest is the content. */
#include "fuzz.h"

#include "clip-detect.h"
#include "clip-mime.h"
#include "clip-preview.h"
#include "clip-row.h"

#include <string.h>

static const char *const mimes[] = {
  NULL,        CLIP_MIME_TEXT, CLIP_MIME_LATIN1, CLIP_MIME_OCTETS,
  "image/png", "image/x-a+b",  "image/",         CLIP_MIME_URI_LIST,
};

static void
check_line (const char *preview)
{
  g_assert_true (g_utf8_validate (preview, -1, NULL));
  g_assert_null (strpbrk (preview, "\n\t\r"));
  g_assert_null (strstr (preview, "  "));
  g_assert_cmpint (strlen (preview), <=, CLIP_HEAD_BYTES + 3);
}

static void
check_cut (const char *preview, gint64 width)
{
  g_autoptr (GString) out = g_string_new (NULL);

  clip_preview_append (out, preview, strlen (preview), width);
  g_assert_true (g_utf8_validate (out->str, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (out->str, -1), <=,
                   MAX (width + 1, g_utf8_strlen (preview, width < 0 ? -1 : 0)));
}

static void
check_safe (const guint8 *data, gsize length)
{
  g_autoptr (GString) out = g_string_new (NULL);

  clip_preview_append_safe (out, (const char *) data, length, -1);
  g_assert_true (g_utf8_validate (out->str, out->len, NULL));
  for (const char *c = out->str; *c; c = g_utf8_next_char (c))
    g_assert_false (g_unichar_iscntrl (g_utf8_get_char (c)));
}

static void
check_json (const guint8 *data, gsize length)
{
  g_autoptr (GString) out = g_string_new (NULL);

  clip_json_append_string (out, (const char *) data, (gssize) length);
  g_assert_true (g_utf8_validate (out->str, out->len, NULL));
  for (const char *c = out->str; *c; c = g_utf8_next_char (c))
    g_assert_false (g_unichar_iscntrl (g_utf8_get_char (c)));
}

static void
check_wide (const char *mime, const guint8 *data, gsize length, gint64 width)
{
  g_autofree char *line = clip_preview_make_wide (mime ?: CLIP_MIME_TEXT, data, length,
                                                  (gint64) length, width);

  g_assert_true (g_utf8_validate (line, -1, NULL));
  g_assert_null (strpbrk (line, "\n\t\r"));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autofree char *preview = NULL;
  guint8 choice = length > 0 ? data[0] : 0;

  if (length == 0)
    return 0;
  data++;
  length--;
  preview =
      clip_preview_make (mimes[choice % 8], data, length, (gint64) length + (choice & 8));
  check_line (preview);
  check_cut (preview, (choice >> 4) - 1);
  check_wide (mimes[choice % 8], data, length, choice >> 2);
  check_safe (data, length);
  check_json (data, length);
  clip_preview_is_prefix (preview, data, length);
  clip_detect_mime (data, length, choice & 16);
  clip_detect_blank (data, length);
  return 0;
}
