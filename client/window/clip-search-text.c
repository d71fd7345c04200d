/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words between blanks. Some have a meaning: tag:NAME, kind:image, from:PROGRAM,
 * since:2h, pinned, and /an expression/, which may have blanks in it. Quotation marks
 * keep blanks, and take the meaning away. A filter that is not complete yet filters
 * nothing: it is being typed. One that cannot become one is a word, which is not found.
 */
#include "clip-search-text.h"

#include "clip-time-point.h"

#include <string.h>

typedef struct
{
  GPtrArray *words;
  char *regex;
  char *tag;
  char *program;
  CliphistKind kind;
  gint64 since_us;
  gboolean pinned;
  char *no_filter; /* (nullable): the first word that looks like one, and can be none */
  char *shown_tag; /* (nullable): the first word behind a #, as rows show tags */
} Terms;

static const struct
{
  const char *said;
  CliphistKind kind;
} kinds[] = {
  { "text", CLIPHIST_KIND_TEXT },     { "image", CLIPHIST_KIND_IMAGE },
  { "picture", CLIPHIST_KIND_IMAGE }, { "file", CLIPHIST_KIND_FILES },
  { "files", CLIPHIST_KIND_FILES },   { "other", CLIPHIST_KIND_OTHER },
  { "data", CLIPHIST_KIND_OTHER },
};

/* Returns: whether it is one, or the begin of one, which is any */
static gboolean
take_kind (Terms *self, const char *said)
{
  gboolean is_begun = FALSE;

  self->kind = CLIPHIST_KIND_ANY;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_ascii_strcasecmp (kinds[i].said, said) == 0)
      self->kind = kinds[i].kind;
    else if (g_ascii_strncasecmp (kinds[i].said, said, strlen (said)) == 0)
      is_begun = TRUE;
  return is_begun || self->kind != CLIPHIST_KIND_ANY;
}

/* Returns: whether it is a time once the rest of another one stands behind it */
static gboolean
is_begun_time (const char *said)
{
  static const char *const others[] = { "2000-10-10T10:00:00",
                                        "2000-01-01T01:01:01",
                                        "20001010",
                                        "20000101",
                                        "00:00",
                                        "0:00",
                                        "0000000h" };
  const gsize length = strlen (said);

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (length < strlen (others[i]))
      {
        g_autofree char *whole = g_strconcat (said, others[i] + length, NULL);
        gint64 time_us;

        if (clip_time_point_parse (whole, &time_us))
          return TRUE;
      }
  return FALSE;
}

/* Returns: whether it is a time, or can be the begin of one: 1, 09:, 2025-12-31T, yest */
static gboolean
take_since (Terms *self, const char *as_said)
{
  g_autofree char *said =
      g_ascii_isalpha (*as_said) ? g_ascii_strdown (as_said, -1) : g_strdup (as_said);

  return clip_time_point_parse (said, &self->since_us) || is_begun_time (said) ||
         g_str_has_prefix ("today", said) || g_str_has_prefix ("yesterday", said);
}

/* Returns: (nullable): what follows @name in @word, in small or large letters */
static const char *
after (const char *word, const char *name)
{
  return g_ascii_strncasecmp (word, name, strlen (name)) == 0 ? word + strlen (name)
                                                              : NULL;
}

static gboolean
looks_like_filter (const char *word)
{
  return after (word, "kind:") || after (word, "since:");
}

static void
replace (char **place, const char *value)
{
  g_free (*place);
  *place = *value ? g_strdup (value) : NULL;
}

/* Returns: whether @word is a filter, complete or not */
static gboolean
take_filter (Terms *self, const char *word)
{
  const char *value;

  if ((value = after (word, "tag:")))
    replace (&self->tag, value);
  else if ((value = after (word, "from:")))
    replace (&self->program, value);
  else if ((value = after (word, "kind:")))
    return take_kind (self, value);
  else if ((value = after (word, "since:")))
    return take_since (self, value);
  else if (g_ascii_strcasecmp (word, "pinned") == 0)
    self->pinned = TRUE;
  else
    return FALSE;
  return TRUE;
}

