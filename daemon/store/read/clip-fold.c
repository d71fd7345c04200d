/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A word as a pattern that finds it whatever its case. PCRE2 equates the letters that are
 * each other's case one to one; Unicode also has a hundred that fold to several, as in
 * "straße" and "STRASSE". Those are spelled out: the word is folded, and wherever such a
 * sequence stands in it, the letters that fold to it are alternatives. Texts are then
 * searched as they are, without folding a copy of each.
 */
#include "clip-fold.h"

#include <string.h>

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

static gsize
letter_length (const char *text)
{
  return (gsize) (g_utf8_next_char (text) - text);
}

static void
append_letter (GString *pattern, const char *text)
{
  if (g_ascii_isprint (*text) && !g_ascii_isalnum (*text))
    g_string_append_c (pattern, '\\');
  g_string_append_len (pattern, text, (gssize) letter_length (text));
}

/* all ways to write at most three letters */
static void
append_ways (GString *pattern, const char *text, gsize length)
{
  GArray *specials = find_specials ();
  gsize first = length ? letter_length (text) : 0;

  if (length == 0)
    return;
  g_string_append (pattern, "(?:");
  append_letter (pattern, text);
  append_ways (pattern, text + first, length - first);
  for (guint i = 0; i < specials->len; i++)
    {
      const Special *special = &g_array_index (specials, Special, i);
      gsize n = covered (special, text, length);

      if (n == 0)
        continue;
      g_string_append_printf (pattern, "|%s", special->letter);
      append_ways (pattern, text + n, length - n);
    }
  g_string_append_c (pattern, ')');
}

/**
 * clip_fold_pattern:
 * @word: UTF-8; data, nothing in it is special
 *
 * Returns: (transfer full): a PCRE2 pattern, to be compiled caseless and as UTF, that
 * matches where @word occurs once both are case folded. A text that is written with such
 * a letter is found through the first of the sequences that overlap in @word.
 */
char *
clip_fold_pattern (const char *word)
{
  g_autofree char *folded = g_utf8_casefold (word, -1);
  GString *pattern = g_string_new (NULL);

  for (const char *cursor = folded; *cursor;)
    {
      gsize length = longest_cover (cursor, strlen (cursor));

      if (length)
        append_ways (pattern, cursor, length);
      else
        append_letter (pattern, cursor);
      cursor += length ? length : letter_length (cursor);
    }
  return g_string_free (pattern, FALSE);
}
