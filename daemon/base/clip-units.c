/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers, sizes and durations as text. They stand in base, below content, because the
 * configuration is written in them.
 */
#include "clip-units.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const char *name;
  double factor;
} Unit;

static const Unit size_units[] = {
  { "b", 1 },           { "kb", 1e3 },           { "mb", 1e6 },
  { "gb", 1e9 },        { "tb", 1e12 },          { "kib", 1024.0 },
  { "mib", 1048576.0 }, { "gib", 1073741824.0 }, { "tib", 1099511627776.0 },
};

static const Unit duration_units[] = {
  { "ms", 1e3 },   { "s", 1e6 },     { "m", 60e6 },     { "min", 60e6 },
  { "h", 3600e6 }, { "d", 86400e6 }, { "w", 604800e6 }, { "y", 31557600e6 },
};

/* an underscore counts only between two digits, or after a prefix, as in the literals of
 * Go */
static char *
without_underscores (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *c = text; *c; c++)
    {
      if (*c != '_')
        g_string_append_c (plain, *c);
      else if (c == text || !g_ascii_isalnum (c[-1]) || !g_ascii_isxdigit (c[1]))
        {
          g_string_free (plain, TRUE);
          return NULL;
        }
    }
  return g_string_free (plain, FALSE);
}

/**
 * clip_parse_int:
 * @text: a whole number: decimal, 0x…, 0o… (or 0…), 0b…, with `_` between digits
 *
 * Returns: whether all of @text was one, and fits 64 bits
 */
gboolean
clip_parse_int (const char *text, gint64 *out_value)
{
  g_autofree char *plain = without_underscores (text);
  const char *digits = plain;
  gboolean negative;
  guint base = 10;
  guint64 value;
  char *end;

  if (!plain)
    return FALSE;
  negative = *digits == '-';
  if (*digits == '-' || *digits == '+')
    digits++;
  if (digits[0] == '0' && digits[1])
    {
      char kind = g_ascii_tolower (digits[1]);

      base = kind == 'x' ? 16 : kind == 'b' ? 2 : 8;
      digits += kind == 'x' || kind == 'b' || kind == 'o' ? 2 : 1;
    }
  if (!g_ascii_isxdigit (*digits))
    return FALSE;
  errno = 0;
  value = g_ascii_strtoull (digits, &end, base);
  if (errno || *end || value > (guint64) G_MAXINT64 + (negative ? 1 : 0))
    return FALSE;
  *out_value = negative ? (gint64) (0 - value) : (gint64) value;
  return TRUE;
}

static gboolean
find_unit (const Unit *units,
           gsize n_units,
           const char *name,
           gsize length,
           double *out_factor)
{
  for (gsize i = 0; i < n_units; i++)
    if (strlen (units[i].name) == length &&
        g_ascii_strncasecmp (units[i].name, name, length) == 0)
      {
        *out_factor = units[i].factor;
        return TRUE;
      }
  return FALSE;
}

/* of "e9" behind a number; 0 where there is none */
static gsize
exponent_length (const char *text)
{
  gsize sign = text[0] && strchr ("+-", text[1]) && text[1] ? 1 : 0;
  gsize digits =
      g_ascii_tolower (*text) == 'e' ? strspn (text + 1 + sign, "0123456789") : 0;

  return digits > 0 ? 1 + sign + digits : 0;
}

/* digits with at most one point, perhaps an exponent, and nothing that strtod would take
 * besides: no sign, hex, inf */
static gboolean
scan_number (const char **cursor, double *out_number)
{
  const char *start = *cursor;
  gsize mantissa = strspn (start, "0123456789.");
  gsize length = mantissa + (mantissa > 0 ? exponent_length (start + mantissa) : 0);
  g_autofree char *number = g_strndup (start, length);
  char *end;

  if (length == 0 || length > 40 || g_strcmp0 (number, ".") == 0)
    return FALSE;
  *out_number = g_ascii_strtod (number, &end);
  *cursor = start + length;
  return *end == '\0';
}

