/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The part of a text in which something was found, as one line: from its beginning where
 * that shows the match, else from a little before the match. Like the preview it has
 * runs of white space as one blank, and only valid UTF-8.
 */
#include "clip-snippet.h"

#include "clip-preview.h"
#include "clip-utf8.h"

#define MARK_ON "\033[1;7m"
#define MARK_OFF "\033[0m"

/* how many characters are shown before a match that is far from the beginning, at most;
 * of a narrow line, a quarter */
#define BEFORE 24

typedef struct
{
  GString *out;
  ClipSnippetStyle style;
  gint64 room; /* characters; below 0: any number */
  gboolean begun;
  gboolean blank;    /* white space was seen since the last character */
  gsize match_start; /* in @out, of a style that says where */
  gsize match_end;
} Line;

static gsize
step_over (const ClipRow *row, gsize at, gunichar *c)
{
  gsize step =
      clip_utf8_decode ((const guint8 *) row->text + at, row->text_length - at, c);

  return MAX (step, 1);
}

/* whether the match ends within so many characters from the beginning */
static gboolean
is_near (const ClipRow *row, gint64 width)
{
  gsize at = 0;
  gunichar c;

  for (gint64 n = 0; n < width && at < row->match_end; n++)
    at += step_over (row, at, &c);
  return at >= row->match_end;
}

/**
 * clip_snippet_start:
 * @row: one that was found by its text
 * @width: as in clip_snippet_append()
 *
 * Returns: the byte of the text with which its snippet begins
 */
gsize
clip_snippet_start (const ClipRow *row, gint64 width)
{
  gsize start = row->match_start;

  if (width < 0 || is_near (row, width))
    return 0;
  for (gint64 n = MIN (width / 4, BEFORE); n > 0 && start > 0; n--)
    do
      start--;
    while (start > 0 && (row->text[start] & 0xC0) == 0x80);
  return start;
}

static void
put_one (Line *self, gunichar c)
{
  char utf8[6];
  int length = g_unichar_to_utf8 (c, utf8);

  if (self->style == CLIP_SNIPPET_PLAIN)
    g_string_append_len (self->out, utf8, length);
  else
    clip_preview_append_safe (self->out, utf8, (gsize) length, -1);
  self->room -= self->room > 0;
  self->begun = TRUE;
}

static void
put_char (Line *self, gunichar c)
{
  if (c == 0)
    return;
  if (clip_utf8_is_space (c))
    {
      self->blank = self->begun;
      return;
    }
  if (self->blank)
    put_one (self, ' ');
  self->blank = FALSE;
  if (self->room != 0)
    put_one (self, c);
}

/* the blank before a match is none of it */
static void
put_mark (Line *self, const char *mark, gsize *out_place)
{
  if (self->style < CLIP_SNIPPET_PLACED)
    return;
  if (self->blank && self->room != 0)
    put_one (self, ' ');
  self->blank = FALSE;
  if (self->style == CLIP_SNIPPET_MARKED)
    g_string_append (self->out, mark);
  *out_place = self->out->len;
}

static void
append (Line *line, const ClipRow *row, gint64 width)
{
  gsize at = clip_snippet_start (row, width);
  gboolean marked = FALSE;

  if (at > 0)
    g_string_append (line->out, CLIP_UTF8_ELLIPSIS);
  while (at < row->text_length && line->room != 0)
    {
      gunichar c;

      if (at >= row->match_start && at < row->match_end && !marked)
        {
          put_mark (line, MARK_ON, &line->match_start);
          marked = TRUE;
        }
      else if (at >= row->match_end && marked)
        {
          put_mark (line, MARK_OFF, &line->match_end);
          marked = FALSE;
        }
      at += step_over (row, at, &c);
      put_char (line, c);
    }
  if (marked && line->style == CLIP_SNIPPET_MARKED)
    g_string_append (line->out, MARK_OFF);
  if (marked)
    line->match_end = line->out->len;
  if (at < row->text_length)
    g_string_append (line->out, CLIP_UTF8_ELLIPSIS);
}

/**
 * clip_snippet_append:
 * @row: one that was found by its text
 * @width: characters; what is left out at either end becomes an ellipsis; below 0:
 * all
 */
void
clip_snippet_append (GString *out,
                     const ClipRow *row,
                     gint64 width,
                     ClipSnippetStyle style)
{
  Line line = { .out = out, .style = style, .room = MAX (width, -1) };

  append (&line, row, width);
}

/**
 * clip_snippet_keep:
 * @entry: (inout): gets the line, without control characters, and where the match is in
 * it
 * @row: as in clip_snippet_append(): its text is borrowed, and gone when the caller looks
 * at @entry
 */
void
clip_snippet_keep (ClipEntry *entry, const ClipRow *row, gint64 width)
{
  GString *out = g_string_new (NULL);
  Line line = { .out = out, .style = CLIP_SNIPPET_PLACED, .room = width };

  append (&line, row, width);
  entry->snippet = g_string_free (out, FALSE);
  entry->snippet_start = line.match_start;
  entry->snippet_end = line.match_end;
}
