/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens the window, hides it for an hour of a clock of its own, opens it again, and says
 * each time what it says of its first entry. Then it stays hidden for as long as argv
 * says, in milliseconds: its end is that of the program.
 *
 * With another argument it edits the entry, and hides that for three times as long. */
#include "clip-history-window.h"
#include "clip-window-application.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static gint64 later_us;

/* instead of GLib's */
gint64
g_get_real_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000 + later_us;
}

/* Returns: (nullable): what is said of the first entry */
static const char *
find_about (GtkWidget *widget)
{
  const char *found = NULL;

  if (GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), " · "))
    return gtk_label_get_text (GTK_LABEL (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find_about (child);
  return found;
}

static gboolean
on_look (gpointer application)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GtkWindow) window = g_list_model_get_item (windows, 0);
  const char *about = NULL;

  if (window && gtk_widget_get_mapped (GTK_WIDGET (window)))
    about = find_about (GTK_WIDGET (window));
  if (!about)
    return G_SOURCE_CONTINUE;
  g_print ("%s\n", about);
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
  if (later_us > 0)
    return G_SOURCE_REMOVE;
  later_us = G_TIME_SPAN_HOUR;
  g_application_activate (application);
  return G_SOURCE_CONTINUE;
}

/* Returns: (nullable): what one types into, as soon as the entry is there */
static GtkTextView *
find_editor (GtkWidget *widget)
{
  GtkTextView *found = NULL;

  if (GTK_IS_TEXT_VIEW (widget) && gtk_text_view_get_editable (GTK_TEXT_VIEW (widget)))
    return GTK_TEXT_VIEW (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find_editor (child);
  return found;
}

/* what was typed is given up */
static void
on_later (gpointer data)
{
  g_autoptr (GtkTextView) editor = data;
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (editor));

  g_print ("still there\n");
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_activate_action (GTK_WIDGET (editor), "history.leave", NULL);
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
}

static gboolean
on_edit (gpointer idle_ms)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GtkWidget) window = g_list_model_get_item (windows, 0);
  GtkTextView *editor = NULL;

  if (window && gtk_widget_get_mapped (window) && find_about (window))
    editor = find_editor (window);
  if (window && !editor)
    gtk_widget_activate_action (window, "history.edit", NULL);
  if (!editor)
    return G_SOURCE_CONTINUE;
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (editor), "more", -1);
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
  g_timeout_add_once (3 * GPOINTER_TO_UINT (idle_ms), on_later, g_object_ref (editor));
  return G_SOURCE_REMOVE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (ClipWindowApplication) application = clip_window_application_new ();
  guint usual_ms;

  g_object_get (application, "inactivity-timeout", &usual_ms, NULL);
  g_assert_cmpuint (usual_ms, ==, 30 * 60 * 1000);
  g_object_set (application, "inactivity-timeout", (guint) atoi (argv[1]), NULL);
  if (argc > 2)
    g_timeout_add (50, on_edit, GUINT_TO_POINTER (atoi (argv[1])));
  else
    g_timeout_add (5, on_look, application);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
