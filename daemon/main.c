/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cliphistd: builds the objects, connects them, runs the loop. There are two of them: the
 * daemon of the session, under its bus name, which watches the displays; and a private
 * one, which a command starts on a socket of its own to change a history that the
 * session's does not serve, and which ends with that socket.
 */
#define G_LOG_DOMAIN "cliphistd"
#include "clip-bus.h"
#include "clip-configuration.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-notifier.h"
#include "clip-ownership.h"
#include "clip-paths.h"
#include "clip-process.h"
#include "clip-session-watch.h"
#include "clip-sqlite-init.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#ifdef __GLIBC__
#  include <malloc.h>
#endif

#define LARGE_PIECE_BYTES (128 * 1024)
#define MAX_HEAPS 4

/* one that stands still does not hold up who only says why it does not start */
#define DISPLAY_MS 2000

typedef struct
{
  GMainLoop *loop;
  ClipConfiguration *configuration;
  ClipStore *store;
  ClipHistory *history;
  ClipBus *bus;
  ClipNotifier *notifier;
  ClipSessionWatch *session;
  GStrv backends; /* (nullable): those of the desktop, also while they connect anew */
  gboolean has_name;
  gboolean is_ending;
  gboolean clears; /* the history, before it ends */
  int status;
} Daemon;

static char *option_store;
static int option_private_fd = -1;
static gboolean option_replace;
static gboolean option_repair;
static gboolean option_adopt;
static gboolean option_no_display;
static gboolean option_version;

static const GOptionEntry options[] = {
  { "store", 0, 0, G_OPTION_ARG_FILENAME, &option_store,
    N_ ("Serve the history in this folder"), N_ ("DIR") },
  { "private", 0, 0, G_OPTION_ARG_INT, &option_private_fd,
    N_ ("Serve one caller, on this socket"), N_ ("FD") },
  { "replace", 0, 0, G_OPTION_ARG_NONE, &option_replace,
    N_ ("Take the place of a daemon that is running"), NULL },
  { "repair", 0, 0, G_OPTION_ARG_NONE, &option_repair,
    N_ ("Repair a history that cannot be opened, and exit"), NULL },
  { "adopt", 0, 0, G_OPTION_ARG_NONE, &option_adopt,
    N_ ("Import the database of the existing tool, and exit"), NULL },
  { "no-display", 0, 0, G_OPTION_ARG_NONE, &option_no_display,
    N_ ("Do not watch the clipboard"), NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &option_version,
    N_ ("Print the version and exit"), NULL },
  G_OPTION_ENTRY_NULL,
};

static void
quit (Daemon *self, int status)
{
  self->status = status;
  self->is_ending = TRUE;
  g_main_loop_quit (self->loop);
}

static gboolean
on_terminate (gpointer user_data)
{
  Daemon *self = user_data;

  self->clears |= self->session && clip_session_watch_is_over (self->session);
  quit (self, 0);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_hangup (gpointer user_data)
{
  clip_configuration_reload (((Daemon *) user_data)->configuration);
  return G_SOURCE_CONTINUE;
}

/* @settings: (nullable): a db-path there that depends on where we were started names no
 * history of ours. Returns: (transfer full) */
static char *
find_store (const ClipSettings *settings)
{
  const char *db_path = NULL;

  if (option_store)
    return g_strdup (option_store);
  if (settings &&
      clip_settings_origin (settings, CLIP_SETTING_DB_PATH) != CLIP_FROM_DEFAULT)
    db_path = clip_settings_text (settings, CLIP_SETTING_DB_PATH);
  return clip_paths_store (db_path && g_path_is_absolute (db_path) ? db_path : NULL);
}

/* @backends: (nullable): what they can do nothing of is told when it is set, not at each
 * start */
static void
say_mistakes (Daemon *self, const char *const *backends)
{
  const ClipSettings *settings = clip_configuration_settings (self->configuration);

  clip_notifier_say_mistakes (
      self->notifier, clip_settings_complaints (settings), backends,
      !self->session || clip_session_watch_has_logind (self->session),
      !self->session || clip_screen_lock_has_locker (clip_bus_screen_lock (self->bus)));
}

static void
on_no_logind (gpointer user_data)
{
  say_mistakes (user_data, NULL);
}

/* a history is not exchanged below those who hold on to its entries */
static void
say_store (Daemon *self, const ClipSettings *settings)
{
  g_autofree char *dir = find_store (settings);

  clip_notifier_say_store (self->notifier,
                           g_str_equal (dir, clip_store_dir (self->store)) ? NULL : dir);
}

static void
on_configuration_changed (const ClipSettings *settings, gpointer user_data)
{
  Daemon *self = user_data;
  g_auto (GStrv) backends = clip_history_backends (self->history);

  if (*backends || !self->backends)
    {
      g_strfreev (self->backends);
      self->backends = g_steal_pointer (&backends);
    }
  clip_history_set_settings (self->history, settings); /* which may connect anew */
  say_store (self, settings);
  say_mistakes (self, (const char *const *) self->backends);
}

/* --- the daemon of the session --- */

/* the address of a session that has ended may be another user's now, whose bus would say
 * that the callers are ours */
static gboolean
is_own_bus (GDBusConnection *connection, GError **error)
{
  GIOStream *stream = g_dbus_connection_get_stream (connection);

  if (!G_IS_SOCKET_CONNECTION (stream) ||
      clip_ownership_is_trusted_server (g_socket_get_fd (
          g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream)))))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED,
                       "it is another user's");
  return FALSE;
}

