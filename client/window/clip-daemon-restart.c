/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-window"
#include "clip-daemon-restart.h"

#include "clip-configure.h"
#include "clip-terminal.h"

/* before a daemon that has gone is started again; doubles each time, for one that crashes
   at once, which one is not that has stood for so long */
#define FIRST_REST_S 1
#define LONGEST_REST_S 64
#define STANDS_US (60 * G_USEC_PER_SEC)

struct ClipDaemonRestart
{
  CliphistHistory *history;
  guint timer;
  guint rest_s;
  gint64 since_us; /* monotonic: when the daemon came, or the window */
};

static gboolean
is_available (ClipDaemonRestart *self)
{
  gboolean available;

  g_object_get (self->history, "available", &available, NULL);
  return available;
}

/* the command tells the bus of our display first, and says on the screen where that does
 * not help */
static gboolean
on_rested (gpointer user_data)
{
  static const char *const words[] = { "status", "--quiet", NULL };
  ClipDaemonRestart *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) command = clip_configure_start (words, &error);

  self->timer = 0;
  if (!command)
    g_warning ("the daemon was not started again: %s", error->message);
  return G_SOURCE_REMOVE;
}

static void
on_available (ClipDaemonRestart *self)
{
  const gint64 now_us = g_get_monotonic_time ();

  g_clear_handle_id (&self->timer, g_source_remove);
  if (is_available (self))
    self->since_us = now_us;
  if (is_available (self) || clip_has_user_manager ())
    return;
  if (now_us - self->since_us >= STANDS_US)
    self->rest_s = FIRST_REST_S;
  self->timer = g_timeout_add_seconds (self->rest_s, on_rested, self);
  self->rest_s = MIN (self->rest_s * 2, LONGEST_REST_S);
}

ClipDaemonRestart *
clip_daemon_restart_new (CliphistHistory *history)
{
  ClipDaemonRestart *self = g_new0 (ClipDaemonRestart, 1);

  self->history = g_object_ref (history);
  self->rest_s = FIRST_REST_S;
  self->since_us = g_get_monotonic_time ();
  g_signal_connect_swapped (history, "notify::available", G_CALLBACK (on_available),
                            self);
  return self;
}

void
clip_daemon_restart_free (ClipDaemonRestart *self)
{
  g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_object_unref (self->history);
  g_free (self);
}
