/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much of a line a text takes on a terminal, in its cells: two for a character of
 * East Asia or an emoji, none for a mark that is set above another character. The texts
 * are safe ones, without control characters; of these there is only what we put there
 * ourselves, to mark a match.
 */
#include "clip-cells.h"

#include "clip-utf8.h"

#include <string.h>

#define ESCAPE 0x1b
#define UNMARK "\033[0m"

/* how many cells a character takes; 0, 1 or 2 */
static guint
cells_of (gunichar c)
{
  if (c < 0x7f)
    return 1;
  if (g_unichar_iszerowidth (c))
    return 0;
  return g_unichar_iswide (c) ? 2 : 1;
}

/* the bytes of the character, or of the sequence that a terminal obeys, at the start of
 * @text; a byte that is no part of one counts as one */
static gsize
step_over (const char *text, gsize length, guint *out_cells)
{
  gunichar c = 0;
  gsize step = clip_utf8_decode ((const guint8 *) text, length, &c);

  *out_cells = step > 0 ? cells_of (c) : 1;
  if (c != ESCAPE || step == 0)
    return MAX (step, 1);
  *out_cells = 0;
  while (step < length && !g_ascii_isalpha (text[step]))
    step++;
  return MIN (step + 1, length);
}

gsize
clip_cells_count (const char *text, gsize length)
{
  gsize cells = 0;

  for (gsize i = 0; i < length;)
    {
      guint taken;

      i += step_over (text + i, length - i, &taken);
      cells += taken;
    }
  return cells;
}

/* where to cut what follows @start, so that an ellipsis has room behind it */
static gsize
place_to_cut (const GString *line, gsize start, gsize cells, gboolean *out_marked)
{
  gsize used = 0;

  *out_marked = FALSE;
  for (gsize i = start; i < line->len;)
    {
      guint taken;
      gsize step = step_over (line->str + i, line->len - i, &taken);

      if (used + taken + 1 > cells)
        return i;
      if (line->str[i] == ESCAPE)
        *out_marked = step != strlen (UNMARK);
      used += taken;
      i += step;
    }
  return line->len;
}

/**
 * clip_cells_cut:
 * @start: the byte of @line from which on it is measured
 * @cells: 1 at least
 *
 * What is wider is cut there and ends with an ellipsis. Neither half of a wide character
 * nor a mark without what it is set above stays, and nothing stands out behind it.
 */
void
clip_cells_cut (GString *line, gsize start, gsize cells)
{
  gboolean marked;
  gsize place;

  if (clip_cells_count (line->str + start, line->len - start) <= cells)
    return;
  place = place_to_cut (line, start, cells, &marked);
  g_string_truncate (line, place);
  if (marked)
    g_string_append (line, UNMARK);
  g_string_append (line, CLIP_UTF8_ELLIPSIS);
}
