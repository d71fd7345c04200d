/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text of an entry, or its tags, to be changed. A text that is saved is a new entry
 * in the place of the old one, with its pin, its tags and its expiry.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-entry-editor.h"

#include "clip-choice.h"
#include "clip-entry-words.h"
#include "clip-failure-words.h"
#include "clip-words.h"

#include <string.h>

/* of a text that can be edited here */
#define TEXT_BYTES (1 << 20)

/* of a tag, at most */
#define TAG_BYTES 256

#define BLANKS " \t\n\v\f\r"

#define BETWEEN_TAGS " \t\n,"

struct _ClipEntryEditor
{
  GtkWidget parent_instance;
  CliphistHistory *history; /* (nullable) */
  guint64 id;
  gboolean is_tags;
  gboolean is_formatted; /* more than the text, which is all that is saved */
  GCancellable *asked;   /* (nullable): the text, while it is on its way */
  GtkLabel *heading;
  GtkLabel *of; /* which entry it is */
  GtkTextView *text;
};

G_DEFINE_FINAL_TYPE (ClipEntryEditor, clip_entry_editor, GTK_TYPE_WIDGET)

static void
tell (ClipEntryEditor *self, const char *words)
{
  gtk_label_set_text (self->heading, words);
}

/* what it is, and which key saves it */
static void
tell_what (ClipEntryEditor *self)
{
  if (self->is_tags)
    tell (self, _ ("Tags, with blanks between them. Enter saves."));
  else if (self->is_formatted)
    tell (self,
          _ ("The text of the entry. Ctrl+Enter saves it, without its formatting."));
  else
    tell (self, _ ("The text of the entry. Ctrl+Enter saves."));
}

/* what was said of the text before is not true of this one */
static void
on_typed (ClipEntryEditor *self)
{
  if (gtk_text_view_get_editable (self->text))
    tell_what (self);
}

static void
set_text (ClipEntryEditor *self, const char *text, gboolean can_save)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);

  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_set_modified (buffer, FALSE);
  gtk_text_view_set_editable (self->text, can_save);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "editor.save", can_save);
  /* where it is not, Enter is a line feed */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "editor.save-line", self->is_tags);
}

/* (transfer full) */
static char *
get_text (ClipEntryEditor *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter start, finish;

  gtk_text_buffer_get_bounds (buffer, &start, &finish);
  return gtk_text_buffer_get_text (buffer, &start, &finish, TRUE);
}

static void
on_text_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipEntryEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  guint64 id =
      cliphist_history_set_text_finish (CLIPHIST_HISTORY (source), result, &error);

  if (error)
    {
      tell (self, clip_failure_words (error));
      return;
    }
  clip_entry_editor_forget_draft (self);
  gtk_widget_activate_action (GTK_WIDGET (self), "history.saved", "t", id);
}

static void
on_tags_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipEntryEditor) self = user_data;
  g_autoptr (GError) error = NULL;

  cliphist_history_set_tags_finish (CLIPHIST_HISTORY (source), result, &error);
  if (error)
    tell (self, clip_failure_words (error));
  /* or it was left meanwhile */
  else if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (GTK_WIDGET (self), "history.leave", NULL);
}

/* (transfer full): the words of a text; rows show them behind a #, and so they may be
   typed */
static char **
split_tags (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, BETWEEN_TAGS, -1);
  g_autoptr (GStrvBuilder) tags = g_strv_builder_new ();

  for (guint i = 0; words[i]; i++)
    {
      const char *tag = words[i] + (*words[i] == '#' ? 1 : 0);

      if (*tag)
        g_strv_builder_add (tags, tag);
    }
  return g_strv_builder_end (tags);
}

/* As the text that split_tags() makes the same tags of, with a blank behind each, so that
 * what is typed next is another one. What has blanks in it, as others may give it, stays
 * one. */
