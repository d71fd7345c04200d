/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The settings that people change. `cliphist config` reads and writes them: it knows the
 * file, what each may be, and says what is wrong with a value. Enter in a field writes,
 * and so does to go on to another, and a switch; to leave the page does not: a number
 * may be half typed.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-settings-page.h"

#include "clip-configure.h"
#include "clip-key-press.h"
#include "clip-words.h"

/* of a field: the value that was read or written last */
#define KNOWN "known"

struct _ClipSettingsPage
{
  GtkWidget parent_instance;
  gboolean is_loading;
  GtkEditable *max_items;
  GtkEditable *max_age;
  GtkEditable *max_total_size;
  GtkSwitch *notify_copies;
  GtkSwitch *primary;
  GtkLabel *words;
};

G_DEFINE_FINAL_TYPE (ClipSettingsPage, clip_settings_page, GTK_TYPE_WIDGET)

/* --- writing --- */

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipSettingsPage) self = user_data;
  GSubprocess *program = G_SUBPROCESS (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *answer = NULL;

  if (g_subprocess_communicate_utf8_finish (program, result, &said, NULL, &error))
    answer = clip_key_press_answer (program, said, &error);
  gtk_label_set_text (self->words, answer ? _ ("Saved.") : error->message);
}

/* the name of a widget is the key of its setting */
static void
write_setting (ClipSettingsPage *self, GtkWidget *widget, const char *value)
{
  const char *words[] = { "config", gtk_widget_get_name (widget), value, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;

  if (self->is_loading)
    return;
  program = clip_configure_start (words, &error);
  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_written,
                                         g_object_ref (self));
  else
    gtk_label_set_text (self->words, error->message);
}

static void
on_entry (ClipSettingsPage *self, GtkWidget *entry)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (entry));

  g_object_set_data_full (G_OBJECT (entry), KNOWN, g_strdup (text), g_free);
  write_setting (self, entry, text);
}

/**
 * clip_settings_page_save_left:
 *
 * Writes what was typed into a field that the focus has left for another.
 */
void
clip_settings_page_save_left (ClipSettingsPage *self)
{
  GtkEditable *fields[] = { self->max_items, self->max_age, self->max_total_size };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      GtkWidget *field = GTK_WIDGET (fields[i]);
      const char *known = g_object_get_data (G_OBJECT (field), KNOWN);
      gboolean has_focus =
          (gtk_widget_get_state_flags (field) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;

      if (known && !has_focus && !g_str_equal (known, gtk_editable_get_text (fields[i])))
        on_entry (self, field);
    }
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
  gtk_label_set_text (self->words, _ ("Enter saves what you have typed, Esc does not."));
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

static void
clip_settings_page_class_init (ClipSettingsPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_settings_page_dispose;
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
}

static void
clip_settings_page_init (ClipSettingsPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
