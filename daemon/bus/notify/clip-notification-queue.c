/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libnotify waits for the server's answer, up to 25 seconds: it runs on a thread of its
 * own, with a main context of its own, which alone touches it. Of each matter one word
 * waits for that thread, the last one: a stuck server is owed no more than there are
 * matters.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-notification-queue.h"

#include "clip-paths.h"

#include <libnotify/notify.h>

/* why a message was closed, as the specification of notifications numbers it */
#define CLOSED_BY_US 3

/* how long the last word may take, at the end; a server that is not stuck needs a few */
#define FAREWELL_MS 100

/* what passes is news for so long */
#define NEWS_MS 5000

/* at a login a server may start later than we do; what is older is no news */
#define AWAITED_US (60 * (gint64) G_USEC_PER_SEC)

/* how long a process waits for it that ends behind its word */
#define LATE_MS (10 * 1000)

#define SERVER_NAME "org.freedesktop.Notifications"

typedef struct
{
  NotifyNotification *notification; /* (nullable) */
  gboolean was_closed;              /* by its reader, or by time */
  gboolean was_unseen;              /* no server took it */
  ClipNotification *unseen;         /* (nullable): shown to the next server */
  gint64 unseen_us;                 /* monotonic */
} Place;

struct ClipNotificationQueue
{
  gatomicrefcount refs;
  GThread *thread;
  GMainContext *context; /* of the thread */
  GMainLoop *loop;
  GSource *wake;
  GMainContext *caller;
  ClipNotificationQueueFunc
      clicked; /* on the caller's context; NULL once the listener has gone */
  gpointer clicked_data;

  Place places[CLIP_N_MATTERS]; /* the thread's own */
  guint server_watch;           /* its own, too; 0: all was seen until now */

  GMutex mutex;
  ClipNotification *waiting[CLIP_N_MATTERS]; /* from here on guarded by mutex */
  gboolean hides[CLIP_N_MATTERS];
  GCond rests;
  gboolean is_calling;
  gboolean is_closing;
};

typedef struct
{
  ClipNotificationQueue *notifications;
  ClipMatter matter;
} Click;

void
clip_notification_free (ClipNotification *self)
{
  if (!self)
    return;
  g_free (self->summary);
  g_free (self->body);
  g_free (self->action);
  g_free (self->advice);
  g_free (self);
}

static void
unref (ClipNotificationQueue *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint i = 0; i < CLIP_N_MATTERS; i++)
    clip_notification_free (self->waiting[i]);
  g_source_unref (self->wake);
  g_main_loop_unref (self->loop);
  g_main_context_unref (self->context);
  g_main_context_unref (self->caller);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->rests);
  g_free (self);
}

