/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-key.h"

static void
test_of_app (void)
{
  static const struct
  {
    const char *app;
    const char *key;
    gboolean primary;
  } cases[] = {
    { "foot", "ctrl+shift+v", FALSE },
    { "org.gnome.Terminal", "ctrl+shift+v", FALSE },
    { "org.kde.konsole", "ctrl+shift+v", FALSE },
    { "Gnome-terminal", "ctrl+shift+v", FALSE },
    { "XTerm", "shift+insert", TRUE },
    { "firefox", "ctrl+v", FALSE },
    { "terminal.example.org", "ctrl+v", FALSE },
    { "org.example.", "ctrl+v", FALSE },
    { "", "ctrl+v", FALSE },
    { NULL, "ctrl+v", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const ClipKey *key = clip_key_of_app (cases[i].app);

      g_assert_cmpstr (clip_key_name (key), ==, cases[i].key);
      g_assert_cmpint (clip_key_pastes_primary (key), ==, cases[i].primary);
    }
}

static void
test_found_by_name (void)
{
  g_assert_cmpstr (clip_key_name (clip_key_find (NULL)), ==, "ctrl+v");
  g_assert_cmpstr (clip_key_name (clip_key_find ("Ctrl+Shift+V")), ==, "ctrl+shift+v");
  g_assert_null (clip_key_find ("which"));
}

static void
test_strokes (void)
{
  ClipStroke strokes[CLIP_KEY_MAX_STROKES];
  guint n = clip_key_strokes (clip_key_find ("ctrl+shift+v"), strokes);

  g_assert_cmpuint (n, ==, 6);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpint (strokes[i].down, ==, i < 3);
      g_assert_cmpuint (strokes[i].keysym, ==, strokes[n - 1 - i].keysym);
    }
  g_assert_cmpuint (strokes[n - 1].modifiers, ==, 0);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/key/of-the-window-that-has-the-focus", test_of_app);
  g_test_add_func ("/key/found-by-its-name", test_found_by_name);
  g_test_add_func ("/key/what-goes-down-comes-up-in-reverse", test_strokes);
  return g_test_run ();
}
