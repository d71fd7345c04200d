/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What an entry is, in a few words for people: how old, and its text, or what else it
   is. */
#include "clip-spoken-row.h"

#include "clip-preview.h"
#include "clip-units.h"
#include "clip-words.h"

#include <stdio.h>
#include <string.h>

static void
append_age (GString *out, gint64 age_us)
{
  static const struct
  {
    gint64 seconds;
    char unit;
  } units[] = {
    { 365 * 86400, 'y' }, { 7 * 86400, 'w' }, { 86400, 'd' }, { 3600, 'h' }, { 60, 'm' }
  };
  gint64 seconds = age_us / G_USEC_PER_SEC;
  char text[16];

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (seconds >= units[i].seconds)
      {
        g_snprintf (text, sizeof text, "%d%c",
                    (int) MIN (seconds / units[i].seconds, 999), units[i].unit);
        g_string_append_printf (out, "%3s  ", text);
        return;
      }
  g_string_append_printf (out, "%s  ", _ ("now"));
}

/* Returns: whether its preview is that of an image, of any type, and says how large */
static gboolean
append_size_of_image (GString *out, const ClipRow *row)
{
  guint32 width, height;

  if (!clip_preview_image_pixels (row->preview, row->preview_length, &width, &height))
    return FALSE;
  g_string_append_printf (out, _ ("Image %u×%u"), width, height);
  return TRUE;
}

static void
append_image (GString *out, const ClipRow *row)
{
  g_autofree char *size = clip_format_size (row->size);

  if (!append_size_of_image (out, row))
    g_string_append_printf (out, _ ("Image, %s"), size);
}

/* the name of the first one, as a program that manages files shows it */
static void
append_files (GString *out, const ClipRow *row)
{
  g_autofree char *preview = g_strndup (row->preview, row->preview_length);
  g_auto (GStrv) uris = g_strsplit (preview, " ", -1);
  guint n = g_strv_length (uris);
  g_autofree char *path = n > 0 ? g_filename_from_uri (uris[0], NULL, NULL) : NULL;
  g_autofree char *name =
      path ? g_path_get_basename (path) : g_strdup (n > 0 ? uris[0] : "");

  clip_preview_append_safe (out, name, strlen (name), -1);
  if (n > 1)
    g_string_append_printf (out, _ (" and %u more"), n - 1);
}

static void
append_data (GString *out, const ClipRow *row)
{
  g_autofree char *size = clip_format_size (row->size);

  if (append_size_of_image (out, row))
    return;
  g_string_append_printf (out, _ ("Data, %s"), size);
  g_string_append (out, " (");
  clip_preview_append_safe (out, row->mime, strlen (row->mime), -1);
  g_string_append_c (out, ')');
}

/**
 * clip_spoken_row_append:
 * @width: of a text, in characters
 *
 * Appends one line, without its line feed.
 */
void
clip_spoken_row_append (GString *out, const ClipRow *row, gint64 width, gint64 now_us)
{
  append_age (out, now_us - row->last_us);
  switch (row->kind)
    {
    case CLIP_CLASS_IMAGE:
      append_image (out, row);
      break;
    case CLIP_CLASS_FILES:
      append_files (out, row);
      break;
    case CLIP_CLASS_OTHER:
      append_data (out, row);
      break;
    case CLIP_CLASS_TEXT:
    default:
      clip_preview_append_safe (out, row->preview, row->preview_length, width);
    }
}