static ClipNotificationQueue *
ref (ClipNotificationQueue *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/* --- on the thread --- */

static void
click_free (gpointer data)
{
  Click *self = data;

  unref (self->notifications);
  g_free (self);
}

/* on the caller's context */
static gboolean
on_click (gpointer user_data)
{
  Click *self = user_data;

  if (self->notifications->clicked)
    self->notifications->clicked (self->matter, self->notifications->clicked_data);
  return G_SOURCE_REMOVE;
}

static void
on_action (NotifyNotification *notification G_GNUC_UNUSED,
           char *action G_GNUC_UNUSED,
           gpointer user_data)
{
  Click *click = g_new (Click, 1);

  *click = *(Click *) user_data;
  ref (click->notifications);
  g_main_context_invoke_full (click->notifications->caller, G_PRIORITY_DEFAULT, on_click,
                              click, click_free);
}

static void
on_closed (NotifyNotification *notification, gpointer user_data)
{
  Place *place = user_data;

  place->was_closed =
      notify_notification_get_closed_reason (notification) != CLOSED_BY_US;
}

static gboolean
server_can (const GList *capabilities, const char *what)
{
  return g_list_find_custom ((GList *) capabilities, what, (GCompareFunc) g_strcmp0) !=
         NULL;
}

/* as the server reads it: as markup, or as it stands */
static char *
make_body (const ClipNotification *message, const GList *capabilities)
{
  g_autofree char *plain = g_strconcat (message->body ?: "", message->advice ? " " : "",
                                        message->advice, NULL);

  return server_can (capabilities, "body-markup") ? g_markup_escape_text (plain, -1)
                                                  : g_steal_pointer (&plain);
}

static void
set_hints (NotifyNotification *notification, const ClipNotification *message)
{
  notify_notification_set_urgency (notification, (NotifyUrgency) message->urgency);
  notify_notification_set_category (notification, message->category);
  notify_notification_set_hint (notification, "desktop-entry",
                                g_variant_new_string (CLIP_APPLICATION_ID));
  /* what is only of the moment need not be kept where notifications are kept */
  if (message->urgency == CLIP_URGENCY_LOW || message->passes)
    notify_notification_set_hint (notification, "transient",
                                  g_variant_new_boolean (TRUE));
  if (message->has_percent)
    notify_notification_set_hint (
        notification, "value",
        g_variant_new_int32 ((gint32) MIN (message->percent, 100)));
}

static void
set_action (ClipNotificationQueue *self,
            NotifyNotification *notification,
            const ClipNotification *message,
            const GList *capabilities)
{
  static const char *const names[] = { "do", "default" };

  notify_notification_clear_actions (notification);
  if (!message->action || !server_can (capabilities, "actions"))
    return;
  /* The second is what a click beside the buttons does, or one that is to close it: it
   * may keep a copy, and must not end a pause. */
  for (guint i = 0; i < (message->matter == CLIP_MATTER_TOO_LARGE ? 2 : 1); i++)
    {
      Click *click = g_new (Click, 1);

      *click = (Click){ .notifications = ref (self), .matter = message->matter };
      notify_notification_add_action (notification, names[i], message->action, on_action,
                                      click, click_free);
    }
}

static NotifyNotification *
get_notification (Place *place, const ClipNotification *message, const char *body)
{
  if (place->notification)
    {
      /* before the icon, which newer libraries keep among the hints */
      notify_notification_clear_hints (place->notification);
      notify_notification_update (place->notification, message->summary, body,
                                  CLIP_APPLICATION_ID);
      return place->notification;
    }
  place->notification =
      notify_notification_new (message->summary, body, CLIP_APPLICATION_ID);
  g_signal_connect (place->notification, "closed", G_CALLBACK (on_closed), place);
  return place->notification;
}

static void
show (ClipNotificationQueue *self, const ClipNotification *message)
{
  Place *place = &self->places[message->matter];
  g_autoptr (GError) error = NULL;
  g_autofree char *body = NULL;
  NotifyNotification *notification;
  GList *capabilities;

  g_clear_pointer (&place->unseen, clip_notification_free);
  if (message->goes_on && (place->was_closed || place->was_unseen))
    return;
  if (!notify_is_initted () && !notify_init ("cliphist"))
    return;
  /* asked each time: another server may have taken over */
  capabilities = notify_get_server_caps ();
  body = make_body (message, capabilities);
  notification = get_notification (place, message, body);
  set_hints (notification, message);
  set_action (self, notification, message, capabilities);
  place->was_closed = FALSE;
  /* some servers show for ever what says nothing of that */
  notify_notification_set_timeout (notification,
                                   message->passes ? NEWS_MS : NOTIFY_EXPIRES_DEFAULT);
  place->was_unseen = !notify_notification_show (notification, &error);
  if (place->was_unseen)
    g_info ("no notification shown: %s", error ? error->message : "no server");
  g_list_free_full (capabilities, g_free);
}

static void
on_server (GDBusConnection *connection G_GNUC_UNUSED,
           const char *name G_GNUC_UNUSED,
           const char *owner G_GNUC_UNUSED,
           gpointer user_data)
{
  ClipNotificationQueue *self = user_data;
  const gint64 oldest_us = g_get_monotonic_time () - AWAITED_US;

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i < CLIP_N_MATTERS; i++)
    {
      Place *place = &self->places[i];
      g_autoptr (ClipNotification) message = g_steal_pointer (&place->unseen);

      if (message && place->unseen_us > oldest_us && !self->waiting[i] && !self->hides[i])
        self->waiting[i] = g_steal_pointer (&message);
    }
  g_mutex_unlock (&self->mutex);
  g_source_set_ready_time (self->wake, 0);
}

