/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-confinement.h"

#include "few-descriptors.h"

#include <sys/wait.h>
#include <unistd.h>

static void
test_labels (void)
{
  static const struct
  {
    const char *label;
    const char *snap;
    gboolean is_known;
  } cases[] = {
    { "snap.firefox.firefox (enforce)", "firefox", TRUE },
    { "snap.firefox.hook.configure (enforce)", "firefox", TRUE },
    { "snap.code.code (complain)", NULL, TRUE },
    { "snap.code.code (unconfined)", NULL, TRUE },
    { "unconfined", NULL, TRUE },
    { "unconfined\n", NULL, TRUE },
    { "/usr/bin/evince (enforce)", NULL, TRUE },
    { "unconfined_u:unconfined_r:unconfined_t:s0", NULL, FALSE },
    { "user_u:user_r:user_t:s0", NULL, FALSE },
    { "", NULL, FALSE },
    { NULL, NULL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean is_known = FALSE;
      g_autofree char *snap = clip_confinement_snap_of_label (cases[i].label, &is_known);

      g_test_message ("%s", cases[i].label);
      g_assert_cmpstr (snap, ==, cases[i].snap);
      g_assert_cmpint (is_known, ==, cases[i].is_known);
    }
}

static void
test_cgroups (void)
{
  static const char *const cases[][2] = {
    { "0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
      "snap.firefox.firefox-2d1b.scope\n",
      "firefox" },
    { "9:freezer:/snap.vlc\n0::/user.slice\n", "vlc" },
    { "0::/user.slice/user-1000.slice/user@1000.service/app.slice/snapper.service\n",
      NULL },
    { "0::/\n", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *snap = clip_confinement_snap_of_cgroup (cases[i][0]);

      g_assert_cmpstr (snap, ==, cases[i][1]);
    }
}

static void
test_privileges (void)
{
  g_assert_false (
      clip_confinement_may_be_flatpak ("Name:\tsh\nNoNewPrivs:\t0\nSeccomp:\t0\n"));
  g_assert_true (
      clip_confinement_may_be_flatpak ("Name:\tsh\nNoNewPrivs:\t1\nSeccomp:\t0\n"));
  /* a program that calls itself so, and a kernel that does not tell */
  g_assert_true (
      clip_confinement_may_be_flatpak ("Name:\t\\nNoNewPrivs:\t0\nNoNewPrivs:\t1\n"));
  g_assert_true (clip_confinement_may_be_flatpak ("Name:\tsh\n"));
}

static void
test_ourselves (void)
{
  g_autofree char *app = NULL;

  g_assert_cmpint (clip_confinement_look (getpid (), &app), ==, CLIP_CONFINEMENT_NONE);
  g_assert_null (app);
}

/* it takes three: of the process, of its root, and of what is looked for there */
static void
test_few_descriptors (void)
{
  for (guint n = 1; n <= 3; n++)
    {
      g_autofree char *app = NULL;
      struct rlimit before;
      ClipConfinement seen;

      few_descriptors_leave (n, &before);
      seen = clip_confinement_look (getpid (), &app);
      g_assert_no_errno (setrlimit (RLIMIT_NOFILE, &before));
      g_assert_cmpint (seen, ==, n < 3 ? CLIP_CONFINEMENT_UNSEEN : CLIP_CONFINEMENT_NONE);
    }
}

/* the number of a process that has ended is nobody's */
static void
test_nobody (void)
{
  g_autofree char *app = NULL;
  pid_t pid = fork ();

  if (pid == 0)
    _exit (0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  g_assert_cmpint (clip_confinement_glance (pid, NULL, &app), ==,
                   CLIP_CONFINEMENT_UNKNOWN);
  g_assert_null (app);
  g_assert_cmpint (clip_confinement_look (pid, &app), ==, CLIP_CONFINEMENT_UNKNOWN);
  g_assert_null (app);
}

static void
test_lists (void)
{
  g_assert_false (clip_confinement_lists ("", "org.example.Editor"));
  g_assert_true (clip_confinement_lists ("a  org.example.Editor", "org.example.Editor"));
  g_assert_true (clip_confinement_lists ("org.example.*", "org.example.Editor"));
  g_assert_false (clip_confinement_lists ("org.example", "org.example.Editor"));
  g_assert_false (clip_confinement_lists ("org.example.*", NULL));
  g_assert_false (clip_confinement_lists ("org.example.* a", ""));
  g_assert_true (clip_confinement_lists ("*", NULL));
  g_assert_false (clip_confinement_lists ("none", "none"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/confinement/confined-snaps-have-a-label", test_labels);
  g_test_add_func ("/confinement/without-labels-snaps-have-a-group", test_cgroups);
  g_test_add_func ("/confinement/who-can-gain-privileges-is-outside", test_privileges);
  g_test_add_func ("/confinement/we-are-outside", test_ourselves);
  g_test_add_func ("/confinement/without-descriptors-that-is-said", test_few_descriptors);
  g_test_add_func ("/confinement/of-who-is-gone-nothing-is-known", test_nobody);
  g_test_add_func ("/confinement/names-are-listed-by-patterns", test_lists);
  return g_test_run ();
}
