/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "clip-match.h"

#include "clip-error.h"
#include "clip-word-pattern.h"

#include <pcre2.h>
#include <string.h>
#include <time.h>

/* What a match that begins at one place may cost: a text in which a pattern needs more is
 * given up. What all places cost together is time, of the processor, which is looked at
 * between two slices of them; the slices grow, so that a long text is searched as fast as
 * a short one. */
#define MATCH_LIMIT 100000
#define MATCH_STACK_BYTES (512 * 1024)
#define TEXT_CPU_US 200000
#define FIRST_SLICE 256
#define MOST_SLICE 4096

#define TEXT_OPTIONS (PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF)

struct ClipMatch
{
  char **words;
  char *regex;
  GPtrArray *patterns; /* pcre2_code */
  gboolean has_jit;    /* each of them */
  pcre2_match_data *data;
  pcre2_match_context *context;
  pcre2_jit_stack *stack;
  gint64 deadline_us; /* monotonic; 0 = none */
  guint n_given_up;
  gsize start; /* of the last match */
  gsize end;
};

static gboolean
compile (ClipMatch *self, const char *pattern, guint32 options, GError **error)
{
  PCRE2_SIZE offset;
  PCRE2_UCHAR reason[128];
  int code;
  pcre2_code *compiled = pcre2_compile ((PCRE2_SPTR) pattern, PCRE2_ZERO_TERMINATED,
                                        options, &code, &offset, NULL);

  if (!compiled)
    {
      pcre2_get_error_message (code, reason, sizeof reason);
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "regular expression, at %" G_GSIZE_FORMAT ": %s", (gsize) offset,
                   (const char *) reason);
      return FALSE;
    }
  /* where there is no JIT, matching is slower and finds the same */
  self->has_jit &= pcre2_jit_compile (compiled, PCRE2_JIT_COMPLETE) == 0;
  g_ptr_array_add (self->patterns, compiled);
  return TRUE;
}

/* any word can be compiled, but for its length: its pattern is no business of a caller */
static gboolean
compile_word (ClipMatch *self, const char *word, GError **error)
{
  /* bytes that are no text are found as they are */
  const gboolean is_text = g_utf8_validate (word, -1, NULL);
  g_autofree char *pattern = is_text ? clip_word_pattern (word) : NULL;

  if (*word == '\0' ||
      compile (self, is_text ? pattern : word,
               (is_text ? TEXT_OPTIONS : PCRE2_LITERAL) | PCRE2_CASELESS, NULL))
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "search: a word of %" G_GSIZE_FORMAT " bytes is too long", strlen (word));
  return FALSE;
}

static gboolean
compile_all (ClipMatch *self, GError **error)
{
  for (char **word = self->words; word && *word; word++)
    if (!compile_word (self, *word, error))
      return FALSE;
  return !self->regex ||
         compile (self, self->regex,
                  TEXT_OPTIONS | PCRE2_MULTILINE | PCRE2_USE_OFFSET_LIMIT, error);
}

/**
 * clip_match_new:
 * @words: (nullable): all of them must occur, case folded; data, never patterns
 * @regex: (nullable): a regular expression as PCRE2 has them; lines are lines to ^ and $
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT for an expression that is none, or for a word that
 * is too long.
 */
ClipMatch *
clip_match_new (const char *const *words, const char *regex, GError **error)
{
  g_autoptr (ClipMatch) self = g_new0 (ClipMatch, 1);

  self->words = g_strdupv ((char **) words);
  self->regex = g_strdup (regex);
  self->patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) pcre2_code_free);
  self->data = pcre2_match_data_create (1, NULL);
  self->context = pcre2_match_context_create (NULL);
  self->stack = pcre2_jit_stack_create (16 * 1024, MATCH_STACK_BYTES, NULL);
  pcre2_set_match_limit (self->context, MATCH_LIMIT);
  pcre2_jit_stack_assign (self->context, NULL, self->stack);
  self->has_jit = TRUE;
  return compile_all (self, error) ? g_steal_pointer (&self) : NULL;
}

void
clip_match_free (ClipMatch *self)
{
  if (!self)
    return;
  g_strfreev (self->words);
  g_free (self->regex);
  g_ptr_array_unref (self->patterns);
  pcre2_match_data_free (self->data);
  pcre2_match_context_free (self->context);
  pcre2_jit_stack_free (self->stack);
  g_free (self);
}

