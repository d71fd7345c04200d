/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-facts.h"

#include "clip-cells.h"
#include "clip-preview.h"
#include "clip-words.h"

#include <string.h>

/* of the names; a longer one is followed by a blank */
#define NAME_CELLS 10

/**
 * clip_facts_append:
 * @name: in any language; "" where the line goes on with what the one before says
 * @value: any text; its control characters, line feeds too, become visible
 */
void
clip_facts_append (GString *out, const char *name, const char *value)
{
  int cells = (int) clip_cells_count (name, strlen (name));

  g_string_append_printf (out, "%s%*s", name, MAX (NAME_CELLS - cells, 1), "");
  clip_preview_append_safe (out, value, strlen (value), -1);
  g_string_append_c (out, '\n');
}

void
clip_facts_append_format (GString *out, const char *name, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list args;

  va_start (args, format);
  value = g_strdup_vprintf (format, args);
  va_end (args);
  clip_facts_append (out, name, value);
}

/* local time */
void
clip_facts_append_time (GString *out, const char *name, gint64 time_us)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (time_us / G_USEC_PER_SEC);
  g_autofree char *text = time ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : NULL;

  clip_facts_append (out, name, text ?: "?");
}

/* (transfer full) (nullable): NULL: none, or none that a calendar reaches */
static char *
format_end (gint64 until_us, const char *format)
{
  g_autoptr (GDateTime) time =
      until_us > 0 ? g_date_time_new_from_unix_local (until_us / G_USEC_PER_SEC) : NULL;

  return time ? g_date_time_format (time, format) : NULL;
}

/* @until_us: -1 = until resumed; 0 = there is none, and no line */
void
clip_facts_append_pause (GString *out, gint64 until_us)
{
  g_autofree char *text = format_end (until_us, _ ("until %Y-%m-%d %H:%M:%S"));

  if (until_us != 0)
    clip_facts_append (out, _ ("paused"), text ?: _ ("until resumed"));
}

/* (transfer full): a sentence. @until_us: not 0 */
char *
clip_facts_pause_words (gint64 until_us)
{
  return format_end (until_us, _ ("The history is paused until %Y-%m-%d %H:%M:%S: what "
                                  "you copy before is not kept."))
             ?: g_strdup (_ ("The history is paused: what you copy is not kept before "
                             "“cliphist resume”."));
}
