/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thumbnail that was never shown has to be made first, by a program that may take its time, on a
 * thread that waits for it. Somebody types meanwhile: after a moment the search is answered without,
 * and finds it the next time.
 */
#include "clip-finder-icons.h"

#include "clip-thumbnails.h"

#define PATIENCE_MS 300

/* threads that make thumbnails: an image may keep one busy for half a minute */
#define MOST_MAKING 2

typedef struct
{
  char *store_dir;
  GArray *ids; /* of gint64 */
} Images;

typedef struct
{
  ClipFinderIconsFunc found; /* NULL: the answer is given */
  gpointer user_data;
  guint timer;
} Waiting;

static int n_making; /* the main context's */

static void
images_free (Images *self)
{
  g_array_unref (self->ids);
  g_free (self->store_dir);
  g_free (self);
}

/* (nullable): none is among them */
static Images *
pick_images (const char *store_dir, GPtrArray *entries)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  Images *self;

  for (guint i = 0; i < entries->len; i++)
    {
      const ClipEntry *entry = g_ptr_array_index (entries, i);

      if (entry->row.kind == CLIP_CLASS_IMAGE)
        g_array_append_val (ids, entry->row.id);
    }
  if (ids->len == 0)
    return NULL;
  self = g_new (Images, 1);
  *self = (Images){ g_strdup (store_dir), g_steal_pointer (&ids) };
  return self;
}

static void
find_in_thread (GTask *task,
                gpointer source G_GNUC_UNUSED,
                gpointer data,
                GCancellable *cancellable G_GNUC_UNUSED)
{
  const Images *images = data;
  GHashTable *paths = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_autoptr (ClipReader) reader = clip_reader_open (images->store_dir, NULL);
  g_autoptr (ClipThumbnails) thumbnails =
      reader ? clip_thumbnails_new (images->store_dir, reader) : NULL;

  for (guint i = 0; thumbnails && i < images->ids->len; i++)
    clip_thumbnails_ask (thumbnails, g_array_index (images->ids, gint64, i));
  for (guint i = 0; thumbnails && i < images->ids->len; i++)
    {
      gint64 id = g_array_index (images->ids, gint64, i);
      const char *path = clip_thumbnails_await (thumbnails, id);

      if (path)
        g_hash_table_insert (paths, g_memdup2 (&id, sizeof id), g_strdup (path));
    }
  g_task_return_pointer (task, paths, (GDestroyNotify) g_hash_table_unref);
}

static void
answer (Waiting *waiting, GHashTable *paths)
{
  ClipFinderIconsFunc found = g_steal_pointer (&waiting->found);

  g_clear_handle_id (&waiting->timer, g_source_remove);
  if (found)
    found (paths, waiting->user_data);
}

static void
on_late (gpointer user_data)
{
  Waiting *waiting = user_data;

  waiting->timer = 0;
  answer (waiting, NULL);
}

static void
on_found (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  g_autofree Waiting *waiting = user_data;
  g_autoptr (GHashTable) paths = g_task_propagate_pointer (G_TASK (result), NULL);

  n_making--;
  answer (waiting, paths);
}

/**
 * clip_finder_icons_find:
 * @entries: (element-type ClipEntry)
 * @found: called once: at once where there is no image among them, and after a moment in any case
 */
void
clip_finder_icons_find (const char *store_dir,
                        GPtrArray *entries,
                        ClipFinderIconsFunc found,
                        gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Images *images = n_making < MOST_MAKING ? pick_images (store_dir, entries) : NULL;
  Waiting *waiting;

  if (!images)
    {
      found (NULL, user_data);
      return;
    }
  n_making++;
  waiting = g_new (Waiting, 1);
  *waiting = (Waiting){ found, user_data, 0 };
  waiting->timer = g_timeout_add_once (PATIENCE_MS, on_late, waiting);
  task = g_task_new (NULL, NULL, on_found, waiting);
  g_task_set_source_tag (task, clip_finder_icons_find);
  g_task_set_task_data (task, images, (GDestroyNotify) images_free);
  g_task_run_in_thread (task, find_in_thread);
}
