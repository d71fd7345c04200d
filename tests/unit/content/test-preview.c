/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-preview.h"

#include "clip-detect.h"
#include "clip-mime.h"

#include <string.h>

#define BYTES(text) text, sizeof (text) - 1
#define PNG "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0d\0\0\0\x32\10\2\0\0\0\x25W\xE9\xE9"

typedef struct
{
  const char *bytes;
  gsize length;
  const char *preview;
} Case;

static void
assert_preview (const char *mime,
                const char *bytes,
                gsize length,
                gint64 size,
                const char *expected)
{
  g_autofree char *copy = g_memdup2 (bytes, length);
  g_autofree char *preview = clip_preview_make (mime, copy, length, size);

  g_assert_true (g_utf8_validate (preview, -1, NULL));
  g_assert_cmpstr (preview, ==, expected);
}

static void
test_text (void)
{
  static const Case cases[] = {
    { BYTES ("hello"), "hello" },
    { BYTES ("  two\n\n\twords \r\n"), "two words" },
    { BYTES ("a\vb\fc"), "a b c" },
    { BYTES ("a\xC2\xA0\xC2\x85\xE2\x80\x83\xE3\x80\x80"
             "b"),
      "a b" },
    { BYTES ("\xE3\x80\x80x\xE2\x80\xA8"), "x" },
    { BYTES ("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80"),
      "gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80" },
    { BYTES ("a\0b"), "ab" },
    { BYTES ("a \0 b"), "a b" },
    { BYTES ("\0"), "" },
    { BYTES (""), "" },
    { BYTES ("a\x1B[31mb\7"), "a\x1B[31mb\7" },
    { BYTES ("a\xFF"
             "b"),
      "a\xEF\xBF\xBD"
      "b" },
    { BYTES ("\xE2\x82"), "\xEF\xBF\xBD\xEF\xBF\xBD" },
    { BYTES ("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD" },
    { BYTES ("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD" },
    { BYTES ("\xEF\xBB\xBFx"), "\xEF\xBB\xBFx" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_preview (CLIP_MIME_TEXT, cases[i].bytes, cases[i].length,
                    (gint64) cases[i].length, cases[i].preview);
}

static void
test_longer_than_head (void)
{
  assert_preview (CLIP_MIME_TEXT, BYTES ("a b \n"), 9, "a b\xE2\x80\xA6");
  assert_preview (CLIP_MIME_TEXT, BYTES ("a \xE2\x82"), 9, "a\xE2\x80\xA6");
  assert_preview (CLIP_MIME_TEXT, BYTES ("   "), 9, "\xE2\x80\xA6");
  assert_preview (CLIP_MIME_TEXT, BYTES ("a\x82"), 9, "a\xEF\xBF\xBD\xE2\x80\xA6");
}

static void
test_latin1 (void)
{
  assert_preview (CLIP_MIME_LATIN1, BYTES ("gr\xFC\xDF\xA0!"), 6, "gr\xC3\xBC\xC3\x9F !");
  assert_preview (CLIP_MIME_LATIN1, BYTES ("\xDF"), 6, "\xC3\x9F\xE2\x80\xA6");
}

static void
test_limit (void)
{
  g_autofree char *noise = g_strnfill (2 * CLIP_HEAD_BYTES, '\xFF');
  g_autofree char *preview = clip_preview_make (CLIP_MIME_OCTETS, noise,
                                                2 * CLIP_HEAD_BYTES, 2 * CLIP_HEAD_BYTES);

  g_autofree char *whole = NULL;

  g_assert_true (g_utf8_validate (preview, -1, NULL));
  g_assert_cmpint (strlen (preview), <=, CLIP_HEAD_BYTES + 3);
  g_assert_true (g_str_has_suffix (preview, "\xE2\x80\xA6"));
  noise[CLIP_HEAD_BYTES - 1] = 'a'; /* would fit again, but stands behind the cut */
  whole = clip_preview_make (CLIP_MIME_OCTETS, noise, CLIP_HEAD_BYTES, CLIP_HEAD_BYTES);
  g_assert_cmpstr (whole, ==, preview);
}

/* a word that fits to the last byte, and one that does not fit with the blank before
   it */
static void
test_limit_between_words (void)
{
  for (gsize n = CLIP_HEAD_BYTES - 3; n <= CLIP_HEAD_BYTES; n++)
    {
      g_autofree char *word = g_strnfill (n, 'x');
      g_autofree char *text = g_strconcat (word, " y", NULL);
      gboolean fits = n + 2 <= CLIP_HEAD_BYTES;
      g_autofree char *cut = g_strconcat (word, "\xE2\x80\xA6", NULL);

      assert_preview (CLIP_MIME_TEXT, text, n + 2, (gint64) n + 2, fits ? text : cut);
    }
}

static void
test_images (void)
{
  assert_preview ("image/png", BYTES (PNG), 12288, "[[ binary data 12 KiB png 100x50 ]]");
  assert_preview (NULL, BYTES (PNG), 5, "[[ binary data 5 B png 100x50 ]]");
  assert_preview (CLIP_MIME_TEXT, BYTES (PNG), 1 << 20,
                  "[[ binary data 1 MiB png 100x50 ]]");
  assert_preview ("image/png", "\x89PNG\r\n\x1A\n", 8, 12288,
                  "[[ binary data 12 KiB png ]]");
  assert_preview ("image/jpeg", BYTES (PNG), 9, "[[ binary data 9 B png 100x50 ]]");
  assert_preview ("image/jpeg", "\xFF\xD8\xFF", 3, 3, "[[ binary data 3 B jpeg ]]");
  assert_preview ("image/svg+xml", BYTES ("<svg/>"), 6, "[[ binary data 6 B svg ]]");
  assert_preview ("image/x-icon", BYTES ("x"), 1, "[[ binary data 1 B icon ]]");
  assert_preview ("image/", BYTES ("x"), 1, "[[ binary data 1 B image ]]");
  assert_preview ("image/png", BYTES (PNG), G_GINT64_CONSTANT (1) << 30,
                  "[[ binary data 1024 MiB png 100x50 ]]");
}

/* with one bit that is wrong; BMP with 16 bits a pixel */
#define DAMAGED "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0d\0\0\0\x33\10\2\0\0\0\x25W\xE9\xE9"
#define UNKNOWN \
  "BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x04\0\0\0\1\0\x10\0" \
  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

/* what the existing tool lists as text is text, where nobody has said what it is */
static void
test_type_that_nobody_named (void)
{
  g_autofree char *damaged = clip_preview_make (NULL, BYTES (DAMAGED), 33);
  g_autofree char *unknown = clip_preview_make (NULL, BYTES (UNKNOWN), 54);

  g_assert_true (g_str_has_prefix (damaged, "\xEF\xBF\xBDPNG"));
  g_assert_true (g_str_has_prefix (unknown, "BM6("));
  assert_preview ("image/png", BYTES (DAMAGED), 33, "[[ binary data 33 B png 100x51 ]]");
  assert_preview ("image/bmp", BYTES (UNKNOWN), 54, "[[ binary data 54 B bmp 3x4 ]]");
  assert_preview (NULL, BYTES ("GIF89a is text"), 14,
                  "[[ binary data 14 B gif 26912x8307 ]]");
}

static void
test_other_binary_is_text (void)
{
  assert_preview ("application/pdf", BYTES ("%PDF-1.7\n%\xE2\xE3"), 11,
                  "%PDF-1.7 %\xEF\xBF\xBD\xEF\xBF\xBD");
  assert_preview (CLIP_MIME_TEXT, BYTES ("GIF89a is text"), 14, "GIF89a is text");
}

static void
test_prefix (void)
{
  g_assert_true (clip_preview_is_prefix ("two words", "two words\n", 10));
  g_assert_true (clip_preview_is_prefix ("same", "same", 4));
  g_assert_true (clip_preview_is_prefix ("", NULL, 0));
  g_assert_false (clip_preview_is_prefix ("two words", "two\nwords", 9));
  g_assert_false (clip_preview_is_prefix ("longer", "long", 4));
  g_assert_false (clip_preview_is_prefix ("ab", "a\0b", 3));
}

typedef struct
{
  const char *preview;
  gint64 width;
  const char *shown;
} Cut;

static const Cut cuts[] = {
  { "hello", 100, "hello" },
  { "hello", 5, "hello" },
  { "hello", 4, "hell\xE2\x80\xA6" },
  { "hello", 0, "\xE2\x80\xA6" },
  { "", 0, "" },
  { "hello", -1, "hello" },
  { "\xC3\xBC\xC3\xBC\xC3\xBC", 3, "\xC3\xBC\xC3\xBC\xC3\xBC" },
  { "\xC3\xBC\xC3\xBC\xC3\xBC", 2, "\xC3\xBC\xC3\xBC\xE2\x80\xA6" },
  /* a combining mark is a code point of its own, a wide character is one */
  { "e\xCC\x81x", 1, "e\xE2\x80\xA6" },
  { "e\xCC\x81x", 2, "e\xCC\x81\xE2\x80\xA6" },
  { "\xE6\xBC\xA2\xE5\xAD\x97", 1, "\xE6\xBC\xA2\xE2\x80\xA6" },
  { "\xF0\x9F\x98\x80!", 1, "\xF0\x9F\x98\x80\xE2\x80\xA6" },
};

static void
test_cut (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (GString) out = g_string_new ("1\t");

      clip_preview_append (out, cuts[i].preview, strlen (cuts[i].preview), cuts[i].width);
      g_assert_cmpstr (out->str + 2, ==, cuts[i].shown);
      g_string_truncate (out, 2);
      clip_preview_append_safe (out, cuts[i].preview, strlen (cuts[i].preview),
                                cuts[i].width);
      g_assert_cmpstr (out->str + 2, ==, cuts[i].shown);
    }
}

static void
test_not_terminated (void)
{
  g_autofree char *bytes = g_memdup2 ("abc", 3);
  g_autoptr (GString) out = g_string_new (NULL);

  clip_preview_append (out, bytes, 3, 100);
  clip_preview_append (out, bytes, 3, 2);
  clip_preview_append_safe (out, bytes, 3, 2);
  g_assert_cmpstr (out->str, ==,
                   "abcab\xE2\x80\xA6"
                   "ab\xE2\x80\xA6");
}

static void
test_safe (void)
{
  static const Case cases[] = {
    { BYTES ("a\x1B[31m"), "a\xE2\x90\x9B[31m" },
    { BYTES ("\0\t\n\x7F"), "\xE2\x90\x80\xE2\x90\x89\xE2\x90\x8A\xE2\x90\xA1" },
    { BYTES ("\xC2\x9B"
             "31m"),
      "\xEF\xBF\xBD"
      "31m" },
    { BYTES ("\xE2\x80\xAE"
             "txt"),
      "\xEF\xBF\xBDtxt" },
    { BYTES ("\xE2\x80\xA8"
             "line"),
      "\xEF\xBF\xBDline" },
    { BYTES ("\xFF\x9B"), "\xEF\xBF\xBD\xEF\xBF\xBD" },
    { BYTES ("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      clip_preview_append_safe (out, cases[i].bytes, cases[i].length, -1);
      g_assert_cmpstr (out->str, ==, cases[i].preview);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/preview/text-is-one-line", test_text);
  g_test_add_func ("/preview/longer-than-the-head", test_longer_than_head);
  g_test_add_func ("/preview/latin1", test_latin1);
  g_test_add_func ("/preview/noise-has-a-limit", test_limit);
  g_test_add_func ("/preview/limit-between-words", test_limit_between_words);
  g_test_add_func ("/preview/images", test_images);
  g_test_add_func ("/preview/type-that-nobody-named", test_type_that_nobody_named);
  g_test_add_func ("/preview/other-binary-is-text", test_other_binary_is_text);
  g_test_add_func ("/preview/prefix", test_prefix);
  g_test_add_func ("/preview/cut-at-code-points", test_cut);
  g_test_add_func ("/preview/not-terminated", test_not_terminated);
  g_test_add_func ("/preview/safe-for-terminals", test_safe);
  return g_test_run ();
}
