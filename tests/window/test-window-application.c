/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens the window, hides it for an hour of a clock of its own, opens it again, and says
 * each time what it says of its first entry. The first time it is drawn late, as by a
 * machine that has much to do. Then it stays hidden for as long as argv says, in
 * milliseconds: its end is that of the program. Nothing is wiped meanwhile: that would
 * have it end at another time.
 *
 * With another argument it edits the entry, leaves that unsaved, and hides the window for
 * three times as long. */
#include "clip-history-window.h"
#include "clip-window-application.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LATE_US (1500 * 1000)

static gint64 later_us;
static gboolean was_late;

/* instead of GLib's */
gint64
g_get_real_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_REALTIME, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000 + later_us;
}

/* Returns: (nullable): the first that is so */
static GtkWidget *
find (GtkWidget *widget, gboolean (*is_so) (GtkWidget *widget))
{
  GtkWidget *found = is_so (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, is_so);
  return found;
}

/* what is said of an entry */
static gboolean
is_about (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), " · ");
}

/* that has its text */
static gboolean
is_editor (GtkWidget *widget)
{
  return GTK_IS_TEXT_VIEW (widget) && gtk_text_view_get_editable (GTK_TEXT_VIEW (widget));
}

static gboolean
on_look (gpointer application)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GtkWindow) window = g_list_model_get_item (windows, 0);
  GtkWidget *about = NULL;

  if (window && !was_late)
    {
      was_late = TRUE;
      g_usleep (LATE_US);
    }
  if (window && gtk_widget_get_mapped (GTK_WIDGET (window)))
    about = find (GTK_WIDGET (window), is_about);
  if (!about)
    return G_SOURCE_CONTINUE;
  g_print ("%s\n", gtk_label_get_text (GTK_LABEL (about)));
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
  if (later_us > 0)
    return G_SOURCE_REMOVE;
  later_us = G_TIME_SPAN_HOUR;
  g_application_activate (application);
  return G_SOURCE_CONTINUE;
}

/* what was typed is given up */
static void
on_later (gpointer data)
{
  g_autoptr (GtkWidget) editor = data;
  GtkRoot *window = gtk_widget_get_root (editor);

  g_print ("still there\n");
  gtk_window_present (GTK_WINDOW (window));
  gtk_widget_activate_action (editor, "history.resume-draft", NULL);
  gtk_widget_activate_action (editor, "history.leave", NULL);
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
}

static gboolean
on_edit (gpointer idle_ms)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GtkWidget) window = g_list_model_get_item (windows, 0);
  GtkWidget *editor = NULL;

  if (window && gtk_widget_get_mapped (window) && find (window, is_about))
    editor = find (window, is_editor);
  if (window && !editor)
    gtk_widget_activate_action (window, "history.edit-key", NULL);
  if (!editor)
    return G_SOURCE_CONTINUE;
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (GTK_TEXT_VIEW (editor)),
                                    "more", -1);
  gtk_widget_activate_action (editor, "history.escape", NULL);
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
  g_timeout_add_once (3 * GPOINTER_TO_UINT (idle_ms), on_later, g_object_ref (editor));
  return G_SOURCE_REMOVE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (ClipWindowApplication) application = clip_window_application_new ();
  guint usual_ms, idle_ms;
  int status;

  g_object_get (application, "inactivity-timeout", &usual_ms, NULL);
  g_assert_cmpuint (usual_ms, ==, 30 * 60 * 1000);
  g_object_set (application, "inactivity-timeout", (guint) atoi (argv[1]), NULL);
  if (argc > 2)
    g_timeout_add (50, on_edit, GUINT_TO_POINTER (atoi (argv[1])));
  else
    g_timeout_add (5, on_look, application);
  status = g_application_run (G_APPLICATION (application), 1, argv);
  g_object_get (application, "inactivity-timeout", &idle_ms, NULL);
  g_assert_cmpuint (idle_ms, ==, (guint) atoi (argv[1]));
  return status;
}
