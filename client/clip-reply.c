/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting for the daemon's answer. What a call does may last as long as a clip takes to
 * come in, so there is no time-out; meanwhile the daemon says how far it is.
 */
#include "clip-reply.h"

#include "clip-paths.h"

#define NO_TIME_OUT G_MAXINT

/* often enough for the progress, which decides by itself when it is time to draw */
#define LOOK_MS 100

typedef struct
{
  GVariant *reply;
  GError *error;
  gboolean done;
  ClipProgress *progress;
} Wait;

static void
on_reply (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Wait *wait = user_data;

  wait->reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &wait->error);
  wait->done = TRUE;
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
on_look (gpointer user_data)
{
  clip_progress_draw (user_data);
  return G_SOURCE_CONTINUE;
}

/* what is sent to us alone needs no match rule */
static void
await_with_progress (GDBusConnection *connection, Wait *wait)
{
  guint timer = g_timeout_add (LOOK_MS, on_look, wait->progress);
  guint subscription = g_dbus_connection_signal_subscribe (
      connection, NULL, CLIP_BUS_NAME, "TransferProgress", CLIP_BUS_PATH, NULL,
      G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, on_transfer_progress, wait->progress, NULL);

  while (!wait->done)
    g_main_context_iteration (NULL, TRUE);
  g_dbus_connection_signal_unsubscribe (connection, subscription);
  g_source_remove (timer);
}

/**
 * clip_reply_await:
 * @name: (nullable): on the bus; %NULL on a private connection
 * @progress: (nullable): shows what the daemon says of the transfer
 *
 * Calls, and waits for the answer as long as it takes.
 *
 * Errors: %CLIP_ERROR as the daemon says, %G_DBUS_ERROR and %G_IO_ERROR where it went
 * away.
 */
GVariant *
clip_reply_await (GDBusConnection *connection,
                  const char *name,
                  const ClipCall *call,
                  ClipProgress *progress,
                  GError **error)
{
  Wait wait = { .progress = progress };

  g_dbus_connection_call_with_unix_fd_list (
      connection, name, CLIP_BUS_PATH, CLIP_BUS_NAME, call->method, call->args,
      G_VARIANT_TYPE (call->reply_type), G_DBUS_CALL_FLAGS_NO_AUTO_START, NO_TIME_OUT,
      call->fds, NULL, on_reply, &wait);
  if (progress)
    await_with_progress (connection, &wait);
  while (!wait.done)
    g_main_context_iteration (NULL, TRUE);
  if (wait.error)
    g_propagate_error (error, wait.error);
  return wait.reply;
}
