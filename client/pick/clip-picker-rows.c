/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The lines of the list with the thumbnail of an image in each, in the way that a picker
 * wants. What it prints when a row was chosen is still a line that `decode` and `delete`
 * understand.
 */
#include "clip-picker-rows.h"

#include "clip-fd.h"
#include "clip-preview.h"
#include "clip-spoken-row.h"
#include "clip-thumbnails.h"

#include <string.h>

/* each page is twice as long as the one before: the first comes up at once */
#define FIRST_ROWS 50
#define MOST_ROWS 1000

/* of a text, that a picker can search beside what it shows */
#define HIDDEN_BYTES 4096

/* wider than any terminal */
#define FAR_CELLS 600

#define PINNED_MARK "\xE2\x97\x8F " /* a black circle */

typedef struct
{
  gint64 id;
  gboolean is_image;
  gboolean is_longer; /* a text of which there is more than is shown */
  gsize end;          /* in the text */
} Row;

typedef struct
{
  const ClipPickerRows *how;
  ClipThumbnails *thumbnails; /* NULL without icons */
  GString *text;              /* the lines, without line feeds */
  GArray *rows;
  GString *out;
  gint64 now_us;
} Page;

gboolean
clip_icons_from_name (const char *name, ClipIcons *out_icons)
{
  if (g_str_equal (name, "rofi") || g_str_equal (name, "fuzzel"))
    *out_icons = CLIP_ICONS_ROFI;
  else if (g_str_equal (name, "wofi"))
    *out_icons = CLIP_ICONS_WOFI;
  else
    return FALSE;
  return TRUE;
}

static gboolean
on_row (const ClipRow *row, gpointer user_data)
{
  Page *page = user_data;
  const ClipPickerRows *how = page->how;
  Row noted = { row->id, row->kind == CLIP_CLASS_IMAGE,
                row->kind == CLIP_CLASS_TEXT && row->size > how->width, 0 };
  gsize start = page->text->len, tab;

  if (how->speaks)
    {
      g_string_append_printf (page->text, "%" G_GINT64_FORMAT "\t", row->id);
      clip_spoken_row_append (page->text, row, how->width, page->now_us);
    }
  else
    {
      clip_row_append (page->text, row, how->format, how->width);
      g_string_truncate (page->text, page->text->len - 1);
    }
  tab = start + strcspn (page->text->str + start, "\t");
  if (how->speaks && row->pinned)
    g_string_insert (page->text, (gssize) tab + 1, PINNED_MARK);
  if (how->ids)
    {
      g_string_erase (page->text, (gssize) start, (gssize) (tab + 1 - start));
      g_array_append_val (how->ids, noted.id);
    }
  else
    page->text->str[tab] = how->separator;
  noted.end = page->text->len;
  g_array_append_val (page->rows, noted);
  return TRUE;
}

/* A row of wofi is a list of names and values between colons, and a text that has such a
 * name in it could have any file shown. It is only shown, so another colon does as
 * well. */
static void
append_for_wofi (GString *out, const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (text[i] == ':')
      g_string_append (out, "\xE2\x88\xB6");
    else
      g_string_append_c (out, text[i]);
}

/* the beginning of a text, on one line; nothing of one that cannot be read */
static void
append_head (Page *page, gint64 id)
{
  g_autoptr (ClipPayload) payload =
      clip_reader_open_content (page->how->reader, id, NULL, NULL);
  gsize length = payload ? (gsize) MIN (payload->size, HIDDEN_BYTES) : 0;
  g_autofree char *head = g_malloc (length + 1);

  if (!payload)
    return;
  if (payload->bytes)
    memcpy (head, g_bytes_get_data (payload->bytes, NULL), length);
  else if (!clip_read_exactly (payload->fd, head, length, 0, NULL))
    return;
  for (gsize i = 0; i < length; i++)
    if (g_ascii_isspace (head[i]))
      head[i] = ' ';
  clip_preview_append_safe (page->out, head, length, -1);
}

static void
append_hidden (Page *page, const Row *row, gboolean has_field)
{
  if (!row->is_longer || page->how->hidden == CLIP_HIDDEN_NONE)
    return;
  if (page->how->hidden == CLIP_HIDDEN_FAR)
    g_string_append_printf (page->out, "%*s", FAR_CELLS, "");
  else if (has_field)
    g_string_append (page->out, "\x1fmeta\x1f");
  else
    g_string_append_len (page->out, "\0meta\x1f", 6);
  append_head (page, row->id);
}

static void
append_row (Page *page, const Row *row, const char *text, gsize length, const char *path)
{
  gboolean is_wofi = page->how->icons == CLIP_ICONS_WOFI;

  if (is_wofi && path)
    g_string_append_printf (page->out, "img:%s:text:", path);
  if (is_wofi)
    append_for_wofi (page->out, text, length);
  else
    g_string_append_len (page->out, text, (gssize) length);
  if (path && !is_wofi)
    {
      g_string_append_len (page->out, "\0icon\x1f", 6);
      g_string_append (page->out, path);
    }
  append_hidden (page, row, path != NULL);
  g_string_append_c (page->out, '\n');
}

/* all are asked for before the first is waited for, since several are made at a time */
static void
fill_out (Page *page)
{
  gsize start = 0;

  g_string_truncate (page->out, 0);
  for (guint i = 0; page->thumbnails && i < page->rows->len; i++)
    if (g_array_index (page->rows, Row, i).is_image)
      clip_thumbnails_ask (page->thumbnails, g_array_index (page->rows, Row, i).id);
  for (guint i = 0; i < page->rows->len; i++)
    {
      const Row *row = &g_array_index (page->rows, Row, i);
      const char *path = page->thumbnails && row->is_image
                             ? clip_thumbnails_await (page->thumbnails, row->id)
                             : NULL;

      append_row (page, row, page->text->str + start, row->end - start, path);
      start = row->end;
    }
}

static gboolean
write_pages (Page *page, ClipQuery *query, GError **error)
{
  gboolean more = TRUE;

  for (query->page_rows = FIRST_ROWS; more;
       query->page_rows = MIN (query->page_rows * 2, MOST_ROWS))
    {
      g_string_truncate (page->text, 0);
      g_array_set_size (page->rows, 0);
      if (!clip_reader_page (page->how->reader, query, on_row, page, &more, error))
        return FALSE;
      fill_out (page);
      if (!page->how->write (page->out->str, page->out->len, page->how->user_data, error))
        return FALSE;
    }
  return TRUE;
}

/**
 * clip_picker_rows_write:
 * @query: which entries; moves on as they are written
 *
 * Errors: as clip_reader_page() and the writing.
 */
gboolean
clip_picker_rows_write (const ClipPickerRows *self, ClipQuery *query, GError **error)
{
  g_autoptr (ClipThumbnails) thumbnails = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (Row));
  Page page = {
    .how = self, .text = text, .rows = rows, .out = out, .now_us = g_get_real_time ()
  };

  if (self->icons != CLIP_ICONS_NONE)
    thumbnails = clip_thumbnails_new (self->store, self->reader, CLIP_THUMBNAIL_FILE);
  page.thumbnails = thumbnails;
  return write_pages (&page, query, error);
}
