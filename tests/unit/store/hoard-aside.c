/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hoard-aside.h"

static int
compare (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

static void
list_files (const char *folder, GPtrArray *texts)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      char *text = NULL;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        list_files (path, texts);
      else if (g_file_get_contents (path, &text, NULL, NULL))
        g_ptr_array_add (texts, text);
    }
}

/* (transfer full): "TEXT;" of every file that was set aside, sorted */
char *
hoard_list_aside (const char *dir)
{
  g_autofree char *folder = g_build_filename (dir, "damaged", NULL);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GString *all = g_string_new (NULL);

  list_files (folder, texts);
  g_ptr_array_sort (texts, compare);
  for (guint i = 0; i < texts->len; i++)
    g_string_append_printf (all, "%s;", (const char *) texts->pdata[i]);
  return g_string_free (all, FALSE);
}
