/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-row-pictures.h"

#include <glib/gstdio.h>

/* a folder of applications with these */
static void
make_application (const char *name, const char *icon)
{
  g_autofree char *folder =
      g_build_filename (g_get_user_data_dir (), "applications", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *text =
      g_strdup_printf ("[Desktop Entry]\nType=Application\nName=Mine\n"
                       "Exec=true\nIcon=%s\n",
                       icon);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static char *
icon_of (ClipRowPictures *pictures, const char *program)
{
  GIcon *icon = clip_row_pictures_program_icon (pictures, program);

  return icon ? g_icon_to_string (icon) : g_strdup ("none");
}

static void
test_program (void)
{
  g_autoptr (CliphistHistory) history = cliphist_history_new ();
  ClipRowPictures *pictures = clip_row_pictures_new (history);
  const char *const wanted[][2] = {
    { "org.example.Editor", "an-editor" },
    { "Browser", "a-browser" },
    { "unknown", "none" },
    { "../elsewhere", "none" },
    { "", "none" },
    { NULL, "none" },
  };

  make_application ("org.example.Editor.desktop", "an-editor");
  make_application ("browser.desktop", "a-browser");
  make_application ("../elsewhere.desktop", "elsewhere");
  /* the second time it is known */
  for (guint i = 0; i < 2 * G_N_ELEMENTS (wanted); i++)
    {
      const char *const *row = wanted[i % G_N_ELEMENTS (wanted)];
      g_autofree char *icon = icon_of (pictures, row[0]);

      g_assert_cmpstr (icon, ==, row[1]);
    }
  clip_row_pictures_free (pictures);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere", TRUE);
  g_test_add_func ("/window/icon-of-the-program", test_program);
  return g_test_run ();
}
