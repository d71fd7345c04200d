/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The configuration file: one `key value` a line, separated by blanks or tabs, `#` starts
 * a comment line. What a key means, with a value or alone, and whether $VARIABLES are
 * expanded in it, is clip-settings' business.
 */
#include "clip-config.h"

#include "clip-error.h"
#include "clip-fd.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#define CONFIG_LIMIT_BYTES (1024 * 1024)
/* some editors put one in front of a text */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

static gsize
name_length (const char *name)
{
  gsize length = 0;

  while (g_ascii_isalnum (name[length]) || name[length] == '_')
    length++;
  return length;
}

/**
 * clip_config_expand:
 * @value: text with $NAME and ${NAME}
 *
 * Returns: (transfer full): @value with each replaced by the environment's, nothing where
 * unset
 */
char *
clip_config_expand (const char *value)
{
  GString *expanded = g_string_new (NULL);

  while (*value)
    {
      gboolean braced = value[0] == '$' && value[1] == '{';
      const char *name = value + (braced ? 2 : 1);
      gsize length = value[0] == '$' ? name_length (name) : 0;
      g_autofree char *variable = NULL;

      if (length == 0 || (braced && name[length] != '}'))
        {
          g_string_append_c (expanded, *value++);
          continue;
        }
      variable = g_strndup (name, length);
      g_string_append (expanded, g_getenv (variable) ?: "");
      value = name + length + (braced ? 1 : 0);
    }
  return g_string_free (expanded, FALSE);
}

static void
parse_line (char *line, guint number, ClipConfigFunc function, gpointer user_data)
{
  char *key = g_strstrip (line);
  gsize length = strcspn (key, " \t");
  const char *value = key[length] != '\0' ? g_strchug (key + length + 1) : NULL;

  if (*key == '\0' || *key == '#')
    return;
  key[length] = '\0';
  function (key, value, number, user_data);
}

void
clip_config_parse (const char *text, ClipConfigFunc function, gpointer user_data)
{
  const gboolean is_marked = g_str_has_prefix (text, BYTE_ORDER_MARK);
  g_auto (GStrv) lines =
      g_strsplit (text + (is_marked ? strlen (BYTE_ORDER_MARK) : 0), "\n", -1);

  for (guint i = 0; lines[i]; i++)
    parse_line (lines[i], i + 1, function, user_data);
}

/* a FIFO with a name: a shell's <(...) has none */
static gboolean
is_named_fifo (int fd)
{
  struct stat status;
  struct statfs system;

  return fstat (fd, &status) == 0 && S_ISFIFO (status.st_mode) &&
         fstatfs (fd, &system) == 0 && system.f_type != PIPEFS_MAGIC;
}

/* Without a writer a FIFO reads as empty, with which all rules would be off without a
 * word; and open(2) waits for one. Returns: a descriptor; -1 without an error where there
 * is no file, as most people have none */
static int
open_file (const char *path, GError **error)
{
  clip_autofd int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

  if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
    return -1;
  if (fd < 0)
    {
      clip_set_errno (error, errno, "read configuration '%s'", path);
      return -1;
    }
  if (is_named_fifo (fd))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   "read configuration '%s': a FIFO is no file", path);
      return -1;
    }
  fcntl (fd, F_SETFL, 0);
  return g_steal_fd (&fd);
}

/**
 * clip_config_read:
 * @path: the file
 *
 * Returns: (transfer full) (nullable): its text, in which %CLIP_CONFIG_NO_TEXT stands for
 * each byte that is no UTF-8, as NUL; NULL without an error where there is no file
 *
 * Errors: %G_FILE_ERROR, %CLIP_ERROR_INVALID_ARGUMENT for a file over 1 MiB, or a FIFO.
 */
char *
clip_config_read (const char *path, GError **error)
{
  clip_autofd int fd = open_file (path, error);
  g_autoptr (GError) local = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const char *data;
  gsize length;

  if (fd < 0)
    return NULL;
  bytes = clip_read_to_end (fd, CONFIG_LIMIT_BYTES, &local);
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_TOO_LARGE))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                 "read configuration '%s': larger than 1 MiB", path);
  else if (local)
    g_propagate_prefixed_error (error, g_steal_pointer (&local),
                                "read configuration '%s': ", path);
  if (!bytes)
    return NULL;
  data = g_bytes_get_data (bytes, &length);
  return g_utf8_make_valid (data ?: "", (gssize) length);
}

/**
 * clip_config_load:
 * @path: the file; a missing one is an empty one
 * @function: called for each line that sets something, in order
 *
 * Errors: as clip_config_read().
 */
gboolean
clip_config_load (const char *path,
                  ClipConfigFunc function,
                  gpointer user_data,
                  GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = clip_config_read (path, &local);

  if (text)
    clip_config_parse (text, function, user_data);
  if (!local)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}
