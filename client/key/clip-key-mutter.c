/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interface by which GNOME's own remote desktop presses keys
 * (org.gnome.Mutter.RemoteDesktop.xml of Mutter; the daemon reads the clipboard by the
 * same). It is for programs outside of a sandbox, and asks nobody.
 */
#include "clip-key.h"

#include "clip-error.h"
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

gboolean
clip_key_send_mutter (const ClipKey *self, GError **error)
{
  g_autoptr (GDBusConnection) bus = clip_session_bus (NULL);
  g_autofree char *session = create_session (bus, error);
  g_autoptr (GVariant) started = NULL;
  ClipStroke strokes[CLIP_KEY_MAX_STROKES];
  guint n = clip_key_strokes (self, strokes);
  gboolean sent = TRUE;

  if (!session)
    return FALSE;
  started = call (bus, session, SESSION, "Start", NULL, NULL, error);
  sent = started != NULL;
  for (guint i = 0; i < n && sent; i++)
    {
      g_autoptr (GVariant) reply =
          call (bus, session, SESSION, "NotifyKeyboardKeysym",
                g_variant_new ("(ub)", strokes[i].keysym, strokes[i].down), NULL, error);

      sent = reply != NULL;
    }
  if (!sent && error && *error)
    g_dbus_error_strip_remote_error (*error);
  return sent;
}