static void
on_bus_acquired (GDBusConnection *connection,
                 const char *name G_GNUC_UNUSED,
                 gpointer user_data)
{
  Daemon *self = user_data;
  g_autoptr (GError) error = NULL;

  if (is_own_bus (connection, &error) && clip_bus_export (self->bus, connection, &error))
    return;
  g_warning ("cannot serve on the session bus: %s", error->message);
  quit (self, 1);
}

/* what a call would delete is in the history by then, and so is what may have expired */
static void
begin_to_serve (Daemon *self)
{
  clip_history_keep_limits (self->history);
  clip_bus_open (self->bus);
}

static void
on_looked (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  clip_history_look_finish (result);
  begin_to_serve (user_data);
}

/* only the one that has the name watches: two of them would store every copy twice */
static void
on_name_acquired (GDBusConnection *connection G_GNUC_UNUSED,
                  const char *name,
                  gpointer user_data)
{
  Daemon *self = user_data;

  if (self->has_name || self->is_ending)
    return;
  self->has_name = TRUE;
  g_info ("serving '%s' as %s", clip_store_dir (self->store), name);
  self->session = clip_session_watch_new (self->history, clip_bus_screen_lock (self->bus),
                                          on_no_logind, self);
  say_mistakes (self, NULL);
  clip_notifier_say_pause (self->notifier);
  if (option_no_display)
    {
      begin_to_serve (self);
      return;
    }
  clip_history_watch_displays (self->history);
  clip_history_look_async (self->history, on_looked, self);
}

/* (nullable): what the daemon that has the name answers */
static GVariant *
ask_other (GDBusConnection *connection,
           const char *interface,
           const char *method,
           GVariant *parameters,
           const char *type)
{
  GVariant *reply;

  clip_process_unveil (); /* its gate looks at who calls */
  reply = g_dbus_connection_call_sync (
      connection, CLIP_BUS_NAME, CLIP_BUS_PATH, interface, method, parameters,
      G_VARIANT_TYPE (type), G_DBUS_CALL_FLAGS_NO_AUTO_START, DISPLAY_MS, NULL, NULL);
  clip_process_veil ();
  return reply;
}

/* (nullable) (transfer full): as clip_display_name_is_other() takes it */
static char *
ask_display (GDBusConnection *connection)
{
  g_autoptr (GVariant) reply =
      ask_other (connection, "org.freedesktop.DBus.Properties", "Get",
                 g_variant_new ("(ss)", CLIP_BUS_NAME, "Display"), "(v)");
  g_autoptr (GVariant) display = NULL;

  if (!reply)
    return NULL;
  g_variant_get (reply, "(v)", &display);
  return g_variant_is_of_type (display, G_VARIANT_TYPE_STRING)
             ? g_variant_dup_string (display, NULL)
             : NULL;
}

/* to one that watches none: that of an earlier login has gone */
static gboolean
tell_display (GDBusConnection *connection)
{
  GVariant *variables = clip_display_name_variables ();
  g_autoptr (GVariant) reply = NULL;

  if (!variables)
    return FALSE;
  reply = ask_other (
      connection, CLIP_BUS_NAME, "UseDisplay",
      g_variant_new ("(@a{ss}@a{sv})", variables, g_variant_new ("a{sv}", NULL)), "(as)");
  return reply != NULL;
}

static void
say_running (GDBusConnection *connection, const char *name)
{
  g_autofree char *display = option_no_display ? NULL : ask_display (connection);

  if (display && clip_display_name_is_other (display))
    g_message ("%s is running already, on the display %s: what is copied on this one is "
               "not kept; each login needs a session bus of its own, or --replace here",
               name, display);
  else if (display && !*display && tell_display (connection))
    g_message ("%s is running already, and was told of this display; --replace takes its "
               "place",
               name);
  else
    g_message ("%s is running already; --replace takes its place", name);
}

