/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-secret-fingerprints.h"

#include <string.h>

#define NOW_US ((gint64) 1000)

static void
test_known_for_ten_minutes (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  g_assert_true (clip_secret_fingerprints_is_empty (fingerprints, NOW_US));
  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, "hunter2", 7,
                                  NOW_US);
  g_assert_true (clip_secret_fingerprints_knows (fingerprints, "hunter2", 7, NOW_US));
  g_assert_false (clip_secret_fingerprints_knows (fingerprints, "hunter2!", 8, NOW_US));
  g_assert_false (clip_secret_fingerprints_knows (fingerprints, "hunter", 6, NOW_US));
  g_assert_true (clip_secret_fingerprints_knows (
      fingerprints, "hunter2", 7, NOW_US + CLIP_SECRET_FINGERPRINTS_KEPT_US - 1));
  g_assert_false (clip_secret_fingerprints_knows (
      fingerprints, "hunter2", 7, NOW_US + CLIP_SECRET_FINGERPRINTS_KEPT_US));
  g_assert_true (clip_secret_fingerprints_is_empty (
      fingerprints, NOW_US + CLIP_SECRET_FINGERPRINTS_KEPT_US));
}

static void
test_oldest_makes_room (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  for (int i = 0; i < 160; i++)
    {
      g_autofree char *word = g_strdup_printf ("word %d", i);

      clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, word,
                                      strlen (word), NOW_US);
      g_assert_true (
          clip_secret_fingerprints_knows (fingerprints, word, strlen (word), NOW_US));
    }
  g_assert_false (clip_secret_fingerprints_knows (fingerprints, "word 0", 6, NOW_US));
  g_assert_true (clip_secret_fingerprints_knows (fingerprints, "word 100", 8, NOW_US));
}

static void
test_one_that_is_known_takes_no_room (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, "hunter2", 7,
                                  NOW_US);
  for (int i = 0; i < 100; i++)
    clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, "word", 4,
                                    NOW_US + i);
  g_assert_true (clip_secret_fingerprints_knows (fingerprints, "hunter2", 7, NOW_US));
  g_assert_true (clip_secret_fingerprints_knows (
      fingerprints, "word", 4, NOW_US + CLIP_SECRET_FINGERPRINTS_KEPT_US));
}

static void
test_others_push_out_no_copy (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, "hunter2", 7,
                                  NOW_US);
  for (int i = 0; i < 1000; i++)
    {
      g_autofree char *stored = g_strdup_printf ("stored %d", i);
      g_autofree char *selected = g_strdup_printf ("selected %d", i);

      clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_CALLER, stored,
                                      strlen (stored), NOW_US);
      clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_PRIMARY, selected,
                                      strlen (selected), NOW_US);
    }
  g_assert_true (clip_secret_fingerprints_knows (fingerprints, "hunter2", 7, NOW_US));
  g_assert_true (clip_secret_fingerprints_knows (fingerprints, "stored 999", 10, NOW_US));
  g_assert_true (
      clip_secret_fingerprints_knows (fingerprints, "selected 999", 12, NOW_US));
}

static gboolean
knows (ClipSecretFingerprints *fingerprints, const char *text)
{
  return clip_secret_fingerprints_knows (fingerprints, text, strlen (text), NOW_US);
}

/* managers add and take away what nobody sees, and end lines in their own way */
static void
test_blanks_do_not_count (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY,
                                  " hunter 2\nand 3\n", 16, NOW_US);
  g_assert_true (knows (fingerprints, "hunter 2\nand 3"));
  g_assert_true (knows (fingerprints, "\r\n\thunter 2\nand 3 \n\n"));
  g_assert_true (knows (fingerprints, "hunter 2\r\nand 3"));
  g_assert_true (knows (fingerprints, "hunter\302\2402\nand 3\302\240"));
  g_assert_true (
      clip_secret_fingerprints_knows (fingerprints, "\0hunter 2\nand 3\0\0", 17, NOW_US));
  g_assert_false (knows (fingerprints, "hunter 2\nand 4"));
  g_assert_false (knows (fingerprints, "  \n"));
}

