/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The database of the existing tool, wherever it lies: the one in its own place is taken over
 * by the first write, without being asked. */
#include "clip-bolt.h"
#include "clip-foreign-format.h"

/* what an archive can say; larger ones are not kept in any case */
#define MAX_ID ((G_GINT64_CONSTANT (1) << 53) - 1)

typedef struct
{
  const ClipForeignFile *file;
  ClipBolt *bolt;
} Sentriz;

static gboolean
is_one (const ClipForeignFile *file)
{
  return clip_bolt_is_one (file->fd);
}

static void
sentriz_close (gpointer reader)
{
  Sentriz *self = reader;

  clip_bolt_free (self->bolt);
  g_free (self);
}

static gpointer
sentriz_open (const ClipForeignFile *file, GError **error)
{
  ClipBolt *bolt = clip_bolt_open (file->fd, error);
  Sentriz *self;

  if (!bolt)
    return NULL;
  self = g_new0 (Sentriz, 1);
  self->file = file;
  self->bolt = bolt;
  return self;
}

/* it says nothing of when an entry was copied; not later than the file was changed */
static ClipForeignEntry *
sentriz_next (gpointer reader, GError **error)
{
  Sentriz *self = reader;
  g_autoptr (ClipForeignEntry) entry = NULL;
  ClipBoltEntry found;

  if (!clip_bolt_next (self->bolt, &found, error))
    return NULL;
  entry = clip_foreign_entry_new (self->file->changed_us);
  entry->id = found.id <= MAX_ID ? found.id : 0;
  if (!clip_foreign_entry_add_range (entry, "", self->file->fd, found.offset,
                                     (goffset) found.size, error))
    return NULL;
  return g_steal_pointer (&entry);
}

const ClipForeignFormat clip_foreign_sentriz = {
  .name = "sentriz",
  .title = "sentriz/cliphist",
  .pattern = "db",
  .is_one = is_one,
  .open = sentriz_open,
  .next = sentriz_next,
  .close = sentriz_close,
};
