/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "clip-literals.h"
#include "clip-match.h"
#include "clip-postings.h"
#include "clip-terms.h"
#include "clip-trigrams.h"

#include <pcre2.h>
#include <string.h>

static char *
fold (const char *text)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();

  clip_trigrams_fold (out, text, strlen (text));
  return out->len ? g_strndup ((const char *) out->data, out->len) : g_strdup ("");
}

static void
assert_folds (const char *text, const char *expected)
{
  g_autofree char *folded = fold (text);

  g_assert_cmpstr (folded, ==, expected);
}

static void
test_fold (void)
{
  assert_folds ("Hello, WORLD 1", "hello, world 1");
  assert_folds ("GRÜSSE aus KÖLN", "grüsse aus köln");
  assert_folds ("Grüße", "grüsse");
  assert_folds ("Σίσυφος", "σίσυφοσ");
  assert_folds ("\u212a\u017f\ufb03", "ksffi");
  assert_folds ("A\xff\xfe\xc3"
                "B\xc3\x84",
                "a\xff\xfe\xc3"
                "bä");
  assert_folds ("", "");
}

static char *
utf8_of (gunichar c)
{
  char *text = g_malloc0 (8);

  g_unichar_to_utf8 (c, text);
  return text;
}

static gboolean
has_case (gunichar c)
{
  g_autofree char *text = utf8_of (c);
  g_autofree char *folded = g_utf8_casefold (text, -1);

  return g_unichar_tolower (c) != c || g_unichar_toupper (c) != c ||
         g_unichar_totitle (c) != c || strcmp (text, folded) != 0;
}

/* every letter that has case, each on a line of its own */
static GString *
all_letters (void)
{
  GString *text = g_string_new (NULL);

  for (gunichar c = 'A'; c < 0x20000; c++)
    if (g_unichar_validate (c) && has_case (c))
      {
        g_string_append_unichar (text, c);
        g_string_append_c (text, '\n');
      }
  return text;
}

static void
check_mates (const char *letter, const GString *letters)
{
  g_autofree char *folded = fold (letter);
  int code;
  PCRE2_SIZE offset;
  pcre2_code *pattern =
      pcre2_compile ((PCRE2_SPTR) letter, PCRE2_ZERO_TERMINATED,
                     PCRE2_UTF | PCRE2_UCP | PCRE2_CASELESS, &code, &offset, NULL);
  pcre2_match_data *data = pcre2_match_data_create (1, NULL);
  const PCRE2_SIZE *where = pcre2_get_ovector_pointer (data);

  g_assert_nonnull (pattern);
  pcre2_jit_compile (pattern, PCRE2_JIT_COMPLETE);
  for (PCRE2_SIZE start = 0;
       pcre2_match (pattern, (PCRE2_SPTR) letters->str, letters->len, start,
                    PCRE2_NO_UTF_CHECK, data, NULL) > 0;
       start = where[1])
    {
      g_autofree char *mate = g_strndup (letters->str + where[0], where[1] - where[0]);

      assert_folds (mate, folded);
    }
  pcre2_match_data_free (data);
  pcre2_code_free (pattern);
}

/* what a caseless pattern finds must be in the folded text: for every letter there is */
static void
test_fold_as_patterns_do (void)
{
  g_autoptr (GString) letters = all_letters ();
  g_auto (GStrv) each = g_strsplit (letters->str, "\n", -1);

  g_assert_cmpuint (g_strv_length (each), >, 2500);
  for (char **letter = each; **letter; letter++)
    check_mates (*letter, letters);
}

/* words are found through letters that fold to several, too */
static void
test_fold_as_words_do (void)
{
  g_autoptr (GString) letters = all_letters ();
  g_auto (GStrv) each = g_strsplit (letters->str, "\n", -1);

  for (char **letter = each; **letter; letter++)
    {
      g_autofree char *folded = fold (*letter);
      const char *words[] = { folded, NULL };
      g_autoptr (ClipMatch) match = clip_match_new (words, NULL, NULL);

      g_assert_true (clip_match_test (match, *letter, strlen (*letter)));
    }
}

static void
assert_literals (const char *regex, const char *expected)
{
  g_autoptr (GPtrArray) alternatives = clip_literals_of_regex (regex);
  g_autoptr (GString) text = g_string_new (alternatives ? NULL : "none");

  for (guint i = 0; alternatives && i < alternatives->len; i++)
    {
      const GPtrArray *strings = alternatives->pdata[i];

      g_string_append (text, i > 0 ? " OR" : "");
      for (guint j = 0; j < strings->len; j++)
        g_string_append_printf (text, "%s<%s>", text->len ? " " : "",
                                (const char *) strings->pdata[j]);
    }
  if (strcmp (text->str, expected) != 0)
    g_error ("'%s': %s, not %s", regex, text->str, expected);
}

static void
test_literals (void)
{
  assert_literals ("plain words", "<plain words>");
  assert_literals ("https?://\\S+", "<http> <://>");
  assert_literals ("^b\\w+\\d{2}$", "<b>");
  assert_literals ("0x7f3a+b", "<0x7f3a> <b>");
  assert_literals ("ab*c", "<a> <c>");
  assert_literals ("caf\303\251*x", "<caf> <x>");
  assert_literals ("(?i)Key", "<Key>");
  assert_literals ("a\\.b\\\\c", "<a.b\\c>");
  assert_literals ("one|two three|f.ur", "<one> OR <two three> OR <f> <ur>");
  assert_literals ("(abc)(?:def)+ghi", "<abc> <def> <ghi>");
  assert_literals ("x(abc)?y", "<x> <y>");
  assert_literals ("x(abc|def)y", "<x> <y>");
  assert_literals ("x(abc){0,2}y", "<x> <y>");
  assert_literals ("x(?:a(bc)d){3}y", "<x> <y>");
  assert_literals ("pre[abc]post", "<pre> <post>");
  assert_literals ("pre[]x\\]y]post", "<pre> <post>");
  assert_literals ("pre[^[:alpha:]x]post", "<pre> <post>");
  assert_literals ("ab{2,3}c", "<a> <c>");
  assert_literals ("ab{c", "<a> <c>");
  assert_literals ("abc|", "<abc> OR");
  assert_literals ("|abc", " OR <abc>");
}

