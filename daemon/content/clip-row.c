/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One entry as a machine reads it. A list may have a million rows: nothing here allocates
 * but @out itself, and nothing looks at more of a preview than is shown.
 */
#include "clip-row.h"

#include "clip-preview.h"
#include "clip-snippet.h"
#include "clip-utf8.h"

#include <string.h>

static const char *const format_names[] = {
  [CLIP_FORMAT_LINE] = "cliphist", [CLIP_FORMAT_JSON] = "json",
  [CLIP_FORMAT_NUL] = "nul",       [CLIP_FORMAT_TERMINAL] = "terminal",
  [CLIP_FORMAT_MARKED] = "marked",
};

#define US_PER_SECOND G_GINT64_CONSTANT (1000000)
#define SECONDS_PER_DAY G_GINT64_CONSTANT (86400)

/* inline, so that the length of a literal is known */
static inline void
append_text (GString *out, const char *text)
{
  g_string_append_len (out, text, (gssize) strlen (text));
}

/* at least @digits digits, with zeros in front */
static void
append_padded (GString *out, guint64 value, guint digits)
{
  char buffer[24];
  char *end = buffer + sizeof buffer;
  char *start = end;

  while (value > 0 || end - start < (gssize) digits)
    {
      *--start = (char) ('0' + value % 10);
      value /= 10;
    }
  g_string_append_len (out, start, end - start);
}

static void
append_int (GString *out, gint64 value)
{
  if (value < 0)
    g_string_append_c (out, '-');
  append_padded (out, value < 0 ? 0 - (guint64) value : (guint64) value, 1);
}

static gint64
floor_div (gint64 value, gint64 by)
{
  return value / by - (value % by < 0);
}

/* The proleptic Gregorian date of a day number. Years are taken to start in March, in
 * eras of 400 years, so that the leap day is the last one of each. */
static void
append_date (GString *out, gint64 days_since_epoch)
{
  gint64 day = days_since_epoch + 719468; /* since 0000-03-01 */
  gint64 era = floor_div (day, 146097);
  gint64 of_era = day - era * 146097;
  gint64 year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  gint64 of_year = of_era - (365 * year + year / 4 - year / 100);
  gint64 month = (5 * of_year + 2) / 153; /* 0 is March */
  gint64 of_month = of_year - (153 * month + 2) / 5 + 1;

  year += era * 400 + (month >= 10 ? 1 : 0);
  if (year < 0)
    g_string_append_c (out, '-');
  append_padded (out, (guint64) ABS (year), 4);
  g_string_append_c (out, '-');
  append_padded (out, (guint64) (month < 10 ? month + 3 : month - 9), 2);
  g_string_append_c (out, '-');
  append_padded (out, (guint64) of_month, 2);
}

/* UTC, as ISO 8601 has it; not by GDateTime, which allocates */
static void
append_time (GString *out, gint64 time_us)
{
  gint64 seconds = floor_div (time_us, US_PER_SECOND);
  gint64 days = floor_div (seconds, SECONDS_PER_DAY);
  gint64 of_day = seconds - days * SECONDS_PER_DAY;

  append_date (out, days);
  g_string_append_c (out, 'T');
  append_padded (out, (guint64) of_day / 3600, 2);
  g_string_append_c (out, ':');
  append_padded (out, (guint64) of_day / 60 % 60, 2);
  g_string_append_c (out, ':');
  append_padded (out, (guint64) of_day % 60, 2);
  g_string_append_c (out, '.');
  append_padded (out, (guint64) (time_us - seconds * US_PER_SECOND), 6);
  g_string_append_c (out, 'Z');
}

/* what may stand in a JSON string as it is; DEL may too, but not on a terminal */
static gboolean
is_plain (guint8 byte)
{
  return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
}

static void
append_escaped (GString *out, gunichar c)
{
  static const char hex[] = "0123456789abcdef";
  static const char short_forms[] = "\"\"\\\\\bb\ff\nn\rr\tt";

  for (gsize i = 0; short_forms[i]; i += 2)
    if (c == (guint8) short_forms[i])
      {
        g_string_append_c (out, '\\');
        g_string_append_c (out, short_forms[i + 1]);
        return;
      }
  append_text (out, "\\u");
  for (int shift = 12; shift >= 0; shift -= 4)
    g_string_append_c (out, hex[c >> shift & 0xF]);
}

