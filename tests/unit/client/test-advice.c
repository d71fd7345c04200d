/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is said of a desktop on which something is missing. */
#include "clip-advice.h"

#include <string.h>

static const ClipAround complete = { .has_display = TRUE,
                                     .has_bus = TRUE,
                                     .has_manager = TRUE,
                                     .program = "/usr/libexec/cliphistd",
                                     .version = CLIP_VERSION,
                                     .watches = TRUE,
                                     .has_picker = TRUE,
                                     .installer = "sudo apt-get install" };

static void
assert_mend (ClipAround around, const char *wanted)
{
  ClipAdvice advice;

  g_assert_true (clip_advise (&around, &advice));
  g_assert_nonnull (advice.missing);
  g_assert_nonnull (advice.why);
  g_assert_nonnull (strstr (advice.mend, wanted));
  g_free (advice.mend);
}

static void
assert_no_mend (ClipAround around, const char *missing)
{
  ClipAdvice advice;

  g_assert_true (clip_advise (&around, &advice));
  g_assert_nonnull (strstr (advice.missing, missing));
  g_assert_null (advice.mend);
}

static void
test_nothing (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  ClipAround ssh = { .program = "/usr/libexec/cliphistd" };

  clip_advice_append (out, &complete, TRUE);
  clip_advice_append (out, &ssh, TRUE);
  g_assert_cmpstr (out->str, ==, "");
}

static void
test_no_bus (void)
{
  ClipAround around = complete;

  around.has_bus = around.has_manager = FALSE;
  around.version = NULL;
  assert_mend (around, "dbus-run-session \"$SHELL\"");
  around.compositor = "sway";
  assert_mend (around, "dbus-run-session sway");
}

static void
test_of_an_earlier_login (void)
{
  ClipAround around = complete;

  around.has_bus = around.has_manager = FALSE;
  around.version = NULL;
  around.is_of_earlier_login = TRUE;
  around.compositor = "sway";
  assert_no_mend (around, "a login that goes on");
}

static void
test_newer_history (void)
{
  ClipAround around = complete;

  around.version = NULL;
  around.is_newer = TRUE;
  assert_no_mend (around, "newer version");
}

static void
test_no_daemon (void)
{
  ClipAround around = complete;

  around.version = NULL;
  around.watches = FALSE;
  assert_mend (around, "systemctl --user enable --now cliphistd.service");
  around.has_manager = FALSE;
  assert_mend (around, "/usr/libexec/cliphistd &");
}

static void
test_masked (void)
{
  ClipAround around = complete;

  around.version = NULL;
  around.is_masked = TRUE;
  assert_mend (around, "systemctl --user unmask cliphistd.service && "
                       "systemctl --user enable --now cliphistd.service");
}

static void
test_no_program (void)
{
  ClipAround around = complete;

  around.version = NULL;
  around.lacks_program = TRUE;
  assert_no_mend (around, "the program of the daemon");
}

static void
test_silent_daemon (void)
{
  ClipAround around = complete;

  around.is_silent = TRUE;
  around.version = NULL;
  around.watches = FALSE;
  assert_mend (around, "systemctl --user restart cliphistd.service");
  around.has_manager = FALSE;
  assert_mend (around, "/usr/libexec/cliphistd --replace &");
}

static void
test_no_display (void)
{
  ClipAround around = complete;

  around.watches = FALSE;
  assert_mend (around, "import-environment WAYLAND_DISPLAY");
  around.has_manager = FALSE;
  assert_mend (around, "/usr/libexec/cliphistd --replace &");
}

static void
test_other_version (void)
{
  ClipAround around = complete;

  around.version = "0.0.9";
  assert_mend (around, "systemctl --user restart cliphistd.service");
}

static void
test_elsewhere (void)
{
  ClipAround around = complete;

  around.is_elsewhere = TRUE;
  assert_mend (around, "systemctl --user restart cliphistd.service");
}

static void
test_no_picker (void)
{
  ClipAround around = complete;
  ClipAdvice advice;

  around.has_picker = FALSE;
  around.has_layers = TRUE;
  assert_mend (around, "sudo apt-get install fuzzel");
  around.has_layers = FALSE;
  assert_mend (around, "sudo apt-get install rofi");
  around.has_window = TRUE;
  g_assert_true (clip_advise (&around, &advice));
  g_assert_nonnull (strstr (advice.missing, "“cliphist window” needs none"));
  g_free (advice.mend);
}

static void
test_no_installer (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  ClipAround around = complete;

  around.has_picker = FALSE;
  around.installer = NULL;
  clip_advice_append (out, &around, FALSE);
  g_assert_cmpstr (out->str, ==, "missing   a picker, for “cliphist pick”\n");
}

