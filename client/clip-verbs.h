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
#define VERB(name, ...) CLIP_VERB_##name,
#include "clip-verbs.def"
#undef VERB
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
