/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The id at the start of a line that `list` printed. The existing tool takes what stands
 * before the first tab and hands it to Atoi of Go, whose words are its error texts.
 */
#include "clip-id.h"

#include "clip-error.h"
#include "clip-standard-input.h"
#include "clip-terminal.h"
#include "clip-text.h"
#include "clip-words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NULL where @text is a decimal number with at most a sign, and fits */
static const char *
atoi_fault (const char *text, gsize length, gint64 *out_value)
{
  g_autofree char *number = g_strndup (text, length);
  gsize sign = *number == '-' || *number == '+' ? 1 : 0;

  if (strlen (number) != length || length == sign ||
      strspn (number + sign, "0123456789") != length - sign)
    return "invalid syntax";
  errno = 0;
  *out_value = g_ascii_strtoll (number, NULL, 10);
  return errno == ERANGE ? "value out of range" : NULL;
}

static gsize
length_before (const char *line, gsize length, char stop)
{
  const char *found = memchr (line, stop, length);

  return found ? (gsize) (found - line) : length;
}

/* wofi prints the row with its picture (see clip-picker-rows.c) */
static void
skip_picture (const char **line, gsize *length)
{
  const char *text = NULL;

  if (*length > strlen ("img:") && strncmp (*line, "img:", strlen ("img:")) == 0)
    text = g_strstr_len (*line, (gssize) *length, ":text:");
  if (!text)
    return;
  text += strlen (":text:");
  *length -= (gsize) (text - *line);
  *line = text;
}

/**
 * clip_id_from_line:
 * @line: a line of the list, with or without its line feed; what follows it does not
 * count
 *
 * Errors: %CLIP_ERROR_INVALID_ARGUMENT, in the words of the existing tool.
 */
gboolean
clip_id_from_line (const char *line, gsize length, gint64 *out_id, GError **error)
{
  g_autofree char *quoted = NULL;
  gsize before_tab, before_end;
  const char *fault;

  skip_picture (&line, &length);
  before_tab = length_before (line, length, '\t');
  before_end = length_before (line, before_tab, '\n');
  if (before_tab == 0)
    {
      g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                           "input not prefixed with id");
      return FALSE;
    }
  fault = atoi_fault (line, before_end, out_id);
  if (!fault)
    return TRUE;
  quoted = clip_text_quote (line, before_tab);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "converting id: strconv.Atoi: parsing %s: %s", quoted, fault);
  return FALSE;
}

/**
 * clip_id_refuse:
 * @line: which is none, as @error says in the words of the existing tool
 * @doing: what that tool says before them
 *
 * Scripts know those words; a person does not know those of Go.
 *
 * Returns: %FALSE
 */
gboolean
clip_id_refuse (const char *line, gsize length, const char *doing, GError **error)
{
  gsize before_tab;

  skip_picture (&line, &length);
  before_tab = length_before (line, length, '\t');
  if (error && before_tab > 0 && clip_terminal_is_watched (STDERR_FILENO))
    {
      g_clear_error (error);
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
                   _ ("'%.*s' is not an id"), (int) before_tab, line);
    }
  else
    g_prefix_error (error, "%s", doing);
  return FALSE;
}

/**
 * clip_id_add_line:
 * @ids: (element-type gint64)
 *
 * As clip_id_from_line(), for the verbs that take many.
 */
gboolean
clip_id_add_line (GArray *ids, const char *line, gsize length, GError **error)
{
  gint64 id;

  if (length > 0 && line[length - 1] == '\n')
    length--;
  if (length > 0 && line[length - 1] == '\r')
    length--;
  if (!clip_id_from_line (line, length, &id, error))
    return clip_id_refuse (line, length, "extract id: ", error);
  g_array_append_val (ids, id);
  return TRUE;
}

/* in the words of the existing tool, where they are known; returns %FALSE */
gboolean
clip_id_read_fault (GError **error, int code)
{
  if (code != EISDIR)
    return clip_set_errno (error, code, "read stdin");
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_INVALID_ARGUMENT,
               "read stdin: read /dev/stdin: is a directory");
  return FALSE;
}

/**
 * clip_id_read_lines:
 * @ids: (element-type gint64): the id of each line of standard input is added
 *
 * Errors: those of clip_id_add_line(), %G_FILE_ERROR.
 */
gboolean
clip_id_read_lines (GArray *ids, GError **error)
{
  FILE *in = clip_standard_input_stream ();
  char *line = NULL;
  gsize size = 0;
  gssize length;
  gboolean fine = TRUE;

  errno = 0;
  while (fine && (length = getline (&line, &size, in)) >= 0 && !ferror (in))
    fine = clip_id_add_line (ids, line, (gsize) length, error);
  free (line);
  if (fine && ferror (in))
    return clip_id_read_fault (error, errno);
  return fine;
}

/* whether @word is an id, as the verbs that the existing tool does not have want it */
gboolean
clip_id_parse (const char *word, gint64 *out_id)
{
  return !atoi_fault (word, strlen (word), out_id) && *out_id > 0;
}
