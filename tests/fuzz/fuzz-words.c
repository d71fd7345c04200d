/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the command reads: the line of a list, an id, a time, a size, flags; and what it
 * shows of a text, or of a list of files. */
#include "fuzz.h"

#include "clip-cells.h"
#include "clip-flags.h"
#include "clip-id.h"
#include "clip-size-fault.h"
#include "clip-text.h"
#include "clip-time-point.h"

#include <string.h>

static void
read_line (const char *line, gsize length)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GError) error = NULL;
  gint64 id = 0;

  if (!clip_id_from_line (line, length, &id, &error))
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpint (clip_id_add_line (ids, line, length, NULL), ==, ids->len == 1);
}

/* a word for each line */
static void
read_flags (const char *text)
{
  const char *given[CLIP_N_SETTINGS];
  g_auto (GStrv) words = g_strsplit (text, "\n", 16);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  if (clip_flags_parse (words, given, &n, &error) == CLIP_FLAGS_WRONG)
    g_assert_nonnull (error);
  g_assert_cmpuint (n, <=, g_strv_length (words));
}

static void
read_word (const char *word)
{
  g_autofree char *fault = clip_size_fault (word);
  gint64 number = 0;

  g_assert_nonnull (fault);

  if (clip_id_parse (word, &number))
    g_assert_cmpint (number, >, 0);
  if (clip_time_point_parse (word, &number))
    g_assert_cmpint (number, >, 0);
}

/* nothing but what a terminal shows */
static void
check_shown (const GString *shown)
{
  const char *end;

  g_assert_true (g_utf8_validate_len (shown->str, shown->len, &end));
  for (const char *c = shown->str; *c; c = g_utf8_next_char (c))
    g_assert_true (*c == '\n' || *c == '\t' || !g_unichar_iscntrl (g_utf8_get_char (c)));
}

static void
show (const char *text, gsize length)
{
  g_autoptr (GString) visible = g_string_new (NULL);
  g_autoptr (GString) uris = g_string_new (NULL);
  g_autoptr (GString) raw = g_string_new_len (text, (gssize) length);
  g_autofree char *quoted = clip_text_quote (text, length);
  gsize cells = length % 40 + 1;

  g_assert_true (g_utf8_validate (quoted, -1, NULL));
  clip_text_append_visible (visible, text, length);
  check_shown (visible);
  clip_text_append_uris (uris, text, length);
  check_shown (uris);
  clip_cells_cut (visible, 0, cells);
  g_assert_cmpuint (clip_cells_count (visible->str, visible->len), <=, cells);
  clip_cells_cut (raw, 0, cells);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize length)
{
  g_autofree char *word = g_strndup ((const char *) data, length);

  read_line ((const char *) data, length);
  read_word (word);
  read_flags (word);
  show ((const char *) data, length);
  return 0;
}
