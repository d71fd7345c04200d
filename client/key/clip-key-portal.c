/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The RemoteDesktop portal, on desktops without another way to send keys (GNOME, KDE).
 * The desktop asks the user; newer ones remember the answer for a program that shows a
 * token the next time, and give another one for that.
 */
#include "clip-key.h"

#include "clip-error.h"
#include "clip-key-layout.h"
#include "clip-paths.h"
#include "clip-session-bus.h"
#include "clip-words.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

/* a name that the portal has made up */
#define MAX_TOKEN_BYTES 4096

#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define REMOTE "org.freedesktop.portal.RemoteDesktop"

#define CURRENT_MS 1000

#define KEYBOARD 1u
#define UNTIL_REVOKED 2u

/* the version from which on the answer is remembered */
#define HAS_TOKENS 2u

/* of the portal, which is started for us; of the user, who is asked */
#define PORTAL_MS 10000
#define USER_MS 60000

/* a desktop that asks no question has answered by then */
#define ASKS_MS 1500

/* who was asked for so long has seen a question, whose window had the focus; the window
 * behind it has that again a moment after the answer, and a key before that goes
 * nowhere */
#define QUESTION_MS 100
#define FOCUS_MS 400

typedef struct
{
  GDBusConnection *bus;
  char *session; /* (nullable): its path */
  guint version;
  guint n_requests;
  guint response; /* 0: granted; what the last request has brought */
  GVariant *results;
  gboolean done;
} Portal;

static void
portal_close (Portal *self)
{
  if (self->session)
    g_dbus_connection_call (self->bus, PORTAL, self->session,
                            "org.freedesktop.portal.Session", "Close", NULL, NULL,
                            G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  if (self->bus)
    g_dbus_connection_flush_sync (self->bus, NULL, NULL);
  g_clear_pointer (&self->session, g_free);
  g_clear_pointer (&self->results, g_variant_unref);
  g_clear_object (&self->bus);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Portal, portal_close)

static GVariant *
call (Portal *self,
      const char *interface,
      const char *method,
      GVariant *args,
      GError **error)
{
  return g_dbus_connection_call_sync (self->bus, PORTAL, PORTAL_PATH, interface, method,
                                      args, NULL, G_DBUS_CALL_FLAGS_NONE, PORTAL_MS, NULL,
                                      error);
}

static guint
get_number (Portal *self, const char *property)
{
  g_autoptr (GVariant) reply = call (self, "org.freedesktop.DBus.Properties", "Get",
                                     g_variant_new ("(ss)", REMOTE, property), NULL);
  g_autoptr (GVariant) value = NULL;

  if (!reply || !g_variant_is_of_type (reply, G_VARIANT_TYPE ("(v)")))
    return 0;
  g_variant_get (reply, "(v)", &value);
  return g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32)
             ? g_variant_get_uint32 (value)
             : 0;
}

/* --- a request, which is answered by a signal --- */

static void
on_response (GDBusConnection *bus,
             const char *sender,
             const char *path,
             const char *interface,
             const char *name,
             GVariant *args,
             gpointer user_data)
{
  Portal *self = user_data;

  if (!g_variant_is_of_type (args, G_VARIANT_TYPE ("(ua{sv})")))
    return;
  g_clear_pointer (&self->results, g_variant_unref);
  g_variant_get (args, "(u@a{sv})", &self->response, &self->results);
  self->done = TRUE;
}

static gboolean
on_late (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_CONTINUE;
}

static gboolean
await_response (Portal *self, guint patience_ms, GError **error)
{
  gboolean late = FALSE;
  guint timer = g_timeout_add (patience_ms, on_late, &late);

  while (!self->done && !late)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  if (!self->done)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_STALLED,
                 _ ("the desktop asked whether keys may be pressed, and got no answer"));
  else if (self->response != 0)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("the desktop does not allow it, or you did not"));
  return self->done && self->response == 0;
}

/* where it will be answered: to listen there only afterwards may be too late */
static char *
request_path (Portal *self, const char *token)
{
  g_autofree char *sender = g_strdup (g_dbus_connection_get_unique_name (self->bus) + 1);

  return g_strdup_printf (PORTAL_PATH "/request/%s/%s", g_strdelimit (sender, ".", '_'),
                          token);
}

