/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-foreign-parts.h"

void
clip_foreign_parts_init (ClipForeignParts *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (ClipForeignPart));
}

void
clip_foreign_parts_clear (ClipForeignParts *self)
{
  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_error (&self->fault);
}

void
clip_foreign_parts_add (ClipForeignParts *self, goffset at, goffset end)
{
  const ClipForeignPart part = { .at = at, .end = end };

  g_array_append_val (self->parts, part);
}

/**
 * clip_foreign_parts_take:
 *
 * Returns: whether there is another one; %FALSE at the end, and where @error is set: to what
 * was wrong with the file
 */
gboolean
clip_foreign_parts_take (ClipForeignParts *self,
                         ClipForeignPart *out_part,
                         GError **error)
{
  guint n = self->parts->len;

  if (n > 0)
    {
      *out_part = g_array_index (self->parts, ClipForeignPart, n - 1);
      g_array_set_size (self->parts, n - 1);
      return TRUE;
    }
  if (self->fault)
    g_propagate_error (error, g_steal_pointer (&self->fault));
  return FALSE;
}
