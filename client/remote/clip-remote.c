/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who is asked to change the history: the session's daemon, if it is there or comes
 * within two seconds, and serves the folder that is meant; otherwise a private one. A
 * daemon of another folder says so before it touches anything, so that the same call can
 * be made again; so does one that knows the same folder by another name.
 *
 * A private one knows nothing of what is on the clipboard. So where there is a display,
 * and the bus knows how to start the daemon that watches it, no other is asked to store:
 * it would keep what is marked there as a secret.
 */
#define G_LOG_DOMAIN "cliphist"
#include "clip-remote.h"

#include "clip-daemon-start.h"
#include "clip-display-name.h"
#include "clip-error.h"
#include "clip-paths.h"
#include "clip-private-daemon.h"
#include "clip-reply.h"
#include "clip-session-bus.h"
#include "clip-words.h"

struct ClipRemote
{
  const char *verb; /* what the user knows it by */
  char *store;
  GVariantDict *options;
  GDBusConnection *connection; /* NULL before the first call */
  gboolean is_private;
  gboolean is_session;    /* the daemon of the session, with any history */
  gboolean is_daemons;    /* the store is what the daemon keeps once it is restarted */
  ClipProgress *progress; /* (nullable): borrowed */
};

static void
register_errors (void)
{
  for (guint i = 0; i < CLIP_N_BUS_ERRORS; i++)
    g_dbus_error_register_error (CLIP_ERROR, (int) i,
                                 clip_error_bus_name ((ClipError) i));
}

/* @from_file: of the keys that a configuration file sets */
static void
add_limit (GVariantDict *options,
           const ClipSettings *settings,
           ClipSetting setting,
           GVariantBuilder *from_file)
{
  const char *key = clip_settings_key (setting);

  if (clip_settings_origin (settings, setting) != CLIP_FROM_DEFAULT)
    g_variant_dict_insert (options, key, "x", clip_settings_number (settings, setting));
  if (clip_settings_origin (settings, setting) == CLIP_FROM_FILE)
    g_variant_builder_add (from_file, "s", key);
}

static void
add_refusals (GVariantDict *options, const ClipCommand *command, ClipSetting setting)
{
  g_auto (GStrv) items = clip_command_refusals (command, setting);

  if (*items)
    g_variant_dict_insert_value (options, clip_settings_key (setting),
                                 g_variant_new_strv ((const char *const *) items, -1));
}

/* what is not set is the daemon's own */
static void
add_settings (GVariantDict *options, const ClipCommand *command)
{
  GVariantBuilder from_file;

  g_variant_builder_init (&from_file, G_VARIANT_TYPE_STRING_ARRAY);
  for (ClipSetting i = 0; i < CLIP_N_SETTINGS; i++)
    if (clip_settings_call (i) == CLIP_CALL_LIMIT)
      add_limit (options, command->settings, i, &from_file);
    else if (clip_settings_call (i) == CLIP_CALL_REFUSAL)
      add_refusals (options, command, i);
  g_variant_dict_insert_value (options, "from-file", g_variant_builder_end (&from_file));
}

/**
 * clip_remote_new_session:
 *
 * The daemon of the session, whichever history it keeps and with its own settings, and no
 * other where there is none.
 */
ClipRemote *
clip_remote_new_session (const ClipCommand *command)
{
  ClipRemote *self = g_new0 (ClipRemote, 1);

  self->verb = clip_verbs_row (command->verb)->name;
  self->store = g_strdup (command->store);
  self->options = g_variant_dict_new (NULL);
  self->is_session = TRUE;
  register_errors ();
  return self;
}

/**
 * clip_remote_new:
 *
 * Nothing happens before the first call.
 */
ClipRemote *
clip_remote_new (const ClipCommand *command)
{
  ClipRemote *self = clip_remote_new_session (command);

  self->is_session = FALSE;
  self->is_daemons = clip_command_is_of_session (command) &&
                     clip_settings_origin (command->settings, CLIP_SETTING_CONFIG_PATH) ==
                         CLIP_FROM_DEFAULT;
  g_variant_dict_insert (self->options, "store", "s", command->store);
  add_settings (self->options, command);
  return self;
}

/* whether the last call was made of a daemon of our own */
gboolean
clip_remote_is_private (const ClipRemote *self)
{
  return self->is_private;
}

void
clip_remote_free (ClipRemote *self)
{
  if (!self)
    return;
  g_clear_object (&self->connection);
  g_variant_dict_unref (self->options);
  g_free (self->store);
  g_free (self);
}

/**
 * clip_remote_set_option:
 * @value: consumed where it is floating
 *
 * One more option of the next call.
 */
void
clip_remote_set_option (ClipRemote *self, const char *key, GVariant *value)
{
  g_variant_dict_insert_value (self->options, key, value);
}