/* what a terminal would obey, and so the line ends that JSON has and JavaScript had
   not */
static gboolean
must_escape (gunichar c)
{
  return c < 0x20 || c == '"' || c == '\\' || clip_preview_is_hidden (c);
}

/* Returns: the bytes that were dealt with */
static gsize
append_special (GString *out, const guint8 *bytes, gsize length)
{
  gunichar c;
  gsize step = clip_utf8_decode (bytes, length, &c);

  if (step == 0)
    append_text (out, CLIP_UTF8_REPLACEMENT);
  else
    append_escaped (out, c);
  return MAX (step, 1);
}

/* the bytes from the start that a JSON string holds as they are */
static gsize
plain_run (const guint8 *bytes, gsize length)
{
  gsize run = 0, step = 0;

  do
    {
      gunichar c;

      for (run += step; run < length && is_plain (bytes[run]);)
        run++;
      step = run < length ? clip_utf8_decode (bytes + run, length - run, &c) : 0;
      if (step > 0 && must_escape (c))
        step = 0;
    }
  while (step > 0);
  return run;
}

/**
 * clip_json_append_string:
 * @text: any bytes
 * @length: bytes, or -1: up to the NUL
 *
 * Appends a JSON string with its quotes. For all bytes it is valid UTF-8
 * without a control character: each byte that is no part of a character becomes U+FFFD.
 */
void
clip_json_append_string (GString *out, const char *text, gssize length)
{
  const guint8 *bytes = (const guint8 *) text;
  gsize n = length < 0 ? strlen (text) : (gsize) length;

  g_string_append_c (out, '"');
  for (gsize i = 0; i < n;)
    {
      gsize run = plain_run (bytes + i, n - i);

      g_string_append_len (out, text + i, (gssize) run);
      i += run;
      if (i < n)
        i += append_special (out, bytes + i, n - i);
    }
  g_string_append_c (out, '"');
}

static void
append_int_member (GString *out, const char *name_part, gint64 value)
{
  append_text (out, name_part);
  append_int (out, value);
}

static void
append_string_member (GString *out, const char *name_part, const char *value)
{
  append_text (out, name_part);
  clip_json_append_string (out, value ?: "", -1);
}

static void
append_preview_member (GString *out, const ClipRow *row, gint64 width)
{
  gsize shown = clip_preview_cut (row->preview, row->preview_length, width);

  append_text (out, ",\"preview\":");
  clip_json_append_string (out, row->preview, (gssize) shown);
  if (shown == row->preview_length)
    return;
  g_string_truncate (out, out->len - strlen ("\""));
  append_text (out, CLIP_UTF8_ELLIPSIS "\"");
}

/* where it was found, in bytes of the text, and the line that shows it */
static void
append_match_members (GString *out, const ClipRow *row, gint64 width)
{
  g_autoptr (GString) snippet = g_string_new (NULL);

  clip_snippet_append (snippet, row, width, CLIP_SNIPPET_PLAIN);
  append_int_member (out, ",\"match\":{\"offset\":", (gint64) row->match_start);
  append_int_member (out, ",\"length\":", (gint64) (row->match_end - row->match_start));
  append_text (out, "},\"snippet\":");
  clip_json_append_string (out, snippet->str, (gssize) snippet->len);
}

/* as a member of an entry; @tags: (nullable) */
static void
append_tags (GString *out, const char *const *tags)
{
  append_text (out, ",\"tags\":[");
  for (gsize i = 0; tags && tags[i]; i++)
    append_string_member (out, i > 0 ? "," : "", tags[i]);
  g_string_append_c (out, ']');
}

