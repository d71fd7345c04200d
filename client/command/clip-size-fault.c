/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-size-fault.h"

#include "clip-text.h"

#include <math.h>
#include <string.h>

/* the longest first, as one ends in another */
static const char *const units[] = { "gib", "mib", "kib", "gb", "mb", "kb", "b" };

/* for 64 bits, or for a number with a fraction */
static gboolean
is_too_large (const char *number)
{
  char *end;
  double value = g_ascii_strtod (number, &end);

  return *end == '\0' &&
         (isinf (value) || strspn (number, "0123456789") == strlen (number));
}

static char *
fault_of_number (const char *what, const char *parser, const char *number)
{
  gsize digits = strspn (number, "0123456789.eE+");
  g_autofree char *quoted = clip_text_quote (number, strlen (number));

  return g_strdup_printf ("%s: strconv.%s: parsing %s: %s", what, parser, quoted,
                          g_ascii_isdigit (*number) && number[digits] == '\0' &&
                                  is_too_large (number)
                              ? "value out of range"
                              : "invalid syntax");
}

/**
 * clip_size_fault:
 * @value: that is no size
 *
 * Returns: (transfer full): what is wrong with it, in the words of the existing tool
 */
char *
clip_size_fault (const char *value)
{
  g_autofree char *text = g_strstrip (g_strdup (value));
  gsize length = strlen (text);

  if (length == 0)
    return g_strdup ("empty size string");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      gsize unit = strlen (units[i]);

      if (length < unit || g_ascii_strcasecmp (text + length - unit, units[i]) != 0)
        continue;
      text[length - unit] = '\0';
      g_strchomp (text);
      if (*text == '-' && g_ascii_isdigit (text[1]))
        return g_strdup ("size cannot be negative");
      return fault_of_number ("invalid number", "ParseFloat", text);
    }
  return fault_of_number ("invalid size", "ParseUint", text);
}
