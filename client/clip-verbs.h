/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What may follow a verb. */
typedef enum
{
  CLIP_OPTION_HELP,
  CLIP_OPTION_JSON,
  CLIP_OPTION_NULL,
  CLIP_OPTION_LIMIT,
  CLIP_OPTION_BEFORE,
  CLIP_OPTION_TYPE,
  CLIP_OPTION_CLASS,
  CLIP_OPTION_REGEX,
  CLIP_OPTION_SINCE,
  CLIP_OPTION_PINNED,
  CLIP_OPTION_TAG,
  CLIP_OPTION_FORCE,
  CLIP_OPTION_SEPARATOR,
  CLIP_OPTION_DRY_RUN,
  CLIP_OPTION_REPAIR,
  CLIP_OPTION_ALL,
  CLIP_OPTION_WITH_ICONS,
  CLIP_OPTION_FROM,
  CLIP_OPTION_WITH,
  CLIP_OPTION_PRINT,
  CLIP_OPTION_PLAIN,
  CLIP_OPTION_INSERT,
  CLIP_OPTION_QUIET,
  CLIP_OPTION_YES,
  CLIP_OPTION_KEY,
  CLIP_OPTION_PANE,
  CLIP_N_OPTIONS,
} ClipOption;

typedef struct
{
  const char *name;    /* written --name */
  char letter;         /* and -letter; 0 where there is none */
  const char *value;   /* what stands for its value in help; NULL = a switch */
  const char *summary; /* for gettext() */
} ClipOptionRow;

typedef enum
{
  CLIP_VERB_STORE,
  CLIP_VERB_LIST,
  CLIP_VERB_DECODE,
  CLIP_VERB_DELETE,
  CLIP_VERB_DELETE_QUERY,
  CLIP_VERB_WIPE,
  CLIP_VERB_COMPACT,
  CLIP_VERB_VERSION,
  CLIP_VERB_SEARCH,
  CLIP_VERB_SHOW,
  CLIP_VERB_TYPES,
  CLIP_VERB_PASTE,
  CLIP_VERB_JOIN,
  CLIP_VERB_COPY,
  CLIP_VERB_INSERT,
  CLIP_VERB_PICK,
  CLIP_VERB_PIN,
  CLIP_VERB_UNPIN,
  CLIP_VERB_TAG,
  CLIP_VERB_UNTAG,
  CLIP_VERB_EXPIRE,
  CLIP_VERB_EDIT,
  CLIP_VERB_REMOVE,
  CLIP_VERB_TRIM,
  CLIP_VERB_PAUSE,
  CLIP_VERB_RESUME,
  CLIP_VERB_STATUS,
  CLIP_VERB_STATS,
  CLIP_VERB_WATCH,
  CLIP_VERB_EXPORT,
  CLIP_VERB_IMPORT,
  CLIP_VERB_DOCTOR,
  CLIP_VERB_HELP,
  CLIP_N_VERBS,
} ClipVerb;

/* A verb of the existing tool ignores every word that is not an option of its own. */
#define CLIP_ANY_WORDS G_MAXUINT

typedef struct
{
  const char *name;
  const char *words; /* that follow it, for people; "" = none */
  guint min_words;
  guint max_words;
  guint options; /* 1 << ClipOption, of each that it knows; --help is known to all */
  const char *summary; /* for gettext() */
  const char *example;
} ClipVerbRow;

const ClipVerbRow *clip_verbs_row (ClipVerb verb);
gboolean clip_verbs_find (const char *name, ClipVerb *out_verb);

const ClipOptionRow *clip_verbs_option (ClipOption option);
gboolean clip_verbs_has_option (ClipVerb verb, ClipOption option);
gboolean clip_verbs_find_option (ClipVerb verb, const char *word, ClipOption *out_option);

G_END_DECLS
