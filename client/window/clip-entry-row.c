/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One entry in the list. Its texts are set as text: nothing of an entry is ever
   markup. */
#define G_LOG_DOMAIN "clip-window"
#include "clip-entry-row.h"

#include "clip-entry-words.h"
#include "clip-word-marks.h"
#include "clip-words.h"

/* Ctrl with a digit chooses */
#define NUMBERED 9

#define SPOKEN_CHARACTERS 200

struct _ClipEntryRow
{
  GtkWidget parent_instance;
  ClipRowPictures *thumbnails;
  CliphistHistory *history;
  CliphistEntry *entry; /* (nullable) */
  CliphistQuery *query; /* (nullable): whose words are marked */
  guint position;
  guint order; /* of choosing, where several are chosen; 0: it is none of them */
  GtkImage *picture;
  GtkLabel *title;
  GtkImage *program;
  GtkLabel *about;
  GtkLabel *order_number;
  GtkWidget *pin;
  GtkLabel *number;
};

enum
{
  PROP_ENTRY = 1,
  PROP_POSITION,
};

G_DEFINE_FINAL_TYPE (ClipEntryRow, clip_entry_row, GTK_TYPE_WIDGET)

static const char *
icon_of (CliphistKind kind)
{
  switch (kind)
    {
    case CLIPHIST_KIND_TEXT:
      return "text-x-generic-symbolic";
    case CLIPHIST_KIND_IMAGE:
      return "image-x-generic-symbolic";
    case CLIPHIST_KIND_FILES:
      return "folder-documents-symbolic";
    case CLIPHIST_KIND_ANY:
    case CLIPHIST_KIND_OTHER:
    default:
      return "application-x-executable-symbolic";
    }
}

static void
add_mark (PangoAttrList *list, PangoAttribute *attribute, const ClipWordMark *mark)
{
  attribute->start_index = (guint) mark->start;
  attribute->end_index = (guint) mark->end;
  pango_attr_list_insert (list, attribute);
}

static void
show_title (ClipEntryRow *self)
{
  CliphistKind kind;
  ClipWordMark first;
  g_autofree char *title = clip_entry_words_title (self->entry, &first);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  g_clear_object (&self->query);
  g_object_get (self->history, "query", &self->query, NULL);
  g_object_get (self->entry, "kind", &kind, NULL);
  /* that of others is our words for it */
  if (kind == CLIPHIST_KIND_TEXT || kind == CLIPHIST_KIND_FILES)
    {
      g_autoptr (GArray) marks = clip_word_marks_find (self->query, title, first);

      for (guint i = 0; i < marks->len; i++)
        {
          const ClipWordMark *mark = &g_array_index (marks, ClipWordMark, i);

          add_mark (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD), mark);
          add_mark (attributes, pango_attr_underline_new (PANGO_UNDERLINE_SINGLE), mark);
        }
    }
  gtk_label_set_attributes (self->title, attributes);
  gtk_label_set_text (self->title, title);
}

static void
add_words (char **label, const char *words)
{
  g_autofree char *before = *label;

  *label = g_strjoin (", ", before, words, NULL);
}

/* A screen reader reads all of it when it reads the row, so that a long title is cut. */
static void
name_row (ClipEntryRow *self, const char *about)
{
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  const char *title = gtk_label_get_text (self->title);
  g_autofree char *beginning =
      g_utf8_substring (title, 0, MIN (g_utf8_strlen (title, -1), SPOKEN_CHARACTERS));
  g_autofree char *label = g_strjoin (", ", beginning, about, NULL);

  if (self->order > 0)
    {
      g_autofree char *order = g_strdup_printf (_ ("chosen as number %u"), self->order);

      add_words (&label, order);
    }
  if (gtk_widget_get_visible (self->pin))
    add_words (&label, _ ("Pinned: it stays"));
  if (item)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    label, -1);
}

static void
show_program (ClipEntryRow *self)
{
  g_autofree char *program = NULL;
  GIcon *icon;

  g_object_get (self->entry, "program", &program, NULL);
  icon = clip_row_pictures_program_icon (self->thumbnails, program);
  gtk_image_set_from_gicon (self->program, icon);
  gtk_widget_set_visible (GTK_WIDGET (self->program), icon != NULL);
}

/* when it was copied is said by how long ago that is */
static void
show_about (ClipEntryRow *self)
{
  g_autofree char *about = clip_entry_words_about (self->entry, g_get_real_time ());

  if (g_str_equal (about, gtk_label_get_text (self->about)))
    return;
  gtk_label_set_text (self->about, about);
  name_row (self, about);
}

