/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shown once, and from the menu. What it says of this desktop, and the key, are the
 * command's.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-first-page.h"

#include "clip-configure.h"
#include "clip-key-press.h"
#include "clip-words.h"

#include <glib/gstdio.h>

struct _ClipFirstPage
{
  GtkWidget parent_instance;
  GtkLabel *kept;
  GtkEditable *key;
  char *proposed; /* that key, before another is typed */
  GtkLabel *answer;
  GtkWidget *show;
};

G_DEFINE_FINAL_TYPE (ClipFirstPage, clip_first_page, GTK_TYPE_WIDGET)

static char *
seen_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "cliphist", "window-seen", NULL);
}

/* whether it has not been seen yet; from now on it has */
gboolean
clip_first_page_is_due (void)
{
  g_autofree char *path = seen_path ();
  g_autofree char *folder = g_path_get_dirname (path);

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return FALSE;
  /* where that cannot be written it is said each time */
  g_mkdir_with_parents (folder, 0700);
  g_file_set_contents_full (path, "", 0, G_FILE_SET_CONTENTS_NONE, 0600, NULL);
  return TRUE;
}

/* --- the key --- */

/* an empty one would take the focus */
static void
say (ClipFirstPage *self, const char *words)
{
  gtk_label_set_text (self->answer, words);
  gtk_widget_set_visible (GTK_WIDGET (self->answer), *words != '\0');
}

static void
on_bound (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipFirstPage) self = user_data;
  GSubprocess *program = G_SUBPROCESS (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *answer = NULL;

  if (g_subprocess_communicate_utf8_finish (program, result, &said, NULL, &error))
    answer = clip_key_press_answer (program, said, &error);
  if (!answer)
    say (self, error->message);
  else
    say (self, *answer ? answer : _ ("It opens and closes this window now."));
}

static void
on_bind (ClipFirstPage *self)
{
  g_autofree char *key = g_strstrip (g_strdup (gtk_editable_get_text (self->key)));
  /* what is wrong is said here */
  const char *words[] = { "-notify=no", "window", "--bind", key, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = clip_configure_start (words, &error);

  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_bound,
                                         g_object_ref (self));
  else
    say (self, error->message);
}

/* --- what is kept --- */

static void
on_status (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (ClipFirstPage) self = user_data;
  g_autofree char *said = NULL;

  if (g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &said, NULL,
                                            NULL) &&
      *g_strstrip (said))
    gtk_label_set_text (self->kept, said);
}

void
clip_first_page_load (ClipFirstPage *self)
{
  const char *words[] = { "status", "--quiet", NULL };
  g_autoptr (GSubprocess) program = clip_configure_start (words, NULL);

  say (self, "");
  gtk_editable_set_text (self->key, self->proposed);
  gtk_label_set_text (self->kept,
                      _ ("What you copy is kept from now on, on this computer alone. "
                         "What password managers mark as a secret is not."));
  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_status,
                                         g_object_ref (self));
  gtk_widget_grab_focus (self->show);
}

/* to who has come for the key alone */
void
clip_first_page_ask_key (ClipFirstPage *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->key));
}

static void
clip_first_page_dispose (GObject *object)
{
  while (gtk_widget_get_first_child (GTK_WIDGET (object)))
    gtk_widget_unparent (gtk_widget_get_first_child (GTK_WIDGET (object)));
  G_OBJECT_CLASS (clip_first_page_parent_class)->dispose (object);
}

static void
clip_first_page_finalize (GObject *object)
{
  g_free (CLIP_FIRST_PAGE (object)->proposed);
  G_OBJECT_CLASS (clip_first_page_parent_class)->finalize (object);
}

static void
clip_first_page_class_init (ClipFirstPageClass *class)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = clip_first_page_dispose;
  G_OBJECT_CLASS (class)->finalize = clip_first_page_finalize;
  gtk_widget_class_set_template_from_resource (
      widget, "/org/cliphist/Cliphist/clip-first-page.ui");
  gtk_widget_class_bind_template_child (widget, ClipFirstPage, kept);
  gtk_widget_class_bind_template_child (widget, ClipFirstPage, key);
  gtk_widget_class_bind_template_child (widget, ClipFirstPage, answer);
  gtk_widget_class_bind_template_child (widget, ClipFirstPage, show);
  gtk_widget_class_bind_template_callback (widget, on_bind);
}

static void
clip_first_page_init (ClipFirstPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->proposed = g_strdup (gtk_editable_get_text (self->key));
}
