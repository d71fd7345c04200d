/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verbs (clip-verbs.def) and their options, as data: help is written from these tables,
 * and words are read by them. What a verb does stands in cmd-*.c.
 */
#include "clip-verbs.h"

#include "clip-words.h"

#include <string.h>

static const ClipOptionRow options[CLIP_N_OPTIONS] = {
  [CLIP_OPTION_HELP] = { "help", 0, NULL, N_ ("say what the verb does") },
  [CLIP_OPTION_JSON] = { "json", 0, NULL, N_ ("print JSON, one object a line") },
  [CLIP_OPTION_NULL] = { "null", '0', NULL, N_ ("end each entry with a NUL byte") },
  [CLIP_OPTION_LIMIT] = { "limit", 0, "N", N_ ("print N entries at most") },
  [CLIP_OPTION_BEFORE] = { "before", 0, "ID",
                           N_ ("begin with the next older entry than ID") },
  [CLIP_OPTION_TYPE] = { "type", 0, "MIME",
                         N_ ("the content of that MIME type, or entries that have one") },
  [CLIP_OPTION_CLASS] = { "class", 0, "CLASS", N_ ("only text, image, files or other") },
  [CLIP_OPTION_REGEX] = { "regex", 0, "PATTERN",
                          N_ ("match a regular expression (PCRE2)") },
  [CLIP_OPTION_SINCE] = { "since", 0, "WHEN",
                          N_ ("copied since: 2h, 3d, today, 09:00, or 2025-12-31") },
  [CLIP_OPTION_PINNED] = { "pinned", 0, NULL, N_ ("only pinned entries") },
  [CLIP_OPTION_TAG] = { "tag", 0, "TAG", N_ ("only entries with this tag") },
  [CLIP_OPTION_FORCE] = { "force", 0, NULL, N_ ("send raw bytes to a terminal, too") },
  [CLIP_OPTION_SEPARATOR] = { "separator", 0, "TEXT",
                              N_ ("between two entries; knows \\n, \\t, \\0, \\\\") },
  [CLIP_OPTION_DRY_RUN] = { "dry-run", 0, NULL, N_ ("only say how many would go") },
  [CLIP_OPTION_REPAIR] = { "repair", 0, NULL,
                           N_ ("set right what can be; the rest is set aside") },
  [CLIP_OPTION_ALL] = { "all", 0, NULL, N_ ("pinned entries, too") },
  [CLIP_OPTION_WITH_ICONS] = { "with-icons", 0, "PICKER",
                               N_ ("with thumbnails, as rofi, fuzzel or wofi read "
                                   "them") },
  [CLIP_OPTION_FROM] = { "from", 0, "PROGRAM",
                         N_ ("FILE is a history of PROGRAM, whatever it begins with") },
  [CLIP_OPTION_WITH] = { "with", 0, "PICKER",
                         N_ ("with rofi, fuzzel, wofi, bemenu, dmenu or fzf") },
  [CLIP_OPTION_PRINT] = { "print", 0, NULL,
                          N_ ("write its bytes instead of copying it") },
  [CLIP_OPTION_PLAIN] = { "plain", 0, NULL, N_ ("only the plain text of an entry") },
  [CLIP_OPTION_INSERT] = { "insert", 0, NULL,
                           N_ ("and paste it into the window that has the focus") },
  [CLIP_OPTION_QUIET] = { "quiet", 0, NULL,
                          N_ ("say nothing, unless copies are not kept") },
  [CLIP_OPTION_YES] = { "yes", 0, NULL, N_ ("do not ask") },
  [CLIP_OPTION_KEY] = { "key", 0, "KEYS",
                        N_ ("with ctrl+v, shift+insert or ctrl+shift+v, "
                            "whatever the window is") },
  [CLIP_OPTION_PANE] = { "pane", 0, "WxH",
                         N_ ("draw for a pane of W columns and H rows, in characters") },
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
