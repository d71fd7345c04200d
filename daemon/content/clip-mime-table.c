/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All that can be said of one name of a type, as data: a new type, alias or marker is a
 * new line here. Names are compared without case, blanks and quotes, of which programs
 * have several forms.
 */
#include "clip-mime-table.h"

#include "clip-mime.h"

#include <string.h>

/* A star at the end stands for anything. The first match counts. An alias that is
 * understood, but not offered, names what it stands for. */
static const ClipMimeRule rules[] = {
  { "text/plain;charset=utf-8", CLIP_MIME_PLAIN, 0 },
  { "text/plain;charset=utf8", CLIP_MIME_PLAIN, 0, CLIP_MIME_TEXT },
  { "UTF8_STRING", CLIP_MIME_PLAIN, 1 },
  { "text/plain", CLIP_MIME_PLAIN, 2 },
  { "text/plain;charset=us-ascii", CLIP_MIME_PLAIN, 3, CLIP_MIME_TEXT },
  { "TEXT", CLIP_MIME_PLAIN, 4 },
  { "STRING", CLIP_MIME_PLAIN, 5 }, /* Latin-1: what that lacks is lost already */
  { "text/plain;*", CLIP_MIME_PLAIN, 6 },
  { "COMPOUND_TEXT", CLIP_MIME_PLAIN, 7 },

  { "text/html", CLIP_MIME_RICH, 0 },
  { "text/html;charset=utf-8", CLIP_MIME_RICH, 0, CLIP_MIME_HTML },
  { "text/rtf", CLIP_MIME_RICH, 1 },
  { "application/rtf", CLIP_MIME_RICH, 1 },
  { "text/richtext", CLIP_MIME_RICH, 1 },
  { "application/x-rtf", CLIP_MIME_RICH, 1, CLIP_MIME_RTF },

  /* bmp and tiff last: every toolkit converts to them, so what else is offered alone
   * is the original */
  { "image/png", CLIP_MIME_IMAGE, 0 },
  { "image/x-png", CLIP_MIME_IMAGE, 0, "image/png" },
  { "image/svg+xml", CLIP_MIME_IMAGE, 1 },
  { "image/webp", CLIP_MIME_IMAGE, 2 },
  { "image/jpeg", CLIP_MIME_IMAGE, 3 },
  { "image/jpg", CLIP_MIME_IMAGE, 3, "image/jpeg" },
  { "image/gif", CLIP_MIME_IMAGE, 4 },
  { "image/avif", CLIP_MIME_IMAGE, 5 },
  { "image/jxl", CLIP_MIME_IMAGE, 6 },
  { "image/bmp", CLIP_MIME_IMAGE, 8 },
  { "image/x-bmp", CLIP_MIME_IMAGE, 8 },
  { "image/x-ms-bmp", CLIP_MIME_IMAGE, 8 },
  { "image/x-win-bitmap", CLIP_MIME_IMAGE, 8, "image/bmp" },
  { "image/tiff", CLIP_MIME_IMAGE, 9 },
  { "image/x-inkscape-svg*", CLIP_MIME_CONTROL,
    0 }, /* Inkscape crashes over its return */
  { "image/x-xcf*", CLIP_MIME_PRIVATE, 0 },
  { "image/x-gimp*", CLIP_MIME_PRIVATE, 0 },
  { "image/x-qt-*", CLIP_MIME_PRIVATE, 0 },
  { "image/*", CLIP_MIME_IMAGE, 7 },

  { "text/uri-list", CLIP_MIME_FILES, 0 },
  { "text/uri-list;charset=utf-8", CLIP_MIME_FILES, 0, CLIP_MIME_URI_LIST },
  { "text/uri-list;*", CLIP_MIME_PRIVATE, 0 },
  { "x-special/gnome-copied-files", CLIP_MIME_FILES, 1 },
  { "x-special/mate-copied-files", CLIP_MIME_FILES, 2 },
  { "x-special/nautilus-clipboard", CLIP_MIME_FILES, 3 },
  { "application/x-kde-cutselection", CLIP_MIME_MARKER, 0 },

  { "application/x-kde-*", CLIP_MIME_CONTROL, 0 },
  { "text/x-kde-*", CLIP_MIME_CONTROL, 0 },
  { "x-kde-*", CLIP_MIME_CONTROL, 0 },
  { "application/x-org.cliphist.*", CLIP_MIME_CONTROL, 0 },
  { "application/x-nspasteboard*", CLIP_MIME_CONTROL, 0 },
  { "org.nspasteboard.*", CLIP_MIME_CONTROL, 0 },
  { "TARGETS", CLIP_MIME_CONTROL, 0 },
  { "MULTIPLE", CLIP_MIME_CONTROL, 0 },
  { "TIMESTAMP", CLIP_MIME_CONTROL, 0 },
  { "TARGET_SIZES", CLIP_MIME_CONTROL, 0 },
  { "SAVE_TARGETS", CLIP_MIME_CONTROL, 0 },
  { "DELETE", CLIP_MIME_CONTROL, 0 },
  { "INSERT_PROPERTY", CLIP_MIME_CONTROL, 0 },
  { "INSERT_SELECTION", CLIP_MIME_CONTROL, 0 },
  /* keys to what the portal holds, good for one paste */
  { "application/vnd.portal.*", CLIP_MIME_CONTROL, 0 },

  { "application/x-kde4-urilist", CLIP_MIME_PRIVATE, 0 },
  /* LibreOffice pastes formulas, charts and styles from the first, if the second says
     what it is */
  { "application/x-openoffice-embed-source-xml*", CLIP_MIME_NATIVE, 0 },
  { "application/x-openoffice-objectdescriptor-xml*", CLIP_MIME_NATIVE, 1 },
  { "application/x-openoffice*", CLIP_MIME_PRIVATE, 0 },
  { "application/x-libreoffice*", CLIP_MIME_PRIVATE, 0 },
  { "application/x-java*", CLIP_MIME_PRIVATE, 0 },
  { "application/x-moz-*", CLIP_MIME_PRIVATE, 0 },
  { "application/x-gtk-text-buffer*", CLIP_MIME_PRIVATE, 0 },
  { "application/x-gimp*", CLIP_MIME_PRIVATE, 0 },
  { "application/x-qt-*", CLIP_MIME_PRIVATE, 0 },
  { "application/vnd.code.*", CLIP_MIME_PRIVATE, 0 },
  { "application/web;type=*", CLIP_MIME_PRIVATE, 0 },
  { "application/ico", CLIP_MIME_PRIVATE, 0 },
  { "chromium/*", CLIP_MIME_PRIVATE, 0 },
  { "text/ico", CLIP_MIME_PRIVATE, 0 }, /* Firefox offers it and never answers */
  { "text/_moz_*", CLIP_MIME_PRIVATE, 0 },
  { "text/x-moz-*", CLIP_MIME_PRIVATE, 0 },
  { "x-special/gnome-icon-list", CLIP_MIME_PRIVATE, 0 },
};

