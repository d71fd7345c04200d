/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Of an entry, and of the program that it was copied in.
 *
 * The thumbnail program decodes what was copied; here only its own small PNGs are read. A
 * row that is used for another entry meanwhile cancels what it has asked for.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-row-pictures.h"

#include <gio/gdesktopappinfo.h>

/* pictures that are kept; a screen has less */
#define KEPT 48

/* in pixels: of a picture, of the sign of a kind, and of what is asked for, for screens
   of scale 2 */
#define SHOWN_SIZE 56
#define ICON_SIZE 16
#define ASKED_SIZE (2 * SHOWN_SIZE)

/* programs whose icons are known; people copy in fewer */
#define PROGRAMS_KEPT 64

#define ASKED "clip-picture-asked"

struct ClipRowPictures
{
  CliphistHistory *history;
  GHashTable *textures; /* guint64 id -> GdkTexture */
  GQueue *order;        /* of guint64: the one that was fetched first comes first */
  GHashTable *programs; /* name -> GIcon, NULL where the desktop knows none */
};

typedef struct
{
  ClipRowPictures *thumbnails;
  GtkImage *image;
  GCancellable *cancellable; /* a reference */
  guint64 id;
} Question;

static void
question_free (Question *self)
{
  g_object_unref (self->cancellable);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Question, question_free)

static void
put (GtkImage *image, GdkTexture *texture)
{
  gtk_image_set_from_paintable (image, GDK_PAINTABLE (texture));
  gtk_image_set_pixel_size (image, SHOWN_SIZE);
}

static void
keep (ClipRowPictures *self, guint64 id, GdkTexture *texture)
{
  guint64 *key = g_memdup2 (&id, sizeof id);

  if (g_queue_get_length (self->order) >= KEPT)
    g_hash_table_remove (self->textures, g_queue_pop_head (self->order));
  g_hash_table_insert (self->textures, key, g_object_ref (texture));
  g_queue_push_tail (self->order, key);
}

static void
on_picture (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Question) question = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) png =
      cliphist_history_thumbnail_finish (CLIPHIST_HISTORY (source), result, &error);
  g_autoptr (GdkTexture) texture = NULL;

  /* who has cancelled may be gone, and the icon of the kind stays where there is no
     picture */
  if (!png || g_cancellable_is_cancelled (question->cancellable))
    return;
  texture = gdk_texture_new_from_bytes (png, NULL);
  if (!texture)
    return;
  put (question->image, texture);
  if (!g_hash_table_contains (question->thumbnails->textures, &question->id))
    keep (question->thumbnails, question->id, texture);
}

/**
 * clip_row_pictures_show:
 * @image: shows it as soon as it is there, unless it is told to forget it
 */
void
clip_row_pictures_show (ClipRowPictures *self, CliphistEntry *entry, GtkImage *image)
{
  Question *question = NULL;
  GdkTexture *texture;
  guint64 id = 0;

  clip_row_pictures_forget (image);
  g_object_get (entry, "id", &id, NULL);
  texture = g_hash_table_lookup (self->textures, &id);
  if (texture)
    {
      put (image, texture);
      return;
    }
  question = g_new (Question, 1);
  *question = (Question){ self, image, g_cancellable_new (), id };
  g_object_set_data_full (G_OBJECT (image), ASKED, g_object_ref (question->cancellable),
                          g_object_unref);
  cliphist_history_thumbnail_async (self->history, id, ASKED_SIZE, question->cancellable,
                                    on_picture, question);
}

void
clip_row_pictures_forget (GtkImage *image)
{
  GCancellable *asked = g_object_get_data (G_OBJECT (image), ASKED);

  if (asked)
    g_cancellable_cancel (asked);
  g_object_set_data (G_OBJECT (image), ASKED, NULL);
  gtk_image_set_pixel_size (image, ICON_SIZE);
}

/* --- programs --- */

static void
unref_icon (gpointer icon)
{
  g_clear_object (&icon);
}

/* (transfer full) (nullable): of a file that is listed, in spite of its name: it comes
 * from who copies */
static GIcon *
find_icon (const char *program)
{
  g_autofree char *id = g_strconcat (program, ".desktop", NULL);
  g_autofree char *lower = g_utf8_strdown (id, -1);
  g_autoptr (GDesktopAppInfo) info = NULL;
  GIcon *icon;

  info = g_desktop_app_info_new (id);
  if (!info)
    info = g_desktop_app_info_new (lower); /* X11's class has a capital letter */
  icon = info ? g_app_info_get_icon (G_APP_INFO (info)) : NULL;
  return icon ? g_object_ref (icon) : NULL;
}

/**
 * clip_row_pictures_program_icon:
 * @program: (nullable): by the name of its window
 *
 * Returns: (transfer none) (nullable): what the desktop shows of it
 */
GIcon *
clip_row_pictures_program_icon (ClipRowPictures *self, const char *program)
{
  gpointer icon = NULL;

  if (!program || g_hash_table_lookup_extended (self->programs, program, NULL, &icon))
    return icon;
  if (g_hash_table_size (self->programs) >= PROGRAMS_KEPT)
    g_hash_table_remove_all (self->programs);
  icon = find_icon (program);
  g_hash_table_insert (self->programs, g_strdup (program), icon);
  return icon;
}

ClipRowPictures *
clip_row_pictures_new (CliphistHistory *history)
{
  ClipRowPictures *self = g_new0 (ClipRowPictures, 1);

  self->history = g_object_ref (history);
  self->textures =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  self->order = g_queue_new ();
  self->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, unref_icon);
  return self;
}

void
clip_row_pictures_free (ClipRowPictures *self)
{
  g_hash_table_unref (self->programs);
  g_queue_free (self->order);
  g_hash_table_unref (self->textures);
  g_object_unref (self->history);
  g_free (self);
}
