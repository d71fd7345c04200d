/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Of many regular expressions it can be said that where they match a text they match whatever
 * that text lies in: nothing in them asks what stands before or behind, and nothing that has
 * taken too much keeps it. Then a page with many texts in it can be asked as a whole. What is not
 * known here is taken for one of the others, which is slower and as right.
 */
#include "clip-local.h"

#include <string.h>

/* [...]: behind it, or NULL where it is not understood: some names in it are assertions */
static const char *
skip_class (const char *c)
{
  c++;
  c += *c == '^';
  c += *c == ']';
  for (; *c && *c != ']'; c++)
    {
      if (*c == '[' || (*c == '\\' && (c[1] == '\0' || strchr ("QE", c[1]))))
        return NULL;
      c += *c == '\\';
    }
  return *c ? c + 1 : NULL;
}

/* \d and the like, and signs that stand for themselves */
static const char *
skip_escape (const char *c)
{
  if (c[1] == '\0' || (g_ascii_isalnum (c[1]) && !strchr ("dDwWsShHvVtnrfea", c[1])))
    return NULL;
  return c + 2;
}

/* {2,3} and what looks like it */
static const char *
skip_braces (const char *c)
{
  gsize length = strspn (c + 1, "0123456789,");

  return c[1 + length] == '}' ? c + length + 2 : NULL;
}

/* @repeats: (out): what was skipped says how often, and a plus behind it would say: for good */
static const char *
skip_one (const char *c, gboolean *repeats)
{
  *repeats = strchr ("*+?{", *c) != NULL;
  switch (*c)
    {
    case '[':
      return skip_class (c);
    case '\\':
      return skip_escape (c);
    case '{':
      return skip_braces (c);
    case '(':
      if (c[1] == '?')
        return c[2] == ':' ? c + 3 : NULL;
      return c[1] == '*' ? NULL : c + 1;
    case '^':
    case '$':
      return NULL;
    default:
      return c + 1;
    }
}

/**
 * clip_local_is:
 * @regex: an expression that PCRE2 has compiled with its default syntax
 *
 * Returns: whether it matches all bytes that hold a text that it matches
 */
gboolean
clip_local_is (const char *regex)
{
  const char *c = regex + (g_str_has_prefix (regex, "(?i)") ? strlen ("(?i)") : 0);
  gboolean repeats = FALSE, repeated;

  while (*c)
    {
      repeated = repeats;
      if (repeated && *c == '+')
        return FALSE;
      c = skip_one (c, &repeats);
      if (!c)
        return FALSE;
    }
  return TRUE;
}