/* Returns: (transfer full): as much as is read of it */
static char *
begin_long (const char *before, gsize length)
{
  char *text = g_strnfill (CLIP_SECRET_FINGERPRINTS_MAX_BYTES, ' ');
  gsize shift = strlen (before);

  memcpy (text, before, shift);
  memset (text + shift, 'x', MIN (length, CLIP_SECRET_FINGERPRINTS_MAX_BYTES - shift));
  return text;
}

/* of any length around that of what is read, and of what is compared */
static void
test_blanks_of_a_long_one_do_not_count (void)
{
  static const gsize lengths[] = { 8191, 8192, 8193, 65535, 65536, 100000 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();
      g_autofree char *alone = begin_long ("", lengths[i]);
      g_autofree char *behind = begin_long ("\n\n ", lengths[i]);
      g_autofree char *other = begin_long ("y", lengths[i]);

      clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, alone,
                                      CLIP_SECRET_FINGERPRINTS_MAX_BYTES, NOW_US);
      g_assert_true (clip_secret_fingerprints_knows (
          fingerprints, behind, CLIP_SECRET_FINGERPRINTS_MAX_BYTES, NOW_US));
      g_assert_false (clip_secret_fingerprints_knows (
          fingerprints, other, CLIP_SECRET_FINGERPRINTS_MAX_BYTES, NOW_US));
    }
}

/* (transfer full): as much as is read of 20,000 times @word, so encoded */
static GBytes *
begin_in (const char *encoding, const char *word)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gsize length;
  char *encoded;

  for (guint i = 0; i < 20000; i++)
    g_string_append (text, word);
  encoded =
      g_convert (text->str, (gssize) text->len, encoding, "UTF-8", NULL, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (encoded, MIN (length, CLIP_SECRET_FINGERPRINTS_MAX_BYTES));
}

/* as much of it is read in none as in another */
static void
test_a_long_one_is_known_in_every_encoding (void)
{
  static const char *const encodings[] = { "UTF-8",    "UTF-16",   "UTF-16LE",
                                           "UTF-16BE", "UTF-32LE", "UTF-32BE" };
  static const char *const words[] = { "key ", "\xC3\xA4 ", "\xE5\xAF\x86",
                                       "\xF0\x9F\x94\x91\n" };

  for (guint i = 0; i < G_N_ELEMENTS (encodings) * G_N_ELEMENTS (encodings); i++)
    for (guint j = 0; j < G_N_ELEMENTS (words); j++)
      {
        g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();
        g_autoptr (GBytes) one =
            begin_in (encodings[i / G_N_ELEMENTS (encodings)], words[j]);
        g_autoptr (GBytes) other =
            begin_in (encodings[i % G_N_ELEMENTS (encodings)], words[j]);
        gsize length;
        const char *data = g_bytes_get_data (one, &length);

        clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, data,
                                        length, NOW_US);
        data = g_bytes_get_data (other, &length);
        g_assert_true (
            clip_secret_fingerprints_knows (fingerprints, data, length, NOW_US));
      }
}

#define SECRET_OF(text) \
  { \
    text, sizeof (text) - 1 \
  }

