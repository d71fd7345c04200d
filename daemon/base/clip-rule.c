/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Of a rule that is to keep something out, or to let a program in: whether it matches
 * nothing, or everything, which is seldom meant. */
#include "clip-rule.h"

#include <string.h>

/* as much of a text as is looked at */
#define LONG_BYTES (64 * 1024)

/* (transfer full) (nullable): what is wrong with an expression, and where. Without the
 * expression: it says what the user keeps out. */
static char *
expression_fault (const char *value)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) regex = g_regex_new (value, 0, 0, &error);
  const char *fault;

  if (regex)
    return NULL;
  fault = strstr (error->message, value);
  fault = fault ? strchr (fault + strlen (value), ' ') : NULL;
  return g_strdup_printf ("no regular expression, %s",
                          fault ? fault + 1 : error->message);
}

/* of a list, of a quoted word, of a regular expression: a rule with one of them matches
   nothing. An apostrophe may stand in the name of a program of Wine. */
static gboolean
may_be_app (const char *value)
{
  return *value != '\'' && !strpbrk (value, "\",^$");
}

/* as above; a type may have a parameter behind a blank, which may be quoted */
static gboolean
may_be_mime (const char *value)
{
  const char *blank = strpbrk (value, " \t");

  return *value != '\'' && *value != '"' && !strchr (value, ',') &&
         (!blank || blank == value || blank[-1] == ';');
}

/* (transfer full) (nullable): why @value is no rule at all, and matches nothing */
char *
clip_rule_fault (ClipSetting setting, const char *value)
{
  if (setting == CLIP_SETTING_IGNORE_PATTERN)
    return expression_fault (value);
  if (setting == CLIP_SETTING_IGNORE_APP && !may_be_app (value))
    return g_strdup_printf ("no name of a program, which * and ? may stand in: %s",
                            value);
  if (setting == CLIP_SETTING_IGNORE_MIME && !may_be_mime (value))
    return g_strdup_printf ("no name of a type, which * and ? may stand in: %s", value);
  if (setting == CLIP_SETTING_ALLOW_SANDBOXED && strpbrk (value, ",;\"'"))
    return g_strdup_printf ("no names with blanks between them: %s", value);
  return NULL;
}

/* (transfer full): lines of all signs of ASCII */
static char *
make_long_text (void)
{
  GString *text = g_string_sized_new (LONG_BYTES);

  while (text->len < LONG_BYTES)
    {
      for (char sign = ' '; sign <= '~'; sign++)
        g_string_append_c (text, sign);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* what is not through after very many steps keeps a text out, too */
static gboolean
matches_text (const GRegex *regex, const char *text)
{
  g_autoptr (GError) error = NULL;

  return g_regex_match_full (regex, text, -1, 0, 0, NULL, &error) || error;
}

/* what matches the empty text may be for a blank or a short one: texts that have nothing
 * in common tell */
static gboolean
matches_every_text (const char *value)
{
  static const char *const short_ones[] = { "a", "Z", "0", "-", "\xe2\x82\xac" };
  g_autoptr (GRegex) regex = g_regex_new (value, 0, 0, NULL);
  g_autofree char *long_one = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (short_ones); i++)
    if (!regex || !matches_text (regex, short_ones[i]))
      return FALSE;
  long_one = make_long_text ();
  return matches_text (regex, long_one);
}

static gboolean
matches_each (const char *glob, const char *const *names)
{
  for (; *names; names++)
    if (!g_pattern_match_simple (glob, *names))
      return FALSE;
  return TRUE;
}

/* as `text` and `png` do; a name of X11 without a slash has capitals, as UTF8_STRING */
static gboolean
lacks_slash (const char *mime)
{
  for (; *mime; mime++)
    if (g_ascii_isupper (*mime) || strchr ("/*?", *mime))
      return FALSE;
  return TRUE;
}

/* (nullable): what is wrong with @value, a rule that counts all the same: it is what was
 * written */
const char *
clip_rule_doubt (ClipSetting setting, const char *value)
{
  static const char *const mimes[] = { "text/plain", "image/png", "a/b", NULL };
  static const char *const apps[] = { "foot", "org.gnome.TextEditor", "X", NULL };

  /* they end a list */
  if (!*value || strcmp (value, "none") == 0)
    return NULL;
  if (g_str_has_prefix (value, "= ") &&
      (setting == CLIP_SETTING_IGNORE_PATTERN || setting == CLIP_SETTING_IGNORE_APP))
    return "the = is part of this rule: write it without, or [=] for one that is meant";
  if (setting == CLIP_SETTING_IGNORE_PATTERN && matches_every_text (value))
    return "this rule matches every text, so no text is kept";
  if (setting == CLIP_SETTING_IGNORE_MIME && matches_each (value, mimes))
    return "this rule matches every type, so nothing is kept";
  if (setting == CLIP_SETTING_IGNORE_MIME && lacks_slash (value))
    return "this rule matches no usual type: a type is like text/plain, a rule like "
           "text/*";
  if (setting == CLIP_SETTING_IGNORE_APP && matches_each (value, apps))
    return "this rule matches every program, so the copies of none are kept";
  return NULL;
}

/* (transfer full) (nullable): what may be meant by an expression in quotation marks or
 * slashes; to an expression these are letters */
char *
clip_rule_between_marks (const char *value)
{
  const gsize length = strlen (value);

  if (length < 3 || !strchr ("\"'/", *value) || value[length - 1] != *value)
    return NULL;
  return g_strndup (value + 1, length - 2);
}
