/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tables of verbs, options and settings as JSON, for what is made from them while
 * cliphist is built. It is not installed.
 */
#include "clip-help.h"
#include "clip-settings.h"
#include "clip-verbs.h"

#include <stdio.h>

static void
append_string (GString *out, const char *text)
{
  g_string_append_c (out, '"');
  for (const char *c = text; *c; c++)
    {
      if (*c == '"' || *c == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *c);
    }
  g_string_append_c (out, '"');
}

/* a member, and the comma before it unless it is the first of its object */
static void
append_member (GString *out, const char *name, const char *text)
{
  if (out->str[out->len - 1] != '{')
    g_string_append_c (out, ',');
  g_string_append_printf (out, "\"%s\":", name);
  append_string (out, text);
}

static void
append_options_of (GString *out, ClipVerb verb)
{
  g_string_append (out, ",\"options\":[");
  for (guint i = 0; i < CLIP_N_OPTIONS; i++)
    if (clip_verbs_has_option (verb, (ClipOption) i))
      {
        append_string (out, clip_verbs_option ((ClipOption) i)->name);
        g_string_append_c (out, ',');
      }
  g_string_truncate (out, out->len - 1); /* each has --help */
  g_string_append_c (out, ']');
}

static void
append_verb (GString *out, ClipVerb verb)
{
  const ClipVerbRow *row = clip_verbs_row (verb);

  append_member (out, "name", row->name);
  append_member (out, "words", row->words);
  append_member (out, "summary", row->summary);
  append_member (out, "example", row->example);
  append_options_of (out, verb);
}

static void
append_option (GString *out, ClipOption option)
{
  const ClipOptionRow *row = clip_verbs_option (option);
  char letter[2] = { row->letter, '\0' };

  append_member (out, "name", row->name);
  append_member (out, "letter", letter);
  append_member (out, "value", row->value ?: "");
  append_member (out, "choices", row->choices);
  append_member (out, "summary", row->summary);
}

static void
append_setting (GString *out, const ClipSettings *defaults, ClipSetting setting)
{
  gboolean is_switch = clip_settings_kind (setting) == CLIP_KIND_SWITCH;
  gboolean is_list = clip_settings_kind (setting) == CLIP_KIND_LIST;
  const char *value, *summary;

  clip_help_setting (setting, &value, &summary);
  append_member (out, "name", clip_settings_key (setting));
  append_member (out, "value", value);
  append_member (out, "summary", summary);
  append_member (out, "choices", clip_settings_choices (setting));
  append_member (out, "default",
                 is_list ? "none" : clip_settings_text (defaults, setting));
  g_string_append_printf (out, ",\"switch\":%s", is_switch ? "true" : "false");
}

int
main (void)
{
  g_autoptr (ClipSettings) defaults = clip_settings_new ();
  g_autoptr (GString) out = g_string_new ("{\"verbs\":[");

  for (guint i = 0; i < CLIP_N_VERBS; i++)
    {
      g_string_append (out, i > 0 ? "},\n{" : "{");
      append_verb (out, (ClipVerb) i);
    }
  g_string_append (out, "}],\n\"options\":[");
  for (guint i = 0; i < CLIP_N_OPTIONS; i++)
    {
      g_string_append (out, i > 0 ? "},\n{" : "{");
      append_option (out, (ClipOption) i);
    }
  g_string_append (out, "}],\n\"settings\":[");
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      g_string_append (out, i > 0 ? "},\n{" : "{");
      append_setting (out, defaults, (ClipSetting) i);
    }
  g_string_append (out, "}]}\n");
  return fputs (out->str, stdout) < 0 || fflush (stdout) ? 1 : 0;
}
