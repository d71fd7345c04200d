/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thumbnails, and the icons beside what a desktop's search has found, while other threads
 * look for them and make them: with a program that makes them at once, or not before it
 * is told. */
#include "clip-bus-thumbnail.h"
#include "clip-finder-icons.h"
#include "hoard.h"
#include "wait-until.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define PNG "image/png"
#define N_IMAGES 4
#define N_SEARCHES 40

typedef struct
{
  Hoard *hoard;
  GPtrArray *entries; /* of ClipEntry: a text, and the images */
} Rig;

/* of the program, for all tests */
static char *folder;

/* as long as there is a file of that name nothing is finished */
static char *waits;

/* one icon of one pixel, as both kinds */
#define PROGRAM \
  "#!/bin/sh\n" \
  "while [ -e '%s' ]; do sleep 0.01; done\n" \
  "printf 'P7\\nWIDTH 1\\nHEIGHT 1\\nDEPTH 4\\nMAXVAL 255\\nTUPLTYPE " \
  "RGB_ALPHA\\nENDHDR\\n" \
  "rgba'\n"

static void
install_program (void)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;

  folder = hoard_make_dir ();
  waits = g_build_filename (folder, "waits", NULL);
  path = g_build_filename (folder, "cliphist-thumbnail", NULL);
  text = g_strdup_printf (PROGRAM, waits);
  g_assert_true (g_file_set_contents_full (path, text, -1, 0, 0700, NULL));
  g_setenv ("CLIPHIST_LIBEXEC", folder, TRUE);
}

static void
remove_program (void)
{
  hoard_remove_dir (folder);
  g_free (folder);
  g_free (waits);
}

static void
set_up (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  rig->hoard = hoard_new (0);
  rig->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_entry_free);
  hoard_add_text (rig->hoard->store, "a text");
  for (guint i = 0; i < N_IMAGES; i++)
    {
      g_autofree char *image = g_strdup_printf ("\x89PNG\r\n\x1A\n %u", i);

      hoard_add (rig->hoard->store, hoard_draft (rig->hoard->store, PNG, image, NULL),
                 NULL);
    }
  for (gint64 id = 1; id <= N_IMAGES + 1; id++)
    g_ptr_array_add (rig->entries, hoard_lookup (rig->hoard->store, id, NULL));
}

static void
tear_down (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  g_ptr_array_unref (rig->entries);
  hoard_free (rig->hoard);
}

typedef struct
{
  guint n_answers;
  guint n_icons; /* of the last one */
  GVariant *icon;
} Found;

static void
on_found (GHashTable *icons, gpointer user_data)
{
  Found *found = user_data;
  gint64 first_image = 2;
  GVariant *icon = g_hash_table_lookup (icons, &first_image);

  found->n_answers++;
  found->n_icons = g_hash_table_size (icons);
  g_clear_pointer (&found->icon, g_variant_unref);
  if (icon)
    found->icon = g_variant_ref (icon);
}

static void
find (Rig *rig, ClipThumbnailKind kind, Found *found)
{
  clip_finder_icons_find (rig->hoard->dir, rig->entries, kind, on_found, found);
}

/* how many have one */
static guint
find_now (Rig *rig, ClipThumbnailKind kind)
{
  Found found = { 0 };

  find (rig, kind, &found);
  wait_until (found.n_answers > 0);
  g_clear_pointer (&found.icon, g_variant_unref);
  return found.n_icons;
}

/* asks again and again, as somebody who types */
static void
find_all (Rig *rig, ClipThumbnailKind kind)
{
  while (find_now (rig, kind) < N_IMAGES)
    continue;
}

static void
test_no_image (Rig *rig, gconstpointer data)
{
  Found found = { 0 };

  g_ptr_array_set_size (rig->entries, 1);
  find (rig, CLIP_THUMBNAIL_FILE, &found);
  g_assert_cmpuint (found.n_answers, ==, 1);
  g_assert_cmpuint (found.n_icons, ==, 0);
}

