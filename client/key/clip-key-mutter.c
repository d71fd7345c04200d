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

/* a shell that is busy answers late */
#define CALL_MS 10000

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
  const gboolean places_v = clip_key_layout_places_v (bus);
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
  gboolean sent = started && type (bus, session, self, error);

  if (session && !sent && error && *error)
    g_dbus_error_strip_remote_error (*error);
  return sent;
}
