/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Nearly all lines of an archive are as our own writer makes them: names in its order, no blanks, texts
 * as contents. To make a tree of each and to look the names up in it was half of what an import
 * took. So a line of that form is read from left to right. This never says that a line
 * is wrong: what it does not know to be right is for the reader of JSON, and what it reads is what
 * that one would have read.
 */
#include "clip-archive-plain.h"

#include "clip-mime.h"

#include <string.h>

typedef struct
{
  const char *at;
  const char *end;
} Line;

/* whether the line goes on with @text, which is behind us then */
static gboolean
pass (Line *self, const char *text)
{
  gsize length = strlen (text);

  if ((gsize) (self->end - self->at) < length || memcmp (self->at, text, length) != 0)
    return FALSE;
  self->at += length;
  return TRUE;
}

static gboolean
take_number (Line *self, gint64 min, gint64 *out)
{
  const char *start = self->at;
  gint64 number = 0;

  while (self->at < self->end && g_ascii_isdigit (*self->at) &&
         number <= CLIP_ARCHIVE_MAX_NUMBER)
    number = number * 10 + (*self->at++ - '0');
  *out = number;
  return self->at > start && (*start != '0' || self->at == start + 1) && number >= min &&
         number <= CLIP_ARCHIVE_MAX_NUMBER;
}

static gboolean
take_named (Line *self, const char *name, gint64 min, gint64 *out)
{
  return pass (self, name) && take_number (self, min, out);
}

/* --- strings --- */

/* behind the quotation mark that begins it: where the one is that ends it, or NULL */
static const char *
find_end (const Line *self)
{
  const char *at = self->at;

  for (; at < self->end && *at != '"'; at++)
    if (*at == '\\' && at + 1 < self->end)
      at++;
  return at < self->end ? at : NULL;
}

/* Returns: the bytes written, 0 where it is none of those that stand for one character */
static int
unescape (const char *text, gsize length, char *out, gsize *out_used)
{
  static const char names[] = "\"\\/bfnrt";
  static const char values[] = "\"\\/\b\f\n\r\t";
  const char *name = length > 1 && text[1] ? strchr (names, text[1]) : NULL;
  gunichar c = 0;

  *out_used = 2;
  if (name)
    {
      *out = values[name - names];
      return 1;
    }
  if (length < 6 || text[1] != 'u')
    return 0;
  for (guint i = 2; i < 6; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        return 0;
      c = c << 4 | (gunichar) g_ascii_xdigit_value (text[i]);
    }
  *out_used = 6;
  return c == 0 || !g_unichar_validate (c) ? 0 : g_unichar_to_utf8 (c, out);
}

/* @out: with room for @length bytes, which is more than the longest escape needs. Returns: the
 * bytes written, or -1 */
static gssize
decode (const char *text, gsize length, char *out)
{
  gsize n = 0;

  for (gsize i = 0; i < length;)
    {
      gsize used;
      int written;

      if ((guchar) text[i] < 0x20)
        return -1;
      if (text[i] != '\\')
        {
          out[n++] = text[i++];
          continue;
        }
      written = unescape (text + i, length - i, out + n, &used);
      if (written == 0)
        return -1;
      n += (gsize) written;
      i += used;
    }
  return g_utf8_validate_len (out, n, NULL) ? (gssize) n : -1;
}

/* the string that begins here, and a NUL; NULL where it is not one that is known to be right */
static char *
take_string (Line *self, gsize *out_length)
{
  g_autofree char *out = NULL;
  const char *end;
  gssize length;

  if (!pass (self, "\"") || !(end = find_end (self)))
    return NULL;
  out = g_malloc ((gsize) (end - self->at) + 1);
  length = decode (self->at, (gsize) (end - self->at), out);
  if (length < 0)
    return NULL;
  out[length] = '\0';
  *out_length = (gsize) length;
  if (2 * length < end - self->at)
    out = g_realloc (out, (gsize) length + 1);
  self->at = end + 1;
  return g_steal_pointer (&out);
}

/* --- an entry --- */

static gboolean
take_class (Line *self)
{
  if (!pass (self, ",\"class\":\""))
    return FALSE;
  while (self->at < self->end && g_ascii_islower (*self->at))
    self->at++;
  return pass (self, "\"");
}

static gboolean
take_course (Line *self, ClipArchiveEntry *entry)
{
  gsize length;

  if (!pass (self, "{") || (pass (self, "\"id\":") &&
                            !(take_number (self, 1, &entry->id) && pass (self, ","))))
    return FALSE;
  if (!take_named (self, "\"first\":", 0, &entry->first_us) ||
      !take_named (self, ",\"last\":", 0, &entry->last_us) ||
      !take_named (self, ",\"copies\":", 1, &entry->copies))
    return FALSE;
  entry->pinned = pass (self, ",\"pinned\":true");
  if (pass (self, ",\"expires\":") && !take_number (self, 0, &entry->expires_us))
    return FALSE;
  if (!take_class (self))
    return FALSE;
  entry->origin =
      pass (self, ",\"origin\":") ? take_string (self, &length) : g_strdup ("");
  return entry->origin && entry->first_us <= entry->last_us;
}

static gboolean
take_content (Line *self, ClipArchiveEntry *entry)
{
  g_autofree char *mime = NULL;
  char *text;
  gsize length;

  if (!pass (self, "{\"type\":") || !(mime = take_string (self, &length)) ||
      !clip_mime_is_valid (mime) || !pass (self, ",\"text\":") ||
      !(text = take_string (self, &length)))
    return FALSE;
  clip_archive_entry_add (entry, g_steal_pointer (&mime),
                          g_bytes_new_take (text, length));
  return pass (self, "}");
}

static gboolean
take_contents (Line *self, ClipArchiveEntry *entry)
{
  if (!pass (self, ",\"contents\":["))
    return FALSE;
  do
    if (!take_content (self, entry))
      return FALSE;
  while (pass (self, ",") && entry->contents->len < CLIP_ARCHIVE_MAX_CONTENTS);
  return pass (self, "]}") && self->at == self->end;
}

/**
 * clip_archive_plain_parse:
 * @line: JSON, without the end of the line
 *
 * Returns: (transfer full) (nullable): the entry, or %NULL where it takes a reader of JSON to say
 * what the line is
 */
ClipArchiveEntry *
clip_archive_plain_parse (const char *line, gsize length)
{
  g_autoptr (ClipArchiveEntry) entry = clip_archive_entry_new ();
  Line self = { line, line + length };

  return take_course (&self, entry) && take_contents (&self, entry)
             ? g_steal_pointer (&entry)
             : NULL;
}