/* a row that another search has found, too, stays */
static void
on_loading (ClipEntryRow *self)
{
  g_autoptr (CliphistQuery) query = NULL;
  gboolean is_loading;

  g_object_get (self->history, "loading", &is_loading, "query", &query, NULL);
  if (self->entry && !is_loading && query != self->query)
    show_title (self);
}

static void
show (ClipEntryRow *self)
{
  gboolean is_pinned;
  CliphistKind kind;

  clip_row_pictures_forget (self->picture);
  if (!self->entry)
    return;
  g_object_get (self->entry, "kind", &kind, "pinned", &is_pinned, NULL);
  show_title (self);
  gtk_widget_set_visible (self->pin, is_pinned);
  /* not from the template: each that is set asks the X server where the pointer is */
  if (is_pinned)
    gtk_widget_set_tooltip_text (self->pin, _ ("Pinned: it stays"));
  gtk_label_set_text (self->about, "");
  show_about (self);
  show_program (self);
  gtk_image_set_from_icon_name (self->picture, icon_of (kind));
  if (kind == CLIPHIST_KIND_IMAGE)
    clip_row_pictures_show (self->thumbnails, self->entry, self->picture);
}

static void
number (ClipEntryRow *self)
{
  char digit[] = { self->position < NUMBERED ? (char) ('1' + self->position) : '\0',
                   '\0' };

  gtk_label_set_text (self->number, digit);
}

static void
clip_entry_row_set_property (GObject *object,
                             guint id,
                             const GValue *value,
                             GParamSpec *spec)
{
  ClipEntryRow *self = CLIP_ENTRY_ROW (object);

  switch (id)
    {
    case PROP_ENTRY:
      if (g_set_object (&self->entry, g_value_get_object (value)))
        show (self);
      break;
    case PROP_POSITION:
      self->position = g_value_get_uint (value);
      number (self);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

/* a row that was kept while the window was hidden is older by now */
static void
clip_entry_row_map (GtkWidget *widget)
{
  ClipEntryRow *self = CLIP_ENTRY_ROW (widget);

  if (self->entry)
    show_about (self);
  GTK_WIDGET_CLASS (clip_entry_row_parent_class)->map (widget);
}

static void
clip_entry_row_dispose (GObject *object)
{
  ClipEntryRow *self = CLIP_ENTRY_ROW (object);

  if (self->picture)
    clip_row_pictures_forget (self->picture);
  g_clear_object (&self->entry);
  g_clear_object (&self->query);
  while (gtk_widget_get_first_child (GTK_WIDGET (self)))
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (self)));
  G_OBJECT_CLASS (clip_entry_row_parent_class)->dispose (object);
}

static void
clip_entry_row_class_init (ClipEntryRowClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);
  GObjectClass *object = G_OBJECT_CLASS (class);
  const GParamFlags flags = G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS;

  object->set_property = clip_entry_row_set_property;
  object->dispose = clip_entry_row_dispose;
  widget->map = clip_entry_row_map;
  g_object_class_install_property (
      object, PROP_ENTRY,
      g_param_spec_object ("entry", NULL, NULL, CLIPHIST_TYPE_ENTRY, flags));
  g_object_class_install_property (
      object, PROP_POSITION,
      g_param_spec_uint ("position", NULL, NULL, 0, G_MAXUINT, 0, flags));
  gtk_widget_class_set_css_name (widget, "entry-row");
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-entry-row.ui");
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, picture);
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, title);
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, program);
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, about);
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, order_number);
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, pin);
  gtk_widget_class_bind_template_child (widget, ClipEntryRow, number);
}

static void
clip_entry_row_init (ClipEntryRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* @thumbnails, @history: outlive the row */
GtkWidget *
clip_entry_row_new (ClipRowPictures *thumbnails, CliphistHistory *history)
{
  ClipEntryRow *self = g_object_new (CLIP_TYPE_ENTRY_ROW, NULL);

  self->thumbnails = thumbnails;
  self->history = history;
  g_signal_connect_object (history, "notify::loading", G_CALLBACK (on_loading), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

/* where several are chosen, the order in which that was done */
void
clip_entry_row_show_order (ClipEntryRow *self, const ClipChoice *choice)
{
  guint order = self->entry ? clip_choice_order (choice, self->entry) : 0;
  g_autofree char *words = order > 0 ? g_strdup_printf ("%u", order) : NULL;

  if (order == self->order)
    return;
  self->order = order;
  gtk_label_set_text (self->order_number, words ?: "");
  gtk_widget_set_visible (GTK_WIDGET (self->order_number), order > 0);
  name_row (self, gtk_label_get_text (self->about));
}
