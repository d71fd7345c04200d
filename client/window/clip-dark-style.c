/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The key color-scheme of the namespace org.freedesktop.appearance: 1 asks for a dark
 * style (org.freedesktop.portal.Settings). A desktop without that portal has none.
 */
#include "clip-dark-style.h"

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define SCHEME "color-scheme"
#define PREFERS_DARK 1

/* the first frame waits for the answer: a white one before a dark one would be a flash */
#define PATIENCE_MS 100

struct ClipDarkStyle
{
  GDBusConnection *bus;
  guint subscription;
};

/* what GTK's own file says counts where the desktop asks for nothing */
static void
obey (GVariant *scheme)
{
  GtkSettings *settings = gtk_settings_get_default ();
  g_autoptr (GVariant) value = g_variant_ref (scheme);

  while (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT))
    {
      GVariant *inner = g_variant_get_variant (value);

      g_variant_unref (value);
      value = inner;
    }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32) &&
      g_variant_get_uint32 (value) == PREFERS_DARK)
    g_object_set (settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
  else
    gtk_settings_reset_property (settings, "gtk-application-prefer-dark-theme");
}

static void
on_setting_changed (GDBusConnection *bus,
                    const char *sender,
                    const char *path,
                    const char *interface,
                    const char *signal,
                    GVariant *args,
                    gpointer user_data)
{
  const char *key;
  g_autoptr (GVariant) value = NULL;

  if (!g_variant_is_of_type (args, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (args, "(&s&s@v)", NULL, &key, &value);
  if (g_str_equal (key, SCHEME))
    obey (value);
}

/* asks no portal to start: who has one has it since the session began */
static void
read_now (ClipDarkStyle *self)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->bus, PORTAL, PORTAL_PATH, SETTINGS, "Read",
      g_variant_new ("(ss)", APPEARANCE, SCHEME), G_VARIANT_TYPE ("(v)"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, PATIENCE_MS, NULL, NULL);
  g_autoptr (GVariant) value = NULL;

  if (!reply)
    return;
  value = g_variant_get_child_value (reply, 0);
  obey (value);
}

/* @bus: the session's. To be called when GTK has been initialized. */
ClipDarkStyle *
clip_dark_style_new (GDBusConnection *bus)
{
  ClipDarkStyle *self = g_new0 (ClipDarkStyle, 1);

  self->bus = g_object_ref (bus);
  self->subscription = g_dbus_connection_signal_subscribe (
      bus, PORTAL, SETTINGS, "SettingChanged", PORTAL_PATH, APPEARANCE,
      G_DBUS_SIGNAL_FLAGS_NONE, on_setting_changed, self, NULL);
  read_now (self);
  return self;
}

void
clip_dark_style_free (ClipDarkStyle *self)
{
  g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  g_object_unref (self->bus);
  g_free (self);
}
