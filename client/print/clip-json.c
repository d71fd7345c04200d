/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What comes over D-Bus as JSON. */
#include "clip-json.h"

#include "clip-row.h"

static void
append_list (GString *out, GVariant *list)
{
  g_string_append_c (out, '[');
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (list, i);

      if (i > 0)
        g_string_append_c (out, ',');
      clip_json_append_variant (out, child);
    }
  g_string_append_c (out, ']');
}

/* JSON has no units of its own: other tools name a time by its unit */
static const char *
name_of (const char *key)
{
  static const char *const times[][2] = {
    { "first", "first_us" },
    { "last", "last_us" },
    { "expires", "expires_us" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (g_str_equal (key, times[i][0]))
      return times[i][1];
  return key;
}

/**
 * clip_json_append_members:
 * @dict: of type a{sv}
 *
 * Appends `"key":value` for each of @dict, with a comma in front of each, and the names
 * that the list has.
 */
void
clip_json_append_members (GString *out, GVariant *dict)
{
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_iter_init (&iter, dict);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    {
      g_string_append_c (out, ',');
      clip_json_append_string (out, name_of (key), -1);
      g_string_append_c (out, ':');
      clip_json_append_variant (out, value);
    }
}

/**
 * clip_json_append_variant:
 * @value: a string, boolean or integer, or a list of such; anything else becomes null
 */
void
clip_json_append_variant (GString *out, GVariant *value)
{
  switch (g_variant_classify (value))
    {
    case G_VARIANT_CLASS_STRING:
      clip_json_append_string (out, g_variant_get_string (value, NULL), -1);
      break;
    case G_VARIANT_CLASS_BOOLEAN:
      g_string_append (out, g_variant_get_boolean (value) ? "true" : "false");
      break;
    case G_VARIANT_CLASS_UINT32:
      g_string_append_printf (out, "%" G_GUINT32_FORMAT, g_variant_get_uint32 (value));
      break;
    case G_VARIANT_CLASS_INT64:
      g_string_append_printf (out, "%" G_GINT64_FORMAT, g_variant_get_int64 (value));
      break;
    case G_VARIANT_CLASS_UINT64:
      g_string_append_printf (out, "%" G_GUINT64_FORMAT, g_variant_get_uint64 (value));
      break;
    case G_VARIANT_CLASS_ARRAY:
      append_list (out, value);
      break;
    default:
      g_string_append (out, "null");
    }
}
