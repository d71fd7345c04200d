/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-direct.h"
#include "clip-error.h"
#include "clip-output.h"
#include "clip-preview.h"
#include "clip-row.h"
#include "clip-words.h"

#include <string.h>

typedef struct
{
  GString *out;
  gboolean json;
} List;

static void
append_tag (const char *tag, gint64 count, gpointer user_data)
{
  List *list = user_data;

  if (list->json)
    {
      g_string_append (list->out, "{\"tag\":");
      clip_json_append_string (list->out, tag, -1);
      g_string_append_printf (list->out, ",\"count\":%" G_GINT64_FORMAT "}\n", count);
      return;
    }
  /* a line feed in a tag, too, is a sign */
  clip_preview_append_safe (list->out, tag, strlen (tag), -1);
  g_string_append_printf (list->out, "\t%" G_GINT64_FORMAT "\n", count);
}

/* a history in which nothing was stored yet has none */
int
clip_cmd_tags (ClipCommand *command)
{
  g_autoptr (GString) out = g_string_new (NULL);
  List list = { out, clip_command_has (command, CLIP_OPTION_JSON) };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);

  if (!reader && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_HISTORY))
    return CLIP_EXIT_DONE;
  if (!reader || !clip_reader_tags (reader, append_tag, &list, &error) ||
      !clip_output_write (out->str, out->len, &error))
    return clip_command_fail (error);
  if (out->len == 0)
    clip_command_tell (_ ("No entry has a tag."));
  return CLIP_EXIT_DONE;
}