/* @args: those in front of @options; consumed, as is @options */
static gboolean
request (Portal *self,
         const char *method,
         GVariant *args,
         GVariantDict *options,
         guint patience_ms,
         GError **error)
{
  g_autofree char *token = g_strdup_printf ("cliphist%u", ++self->n_requests);
  g_autofree char *path = request_path (self, token);
  g_autoptr (GVariant) given = g_variant_ref_sink (args);
  g_autoptr (GVariant) reply = NULL;
  GVariant *all[3];
  gsize n = g_variant_n_children (given);
  guint subscription = g_dbus_connection_signal_subscribe (
      self->bus, PORTAL, "org.freedesktop.portal.Request", "Response", path, NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, on_response, self, NULL);
  gboolean granted;

  g_variant_dict_insert (options, "handle_token", "s", token);
  for (gsize i = 0; i < n; i++)
    all[i] = g_variant_get_child_value (given, i);
  all[n] = g_variant_dict_end (options);
  self->done = FALSE;
  reply = call (self, REMOTE, method, g_variant_new_tuple (all, n + 1), error);
  for (gsize i = 0; i < n; i++)
    g_variant_unref (all[i]);
  granted = reply && await_response (self, patience_ms, error);
  g_dbus_connection_signal_unsubscribe (self->bus, subscription);
  return granted;
}

/* --- what the user has said before --- */

static char *
token_file (void)
{
  return g_build_filename (g_get_user_state_dir (), "cliphist", "remote-desktop-token",
                           NULL);
}

/* nothing waits for a FIFO, nor reads without an end, whatever lies there */
static char *
load_token (void)
{
  g_autofree char *file = token_file ();
  char *token = NULL;
  GStatBuf found;

  if (g_lstat (file, &found) < 0 || !S_ISREG (found.st_mode) ||
      found.st_size > MAX_TOKEN_BYTES)
    return NULL;
  g_file_get_contents (file, &token, NULL, NULL);
  return token && g_utf8_validate (token, -1, NULL) ? token : (g_free (token), NULL);
}

/* each is good for once */
static void
save_token (const char *token)
{
  g_autofree char *file = token_file ();
  g_autofree char *folder = g_path_get_dirname (file);

  if (!token || strlen (token) > MAX_TOKEN_BYTES)
    return;
  g_mkdir_with_parents (folder, 0700);
  g_file_set_contents_full (file, token, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, NULL);
}

/* --- a session --- */

/* the portal's XML says that the handle is a string, by mistake. Without one there is no
 * session, and no @error. */
static gboolean
create_session (Portal *self, GError **error)
{
  g_auto (GVariantDict) options = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) handle = NULL;

  g_variant_dict_insert (&options, "session_handle_token", "s", "cliphist");
  if (!request (self, "CreateSession", g_variant_new ("()"), &options, PORTAL_MS, error))
    return FALSE;
  handle = g_variant_lookup_value (self->results, "session_handle", NULL);
  if (handle &&
      (g_variant_is_of_type (handle, G_VARIANT_TYPE_STRING) ||
       g_variant_is_of_type (handle, G_VARIANT_TYPE_OBJECT_PATH)) &&
      g_variant_is_object_path (g_variant_get_string (handle, NULL)))
    self->session = g_variant_dup_string (handle, NULL);
  return self->session != NULL;
}

static gboolean
select_keyboard (Portal *self, GError **error)
{
  g_auto (GVariantDict) options = G_VARIANT_DICT_INIT (NULL);
  g_autofree char *token = self->version >= HAS_TOKENS ? load_token () : NULL;

  g_variant_dict_insert (&options, "types", "u", KEYBOARD);
  if (self->version >= HAS_TOKENS)
    g_variant_dict_insert (&options, "persist_mode", "u", UNTIL_REVOKED);
  if (token)
    g_variant_dict_insert (&options, "restore_token", "s", token);
  return request (self, "SelectDevices", g_variant_new ("(o)", self->session), &options,
                  PORTAL_MS, error);
}