static void
keep_for_a_server (ClipNotificationQueue *self, ClipNotification *message_take)
{
  Place *place = &self->places[message_take->matter];

  place->unseen = message_take;
  place->unseen_us = g_get_monotonic_time ();
  if (self->server_watch == 0)
    self->server_watch =
        g_bus_watch_name (G_BUS_TYPE_SESSION, SERVER_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE,
                          on_server, NULL, self, NULL);
}

static void
hide (ClipNotificationQueue *self, ClipMatter matter)
{
  Place *place = &self->places[matter];

  g_clear_pointer (&place->unseen, clip_notification_free);
  if (place->notification && !place->was_closed)
    notify_notification_close (place->notification, NULL);
  place->was_closed = FALSE;
}

/* what comes next: something to show, or something to hide */
static gboolean
take_next (ClipNotificationQueue *self,
           ClipNotification **out_message,
           ClipMatter *out_hidden)
{
  gboolean found = FALSE;

  *out_hidden = CLIP_N_MATTERS;
  g_mutex_lock (&self->mutex);
  if (self->is_closing)
    g_main_loop_quit (self->loop);
  for (guint i = 0; i < CLIP_N_MATTERS && !found && !self->is_closing; i++)
    if ((*out_message = g_steal_pointer (&self->waiting[i])))
      found = TRUE;
    else if (self->hides[i])
      {
        found = TRUE;
        self->hides[i] = FALSE;
        *out_hidden = (ClipMatter) i;
      }
  self->is_calling = found;
  if (!found)
    g_cond_signal (&self->rests);
  g_mutex_unlock (&self->mutex);
  return found;
}

/* one a turn: what the server has to say meanwhile is heard in between */
static gboolean
on_wake (gpointer user_data)
{
  ClipNotificationQueue *self = user_data;
  ClipMatter hidden;
  g_autoptr (ClipNotification) message = NULL;

  g_source_set_ready_time (self->wake, -1);
  if (!take_next (self, &message, &hidden))
    return G_SOURCE_CONTINUE;
  if (message)
    {
      show (self, message);
      if (self->places[message->matter].was_unseen && !message->goes_on &&
          !message->passes)
        keep_for_a_server (self, g_steal_pointer (&message));
    }
  else if (hidden != CLIP_N_MATTERS)
    hide (self, hidden);
  g_source_set_ready_time (self->wake, 0);
  return G_SOURCE_CONTINUE;
}

