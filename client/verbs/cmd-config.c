/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One setting, read or written: in the file its line is replaced, and every other line
 * stays as it is. The daemon reads the file again by itself.
 */
#include "clip-cmds.h"
#include "clip-config.h"
#include "clip-error.h"
#include "clip-fd.h"
#include "clip-output.h"
#include "clip-paths.h"
#include "clip-rule.h"
#include "clip-text.h"
#include "clip-words.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* many calls at once each sync a file */
#define LOCK_PATIENCE_US (5 * G_USEC_PER_SEC)
#define BESIDE ".cliphist-new"

/* (transfer full): the file itself, where its name is a symbolic link */
static char *
find_file (const ClipCommand *command)
{
  const char *named = clip_settings_text (command->settings, CLIP_SETTING_CONFIG_PATH);
  g_autofree char *path = *named ? g_strdup (named) : clip_paths_default_config (NULL);
  char *real = realpath (path, NULL);
  char *found = g_strdup (real ?: path);

  free (real);
  return found;
}

static gboolean
is_line_of (const char *line, const char *key)
{
  gsize length = strlen (key);

  while (*line == ' ' || *line == '\t')
    line++;
  return strncmp (line, key, length) == 0 && strchr (" \t\r", line[length]) != NULL;
}

/* (transfer full): the last line of the key counts, and only that one is left */
static char *
replace_line (const char *text, const char *key, const char *value)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) out = g_string_new (NULL);
  int last = -1;

  for (int i = 0; lines[i]; i++)
    if (is_line_of (lines[i], key))
      last = i;
  for (int i = 0; lines[i]; i++)
    {
      if (i == last)
        g_string_append_printf (out, "%s %s\n", key, value);
      else if (!is_line_of (lines[i], key) && (*lines[i] || lines[i + 1]))
        g_string_append_printf (out, "%s\n", lines[i]);
    }
  if (last < 0)
    g_string_append_printf (out, "%s %s\n", key, value);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* what would not be written as it was read is left alone */
static gboolean
check_file (const char *path, const GStatBuf *found, const char *text, GError **error)
{
  /* what it names may be on a disk that is not there yet */
  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                 _ ("'%s' is a link to a file that is not there"), path);
  else if (!S_ISREG (found->st_mode))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT, _ ("'%s' is no file"),
                 path);
  else if (text && strstr (text, CLIP_CONFIG_NO_TEXT))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                 _ ("'%s' is no UTF-8: it has another encoding, or a NUL byte"), path);
  else
    return TRUE;
  return FALSE;
}

/* Until what it returns is closed no other call changes a file there, and would put back
 * what this one has changed. Its folder is locked, as another file takes the name. Where
 * that cannot be, as on some network disks, the file is changed all the same.
 * Returns: the folder; -1 where it cannot be opened; on an error, too */
static int
hold (const char *folder, const char *path, GError **error)
{
  clip_autofd int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (GError) local = NULL;

  if (fd < 0 || clip_fd_lock (fd, TRUE, LOCK_PATIENCE_US, &local) ||
      !g_error_matches (local, CLIP_ERROR, CLIP_ERROR_STALLED))
    return g_steal_fd (&fd);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_STALLED,
               _ ("'%s' is not changed: another program keeps its folder locked"), path);
  return -1;
}

