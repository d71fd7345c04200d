/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A word as a pattern that finds it in any case. PCRE2 equates the letters that are
 * each other's case one to one; Unicode also has a hundred that fold to several, as in
 * "straße" and "STRASSE". Those are spelled out: the word is folded, and wherever such a
 * sequence stands in it, the letters that fold to it are alternatives. Texts are then
 * searched as they are, without folding a copy of each.
 *
 * A word without diacritics finds those with them, too ("koln" finds "Köln"): a letter is
 * then a class of itself and all that are made of it, and marks may follow it. A word
 * that has one is meant as it is written. The sign × stands for an x, too.
 */
#include "clip-word-pattern.h"

#include <string.h>

/* what may follow a letter: the diacritics that Unicode keeps apart from it */
#define MARKS "[\\x{300}-\\x{36f}]*+"

/* × */
#define TIMES_SIGN 0xd7

typedef struct
{
  char letter[8];
  char folded[16];
  gsize length; /* of folded */
} Special;

/* where Unicode keeps the letters that fold to more than one */
static const struct
{
  gunichar first, last;
} ranges[] = {
  { 0xdf, 0xdf },     { 0x149, 0x149 }, { 0x1f0, 0x1f0 },   { 0x390, 0x390 },
  { 0x3b0, 0x3b0 },   { 0x587, 0x587 }, { 0x1e96, 0x1e9e }, { 0x1f50, 0x1ffc },
  { 0xfb00, 0xfb17 }, { 0x130, 0x130 },
};

static void
append_special (GArray *specials, gunichar letter)
{
  Special special = { 0 };
  g_autofree char *folded = NULL;

  g_unichar_to_utf8 (letter, special.letter);
  folded = g_utf8_casefold (special.letter, -1);
  if (g_utf8_strlen (folded, -1) < 2)
    return;
  special.length = g_strlcpy (special.folded, folded, sizeof special.folded);
  g_array_append_val (specials, special);
}

static GArray *
find_specials (void)
{
  static GArray *found;

  if (g_once_init_enter (&found))
    {
      GArray *specials = g_array_new (FALSE, FALSE, sizeof (Special));

      for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
        for (gunichar c = ranges[i].first; c <= ranges[i].last; c++)
          append_special (specials, c);
      g_once_init_leave (&found, specials);
    }
  return found;
}

/* how much of @text the letter stands for: all that it folds to or, at the end of a word,
 * as much of that as there is; 0 = it does not belong here */
static gsize
covered (const Special *special, const char *text, gsize length)
{
  gsize common = MIN (special->length, length);

  if (common < special->length && text[length] != '\0')
    return 0;
  return memcmp (special->folded, text, common) == 0 ? common : 0;
}

static gsize
longest_cover (const char *text, gsize length)
{
  GArray *specials = find_specials ();
  gsize longest = 0;

  for (guint i = 0; i < specials->len; i++)
    longest =
        MAX (longest, covered (&g_array_index (specials, Special, i), text, length));
  return longest;
}

/* --- diacritics --- */

/* Latin, Greek and Cyrillic letters with diacritics, as far as Unicode composes them */
static const struct
{
  gunichar first, last;
} composed[] = { { 0xc0, 0x24f },
                 { 0x370, 0x481 },
                 { 0x48a, 0x52f },
                 { 0x1e00, 0x1fff } };

/* their strokes are no marks to Unicode, and are to people */
static const struct
{
  gunichar letter, base;
} stroked[] = {
  { 0xf8, 'o' },  { 0x111, 'd' }, { 0x127, 'h' }, { 0x131, 'i' },
  { 0x142, 'l' }, { 0x167, 't' }, { 0x180, 'b' }, { 0x1b6, 'z' },
};

/* 0 = it has no diacritic */
static gunichar
find_base (gunichar letter)
{
  gunichar parts[G_UNICHAR_MAX_DECOMPOSITION_LENGTH];
  gsize n = g_unichar_fully_decompose (letter, FALSE, parts, G_N_ELEMENTS (parts));

  for (guint i = 0; i < G_N_ELEMENTS (stroked); i++)
    if (stroked[i].letter == letter)
      return stroked[i].base;
  return n > 1 && g_unichar_ismark (parts[1]) ? parts[0] : 0;
}