/* all members, without the bracket at the end */
static void
append_json_members (GString *out, const ClipRow *row, gint64 width)
{
  append_int_member (out, "{\"id\":", row->id);
  append_text (out, ",\"time\":\"");
  append_time (out, row->last_us);
  append_int_member (out, "\",\"first_us\":", row->first_us);
  append_int_member (out, ",\"last_us\":", row->last_us);
  append_int_member (out, ",\"copies\":", row->copies);
  append_string_member (out, ",\"class\":", clip_class_name (row->kind));
  append_string_member (out, ",\"mime\":", row->mime);
  append_int_member (out, ",\"size\":", row->size);
  append_text (out, row->pinned ? ",\"pinned\":true" : ",\"pinned\":false");
  append_int_member (out, ",\"expires_us\":", row->expires_us);
  append_string_member (out, ",\"origin\":", row->origin);
  append_preview_member (out, row, width);
  if (row->text)
    append_match_members (out, row, width);
}

/* scripts take the preview: what they get is that, where it shows what was found */
static void
append_line (GString *out, const ClipRow *row, ClipRowFormat format, gint64 width)
{
  gboolean is_terminal = format == CLIP_FORMAT_TERMINAL || format == CLIP_FORMAT_MARKED;

  if (format == CLIP_FORMAT_MARKED && row->text)
    clip_snippet_append (out, row, width, CLIP_SNIPPET_MARKED);
  else if (row->text && clip_snippet_start (row, width) > 0)
    clip_snippet_append (out, row, width,
                         is_terminal ? CLIP_SNIPPET_SAFE : CLIP_SNIPPET_PLAIN);
  else if (is_terminal)
    clip_preview_append_safe (out, row->preview, row->preview_length, width);
  else
    clip_preview_append (out, row->preview, row->preview_length, width);
}

/**
 * clip_row_format_from_name:
 * @name: (nullable): `cliphist`, `json` or `nul`, as D-Bus has them, `terminal` or
 * `marked`
 *
 * Returns: whether there is such a format
 */
gboolean
clip_row_format_from_name (const char *name, ClipRowFormat *out_format)
{
  for (gsize i = 0; i < G_N_ELEMENTS (format_names); i++)
    if (g_strcmp0 (name, format_names[i]) == 0)
      {
        *out_format = (ClipRowFormat) i;
        return TRUE;
      }
  return FALSE;
}

/**
 * clip_row_append:
 * @width: code points of the preview that are shown; below 0: all. The line of an image
 * is never cut: scripts take its words.
 *
 * Where the row was found by its text, the line shows the match. Else this allocates
 * nothing, once @out has grown.
 */
void
clip_row_append (GString *out, const ClipRow *row, ClipRowFormat format, gint64 width)
{
  gint64 shown = row->kind == CLIP_CLASS_IMAGE ? -1 : width;

  if (format == CLIP_FORMAT_JSON)
    {
      append_json_members (out, row, shown);
      if (row->tags)
        append_tags (out, row->tags);
      append_text (out, "}\n");
      return;
    }
  append_int (out, row->id);
  g_string_append_c (out, '\t');
  append_line (out, row, format, shown);
  g_string_append_c (out, format == CLIP_FORMAT_NUL ? '\0' : '\n');
}

static void
append_contents (GString *out, const GPtrArray *contents)
{
  append_text (out, ",\"contents\":[");
  for (guint i = 0; i < contents->len; i++)
    {
      const ClipContent *content = g_ptr_array_index (contents, i);

      append_string_member (out, i > 0 ? ",{\"mime\":" : "{\"mime\":", content->mime);
      append_int_member (out, ",\"size\":", content->size);
      g_string_append_c (out, '}');
    }
  g_string_append_c (out, ']');
}

/**
 * clip_entry_append_json:
 *
 * Appends the members of a row in %CLIP_FORMAT_JSON, with the whole preview, then
 * `contents` (objects of `mime` and `size`, the primary one first) and `tags`, and ends
 * the line.
 */
void
clip_entry_append_json (GString *out, const ClipEntry *entry)
{
  append_json_members (out, &entry->row, -1);
  append_contents (out, entry->contents);
  append_tags (out, (const char *const *) entry->tags);
  append_text (out, "}\n");
}
