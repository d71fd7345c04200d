/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fuzz.h"

#include "clip-units.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  gint64 value = 0, again = 0;
  g_autofree char *written = NULL;

  if (clip_parse_size (text, &value))
    g_assert_cmpint (value, >=, 0);
  g_free (clip_format_size (value));
  if (clip_parse_duration (text, &value))
    g_assert_cmpint (value, >=, 0);
  if (clip_parse_int (text, &value))
    {
      written = g_strdup_printf ("%" G_GINT64_FORMAT, value);
      g_assert_true (clip_parse_int (written, &again));
      g_assert_cmpint (again, ==, value);
    }
  return 0;
}