/* letter -> GString of those that are made of it */
static GHashTable *
find_variants (void)
{
  static GHashTable *found;

  if (g_once_init_enter (&found))
    {
      GHashTable *variants = g_hash_table_new (NULL, NULL);

      for (guint i = 0; i < G_N_ELEMENTS (composed); i++)
        for (gunichar c = composed[i].first; c <= composed[i].last; c++)
          {
            gunichar base = g_unichar_tolower (c) == c ? find_base (c) : 0;
            GString *list = g_hash_table_lookup (variants, GUINT_TO_POINTER (base));

            if (base == 0)
              continue;
            if (!list)
              g_hash_table_insert (variants, GUINT_TO_POINTER (base),
                                   list = g_string_new (NULL));
            g_string_append_unichar (list, c);
          }
      /* the size of a picture, which rows of the window show with that sign */
      g_hash_table_insert (variants, GUINT_TO_POINTER (TIMES_SIGN), g_string_new ("x"));
      g_once_init_leave (&found, variants);
    }
  return found;
}

static gboolean
has_diacritics (const char *word)
{
  for (; *word; word = g_utf8_next_char (word))
    {
      gunichar letter = g_utf8_get_char (word);

      if (g_unichar_ismark (letter) || find_base (letter) != 0 ||
          find_base (g_unichar_tolower (letter)) != 0)
        return TRUE;
    }
  return FALSE;
}

/* --- the pattern --- */

/* A pattern in the making. */
typedef struct
{
  GString *text;
  GHashTable *variants; /* (nullable): see find_variants() */
} Pattern;

static gsize
letter_length (const char *text)
{
  return (gsize) (g_utf8_next_char (text) - text);
}

static void
append_plain (GString *pattern, const char *text)
{
  if (g_ascii_isprint (*text) && !g_ascii_isalnum (*text))
    g_string_append_c (pattern, '\\');
  g_string_append_len (pattern, text, (gssize) letter_length (text));
}

static void
append_letter (Pattern *self, const char *text)
{
  gunichar letter = g_utf8_get_char (text);
  const GString *list = NULL;

  if (self->variants)
    list = g_hash_table_lookup (self->variants, GUINT_TO_POINTER (letter));
  if (!list)
    {
      append_plain (self->text, text);
      return;
    }
  g_string_append_c (self->text, '[');
  append_plain (self->text, text);
  g_string_append_printf (self->text, "%s]" MARKS, list->str);
}

/* all ways to write at most three letters */
static void
append_ways (Pattern *self, const char *text, gsize length)
{
  GArray *specials = find_specials ();
  gsize first = length ? letter_length (text) : 0;

  if (length == 0)
    return;
  g_string_append (self->text, "(?:");
  append_letter (self, text);
  append_ways (self, text + first, length - first);
  for (guint i = 0; i < specials->len; i++)
    {
      const Special *special = &g_array_index (specials, Special, i);
      gsize n = covered (special, text, length);

      if (n == 0)
        continue;
      g_string_append_printf (self->text, "|%s", special->letter);
      append_ways (self, text + n, length - n);
    }
  g_string_append_c (self->text, ')');
}

/**
 * clip_word_pattern:
 * @word: UTF-8; data, nothing in it is special
 *
 * Returns: (transfer full): a PCRE2 pattern, to be compiled caseless and as UTF, that
 * matches where @word occurs once both are case folded and, where @word has none,
 * diacritics are left out. A text that is written with such a letter is found through the
 * first of the sequences that overlap in @word.
 */
char *
clip_word_pattern (const char *word)
{
  g_autofree char *folded = g_utf8_casefold (word, -1);
  Pattern pattern = { g_string_new (NULL),
                      has_diacritics (word) ? NULL : find_variants () };

  for (const char *cursor = folded; *cursor;)
    {
      gsize length = longest_cover (cursor, strlen (cursor));

      if (length)
        append_ways (&pattern, cursor, length);
      else
        append_letter (&pattern, cursor);
      cursor += length ? length : letter_length (cursor);
    }
  return g_string_free (pattern.text, FALSE);
}
