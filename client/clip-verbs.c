/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The verbs and their options, as data: help is written from these tables, and words are
 * read by them. What a verb does stands in cmd-*.c; which program does it, in cliphist.c and
 * cliphist-session.c.
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
  [CLIP_VERB_STORE] = { "store", "< CLIP", 0, CLIP_ANY_WORDS, 0,
                        N_ ("keep what comes on standard input"),
                        "wl-paste --watch cliphist store" },
  [CLIP_VERB_LIST] = { "list", "", 0, CLIP_ANY_WORDS,
                       OPTIONS_OF_ROWS | OPTIONS_OF_FILTER | OPTION (WITH_ICONS),
                       N_ ("print id and preview of each entry, newest first"),
                       "cliphist list | rofi -dmenu | cliphist decode | wl-copy" },
  [CLIP_VERB_DECODE] = { "decode", "[ID | < LINE]", 0, CLIP_ANY_WORDS, OPTION (FORCE),
                         N_ ("write the bytes of an entry, by its id or by its line of "
                             "the list"),
                         "cliphist decode 42 > picture.png" },
  [CLIP_VERB_DELETE] = { "delete", "[ID] < LINES", 0, CLIP_ANY_WORDS, 0,
                         N_ ("delete the entries whose lines come on standard input"),
                         "cliphist list | fzf -m | cliphist delete" },
  [CLIP_VERB_DELETE_QUERY] = { "delete-query", "TEXT", 0, CLIP_ANY_WORDS, 0,
                               N_ ("delete every entry that contains TEXT"),
                               "cliphist delete-query 'BEGIN PRIVATE KEY'" },
  [CLIP_VERB_WIPE] = { "wipe", "", 0, CLIP_ANY_WORDS,
                       OPTION (ALL) | OPTION (SINCE) | OPTION (YES),
                       N_ ("delete everything but pinned entries"),
                       "cliphist wipe --since 10m" },
  [CLIP_VERB_COMPACT] = { "compact", "", 0, CLIP_ANY_WORDS, 0,
                          N_ ("give unused space back to the disk"), "cliphist compact" },
  [CLIP_VERB_VERSION] = { "version", "", 0, CLIP_ANY_WORDS, 0,
                          N_ ("print the version and every setting, on standard error"),
                          "cliphist version" },
  [CLIP_VERB_SEARCH] = { "search", "WORDS…", 0, G_MAXINT,
                         OPTIONS_OF_ROWS | OPTIONS_OF_FILTER,
                         N_ ("list the entries that contain all WORDS"),
                         "cliphist search --since 2d invoice" },
  [CLIP_VERB_SHOW] = { "show", "ID", 1, 1, OPTION (JSON) | OPTION (PANE),
                       N_ ("show an entry to people: what it is, when it came, its text"),
                       "cliphist show 42" },
  [CLIP_VERB_TYPES] = { "types", "ID", 1, 1, OPTION (JSON),
                        N_ ("print the MIME types of an entry, the primary one first"),
                        "cliphist types 42" },
  [CLIP_VERB_PASTE] = { "paste", "[ID]", 0, 1, OPTION (TYPE) | OPTION (FORCE),
                        N_ ("write the bytes of an entry, of the newest without ID"),
                        "cliphist paste --type text/html" },
  [CLIP_VERB_JOIN] = { "join", "[ID… | < LINES]", 0, G_MAXINT,
                       OPTION (TYPE) | OPTION (FORCE) | OPTION (SEPARATOR),
                       N_ ("write the bytes of many entries, one after the other"),
                       "cliphist list | fzf -m | cliphist join --separator '\\n'" },
  [CLIP_VERB_COPY] = { "copy", "[ID | < CLIP]", 0, 1, OPTION (TYPE) | OPTION (PLAIN),
                       N_ ("put an entry, or standard input, on the clipboard"),
                       "cliphist copy 42" },
  [CLIP_VERB_INSERT] = { "insert", "[ID | < LINE]", 0, 1, OPTION (KEY) | OPTION (PLAIN),
                         N_ ("copy an entry, and paste it into the focused window"),
                         "cliphist insert 42 --key ctrl+shift+v" },
  [CLIP_VERB_PICK] = { "pick", "", 0, 0,
                       OPTION (WITH) | OPTION (PRINT) | OPTION (INSERT) | OPTION (PLAIN) |
                           OPTION (LIMIT) | OPTION (FORCE),
                       N_ ("choose entries in a picker, and copy or paste them"),
                       "cliphist pick --insert" },
  [CLIP_VERB_PIN] = { "pin", "ID…", 1, G_MAXINT, 0,
                      N_ ("keep entries whatever the limits, also when wiping"),
                      "cliphist pin 42" },
  [CLIP_VERB_UNPIN] = { "unpin", "ID…", 1, G_MAXINT, 0, N_ ("let entries go again"),
                        "cliphist unpin 42" },
  [CLIP_VERB_TAG] = { "tag", "ID TAG…", 2, G_MAXINT, 0, N_ ("give an entry tags"),
                      "cliphist tag 42 work" },
  [CLIP_VERB_UNTAG] = { "untag", "ID [TAG…]", 1, G_MAXINT, 0,
                        N_ ("take tags from an entry, all of them without TAG"),
                        "cliphist untag 42 work" },
  [CLIP_VERB_EXPIRE] = { "expire", "ID DURATION|never", 2, 2, 0,
                         N_ ("let an entry go by itself after a while"),
                         "cliphist expire 42 10m" },
  [CLIP_VERB_EDIT] = { "edit", "ID", 1, 1, 0,
                       N_ ("change the text of an entry, as a new entry"),
                       "VISUAL='code --wait' cliphist edit 42" },
  [CLIP_VERB_REMOVE] = { "remove", "ID…", 1, G_MAXINT, 0,
                         N_ ("delete entries by their ids"), "cliphist remove 42 43" },
  [CLIP_VERB_TRIM] = { "trim", "", 0, 0, OPTION (JSON) | OPTION (DRY_RUN),
                       N_ ("apply the limits now, whatever they take"),
                       "cliphist trim --dry-run" },
  [CLIP_VERB_PAUSE] = { "pause", "[DURATION]", 0, 1, 0,
                        N_ ("keep nothing for a while, or until resume"),
                        "cliphist pause 10m" },
  [CLIP_VERB_RESUME] = { "resume", "", 0, 0, 0, N_ ("keep copies again"),
                         "cliphist resume" },
  [CLIP_VERB_STATUS] = { "status", "", 0, 0, OPTION (JSON) | OPTION (QUIET),
                         N_ ("say how much is kept, and who watches"),
                         "cliphist status" },
  [CLIP_VERB_STATS] = { "stats", "", 0, 0, OPTION (JSON),
                        N_ ("say what the history is made of, in numbers"),
                        "cliphist stats --json | jq .disk" },
  [CLIP_VERB_WATCH] = { "watch", "", 0, 0, 0,
                        N_ ("print each change as a line of JSON, until killed"),
                        "cliphist watch | while read -r line; do …; done" },
  [CLIP_VERB_EXPORT] = { "export", "[FILE [ID…]]", 0, G_MAXINT,
                         OPTION (SINCE) | OPTION (PINNED) | OPTION (TAG),
                         N_ ("write entries, by default all, as an archive that import "
                             "and tar read"),
                         "cliphist export | zstd > history.tar.zst" },
  [CLIP_VERB_IMPORT] = { "import", "[FILE]", 0, 1, OPTION (JSON) | OPTION (FROM),
                         N_ ("take in an archive that export wrote, or the history of "
                             "another clipboard manager"),
                         "zstd -dc history.tar.zst | cliphist import" },
  [CLIP_VERB_DOCTOR] = { "doctor", "", 0, 0, OPTION (JSON) | OPTION (REPAIR),
                         N_ ("look for damage in the history"),
                         "cliphist doctor --repair" },
  [CLIP_VERB_HELP] = { "help", "[VERB]", 0, 1, 0, N_ ("explain the command, or one verb"),
                       "cliphist help search" },
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
