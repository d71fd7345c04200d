/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-units.h"

typedef struct
{
  const char *text;
  gint64 value; /* -1: refused */
} Case;

#define MOST (G_GINT64_CONSTANT (1) << 62)

static void
test_sizes (void)
{
  static const Case cases[] = {
    { "5MB", 5000000 },
    { "5mib", 5242880 },
    { "12", 12 },
    { " 1.5 KiB ", 1536 },
    { "0", 0 },
    { "1GiB", 1073741824 },
    { "7 b", 7 },
    { "", -1 },
    { "MB", -1 },
    { "-1", -1 },
    { "1e3", -1 },
    { "inf", -1 },
    { "1.2.3", -1 },
    { "0x10", -1 },
    { "9999999999999 TiB", MOST },
    { "12 parsecs", -1 },
    { "+5b", 5 },
    { "-0b", 0 },
    { "1_000b", 1000 },
    { "1__0b", -1 },
    { "1e3kb", 1000000 },
    { "0x1p3b", 8 },
    { "0x10b", -1 },
    { "infb", MOST },
    { "-infb", -1 },
    { "nanb", MOST },
    { "+nanb", -1 },
    { "5e400b", -1 },
    { "+5", -1 },
    { "1_000", -1 },
    { "9223372036854775808", MOST },
    { "18446744073709551615", MOST },
    { "18446744073709551616", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 value = -1;

      g_assert_cmpint (clip_parse_size (cases[i].text, &value), ==, cases[i].value >= 0);
      g_assert_cmpint (value, ==, cases[i].value);
    }
}

static void
test_durations (void)
{
  static const Case cases[] = {
    { "10s", 10 * G_GINT64_CONSTANT (1000000) },
    { "1h30m", 5400 * G_GINT64_CONSTANT (1000000) },
    { "500ms", 500000 },
    { "2d", 172800 * G_GINT64_CONSTANT (1000000) },
    { "10", -1 },
    { "", -1 },
    { "s", -1 },
    { "-5s", -1 },
    { "3 fortnights", -1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 value = -1;

      g_assert_cmpint (clip_parse_duration (cases[i].text, &value), ==,
                       cases[i].value >= 0);
      g_assert_cmpint (value, ==, cases[i].value);
    }
}

static void
test_integers (void)
{
  static const Case cases[] = {
    { "750", 750 },
    { "0x10", 16 },
    { "0b101", 5 },
    { "1_000", 1000 },
    { "017", 15 },
    { "0o17", 15 },
    { "+2", 2 },
    { "", -1 },
    { "12a", -1 },
    { "_1", -1 },
    { "1_", -1 },
    { "1__0", -1 },
    { " 1", -1 },
    { "0x", -1 },
    { "99999999999999999999", -1 },
    { "9223372036854775807", G_MAXINT64 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gint64 value = -1;

      g_assert_cmpint (clip_parse_int (cases[i].text, &value), ==, cases[i].value >= 0);
      g_assert_cmpint (value, ==, cases[i].value);
    }
}

static void
test_negative_integers (void)
{
  gint64 value = 0;

  g_assert_true (clip_parse_int ("-9223372036854775808", &value));
  g_assert_true (value == G_MININT64);
  g_assert_false (clip_parse_int ("-9223372036854775809", &value));
}

static void
test_format (void)
{
  static const struct
  {
    gint64 bytes;
    const char *text;
  } cases[] = {
    { 0, "0 B" },        { 1023, "1023 B" },   { 1024, "1 KiB" },
    { 12288, "12 KiB" }, { 1048576, "1 MiB" }, { 1073741824, "1024 MiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = clip_format_size (cases[i].bytes);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/units/sizes", test_sizes);
  g_test_add_func ("/units/durations", test_durations);
  g_test_add_func ("/units/integers", test_integers);
  g_test_add_func ("/units/negative-integers", test_negative_integers);
  g_test_add_func ("/units/sizes-as-text", test_format);
  return g_test_run ();
}