static gboolean
on_asks (gpointer user_data)
{
  *(guint *) user_data = 0;
  puts (CLIP_KEY_ASKS);
  fflush (stdout);
  return G_SOURCE_REMOVE;
}

/* whether the user grants it, who is asked here */
static gboolean
ask_user (Portal *self, GError **error)
{
  g_auto (GVariantDict) options = G_VARIANT_DICT_INIT (NULL);
  guint timer = g_timeout_add (ASKS_MS, on_asks, &timer);
  gboolean granted = request (self, "Start", g_variant_new ("(os)", self->session, ""),
                              &options, USER_MS, error);

  g_clear_handle_id (&timer, g_source_remove);
  return granted;
}

/* the entry that the clipboard holds; 0: none, or no daemon answers */
static guint64
find_current (Portal *self)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->bus, CLIP_BUS_NAME, CLIP_BUS_PATH, "org.freedesktop.DBus.Properties", "Get",
      g_variant_new ("(ss)", CLIP_BUS_NAME, "Current"), G_VARIANT_TYPE ("(v)"),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, CURRENT_MS, NULL, NULL);
  g_autoptr (GVariant) value = NULL;

  if (reply)
    g_variant_get (reply, "(v)", &value);
  return value && g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64)
             ? g_variant_get_uint64 (value)
             : 0;
}

static gboolean
start (Portal *self, GError **error)
{
  const guint64 current = find_current (self);
  const gint64 begin_us = g_get_monotonic_time ();
  const char *token = NULL;
  guint devices = 0;
  gboolean was_asked;

  if (!ask_user (self, error))
    return FALSE;
  was_asked = g_get_monotonic_time () - begin_us > QUESTION_MS * G_TIME_SPAN_MILLISECOND;
  if (was_asked)
    g_usleep (FOCUS_MS * 1000);
  g_variant_lookup (self->results, "restore_token", "&s", &token);
  save_token (token);
  g_variant_lookup (self->results, "devices", "u", &devices);
  if (!(devices & KEYBOARD))
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("the desktop did not grant a virtual keyboard"));
  /* the question is no bar to other windows: what was copied there is not meant */
  else if (was_asked && current != 0 && find_current (self) != current)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_CANCELLED,
                 _ ("something else was copied meanwhile, and is on the clipboard"));
  else
    return TRUE;
  return FALSE;
}

static gboolean
type (Portal *self, const ClipKey *key, GError **error)
{
  ClipStroke strokes[CLIP_KEY_MAX_STROKES];
  guint n = clip_key_strokes (key, strokes);
  const gboolean places_v = clip_key_layout_places_v ();
  gboolean sent = TRUE;

  for (guint i = 0; i < n && sent; i++)
    {
      guint32 named;
      const char *method = clip_key_layout_method (places_v, &strokes[i], &named);
      g_autoptr (GVariant) reply =
          call (self, REMOTE, method,
                g_variant_new ("(oa{sv}iu)", self->session, NULL, (gint32) named,
                               strokes[i].down ? 1u : 0u),
                error);

      sent = reply != NULL;
    }
  return sent;
}

static gboolean
portal_open (Portal *self, GError **error)
{
  self->bus = clip_session_bus (NULL);
  if (self->bus && get_number (self, "AvailableDeviceTypes") & KEYBOARD)
    return TRUE;
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
               _ ("there is no RemoteDesktop portal with a keyboard"));
  return FALSE;
}

gboolean
clip_key_can_portal (GError **error)
{
  g_auto (Portal) portal = { 0 };

  return portal_open (&portal, error);
}

gboolean
clip_key_send_portal (const ClipKey *self, GError **error)
{
  g_auto (Portal) portal = { 0 };
  gboolean sent;

  if (!portal_open (&portal, error))
    return FALSE;
  portal.version = get_number (&portal, "version");
  sent = create_session (&portal, error) && select_keyboard (&portal, error) &&
         start (&portal, error) && type (&portal, self, error);
  if (!sent && error && !*error)
    g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                 _ ("the answer of the desktop's portal could not be understood"));
  if (!sent && error && *error)
    g_dbus_error_strip_remote_error (*error);
  return sent;
}
