/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-error.h"
#include "clip-match.h"

#include <string.h>

static gboolean
finds (const char *word, const char *text)
{
  const char *words[] = { word, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipMatch) match = clip_match_new (words, NULL, &error);

  g_assert_no_error (error);
  return clip_match_test (match, text, strlen (text));
}

static void
test_case_folded (void)
{
  g_assert_true (finds ("hello", "say HELLO there"));
  g_assert_true (finds ("HELLO", "say hello there"));
  g_assert_true (finds ("äöü", "ÄÖÜ"));
  g_assert_true (finds ("ΣΊΣΥΦΟΣ", "σίσυφος"));
  g_assert_true (finds ("привет", "ПРИВЕТ"));
  g_assert_true (finds ("k", "\u212a")); /* the kelvin sign */
  g_assert_false (finds ("hello", "help"));
}

/* letters that fold to several */
static void
test_folded_to_several (void)
{
  g_assert_true (finds ("strasse", "Straße"));
  g_assert_true (finds ("straße", "STRASSE"));
  g_assert_true (finds ("straße", "straße"));
  g_assert_true (finds ("STRAẞE", "straße"));
  g_assert_true (finds ("office", "o\ufb03ce"));
  g_assert_true (finds ("office", "o\ufb00ice"));
  g_assert_true (finds ("office", "of\ufb01ce"));
  g_assert_true (finds ("o\ufb03ce", "OFFICE"));
  g_assert_true (finds ("test", "te\ufb06"));
  /* as one types */
  g_assert_true (finds ("stras", "straße"));
  g_assert_false (finds ("strase", "straße"));
  g_assert_false (finds ("sß", "ss"));
}

static void
test_words_are_data (void)
{
  g_assert_true (finds ("a.b*c", "xa.b*cx"));
  g_assert_false (finds ("a.b*c", "aXbbbc"));
  g_assert_true (finds ("(?i)[x]\\d$", "(?I)[X]\\D$"));
  g_assert_true (finds ("\\E\\Q", "\\e\\q"));
  g_assert_true (finds ("%_", "100%_"));
  g_assert_true (finds ("# x", "A # X"));
  g_assert_true (finds ("\n", "two\nlines"));
}

static void
test_short_words (void)
{
  g_assert_true (finds ("x", "aXb"));
  g_assert_true (finds ("ß", "aSSb"));
  g_assert_false (finds ("z", "aXb"));
  g_assert_true (finds ("", "anything"));
  g_assert_true (finds ("", ""));
  g_assert_false (finds ("x", ""));
}

static void
test_all_words (void)
{
  const char *words[] = { "two", "ONE", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipMatch) match = clip_match_new (words, NULL, &error);

  g_assert_true (clip_match_test (match, "one two", 7));
  g_assert_false (clip_match_test (match, "one too", 7));
}

/* where the word has none */
static void
test_diacritics (void)
{
  g_assert_true (finds ("koln", "Grüße aus Köln"));
  g_assert_true (finds ("KOLN", "Ko\u0308ln"));
  g_assert_true (finds ("lodz", "ŁÓDŹ"));
  g_assert_true (finds ("cafe", "le café."));
  g_assert_true (finds ("strasse", "Sträße"));
  g_assert_true (finds ("Αθηνα", "στην Αθήνα"));
  g_assert_true (finds ("Köln", "KÖLN"));
  g_assert_false (finds ("Köln", "Koln"));
  g_assert_false (finds ("Köln", "Kölň"));
  g_assert_false (finds ("Ko\u0308ln", "Koln"));
  g_assert_false (finds ("koln", "Kölan"));
  g_assert_false (finds ("か", "が"));
  g_assert_false (finds ("a.b", "áxb"));
}

/* as rows show it */
static void
test_size (void)
{
  g_assert_true (finds ("300×200", "[[ binary data 1 KiB png 300x200 ]]"));
  g_assert_true (finds ("300×200", "300×200"));
  g_assert_true (finds ("×2", "3X200"));
  g_assert_false (finds ("300x200", "300×200"));
}

/* bytes that are no text neither match nor hide what is */
static void
test_invalid_text (void)
{
  g_assert_true (finds ("word", "\xff\xfe a WORD \xc3"));
  g_assert_false (finds ("\u00ff", "\xff"));
  g_assert_true (finds ("a\xff", "xA\xffx"));
}

static void
test_regex (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipMatch) match = clip_match_new (NULL, "^b\\w+\\d{2}$", &error);

  g_assert_true (clip_match_test (match, "first\nbär12\nlast", 17));
  g_assert_false (clip_match_test (match, "BAR12", 5));
  g_assert_true (clip_match_is_for (match, NULL, "^b\\w+\\d{2}$"));
  g_assert_false (clip_match_is_for (match, NULL, "^b"));
}

