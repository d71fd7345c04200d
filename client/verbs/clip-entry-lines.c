/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entries as lines. A page is read into memory, and written when the database is let go:
 * however long the reader of the lines takes, it holds nothing up.
 */
#include "clip-entry-lines.h"

#include "clip-cells.h"
#include "clip-direct.h"
#include "clip-output.h"
#include "clip-row.h"
#include "clip-wide.h"
#include "clip-words.h"

#include <string.h>

/* about what the reader puts on a page */
#define PAGE_BYTES (256 * 1024)

/* many a reader wants these and no more; each page is twice as long as the one before, so
 * that one who has gone is noticed soon */
#define FIRST_ROWS 50
#define MOST_ROWS 4096

/* of a terminal: how far apart its tabs are, and the least of a preview that says
   something */
#define TAB_CELLS 8
#define LEAST_CELLS 10

typedef struct
{
  ClipReader *reader;
  GString *text;
  ClipRowFormat format;
  gint64 width;
  guint columns; /* that a line may take; 0 = any number */
  guint64 n_rows;
} Page;

/* The lines of `list` in a pipe are those of the existing tool. A search has none to
 * keep: what reads it may be `grep`, and that writes to a terminal. */
static ClipRowFormat
format_of (const ClipCommand *command, gboolean is_search)
{
  if (clip_command_has (command, CLIP_OPTION_JSON))
    return CLIP_FORMAT_JSON;
  if (clip_output_is_terminal ())
    return clip_output_has_styles () ? CLIP_FORMAT_MARKED : CLIP_FORMAT_TERMINAL;
  if (clip_command_has (command, CLIP_OPTION_NULL))
    return CLIP_FORMAT_NUL;
  return is_search ? CLIP_FORMAT_TERMINAL : CLIP_FORMAT_LINE;
}

/* a line that begins at @start; what stands before its tab is an id, which is never
   cut */
static void
fit (GString *text, gsize start, guint columns)
{
  const char *tab = strchr (text->str + start, '\t');
  gsize before = tab ? (gsize) (tab - text->str) - start : 0;
  gsize taken = (before / TAB_CELLS + 1) * TAB_CELLS;

  if (!tab || columns < taken + LEAST_CELLS)
    return;
  g_string_truncate (text, text->len - strlen ("\n"));
  clip_cells_cut (text, start + before + strlen ("\t"), columns - taken);
  g_string_append_c (text, '\n');
}

static gboolean
on_row (const ClipRow *row, gpointer user_data)
{
  Page *page = user_data;
  gsize start = page->text->len;
  gint64 width = page->width;
  ClipRow whole = *row;
  g_autofree char *wide = NULL;

  /* where a match is shown, a part of the text is chosen by characters */
  if (row->text && page->columns >= TAB_CELLS + LEAST_CELLS)
    width = MIN (width, (gint64) page->columns - TAB_CELLS);
  if (page->format != CLIP_FORMAT_JSON && !row->text && clip_wide_is (row, width))
    wide = clip_wide_preview (page->reader, row, width);
  if (wide)
    {
      whole.preview = wide;
      whole.preview_length = strlen (wide);
    }
  page->n_rows++;
  clip_row_append (page->text, &whole, page->format, width);
  if (page->columns > 0)
    fit (page->text, start, page->columns);
  return TRUE;
}

/* a line of the terminal, where no other width was asked for */
static void
set_width (Page *page, const ClipCommand *command)
{
  page->width = clip_settings_number (command->settings, CLIP_SETTING_PREVIEW_WIDTH);
  if ((page->format != CLIP_FORMAT_TERMINAL && page->format != CLIP_FORMAT_MARKED) ||
      clip_settings_origin (command->settings, CLIP_SETTING_PREVIEW_WIDTH) !=
          CLIP_FROM_DEFAULT)
    return;
  page->columns = clip_output_columns ();
}

static gboolean
print_pages (ClipReader *reader, ClipQuery *query, Page *page, GError **error)
{
  /* lines made of contents are read one by one: each may be large, and keeps a read
     open */
  const gint64 most = page->width > CLIP_WIDE_WIDTH ? 1 : MOST_ROWS;
  gboolean more = TRUE;

  for (query->page_rows = MIN (FIRST_ROWS, most); more;
       query->page_rows = MIN (query->page_rows * 2, most))
    {
      g_string_truncate (page->text, 0);
      if (!clip_reader_page (reader, query, on_row, page, &more, error) ||
          !clip_output_write (page->text->str, page->text->len, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
write_rows (const char *text,
            gsize length,
            gpointer user_data G_GNUC_UNUSED,
            GError **error)
{
  return clip_output_write (text, length, error);
}

/**
 * clip_entry_lines_print_icons:
 * @icons: how the picker reads pictures
 *
 * As clip_entry_lines_print(), with thumbnails. Returns: the exit status
 */
int
clip_entry_lines_print_icons (const ClipCommand *command,
                              ClipQuery *query,
                              ClipIcons icons)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  const ClipPickerRows rows = {
    .reader = reader,
    .store = command->store,
    .icons = icons,
    .format = clip_output_is_terminal () ? CLIP_FORMAT_TERMINAL : CLIP_FORMAT_LINE,
    .width = clip_settings_number (command->settings, CLIP_SETTING_PREVIEW_WIDTH),
    .separator = '\t',
    .write = write_rows,
  };

  query->brief = TRUE;
  return reader && clip_picker_rows_write (&rows, query, &error)
             ? CLIP_EXIT_DONE
             : clip_command_fail (error);
}

static void
tell_nothing (ClipReader *reader, const ClipQuery *query)
{
  if (!clip_direct_has_entries (reader))
    clip_command_tell (_ ("The history is empty."));
  else if (query->mime && !strchr (query->mime, '/'))
    clip_command_tell (_ ("No entry matches: a type is like image/png, and image/* means "
                          "all images."));
  else
    clip_command_tell (_ ("No entry matches."));
}

/**
 * clip_entry_lines_print:
 * @query: which entries; moves on as they are printed
 *
 * Prints them in the format that @command asks for. Returns: the exit status
 */
int
clip_entry_lines_print (const ClipCommand *command, ClipQuery *query)
{
  g_autoptr (GString) text = g_string_sized_new (PAGE_BYTES + PAGE_BYTES / 8);
  g_autoptr (GError) error = NULL;
  g_autoptr (ClipReader) reader = clip_direct_open (command, &error);
  Page page = {
    .reader = reader,
    .text = text,
    .format = format_of (command, query->words != NULL),
  };

  set_width (&page, command);
  /* a line of the list shows little, and half of what a row costs is its columns */
  query->with_tags = page.format == CLIP_FORMAT_JSON;
  query->brief = page.format != CLIP_FORMAT_JSON && !query->words && !query->regex;
  if (!reader || !print_pages (reader, query, &page, &error))
    return clip_command_fail (error);
  if (query->n_given_up > 0)
    g_printerr (P_ ("%u entry was left out: the expression takes too long in it\n",
                    "%u entries were left out: the expression takes too long in "
                    "them\n",
                    query->n_given_up),
                query->n_given_up);
  if (clip_output_is_terminal () && page.n_rows == 0)
    tell_nothing (reader, query);
  return CLIP_EXIT_DONE;
}
