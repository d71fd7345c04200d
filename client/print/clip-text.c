/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Foreign bytes as text: quoted for an error line, or made visible for a terminal. Clips
 * come from anywhere, and a terminal obeys what it is sent.
 */
#include "clip-text.h"

#include "clip-preview.h"
#include "clip-utf8.h"

#include <string.h>

static void
append_escape (GString *out, gunichar c)
{
  static const char names[] = "abtnvfr"; /* of 7 to 13 */

  if (c == '"' || c == '\\')
    g_string_append_printf (out, "\\%c", (char) c);
  else if (c >= 7 && c <= 13)
    g_string_append_printf (out, "\\%c", names[c - 7]);
  else if (c < 0x80)
    g_string_append_printf (out, "\\x%02x", c);
  else if (c < 0x10000)
    g_string_append_printf (out, "\\u%04x", c);
  else
    g_string_append_printf (out, "\\U%08x", c);
}

static gboolean
is_plain (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
    case G_UNICODE_PRIVATE_USE:
      return FALSE;
    default:
      return c == ' ' || (g_unichar_isgraph (c) && c != '"' && c != '\\');
    }
}

/**
 * clip_text_quote:
 * @text: any bytes
 *
 * Returns: (transfer full): @text between double quotes, as a string literal of Go writes
 * it: printable characters as they are, others escaped. Error texts that scripts read
 * have it.
 */
char *
clip_text_quote (const char *text, gsize length)
{
  const guint8 *bytes = (const guint8 *) text;
  GString *out = g_string_new ("\"");

  for (gsize i = 0, step; i < length; i += MAX (step, 1))
    {
      gunichar c;

      step = clip_utf8_decode (bytes + i, length - i, &c);
      if (step == 0)
        g_string_append_printf (out, "\\x%02x", bytes[i]);
      else if (is_plain (c))
        g_string_append_unichar (out, c);
      else
        append_escape (out, c);
    }
  g_string_append_c (out, '"');
  return g_string_free (out, FALSE);
}

/**
 * clip_text_append_visible:
 *
 * Appends @text for a terminal: line feeds and tabs as they are; other control
 * characters, bytes that are not UTF-8, and marks that change the direction of writing as
 * visible signs.
 */
void
clip_text_append_visible (GString *out, const char *text, gsize length)
{
  const char *end = text + length;

  for (const char *start = text; start < end;)
    {
      const char *stop = start;

      while (stop < end && *stop != '\n' && *stop != '\t')
        stop++;
      clip_preview_append_safe (out, start, (gsize) (stop - start), -1);
      if (stop < end)
        g_string_append_c (out, *stop++);
      start = stop;
    }
}

/* a copied file as its name on disk, where it has one */
static void
append_uri (GString *out, const char *uri)
{
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
  const char *shown = path ?: uri;

  if (*uri == '\0' || *uri == '#')
    return;
  clip_preview_append_safe (out, shown, strlen (shown), -1); /* a name may have lines */
  g_string_append_c (out, '\n');
}

/**
 * clip_text_append_uris:
 * @list: as text/uri-list has it (RFC 2483); what follows a NUL is not looked at
 *
 * Appends what each line refers to, for a terminal.
 */
void
clip_text_append_uris (GString *out, const char *list, gsize length)
{
  g_autofree char *text = g_strndup (list, length);
  g_auto (GStrv) uris = g_strsplit_set (text, "\r\n", -1);

  for (guint i = 0; uris[i]; i++)
    append_uri (out, uris[i]);
}

/* whether @text has a NUL byte, or is not UTF-8 */
gboolean
clip_text_is_binary (const char *text, gsize length)
{
  return !g_utf8_validate_len (text, length, NULL);
}
