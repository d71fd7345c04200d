/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The flags before the verb, as the flag package of Go reads them, because the existing
 * tool did:
 * `-f v`, `-f=v`, and the same with two dashes; they end at the first word without a
 * dash, at `-`, and behind `--`; the last one wins. Counts and switches are checked here,
 * in its words; sizes are plain text to it and are checked with the other settings.
 */
#include "clip-flags.h"

#include "clip-error.h"
#include "clip-text.h"
#include "clip-units.h"

#include <string.h>

static gboolean wrong (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
wrong (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_propagate_error (
      error, g_error_new_valist (CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT, format, args));
  va_end (args);
  return FALSE;
}

static gboolean
is_switch (ClipSetting setting)
{
  return clip_settings_kind (setting) == CLIP_KIND_SWITCH;
}

/* NULL where @value is fine */
static const char *
count_fault (const char *value)
{
  gboolean is_octal = value[0] == '0' && value[1];
  const char *digits = is_octal ? "01234567" : "0123456789";
  gint64 number;

  if (clip_parse_int (value, &number) && number >= 0)
    return NULL;
  return *value && value[strspn (value, digits)] == '\0' ? "value out of range"
                                                         : "parse error";
}

static gboolean
is_switch_value (ClipSetting setting, const char *value)
{
  g_autoptr (ClipSettings) scratch = clip_settings_new ();

  return clip_settings_set (scratch, setting, value, CLIP_FROM_FLAG, NULL);
}

static gboolean
check_value (ClipSetting setting, const char *value, GError **error)
{
  g_autofree char *quoted = clip_text_quote (value, strlen (value));
  const char *key = clip_settings_key (setting);
  const char *fault = NULL;

  if (clip_settings_kind (setting) == CLIP_KIND_COUNT)
    fault = count_fault (value);
  if (fault)
    return wrong (error, "invalid value %s for flag -%s: %s", quoted, key, fault);
  if (is_switch (setting) && !is_switch_value (setting, value))
    return wrong (error, "invalid boolean value %s for -%s: parse error", quoted, key);
  return TRUE;
}

/* *@next is the word after the flag; it moves on where that is its value */
static gboolean
take_flag (const char *flag,
           char ***next,
           const char *given[CLIP_N_SETTINGS],
           GError **error)
{
  const char *equals = strchr (flag, '=');
  g_autofree char *name = equals ? g_strndup (flag, equals - flag) : g_strdup (flag);
  const char *value = equals ? equals + 1 : NULL;
  ClipSetting setting;

  if (!clip_settings_find (name, &setting))
    return wrong (error, "flag provided but not defined: -%s", name);
  if (!value && is_switch (setting))
    value = "true";
  if (!value && **next)
    value = *(*next)++;
  if (!value)
    return wrong (error, "flag needs an argument: -%s", name);
  given[setting] = value;
  return check_value (setting, value, error);
}

static gboolean
is_named (const char *flag, const char *name)
{
  gsize length = strcspn (flag, "=");

  return strlen (name) == length && strncmp (flag, name, length) == 0;
}

/* *@next is the word */
static ClipFlagsResult
take_word (char ***next, const char *given[CLIP_N_SETTINGS], GError **error)
{
  const char *word = *(*next)++;
  const char *flag = word + (word[1] == '-' ? 2 : 1);

  if (*flag == '\0' || *flag == '-' || *flag == '=')
    {
      wrong (error, "bad flag syntax: %s", word);
      return CLIP_FLAGS_WRONG;
    }
  if (is_named (flag, "h") || is_named (flag, "help"))
    return CLIP_FLAGS_HELP;
  if (g_str_equal (word, "--version"))
    return CLIP_FLAGS_VERSION;
  return take_flag (flag, next, given, error) ? CLIP_FLAGS_DONE : CLIP_FLAGS_WRONG;
}

/**
 * clip_flags_parse:
 * @words: what follows the name of the program, %NULL-terminated
 * @given: (out): the value of each flag; %NULL where it was not there
 * @out_n: how many words were flags and their values; the verb is the next one
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, in the words of the existing tool.
 */
ClipFlagsResult
clip_flags_parse (char **words,
                  const char *given[CLIP_N_SETTINGS],
                  guint *out_n,
                  GError **error)
{
  ClipFlagsResult result = CLIP_FLAGS_DONE;
  char **next = words;

  memset (given, 0, sizeof (char *) * CLIP_N_SETTINGS);
  while (result == CLIP_FLAGS_DONE && *next && (*next)[0] == '-' && (*next)[1])
    {
      if (g_str_equal (*next, "--"))
        {
          next++;
          break;
        }
      result = take_word (&next, given, error);
    }
  *out_n = (guint) (next - words);
  return result;
}