/**
 * clip_remote_show:
 * @progress: (nullable): borrowed; shows how far the calls are that move bytes
 */
void
clip_remote_show (ClipRemote *self, ClipProgress *progress)
{
  self->progress = progress;
}

/**
 * clip_remote_show_display:
 *
 * Returns: whether the session's daemon, which was called, watched no display, and does
 * now
 */
gboolean
clip_remote_show_display (ClipRemote *self)
{
  return self->connection && !self->is_private &&
         clip_daemon_show_display (self->connection);
}

static gboolean
is_nobody_there (const GError *error)
{
  return g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN);
}

/* of the session's daemon; asking starts none. Returns: (transfer full) (nullable) */
static char *
get_property (ClipRemote *self, const char *name, GError **error)
{
  const ClipCall question = { .interface = "org.freedesktop.DBus.Properties",
                              .method = "Get",
                              .args = g_variant_new ("(ss)", CLIP_BUS_NAME, name),
                              .reply_type = "(v)" };
  g_autoptr (GVariant) reply =
      clip_reply_await (self->connection, CLIP_BUS_NAME, &question, NULL, error);
  g_autoptr (GVariant) value = NULL;

  if (!reply)
    return NULL;
  g_variant_get (reply, "(v)", &value);
  return g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
             ? g_variant_dup_string (value, NULL)
             : NULL;
}

/**
 * clip_remote_other_display:
 *
 * Asking starts no daemon.
 *
 * Returns: (transfer full) (nullable): the display that the session's daemon watches,
 * where that is not this one
 *
 * Errors: where there is a daemon that does not answer, or not say: it may watch another
 * one
 */
char *
clip_remote_other_display (ClipRemote *self, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *display = NULL;

  if (!self->connection && clip_has_display ())
    self->connection = clip_session_bus (NULL);
  if (!self->connection || !clip_has_display ())
    return NULL;
  display = get_property (self, "Display", &local);
  if (local && !is_nobody_there (local))
    g_propagate_error (error, g_steal_pointer (&local));
  return display && clip_display_name_is_other (display) ? g_steal_pointer (&display)
                                                         : NULL;
}

/* The folder that is meant may have another name for the session's daemon, as where $HOME
 * is a link. A private one would not know what is on the clipboard. Returns: whether it
 * has; by that it is called from then on */
static gboolean
take_their_name (ClipRemote *self)
{
  g_autofree char *theirs = get_property (self, "Store", NULL);

  if (!theirs || !clip_paths_are_one (theirs, self->store))
    return FALSE;
  g_variant_dict_insert (self->options, "store", "s", theirs);
  g_free (self->store);
  self->store =
      g_steal_pointer (&theirs); /* of a private one, too, if it comes to that */
  return TRUE;
}

static GVariant *
call_on_bus (ClipRemote *self, const ClipCall *call, GError **error)
{
  return clip_reply_await (self->connection, self->is_private ? NULL : CLIP_BUS_NAME,
                           call, self->progress, error);
}

/* whether a daemon that looks at the clipboard has to answer */
static gboolean
needs_watcher (const ClipCall *call)
{
  return g_str_equal (call->method, "Store") && clip_has_display ();
}

static void
refuse_unwatched (GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
               _ ("nothing was kept: the daemon, which recognizes secrets, cannot be "
                  "started; “cliphist doctor” says more"));
}

/* who watches the clipboard here may hand us a secret, of which the daemon knows
   nothing */
static void
refuse_elsewhere (const char *display, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
               _ ("nothing was kept: the daemon, which recognizes secrets, watches the "
                  "display %s, and not this one; “cliphist doctor” says more"),
               display);
}

/* @error: the caller's answer where that is the end of it */
static gboolean
start_session (ClipRemote *self, const ClipCall *call, GError **error)
{
  gboolean needs = needs_watcher (call);
  g_autoptr (GError) local = NULL;
  gboolean started = clip_daemon_start (self->connection, needs, &local);

  if (needs && local &&
      !g_error_matches (local, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN))
    refuse_unwatched (error);
  return started;
}

/* one round trip where the daemon is there. @out_elsewhere: whether another one is to be
 * asked */
static GVariant *
call_session (ClipRemote *self,
              const ClipCall *call,
              gboolean *out_elsewhere,
              GError **error)
{
  g_autoptr (GError) local = NULL;
  GVariant *reply;

  *out_elsewhere = TRUE;
  if (!self->connection)
    self->connection = clip_session_bus (error);
  if (!self->connection)
    return NULL;
  reply = call_on_bus (self, call, &local);
  if (is_nobody_there (local))
    {
      g_autoptr (GError) why = NULL;

      if (start_session (self, call, &why))
        {
          g_autofree char *other =
              needs_watcher (call) ? clip_remote_other_display (self, &why) : NULL;

          g_clear_error (&local);
          if (other)
            refuse_elsewhere (other, &why);
          else if (!why)
            reply = call_on_bus (self, call, &local);
          if (is_nobody_there (local) && needs_watcher (call))
            refuse_unwatched (&why);
        }
      if (why)
        {
          *out_elsewhere = FALSE;
          g_propagate_error (error, g_steal_pointer (&why));
          return NULL;
        }
    }
  *out_elsewhere = is_nobody_there (local) ||
                   g_error_matches (local, CLIP_ERROR, CLIP_ERROR_OTHER_STORE);
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  return reply;
}

