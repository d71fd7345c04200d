/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for the daemon's answer. What a call does may last as long as a clip takes to
 * come in, so it has no time-out; meanwhile the daemon says how far it is. Whether it is
 * still alive, a ping tells, which every daemon answers from a thread that does nothing
 * else: one that is stopped, or hangs altogether, does not.
 */
#include "clip-reply.h"

#include "clip-error.h"
#include "clip-paths.h"
#include "clip-words.h"

#define NO_TIME_OUT G_MAXINT

#define DRAW_MS 200

/* most calls are over before the first */
#define PING_EVERY_MS 2000

/* what a machine that is short of memory needs, and more */
#define PATIENCE_MS 10000

typedef struct
{
  GVariant *reply;
  GError *error;
  gboolean done;
  ClipProgress *progress;
  GDBusConnection *connection;
  const char *name;
  GCancellable *stop; /* of the call and the ping */
  gboolean is_pinging;
  gboolean is_silent; /* the ping was not answered */
} Wait;

static void
on_reply (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Wait *wait = user_data;

  wait->reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &wait->error);
  wait->done = TRUE;
}

/* who went away meanwhile is no matter of ours: the call itself ends then */
static void
on_pong (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Wait *wait = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) pong =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  wait->is_pinging = FALSE;
  if (pong || !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    return;
  wait->is_silent = TRUE;
  g_cancellable_cancel (wait->stop);
}

static gboolean
on_time_to_ping (gpointer user_data)
{
  Wait *wait = user_data;

  if (wait->is_pinging)
    return G_SOURCE_CONTINUE;
  wait->is_pinging = TRUE;
  g_dbus_connection_call (wait->connection, wait->name, CLIP_BUS_PATH,
                          "org.freedesktop.DBus.Peer", "Ping", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START, PATIENCE_MS, wait->stop,
                          on_pong, wait);
  return G_SOURCE_CONTINUE;
}

static void
await_alive (Wait *wait)
{
  guint timer = g_timeout_add (PING_EVERY_MS, on_time_to_ping, wait);

  while (!wait->done)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  g_cancellable_cancel (wait->stop);
  while (wait->is_pinging)
    g_main_context_iteration (NULL, TRUE);
}

static void
on_transfer_progress (GDBusConnection *connection G_GNUC_UNUSED,
                      const char *sender G_GNUC_UNUSED,
                      const char *path G_GNUC_UNUSED,
                      const char *interface G_GNUC_UNUSED,
                      const char *signal G_GNUC_UNUSED,
                      GVariant *args,
                      gpointer user_data)
{
  ClipProgress *progress = user_data;
  guint64 done;
  guint64 total;

  if (!g_variant_is_of_type (args, G_VARIANT_TYPE ("(ttstt)")))
    return;
  g_variant_get (args, "(ttstt)", NULL, NULL, NULL, &done, &total);
  clip_progress_expect (progress, total);
  clip_progress_note (progress, done);
}

static gboolean
on_time_to_draw (gpointer user_data)
{
  clip_progress_draw (user_data);
  return G_SOURCE_CONTINUE;
}

/* what is sent to us alone needs no match rule */
static void
await_with_progress (Wait *wait)
{
  guint timer = g_timeout_add (DRAW_MS, on_time_to_draw, wait->progress);
  guint subscription = g_dbus_connection_signal_subscribe (
      wait->connection, NULL, CLIP_BUS_NAME, "TransferProgress", CLIP_BUS_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, on_transfer_progress, wait->progress, NULL);

  await_alive (wait);
  g_dbus_connection_signal_unsubscribe (wait->connection, subscription);
  g_source_remove (timer);
}

/**
 * clip_reply_await:
 * @name: (nullable): on the bus; %NULL on a private connection
 * @progress: (nullable): shows what the daemon says of the transfer
 *
 * Calls, and waits for the answer as long as it takes, while the daemon lives.
 *
 * Errors: %CLIP_ERROR as the daemon says, %G_DBUS_ERROR and %G_IO_ERROR where it went
 * away; %CLIP_ERROR_FAILED where it is there and does not answer a ping for ten seconds.
 */
GVariant *
clip_reply_await (GDBusConnection *connection,
                  const char *name,
                  const ClipCall *call,
                  ClipProgress *progress,
                  GError **error)
{
  g_autoptr (GCancellable) stop = g_cancellable_new ();
  Wait wait = {
    .progress = progress, .connection = connection, .name = name, .stop = stop
  };

  g_dbus_connection_call_with_unix_fd_list (
      connection, name, CLIP_BUS_PATH, call->interface ?: CLIP_BUS_NAME, call->method,
      call->args, G_VARIANT_TYPE (call->reply_type), G_DBUS_CALL_FLAGS_NO_AUTO_START,
      NO_TIME_OUT, call->fds, stop, on_reply, &wait);
  if (progress)
    await_with_progress (&wait);
  else
    await_alive (&wait);
  if (wait.is_silent && !wait.reply) /* which may come just before its ping is given up */
    {
      g_clear_error (&wait.error);
      g_set_error_literal (
          &wait.error, CLIP_ERROR, CLIP_ERROR_FAILED,
          _ ("the daemon runs but does not answer: “cliphist doctor” says more"));
    }
  if (wait.error)
    g_propagate_error (error, wait.error);
  return wait.reply;
}
