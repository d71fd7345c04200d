/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-entry.h"

#include <string.h>

static const char *const class_names[] = {
  [CLIP_CLASS_TEXT] = "text",
  [CLIP_CLASS_IMAGE] = "image",
  [CLIP_CLASS_FILES] = "files",
  [CLIP_CLASS_OTHER] = "other",
};

/* the name that D-Bus, JSON and the command use */
const char *
clip_class_name (ClipClass kind)
{
  return kind >= CLIP_CLASS_TEXT && kind <= CLIP_CLASS_OTHER ? class_names[kind]
                                                             : "other";
}

gboolean
clip_class_from_name (const char *name, ClipClass *out_kind)
{
  for (int kind = CLIP_CLASS_TEXT; kind <= CLIP_CLASS_OTHER; kind++)
    if (g_strcmp0 (name, class_names[kind]) == 0)
      {
        *out_kind = (ClipClass) kind;
        return TRUE;
      }
  return FALSE;
}

/* borrowed from @origin: the program in "BACKEND SELECTION PROGRAM"; "" where it is
   unknown */
const char *
clip_origin_program (const char *origin)
{
  const char *selection = strchr (origin, ' ');
  const char *program = selection ? strchr (selection + 1, ' ') : NULL;

  return program ? program + 1 : "";
}

ClipContent *
clip_content_new (const char *mime, gint64 size, gint64 position)
{
  ClipContent *self = g_new0 (ClipContent, 1);

  self->mime = g_strdup (mime);
  self->size = size;
  self->position = position;
  return self;
}

void
clip_content_free (ClipContent *self)
{
  if (!self)
    return;
  g_free (self->mime);
  g_free (self);
}

/**
 * clip_entry_new:
 * @row: copied, with its strings, but for the text that was searched
 *
 * Returns: (transfer full): an entry without contents, tags and snippet
 */
ClipEntry *
clip_entry_new (const ClipRow *row)
{
  ClipEntry *self = g_new0 (ClipEntry, 1);

  self->row = *row;
  self->row.mime = g_strdup (row->mime);
  self->row.origin = g_strdup (row->origin);
  self->row.preview = g_strndup (row->preview, row->preview_length);
  self->row.text = NULL;
  self->contents = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_content_free);
  return self;
}

void
clip_entry_free (ClipEntry *self)
{
  if (!self)
    return;
  g_free ((char *) self->row.mime);
  g_free ((char *) self->row.origin);
  g_free ((char *) self->row.preview);
  g_ptr_array_unref (self->contents);
  g_strfreev (self->tags);
  g_free (self->snippet);
  g_free (self);
}
