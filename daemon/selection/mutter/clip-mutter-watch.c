/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-mutter-watch.h"

#include "clip-mutter-session.h"

/* GNOME's word for a screen that is locked, in place of one for remote desktops */
#define SAVER_NAME "org.gnome.ScreenSaver"

struct ClipMutterWatch
{
  ClipMutterWatchChanged changed;
  gpointer user_data;
  guint name_watch;
  guint saver_subscription;
  gboolean known;
  GDBusConnection *bus;
  char *peer; /* NULL: there is none */
};

static void
stop_listening (ClipMutterWatch *self)
{
  if (self->saver_subscription)
    g_dbus_connection_signal_unsubscribe (self->bus, self->saver_subscription);
  self->saver_subscription = 0;
  g_clear_object (&self->bus);
  g_clear_pointer (&self->peer, g_free);
}

static void
on_saver (GDBusConnection *bus G_GNUC_UNUSED,
          const char *sender G_GNUC_UNUSED,
          const char *path G_GNUC_UNUSED,
          const char *interface G_GNUC_UNUSED,
          const char *name G_GNUC_UNUSED,
          GVariant *parameters,
          gpointer user_data)
{
  ClipMutterWatch *self = user_data;
  gboolean locked = TRUE;

  if (g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(b)")))
    g_variant_get (parameters, "(b)", &locked);
  if (!locked)
    self->changed (self->user_data);
}

static void
on_appeared (GDBusConnection *bus,
             const char *name G_GNUC_UNUSED,
             const char *owner,
             gpointer user_data)
{
  ClipMutterWatch *self = user_data;

  stop_listening (self);
  self->bus = g_object_ref (bus);
  self->peer = g_strdup (owner);
  self->saver_subscription = g_dbus_connection_signal_subscribe (
      bus, SAVER_NAME, SAVER_NAME, "ActiveChanged", NULL, NULL, G_DBUS_SIGNAL_FLAGS_NONE,
      on_saver, self, NULL);
  self->known = TRUE;
  self->changed (self->user_data);
}

/* also called at first, where there is none or no bus */
static void
on_vanished (GDBusConnection *bus G_GNUC_UNUSED,
             const char *name G_GNUC_UNUSED,
             gpointer user_data)
{
  ClipMutterWatch *self = user_data;

  stop_listening (self);
  self->known = TRUE;
  self->changed (self->user_data);
}

ClipMutterWatch *
clip_mutter_watch_new (ClipMutterWatchChanged changed, gpointer user_data)
{
  ClipMutterWatch *self = g_new0 (ClipMutterWatch, 1);

  self->changed = changed;
  self->user_data = user_data;
  self->name_watch = g_bus_watch_name (G_BUS_TYPE_SESSION, CLIP_MUTTER_NAME,
                                       G_BUS_NAME_WATCHER_FLAGS_NONE, on_appeared,
                                       on_vanished, self, NULL);
  return self;
}

void
clip_mutter_watch_free (ClipMutterWatch *self)
{
  g_bus_unwatch_name (self->name_watch);
  stop_listening (self);
  g_free (self);
}

/* whether the bus has answered yet */
gboolean
clip_mutter_watch_is_known (ClipMutterWatch *self)
{
  return self->known;
}

/* (transfer none) (nullable): NULL where there is no Mutter */
GDBusConnection *
clip_mutter_watch_bus (ClipMutterWatch *self)
{
  return self->bus;
}

/* (nullable): its unique name */
const char *
clip_mutter_watch_peer (ClipMutterWatch *self)
{
  return self->peer;
}
