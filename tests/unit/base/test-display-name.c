/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-display-name.h"

#include <glib/gstdio.h>
#include <unistd.h>

static void
assert_other (const char *named, const char *watched, gboolean expected)
{
  g_setenv ("WAYLAND_DISPLAY", named, TRUE);
  g_assert_cmpint (clip_display_name_is_other (watched), ==, expected);
}

/* a link to a socket is the same display */
static void
test_sockets (void)
{
  g_autofree char *dir = g_dir_make_tmp ("clip-display-XXXXXX", NULL);
  g_autofree char *first = g_build_filename (dir, "wayland-0", NULL);
  g_autofree char *second = g_build_filename (dir, "wayland-1", NULL);
  g_autofree char *alias = g_build_filename (dir, "alias", NULL);

  g_assert_true (g_file_set_contents (first, "", 0, NULL));
  g_assert_true (g_file_set_contents (second, "", 0, NULL));
  g_assert_cmpint (symlink ("wayland-0", alias), ==, 0);
  assert_other (first, first, FALSE);
  assert_other (second, first, TRUE);
  assert_other (alias, first, FALSE);
  assert_other (first, alias, FALSE);
  assert_other (alias, second, TRUE);
  g_unlink (first);
  assert_other (first, second, FALSE);
  assert_other (first, first, FALSE);
  assert_other (second, first, TRUE);
  g_unlink (second);
  g_unlink (alias);
  g_rmdir (dir);
}

static void
assert_gone (const char *wayland, const char *server, gboolean expected)
{
  g_setenv ("WAYLAND_DISPLAY", wayland, TRUE);
  g_setenv ("DISPLAY", server, TRUE);
  g_assert_cmpint (clip_display_name_is_gone (), ==, expected);
}

/* no server has such a number; one behind ssh is not looked for */
static void
test_of_an_earlier_login (void)
{
  g_autofree char *dir = g_dir_make_tmp ("clip-display-XXXXXX", NULL);
  g_autofree char *socket = g_build_filename (dir, "wayland-0", NULL);

  g_assert_true (g_file_set_contents (socket, "", 0, NULL));
  assert_gone ("", "", FALSE);
  assert_gone (socket, "", FALSE);
  assert_gone (socket, ":65077", FALSE);
  assert_gone ("", "localhost:10.0", FALSE);
  assert_gone ("", ":65077.0", TRUE);
  g_unlink (socket);
  assert_gone (socket, "", TRUE);
  assert_gone (socket, ":65077", TRUE);
  assert_gone (socket, "localhost:10.0", FALSE);
  g_rmdir (dir);
}

/* nothing but a number says that it is of this machine */
static void
test_of_another_machine (void)
{
  g_assert_true (clip_display_name_is_remote ("localhost:10.0"));
  g_assert_true (clip_display_name_is_remote ("elsewhere:0"));
  g_assert_true (clip_display_name_is_remote ("tcp/elsewhere:0"));
  g_assert_true (clip_display_name_is_remote ("unixes:0"));
  g_assert_true (clip_display_name_is_remote ("[::1]:0"));
  g_assert_false (clip_display_name_is_remote (":0"));
  g_assert_false (clip_display_name_is_remote (":12.1"));
  g_assert_false (clip_display_name_is_remote ("unix:0"));
  g_assert_false (clip_display_name_is_remote (""));
  g_assert_false (clip_display_name_is_remote (NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display-name/sockets", test_sockets);
  g_test_add_func ("/display-name/of-an-earlier-login", test_of_an_earlier_login);
  g_test_add_func ("/display-name/of-another-machine", test_of_another_machine);
  return g_test_run ();
}
