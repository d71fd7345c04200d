/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-history"
#include "clip-ignore.h"

struct ClipIgnore
{
  GPtrArray *apps;     /* of GPatternSpec, lower case */
  GPtrArray *mimes;    /* of GPatternSpec */
  GPtrArray *patterns; /* of GRegex */
};

/* a hostile text must not keep the daemon busy: what takes more steps than that counts as a match */
#define MAX_STEPS "(*LIMIT_MATCH=1000000)"

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

static GRegex *
compile_pattern (const char *pattern, GError **error)
{
  g_autofree char *bounded = g_strconcat (MAX_STEPS, pattern, NULL);

  return g_regex_new (bounded, G_REGEX_OPTIMIZE, 0, error);
}

static GPtrArray *
compile_patterns (const ClipSettings *settings)
{
  g_auto (GStrv) items = clip_settings_list (settings, CLIP_SETTING_IGNORE_PATTERN);
  GPtrArray *patterns = g_ptr_array_new_with_free_func ((GDestroyNotify) g_regex_unref);

  for (guint i = 0; items[i]; i++)
    {
      g_autoptr (GError) error = NULL;
      GRegex *regex = *items[i] ? compile_pattern (items[i], &error) : NULL;

      if (regex)
        g_ptr_array_add (patterns, regex);
      else if (error)
        g_warning ("ignore-pattern %u is no expression, and ignores nothing", i + 1);
    }
  return patterns;
}

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
 */
gboolean
clip_ignore_text (const ClipIgnore *self, const char *text, gsize length)
{
  g_autofree char *valid =
      self->patterns->len > 0 ? g_utf8_make_valid (text, (gssize) length) : NULL;

  for (guint i = 0; i < self->patterns->len; i++)
    {
      g_autoptr (GError) error = NULL;

      if (g_regex_match_full (g_ptr_array_index (self->patterns, i), valid, -1, 0, 0,
                              NULL, &error) ||
          error)
        return TRUE;
    }
  return FALSE;
}
