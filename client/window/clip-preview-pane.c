/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * More of one entry than its row has: the beginning of a text, a larger picture, the
 * paths of files, the colour that a text names. Of a content however large only its
 * beginning is read.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-preview-pane.h"

#include "clip-entry-words.h"
#include "clip-failure-words.h"
#include "clip-word-marks.h"
#include "clip-words.h"

#include <string.h>

#define TEXT_BYTES (64 << 10)

/* of one line: laying out more of it takes longer than a frame */
#define LINE_CHARACTERS 2000

/* the longest name of a colour */
#define COLOUR_BYTES 64

/* in pixels, for screens of scale 2 */
#define PICTURE_SIZE 640

/* tags of the text */
#define PLAIN "plain"
#define FOUND "found"

/* where in the pane what was found comes to stand */
#define FOUND_AT 0.3

struct _ClipPreviewPane
{
  GtkWidget parent_instance;
  GCancellable *asked; /* (nullable): what is on its way */
  gboolean is_files;   /* that is */
  ClipWordMark found;  /* in that, where the daemon says so */
  char **lines;        /* (nullable): as they were copied, of what is shown */
  gboolean is_cut;     /* there are more of them */
  guint scroll_tick; /* to the first of what was found in the text, once there is room */
  guint scroll_idle; /* and lines are laid out */
  GtkPicture *picture;
  GtkTextView *text;
  GtkWidget *scroller; /* around it */
  GtkLabel *about;
};

G_DEFINE_FINAL_TYPE (ClipPreviewPane, clip_preview_pane, GTK_TYPE_WIDGET)

/* a picture alone has all of the room */
static void
share_room (ClipPreviewPane *self)
{
  gboolean is_empty =
      gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (self->text)) == 0;

  gtk_widget_set_visible (
      self->scroller, !is_empty || !gtk_widget_get_visible (GTK_WIDGET (self->picture)));
}

static void
forget_scroll (ClipPreviewPane *self)
{
  g_clear_handle_id (&self->scroll_idle, g_source_remove);
  if (self->scroll_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self->text), self->scroll_tick);
  self->scroll_tick = 0;
}

/* a long word is broken as it is: a hyphen there would be taken for its own */
static void
set_text (ClipPreviewPane *self, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter start;

  forget_scroll (self);
  gtk_text_buffer_set_text (buffer, "", 0);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_insert_with_tags_by_name (buffer, &start, text, -1, PLAIN, NULL);
  share_room (self);
}

static void
set_picture (ClipPreviewPane *self, GdkTexture *texture)
{
  gtk_picture_set_paintable (self->picture, texture ? GDK_PAINTABLE (texture) : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->picture), texture != NULL);
  share_room (self);
}

/* a picture of one pixel, as large as there is room */
static void
show_colour (ClipPreviewPane *self, const char *text)
{
  g_autofree char *name = g_strstrip (g_strndup (text, COLOUR_BYTES));
  g_autoptr (GBytes) pixel = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GdkRGBA colour;
  guint8 bytes[4];

  if (!gdk_rgba_parse (&colour, name))
    return;
  bytes[0] = (guint8) (colour.red * 255);
  bytes[1] = (guint8) (colour.green * 255);
  bytes[2] = (guint8) (colour.blue * 255);
  bytes[3] = (guint8) (colour.alpha * 255);
  pixel = g_bytes_new (bytes, sizeof bytes);
  texture = gdk_memory_texture_new (1, 1, GDK_MEMORY_R8G8B8A8, pixel, sizeof bytes);
  gtk_picture_set_content_fit (self->picture, GTK_CONTENT_FIT_FILL);
  set_picture (self, texture);
}

/* (transfer full): the path that a line of a list of files names; one of another machine
   stays an address */
static char *
name_path (const char *line)
{
  g_autofree char *host = NULL;
  g_autofree char *path = g_filename_from_uri (line, &host, NULL);

  return path && !host ? g_filename_display_name (path) : g_strdup (line);
}

