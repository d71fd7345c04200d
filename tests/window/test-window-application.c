/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens the window, hides it, and lets it be hidden for as long as argv says, in
 * milliseconds: its end is that of the program. */
#include "clip-history-window.h"
#include "clip-window-application.h"

#include <stdlib.h>

static gboolean
on_look (gpointer application)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_autoptr (GtkWindow) window = g_list_model_get_item (windows, 0);

  if (!window || !gtk_widget_get_mapped (GTK_WIDGET (window)))
    return G_SOURCE_CONTINUE;
  clip_history_window_close (CLIP_HISTORY_WINDOW (window));
  g_print ("hidden\n");
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
  g_timeout_add (5, on_look, application);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
