/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a mistyped word may mean. */
#include "clip-suggestion.h"

#include "clip-slips.h"

#include <string.h>

/* (nullable): the name of the verb that is nearest to @word, which is none */
const char *
clip_suggestion_verb (const char *word)
{
  const char *found = NULL;
  guint best = G_MAXUINT;

  for (guint i = 0; i < CLIP_N_VERBS; i++)
    if (clip_slips_is_nearer (word, clip_verbs_row ((ClipVerb) i)->name, &best))
      found = clip_verbs_row ((ClipVerb) i)->name;
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
        clip_slips_is_nearer (name, clip_verbs_option ((ClipOption) i)->name, &best))
      found = clip_verbs_option ((ClipOption) i)->name;
  return found;
}
