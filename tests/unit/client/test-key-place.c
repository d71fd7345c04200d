/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-key-place.h"

static void
test_sure (void)
{
  static const struct
  {
    const char *layouts;
    const char *variants;
    gboolean is_sure;
  } cases[] = {
    { "us,ru", "", TRUE },
    { "ru", "", TRUE },
    { "us,ru", ",phonetic", TRUE },
    { "gr,fr", ",oss", TRUE },
    { "us,mm", ",", TRUE },
    { "de,me", ",cyrillic", TRUE },
    { "us,de", "intl,ru", TRUE },
    { " us , ru ", "", TRUE },
    { "us,fr", "", FALSE },
    { "rs", "latin", FALSE },
    { "", "", FALSE },
    { "us,ru", "dvorak,", FALSE },
    { "ru,tr", ",f", FALSE },
    { "ru,lv", ",ergonomic", FALSE },
    { "ru,lt", ",ratise", FALSE },
    { "iq", "ku_f", FALSE },
    { "ir", "ku_f", FALSE },
    { "sy", "ku_f", FALSE },
    { "ua", "crh_f", FALSE },
    { "ua,us", "", TRUE },
    { "us,in", ",iipa", FALSE },
    { "ru,fr", ",of-tomorrow", FALSE },
    { "ru,xy", "", FALSE },
    { "ru,", "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      ClipKeyPlace place = { 0 };

      clip_key_place_add_lists (&place, cases[i].layouts, cases[i].variants);
      g_test_message ("%s; %s", cases[i].layouts, cases[i].variants);
      g_assert_cmpint (clip_key_place_is_sure (&place), ==, cases[i].is_sure);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/key-place/pressed-where-it-is-sure", test_sure);
  return g_test_run ();
}