static char *
join_tags (char **tags)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (; tags && *tags; tags++)
    {
      g_autofree char *word = g_strdelimit (g_strdup (*tags), BETWEEN_TAGS, '-');

      g_string_append_printf (text, "%s%s ", *word == '#' ? "#" : "", word);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
has_long (char **tags)
{
  for (; *tags; tags++)
    if (strlen (*tags) > TAG_BYTES)
      return TRUE;
  return FALSE;
}

static void
on_save (GtkWidget *widget, const char *name, GVariant *nothing)
{
  ClipEntryEditor *self = CLIP_ENTRY_EDITOR (widget);
  g_autofree char *text = get_text (self);
  g_auto (GStrv) tags = self->is_tags ? split_tags (text) : NULL;

  if (tags && has_long (tags))
    tell (self, _ ("One of the tags is too long."));
  else if (self->is_tags)
    cliphist_history_set_tags_async (self->history, self->id, (const char *const *) tags,
                                     NULL, on_tags_saved, g_object_ref (self));
  else if (text[strspn (text, BLANKS)] == '\0')
    tell (self, _ ("There is nothing but blanks in this text: it cannot be kept."));
  else
    cliphist_history_set_text_async (self->history, self->id, text, NULL, on_text_saved,
                                     g_object_ref (self));
}

static void
begin (ClipEntryEditor *self,
       CliphistHistory *history,
       CliphistEntry *entry,
       gboolean is_tags)
{
  ClipWordMark mark;
  g_autofree char *title = clip_entry_words_title (entry, &mark);

  gtk_label_set_text (self->of, title);
  if (self->asked)
    g_cancellable_cancel (self->asked);
  g_clear_object (&self->asked);
  g_set_object (&self->history, history);
  self->id = clip_choice_entry_id (entry);
  self->is_tags = is_tags;
  /* a text may be indented; Ctrl+Tab leaves it */
  gtk_text_view_set_accepts_tab (self->text, !is_tags);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* What was typed into it before, and neither saved nor given up, is there again; that of
 * another entry comes first. Returns: whether there is such */
static gboolean
resume (ClipEntryEditor *self, CliphistEntry *entry, gboolean is_tags)
{
  if (!clip_entry_editor_has_draft (self))
    return FALSE;
  if (self->is_tags != is_tags || self->id != clip_choice_entry_id (entry))
    tell (self, _ ("What was typed before is not saved yet: save it, or cancel."));
  gtk_widget_grab_focus (GTK_WIDGET (self));
  return TRUE;
}

void
clip_entry_editor_edit_tags (ClipEntryEditor *self,
                             CliphistHistory *history,
                             CliphistEntry *entry)
{
  g_auto (GStrv) tags = NULL;
  g_autofree char *text = NULL;

  if (resume (self, entry, TRUE))
    return;
  begin (self, history, entry, TRUE);
  g_object_get (entry, "tags", &tags, NULL);
  text = join_tags (tags);
  tell_what (self);
  set_text (self, text, TRUE);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipEntryEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  guint64 size = 0;
  g_autoptr (GBytes) bytes = cliphist_history_load_bytes_finish (
      CLIPHIST_HISTORY (source), result, &size, &error);
  const char *data = bytes ? g_bytes_get_data (bytes, NULL) : NULL;
  g_autofree char *text = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error)
    tell (self, clip_failure_words (error));
  else if (size > g_bytes_get_size (bytes))
    tell (self, _ ("This text is too large to be edited here."));
  else if (data && g_utf8_validate (data, (gssize) g_bytes_get_size (bytes), NULL))
    {
      text = g_strndup (data, g_bytes_get_size (bytes));
      tell_what (self);
      set_text (self, text, TRUE);
    }
  else
    tell (self, _ ("This entry is not text, so it cannot be edited."));
}

static gboolean
has_formatting (CliphistEntry *entry)
{
  g_auto (GStrv) types = NULL;

  g_object_get (entry, "mime-types", &types, NULL);
  for (guint i = 0; types && types[i]; i++)
    if (g_str_equal (types[i], "text/html") || g_str_has_suffix (types[i], "rtf"))
      return TRUE;
  return FALSE;
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipEntryEditor) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CliphistEntry) entry =
      cliphist_history_lookup_finish (CLIPHIST_HISTORY (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error)
    {
      tell (self, clip_failure_words (error));
      return;
    }
  self->is_formatted = has_formatting (entry);
  cliphist_history_load_bytes_async (CLIPHIST_HISTORY (source), self->id, NULL,
                                     TEXT_BYTES, self->asked, on_loaded,
                                     g_object_ref (self));
}

void
clip_entry_editor_edit_text (ClipEntryEditor *self,
                             CliphistHistory *history,
                             CliphistEntry *entry)
{
  CliphistKind kind;

  if (resume (self, entry, FALSE))
    return;
  begin (self, history, entry, FALSE);
  set_text (self, "", FALSE);
  g_object_get (entry, "kind", &kind, NULL);
  if (kind != CLIPHIST_KIND_TEXT)
    {
      tell (self, _ ("This entry is not text, so it cannot be edited."));
      return;
    }
  tell (self, "");
  self->asked = g_cancellable_new ();
  cliphist_history_lookup_async (history, self->id, self->asked, on_looked_up,
                                 g_object_ref (self));
}

/* whether something was typed since */
gboolean
clip_entry_editor_has_draft (ClipEntryEditor *self)
{
  return gtk_text_buffer_get_modified (gtk_text_view_get_buffer (self->text));
}

void
clip_entry_editor_forget_draft (ClipEntryEditor *self)
{
  gtk_text_buffer_set_modified (gtk_text_view_get_buffer (self->text), FALSE);
}

static void
clip_entry_editor_dispose (GObject *object)
{
  ClipEntryEditor *self = CLIP_ENTRY_EDITOR (object);

  if (self->asked)
    g_cancellable_cancel (self->asked);
  g_clear_object (&self->asked);
  g_clear_object (&self->history);
  while (gtk_widget_get_first_child (GTK_WIDGET (self)))
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  G_OBJECT_CLASS (clip_entry_editor_parent_class)->dispose (object);
}

static gboolean
clip_entry_editor_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (CLIP_ENTRY_EDITOR (widget)->text));
}

static void
clip_entry_editor_class_init (ClipEntryEditorClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_entry_editor_dispose;
  widget->grab_focus = clip_entry_editor_grab_focus;
  gtk_widget_class_install_action (widget, "editor.save", NULL, on_save);
  gtk_widget_class_install_action (widget, "editor.save-line", NULL, on_save);
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-entry-editor.ui");
  gtk_widget_class_bind_template_child (widget, ClipEntryEditor, heading);
  gtk_widget_class_bind_template_child (widget, ClipEntryEditor, of);
  gtk_widget_class_bind_template_child (widget, ClipEntryEditor, text);
}

static void
clip_entry_editor_init (ClipEntryEditor *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_text_view_get_buffer (self->text), "changed",
                           G_CALLBACK (on_typed), self, G_CONNECT_SWAPPED);
}