static void
test_files (Rig *rig, gconstpointer data)
{
  Found found = { 0 };
  g_autoptr (GIcon) icon = NULL;

  find_all (rig, CLIP_THUMBNAIL_FILE);
  find (rig, CLIP_THUMBNAIL_FILE, &found);
  wait_until (found.n_answers > 0);
  icon = g_icon_deserialize (found.icon);
  g_assert_true (G_IS_FILE_ICON (icon));
  g_variant_unref (found.icon);
}

static void
test_pixels (Rig *rig, gconstpointer data)
{
  g_autofree char *text = NULL;
  Found found = { 0 };

  g_assert_cmpuint (find_now (rig, CLIP_THUMBNAIL_PIXELS), ==, 0);
  find_all (rig, CLIP_THUMBNAIL_PIXELS);
  find (rig, CLIP_THUMBNAIL_PIXELS, &found);
  wait_until (found.n_answers > 0);
  text = g_variant_print (found.icon, FALSE);
  g_assert_cmpstr (text, ==, "(1, 1, 4, true, 8, 4, [0x72, 0x67, 0x62, 0x61])");
  g_variant_unref (found.icon);
}

/* each is answered once, whatever the threads of the others are at; the last ones after
 * all that is made has been */
static void
test_many (Rig *rig, gconstpointer data)
{
  Found found[N_SEARCHES] = { 0 };
  guint n_answered = 0;

  for (guint i = 0; i < N_SEARCHES; i++)
    find (rig, i % 2 ? CLIP_THUMBNAIL_PIXELS : CLIP_THUMBNAIL_FILE, &found[i]);
  while (n_answered < N_SEARCHES)
    {
      g_main_context_iteration (NULL, TRUE);
      n_answered = 0;
      for (guint i = 0; i < N_SEARCHES; i++)
        n_answered += found[i].n_answers;
    }
  find_all (rig, CLIP_THUMBNAIL_FILE);
  find_all (rig, CLIP_THUMBNAIL_PIXELS);
  for (guint i = 0; i < N_SEARCHES; i++)
    {
      g_assert_cmpuint (found[i].n_answers, ==, 1);
      g_clear_pointer (&found[i].icon, g_variant_unref);
    }
}

/* the thread that makes them finds that nobody waits any more, and leaves them for the
   next time */
static void
test_late (Rig *rig, gconstpointer data)
{
  g_assert_true (g_file_set_contents (waits, "", 0, NULL));
  g_assert_cmpuint (find_now (rig, CLIP_THUMBNAIL_FILE), ==, 0);
  g_assert_cmpint (g_unlink (waits), ==, 0);
  find_all (rig, CLIP_THUMBNAIL_FILE);
}

#define add(name, function) \
  g_test_add ("/finder-icons/" name, Rig, NULL, set_up, function, tear_down)

typedef struct
{
  GCancellable *cancellable;
  int fd;
} Large;

/* its caller leaves the bus between the picture and the answer */
static void
on_large (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  Large *large = user_data;
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (large->cancellable);
  large->fd = clip_bus_thumbnail_finish (result, &error);
  g_assert_no_error (error);
}

static void
test_large_is_handed_over (Rig *rig, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Large large = { cancellable, -2 };

  clip_bus_thumbnail_async (rig->hoard->dir, 2, 1024, 0, cancellable, on_large, &large);
  wait_until (large.fd != -2);
  g_assert_cmpint (large.fd, >=, 0);
  close (large.fd);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  install_program ();
  add ("where-no-image-was-found-nobody-waits", test_no_image);
  add ("what-has-no-thumbnail-gets-one", test_files);
  add ("pixels-are-there-the-next-time", test_pixels);
  add ("many-searches-at-once-are-answered-once-each", test_many);
  add ("what-takes-long-is-not-waited-for", test_late);
  g_test_add ("/thumbnails/large-one-is-handed-over-in-any-case", Rig, NULL, set_up,
              test_large_is_handed_over, tear_down);
  status = g_test_run ();
  remove_program ();
  return status;
}