/* (transfer full): a character that is cut at the end, and all others that are none,
   become signs */
static char **
read_lines (const char *data, gsize length, gboolean is_files)
{
  g_autofree char *valid = g_utf8_make_valid (data ?: "", (gssize) length);
  char **lines = g_strsplit (valid, "\n", -1);

  for (guint i = 0; is_files && lines[i]; i++)
    {
      g_autofree char *line = g_strchomp (lines[i]);

      lines[i] = name_path (line);
    }
  return lines;
}

/* (transfer full): character for character what @line has, up to where it is cut */
static char *
show_line (const char *line)
{
  g_autofree char *safe = clip_entry_words_safe (line);

  if (g_str_has_suffix (line, "\r"))
    safe[strlen (safe) - strlen ("\uFFFD")] = '\0';
  if (g_utf8_strlen (safe, -1) <= LINE_CHARACTERS)
    return g_steal_pointer (&safe);
  *g_utf8_offset_to_pointer (safe, LINE_CHARACTERS) = '\0';
  return g_strconcat (safe, "…", NULL);
}

/* (transfer full) */
static char *
show_lines (char **lines, gboolean is_cut)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; lines[i]; i++)
    {
      g_autofree char *line = show_line (lines[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? "\n" : "", line);
    }
  if (is_cut && !g_str_has_suffix (out->str, "…"))
    g_string_append (out, "…");
  return g_string_free (out, FALSE);
}

/* Returns: where in the text of @data stands what begins at @at in that */
static gsize
place_in_text (const char *data, gsize length, gsize at)
{
  g_auto (GStrv) lines = read_lines (data, MIN (at, length), FALSE);
  g_autofree char *before = show_lines (lines, FALSE);

  return strlen (before);
}

/* behind GTK's own laying out of lines, without which it does not know where they are */
static gboolean
on_laid_out (gpointer user_data)
{
  ClipPreviewPane *self = user_data;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextMark *mark = gtk_text_buffer_get_mark (buffer, FOUND);
  GtkTextIter found;
  GdkRectangle place;
  int y;

  self->scroll_idle = 0;
  gtk_text_buffer_get_iter_at_mark (buffer, &found, mark);
  gtk_text_view_get_iter_location (self->text, &found, &place);
  gtk_text_view_buffer_to_window_coords (self->text, GTK_TEXT_WINDOW_WIDGET, 0, place.y,
                                         NULL, &y);
  if (y < 0 || y + place.height > gtk_widget_get_height (GTK_WIDGET (self->text)))
    gtk_text_view_scroll_to_mark (self->text, mark, 0, TRUE, 0, FOUND_AT);
  return G_SOURCE_REMOVE;
}

/* of a pane that was never seen before nothing is on the screen */
static gboolean
on_frame (GtkWidget *text, GdkFrameClock *clock, gpointer user_data)
{
  ClipPreviewPane *self = user_data;

  if (gtk_widget_get_height (text) == 0)
    return G_SOURCE_CONTINUE;
  self->scroll_tick = 0;
  self->scroll_idle = g_idle_add (on_laid_out, self);
  return G_SOURCE_REMOVE;
}

