/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verbs (clip-verbs.def) and their options (clip-options.def), as data: help is
 * written from these tables, and words are read by them. What a verb does stands in
 * cmd-*.c.
 */
#include "clip-verbs.h"

#include "clip-words.h"

#include <string.h>

static const ClipOptionRow options[CLIP_N_OPTIONS] = {
#define VERB_OPTION(option, ...) { __VA_ARGS__ },
#include "clip-options.def"
#undef VERB_OPTION
};

#define OPTION(name) (1u << CLIP_OPTION_##name)
#define OPTIONS_OF_ROWS (OPTION (JSON) | OPTION (NULL) | OPTION (LIMIT) | OPTION (BEFORE))
#define OPTIONS_OF_FILTER \
  (OPTION (TYPE) | OPTION (CLASS) | OPTION (REGEX) | OPTION (SINCE) | OPTION (PINNED) | \
   OPTION (TAG))

static const ClipVerbRow rows[CLIP_N_VERBS] = {
#define VERB(verb, function, program, ...) { __VA_ARGS__ },
#include "clip-verbs.def"
#undef VERB
};

const ClipVerbRow *
clip_verbs_row (ClipVerb verb)
{
  return &rows[verb];
}

gboolean
clip_verbs_find (const char *name, ClipVerb *out_verb)
{
  for (guint i = 0; i < CLIP_N_VERBS; i++)
    if (g_str_equal (rows[i].name, name))
      {
        *out_verb = (ClipVerb) i;
        return TRUE;
      }
  return FALSE;
}

const ClipOptionRow *
clip_verbs_option (ClipOption option)
{
  return &options[option];
}

gboolean
clip_verbs_has_option (ClipVerb verb, ClipOption option)
{
  return option == CLIP_OPTION_HELP || (rows[verb].options & (1u << option));
}

static gboolean
is_option (const ClipOptionRow *row, const char *word)
{
  const char *end;

  if (row->letter && word[0] == '-' && word[1] == row->letter && word[2] == '\0')
    return TRUE;
  if (!g_str_has_prefix (word, "--") || !g_str_has_prefix (word + 2, row->name))
    return FALSE;
  end = word + 2 + strlen (row->name);
  return *end == '\0' || *end == '=';
}

/**
 * clip_verbs_find_option:
 * @word: as it stands on the command line: `--name`, `--name=value`, or `-x`
 *
 * Returns: whether it is one of the options that @verb knows
 */
gboolean
clip_verbs_find_option (ClipVerb verb, const char *word, ClipOption *out_option)
{
  for (guint i = 0; i < CLIP_N_OPTIONS; i++)
    if (clip_verbs_has_option (verb, (ClipOption) i) && is_option (&options[i], word))
      {
        *out_option = (ClipOption) i;
        return TRUE;
      }
  return FALSE;
}
