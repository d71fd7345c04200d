/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-terms.h"

#include "clip-literals.h"
#include "clip-trigrams.h"

#include <string.h>

/* each one is a look-up in every segment, and more of them exclude little more */
#define MAX_TRIGRAMS_OF_WORD 12
#define MAX_TRIGRAMS 24

static gboolean
has (const GArray *trigrams, guint32 trigram)
{
  for (guint i = 0; i < trigrams->len; i++)
    if (g_array_index (trigrams, guint32, i) == trigram)
      return TRUE;
  return FALSE;
}

/* those that have nothing in common first: they say most about where all of it is */
static void
cut (GArray *trigrams, const guint8 *folded, gsize length)
{
  guint n = 0;

  for (gsize start = 0; start < CLIP_TRIGRAM_BYTES; start++)
    for (gsize i = start; i + CLIP_TRIGRAM_BYTES <= length; i += CLIP_TRIGRAM_BYTES)
      {
        guint32 trigram = clip_trigram_at (folded + i);

        if (trigrams->len == MAX_TRIGRAMS || n == MAX_TRIGRAMS_OF_WORD)
          return;
        if (has (trigrams, trigram))
          continue;
        g_array_append_val (trigrams, trigram);
        n++;
      }
}

static void
add_folded (GArray *trigrams, const char *text, gsize length)
{
  g_autoptr (GByteArray) folded = g_byte_array_new ();

  clip_trigrams_fold (folded, text, length);
  cut (trigrams, folded->data, folded->len);
}

/* bytes that are no text: beside ASCII they are found as they are, which the index, being
 * folded, does not have */
static void
add_bytes (GArray *trigrams, const char *word)
{
  while (*word)
    {
      gsize length = 0;

      while (word[length] && (guint8) word[length] < 0x80)
        length++;
      add_folded (trigrams, word, length);
      word += MAX (length, 1);
    }
}

static void
add_word (GArray *trigrams, const char *word)
{
  if (g_utf8_validate (word, -1, NULL))
    add_folded (trigrams, word, strlen (word));
  else
    add_bytes (trigrams, word);
}

static GArray *
make_alternative (const char *const *words, const GPtrArray *literals)
{
  GArray *trigrams = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (; words && *words; words++)
    add_word (trigrams, *words);
  for (guint i = 0; literals && i < literals->len; i++)
    add_word (trigrams, literals->pdata[i]);
  return trigrams;
}

/**
 * clip_terms_new:
 * @words: (nullable): as in clip_match_new()
 * @regex: (nullable): as in clip_match_new(), where it was accepted
 *
 * Returns: (transfer full) (nullable): %NULL where the index cannot exclude anything
 */
ClipTerms *
clip_terms_new (const char *const *words, const char *regex)
{
  g_autoptr (GPtrArray) literals = regex ? clip_literals_of_regex (regex) : NULL;
  g_autoptr (ClipTerms) self = g_new0 (ClipTerms, 1);
  guint n = literals ? literals->len : 1;

  self->alternatives = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < n; i++)
    {
      GArray *trigrams = make_alternative (words, literals ? literals->pdata[i] : NULL);

      g_ptr_array_add (self->alternatives, trigrams);
      if (trigrams->len == 0)
        return NULL;
    }
  return g_steal_pointer (&self);
}

void
clip_terms_free (ClipTerms *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->alternatives);
  g_free (self);
}
