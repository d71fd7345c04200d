/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The strings that a text must hold for a regular expression to match it. Only what is
 * certain counts: a part that may be left out gives nothing, and with a construct that is
 * not known here the whole expression has none. It is then matched against every text,
 * which is slower and as right.
 */
#include "clip-literals.h"

#include <string.h>

/* more alternatives than this are not looked up one by one */
#define MAX_ALTERNATIVES 8

typedef struct
{
  const char *cursor;
  GString *run;      /* literal characters that follow each other */
  gsize last;        /* where the last of them begins */
  GPtrArray *so_far; /* of this alternative: strings */
} Parser;

static gboolean parse_alternative (Parser *self, guint depth);

static void
end_run (Parser *self)
{
  if (self->run->len > 0)
    g_ptr_array_add (self->so_far, g_strndup (self->run->str, self->run->len));
  g_string_truncate (self->run, 0);
  self->last = 0;
}

static void
take_literal (Parser *self)
{
  gsize length = (gsize) (g_utf8_next_char (self->cursor) - self->cursor);

  self->last = self->run->len;
  g_string_append_len (self->run, self->cursor, (gssize) length);
  self->cursor += length;
}

/* what stands before a quantifier that allows none of it */
static void
drop_last (Parser *self)
{
  g_string_truncate (self->run, self->last);
  end_run (self);
}

/* [...]: one character, which might be any */
static gboolean
skip_class (Parser *self)
{
  const char *c = self->cursor + 1;

  c += *c == '^';
  c += *c == ']';
  for (; *c && *c != ']'; c++)
    {
      if (*c == '\\' && strchr ("QE", c[1]))
        return FALSE;
      if (*c == '[' && strchr (":.=", c[1]) && c[1])
        {
          const char end[] = { c[1], ']', '\0' };
          const char *close = strstr (c + 2, end);

          c = close ? close + 1 : c;
        }
      else if (*c == '\\' && c[1])
        c++;
    }
  if (*c == '\0')
    return FALSE;
  self->cursor = c + 1;
  end_run (self);
  return TRUE;
}

static gboolean
take_escape (Parser *self)
{
  char c = self->cursor[1];

  if (c == '\0')
    return FALSE;
  if (!g_ascii_isalnum (c))
    {
      self->cursor++;
      take_literal (self);
      return TRUE;
    }
  /* classes, assertions and control characters that take no more letters than this */
  if (!strchr ("dDwWsShHvVRXbBAzZGtnrfea", c))
    return FALSE;
  end_run (self);
  self->cursor += 2;
  return TRUE;
}

/* (...) and (?:...): what is required inside is required, unless there are alternatives
 */
static gboolean
take_group (Parser *self, guint depth)
{
  guint before;

  end_run (self);
  before = self->so_far->len;
  self->cursor++;
  if (*self->cursor == '*')
    return FALSE;
  if (*self->cursor == '?')
    {
      if (self->cursor[1] != ':')
        return FALSE;
      self->cursor += 2;
    }
  if (!parse_alternative (self, depth + 1))
    return FALSE;
  while (*self->cursor == '|')
    {
      self->cursor++;
      if (!parse_alternative (self, depth + 1))
        return FALSE;
      g_ptr_array_set_size (self->so_far, (int) before);
    }
  if (*self->cursor != ')')
    return FALSE;
  self->cursor++;
  if (strchr ("*?{", *self->cursor) && *self->cursor)
    g_ptr_array_set_size (self->so_far, (int) before);
  return TRUE;
}

/* {2,3} and what looks like it: taken for one that allows none */
static void
take_braces (Parser *self)
{
  gsize length = strspn (self->cursor + 1, "0123456789, ");

  drop_last (self);
  self->cursor += self->cursor[1 + length] == '}' ? length + 2 : 1;
}

static gboolean
take_one (Parser *self, guint depth)
{
  switch (*self->cursor)
    {
    case '[':
      return skip_class (self);
    case '\\':
      return take_escape (self);
    case '(':
      return depth < 20 && take_group (self, depth);
    case '{':
      take_braces (self);
      return TRUE;
    case '*':
    case '?':
      drop_last (self);
      self->cursor++;
      return TRUE;
    case '+':
    case '.':
    case '^':
    case '$':
      end_run (self);
      self->cursor++;
      return TRUE;
    default:
      take_literal (self);
      return TRUE;
    }
}

/* up to a bar, the end of a group or of the expression. FALSE = not understood */
static gboolean
parse_alternative (Parser *self, guint depth)
{
  while (*self->cursor && *self->cursor != '|' && *self->cursor != ')')
    if (!take_one (self, depth))
      return FALSE;
  end_run (self);
  return TRUE;
}

/**
 * clip_literals_of_regex:
 * @regex: an expression that PCRE2 has compiled with its default syntax
 *
 * Returns: (transfer full) (nullable) (element-type GPtrArray): the alternatives, each
 * with the strings (element-type utf8) that all occur where it matches, case aside. %NULL
 * where nothing is certain.
 */
GPtrArray *
clip_literals_of_regex (const char *regex)
{
  g_autoptr (GString) run = g_string_new (NULL);
  g_autoptr (GPtrArray) alternatives =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  Parser parser = { .cursor = regex, .run = run };
  gboolean whole = FALSE;

  if (!g_utf8_validate (regex, -1, NULL))
    return NULL;
  if (g_str_has_prefix (parser.cursor, "(?i)"))
    parser.cursor += strlen ("(?i)");
  for (gboolean more = TRUE; more; parser.cursor += more)
    {
      parser.so_far = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (alternatives, parser.so_far);
      whole = parse_alternative (&parser, 0);
      more = whole && *parser.cursor == '|' && alternatives->len <= MAX_ALTERNATIVES;
    }
  if (!whole || *parser.cursor || alternatives->len > MAX_ALTERNATIVES)
    return NULL;
  return g_steal_pointer (&alternatives);
}
