/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-cmds.h"
#include "clip-paths.h"
#include "clip-text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char *
value_of (const ClipCommand *command, ClipSetting setting)
{
  const char *text = clip_settings_text (command->settings, setting);

  if (setting == CLIP_SETTING_DB_PATH)
    return g_strdup (command->db_path);
  if (setting == CLIP_SETTING_CONFIG_PATH && *text == '\0')
    return clip_paths_default_config (NULL);
  if (clip_settings_kind (setting) == CLIP_KIND_COUNT)
    return g_strdup_printf ("%" G_GINT64_FORMAT,
                            clip_settings_number (command->settings, setting));
  return g_strdelimit (g_strdup (text), "\n", ' '); /* a list */
}

static int
compare_lines (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* a path may hold anything, and scripts read it as it is */
static void
print_line (const char *line)
{
  g_autoptr (GString) shown = g_string_new (NULL);

  if (isatty (STDERR_FILENO))
    clip_text_append_visible (shown, line, strlen (line));
  else
    g_string_append (shown, line);
  fputs (shown->str, stderr);
}

int
clip_cmd_version (ClipCommand *command)
{
  char *lines[CLIP_N_SETTINGS];

  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      g_autofree char *value = value_of (command, (ClipSetting) i);

      lines[i] =
          g_strdup_printf ("%s\t%s\n", clip_settings_key ((ClipSetting) i), value ?: "");
    }
  qsort (lines, CLIP_N_SETTINGS, sizeof *lines, compare_lines);
  fputs ("version\t" CLIP_VERSION "\n", stderr);
  for (guint i = 0; i < CLIP_N_SETTINGS; i++)
    {
      print_line (lines[i]);
      g_free (lines[i]);
    }
  return CLIP_EXIT_DONE;
}