/* all that is searched for, and the first of it is to be seen */
static void
mark_text (ClipPreviewPane *self,
           CliphistHistory *history,
           const char *text,
           ClipWordMark first)
{
  g_autoptr (CliphistQuery) query = NULL;
  g_autoptr (GArray) marks = NULL;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter from, to;
  gsize at = 0;

  g_object_get (history, "query", &query, NULL);
  marks = clip_word_marks_find (query, text, first);
  gtk_text_buffer_get_start_iter (buffer, &from);
  for (guint i = 0; i < marks->len; i++)
    {
      const ClipWordMark *mark = &g_array_index (marks, ClipWordMark, i);

      gtk_text_iter_forward_chars (
          &from, (int) g_utf8_pointer_to_offset (text + at, text + mark->start));
      at = mark->start;
      to = from;
      gtk_text_iter_forward_chars (
          &to, (int) g_utf8_pointer_to_offset (text + at, text + mark->end));
      gtk_text_buffer_apply_tag_by_name (buffer, FOUND, &from, &to);
      if (i == 0)
        gtk_text_buffer_move_mark_by_name (buffer, FOUND, &from);
    }
  if (marks->len > 0)
    self->scroll_tick =
        gtk_widget_add_tick_callback (GTK_WIDGET (self->text), on_frame, self, NULL);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipPreviewPane) self = user_data;
  g_autoptr (GError) error = NULL;
  guint64 size = 0;
  g_autoptr (GBytes) bytes = cliphist_history_load_bytes_finish (
      CLIPHIST_HISTORY (source), result, &size, &error);
  g_autofree char *text = NULL;
  ClipWordMark first = { 0 };
  const char *data;
  gsize length;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (!bytes)
    {
      set_text (self, clip_failure_words (error));
      return;
    }
  data = g_bytes_get_data (bytes, &length);
  self->lines = read_lines (data, length, self->is_files);
  self->is_cut = size > length;
  text = show_lines (self->lines, self->is_cut);
  if (size <= COLOUR_BYTES)
    show_colour (self, text);
  set_text (self, text);
  if (self->found.end > self->found.start)
    first = (ClipWordMark){ place_in_text (data, length, self->found.start),
                            place_in_text (data, length, self->found.end) };
  mark_text (self, CLIPHIST_HISTORY (source), text, first);
}

static void
on_picture (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipPreviewPane) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) png =
      cliphist_history_thumbnail_finish (CLIPHIST_HISTORY (source), result, &error);
  g_autoptr (GdkTexture) texture = png ? gdk_texture_new_from_bytes (png, NULL) : NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  gtk_picture_set_content_fit (self->picture, GTK_CONTENT_FIT_CONTAIN);
  set_picture (self, texture);
  if (!texture)
    set_text (self, _ ("There is no preview of this entry."));
}

void
clip_preview_pane_clear (ClipPreviewPane *self)
{
  if (self->asked)
    g_cancellable_cancel (self->asked);
  g_clear_object (&self->asked);
  g_clear_pointer (&self->lines, g_strfreev);
  set_picture (self, NULL);
  set_text (self, "");
  gtk_label_set_text (self->about, "");
}

/* @entry: (nullable): the one that is shown, as it is now */
void
clip_preview_pane_show_about (ClipPreviewPane *self, CliphistEntry *entry)
{
  g_autofree char *about =
      entry ? clip_entry_words_about (entry, g_get_real_time ()) : NULL;

  gtk_label_set_text (self->about, about ?: "");
}

/**
 * clip_preview_pane_show:
 * @entry: (nullable): nothing
 */
void
clip_preview_pane_show (ClipPreviewPane *self,
                        CliphistHistory *history,
                        CliphistEntry *entry)
{
  CliphistKind kind;
  guint64 id, start, end;

  clip_preview_pane_clear (self);
  if (!entry)
    return;
  g_object_get (entry, "kind", &kind, "id", &id, "match-start", &start, "match-end", &end,
                NULL);
  clip_preview_pane_show_about (self, entry);
  self->asked = g_cancellable_new ();
  self->is_files = kind == CLIPHIST_KIND_FILES;
  self->found = self->is_files ? (ClipWordMark){ 0 } : (ClipWordMark){ start, end };
  if (kind == CLIPHIST_KIND_IMAGE)
    cliphist_history_thumbnail_async (history, id, PICTURE_SIZE, self->asked, on_picture,
                                      g_object_ref (self));
  else if (kind == CLIPHIST_KIND_OTHER)
    set_text (self, _ ("There is no preview of this entry."));
  else
    cliphist_history_load_bytes_async (history, id, NULL, TEXT_BYTES, self->asked,
                                       on_text, g_object_ref (self));
}

