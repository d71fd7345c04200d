/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * To make a thumbnail takes longer than a search may. So once a search has happened,
 * those of the newest images are made, and again as often as an image is copied; who
 * never searches has none made.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-finder-prefetch.h"

#include "clip-finder-icons.h"

/* of the images that are there */
#define MOST_AHEAD 20

struct ClipFinderPrefetch
{
  ClipStore *store;
  gulong added; /* 0 before it has begun, and at the end */
  gboolean making;
  gboolean again; /* there is another image by now */
};

static void make (ClipFinderPrefetch *self);

ClipFinderPrefetch *
clip_finder_prefetch_new (ClipStore *store)
{
  ClipFinderPrefetch *self = g_rc_box_new0 (ClipFinderPrefetch);

  self->store = g_object_ref (store);
  return self;
}

static void
clear (gpointer data)
{
  g_object_unref (((ClipFinderPrefetch *) data)->store);
}

static void
release (ClipFinderPrefetch *self)
{
  g_rc_box_release_full (self, clear);
}

/* what has been begun is finished */
void
clip_finder_prefetch_free (ClipFinderPrefetch *self)
{
  g_clear_signal_handler (&self->added, self->store);
  release (self);
}

static void
end_making (ClipFinderPrefetch *self)
{
  self->making = FALSE;
  if (self->again && self->added)
    make (self);
  release (self);
}

/* they are found in their folder */
static void
on_made (GHashTable *icons G_GNUC_UNUSED, gpointer user_data)
{
  end_making (user_data);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ClipFinderPrefetch *self = user_data;
  g_autoptr (GPtrArray) entries =
      clip_store_list_finish (CLIP_STORE (source), result, NULL);

  if (entries && self->added)
    clip_finder_icons_make (clip_store_dir (self->store), entries, CLIP_THUMBNAIL_FILE,
                            on_made, self);
  else
    end_making (self);
}

static void
make (ClipFinderPrefetch *self)
{
  const ClipQuery images = { .kind = CLIP_CLASS_IMAGE, .limit = MOST_AHEAD };

  self->again = self->making;
  if (self->making)
    return;
  self->making = TRUE;
  clip_store_list_async (self->store, &images, NULL, on_listed, g_rc_box_acquire (self));
}

static void
on_entry_added (ClipStore *store G_GNUC_UNUSED, ClipEntry *entry, gpointer user_data)
{
  if (entry->row.kind == CLIP_CLASS_IMAGE)
    make (user_data);
}

/* a search has happened. @self: (nullable): at the end */
void
clip_finder_prefetch_begin (ClipFinderPrefetch *self)
{
  if (!self || self->added)
    return;
  self->added =
      g_signal_connect (self->store, "entry-added", G_CALLBACK (on_entry_added), self);
  make (self);
}