/* a number as Go reads one: with a sign, underscores between digits, "inf" and "nan";
 * with 0x before it, it has an exponent */
static gboolean
parse_real (const char *text, double *out_number)
{
  g_autofree char *plain = without_underscores (text);
  gboolean is_signed = plain && (*plain == '-' || *plain == '+');
  const char *digits = is_signed ? plain + 1 : plain;
  char *end;

  if (!plain)
    return FALSE;
  *out_number = g_ascii_strtod (plain, &end);
  if (end == plain || *end || g_ascii_isspace (*plain))
    return FALSE;
  if (g_ascii_strncasecmp (digits, "0x", 2) == 0 && !strpbrk (digits, "pP"))
    return FALSE;
  if (isnan (*out_number))
    return !is_signed && strlen (digits) == 3;
  return !isinf (*out_number) || g_ascii_isalpha (*digits);
}

/* the end of a size; of two units one of which ends in the other the longer one. NULL:
 * there is none */
static const Unit *
unit_behind (const char *text)
{
  gsize length = strlen (text);
  const Unit *found = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (size_units); i++)
    {
      gsize unit = strlen (size_units[i].name);

      if (unit <= length && (!found || unit > strlen (found->name)) &&
          g_ascii_strcasecmp (text + length - unit, size_units[i].name) == 0)
        found = &size_units[i];
    }
  return found;
}

/* no file is larger, and a sum of two is a number still */
#define MOST_BYTES (G_GINT64_CONSTANT (1) << 62)

/**
 * clip_parse_size:
 * @text: a number with a unit, in any case: b, kb mb gb tb (powers of 1000), kib mib gib
 * tib (powers of 1024); none means bytes, of which there are whole ones; blanks around
 * and between do not count
 * @out_bytes: (out): 2^62 for all that is more
 *
 * Returns: whether @text is a size
 */
gboolean
clip_parse_size (const char *text, gint64 *out_bytes)
{
  g_autofree char *number_text = g_strstrip (g_strdup (text));
  const Unit *unit = unit_behind (number_text);
  double number;
  guint64 bytes;

  if (!unit)
    {
      if (!g_ascii_string_to_unsigned (number_text, 10, 0, G_MAXUINT64, &bytes, NULL))
        return FALSE;
      *out_bytes = (gint64) MIN (bytes, (guint64) MOST_BYTES);
      return TRUE;
    }
  number_text[strlen (number_text) - strlen (unit->name)] = '\0';
  if (!parse_real (g_strchomp (number_text), &number) || number < 0)
    return FALSE;
  number *= unit->factor;
  *out_bytes = number < (double) MOST_BYTES ? (gint64) number : MOST_BYTES;
  return TRUE;
}

/**
 * clip_parse_duration:
 * @text: one or more numbers with a unit each: ms s m min h d w y, as in `1h30m`
 * @out_us: (out): microseconds
 *
 * Returns: whether @text is a duration that fits 63 bits
 */
gboolean
clip_parse_duration (const char *text, gint64 *out_us)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  const char *cursor = trimmed;
  double total = 0;

  if (!*cursor)
    return FALSE;
  while (*cursor)
    {
      gsize length = 0;
      double number, factor;

      if (!scan_number (&cursor, &number))
        return FALSE;
      while (g_ascii_isalpha (cursor[length]))
        length++;
      if (!find_unit (duration_units, G_N_ELEMENTS (duration_units), cursor, length,
                      &factor))
        return FALSE;
      cursor += length;
      total += number * factor;
    }
  if (!(total < 9223372036854775807.0))
    return FALSE;
  *out_us = (gint64) total;
  return TRUE;
}

/* whole numbers in B, KiB or MiB: a GiB prints as 1024 MiB, which scripts know how to
 * read */
char *
clip_format_size (gint64 bytes)
{
  if (bytes < 1024)
    return g_strdup_printf ("%" G_GINT64_FORMAT " B", bytes);
  if (bytes < 1048576)
    return g_strdup_printf ("%.0f KiB", (double) bytes / 1024.0);
  return g_strdup_printf ("%.0f MiB", (double) bytes / 1048576.0);
}