/* what is not understood narrows nothing */
static void
test_literals_unsure (void)
{
  static const char *const unsure[] = {
    "(?=abc)",
    "(?!abc)x",
    "abc(?x) d e",
    "\\Qa*b\\E",
    "(*UTF)abc",
    "(a)\\1bc",
    "\\x{61}b",
    "a(?R)?b",
    "(?<n>abc)",
    "\\p{Lu}ab",
    "[\\Qa]\\E",
    "(?(1)abc)",
    "a|b|c|d|e|f|g|h|i",
    ("\xff"
     "abc"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (unsure); i++)
    assert_literals (unsure[i], "none");
}

static char *
terms_of (const char *word, const char *second, const char *regex)
{
  const char *words[] = { word, word ? second : NULL, NULL };
  g_autoptr (ClipTerms) terms = clip_terms_new (words, regex);
  GString *text = g_string_new (terms ? NULL : "none");

  for (guint i = 0; terms && i < terms->alternatives->len; i++)
    {
      const GArray *trigrams = terms->alternatives->pdata[i];

      g_string_append (text, i > 0 ? "|" : "");
      for (guint j = 0; j < trigrams->len; j++)
        {
          guint32 t = g_array_index (trigrams, guint32, j);

          g_string_append_printf (text, "%s%c%c%c", j > 0 ? " " : "", t >> 16, t >> 8, t);
        }
    }
  return g_string_free (text, FALSE);
}

static void
assert_terms (const char *word,
              const char *second,
              const char *regex,
              const char *expected)
{
  g_autofree char *text = terms_of (word, second, regex);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_terms (void)
{
  assert_terms ("Hello", NULL, NULL, "hel ell llo");
  assert_terms ("abcdef", NULL, NULL, "abc def bcd cde");
  assert_terms ("aaaaaa", NULL, NULL, "aaa");
  assert_terms ("one", "Two", NULL, "one two");
  assert_terms ("x", "Two", NULL, "two");
  assert_terms ("ab", NULL, NULL, "none");
  assert_terms ("", NULL, NULL, "none");
  assert_terms (NULL, NULL, "foo|barn", "foo|bar arn");
  assert_terms (NULL, NULL, "foo|b", "none");
  assert_terms ("and", NULL, "foo|b", "and foo|and");
  assert_terms (NULL, NULL, "\\d+", "none");
  assert_terms ("and", NULL, "\\d+", "and");
  assert_terms ("\xff"
                "ABc\x89",
                NULL, NULL, "abc");
}

static void
assert_blocks (const GByteArray *row, guint32 distance, const ClipBlockSet *expected)
{
  ClipBlockSet blocks;

  clip_postings_find (row->data, row->len, distance, &blocks);
  g_assert_cmpmem (&blocks, sizeof blocks, expected, sizeof *expected);
}

static void
test_postings (void)
{
  g_autoptr (GByteArray) row = g_byte_array_new ();
  ClipBlockSet few = { { 0 } }, many = { { 0 } }, none = { { 0 } };

  clip_block_set_add (&few, 0);
  clip_block_set_add (&few, 255);
  for (guint i = 0; i < CLIP_SEGMENT_BLOCKS; i += 3)
    clip_block_set_add (&many, i);
  clip_postings_append (row, 0, &few);
  clip_postings_append (row, 1, &many);
  clip_postings_append (row, 100000, &few);
  assert_blocks (row, 0, &few);
  assert_blocks (row, 1, &many);
  assert_blocks (row, 2, &none);
  assert_blocks (row, 100001, &few);
  assert_blocks (row, 100002, &none);
}

/* a damaged index excludes nothing */
static void
test_postings_damaged (void)
{
  g_autoptr (GByteArray) row = g_byte_array_new ();
  ClipBlockSet few = { { 0 } }, all;

  memset (&all, 0xFF, sizeof all);
  clip_block_set_add (&few, 7);
  clip_postings_append (row, 0, &few);
  clip_postings_append (row, 300, &few);
  for (guint cut = 1; cut < 4; cut++)
    {
      g_byte_array_set_size (row, row->len - 1);
      assert_blocks (row, 300, &all);
      assert_blocks (row, 0, &few);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/terms/folded-letter-by-letter", test_fold);
  g_test_add_func ("/terms/folded-as-every-pattern-does", test_fold_as_patterns_do);
  g_test_add_func ("/terms/folded-as-every-word-is", test_fold_as_words_do);
  g_test_add_func ("/terms/literals-of-an-expression", test_literals);
  g_test_add_func ("/terms/no-literals-where-unsure", test_literals_unsure);
  g_test_add_func ("/terms/trigrams-of-words-and-literals", test_terms);
  g_test_add_func ("/terms/postings-found-again", test_postings);
  g_test_add_func ("/terms/damaged-postings-exclude-nothing", test_postings_damaged);
  return g_test_run ();
}