/* db-path was changed while the daemon ran: it knows what is on the clipboard, which a
 * watcher may hand us, and a private one does not */
static gboolean
is_to_be_restarted (const ClipRemote *self, const ClipCall *call, const GError *error)
{
  return self->is_daemons && needs_watcher (call) && g_str_equal (self->verb, "store") &&
         g_error_matches (error, CLIP_ERROR, CLIP_ERROR_OTHER_STORE);
}

static void
turn_private (ClipRemote *self, GError **error)
{
  g_clear_object (&self->connection);
  self->connection = clip_private_daemon_start (self->store, error);
  self->is_private = self->connection != NULL;
}

/* the options are the last argument of every method; they stay for the next call */
static GVariant *
with_options (ClipRemote *self, GVariant *given)
{
  g_autoptr (GPtrArray) all =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  GVariant *options = g_variant_ref_sink (g_variant_dict_end (self->options));

  g_variant_dict_unref (self->options);
  self->options = g_variant_dict_new (options);
  for (gsize i = 0; i < g_variant_n_children (given); i++)
    g_ptr_array_add (all, g_variant_get_child_value (given, i));
  g_ptr_array_add (all, options);
  return g_variant_ref_sink (
      g_variant_new_tuple ((GVariant *const *) all->pdata, all->len));
}

/* what GIO says of it depends on how the connection ended, and tells a user nothing */
static gboolean
has_daemon_ended (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED) ||
         g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY);
}

static void
give_up (GError *local_take, const char *verb, GError **error)
{
  if (has_daemon_ended (local_take))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   _ ("%s: the daemon ended before it answered: look whether this was "
                      "done before you try again"),
                   verb);
      g_error_free (local_take);
      return;
    }
  if (is_nobody_there (local_take))
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
                   _ ("%s: the daemon does not run, and cannot be started; “cliphist "
                      "doctor” says more"),
                   verb);
      g_error_free (local_take);
      return;
    }
  g_dbus_error_strip_remote_error (local_take);
  g_propagate_error (error, local_take);
}

/**
 * clip_remote_call:
 * @args: a tuple of the arguments of @method without its options; consumed where it is
 * floating
 * @reply_type: what @method answers
 * @fds: (nullable): the descriptors that @args refers to
 *
 * Calls a method of the daemon that owns the history, and waits for the answer as long as
 * it takes.
 *
 * Errors: %CLIP_ERROR as the daemon says, %G_DBUS_ERROR and %G_IO_ERROR where it went
 * away, %G_SPAWN_ERROR where there is none.
 */
GVariant *
clip_remote_call (ClipRemote *self,
                  const char *method,
                  GVariant *args,
                  const char *reply_type,
                  GUnixFDList *fds,
                  GError **error)
{
  g_autoptr (GVariant) given = g_variant_ref_sink (args);
  g_autoptr (GVariant) all = with_options (self, given);
  ClipCall call = { .method = method, .args = all, .reply_type = reply_type, .fds = fds };
  g_autoptr (GError) local = NULL;
  GVariant *reply = NULL;
  gboolean elsewhere = FALSE;

  if (!self->is_private)
    reply = call_session (self, &call, &elsewhere, &local);
  if (g_error_matches (local, CLIP_ERROR, CLIP_ERROR_OTHER_STORE) &&
      take_their_name (self))
    {
      g_clear_error (&local);
      g_variant_unref (all);
      call.args = all = with_options (self, given);
      reply = call_session (self, &call, &elsewhere, &local);
    }
  if (elsewhere && !self->is_session && !is_to_be_restarted (self, &call, local))
    {
      g_clear_error (&local);
      turn_private (self, &local);
    }
  if (self->is_private)
    reply = call_on_bus (self, &call, &local);
  if (local)
    give_up (g_steal_pointer (&local), self->verb, error);
  return reply;
}

/**
 * clip_remote_run:
 *
 * As clip_remote_call(), where the answer is of no interest. Returns: the exit status,
 * after saying what went wrong
 */
int
clip_remote_run (ClipRemote *self,
                 const char *method,
                 GVariant *args,
                 const char *reply_type)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      clip_remote_call (self, method, args, reply_type, NULL, &error);

  return reply ? CLIP_EXIT_DONE : clip_command_fail (error);
}