static void
on_name_lost (GDBusConnection *connection, const char *name, gpointer user_data)
{
  Daemon *self = user_data;
  const gboolean has_failed = !connection || (option_replace && !self->has_name);

  if (self->is_ending)
    return;
  if (!connection)
    g_message ("there is no session bus");
  else if (self->has_name)
    g_message ("another daemon took over %s", name);
  else if (option_replace)
    g_message ("the program that has %s does not let it go; end that one first", name);
  else
    say_running (connection, name);
  self->has_name = FALSE;
  quit (self, has_failed ? 1 : 0);
}

static void
on_cleared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  clip_history_clear_finish (CLIP_HISTORY (source), result, NULL);
  ((Daemon *) user_data)->clears = FALSE;
}

/* a call from now on reaches the next daemon; what has come is done, and then
   cleared */
static void
leave (Daemon *self)
{
  clip_bus_finish_calls (self->bus);
  if (self->clears)
    clip_history_clear_async (self->history, on_cleared, self);
  while (self->clears)
    g_main_context_iteration (NULL, TRUE);
}

static void
run_for_session (Daemon *self)
{
  GBusNameOwnerFlags flags = G_BUS_NAME_OWNER_FLAGS_ALLOW_REPLACEMENT |
                             (option_replace ? G_BUS_NAME_OWNER_FLAGS_REPLACE
                                             : G_BUS_NAME_OWNER_FLAGS_DO_NOT_QUEUE);

  if (!option_no_display)
    clip_history_expect_displays (self->history);
  clip_bus_hold (self->bus);
  self->notifier = clip_notifier_new (self->history);
  g_signal_connect_swapped (self->bus, "chosen", G_CALLBACK (clip_notifier_say_chosen),
                            self->notifier);
  clip_configuration_watch (self->configuration, on_configuration_changed, self);
  /* g_bus_unown_name() would wait for a bus that takes nothing */
  g_bus_own_name (G_BUS_TYPE_SESSION, CLIP_BUS_NAME, flags, on_bus_acquired,
                  on_name_acquired, on_name_lost, self, NULL);
  g_main_loop_run (self->loop);
  leave (self);
}

/* --- a private one --- */

static void
on_closed (GDBusConnection *connection G_GNUC_UNUSED,
           gboolean remote_peer_vanished G_GNUC_UNUSED,
           GError *error G_GNUC_UNUSED,
           gpointer user_data)
{
  quit (user_data, 0);
}

static GDBusConnection *
accept_caller (int socket_fd, GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (socket_fd, error);
  g_autoptr (GSocketConnection) stream =
      socket ? g_socket_connection_factory_create_connection (socket) : NULL;
  g_autofree char *guid = g_dbus_generate_guid ();

  if (!stream)
    return NULL;
  return g_dbus_connection_new_sync (G_IO_STREAM (stream), guid,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER |
                                         G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING,
                                     NULL, NULL, error);
}

static gboolean
run_privately (Daemon *self, GError **error)
{
  g_autoptr (GDBusConnection) connection = accept_caller (option_private_fd, error);

  if (!connection || !clip_bus_export (self->bus, connection, error))
    return FALSE;
  g_signal_connect (connection, "closed", G_CALLBACK (on_closed), self);
  g_dbus_connection_start_message_processing (connection);
  g_main_loop_run (self->loop);
  g_signal_handlers_disconnect_by_data (connection, self);
  return TRUE;
}

/* --- both --- */

/* what must hold before anything is opened: no look inside, no file for others, many
 * descriptors */
static void
set_process_limits (void)
{
  struct rlimit files;

  umask (0077);
  clip_process_seal ();
  if (getrlimit (RLIMIT_NOFILE, &files) == 0)
    {
      files.rlim_cur = files.rlim_max;
      setrlimit (RLIMIT_NOFILE, &files);
    }
  signal (SIGPIPE, SIG_IGN);
  signal (SIGTTOU, SIG_IGN); /* what we say may go to the terminal of who started us */
  signal (SIGCHLD, SIG_DFL); /* a parent that ignores it hands that on */
  signal (SIGXFSZ, SIG_IGN); /* a limit of the one who started us costs a copy */
}

static gboolean
build (Daemon *self, GError **error)
{
  gboolean private = option_private_fd >= 0;
  g_autofree char *dir = NULL;

  self->configuration = clip_configuration_new ();
  dir = find_store (clip_configuration_settings (self->configuration));
  self->store = clip_store_open (dir, private ? 0 : CLIP_STORE_SESSION, error);
  if (!self->store)
    return FALSE;
  self->history =
      clip_history_new (self->store, clip_configuration_settings (self->configuration));
  self->bus = clip_bus_new (self->history);
  return TRUE;
}