/* One content under several names: stored under the first, offered again under all. Each
 * has a rule, too. */
static const char *const text_names[] = {
  CLIP_MIME_TEXT, "text/plain", "UTF8_STRING", "TEXT", "STRING", NULL,
};
static const char *const latin1_names[] = { CLIP_MIME_LATIN1, "STRING", NULL };
static const char *const rtf_names[] = {
  CLIP_MIME_RTF,
  "application/rtf",
  "text/richtext",
  NULL,
};
static const char *const bmp_names[] = {
  "image/bmp",
  "image/x-bmp",
  "image/x-MS-bmp",
  NULL,
};
static const char *const *const families[] = {
  text_names,
  latin1_names,
  rtf_names,
  bmp_names,
};

/* text, by any name */
static const char *const text_patterns[] = {
  "text/*",
  "application/json*",
  "application/ld+json*",
  "application/xml*",
  "application/xhtml+xml*",
  "application/javascript*",
  "application/x-javascript*",
  "application/x-sh*",
  "application/yaml*",
  "application/x-yaml*",
  "application/toml*",
  "application/sql*",
  "application/x-tex*",
  "application/rtf",
  "application/x-rtf",
  "x-special/gnome-copied-files",
  "x-special/mate-copied-files",
  "x-special/nautilus-clipboard",
  "UTF8_STRING",
  "TEXT",
  "STRING",
  "COMPOUND_TEXT",
};

typedef struct
{
  char text[CLIP_MIME_MAX_LENGTH + 1];
} Name;

static Name
simplify (const char *mime)
{
  Name name;
  gsize length = 0;

  for (; *mime && length < CLIP_MIME_MAX_LENGTH; mime++)
    if (*mime != ' ' && *mime != '"')
      name.text[length++] = *mime;
  name.text[length] = '\0';
  return name;
}

static gboolean
matches (const char *pattern, const Name *name)
{
  gsize length = strlen (pattern);

  if (pattern[length - 1] == '*')
    return g_ascii_strncasecmp (pattern, name->text, length - 1) == 0;
  return g_ascii_strcasecmp (pattern, name->text) == 0;
}

/**
 * clip_mime_rule:
 *
 * Returns: what is known of @mime. Of a name without a slash nothing is: it is an X atom
 * that some programs agreed on among themselves.
 */
ClipMimeRule
clip_mime_rule (const char *mime)
{
  Name name = simplify (mime);

  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    if (matches (rules[i].pattern, &name))
      return rules[i];
  return (ClipMimeRule){ NULL, strchr (mime, '/') ? CLIP_MIME_OTHER : CLIP_MIME_PRIVATE,
                         0 };
}

/**
 * clip_mime_known:
 * @i: from 0
 *
 * Returns: (nullable): a type that there is a rule for, or what all types of one begin
 * with, and a star; %NULL behind the last one; static
 */
const char *
clip_mime_known (guint i)
{
  return i < G_N_ELEMENTS (rules) ? rules[i].pattern : NULL;
}

/**
 * clip_mime_family:
 *
 * Returns: (nullable): the names of the same content, its own first, ending with %NULL;
 * of a name in two families, the first one
 */
const char *const *
clip_mime_family (const char *mime)
{
  Name name = simplify (mime);

  for (gsize i = 0; i < G_N_ELEMENTS (families); i++)
    for (gsize j = 0; families[i][j]; j++)
      if (matches (families[i][j], &name))
        return families[i];
  return NULL;
}

gboolean
clip_mime_is_called_text (const char *mime)
{
  Name name = simplify (mime);

  for (gsize i = 0; i < G_N_ELEMENTS (text_patterns); i++)
    if (matches (text_patterns[i], &name))
      return TRUE;
  return FALSE;
}

static gboolean
contains (const Name *name, const char *part)
{
  const gsize length = strlen (part);
  const char first = g_ascii_tolower (*part);

  for (const char *at = name->text; *at; at++)
    if (g_ascii_tolower (*at) == first && g_ascii_strncasecmp (at, part, length) == 0)
      return TRUE;
  return FALSE;
}

/**
 * clip_mime_contains:
 * @part: without blanks and quotes
 */
gboolean
clip_mime_contains (const char *mime, const char *part)
{
  Name name = simplify (mime);

  return contains (&name, part);
}
