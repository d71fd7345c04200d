/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Help, written from the tables of verbs, options and settings. Scripts look for the
 * lines `usage:` and `options:` of the overview.
 */
#include "clip-help.h"

#include "clip-words.h"

#include <stdio.h>

typedef struct
{
  const char *value;
  const char *summary;
} SettingHelp;

static const SettingHelp setting_helps[CLIP_N_SETTINGS] = {
#define SETTING(name, key, kind, choices, fallback, call, value, summary) \
  { value, summary },
#include "clip-settings.def"
#undef SETTING
};

/**
 * clip_help_setting:
 * @out_value: (out): what stands for its value
 * @out_summary: (out): for gettext()
 */
void
clip_help_setting (ClipSetting setting, const char **out_value, const char **out_summary)
{
  *out_value = setting_helps[setting].value;
  *out_summary = setting_helps[setting].summary;
}

/* as wide as the longest on the left, and two blanks: one would make a sentence of both
   sides */
#define LEFT_WIDTH 26

static void
append_row (GString *out, const char *left, const char *right)
{
  glong width = g_utf8_strlen (left, -1);

  g_string_append_printf (out, "  %s%*s%s\n", left, (int) MAX (LEFT_WIDTH - width, 2), "",
                          right);
}

static void
append_verb (GString *out, const ClipVerbRow *row)
{
  g_autofree char *left = g_strstrip (g_strdup_printf ("%s %s", row->name, row->words));

  append_row (out, left, _ (row->summary));
}

static void
append_setting (GString *out, ClipSetting setting)
{
  const SettingHelp *help = &setting_helps[setting];
  gboolean is_switch = clip_settings_kind (setting) == CLIP_KIND_SWITCH;
  g_autofree char *left = g_strdup_printf ("-%s%s%s", clip_settings_key (setting),
                                           is_switch ? "=" : " ", help->value);

  append_row (out, left, _ (help->summary));
}

static GString *
overview (void)
{
  GString *out = g_string_new ("usage:\n  cliphist [OPTIONS] VERB [WORDS]\n\nverbs:\n");

  for (guint i = 0; i < CLIP_N_VERBS; i++)
    append_verb (out, clip_verbs_row ((ClipVerb) i));
  g_string_append (out, "\noptions:\n");
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    append_setting (out, (ClipSetting) i);
  g_string_append_c (out, '\n');
  g_string_append (
      out, _ ("Options stand before the verb. The environment (CLIPHIST_MAX_ITEMS) "
              "and the\nconfiguration file (max-items 100) know them too. More about "
              "a verb: cliphist VERB --help\n"));
  return out;
}

/* after a mistake in the call: on standard error */
void
clip_help_usage (void)
{
  g_autoptr (GString) out = overview ();

  fputs (out->str, stderr);
}

/* the same in short: behind a message that should not scroll away */
void
clip_help_hint (void)
{
  fputs ("usage:\n  cliphist [OPTIONS] VERB [WORDS]\noptions:\n", stderr);
  fputs (_ ("  cliphist help lists them, and the verbs\n"), stderr);
}

/* for a call that asks for it: on standard output, as what the two below say */
int
clip_help_overview (void)
{
  g_autoptr (GString) out = overview ();

  return fputs (out->str, stdout) < 0 || fflush (stdout) ? 1 : 0;
}

static void
append_option (GString *out, ClipOption option)
{
  const ClipOptionRow *row = clip_verbs_option (option);
  g_autoptr (GString) left = g_string_new (NULL);

  if (row->letter)
    g_string_append_printf (left, "-%c, ", row->letter);
  g_string_append_printf (left, "--%s", row->name);
  if (row->value)
    g_string_append_printf (left, " %s", row->value);
  append_row (out, left->str, _ (row->summary));
}

int
clip_help_verb (ClipVerb verb)
{
  const ClipVerbRow *row = clip_verbs_row (verb);
  g_autoptr (GString) out = g_string_new ("usage:\n  cliphist ");

  g_string_append (out, row->name);
  if (row->options)
    g_string_append (out, " [--OPTIONS]");
  g_string_append_printf (out, "%s%s\n\n%s\n\noptions:\n", *row->words ? " " : "",
                          row->words, _ (row->summary));
  for (guint i = 0; i < CLIP_N_OPTIONS; i++)
    if (clip_verbs_has_option (verb, (ClipOption) i))
      append_option (out, (ClipOption) i);
  g_string_append_printf (out, "\nexample:\n  %s\n", row->example);
  return fputs (out->str, stdout) < 0 || fflush (stdout) ? 1 : 0;
}

int
clip_help_version (void)
{
  return puts ("cliphist " CLIP_VERSION) < 0 || fflush (stdout) ? 1 : 0;
}