/* Returns: where in the line of that number stands what is at @iter of the pane */
static const char *
find_copied (ClipPreviewPane *self, const GtkTextIter *iter, guint *out_line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  g_autofree char *before = NULL;
  const char *column, *line;
  GtkTextIter start;
  glong n;

  gtk_text_buffer_get_start_iter (buffer, &start);
  column = before = gtk_text_buffer_get_text (buffer, &start, iter, TRUE);
  *out_line = 0;
  for (const char *end; (end = strchr (column, '\n')); column = end + 1)
    (*out_line)++;
  line = self->lines[*out_line];
  n = g_utf8_strlen (column, -1);
  /* behind the sign of what is cut */
  if (n > LINE_CHARACTERS || n > g_utf8_strlen (line, -1))
    return line + strlen (line);
  return g_utf8_offset_to_pointer (line, n);
}

/* (transfer full): as it was copied, with what is cut from a line */
static char *
read_chosen (ClipPreviewPane *self, const GtkTextIter *start, const GtkTextIter *end)
{
  guint first, last;
  const char *from = find_copied (self, start, &first);
  const char *to = find_copied (self, end, &last);
  GString *out = g_string_new (NULL);

  for (guint i = first; i < last; i++)
    {
      g_string_append_printf (out, "%s\n", from);
      from = self->lines[i + 1];
    }
  g_string_append_len (out, from, to - from);
  return g_string_free (out, FALSE);
}

/* all of what is only a beginning stands for the entry */
static void
on_copy (ClipPreviewPane *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  if (!self->lines || !gtk_text_buffer_get_selection_bounds (buffer, &start, &end))
    return;
  g_signal_stop_emission_by_name (self->text, "copy-clipboard");
  if (self->is_cut && gtk_text_iter_is_start (&start) && gtk_text_iter_is_end (&end))
    {
      gtk_widget_activate_action (GTK_WIDGET (self), "history.copy", NULL);
      return;
    }
  text = read_chosen (self, &start, &end);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

/* whether something was chosen in it, which is on the clipboard then */
gboolean
clip_preview_pane_copy (ClipPreviewPane *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->text)) ||
      !gtk_text_buffer_get_has_selection (gtk_text_view_get_buffer (self->text)))
    return FALSE;
  g_signal_emit_by_name (self->text, "copy-clipboard");
  return TRUE;
}

static void
clip_preview_pane_dispose (GObject *object)
{
  ClipPreviewPane *self = CLIP_PREVIEW_PANE (object);

  if (self->asked)
    g_cancellable_cancel (self->asked);
  g_clear_object (&self->asked);
  g_clear_pointer (&self->lines, g_strfreev);
  forget_scroll (self);
  while (gtk_widget_get_first_child (GTK_WIDGET (self)))
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  G_OBJECT_CLASS (clip_preview_pane_parent_class)->dispose (object);
}

static void
clip_preview_pane_class_init (ClipPreviewPaneClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_preview_pane_dispose;
  gtk_widget_class_set_css_name (widget, "preview-pane");
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-preview-pane.ui");
  gtk_widget_class_bind_template_child (widget, ClipPreviewPane, picture);
  gtk_widget_class_bind_template_child (widget, ClipPreviewPane, text);
  gtk_widget_class_bind_template_child (widget, ClipPreviewPane, scroller);
  gtk_widget_class_bind_template_child (widget, ClipPreviewPane, about);
  gtk_widget_class_bind_template_callback (widget, on_copy);
}

static void
clip_preview_pane_init (ClipPreviewPane *self)
{
  GtkTextBuffer *buffer;
  GtkTextIter start;

  gtk_widget_init_template (GTK_WIDGET (self));
  buffer = gtk_text_view_get_buffer (self->text);
  gtk_text_buffer_create_tag (buffer, PLAIN, "insert-hyphens", FALSE, NULL);
  gtk_text_buffer_create_tag (buffer, FOUND, "weight", PANGO_WEIGHT_BOLD, "underline",
                              PANGO_UNDERLINE_SINGLE, NULL);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_create_mark (buffer, FOUND, &start, TRUE);
}