static void
test_bad_regex (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_match_new (NULL, "a(b", &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
}

/* a text for which one would take for ever is given up, and the next one is not */
static void
test_costly_regex (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipMatch) costly =
      clip_match_new (NULL, "^(([a-z])+.)+[A-Z]([a-z])+$", &error);
  g_autofree char *text = g_strnfill (5000, 'a');

  g_assert_false (clip_match_test (costly, text, 5000));
  g_assert_cmpuint (clip_match_n_given_up (costly), ==, 1);
  g_assert_true (clip_match_test (costly, "a.Aa", 4));
  g_assert_false (clip_match_test (costly, "1", 1));
  g_assert_cmpuint (clip_match_n_given_up (costly), ==, 1);
}

/* each place costs little, and all of them too much */
static void
test_costly_in_sum (void)
{
  g_autoptr (ClipMatch) costly = clip_match_new (NULL, "(a).*\\1q|xyz$", NULL);
  gsize length = 128 * 1024;
  g_autofree char *text = g_strnfill (length, 'a');

  for (gsize i = 0; i < length; i += 2000)
    text[i] = '\n';
  g_assert_false (clip_match_test (costly, text, length));
  g_assert_cmpuint (clip_match_n_given_up (costly), ==, 1);
  g_assert_true (clip_match_test (costly, "xyz", 3));
}

/* in the middle of a long text */
static void
test_deadline (void)
{
  g_autoptr (ClipMatch) match = clip_match_new (NULL, "b$", NULL);
  g_autofree char *text = g_strnfill (10000, 'a');

  g_assert_false (clip_match_test (match, text, 10000));
  g_assert_cmpuint (clip_match_n_given_up (match), ==, 0);
  clip_match_set_deadline (match, 1);
  g_assert_false (clip_match_test (match, text, 10000));
  g_assert_cmpuint (clip_match_n_given_up (match), ==, 1);
}

/* wherever a match is, and however the places are sliced */
static void
test_slices (void)
{
  g_autoptr (ClipMatch) match = clip_match_new (NULL, "(?<=\\w)\u00fc[0-9]+$", NULL);
  g_autoptr (ClipMatch) nothing = clip_match_new (NULL, "q*$", NULL);

  for (gsize n = 0; n < 9000; n += n < 300 ? 1 : 97)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      gsize start, end;

      for (gsize i = 0; i < n; i++)
        g_string_append (text, i % 3 ? "\u00e4" : "y");
      g_string_append (text, "y\u00fc12");
      g_assert_true (clip_match_test (match, text->str, text->len));
      clip_match_where (match, &start, &end);
      g_assert_cmpuint (start, ==, text->len - 4);
      g_assert_cmpuint (end, ==, text->len);
      g_assert_true (clip_match_test (nothing, text->str, text->len));
      g_string_append (text, "x");
      g_assert_false (clip_match_test (match, text->str, text->len));
    }
  g_assert_cmpuint (clip_match_n_given_up (match), ==, 0);
}

static void
assert_where (const char *word,
              const char *second,
              const char *text,
              gsize from,
              gsize to)
{
  const char *words[] = { word, second, NULL };
  g_autoptr (ClipMatch) match = clip_match_new (words, NULL, NULL);
  gsize start, end;

  g_assert_true (clip_match_test (match, text, strlen (text)));
  clip_match_where (match, &start, &end);
  g_assert_cmpuint (start, ==, from);
  g_assert_cmpuint (end, ==, to);
}

static void
test_where (void)
{
  assert_where ("two", NULL, "one two two", 4, 7);
  assert_where ("strasse", NULL, "Die Straße", 4, 11);
  assert_where ("three", "one", "two one three", 4, 7);
}

/* each other's case one to one */
static const char *const plain_letters[] = {
  "a", "A", "k",      "K", "\u212a", "s", "S", "\u017f", "σ", "ς",
  "Σ", "μ", "\u00b5", "å", "\u212b", "é", "É", "ж",      "Ж", "ǆ",
  "ǅ", "Ǆ", "i",      "I", "ı",      "0", " ", "中",     "😀", ".",
};

/* and those that fold to several, with what they fold to */
static const char *const odd_letters[] = {
  "ß",      "ẞ", "s", "S", "İ", "i", "\u0307", "\ufb03",
  "\ufb00", "f", "F", "ŉ", "ʼ", "n", "K",
};

/* what is no text, between which a word cannot lie */
static const char *const holes[] = { "\xff", "\xc3",         "\xe2\x82",
                                     "\x80", "\xed\xa0\x80", "\0" };

static void
append_any (GString *text, const char *const *letters, guint n)
{
  g_string_append (text, letters[g_test_rand_int_range (0, (int) n)]);
}

static char *
make_word (const char *const *letters, guint n)
{
  GString *word = g_string_new (NULL);

  for (int i = g_test_rand_int_range (1, 4); i > 0; i--)
    append_any (word, letters, n);
  return g_string_free (word, FALSE);
}

