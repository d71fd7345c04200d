/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The settings that people change. `cliphist config` reads and writes them: it knows the
 * file, what each may be, and says what is wrong with a value. A switch writes, Enter in
 * a field, and each way out of the field, but for Escape. A value that is wrong is
 * marked, and told of, until it is mended, or given up.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-settings-page.h"

#include "clip-configure.h"
#include "clip-key-press.h"
#include "clip-words.h"

/* of a field: the value that was read or written last, the one that is on its way,
 * whether we wrote what stands in it, with or without success, and what is said of it
 * where it is wrong */
#define KNOWN "known"
#define WRITTEN "written"
#define SENT "sent"
#define WRONG "wrong"

struct _ClipSettingsPage
{
  GtkWidget parent_instance;
  gboolean is_loading;
  gboolean is_leaving; /* once all is saved */
  GtkEditable *max_items;
  GtkEditable *max_age;
  GtkEditable *max_total_size;
  GtkSwitch *notify_copies;
  GtkSwitch *primary;
  GtkLabel *words;
};

G_DEFINE_FINAL_TYPE (ClipSettingsPage, clip_settings_page, GTK_TYPE_WIDGET)

/* --- writing --- */

static gboolean
is_draft (GtkEditable *field)
{
  const char *known = g_object_get_data (G_OBJECT (field), KNOWN);

  return known && !g_str_equal (known, gtk_editable_get_text (field));
}

static gboolean
has (GtkEditable *field, const char *what)
{
  return g_object_get_data (G_OBJECT (field), what) != NULL;
}

/* Returns: (nullable): the first whose value is not saved */
static GtkEditable *
find_draft (ClipSettingsPage *self)
{
  GtkEditable *fields[] = { self->max_items, self->max_age, self->max_total_size };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (is_draft (fields[i]))
      return fields[i];
  return NULL;
}

/* @words: unless there is a value that is wrong */
static void
say (ClipSettingsPage *self, const char *words)
{
  GtkEditable *fields[] = { self->max_items, self->max_age, self->max_total_size };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (has (fields[i], WRONG))
      words = g_object_get_data (G_OBJECT (fields[i]), WRONG);
  gtk_label_set_text (self->words, words);
}