/* Returns: (nullable): the end of the expression that begins at @text, its last slash:
 * one before a blank, or at the end */
static const char *
find_regex_end (const char *text)
{
  const char *found = NULL;

  if (*text != '/')
    return NULL;
  for (const char *c = text + 1; *c && !found; c++)
    if (*c == '/' && c[-1] != '\\' && c > text + 1 && (!c[1] || g_ascii_isspace (c[1])))
      found = c;
  return found;
}

/* Copies the next word, and goes behind it. Quotation marks are left out. */
static char *
next_word (const char **at, gboolean *out_quoted)
{
  g_autoptr (GString) word = g_string_new (NULL);
  gboolean inside = FALSE;
  const char *c = *at;

  *out_quoted = *c == '"';
  for (; *c && (inside || !g_ascii_isspace (*c)); c++)
    if (*c == '"')
      inside = !inside;
    else
      g_string_append_c (word, *c);
  *at = c;
  return g_string_free (g_steal_pointer (&word), FALSE);
}

/* Goes behind the next word, expression or filter. FALSE: there is no other */
static gboolean
take_next (Terms *self, const char **at)
{
  g_autofree char *word = NULL;
  const char *end;
  gboolean is_quoted;

  while (g_ascii_isspace (**at))
    (*at)++;
  if (!**at)
    return FALSE;
  end = find_regex_end (*at);
  if (end)
    {
      g_free (self->regex);
      self->regex = g_strndup (*at + 1, (gsize) (end - *at - 1));
      *at = end + 1;
      return TRUE;
    }
  word = next_word (at, &is_quoted);
  if (!*word || (!is_quoted && take_filter (self, word)))
    return TRUE;
  if (!is_quoted && !self->no_filter && looks_like_filter (word))
    self->no_filter = g_strdup (word);
  if (!is_quoted && !self->shown_tag && *word == '#' && word[1])
    self->shown_tag = g_strdup (word + 1);
  g_ptr_array_add (self->words, g_steal_pointer (&word));
  return TRUE;
}

static void
terms_clear (Terms *self)
{
  g_ptr_array_unref (self->words);
  g_free (self->regex);
  g_free (self->tag);
  g_free (self->program);
  g_free (self->no_filter);
  g_free (self->shown_tag);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Terms, terms_clear)

/**
 * clip_search_text_find_no_filter:
 * @text: as it was typed, UTF-8
 *
 * Returns: (transfer full) (nullable): the first word that looks like a filter, and is
 * searched for, as it can become none
 */
char *
clip_search_text_find_no_filter (const char *text)
{
  g_auto (Terms) terms = { .words = g_ptr_array_new_with_free_func (g_free) };

  while (take_next (&terms, &text))
    ;
  return g_steal_pointer (&terms.no_filter);
}

/**
 * clip_search_text_find_tag:
 * @text: as it was typed, UTF-8
 *
 * Returns: (transfer full) (nullable): the first word behind a #, which is searched for
 * with that, as texts have such, too
 */
char *
clip_search_text_find_tag (const char *text)
{
  g_auto (Terms) terms = { .words = g_ptr_array_new_with_free_func (g_free) };

  while (take_next (&terms, &text))
    ;
  return g_steal_pointer (&terms.shown_tag);
}

/**
 * clip_search_text_parse:
 * @text: as it was typed, UTF-8
 * @kind: where the text names none
 * @pinned: only what is, whatever the text says of that
 *
 * Returns: (transfer full): what it asks for
 */
CliphistQuery *
clip_search_text_parse (const char *text, CliphistKind kind, gboolean pinned)
{
  g_auto (Terms) terms = { .words = g_ptr_array_new_with_free_func (g_free),
                           .kind = kind,
                           .pinned = pinned };

  while (take_next (&terms, &text))
    ;
  g_ptr_array_add (terms.words, NULL);
  return g_object_new (CLIPHIST_TYPE_QUERY, "words", terms.words->pdata, "regex",
                       terms.regex, "tag", terms.tag, "program", terms.program, "kind",
                       terms.kind, "since", terms.since_us, "pinned", terms.pinned, NULL);
}