/* a text each, as its types have it; some have no Latin-1 */
static const struct
{
  const char *text;
  gsize length;
} encoded[][17] = {
  {
      /* pässword */
      SECRET_OF ("p\xC3\xA4ssword"),
      SECRET_OF ("\xEF\xBB\xBFp\xC3\xA4ssword"),
      SECRET_OF ("p\xE4ssword"),
      SECRET_OF ("\xFF\xFEp\0\xE4\0s\0s\0w\0o\0r\0d\0"),
      SECRET_OF ("\xFE\xFF\0p\0\xE4\0s\0s\0w\0o\0r\0d"),
      SECRET_OF ("p\0\xE4\0s\0s\0w\0o\0r\0d\0"),
      SECRET_OF ("\0p\0\xE4\0s\0s\0w\0o\0r\0d"),
      SECRET_OF ("p\0\0\0\xE4\0\0\0s\0\0\0s\0\0\0w\0\0\0o\0\0\0r\0\0\0d\0\0\0"),
      SECRET_OF ("\0\0\0p\0\0\0\xE4\0\0\0s\0\0\0s\0\0\0w\0\0\0o\0\0\0r\0\0\0d"),
      SECRET_OF ("p\xC3\xA4ssword\0"),
      SECRET_OF ("\0p\xC3\xA4ss\0word\0\0\0"),
      SECRET_OF ("p\xE4ssword\0"),
      SECRET_OF ("\xFF\xFEp\0\xE4\0s\0s\0w\0o\0r\0d\0\0"),
      SECRET_OF ("\n\xFF\xFEp\0\xE4\0s\0s\0w\0o\0r\0d\0"),
      SECRET_OF ("\0\0\0\xFE\xFF\0p\0\xE4\0s\0s\0w\0o\0r\0d"),
      SECRET_OF ("\xFE\xFF\0p\0\xE4\0s\0s\0w\0o\0r\0d\n"),
      SECRET_OF ("p\0\0\0\xE4\0\0\0s\0\0\0s\0\0\0w\0\0\0o\0\0\0r\0\0\0d\0\0\0\0"),
  },
  {
      /* Cyrillic letters, and a digit */
      SECRET_OF ("\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\x31"),
      SECRET_OF ("\xEF\xBB\xBF\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\x31"),
      SECRET_OF ("\xFF\xFE\x3A\x04\x3B\x04\x4E\x04\x47\x04\x31\0"),
      SECRET_OF ("\xFE\xFF\x04\x3A\x04\x3B\x04\x4E\x04\x47\0\x31"),
      SECRET_OF ("\x3A\x04\x3B\x04\x4E\x04\x47\x04\x31\0"),
      SECRET_OF ("\x04\x3A\x04\x3B\x04\x4E\x04\x47\0\x31"),
      SECRET_OF ("\x3A\x04\x3B\x04\x4E\x04\x47\x04\x31\0\n\0\0\0"),
      SECRET_OF ("\xFF\xFE\0\0\x3A\x04\0\0\x3B\x04\0\0\x4E\x04\0\0"
                 "\x47\x04\0\0\x31\0\0\0"),
      SECRET_OF ("\0\0\xFE\xFF\0\0\x04\x3A\0\0\x04\x3B\0\0\x04\x4E"
                 "\0\0\x04\x47\0\0\0\x31"),
      SECRET_OF ("\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\x31\0"),
      SECRET_OF ("\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\x31\0\0"),
      SECRET_OF ("\0\0\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\x31"),
      SECRET_OF ("\xFF\xFE\x3A\x04\x3B\x04\x4E\x04\x47\x04\x31\0\0"),
      SECRET_OF (" \xFF\xFE\x3A\x04\x3B\x04\x4E\x04\x47\x04\x31\0"),
      SECRET_OF ("\r\n\0\xFE\xFF\x04\x3A\x04\x3B\x04\x4E\x04\x47\0\x31"),
      SECRET_OF ("\xFE\xFF\x04\x3A\x04\x3B\x04\x4E\x04\x47\0\x31\0\0\0"),
      SECRET_OF ("\x3A\x04\x3B\x04\x4E\x04\x47\x04\x31\0\n"),
  },
  {
      /* Chinese characters, and one of two units */
      SECRET_OF ("\xE5\xAF\x86\xE7\xA2\xBC\xF0\x9F\x94\x91"),
      SECRET_OF ("\xE5\xAF\x86\xE7\xA2\xBC\xF0\x9F\x94\x91\n"),
      SECRET_OF ("\xFF\xFE\xC6\x5B\xBC\x78\x3D\xD8\x11\xDD"),
      SECRET_OF ("\xFE\xFF\x5B\xC6\x78\xBC\xD8\x3D\xDD\x11"),
      SECRET_OF ("\xC6\x5B\xBC\x78\x3D\xD8\x11\xDD"),
      SECRET_OF ("\x5B\xC6\x78\xBC\xD8\x3D\xDD\x11"),
      SECRET_OF (" \0\xC6\x5B\xBC\x78\x3D\xD8\x11\xDD"),
      SECRET_OF ("\xC6\x5B\0\0\xBC\x78\0\0\x11\xF5\x01\0"),
      SECRET_OF ("\0\0\x5B\xC6\0\0\x78\xBC\0\x01\xF5\x11"),
      SECRET_OF ("\xE5\xAF\x86\xE7\xA2\xBC\xF0\x9F\x94\x91\0"),
      SECRET_OF ("\xE5\xAF\x86\xE7\xA2\xBC\xF0\x9F\x94\x91\n\0\0"),
      SECRET_OF ("\0\xE5\xAF\x86\xE7\xA2\xBC\xF0\x9F\x94\x91"),
      SECRET_OF ("\xFF\xFE\xC6\x5B\xBC\x78\x3D\xD8\x11\xDD\0"),
      SECRET_OF ("\n\xFF\xFE\xC6\x5B\xBC\x78\x3D\xD8\x11\xDD"),
      SECRET_OF ("\0\xFE\xFF\x5B\xC6\x78\xBC\xD8\x3D\xDD\x11"),
      SECRET_OF ("\xFE\xFF\x5B\xC6\x78\xBC\xD8\x3D\xDD\x11\n"),
      SECRET_OF ("\xC6\x5B\0\0\xBC\x78\0\0\x11\xF5\x01\0\0"),
  },
};

