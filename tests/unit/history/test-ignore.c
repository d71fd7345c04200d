/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a pattern sees of a text, whichever its encoding. */
#include "clip-ignore.h"

#include <string.h>

static gboolean
is_ignored (const char *pattern, const void *text, gsize length)
{
  g_autoptr (ClipSettings) settings = clip_settings_new ();
  g_autoptr (ClipIgnore) ignore = NULL;
  g_autoptr (GPtrArray) texts =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  gboolean is_found = FALSE;

  clip_settings_set (settings, CLIP_SETTING_IGNORE_PATTERN, pattern, CLIP_FROM_FLAG,
                     NULL);
  ignore = clip_ignore_new (settings);
  g_ptr_array_add (texts, g_bytes_new (text, length));
  g_assert_true (clip_ignore_look_on_thread (ignore, texts, &is_found, NULL));
  return is_found;
}

/* UTF-16 and UTF-32 alone begin with the mark of a byte order */
static void
test_every_encoding (void)
{
  static const char *const encodings[] = { "UTF-8",  "UTF-16",   "UTF-16LE", "UTF-16BE",
                                           "UTF-32", "UTF-32LE", "UTF-32BE" };

  for (guint i = 0; i < G_N_ELEMENTS (encodings); i++)
    {
      gsize length;
      g_autofree char *text =
          g_convert ("Schlüssel AKIA777", -1, encodings[i], "UTF-8", NULL, &length, NULL);

      g_assert_true (is_ignored ("^Schlüssel AKIA[0-9]+$", text, length));
      g_assert_false (is_ignored ("AKIA[a-z]", text, length));
    }
}

/* as Windows has it in front of UTF-8, and what no type says is in Latin-1 */
static void
test_mark_and_latin (void)
{
  g_assert_true (is_ignored ("^token:", "\xEF\xBB\xBFtoken:x", 10));
  g_assert_true (is_ignored ("^$", "\xEF\xBB\xBF", 3));
  g_assert_true (is_ignored ("^Schlüssel$", "Schl\xFCssel", 9));
  g_assert_false (is_ignored ("Schlüssel", "Schl\xFBssel", 9));
}

/* it may end half-way through a character */
static void
test_beginning (void)
{
  const guint8 begin[] = { 'A', 0, 'K', 0, 'I', 0, 'A', 0, '7', 0 };
  const guint8 face[] = { 0x3d, 0xd8, 0x00, 0xde };
  g_autofree guint8 *text = g_malloc (CLIP_IGNORE_TEXT_BYTES);

  memcpy (text, begin, sizeof begin);
  for (gsize i = sizeof begin; i < CLIP_IGNORE_TEXT_BYTES; i++)
    text[i] = face[(i - sizeof begin) % sizeof face];
  g_assert_true (is_ignored ("AKIA[0-9]+", text, CLIP_IGNORE_TEXT_BYTES));
}

/* no letter of it has a NUL in UTF-16, and what stands behind it is no character */
static void
test_no_nul (void)
{
  static const char *const words[] = { "пароль", "密码是你好" };
  static const char *const encodings[] = { "UTF-16", "UTF-16LE", "UTF-16BE" };

  for (guint i = 0; i < G_N_ELEMENTS (words) * G_N_ELEMENTS (encodings); i++)
    {
      const char *word = words[i / G_N_ELEMENTS (encodings)];
      gsize length;
      g_autofree char *text =
          g_convert (word, -1, encodings[i % G_N_ELEMENTS (encodings)], "UTF-8", NULL,
                     &length, NULL);

      g_assert_true (is_ignored (word, text, length));
      text = g_realloc (text, length + 1);
      text[length] = 'x';
      g_assert_true (is_ignored (word, text, length + 1));
    }
  g_assert_false (is_ignored ("\\p{Han}", "ASCII\twith\r\nlines", 18));
  /* Latin-1, and what a terminal shows */
  g_assert_false (is_ignored ("\\p{Han}",
                              "Gr\xfc\xdf"
                              "e aus der Stadt Wien, Karl",
                              29));
  g_assert_false (is_ignored ("^\\S{8,}$", "bell \a in a text of words", 26));
}

/* as UTF-16 it would be six letters of Chinese */
static void
test_ends_in_nul (void)
{
  g_assert_false (is_ignored ("^\\w{6}$", "abcdefghijk", 12));
}

/* as C programs and those of Windows copy a text; an expression may want these, too */
static void
test_between_ends (void)
{
  static const char *const ends[] = { "", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (ends) * 4; i++)
    {
      const gsize n_nuls_before = i & 1, n_nuls_behind = i & 2;
      g_autoptr (GByteArray) text = g_byte_array_new ();
      const char *end = ends[i / 4];

      g_byte_array_append (text, (const guint8 *) "\0", (guint) n_nuls_before);
      g_byte_array_append (text, (const guint8 *) end, (guint) strlen (end));
      g_byte_array_append (text, (const guint8 *) "tok_ab", 6);
      g_byte_array_append (text, (const guint8 *) end, (guint) strlen (end));
      g_byte_array_append (text, (const guint8 *) "\0\0", (guint) n_nuls_behind);
      g_assert_true (is_ignored ("^tok_[a-z]+$", text->data, text->len));
      g_assert_false (is_ignored ("^tok_[a-z]$", text->data, text->len));
    }
  g_assert_true (is_ignored ("^tok_[a-z]+$", "t\0o\0k\0_\0a\0b\0\r\0\n\0\0", 18));
  g_assert_true (is_ignored ("b\\r\\n$", "tok_ab\r\n", 8));
  g_assert_true (is_ignored ("^\\n", "\ntok_ab", 7));
  g_assert_false (is_ignored ("^tok_[a-z]+$", " tok_ab", 7));
  g_assert_false (is_ignored ("^tok_[a-z]+$", "tok_ab\ntok_cd", 13));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ignore/pattern-sees-every-encoding", test_every_encoding);
  g_test_add_func ("/ignore/pattern-sees-latin-1-and-behind-a-mark", test_mark_and_latin);
  g_test_add_func ("/ignore/pattern-sees-what-has-no-nul", test_no_nul);
  g_test_add_func ("/ignore/pattern-sees-the-beginning-of-a-long-text", test_beginning);
  g_test_add_func ("/ignore/text-that-ends-in-a-nul-is-no-other", test_ends_in_nul);
  g_test_add_func ("/ignore/pattern-sees-between-line-ends-and-nuls", test_between_ends);
  return g_test_run ();
}
