/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of a word that is none of ours: which of ours it may be, mistyped. */
#include "clip-slips.h"

#include <string.h>

/* a longer word is none of ours */
#define MOST_LETTERS 24

/* how many letters may be missing, too much, exchanged, or others */
#define MOST_SLIPS 2

/* of Damerau and Levenshtein, with neighbours exchanged once */
static guint
count_slips (const char *a, const char *b)
{
  gsize m = strlen (a), n = strlen (b);
  guint d[MOST_LETTERS + 1][MOST_LETTERS + 1];

  if (m > MOST_LETTERS || n > MOST_LETTERS)
    return G_MAXUINT;
  for (gsize i = 0; i <= m; i++)
    for (gsize j = 0; j <= n; j++)
      {
        guint other;

        if (i == 0 || j == 0)
          {
            d[i][j] = (guint) (i + j);
            continue;
          }
        other = a[i - 1] == b[j - 1] ? 0 : 1;
        d[i][j] = MIN (MIN (d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + other);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
          d[i][j] = MIN (d[i][j], d[i - 2][j - 2] + 1);
      }
  return d[m][n];
}

/**
 * clip_slips_is_nearer:
 * @word: that was typed
 * @best: (inout): the fewest slips of a name so far, at first %G_MAXUINT
 *
 * Returns: whether @name may have been meant, more so than those before it. In a short
 * word one slip leaves too little
 */
gboolean
clip_slips_is_nearer (const char *word, const char *name, guint *best)
{
  g_autofree char *small = g_ascii_strdown (word, -1);
  guint slips = count_slips (small, name);

  if (slips >= *best || slips > MOST_SLIPS || slips * 2 >= strlen (name))
    return FALSE;
  *best = slips;
  return TRUE;
}
