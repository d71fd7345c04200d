/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One window, made once, shown and hidden. While it is shown, or has a draft, it holds
 * the application; hidden, the application ends after its inactivity-timeout, and soon
 * where the history was wiped.
 *
 * On the bus any program of the session can call what is exported here: so that opens and
 * closes, and nothing else. What pastes or changes is an action of a widget, which no bus
 * sees.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-window-application.h"

#include <glib-unix.h>

#include "clip-dark-style.h"
#include "clip-history-window.h"
#include "clip-screen-lock.h"

#define HIDDEN_MS (30 * 60 * 1000)

/* of what is waited for when it is told to end */
#define FAREWELL_MS 3000

struct _ClipWindowApplication
{
  GtkApplication parent_instance;
  ClipHistoryWindow *window; /* (nullable): until it is asked for */
  ClipScreenLock *lock;      /* (nullable): without a bus */
  ClipDarkStyle *dark_style; /* (nullable): the same */
  char *words;               /* (nullable): to be searched for, while the lock is asked */
  gboolean is_held;
};

G_DEFINE_FINAL_TYPE (ClipWindowApplication, clip_window_application, GTK_TYPE_APPLICATION)

static void
on_visible (ClipWindowApplication *self)
{
  gboolean is_wanted = gtk_widget_get_visible (GTK_WIDGET (self->window)) ||
                       clip_history_window_has_draft (self->window);

  if (is_wanted == self->is_held)
    return;
  self->is_held = is_wanted;
  if (is_wanted)
    g_application_hold (G_APPLICATION (self));
  else
    g_application_release (G_APPLICATION (self));
}

static void
load_styles (void)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, "/org/cliphist/Cliphist/window.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

/* Made in the moment in which it is shown: a screen reader that asks GTK 4.8 of a window
 * which was never drawn makes it no window for good. */
static ClipHistoryWindow *
get_window (ClipWindowApplication *self)
{
  if (self->window)
    return self->window;
  load_styles ();
  self->window = clip_history_window_new ();
  g_signal_connect_object (self->window, "notify::visible", G_CALLBACK (on_visible), self,
                           G_CONNECT_SWAPPED);
  return self->window;
}

static void
on_asked (gboolean is_locked, gpointer user_data)
{
  ClipWindowApplication *self = user_data;
  g_autofree char *words = g_steal_pointer (&self->words);

  if (!is_locked)
    clip_history_window_open (get_window (self), words);
  g_application_release (G_APPLICATION (self));
}

/* nothing that was copied is drawn while the screen is locked */
static void
open_unlocked (ClipWindowApplication *self, const char *words)
{
  g_free (self->words);
  self->words = g_strdup (words);
  g_application_hold (G_APPLICATION (self));
  if (self->lock)
    clip_screen_lock_ask (self->lock, on_asked, self);
  else
    on_asked (FALSE, self);
}

static void
on_locked (gpointer user_data)
{
  ClipWindowApplication *self = user_data;

  if (self->window)
    clip_history_window_close (self->window);
}

static void
on_close (GSimpleAction *action, GVariant *nothing, gpointer user_data)
{
  ClipWindowApplication *self = user_data;

  if (self->window)
    clip_history_window_close (self->window);
}

/* At the end of a session what can be taken back goes now; that is waited for, since a
 * daemon that ended first has to be started, and looks who calls. */
static gboolean
on_end (gpointer user_data)
{
  ClipWindowApplication *self = user_data;
  GApplication *application = user_data;

  on_close (NULL, NULL, application);
  if (self->is_held) /* for a draft */
    g_application_release (application);
  self->is_held = FALSE;
  g_application_set_inactivity_timeout (application, 0);
  g_timeout_add_once (FAREWELL_MS, (GSourceOnceFunc) g_application_quit, application);
  /* ends with whatever else holds it */
  g_application_hold (application);
  g_application_release (application);
  return G_SOURCE_REMOVE;
}

static void
clip_window_application_startup (GApplication *application)
{
  ClipWindowApplication *self = CLIP_WINDOW_APPLICATION (application);
  GDBusConnection *bus = g_application_get_dbus_connection (application);

  G_APPLICATION_CLASS (clip_window_application_parent_class)->startup (application);
  g_unix_signal_add (SIGTERM, on_end, self);
  g_unix_signal_add (SIGHUP, on_end, self);
  if (!bus)
    return;
  self->lock = clip_screen_lock_new (bus);
  clip_screen_lock_follow (self->lock, on_locked, self);
  self->dark_style = clip_dark_style_new (bus);
}

static void
clip_window_application_activate (GApplication *application)
{
  open_unlocked (CLIP_WINDOW_APPLICATION (application), NULL);
}

static void
on_toggle (GSimpleAction *action, GVariant *words, gpointer user_data)
{
  ClipWindowApplication *self = user_data;

  if (self->window && gtk_widget_get_visible (GTK_WIDGET (self->window)))
    clip_history_window_close (self->window);
  else
    open_unlocked (self, g_variant_get_string (words, NULL));
}

static const GActionEntry actions[] = {
  { .name = "toggle", .activate = on_toggle, .parameter_type = "s" },
  { .name = "close", .activate = on_close },
};

static void
clip_window_application_shutdown (GApplication *application)
{
  ClipWindowApplication *self = CLIP_WINDOW_APPLICATION (application);

  if (self->window)
    gtk_window_destroy (GTK_WINDOW (self->window));
  self->window = NULL;
  g_clear_pointer (&self->lock, clip_screen_lock_free);
  g_clear_pointer (&self->dark_style, clip_dark_style_free);
  g_clear_pointer (&self->words, g_free);
  G_APPLICATION_CLASS (clip_window_application_parent_class)->shutdown (application);
}

static void
clip_window_application_class_init (ClipWindowApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (class);

  application_class->startup = clip_window_application_startup;
  application_class->activate = clip_window_application_activate;
  application_class->shutdown = clip_window_application_shutdown;
}

static void
clip_window_application_init (ClipWindowApplication *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions),
                                   self);
}

ClipWindowApplication *
clip_window_application_new (void)
{
  return g_object_new (CLIP_TYPE_WINDOW_APPLICATION, "application-id", CLIP_WINDOW_ID,
                       "resource-base-path", "/org/cliphist/Cliphist",
                       "inactivity-timeout", HIDDEN_MS, NULL);
}
