/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What single names and values mean; tests/attacks/secrets.py has what becomes of a
   copy. */
#include "clip-secrecy.h"

#include <string.h>

#define KDE "x-kde-passwordManagerHint"
#define WINDOWS "CanIncludeInClipboardHistory"

static void
test_names (void)
{
  static const struct
  {
    const char *name;
    ClipSecrecy secrecy;
  } cases[] = {
    { "", CLIP_SECRECY_NONE },
    { "text/plain", CLIP_SECRECY_NONE },
    { "CanUploadToCloudClipboard", CLIP_SECRECY_NONE },
    { "org.nspasteboard.source", CLIP_SECRECY_NONE },
    { KDE, CLIP_SECRECY_ASK },
    { "text/" KDE, CLIP_SECRECY_ASK },
    { "X-KDE-PASSWORDMANAGERHINT", CLIP_SECRECY_ASK },
    { WINDOWS, CLIP_SECRECY_ASK },
    { "application/x-qt-windows-mime;value=\"" WINDOWS "\"", CLIP_SECRECY_ASK },
    { KDE " ", CLIP_SECRECY_SECRET },
    { KDE "\xff", CLIP_SECRECY_SECRET },
    { "x-kde-passwordManagerHin", CLIP_SECRECY_SECRET },
    { WINDOWS "\n", CLIP_SECRECY_SECRET },
    { "org.nspasteboard.TransientType", CLIP_SECRECY_SECRET },
    { "org_nspasteboard_ConcealedType", CLIP_SECRECY_SECRET },
    { "Clipboard Viewer Ignore", CLIP_SECRECY_SECRET },
    { CLIP_SECRECY_UNREAD, CLIP_SECRECY_SECRET },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (clip_secrecy_of_name (cases[i].name), ==, cases[i].secrecy);
}

static void
test_of_all_the_worst_counts (void)
{
  static const char *const harmless[] = { "text/plain", "text/html", NULL };
  static const char *const hint[] = { "text/plain", KDE, NULL };
  static const char *const mark[] = { KDE, "net.antelle.keeweb", "text/plain", NULL };
  static const char *const four[] = { KDE, "a/" KDE, "b/" KDE, "c/" KDE, NULL };
  static const char *const five[] = { KDE, "a/" KDE, "b/" KDE, "c/" KDE, "d/" KDE, NULL };

  g_assert_cmpint (clip_secrecy_of_names (NULL), ==, CLIP_SECRECY_NONE);
  g_assert_cmpint (clip_secrecy_of_names (harmless), ==, CLIP_SECRECY_NONE);
  g_assert_cmpint (clip_secrecy_of_names (hint), ==, CLIP_SECRECY_ASK);
  g_assert_cmpint (clip_secrecy_of_names (mark), ==, CLIP_SECRECY_SECRET);
  g_assert_cmpint (clip_secrecy_of_names (four), ==, CLIP_SECRECY_ASK);
  g_assert_cmpint (clip_secrecy_of_names (five), ==, CLIP_SECRECY_SECRET);
}

static void
test_values (void)
{
  static const struct
  {
    const char *hint, *value;
    gsize length;
    gboolean refuses;
  } cases[] = {
    { KDE, "public", 6, FALSE },
    { KDE, "public\n", 7, FALSE },
    { KDE, "Public", 7, FALSE },
    { KDE, "secret", 6, TRUE },
    { KDE, "", 0, TRUE },
    { KDE, NULL, 0, TRUE },
    { KDE, "publicly", 8, TRUE },
    { KDE, "pub", 3, TRUE },
    { KDE, "p\0ublic", 7, TRUE },
    { WINDOWS, "\0\0\0\0", 4, TRUE },
    { WINDOWS, "\1\0\0\0", 4, FALSE },
    { WINDOWS, "\0\0\0\1", 4, FALSE },
    { WINDOWS, "\2\0\0\0", 4, TRUE },
    { WINDOWS, "0", 1, TRUE },
    { WINDOWS, "00", 2, TRUE },
    { WINDOWS, "1", 1, FALSE },
    { WINDOWS, "1\n", 2, FALSE },
    { WINDOWS, "10", 2, FALSE },
    { WINDOWS, "no", 2, TRUE },
    { WINDOWS, "1 0", 3, TRUE },
    { WINDOWS, "", 0, TRUE },
    { WINDOWS, NULL, 0, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (
        clip_secrecy_refuses (cases[i].hint, cases[i].value, cases[i].length), ==,
        cases[i].refuses);
}

static void
test_value_that_is_too_long_refuses (void)
{
  char value[CLIP_SECRECY_VALUE_BYTES + 1] = "public";

  g_assert_false (clip_secrecy_refuses (KDE, value, CLIP_SECRECY_VALUE_BYTES));
  g_assert_true (clip_secrecy_refuses (KDE, value, sizeof value));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/secrecy/names", test_names);
  g_test_add_func ("/secrecy/of-all-the-worst-counts", test_of_all_the_worst_counts);
  g_test_add_func ("/secrecy/values", test_values);
  g_test_add_func ("/secrecy/value-that-is-too-long-refuses",
                   test_value_that_is_too_long_refuses);
  return g_test_run ();
}
