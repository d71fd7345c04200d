/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entries into the window that had the focus. Each step waits for the one before: the
 * user has let go of the keys, the window is gone, that other one has the focus, the
 * key that pastes there is known, the clipboard has the entry, the key is pressed. So
 * nothing is pasted into another window, nor what was on the clipboard before.
 */
#define G_LOG_DOMAIN "clip-window"
#include "clip-paste.h"

#include "clip-failure-words.h"
#include "clip-key-press.h"
#include "clip-key.h"
#include "clip-words.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* some programs paste the primary selection on it */
#define KEY_OF_PRIMARY "shift+insert"
#define KEY_ELSEWHERE "ctrl+v"

#define DAEMON "org.cliphist.History1"
#define DAEMON_PATH "/org/cliphist/History1"

/* what is held down as an entry is taken (Shift+Enter, Ctrl+1) would count with the key,
 * on some desktops: it is let go of first. What seems to stay down is not waited for any
 * more: it may be latched. Where it counts, no key is pressed then */
#define MODIFIERS \
  (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK | \
   GDK_HYPER_MASK)
#define LOOK_EVERY_MS 10
#define HELD_MS 5000

/* (nullable): it may have the desktop ask whether it may, for a minute: a later one
 * withdraws the question */
static GSubprocess *pressing;

typedef struct
{
  CliphistHistory *history;
  ClipTaking taking;
  char *key;        /* (nullable): none is pressed */
  const char *lack; /* (nullable): why none is, to be said once it is on the clipboard */
  gboolean is_for_terminal;
  gboolean is_held; /* a key stays down */
  int fd;           /* of what is joined; -1: of nothing */
  guint timer;      /* of the daemon's answer; 0 = none */
  ClipPlacement *placement;
  gint64 begin_us;
} Paste;

/* (nullable): that waits until no key is held */
static Paste *waiting;

static void
tell (const char *title, const char *words)
{
  g_autoptr (GNotification) notification = g_notification_new (title);

  g_notification_set_body (notification, words);
  g_application_send_notification (g_application_get_default (), "paste", notification);
}

/* @error: (nullable): why it went no further */
static void
end (Paste *self, const GError *error)
{
  if (error)
    tell (_ ("Clipboard history"), clip_failure_words (error));
  g_clear_handle_id (&self->timer, g_source_remove);
  g_object_unref (self->history);
  g_array_unref (self->taking.ids);
  g_free (self->key);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
  g_application_release (g_application_get_default ());
}

/* --- the key --- */

static void
end_without_key (Paste *self, const GError *error)
{
  g_autofree char *where =
      g_strdup_printf (_ ("It is on the clipboard: press %s to paste it."), self->key);
  g_autofree char *why =
      g_strdup_printf (_ ("The key cannot be sent: %s"), error->message);
  g_autofree char *words = g_strdup_printf ("%s\n%s", where, why);
  gboolean is_there = !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  tell (_ ("Nothing was pasted"), is_there ? words : why);
  end (self, NULL);
}

static void
on_pressed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GSubprocess *program = G_SUBPROCESS (source);
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_autofree char *answer = NULL;

  if (g_subprocess_communicate_utf8_finish (program, result, &said, NULL, &error))
    answer = clip_key_press_answer (program, said, &error);
  if (answer || program != pressing)
    end (user_data, NULL);
  else
    end_without_key (user_data, error);
}

static void
press (Paste *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) program = NULL;

  if (pressing)
    g_subprocess_force_exit (pressing);
  program = clip_key_press_start (self->key, self->is_held ? CLIP_KEY_HELD : CLIP_KEY_NOW,
                                  &error);
  g_set_object (&pressing, program);
  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_pressed, self);
  else
    end_without_key (self, error);
}

static void
end_on_clipboard (Paste *self)
{
  if (self->lack)
    tell (_ ("Nothing was pasted"), self->lack);
  end (self, NULL);
}

static const char *
say_silent (void)
{
  return _ ("The clipboard history does not answer: what was chosen is on the clipboard "
            "once it does. “cliphist doctor” in a terminal says more.");
}

