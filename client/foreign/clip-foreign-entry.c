/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every reader of a foreign history makes of an entry, whatever its format. */
#include "clip-foreign-entry.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

static void
content_free (ClipForeignContent *self)
{
  g_free (self->mime);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  clip_fd_clear (&self->fd);
  g_free (self);
}

/* @copied_us: when it was copied, first and last */
ClipForeignEntry *
clip_foreign_entry_new (gint64 copied_us)
{
  ClipForeignEntry *self = g_new0 (ClipForeignEntry, 1);

  self->first_us = self->last_us = copied_us;
  self->tags = g_ptr_array_new_with_free_func (g_free);
  self->contents = g_ptr_array_new_with_free_func ((GDestroyNotify) content_free);
  return self;
}

void
clip_foreign_entry_free (ClipForeignEntry *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->tags);
  g_ptr_array_unref (self->contents);
  g_free (self);
}

static ClipForeignContent *
add_content (ClipForeignEntry *self, const char *mime)
{
  ClipForeignContent *content = g_new0 (ClipForeignContent, 1);

  content->mime = g_strdup (mime);
  content->fd = -1;
  g_ptr_array_add (self->contents, content);
  return content;
}

/* one that is empty or blank, or no UTF-8, says nothing */
void
clip_foreign_entry_add_tag (ClipForeignEntry *self, const char *tag, gssize length)
{
  g_autofree char *copy = length < 0 ? g_strdup (tag) : g_strndup (tag, (gsize) length);

  if (g_utf8_validate (copy, -1, NULL) && *g_strstrip (copy))
    g_ptr_array_add (self->tags, g_steal_pointer (&copy));
}

static ClipForeignContent *
add_bytes (ClipForeignEntry *self, const char *mime, GBytes *bytes_take)
{
  ClipForeignContent *content = add_content (self, mime);

  content->bytes = bytes_take;
  content->size = (goffset) g_bytes_get_size (bytes_take);
  return content;
}

void
clip_foreign_entry_add_bytes (ClipForeignEntry *self,
                              const char *mime,
                              GBytes *bytes_take)
{
  add_bytes (self, mime, bytes_take);
}

/* what somebody wrote to it */
void
clip_foreign_entry_add_note (ClipForeignEntry *self, const char *mime, GBytes *bytes_take)
{
  add_bytes (self, mime, bytes_take)->is_note = TRUE;
}

void
clip_foreign_entry_add_text (ClipForeignEntry *self, const char *mime, const char *text)
{
  clip_foreign_entry_add_bytes (self, mime, g_bytes_new (text, strlen (text)));
}

void
clip_foreign_entry_add_part (ClipForeignEntry *self,
                             const char *mime,
                             int fd_take,
                             goffset offset,
                             goffset size)
{
  ClipForeignContent *content = add_content (self, mime);

  content->fd = fd_take;
  content->offset = offset;
  content->size = size;
}

/**
 * clip_foreign_entry_add_range:
 * @fd: of a file that holds the bytes; it is duplicated
 *
 * Errors: %G_FILE_ERROR.
 */
gboolean
clip_foreign_entry_add_range (ClipForeignEntry *self,
                              const char *mime,
                              int fd,
                              goffset offset,
                              goffset size,
                              GError **error)
{
  int own = fcntl (fd, F_DUPFD_CLOEXEC, 0);

  if (own < 0)
    return clip_set_errno (error, errno, "duplicate descriptor");
  clip_foreign_entry_add_part (self, mime, own, offset, size);
  return TRUE;
}
