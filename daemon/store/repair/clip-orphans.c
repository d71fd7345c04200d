/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Blobs whose rows are lost. To a database that is new, since there was none or the one
 * before was damaged, they look like what a crash left, and the next sweep would remove
 * them: so they are set aside while nobody can have linked any of them for it.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-orphans.h"

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "clip-sweep.h"
#include "clip-write-sql.h"

#include <errno.h>
#include <fcntl.h>

typedef struct
{
  ClipStatements *database;
  ClipAside *aside;
  guint n;
  GError **error;
} Keeping;

static gboolean
keep_one (Keeping *self, const char *name)
{
  g_autofree char *object = g_build_filename (CLIP_BLOBS_NAME, name, NULL);
  ClipRows state = CLIP_ROWS_END;
  gint64 id;

  if (self->database)
    state = clip_statements_number (self->database, CLIP_SQL_FIND_BLOB, &id, self->error,
                                    "s", name);
  self->n += state == CLIP_ROWS_END;
  return state == CLIP_ROWS_ROW ||
         (state == CLIP_ROWS_END && clip_aside_move (self->aside, object, self->error));
}

static gboolean
keep (char **names_take, gpointer user_data)
{
  g_auto (GStrv) names = names_take;

  for (char **name = names; *name; name++)
    if (!keep_one (user_data, *name))
      return FALSE;
  return TRUE;
}

/**
 * clip_orphans_keep:
 * @dir: the folder of a history, in which nobody else links blobs meanwhile
 * @database: (nullable): whose blobs stay; %NULL = none do
 *
 * Sets aside the blobs that @database does not know.
 *
 * Errors: %G_FILE_ERROR, as clip_statements_number().
 */
gboolean
clip_orphans_keep (const char *dir,
                   ClipStatements *database,
                   ClipAside *aside,
                   GError **error)
{
  g_autofree char *path = g_build_filename (dir, CLIP_BLOBS_NAME, NULL);
  clip_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  Keeping self = { database, aside, 0, error };

  if (fd < 0)
    return errno == ENOENT || clip_set_errno (error, errno, "open folder '%s'", path);
  if (!clip_sweep_names (fd, keep, &self) || !clip_aside_sync (aside, error))
    return FALSE;
  if (self.n > 0)
    g_message ("%u files of contents that no database knows any more are in '%s' now",
               self.n, clip_aside_path (aside));
  return TRUE;
}