static void
on_backends (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) value = NULL;
  g_autofree const char **backends = NULL;
  Paste *self = user_data;

  if (reply)
    g_variant_get (reply, "(v)", &value);
  if (value && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING_ARRAY))
    backends = g_variant_get_strv (value, NULL);
  if (!backends)
    self->lack = say_silent ();
  else if (g_strv_contains (backends, "mutter"))
    self->lack = _ ("It is on the clipboard. This terminal pastes only what is "
                    "selected, which cannot be set on GNOME.");
  if (self->lack)
    end_on_clipboard (self);
  else
    press (self);
}

/* Mutter lets the daemon set the clipboard alone, and the key would paste what was
   selected before: it is pressed where the daemon says that it watches another */
static void
press_if_selected (Paste *self)
{
  g_autoptr (GDBusConnection) bus = NULL;

  g_object_get (self->history, "connection", &bus, NULL);
  g_dbus_connection_call (bus, DAEMON, DAEMON_PATH, "org.freedesktop.DBus.Properties",
                          "Get", g_variant_new ("(ss)", DAEMON, "Backends"),
                          G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NO_AUTO_START,
                          CLIP_PATIENCE_MS, NULL, on_backends, self);
}

/* --- the clipboard --- */

/* what it has been asked for it does when it goes on; by now a person has gone on, and
 * the key would come where it is not meant to */
static void
on_silent (gpointer user_data)
{
  Paste *self = user_data;

  self->timer = 0;
  self->lack = NULL;
  g_clear_pointer (&self->key, g_free);
  tell (_ ("Nothing was pasted"), say_silent ());
}

static void
on_selected (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Paste *self = user_data;
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (cliphist_history_select_finish (CLIPHIST_HISTORY (source), result, &error))
    {
      if (!self->key)
        end_on_clipboard (self);
      else if (self->taking.flags & CLIPHIST_SELECT_PRIMARY)
        press_if_selected (self);
      else
        press (self);
    }
  else if ((self->taking.flags & (CLIPHIST_SELECT_PLAIN | CLIPHIST_SELECT_PRIMARY)) &&
           g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_NO_SUCH_FORMAT))
    {
      tell (
          _ ("Nothing was pasted"),
          self->is_for_terminal
              ? _ ("This entry has no plain text, and this terminal pastes nothing else.")
              : _ ("This entry has no plain text. Enter pastes it as it is."));
      end (self, NULL);
    }
  else
    end (self, error);
}

static void
select_entry (Paste *self, guint64 id)
{
  cliphist_history_select_async (self->history, id, self->taking.flags, NULL, on_selected,
                                 self);
}

static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Paste *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *dropped = NULL;
  guint64 id =
      cliphist_history_store_finish (CLIPHIST_HISTORY (source), result, &dropped, &error);

  if (id == 0 && !error)
    error = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED,
                         _ ("Nothing was put on the clipboard: %s"), dropped ?: "");
  if (error)
    end (self, error);
  else
    select_entry (self, id);
}

static void
on_joined (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Paste *self = user_data;
  g_autoptr (GError) error = NULL;
  gboolean is_files = self->taking.kind == CLIPHIST_KIND_FILES;
  const char *const types[] = { is_files ? "text/uri-list" : "text/plain;charset=utf-8",
                                NULL };

  cliphist_history_join_finish (CLIPHIST_HISTORY (source), result, &error);
  if (error || lseek (self->fd, 0, SEEK_SET) < 0)
    end (self, error);
  else
    cliphist_history_store_async (self->history, types, &self->fd, 1, FALSE, NULL,
                                  on_stored, self);
}

/* texts, or files, a line after the other, become one new entry */
static void
join (Paste *self)
{
  const GArray *ids = self->taking.ids;
  gboolean is_files = self->taking.kind == CLIPHIST_KIND_FILES;
  g_autoptr (GError) error = NULL;

  self->fd = memfd_create ("joined", MFD_CLOEXEC);
  if (self->fd < 0)
    error = g_error_new_literal (G_IO_ERROR, g_io_error_from_errno (errno),
                                 g_strerror (errno));
  if (error)
    end (self, error);
  else
    cliphist_history_join_async (self->history, (const guint64 *) ids->data, ids->len,
                                 NULL, is_files ? "\r\n" : "\n", self->fd, NULL,
                                 on_joined, self);
}

