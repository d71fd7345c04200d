/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-ignore.h"

#include "clip-match.h"

struct ClipIgnore
{
  GPtrArray *apps;     /* of GPatternSpec, lower case */
  GPtrArray *mimes;    /* of GPatternSpec */
  GPtrArray *patterns; /* of ClipMatch */
};

/* to an expression that looks for a text the whole text is one line */
#define ONE_LINE "(?-m)"

static GPtrArray *
compile_globs (const ClipSettings *settings, ClipSetting setting, gboolean fold)
{
  g_auto (GStrv) items = clip_settings_list (settings, setting);
  GPtrArray *globs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_pattern_spec_free);

  for (guint i = 0; items[i]; i++)
    {
      g_autofree char *folded = fold ? g_utf8_strdown (items[i], -1) : NULL;

      if (*items[i])
        g_ptr_array_add (globs, g_pattern_spec_new (folded ?: items[i]));
    }
  return globs;
}

static ClipMatch *
new_match (const char *pattern, GError **error)
{
  g_autofree char *whole = g_strconcat (ONE_LINE, pattern, NULL);

  return clip_match_new (NULL, whole, error);
}

/* whether it is an expression. Errors: %CLIP_ERROR_INVALID_ARGUMENT, without the pattern. */
gboolean
clip_ignore_check_pattern (const char *pattern, GError **error)
{
  g_autoptr (ClipMatch) match = new_match (pattern, error);

  return match != NULL;
}

/* what the user keeps out is said in no log: not what it looks like either */
static ClipMatch *
compile_pattern (const char *pattern, guint number)
{
  g_autoptr (GError) error = NULL;
  ClipMatch *match = new_match (pattern, &error);

  if (!match)
    g_warning ("ignore-pattern %u ignores nothing: %s", number, error->message);
  return match;
}

static GPtrArray *
compile_patterns (const ClipSettings *settings)
{
  g_auto (GStrv) items = clip_settings_list (settings, CLIP_SETTING_IGNORE_PATTERN);
  GPtrArray *patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_match_free);

  for (guint i = 0; items[i]; i++)
    {
      ClipMatch *match = *items[i] ? compile_pattern (items[i], i + 1) : NULL;

      if (match)
        g_ptr_array_add (patterns, match);
    }
  return patterns;
}

/* an expression that is none ignores nothing, which is logged */
ClipIgnore *
clip_ignore_new (const ClipSettings *settings)
{
  ClipIgnore *self = g_rc_box_new0 (ClipIgnore);

  self->apps = compile_globs (settings, CLIP_SETTING_IGNORE_APP, TRUE);
  self->mimes = compile_globs (settings, CLIP_SETTING_IGNORE_MIME, FALSE);
  self->patterns = compile_patterns (settings);
  return self;
}

ClipIgnore *
clip_ignore_ref (ClipIgnore *self)
{
  return g_rc_box_acquire (self);
}

static void
clip_ignore_clear (gpointer data)
{
  ClipIgnore *self = data;

  g_ptr_array_unref (self->apps);
  g_ptr_array_unref (self->mimes);
  g_ptr_array_unref (self->patterns);
}

void
clip_ignore_unref (ClipIgnore *self)
{
  if (self)
    g_rc_box_release_full (self, clip_ignore_clear);
}

static gboolean
matches_any (GPtrArray *globs, const char *text)
{
  for (guint i = 0; i < globs->len; i++)
    if (g_pattern_spec_match_string (g_ptr_array_index (globs, i), text))
      return TRUE;
  return FALSE;
}

gboolean
clip_ignore_has_apps (const ClipIgnore *self)
{
  return self->apps->len > 0;
}

/**
 * clip_ignore_app:
 * @app: (nullable): %NULL where the display does not tell, and then nothing matches
 */
gboolean
clip_ignore_app (const ClipIgnore *self, const char *app)
{
  g_autofree char *folded = app && self->apps->len > 0 ? g_utf8_strdown (app, -1) : NULL;

  return folded && matches_any (self->apps, folded);
}

/* whether one of the globs matches all of @mime, its parameters included */
gboolean
clip_ignore_mime (const ClipIgnore *self, const char *mime)
{
  return matches_any (self->mimes, mime);
}

gboolean
clip_ignore_has_patterns (const ClipIgnore *self)
{
  return self->patterns->len > 0;
}

/**
 * clip_ignore_text:
 * @text: bytes; what is not UTF-8 is looked at all the same
 *
 * What costs too much to look at counts as a match: the user wanted to keep something out.
 */
gboolean
clip_ignore_text (ClipIgnore *self, const char *text, gsize length)
{
  for (guint i = 0; i < self->patterns->len; i++)
    {
      ClipMatch *match = g_ptr_array_index (self->patterns, i);
      guint before = clip_match_n_given_up (match);

      if (clip_match_test (match, text, length) || clip_match_n_given_up (match) > before)
        return TRUE;
    }
  return FALSE;
}