/* @text: the form of it that is learnt; each form of each text is looked for */
static void
assert_known_in_each (guint text, guint form)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY,
                                  encoded[text][form].text, encoded[text][form].length,
                                  NOW_US);
  for (guint i = 0; i < G_N_ELEMENTS (encoded); i++)
    for (guint j = 0; j < G_N_ELEMENTS (encoded[i]); j++)
      if (clip_secret_fingerprints_knows (fingerprints, encoded[i][j].text,
                                          encoded[i][j].length, NOW_US) != (i == text))
        g_error ("text %u, form %u: form %u of text %u", text, form, j, i);
  g_assert_false (knows (fingerprints, "password"));
  /* the same but for its last byte */
  g_assert_false (knows (fingerprints, "\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\x32"));
}

static void
test_known_in_every_encoding (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (encoded); i++)
    for (guint j = 0; j < G_N_ELEMENTS (encoded[i]); j++)
      assert_known_in_each (i, j);
}

static void
test_nothing_is_not_learnt (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();

  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, "", 0, NOW_US);
  clip_secret_fingerprints_learn (fingerprints, CLIP_SECRET_OF_DISPLAY, " \n\0", 3,
                                  NOW_US);
  g_assert_true (clip_secret_fingerprints_is_empty (fingerprints, NOW_US));
}

/* nothing was learnt of it */
static void
test_met_for_ten_minutes (void)
{
  g_autoptr (ClipSecretFingerprints) fingerprints = clip_secret_fingerprints_new ();
  const gint64 end_us = NOW_US + CLIP_SECRET_FINGERPRINTS_KEPT_US;

  g_assert_false (clip_secret_fingerprints_met_lately (fingerprints, NOW_US));
  clip_secret_fingerprints_met (fingerprints, NOW_US);
  g_assert_true (clip_secret_fingerprints_met_lately (fingerprints, end_us - 1));
  g_assert_false (clip_secret_fingerprints_met_lately (fingerprints, end_us));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/secret-fingerprints/known-for-ten-minutes",
                   test_known_for_ten_minutes);
  g_test_add_func ("/secret-fingerprints/oldest-makes-room", test_oldest_makes_room);
  g_test_add_func ("/secret-fingerprints/one-that-is-known-takes-no-room",
                   test_one_that_is_known_takes_no_room);
  g_test_add_func ("/secret-fingerprints/others-push-out-no-copy",
                   test_others_push_out_no_copy);
  g_test_add_func ("/secret-fingerprints/blanks-do-not-count", test_blanks_do_not_count);
  g_test_add_func ("/secret-fingerprints/blanks-of-a-long-one-do-not-count",
                   test_blanks_of_a_long_one_do_not_count);
  g_test_add_func ("/secret-fingerprints/known-in-every-encoding",
                   test_known_in_every_encoding);
  g_test_add_func ("/secret-fingerprints/a-long-one-is-known-in-every-encoding",
                   test_a_long_one_is_known_in_every_encoding);
  g_test_add_func ("/secret-fingerprints/nothing-is-not-learnt",
                   test_nothing_is_not_learnt);
  g_test_add_func ("/secret-fingerprints/met-for-ten-minutes", test_met_for_ten_minutes);
  return g_test_run ();
}
