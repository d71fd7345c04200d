/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface by which GNOME's own remote desktop presses keys
 * (org.gnome.Mutter.RemoteDesktop.xml of Mutter; the daemon reads the clipboard by the
 * same). It is for programs outside of a sandbox, and does not ask the user.
 */
#include "clip-key.h"

#include "clip-error.h"
#include "clip-key-layout.h"
#include "clip-session-bus.h"

#define MUTTER "org.gnome.Mutter.RemoteDesktop"
#define MUTTER_PATH "/org/gnome/Mutter/RemoteDesktop"
#define SESSION MUTTER ".Session"

#define SHELL "org.gnome.Shell"
#define SHELL_PATH "/org/gnome/Shell"

/* a shell that is busy answers late */
#define CALL_MS 10000

/* for the overview: to go */
#define OVERVIEW_MS 1000
#define LOOK_EVERY_US 5000

static GVariant *
call (GDBusConnection *bus,
      const char *path,
      const char *interface,
      const char *method,
      GVariant *args,
      const GVariantType *answer,
      GError **error)
{
  return g_dbus_connection_call_sync (bus, MUTTER, path, interface, method, args, answer,
                                      G_DBUS_CALL_FLAGS_NO_AUTO_START, CALL_MS, NULL,
                                      error);
}

static GVariant *
ask_shell (GDBusConnection *bus, const char *method, GVariant *args, const char *answer)
{
  return g_dbus_connection_call_sync (
      bus, SHELL, SHELL_PATH, "org.freedesktop.DBus.Properties", method, args,
      G_VARIANT_TYPE (answer), G_DBUS_CALL_FLAGS_NO_AUTO_START, OVERVIEW_MS, NULL, NULL);
}

static gboolean
is_in_overview (GDBusConnection *bus)
{
  g_autoptr (GVariant) reply =
      ask_shell (bus, "Get", g_variant_new ("(ss)", SHELL, "OverviewActive"), "(v)");
  g_autoptr (GVariant) value = NULL;

  if (reply)
    g_variant_get (reply, "(v)", &value);
  return value && g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN) &&
         g_variant_get_boolean (value);
}

/* GNOME's overview keeps the keyboard, until it has gone; on another desktop there is
   none */
void
clip_key_leave_overview (void)
{
  const gint64 deadline_us =
      g_get_monotonic_time () + OVERVIEW_MS * G_TIME_SPAN_MILLISECOND;
  g_autoptr (GDBusConnection) bus = clip_session_bus (NULL);
  g_autoptr (GVariant) set = NULL;

  if (!bus || !is_in_overview (bus))
    return;
  set = ask_shell (
      bus, "Set",
      g_variant_new ("(ssv)", SHELL, "OverviewActive", g_variant_new_boolean (FALSE)),
      "()");
  while (set && is_in_overview (bus) && g_get_monotonic_time () < deadline_us)
    g_usleep (LOOK_EVERY_US);
}

/* Returns: (nullable) (transfer full): the path of a session, which ends with @bus. That
 * it is another desktop is no news: without words. */
static char *
create_session (GDBusConnection *bus, GError **error)
{
  g_autoptr (GVariant) reply = bus ? call (bus, MUTTER_PATH, MUTTER, "CreateSession",
                                           NULL, G_VARIANT_TYPE ("(o)"), NULL)
                                   : NULL;
  char *path = NULL;

  if (reply)
    g_variant_get (reply, "(o)", &path);
  else
    g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, "");
  return path;
}

gboolean
clip_key_can_mutter (GError **error)
{
  g_autoptr (GDBusConnection) bus = clip_session_bus (NULL);
  g_autofree char *session = create_session (bus, error);

  return session != NULL;
}

/* All at once: what the user types in between would be typed with our Control. The answer
 * to the last one says that the shell has had them. */
static gboolean
type (GDBusConnection *bus, const char *session, const ClipKey *key, GError **error)
{
  ClipStroke strokes[CLIP_KEY_MAX_STROKES];
  guint last = clip_key_strokes (key, strokes) - 1;
  const gboolean places_v = clip_key_layout_places_v ();
  g_autoptr (GVariant) reply = NULL;

  for (guint i = 0; i <= last; i++)
    {
      guint32 named;
      const char *method = clip_key_layout_method (places_v, &strokes[i], &named);
      GVariant *args = g_variant_new ("(ub)", named, strokes[i].down);

      if (i < last)
        g_dbus_connection_call (bus, MUTTER, session, SESSION, method, args, NULL,
                                G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
      else
        reply = call (bus, session, SESSION, method, args, NULL, error);
    }
  return reply != NULL;
}

gboolean
clip_key_send_mutter (const ClipKey *self, GError **error)
{
  g_autoptr (GDBusConnection) bus = clip_session_bus (NULL);
  g_autofree char *session = create_session (bus, error);
  g_autoptr (GVariant) started =
      session ? call (bus, session, SESSION, "Start", NULL, NULL, error) : NULL;
  gboolean sent;

  if (started)
    clip_key_leave_overview ();
  sent = started && type (bus, session, self, error);
  if (session && !sent && error && *error)
    g_dbus_error_strip_remote_error (*error);
  return sent;
}
