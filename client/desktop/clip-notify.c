/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What went wrong, on the screen: a key that a verb is bound to has no terminal, or one
 * that closes at once, and a person who presses it sees that nothing happens.
 */
#include "clip-notify.h"

#include "clip-daemon-start.h"
#include "clip-paths.h"
#include "clip-session-bus.h"
#include "clip-terminal.h"
#include "clip-words.h"

#include <string.h>
#include <unistd.h>

#define PATH "/org/freedesktop/Notifications"

/* a server may have to be started */
#define ANSWER_MS 5000

#define URGENCY_NORMAL 1

/* some servers show for ever what says nothing of that */
#define SHOWN_MS 15000

static GVariant *
call (GDBusConnection *bus,
      const char *method,
      GVariant *args,
      const char *reply_type,
      GDBusCallFlags flags)
{
  return g_dbus_connection_call_sync (bus, CLIP_NOTIFY_NAME, PATH, CLIP_NOTIFY_NAME,
                                      method, args, G_VARIANT_TYPE (reply_type), flags,
                                      ANSWER_MS, NULL, NULL);
}

/* (transfer full) (nullable): what the program that shows them is capable of. A bus that
 * is older than the compositor has to be told of the display before it starts one */
static GVariant *
reach_server (GDBusConnection *bus)
{
  GVariant *reply =
      call (bus, "GetCapabilities", NULL, "(as)", G_DBUS_CALL_FLAGS_NO_AUTO_START);

  if (reply)
    return reply;
  clip_daemon_tell_display (bus);
  return call (bus, "GetCapabilities", NULL, "(as)", G_DBUS_CALL_FLAGS_NONE);
}

/**
 * clip_notify_is_shown:
 *
 * Returns: whether a program shows notifications, from now on where none did: one that is
 * installed may be that of another desktop, and not start here
 */
gboolean
clip_notify_is_shown (void)
{
  g_autoptr (GDBusConnection) bus = clip_session_bus (NULL);
  g_autoptr (GVariant) reply = bus ? reach_server (bus) : NULL;

  return reply != NULL;
}

/* @capabilities: as they were answered */
static gboolean
reads_markup (GVariant *capabilities)
{
  g_autofree const char **all = NULL;

  g_variant_get (capabilities, "(^a&s)", &all);
  return g_strv_contains (all, "body-markup");
}

/* (nullable): NULL where no failure is told: of `store` in pipelines, of what reads */
static const char *
summary_of (const ClipCommand *command)
{
  switch (command->verb)
    {
    case CLIP_VERB_PICK:
    case CLIP_VERB_WINDOW:
      return _ ("The clipboard history cannot be shown");
    case CLIP_VERB_INSERT:
      return _ ("Nothing was pasted");
    case CLIP_VERB_COPY:
      return _ ("Nothing was copied");
    case CLIP_VERB_CLEAR:
      return _ ("The clipboard was not emptied");
    case CLIP_VERB_PAUSE:
      return _ ("The pause was not set");
    case CLIP_VERB_RESUME:
      return _ ("The pause was not ended");
    case CLIP_VERB_WIPE:
    case CLIP_VERB_DELETE:
    case CLIP_VERB_DELETE_QUERY:
    case CLIP_VERB_REMOVE:
    case CLIP_VERB_TRIM:
      return _ ("Nothing was deleted");
    case CLIP_VERB_PIN:
    case CLIP_VERB_UNPIN:
    case CLIP_VERB_TAG:
    case CLIP_VERB_UNTAG:
    case CLIP_VERB_EXPIRE:
    case CLIP_VERB_EDIT:
      return _ ("Nothing was changed");
    case CLIP_VERB_COMPACT:
      return _ ("No space was given back");
    case CLIP_VERB_EXPORT:
      return _ ("The export failed");
    case CLIP_VERB_IMPORT:
      return _ ("The import failed");
    case CLIP_VERB_CONFIG:
      /* one word is a key that is read; of a slip before them none has been taken */
      return command->words->len != 1 ? _ ("The setting was not changed") : NULL;
    default:
      return NULL;
    }
}

/* `doctor` knows nothing of a file that was named */
static gboolean
is_about_file (ClipVerb verb)
{
  return verb == CLIP_VERB_EXPORT || verb == CLIP_VERB_IMPORT || verb == CLIP_VERB_CONFIG;
}

/* of this call of the command; a later one takes its place: one press is told of once */
static guint32 shown;

/* Returns: its id; 0 where none is shown */
static guint32
show (GDBusConnection *bus, const char *summary, const char *words)
{
  g_autoptr (GVariant) capabilities = reach_server (bus);
  g_autofree char *body = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_auto (GVariantBuilder) hints = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  if (!capabilities)
    return 0;
  body =
      reads_markup (capabilities) ? g_markup_escape_text (words, -1) : g_strdup (words);
  g_variant_builder_add (&hints, "{sv}", "urgency", g_variant_new_byte (URGENCY_NORMAL));
  g_variant_builder_add (&hints, "{sv}", "desktop-entry",
                         g_variant_new_string (CLIP_APPLICATION_ID));
  reply = call (bus, "Notify",
                g_variant_new ("(susssasa{sv}i)", "cliphist", shown, CLIP_APPLICATION_ID,
                               summary, body, NULL, &hints, SHOWN_MS),
                "(u)", G_DBUS_CALL_FLAGS_NONE);
  if (!reply)
    return 0;
  g_variant_get (reply, "(u)", &shown);
  return shown;
}

/**
 * clip_notify:
 *
 * Shows a notification where standard error is not seen, or not for long.
 *
 * Returns: its id, for clip_notify_close(); 0 where none is shown
 */
guint32
clip_notify (const ClipCommand *command, const char *summary, const char *words)
{
  g_autoptr (GDBusConnection) bus = NULL;

  if ((clip_terminal_is_watched (STDERR_FILENO) &&
       !clip_terminal_is_own (STDERR_FILENO)) ||
      !clip_settings_number (command->settings, CLIP_SETTING_NOTIFY))
    return 0;
  bus = clip_session_bus (NULL);
  return bus ? show (bus, summary, words) : 0;
}

/* what it says is over */
void
clip_notify_close (guint32 id)
{
  g_autoptr (GDBusConnection) bus = id > 0 ? clip_session_bus (NULL) : NULL;
  g_autoptr (GVariant) reply = NULL;

  if (bus)
    reply = call (bus, "CloseNotification", g_variant_new ("(u)", id), "()",
                  G_DBUS_CALL_FLAGS_NO_AUTO_START);
  if (id == shown)
    shown = 0;
}

/**
 * clip_notify_failure:
 * @words: what the command has said of its failure
 *
 * Says it on the screen where clip_notify() does, and the verb is one that keys
 * are bound to.
 */
void
clip_notify_failure (const ClipCommand *command, const char *words)
{
  gboolean is_explained;
  const char *title = clip_command_title (&is_explained) ?: summary_of (command);
  g_autofree char *said = g_strchomp (g_strdup (words));
  g_autofree char *text =
      is_explained || is_about_file (command->verb) || strstr (said, "cliphist doctor")
          ? NULL
          : g_strdup_printf ("%s\n%s", said,
                             _ ("“cliphist doctor” in a terminal says what is "
                                "missing, and what mends it."));

  if (title && *said)
    clip_notify (command, title, text ?: said);
}