/* @words: (nullable): it is not */
static void
mark_wrong (GtkWidget *field, const char *words)
{
  g_object_set_data_full (G_OBJECT (field), WRONG, g_strdup (words), g_free);
  if (words)
    gtk_widget_add_css_class (field, "error");
  else
    gtk_widget_remove_css_class (field, "error");
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (field), GTK_ACCESSIBLE_STATE_INVALID,
      words ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static void
on_saved (ClipSettingsPage *self, GtkWidget *widget)
{
  const char *written = g_object_get_data (G_OBJECT (widget), WRITTEN);

  g_object_set_data_full (G_OBJECT (widget), KNOWN, g_strdup (written), g_free);
  /* what was wrong may have been the file */
  if (GTK_IS_EDITABLE (widget))
    mark_wrong (widget, NULL);
  say (self, _ ("Saved."));
  if (!find_draft (self) && self->is_leaving && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (GTK_WIDGET (self), "history.leave", NULL);
}

/* where nothing is seen of the page, which closes with the window */
static void
notify (const char *words)
{
  g_autoptr (GNotification) notification = g_notification_new (_ ("Clipboard history"));

  g_notification_set_body (notification, words);
  g_application_send_notification (g_application_get_default (), "setting", notification);
}

/* (transfer full): the command calls a setting as the file does, this page as the label
 * in front of its field */
static char *
say_wrong (GtkWidget *widget, const char *words)
{
  GtkLabel *label = GTK_LABEL (gtk_widget_get_prev_sibling (widget));
  g_autofree char *name = g_strdup_printf (_ ("“%s”"), gtk_label_get_text (label));
  g_auto (GStrv) parts = g_strsplit (words, gtk_widget_get_name (widget), -1);

  return g_strjoinv (name, parts);
}

static void
on_wrong (ClipSettingsPage *self, GtkWidget *widget, const char *error)
{
  g_autofree char *words = say_wrong (widget, error);

  if (GTK_IS_EDITABLE (widget))
    mark_wrong (widget, words);
  gtk_label_set_text (self->words, words);
  if (!gtk_widget_get_mapped (widget))
    notify (words);
  if (self->is_leaving && gtk_widget_get_mapped (widget))
    gtk_widget_grab_focus (widget);
  self->is_leaving = FALSE;
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  GtkWidget *page = gtk_widget_get_ancestor (widget, CLIP_TYPE_SETTINGS_PAGE);
  GSubprocess *program = G_SUBPROCESS (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *answer = NULL;

  if (g_subprocess_communicate_utf8_finish (program, result, &said, NULL, &error))
    answer = clip_key_press_answer (program, said, &error);
  if (!page)
    return;
  if (answer)
    on_saved (CLIP_SETTINGS_PAGE (page), widget);
  else
    on_wrong (CLIP_SETTINGS_PAGE (page), widget, error->message);
}

/* the name of a widget is the key of its setting */
static void
write_setting (ClipSettingsPage *self, GtkWidget *widget, const char *value)
{
  const char *words[] = { "-notify=no", "config", gtk_widget_get_name (widget), value,
                          NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;

  if (self->is_loading)
    return;
  g_object_set_data_full (G_OBJECT (widget), WRITTEN, g_strdup (value), g_free);
  g_object_set_data (G_OBJECT (widget), SENT, widget);
  program = clip_configure_start (words, &error);
  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_written,
                                         g_object_ref (widget));
  else
    on_wrong (self, widget, error->message);
}

static void
on_entry (ClipSettingsPage *self, GtkWidget *entry)
{
  write_setting (self, entry, gtk_editable_get_text (GTK_EDITABLE (entry)));
}

static void
say_what_saves (ClipSettingsPage *self)
{
  say (self, _ ("What you type is saved when you leave the field, but not by Esc."));
}

static void
on_typed (ClipSettingsPage *self, GtkWidget *entry)
{
  g_object_set_data (G_OBJECT (entry), SENT, NULL);
  mark_wrong (entry, NULL);
  if (!self->is_loading)
    say_what_saves (self);
}

/* @but_focused: not what is being typed */
static void
save (ClipSettingsPage *self, gboolean but_focused)
{
  GtkEditable *fields[] = { self->max_items, self->max_age, self->max_total_size };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      gboolean has_focus = (gtk_widget_get_state_flags (GTK_WIDGET (fields[i])) &
                            GTK_STATE_FLAG_FOCUS_WITHIN) != 0;

      if (is_draft (fields[i]) && !has (fields[i], SENT) && !(but_focused && has_focus))
        on_entry (self, GTK_WIDGET (fields[i]));
    }
}

/**
 * clip_settings_page_save_left:
 *
 * Writes what was typed into a field that the focus has left for another.
 */
void
clip_settings_page_save_left (ClipSettingsPage *self)
{
  save (self, TRUE);
}

/**
 * clip_settings_page_leave:
 *
 * Writes what was typed. Where the page is still shown then, and nothing was wrong, it
 * activates "history.leave".
 *
 * Returns: whether there is nothing to be written
 */
gboolean
clip_settings_page_leave (ClipSettingsPage *self)
{
  self->is_leaving = clip_settings_page_has_draft (self);
  save (self, FALSE);
  return !self->is_leaving;
}

/* what was typed, and is not saved, is not to be */
void
clip_settings_page_forget_draft (ClipSettingsPage *self)
{
  GtkEditable *draft;

  while ((draft = find_draft (self)))
    {
      g_object_set_data (G_OBJECT (draft), KNOWN, NULL);
      mark_wrong (GTK_WIDGET (draft), NULL);
    }
}

/* whether something was typed that is not saved, or not yet */
gboolean
clip_settings_page_has_draft (ClipSettingsPage *self)
{
  return find_draft (self) != NULL;
}

/* whether all that is not saved has been told to be wrong: who leaves gives it up */
gboolean
clip_settings_page_is_told_wrong (ClipSettingsPage *self)
{
  GtkEditable *fields[] = { self->max_items, self->max_age, self->max_total_size };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    if (is_draft (fields[i]) && !has (fields[i], WRONG))
      return FALSE;
  return find_draft (self) != NULL;
}

static void
on_switch (ClipSettingsPage *self, GParamSpec *spec, GtkWidget *toggle)
{
  write_setting (self, toggle,
                 gtk_switch_get_active (GTK_SWITCH (toggle)) ? "yes" : "no");
}

/* --- reading --- */

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  GtkWidget *page = gtk_widget_get_ancestor (widget, CLIP_TYPE_SETTINGS_PAGE);
  GSubprocess *program = G_SUBPROCESS (source);
  g_autofree char *said = NULL;
  g_autofree char *value = NULL;

  if (g_subprocess_communicate_utf8_finish (program, result, &said, NULL, NULL))
    value = clip_key_press_answer (program, said, NULL);
  if (!value || !page)
    return;
  CLIP_SETTINGS_PAGE (page)->is_loading = TRUE;
  if (GTK_IS_SWITCH (widget))
    gtk_switch_set_active (GTK_SWITCH (widget),
                           g_str_equal (value, "yes") || g_str_equal (value, "true"));
  else
    {
      gtk_editable_set_text (GTK_EDITABLE (widget), value);
      g_object_set_data_full (G_OBJECT (widget), KNOWN, g_strdup (value), g_free);
    }
  CLIP_SETTINGS_PAGE (page)->is_loading = FALSE;
}

static void
read_setting (gpointer widget)
{
  const char *words[] = { "config", gtk_widget_get_name (widget), NULL };
  g_autoptr (GSubprocess) program = clip_configure_start (words, NULL);

  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_read,
                                         g_object_ref (widget));
}