/* from the top down: no room may call what is gone */
static void
tear_down (Daemon *self)
{
  g_clear_pointer (&self->session, clip_session_watch_free);
  if (self->notifier)
    g_signal_handlers_disconnect_by_data (self->bus, self->notifier);
  g_clear_pointer (&self->notifier, clip_notifier_free);
  if (self->bus)
    g_object_run_dispose (G_OBJECT (self->bus));
  g_clear_object (&self->bus);
  if (self->history)
    clip_history_close (self->history);
  g_clear_object (&self->history);
  if (self->store)
    clip_store_close (self->store);
  g_clear_object (&self->store);
  g_clear_pointer (&self->configuration, clip_configuration_free);
  g_clear_pointer (&self->backends, g_strfreev);
  g_clear_pointer (&self->loop, g_main_loop_unref);
}

static void
on_touched (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* a change that changes nothing: a database in the place of our file is taken over before
   any */
static gboolean
adopt (GError **error)
{
  g_autofree char *dir = find_store (NULL);
  g_autoptr (ClipStore) store = clip_store_open (dir, 0, error);
  g_autoptr (GAsyncResult) result = NULL;
  gboolean done;

  if (!store)
    return FALSE;
  clip_store_change_async (store, clip_change_touch (), on_touched, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  done = clip_store_change_finish (store, result, NULL, error);
  clip_store_close (store);
  return done;
}

/* to who has asked for a repair, at a terminal */
static void
print_plainly (const char *domain G_GNUC_UNUSED,
               GLogLevelFlags level,
               const char *message,
               gpointer user_data G_GNUC_UNUSED)
{
  if ((level & G_LOG_LEVEL_MASK) <= G_LOG_LEVEL_MESSAGE)
    g_printerr ("cliphistd: %s\n", message);
}

static gboolean
run (Daemon *self, GError **error)
{
  g_autofree char *dir = option_repair ? find_store (NULL) : NULL;

  if (dir)
    {
      g_log_set_default_handler (print_plainly, NULL);
      return clip_store_repair_closed (dir, error);
    }
  if (option_adopt)
    return adopt (error);
  if (!build (self, error))
    return FALSE;
  self->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGTERM, on_terminate, self);
  g_unix_signal_add (SIGINT, on_terminate, self);
  /* a private one shares the terminal of its caller, which hangs up on both */
  g_unix_signal_add (SIGHUP, option_private_fd >= 0 ? on_terminate : on_hangup, self);
  if (option_private_fd >= 0)
    return run_privately (self, error);
  run_for_session (self);
  return TRUE;
}

/* What is large is gone when it is freed: the allocator would keep as much as it has once
 * seen, for good. And threads that mostly wait share a few heaps: what is in use pins its
 * page, and in a heap of its own each of them would pin pages of its own. mallopt(3) */
static void
set_allocator_limits (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, LARGE_PIECE_BYTES);
  mallopt (M_TRIM_THRESHOLD, LARGE_PIECE_BYTES);
  mallopt (M_ARENA_MAX, MAX_HEAPS);
#endif
}

/* words and dates; numbers are the same for every reader. The tests' own catalogues lie
   elsewhere */
static void
speak_their_language (void)
{
  const char *folder = g_getenv ("CLIPHIST_LOCALEDIR");

  setlocale (LC_MESSAGES, "");
  setlocale (LC_CTYPE, "");
  setlocale (LC_TIME, "");
  bindtextdomain (GETTEXT_PACKAGE, folder && *folder ? folder : CLIP_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}

/* the log alone would say it, of one that a session starts */
static void
explain (Daemon *self, const GError *error)
{
  gboolean has_remedy =
      !option_repair && g_error_matches (error, CLIP_ERROR, CLIP_ERROR_CORRUPT);

  g_printerr ("cliphistd: %s%s\n", error->message,
              has_remedy ? "; 'cliphist doctor --repair' saves what can be read of it"
                         : "");
  if (self->configuration && !self->store && option_private_fd < 0 &&
      clip_settings_number (clip_configuration_settings (self->configuration),
                            CLIP_SETTING_NOTIFY))
    clip_notifier_say_unopened ();
}

int
main (int argc, char *argv[])
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  Daemon self = { 0 };

  set_allocator_limits ();
  clip_paths_forget_relative (TRUE);
  clip_sqlite_init ();
  speak_their_language ();
  g_option_context_add_main_entries (context, options, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ ("Keeps the history of the clipboard."));
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("cliphistd: %s\n", error->message);
      return 2;
    }
  if (option_version)
    {
      g_print ("cliphistd %s\n", CLIP_VERSION);
      return 0;
    }
  set_process_limits ();
  if (!run (&self, &error))
    {
      explain (&self, error);
      self.status = 1;
    }
  tear_down (&self);
  return self.status;
}
