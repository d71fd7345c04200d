/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a mistyped word may mean. */
#include "clip-suggestion.h"

#include "clip-settings.h"

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

/* @best: (inout): the fewest slips of a name so far. In a short word one slip leaves too
   little */
static gboolean
is_nearer (const char *word, const char *name, guint *best)
{
  guint slips = count_slips (word, name);

  if (slips >= *best || slips > MOST_SLIPS || slips * 2 >= strlen (name))
    return FALSE;
  *best = slips;
  return TRUE;
}

/* (nullable): the name of the verb that is nearest to @word, which is none */
const char *
clip_suggestion_verb (const char *word)
{
  const char *found = NULL;
  guint best = G_MAXUINT;

  for (guint i = 0; i < CLIP_N_VERBS; i++)
    if (is_nearer (word, clip_verbs_row ((ClipVerb) i)->name, &best))
      found = clip_verbs_row ((ClipVerb) i)->name;
  return found;
}

/* (nullable): the key of the setting that is nearest to @word */
const char *
clip_suggestion_setting (const char *word)
{
  const char *found = NULL;
  guint best = G_MAXUINT;

  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    if (is_nearer (word, clip_settings_key ((ClipSetting) i), &best))
      found = clip_settings_key ((ClipSetting) i);
  return found;
}

/* (nullable): the name, without dashes, of the option of @verb that is nearest to
   @word */
const char *
clip_suggestion_option (ClipVerb verb, const char *word)
{
  const char *found = NULL;
  g_autofree char *name = NULL;
  guint best = G_MAXUINT;

  word += strspn (word, "-");
  name = g_strndup (word, strcspn (word, "="));
  for (guint i = 0; i < CLIP_N_OPTIONS; i++)
    if (clip_verbs_has_option (verb, (ClipOption) i) &&
        is_nearer (name, clip_verbs_option ((ClipOption) i)->name, &best))
      found = clip_verbs_option ((ClipOption) i)->name;
  return found;
}