void
clip_settings_page_load (ClipSettingsPage *self)
{
  self->is_leaving = FALSE;
  say_what_saves (self);
  read_setting (self->max_items);
  read_setting (self->max_age);
  read_setting (self->max_total_size);
  read_setting (self->notify_copies);
  read_setting (self->primary);
  gtk_widget_grab_focus (GTK_WIDGET (self->max_items));
}

static void
clip_settings_page_dispose (GObject *object)
{
  while (gtk_widget_get_first_child (GTK_WIDGET (object)))
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (object)));
  G_OBJECT_CLASS (clip_settings_page_parent_class)->dispose (object);
}

/* what is to be mended */
static gboolean
clip_settings_page_grab_focus (GtkWidget *widget)
{
  ClipSettingsPage *self = CLIP_SETTINGS_PAGE (widget);

  return gtk_widget_grab_focus (GTK_WIDGET (find_draft (self) ?: self->max_items));
}

static void
clip_settings_page_class_init (ClipSettingsPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_settings_page_dispose;
  widget->grab_focus = clip_settings_page_grab_focus;
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-settings-page.ui");
  gtk_widget_class_bind_template_child (widget, ClipSettingsPage, max_items);
  gtk_widget_class_bind_template_child (widget, ClipSettingsPage, max_age);
  gtk_widget_class_bind_template_child (widget, ClipSettingsPage, max_total_size);
  gtk_widget_class_bind_template_child (widget, ClipSettingsPage, notify_copies);
  gtk_widget_class_bind_template_child (widget, ClipSettingsPage, primary);
  gtk_widget_class_bind_template_child (widget, ClipSettingsPage, words);
  gtk_widget_class_bind_template_callback (widget, on_entry);
  gtk_widget_class_bind_template_callback (widget, on_switch);
  gtk_widget_class_bind_template_callback (widget, on_typed);
}

static void
clip_settings_page_init (ClipSettingsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
