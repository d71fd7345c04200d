/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clipboard history in a window. The bus starts it when its key is pressed for the
 * first time; it stays, hidden, for the next time, and ends when it has been hidden for
 * long.
 */
#include "clip-window-application.h"

#include "clip-display-owner.h"
#include "clip-words.h"

/* A list of text and small pictures is drawn by the processor sooner than a GPU is woken
 * for it, and in a fifth of the memory. Who has chosen a renderer keeps it. */
static void
choose_renderer (void)
{
  gboolean has_disable = gtk_get_minor_version () >= 16;

  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  g_setenv (has_disable ? "GDK_DISABLE" : "GDK_DEBUG", has_disable ? "gl" : "gl-disable",
            FALSE);
}

int
main (int argc, char *argv[])
{
  g_autoptr (ClipWindowApplication) application = NULL;
  const char *stranger = clip_display_owner_stranger ();

  if (stranger)
    {
      g_printerr ("cliphist-window: neither you nor root runs the display '%s'\n",
                  stranger);
      return 1;
    }
  choose_renderer ();
  /* no other kind of display is looked at for who runs it */
  gdk_set_allowed_backends ("wayland,x11");
  /* what compositors and window managers know the window by */
  g_set_prgname (CLIP_WINDOW_ID);
  g_set_application_name (_ ("Clipboard history"));
  application = clip_window_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
