/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thumbnail that was never shown has to be made first, by a program that may take its
 * time. So one thread looks for those that exist, and another one makes the others; the
 * user types meanwhile. After a moment the search is answered with those that exist then,
 * and finds the others the next time.
 */
#include "clip-finder-icons.h"

#include "clip-pam.h"
#include "clip-thumbnails.h"

/* threads that make thumbnails: an image may keep one busy for half a minute */
#define MOST_MAKING 2

/* How long an answer waits for those that are made. KRunner asks with every key, and
 * shows nothing before it has the answer; GNOME Shell has shown what was found by
 * then. */
static const guint patience_ms[] = {
  [CLIP_THUMBNAIL_FILE] = 300,
  [CLIP_THUMBNAIL_PIXELS] = 0,
};

typedef struct Search Search;

struct Search
{
  char *store_dir;
  ClipThumbnailKind kind;
  GArray *ids;     /* of gint64: the images */
  GArray *missing; /* of gint64: those to be made, once all were looked for */
  void (*work) (Search *self, ClipThumbnails *thumbnails); /* of the thread that runs */

  ClipFinderIconsFunc found; /* the main context's; NULL: the answer is given */
  gpointer user_data;
  guint timer;

  GMutex mutex;
  GHashTable *icons; /* guarded by mutex; NULL as soon as they are given away */
};

/* searches that wait for theirs; the main context's */
static int n_making;

static GHashTable *
icons_new (void)
{
  return g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                (GDestroyNotify) g_variant_unref);
}

static GArray *
ids_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (gint64));
}

static void
search_clear (gpointer data)
{
  Search *self = data;

  g_free (self->store_dir);
  g_array_unref (self->ids);
  g_array_unref (self->missing);
  g_clear_pointer (&self->icons, g_hash_table_unref);
  g_mutex_clear (&self->mutex);
}

static void
search_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, search_clear);
}

static GArray *
pick_images (GPtrArray *entries)
{
  GArray *ids = ids_new ();

  for (guint i = 0; i < entries->len; i++)
    {
      const ClipEntry *entry = g_ptr_array_index (entries, i);

      if (entry->row.kind == CLIP_CLASS_IMAGE)
        g_array_append_val (ids, entry->row.id);
    }
  return ids;
}

/* --- on a thread --- */

/* (transfer full) (nullable) */
static GVariant *
make_pixels (const char *path)
{
  g_autofree char *text = NULL;
  g_autoptr (GBytes) file = NULL;
  g_auto (ClipPam) image = { 0 };
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return NULL;
  file = g_bytes_new_take (g_steal_pointer (&text), length);
  if (!clip_pam_parse (file, &image, NULL))
    return NULL;
  return g_variant_ref_sink (g_variant_new (
      "(iiibii@ay)", (gint32) image.width, (gint32) image.height,
      (gint32) (image.width * CLIP_PAM_PIXEL_BYTES), TRUE, 8, CLIP_PAM_PIXEL_BYTES,
      g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, image.pixels, TRUE)));
}

/* (transfer full) (nullable) */
static GVariant *
make_file_icon (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GIcon) icon = g_file_icon_new (file);

  return g_icon_serialize (icon);
}

static void
on_thumbnail (gint64 id, const char *path, gpointer user_data)
{
  Search *self = user_data;
  g_autoptr (GVariant) icon =
      self->kind == CLIP_THUMBNAIL_PIXELS ? make_pixels (path) : make_file_icon (path);

  g_mutex_lock (&self->mutex);
  if (icon && self->icons)
    g_hash_table_insert (self->icons, g_memdup2 (&id, sizeof id),
                         g_steal_pointer (&icon));
  g_mutex_unlock (&self->mutex);
}

static void
look (Search *self, ClipThumbnails *thumbnails)
{
  for (guint i = 0; i < self->ids->len; i++)
    {
      gint64 id = g_array_index (self->ids, gint64, i);

      if (clip_thumbnails_look (thumbnails, id))
        g_array_append_val (self->missing, id);
    }
}

static void
make (Search *self, ClipThumbnails *thumbnails)
{
  for (guint i = 0; i < self->missing->len; i++)
    clip_thumbnails_ask (thumbnails, g_array_index (self->missing, gint64, i));
  for (guint i = 0; i < self->missing->len; i++)
    clip_thumbnails_await (thumbnails, g_array_index (self->missing, gint64, i));
}

static void
work_in_thread (GTask *task,
                gpointer source G_GNUC_UNUSED,
                gpointer data,
                GCancellable *cancellable G_GNUC_UNUSED)
{
  Search *self = data;
  g_autoptr (ClipReader) reader = clip_reader_open (self->store_dir, NULL);
  g_autoptr (ClipThumbnails) thumbnails =
      reader ? clip_thumbnails_new (self->store_dir, reader, self->kind) : NULL;

  if (thumbnails)
    {
      clip_thumbnails_watch (thumbnails, on_thumbnail, self);
      self->work (self, thumbnails);
    }
  g_task_return_boolean (task, TRUE);
}

/* --- on the main context --- */

static void
answer (Search *self)
{
  ClipFinderIconsFunc found = g_steal_pointer (&self->found);
  g_autoptr (GHashTable) icons = NULL;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (!found)
    return;
  g_mutex_lock (&self->mutex);
  icons = g_steal_pointer (&self->icons);
  g_mutex_unlock (&self->mutex);
  found (icons, self->user_data);
}

static void
on_late (gpointer user_data)
{
  Search *self = user_data;

  self->timer = 0;
  answer (self);
}

static void
on_made (GObject *source G_GNUC_UNUSED,
         GAsyncResult *result G_GNUC_UNUSED,
         gpointer user_data)
{
  Search *self = user_data;

  n_making--;
  answer (self);
}

static void
run (Search *self,
     void (*work) (Search *self, ClipThumbnails *thumbnails),
     GAsyncReadyCallback done)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, done, self);

  self->work = work;
  g_task_set_source_tag (task, run);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (self), search_unref);
  g_task_run_in_thread (task, work_in_thread);
}

static void
on_looked (GObject *source G_GNUC_UNUSED,
           GAsyncResult *result G_GNUC_UNUSED,
           gpointer user_data)
{
  Search *self = user_data;
  guint wait_ms = patience_ms[self->kind];

  if (self->missing->len == 0 || n_making >= MOST_MAKING)
    {
      answer (self);
      return;
    }
  n_making++;
  if (wait_ms > 0)
    self->timer = g_timeout_add_once (wait_ms, on_late, self);
  else
    answer (self);
  run (self, make, on_made);
}

/**
 * clip_finder_icons_find:
 * @entries: (element-type ClipEntry)
 * @kind: what the icons are made of
 * @found: called once: at once where there is no image among them, and after a moment in
 * any case
 */
void
clip_finder_icons_find (const char *store_dir,
                        GPtrArray *entries,
                        ClipThumbnailKind kind,
                        ClipFinderIconsFunc found,
                        gpointer user_data)
{
  Search *self = g_atomic_rc_box_new0 (Search);

  self->store_dir = g_strdup (store_dir);
  self->kind = kind;
  self->ids = pick_images (entries);
  self->missing = ids_new ();
  self->icons = icons_new ();
  self->found = found;
  self->user_data = user_data;
  g_mutex_init (&self->mutex);
  if (self->ids->len > 0)
    run (self, look, on_looked);
  else
    answer (self);
  search_unref (self);
}
