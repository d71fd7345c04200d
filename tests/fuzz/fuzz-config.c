/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fuzz.h"

#include "clip-config.h"

#include <string.h>

static void
on_setting (const char *key, const char *value, guint line, gpointer user_data)
{
  guint *last_line = user_data;

  g_assert_cmpuint (line, >, *last_line);
  *last_line = line;
  g_assert_cmpint (*key, !=, '\0');
  g_assert_null (strpbrk (key, " \t\n"));
  g_assert_true (!value || !strchr (value, '\n'));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  guint last_line = 0;

  clip_config_parse (text, on_setting, &last_line);
  return 0;
}