/* one name for all calls: the next one takes what a kill has left */
static gboolean
replace_file (const char *path, const char *text, mode_t mode, GError **error)
{
  g_autofree char *beside = g_strconcat (path, BESIDE, NULL);
  clip_autofd int fd = -1;

  g_unlink (beside);
  fd = g_open (beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return clip_set_errno (error, errno, _ ("write '%s'"), path);
  /* whatever the umask; where it cannot be, it is for its owner alone */
  fchmod (fd, mode);
  if (!clip_write_all (fd, text, strlen (text), error))
    g_prefix_error (error, "'%s': ", path);
  else if (fsync (fd) < 0 || g_rename (beside, path) < 0)
    clip_set_errno (error, errno, _ ("write '%s'"), path);
  else
    return TRUE;
  g_unlink (beside);
  return FALSE;
}

static gboolean
save (const char *path, const char *key, const char *value, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  clip_autofd int held = -1;
  g_autofree char *text = NULL;
  g_autofree char *changed = NULL;
  g_autoptr (GError) local = NULL;
  GStatBuf found = { .st_mode = S_IFREG | 0600 };

  if (g_mkdir_with_parents (folder, 0700) < 0)
    return clip_set_errno (error, errno, "mkdir '%s'", folder);
  held = hold (folder, path, &local);
  if (!local && g_stat (path, &found) == 0 && S_ISREG (found.st_mode))
    text = clip_config_read (path, &local);
  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (!check_file (path, &found, text, error))
    return FALSE;
  changed = replace_line (text ?: "", key, value);
  if (!replace_file (path, changed, found.st_mode & 07777, error))
    return FALSE;
  if (held >= 0)
    fsync (held); /* a rule of privacy outlasts a power cut */
  return TRUE;
}

static int
set (const ClipCommand *command, ClipSetting setting, const char *value)
{
  g_autofree char *path = find_file (command);
  g_autoptr (ClipSettings) tried = clip_settings_new ();
  g_autofree char *fault = clip_rule_fault (setting, value);
  const char *doubt = clip_settings_doubt (setting, value);
  g_autoptr (GError) error = NULL;

  if (clip_settings_kind (setting) == CLIP_KIND_LIST)
    return clip_command_misuse (command, _ ("%s can have several lines: edit them in %s"),
                                clip_settings_key (setting), path);
  if (setting == CLIP_SETTING_CONFIG_PATH)
    return clip_command_misuse (command, _ ("%s has no effect in the file"),
                                clip_settings_key (setting));
  if (!g_utf8_validate (value, -1, NULL) || strpbrk (value, "\n\r"))
    return clip_command_misuse (command,
                                _ ("a value has to be one line of text in UTF-8"));
  /* of those without a list, the names of allow-sandboxed */
  if (fault)
    return clip_command_misuse (
        command, _ ("names have blanks between them, and no commas: '%s'"), value);
  if (!clip_settings_is_choice (setting, value))
    return clip_command_misuse (command, _ ("%s is one of %s, not '%s'"),
                                clip_settings_key (setting),
                                clip_settings_choices (setting), value);
  if (!clip_settings_set (tried, setting, value, CLIP_FROM_FILE, NULL))
    {
      clip_command_say (_ ("invalid value \"%s\" for %s: %s"), value,
                        clip_settings_key (setting),
                        _ (clip_settings_hint (setting, value)));
      return CLIP_EXIT_MISUSED;
    }
  if (!save (path, clip_settings_key (setting), value, &error))
    return clip_command_fail (error);
  clip_command_tell (_ ("%s is now %s, in %s."), clip_settings_key (setting), value,
                     path);
  /* it counts, and may be meant */
  if (doubt)
    clip_command_say ("%s: %s", clip_settings_key (setting), _ (doubt));
  return CLIP_EXIT_DONE;
}

static int
refuse (const ClipCommand *command, const char *key)
{
  const char *near = clip_settings_find_near (key);

  if (near)
    return clip_command_misuse (
        command, _ ("there is no setting '%s'. Did you mean '%s'?"), key, near);
  return clip_command_misuse (
      command, _ ("there is no setting '%s': “cliphist config” lists them"), key);
}

static int
print (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (clip_output_is_terminal ())
    clip_text_append_visible (out, text, strlen (text));
  else
    g_string_append (out, text);
  g_string_append_c (out, '\n');
  if (!clip_output_write (out->str, out->len, &error))
    return clip_command_fail (error);
  return CLIP_EXIT_DONE;
}

/* as they would stand in the file: a list has a line for each, and one without items
 * none */
static int
print_all (const ClipCommand *command)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (ClipSetting i = 0; i < CLIP_N_SETTINGS; i++)
    {
      g_auto (GStrv) values = clip_settings_list (command->settings, i);

      for (guint j = 0; values[j]; j++)
        g_string_append_printf (out, "%s%s %s", out->len > 0 ? "\n" : "",
                                clip_settings_key (i), values[j]);
    }
  return print (out->str);
}

int
clip_cmd_config (ClipCommand *command)
{
  const char *key = clip_command_word (command, 0);
  const char *value = clip_command_word (command, 1);
  ClipSetting setting;

  if (!key)
    return print_all (command);
  if (!clip_settings_find (key, &setting))
    return refuse (command, key);
  if (value)
    return set (command, setting, value);
  return print (clip_settings_text (command->settings, setting));
}