static void
select_entries (Paste *self)
{
  self->timer = g_timeout_add_once (CLIP_PATIENCE_MS, on_silent, self);
  if (self->taking.ids->len > 1)
    join (self);
  else
    select_entry (self, g_array_index (self->taking.ids, guint64, 0));
}

static void
on_key_known (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GSubprocess *program = G_SUBPROCESS (source);
  Paste *self = user_data;
  g_autofree char *said = NULL;

  g_subprocess_communicate_utf8_finish (program, result, &said, NULL, NULL);
  self->key = clip_key_press_answer (program, said, NULL) ?: g_strdup (KEY_ELSEWHERE);
  self->is_for_terminal = !g_str_equal (self->key, KEY_ELSEWHERE);
  if (g_str_equal (self->key, KEY_OF_PRIMARY))
    self->taking.flags |= CLIPHIST_SELECT_PRIMARY;
  /* it pastes text alone, of what else there is */
  else if (self->is_for_terminal && (self->taking.kind == CLIPHIST_KIND_IMAGE ||
                                     self->taking.kind == CLIPHIST_KIND_OTHER))
    self->taking.flags |= CLIPHIST_SELECT_PLAIN;
  select_entries (self);
}

/* --- it begins --- */

static void
hide_and_paste (Paste *self)
{
  const gboolean presses = self->taking.presses;
  g_autoptr (GSubprocess) program = NULL;

  if (presses && clip_placement_has_lost (self->placement))
    self->lack = _ ("The window that had the focus has closed. It is on the clipboard.");
  clip_placement_hide (self->placement);
  /* without the program that presses keys it is on the clipboard, and no more */
  if (presses && !self->lack)
    program = clip_key_press_start ("which", NULL, NULL);
  if (program)
    g_subprocess_communicate_utf8_async (program, NULL, NULL, on_key_known, self);
  else
    select_entries (self);
}

static gboolean
is_held (void)
{
  GdkSeat *seat = gdk_display_get_default_seat (gdk_display_get_default ());
  GdkDevice *keyboard = seat ? gdk_seat_get_keyboard (seat) : NULL;

  return keyboard && gdk_device_get_modifier_state (keyboard) & MODIFIERS;
}

static gboolean
on_look (gpointer user_data)
{
  Paste *self = user_data;
  const gint64 waited_us = g_get_monotonic_time () - self->begin_us;
  const gboolean is_given_up = !clip_placement_is_shown (self->placement);

  self->is_held = is_held ();
  if (!is_given_up && self->is_held && waited_us < HELD_MS * G_TIME_SPAN_MILLISECOND)
    return G_SOURCE_CONTINUE;
  waiting = NULL;
  if (is_given_up)
    end (self, NULL);
  else
    hide_and_paste (self);
  return G_SOURCE_REMOVE;
}

/**
 * clip_paste:
 * @taking: one entry or more
 *
 * Hides the window, and pastes where the focus is then, unless the window that had it
 * before is known to have closed. While it waits for keys that are held, hiding
 * the window gives it up. What goes wrong is said in a notification.
 */
void
clip_paste (ClipPlacement *placement, CliphistHistory *history, const ClipTaking *taking)
{
  Paste *self;

  if (waiting)
    return;
  self = g_new0 (Paste, 1);
  self->history = g_object_ref (history);
  self->taking = *taking;
  self->taking.ids = g_array_ref (taking->ids);
  self->fd = -1;
  self->placement = placement;
  self->begin_us = g_get_monotonic_time ();
  g_application_hold (g_application_get_default ());
  if (!taking->presses || !is_held ())
    {
      hide_and_paste (self);
      return;
    }
  waiting = self;
  g_timeout_add (LOOK_EVERY_MS, on_look, self);
}