static gboolean
dispatch (GSource *source G_GNUC_UNUSED, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

/* what libnotify has of the bus speaks to this context, and lets go of it there */
static void
forget (ClipNotificationQueue *self)
{
  g_clear_handle_id (&self->server_watch, g_bus_unwatch_name);
  for (guint i = 0; i < CLIP_N_MATTERS; i++)
    {
      Place *place = &self->places[i];

      g_clear_pointer (&place->unseen, clip_notification_free);
      if (place->notification)
        g_signal_handlers_disconnect_by_data (place->notification, place);
      g_clear_object (&place->notification);
    }
  if (notify_is_initted ())
    notify_uninit ();
}

static gpointer
run (gpointer data)
{
  ClipNotificationQueue *self = data;

  g_main_context_push_thread_default (self->context);
  g_main_loop_run (self->loop);
  forget (self);
  while (g_main_context_iteration (self->context, FALSE))
    ;
  g_main_context_pop_thread_default (self->context);
  unref (self);
  return NULL;
}

/* --- on the caller's --- */

/**
 * clip_notification_queue_new:
 * @clicked: called on the main context that is the thread's default now, when the action
 *   of a message was chosen
 */
ClipNotificationQueue *
clip_notification_queue_new (ClipNotificationQueueFunc clicked, gpointer user_data)
{
  static GSourceFuncs functions = { .dispatch = dispatch };
  ClipNotificationQueue *self = g_new0 (ClipNotificationQueue, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->rests);
  self->clicked = clicked;
  self->clicked_data = user_data;
  self->caller = g_main_context_ref_thread_default ();
  self->context = g_main_context_new ();
  self->loop = g_main_loop_new (self->context, FALSE);
  self->wake = g_source_new (&functions, sizeof (GSource));
  g_source_set_callback (self->wake, on_wake, self, NULL);
  g_source_attach (self->wake, self->context);
  return self;
}

/* the thread is there from the first word on: most sessions have none to say */
static void
wake (ClipNotificationQueue *self)
{
  g_autoptr (GError) error = NULL;

  if (!self->thread)
    self->thread = g_thread_try_new ("clip-notifications", run, ref (self), &error);
  if (error)
    {
      g_warning ("no notification: %s", error->message);
      unref (self);
      return;
    }
  g_source_set_ready_time (self->wake, 0);
}

/* says it as soon as the server has answered to what came before */
void
clip_notification_queue_show (ClipNotificationQueue *self, ClipNotification *message_take)
{
  ClipMatter matter = message_take->matter;

  g_mutex_lock (&self->mutex);
  clip_notification_free (self->waiting[matter]);
  self->waiting[matter] = message_take;
  self->hides[matter] = FALSE;
  g_mutex_unlock (&self->mutex);
  wake (self);
}

static void
on_late_server (GDBusConnection *connection G_GNUC_UNUSED,
                const char *name G_GNUC_UNUSED,
                const char *owner G_GNUC_UNUSED,
                gpointer is_there)
{
  *(gboolean *) is_there = TRUE;
}

static gboolean
set_late (gpointer is_late)
{
  *(gboolean *) is_late = TRUE;
  return G_SOURCE_REMOVE;
}

/* at a login; who had the bus start us waits for our end.
 * Returns: whether one is there */
static gboolean
await_server (void)
{
  gboolean is_there = FALSE, is_late = FALSE;
  guint watch, timer;

  if (g_getenv ("DBUS_STARTER_ADDRESS"))
    return FALSE;
  watch =
      g_bus_watch_name (G_BUS_TYPE_SESSION, SERVER_NAME, G_BUS_NAME_WATCHER_FLAGS_NONE,
                        on_late_server, NULL, &is_there, NULL);
  timer = g_timeout_add (LATE_MS, set_late, &is_late);
  while (!is_there && !is_late)
    g_main_context_iteration (NULL, TRUE);
  g_bus_unwatch_name (watch);
  if (!is_late)
    g_source_remove (timer);
  return is_there;
}

/**
 * clip_notification_queue_show_alone:
 *
 * Says the one word of a process that ends then, and waits for the server, a moment for
 * one that has not started yet, too.
 *
 * Returns: whether it is shown
 */
gboolean
clip_notification_queue_show_alone (const ClipNotification *message)
{
  g_autoptr (ClipNotificationQueue) self = clip_notification_queue_new (NULL, NULL);
  Place *place = &self->places[message->matter];

  place->was_unseen = TRUE;
  show (self, message);
  if (place->was_unseen && await_server ())
    show (self, message);
  forget (self);
  return !place->was_unseen;
}

/* takes away what was said of the matter, and is of no interest any more */
void
clip_notification_queue_hide (ClipNotificationQueue *self, ClipMatter matter)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->waiting[matter], clip_notification_free);
  self->hides[matter] = TRUE;
  g_mutex_unlock (&self->mutex);
  if (self->thread)
    wake (self);
}

/* whether the thread is out of the server's hands, perhaps after a moment */
static gboolean
can_end (ClipNotificationQueue *self)
{
  gint64 deadline = g_get_monotonic_time () + FAREWELL_MS * G_TIME_SPAN_MILLISECOND;
  gboolean rests;

  g_mutex_lock (&self->mutex);
  self->is_closing = TRUE;
  while (self->is_calling && g_cond_wait_until (&self->rests, &self->mutex, deadline))
    ;
  rests = !self->is_calling;
  g_mutex_unlock (&self->mutex);
  return rests;
}

/* drops what waits. A thread that hangs in a stuck server is left to itself: to wait for
 * it would hold up our own end */
void
clip_notification_queue_free (ClipNotificationQueue *self)
{
  if (!self)
    return;
  self->clicked = NULL;
  if (self->thread && can_end (self))
    {
      g_source_set_ready_time (self->wake, 0);
      g_thread_join (self->thread);
    }
  else if (self->thread)
    g_thread_unref (self->thread);
  unref (self);
}
