/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* What may follow a verb. */
typedef enum
{
#define VERB_OPTION(name, ...) CLIP_OPTION_##name,
#include "clip-options.def"
#undef VERB_OPTION
  CLIP_N_OPTIONS,
} ClipOption;

typedef struct
{
  const char *name;    /* written --name */
  char letter;         /* and -letter; 0 where there is none */
  const char *value;   /* what stands for its value in help; NULL = a switch */
  const char *choices; /* for completions, with blanks between; "" = there are none */
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