static gboolean
is_same_list (const char *const *a, const char *const *b)
{
  static const char *const none[] = { NULL };

  return g_strv_equal (a ? a : none, b ? b : none);
}

/* whether @self was made from these, so that the pages of one query compile once */
gboolean
clip_match_is_for (const ClipMatch *self, const char *const *words, const char *regex)
{
  return g_strcmp0 (self->regex, regex) == 0 &&
         is_same_list ((const char *const *) self->words, words);
}

/* the same as pcre2_match() without what that looks at first, text by text. @from: a
 * match begins there or later */
static int
run (ClipMatch *self,
     const pcre2_code *pattern,
     const char *text,
     gsize length,
     gsize from)
{
  PCRE2_SPTR subject = (PCRE2_SPTR) (length > 0 ? text : "");

  return (self->has_jit ? pcre2_jit_match : pcre2_match) (pattern, subject, length, from,
                                                          0, self->data, self->context);
}

/* the first byte of a character from @at on */
static gsize
next_start (const char *text, gsize length, gsize at)
{
  while (at < length && (text[at] & 0xC0) == 0x80)
    at++;
  return at;
}

static gint64
clock_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gboolean
is_spent (const ClipMatch *self, gint64 *cpu_end_us)
{
  gint64 cpu_us = clock_us (CLOCK_THREAD_CPUTIME_ID);

  if (*cpu_end_us == 0)
    *cpu_end_us = cpu_us + TEXT_CPU_US;
  return cpu_us > *cpu_end_us ||
         (self->deadline_us > 0 && clock_us (CLOCK_MONOTONIC) >= self->deadline_us);
}

/* a regular expression, at one slice of places after the other */
static int
run_slices (ClipMatch *self, const pcre2_code *pattern, const char *text, gsize length)
{
  gsize slice = FIRST_SLICE, from = 0, next = 0;
  gint64 cpu_end_us = 0;
  int code = PCRE2_ERROR_NOMATCH;

  for (; code == PCRE2_ERROR_NOMATCH && from <= length; from = next)
    {
      if (from > 0 && is_spent (self, &cpu_end_us))
        {
          code = PCRE2_ERROR_MATCHLIMIT;
          break;
        }
      next = length - from > slice ? next_start (text, length, from + slice) : length + 1;
      pcre2_set_offset_limit (self->context, next - 1);
      code = run (self, pattern, text, length, from);
      slice = MIN (slice * 2, MOST_SLICE);
    }
  pcre2_set_offset_limit (self->context, PCRE2_UNSET);
  return code;
}

static gboolean
is_regex (const ClipMatch *self, guint index)
{
  return self->regex && index + 1 == self->patterns->len;
}

/**
 * clip_match_test:
 * @text: any bytes; what is not UTF-8 in them matches nothing and disturbs nothing
 *
 * Returns: whether everything occurs. A text for which an expression costs more than one
 * text is worth is given up: it counts as one in which it does not occur.
 */
gboolean
clip_match_test (ClipMatch *self, const void *text, gsize length)
{
  self->start = self->end = 0;
  for (guint i = 0; i < self->patterns->len; i++)
    {
      const PCRE2_SIZE *where;
      const pcre2_code *pattern = self->patterns->pdata[i];
      int code = is_regex (self, i) ? run_slices (self, pattern, text, length)
                                    : run (self, pattern, text, length, 0);

      if (code < 0)
        {
          self->n_given_up += code != PCRE2_ERROR_NOMATCH;
          return FALSE;
        }
      where = pcre2_get_ovector_pointer (self->data);
      if (i == 0 || where[0] < self->start)
        {
          self->start = where[0];
          self->end = MAX (where[0], where[1]);
        }
    }
  return TRUE;
}

/* when a text is given up at the latest, on the monotonic clock; 0 = never for that
   reason */
void
clip_match_set_deadline (ClipMatch *self, gint64 deadline_us)
{
  self->deadline_us = deadline_us;
}

/* how many texts were given up so far */
guint
clip_match_n_given_up (const ClipMatch *self)
{
  return self->n_given_up;
}

/* where, in the text that was found last, the first of it is */
void
clip_match_where (const ClipMatch *self, gsize *out_start, gsize *out_end)
{
  *out_start = self->start;
  *out_end = self->end;
}
