/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the words that are searched for stand in a text. Both are compared as the search
 * does: without case, and without diacritics. A word that has some is found without
 * them, too: it is only marked here.
 */
#include "clip-word-marks.h"

#include <string.h>

/* of a text: to mark more takes longer than a frame */
#define MARKS_MAX 1000

/* of one character, as Unicode takes it apart */
#define PARTS 18

typedef struct
{
  GString *text;
  GArray *places; /* gsize: where in the original each byte, and the end, comes from */
} Folded;

static void
folded_clear (Folded *self)
{
  g_string_free (self->text, TRUE);
  g_array_unref (self->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Folded, folded_clear)

static void
append_part (GString *out, gunichar part)
{
  char utf8[8] = { 0 };
  g_autofree char *folded = NULL;

  if (part < 0x80)
    {
      g_string_append_c (out, g_ascii_tolower ((char) part));
      return;
    }
  g_unichar_to_utf8 (part, utf8);
  folded = g_utf8_casefold (utf8, -1);
  g_string_append (out, folded);
}

static Folded
fold (const char *text)
{
  Folded self = { g_string_new (NULL), g_array_new (FALSE, FALSE, sizeof (gsize)) };
  gsize place = 0;

  for (const char *c = text; *c; c = g_utf8_next_char (c))
    {
      gunichar parts[PARTS];
      gsize n = g_unichar_fully_decompose (g_utf8_get_char (c), FALSE, parts, PARTS);

      place = (gsize) (c - text);
      for (gsize i = 0; i < n; i++)
        if (!g_unichar_ismark (parts[i]))
          append_part (self.text, parts[i]);
      while (self.places->len < self.text->len)
        g_array_append_val (self.places, place);
    }
  place = strlen (text);
  g_array_append_val (self.places, place);
  return self;
}

static void
find_word (const Folded *text, const char *word, GArray *marks)
{
  g_auto (Folded) folded = fold (word);
  const char *at = text->text->str;

  while (folded.text->len > 0 && marks->len < MARKS_MAX &&
         (at = strstr (at, folded.text->str)))
    {
      gsize from = (gsize) (at - text->text->str);
      gsize to = from + folded.text->len;
      ClipWordMark mark = { g_array_index (text->places, gsize, from),
                            g_array_index (text->places, gsize, to) };

      g_array_append_val (marks, mark);
      at += folded.text->len;
    }
}

static int
by_start (gconstpointer a, gconstpointer b)
{
  gsize x = ((const ClipWordMark *) a)->start, y = ((const ClipWordMark *) b)->start;

  return (x > y) - (x < y);
}

/**
 * clip_word_marks_find:
 * @query: (nullable): which has the words
 * @text: UTF-8
 * @first: where the search itself has found something, which may be an expression
 *
 * Returns: (transfer full) (element-type ClipWordMark): in the order of the text
 */
GArray *
clip_word_marks_find (CliphistQuery *query, const char *text, ClipWordMark first)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (ClipWordMark));
  g_auto (GStrv) words = NULL;

  if (query)
    g_object_get (query, "words", &words, NULL);
  if (words && *words)
    {
      g_auto (Folded) folded = fold (text);

      for (char **word = words; *word; word++)
        find_word (&folded, *word, marks);
    }
  if (first.end > first.start)
    g_array_append_val (marks, first);
  g_array_sort (marks, by_start);
  return marks;
}