static void
test_no_portal (void)
{
  ClipAround around = complete;

  around.portal = "gnome";
  assert_mend (around, "sudo apt-get install xdg-desktop-portal-gnome");
  around.has_portal = TRUE;
  assert_mend (around, "systemctl --user restart xdg-desktop-portal.service");
  around.has_manager = FALSE;
  assert_mend (around, "dbus-update-activation-environment --all");
}

static void
test_unwritable (void)
{
  ClipAround around = complete;

  around.unwritable = "/home/me/it's here";
  around.version = NULL;
  assert_mend (around, "sudo chown -R \"$(id -u)\" '/home/me/it'\\''s here' && "
                       "chmod -R u+rwX,go-rwx '/home/me/it'\\''s here'");
}

static void
test_unread (void)
{
  ClipAround around = complete;

  around.unread = "/home/me/.config/cliphist/config";
  assert_mend (around, "sudo chown -R \"$(id -u)\" '/home/me/.config/cliphist/config' && "
                       "chmod -R u+rwX,go-rwx '/home/me/.config/cliphist/config'");
  /* without a daemon no rule matters */
  around.version = NULL;
  assert_mend (around, "systemctl --user");
}

static void
test_read_only (void)
{
  ClipAround around = complete;
  ClipAdvice advice;

  around.unwritable = "/home/me";
  around.is_read_only = TRUE;
  g_assert_true (clip_advise (&around, &advice));
  g_assert_nonnull (strstr (advice.missing, "a disk that can be written"));
  g_assert_null (advice.mend);
}

static void
test_damaged (void)
{
  ClipAround around = complete;

  around.is_damaged = TRUE;
  around.version = NULL;
  assert_mend (around, "cliphist doctor --repair");
}

static void
test_no_room (void)
{
  ClipAround around = complete;

  around.lacks_room = TRUE;
  around.version = NULL;
  assert_no_mend (around, "room on the disk");
}

static void
test_no_notifications (void)
{
  ClipAround around = complete;

  around.lacks_notifications = TRUE;
  assert_mend (around, "sudo apt-get install dunst");
}

static void
test_unshared_provider (void)
{
  ClipAround around = complete;

  around.unshared = (char *) "/home/me/provider.ini";
  assert_mend (around, "sudo install -Dm644 /home/me/provider.ini /usr/local/share/");
}

static void
test_search_off (void)
{
  ClipAround around = complete;

  around.search_switch = "gsettings set it";
  assert_mend (around, "gsettings set it");
}

static void
test_explained (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  ClipAround around = complete;

  around.version = NULL;
  clip_advice_append (out, &around, TRUE);
  g_assert_nonnull (strstr (out->str, "\nwhy       Nothing else sees what you copy."));
}

static void
test_lines (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  ClipAround around = complete;

  around.version = NULL;
  clip_advice_append (out, &around, FALSE);
  g_assert_cmpstr (out->str, ==,
                   "missing   the daemon: what you copy is not kept\n"
                   "mend with systemctl --user enable --now cliphistd.service\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advice/nothing-is-said-where-nothing-is-missing", test_nothing);
  g_test_add_func ("/advice/without-a-bus", test_no_bus);
  g_test_add_func ("/advice/of-an-earlier-login", test_of_an_earlier_login);
  g_test_add_func ("/advice/of-a-history-that-a-newer-version-wrote", test_newer_history);
  g_test_add_func ("/advice/without-a-daemon", test_no_daemon);
  g_test_add_func ("/advice/with-a-masked-service", test_masked);
  g_test_add_func ("/advice/without-the-program-of-the-daemon", test_no_program);
  g_test_add_func ("/advice/silent-daemon", test_silent_daemon);
  g_test_add_func ("/advice/with-nothing-to-watch", test_no_display);
  g_test_add_func ("/advice/with-a-daemon-of-another-version", test_other_version);
  g_test_add_func ("/advice/daemon-with-another-history", test_elsewhere);
  g_test_add_func ("/advice/without-a-picker", test_no_picker);
  g_test_add_func ("/advice/where-nobody-knows-how-it-is-installed", test_no_installer);
  g_test_add_func ("/advice/with-nothing-that-presses-keys", test_no_portal);
  g_test_add_func ("/advice/with-a-history-that-may-not-be-written", test_unwritable);
  g_test_add_func ("/advice/with-a-configuration-that-may-not-be-read", test_unread);
  g_test_add_func ("/advice/with-a-disk-that-may-only-be-read", test_read_only);
  g_test_add_func ("/advice/with-a-history-that-is-damaged", test_damaged);
  g_test_add_func ("/advice/with-no-room-for-a-history-to-begin", test_no_room);
  g_test_add_func ("/advice/without-notifications", test_no_notifications);
  g_test_add_func ("/advice/with-a-search-provider-that-nobody-finds",
                   test_unshared_provider);
  g_test_add_func ("/advice/with-a-search-that-is-off", test_search_off);
  g_test_add_func ("/advice/that-says-why", test_explained);
  g_test_add_func ("/advice/two-lines-that-line-up", test_lines);
  return g_test_run ();
}