/* case folded, and without the diacritics of @text where @plain is set */
static char *
fold (const char *text, gboolean plain)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);
  g_autofree char *apart = g_utf8_normalize (folded, -1, G_NORMALIZE_NFD);
  GString *without;

  if (!plain)
    return g_steal_pointer (&folded);
  without = g_string_new (NULL);
  for (const char *c = apart; *c; c = g_utf8_next_char (c))
    if (!g_unichar_ismark (g_utf8_get_char (c)))
      g_string_append_unichar (without,
                               g_str_has_prefix (c, "ı") ? 'i' : g_utf8_get_char (c));
  return g_string_free (without, FALSE);
}

/* @out_folded: what a search by folding a copy would look at: nothing of a character is
 * lost, and 0xff stands for each hole; two of them together may be a letter */
static GString *
make_text (const char *const *letters, guint n, gboolean plain, GString *out_folded)
{
  GString *text = g_string_new (NULL);

  for (int i = g_test_rand_int_range (0, 30); i > 0; i--)
    if (g_test_rand_int_range (0, 8) == 0 && !g_str_has_suffix (out_folded->str, "\xff"))
      {
        const char *hole = holes[g_test_rand_int_range (0, G_N_ELEMENTS (holes))];

        g_string_append_len (text, hole, (gssize) MAX (strlen (hole), 1));
        g_string_append_c (out_folded, '\xff');
      }
    else
      {
        gsize before = text->len;
        g_autofree char *folded = NULL;

        append_any (text, letters, n);
        folded = fold (text->str + before, plain);
        g_string_append (out_folded, folded);
      }
  return text;
}

/* Returns: how often it was found */
static guint
compare_with_folding (const char *const *letters, guint n, gboolean both_ways)
{
  guint n_found = 0;

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *word = make_word (letters, n);
      g_autofree char *folded_word = fold (word, FALSE);
      g_autofree char *plain_word = fold (word, TRUE);
      gboolean plain = g_str_equal (folded_word, plain_word);
      const char *words[] = { word, NULL };
      g_autoptr (ClipMatch) match = clip_match_new (words, NULL, NULL);
      g_autoptr (GString) folded = g_string_new (NULL);
      g_autoptr (GString) text = make_text (letters, n, plain, folded);
      gboolean found = clip_match_test (match, text->str, text->len);
      gboolean expected = strstr (folded->str, folded_word) != NULL;

      if (found != expected && (found || both_ways))
        g_error ("'%s' in '%s' (%s): %d", word, text->str, folded->str, found);
      n_found += found;
    }
  return n_found;
}

static void
test_as_folded_copies_have_it (void)
{
  g_assert_cmpuint (
      compare_with_folding (plain_letters, G_N_ELEMENTS (plain_letters), TRUE), >, 100);
}

/* a word that begins within what one letter stands for is not found, which folding
   would */
static void
test_nothing_that_folding_lacks (void)
{
  g_assert_cmpuint (compare_with_folding (odd_letters, G_N_ELEMENTS (odd_letters), FALSE),
                    >, 100);
}

static void
test_word_that_is_too_long (void)
{
  g_autofree char *word = g_strnfill (100000, 'a');
  const char *const words[] = { "short", word, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (clip_match_new (words, NULL, &error));
  g_assert_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (error->message, ==, "search: a word of 100000 bytes is too long");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/match/case-folded", test_case_folded);
  g_test_add_func ("/match/letters-that-fold-to-several", test_folded_to_several);
  g_test_add_func ("/match/words-are-data", test_words_are_data);
  g_test_add_func ("/match/short-words", test_short_words);
  g_test_add_func ("/match/word-that-is-too-long", test_word_that_is_too_long);
  g_test_add_func ("/match/all-words-must-occur", test_all_words);
  g_test_add_func ("/match/diacritics-folded", test_diacritics);
  g_test_add_func ("/match/times-sign-for-x", test_size);
  g_test_add_func ("/match/bytes-that-are-no-text", test_invalid_text);
  g_test_add_func ("/match/regular-expression", test_regex);
  g_test_add_func ("/match/bad-expression-refused", test_bad_regex);
  g_test_add_func ("/match/costly-text-given-up", test_costly_regex);
  g_test_add_func ("/match/costly-in-sum-given-up", test_costly_in_sum);
  g_test_add_func ("/match/given-up-at-its-deadline", test_deadline);
  g_test_add_func ("/match/found-at-any-place", test_slices);
  g_test_add_func ("/match/says-where-the-first-one-is", test_where);
  g_test_add_func ("/match/as-folded-copies-have-it", test_as_folded_copies_have_it);
  g_test_add_func ("/match/nothing-that-folding-lacks", test_nothing_that_folding_lacks);
  return g_test_run ();
}
