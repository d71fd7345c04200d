/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libnotify waits for the server's answer, up to 25 seconds: it runs on a thread of its
 * own, which alone touches it. One matter has one bubble: a later message about the same
 * replaces it.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-notifier.h"

#include "clip-error.h"
#include "clip-paths.h"

#include <glib/gi18n.h>
#include <libnotify/notify.h>

typedef enum
{
  MATTER_TOO_LARGE,
  MATTER_NO_SPACE,
  MATTER_SPARED,
  N_MATTERS,
} Matter;

typedef struct
{
  Matter matter;
  NotifyUrgency urgency;
  const char *category;
  char *summary;
  char *body;
} Message;

struct ClipNotifier
{
  ClipHistory *history;
  GThreadPool *pool;
  NotifyNotification *bubbles[N_MATTERS]; /* touched by the pool's one thread */
  int n_showing;                          /* messages on their way, atomic */
};

static void
message_free (Message *self)
{
  g_free (self->summary);
  g_free (self->body);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Message, message_free)

static NotifyNotification *
get_bubble (ClipNotifier *self, const Message *message)
{
  NotifyNotification **slot = &self->bubbles[message->matter];

  if (*slot)
    notify_notification_update (*slot, message->summary, message->body, "edit-paste");
  else
    *slot = notify_notification_new (message->summary, message->body, "edit-paste");
  return *slot;
}

static void
show (ClipNotifier *self, const Message *message)
{
  g_autoptr (GError) error = NULL;
  NotifyNotification *bubble;

  if (!notify_is_initted () && !notify_init ("cliphist"))
    return;
  bubble = get_bubble (self, message);
  notify_notification_set_urgency (bubble, message->urgency);
  notify_notification_set_category (bubble, message->category);
  notify_notification_set_hint (bubble, "desktop-entry",
                                g_variant_new_string (CLIP_APPLICATION_ID));
  notify_notification_set_hint (bubble, "transient", g_variant_new_boolean (TRUE));
  if (!notify_notification_show (bubble, &error))
    g_info ("no notification shown: %s", error ? error->message : "no server");
}

static void
on_message (gpointer data, gpointer user_data)
{
  g_autoptr (Message) message = data;
  ClipNotifier *self = user_data;

  show (self, message);
  g_atomic_int_add (&self->n_showing, -1);
}

static gboolean
is_wanted (ClipNotifier *self)
{
  return clip_settings_number (clip_history_settings (self->history),
                               CLIP_SETTING_NOTIFY) != 0;
}

static void
push (ClipNotifier *self, Message message)
{
  Message *copy;

  if (!is_wanted (self))
    {
      g_free (message.summary);
      g_free (message.body);
      return;
    }
  copy = g_new (Message, 1);
  *copy = message;
  g_atomic_int_inc (&self->n_showing);
  g_thread_pool_push (self->pool, copy, NULL);
}

static void
on_dropped (ClipHistory *history G_GNUC_UNUSED,
            int drop,
            gint64 limit,
            gpointer user_data)
{
  g_autofree char *size = g_format_size_full ((guint64) limit, G_FORMAT_SIZE_IEC_UNITS);

  if (drop != CLIP_DROP_TOO_LARGE)
    return;
  push (user_data,
        (Message){ .matter = MATTER_TOO_LARGE,
                   .urgency = NOTIFY_URGENCY_LOW,
                   .category = "transfer.error",
                   .summary =
                       g_strdup (_ ("A copy was too large for the clipboard history.")),
                   .body = g_strdup_printf (_ ("Copies of more than %s are not kept. The "
                                               "clipboard itself still holds it."),
                                            size) });
}

static void
on_trouble (ClipHistory *history G_GNUC_UNUSED, const GError *error, gpointer user_data)
{
  if (!g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    return;
  push (user_data,
        (Message){ .matter = MATTER_NO_SPACE,
                   .urgency = NOTIFY_URGENCY_NORMAL,
                   .category = "device.error",
                   .summary = g_strdup (_ ("The clipboard history has no room left.")),
                   .body = g_strdup (
                       _ ("The last copy could not be kept, as the disk is almost full. "
                          "Earlier entries are safe, and new ones are kept again as soon "
                          "as there is room.")) });
}

static void
on_spared_changed (ClipHistory *history, gpointer user_data)
{
  g_auto (GStrv) keys = clip_history_spared (history);
  g_autofree char *list = g_strjoinv (", ", keys);

  if (!*keys)
    return;
  push (user_data,
        (Message){
            .matter = MATTER_SPARED,
            .urgency = NOTIFY_URGENCY_NORMAL,
            .category = "device",
            .summary = g_strdup (_ ("The clipboard history is larger than its limits.")),
            .body = g_strdup_printf (
                _ ("More than a tenth of it would go because of %s, so all of it is "
                   "kept. The command “cliphist trim” removes what is too much."),
                list) });
}

/**
 * clip_notifier_new:
 * @history: what is listened to; outlives the notifier
 */
ClipNotifier *
clip_notifier_new (ClipHistory *history)
{
  ClipNotifier *self = g_new0 (ClipNotifier, 1);

  self->history = history;
  self->pool = g_thread_pool_new_full (on_message, self, (GDestroyNotify) message_free, 1,
                                       FALSE, NULL);
  g_signal_connect (history, "dropped", G_CALLBACK (on_dropped), self);
  g_signal_connect (history, "trouble", G_CALLBACK (on_trouble), self);
  g_signal_connect (history, "spared-changed", G_CALLBACK (on_spared_changed), self);
  return self;
}

/* drops what waits. A message that hangs in a stuck server keeps its notifier: waiting
 * for it would hold up our own end */
void
clip_notifier_free (ClipNotifier *self)
{
  static ClipNotifier *abandoned G_GNUC_UNUSED;

  if (!self)
    return;
  g_signal_handlers_disconnect_by_data (self->history, self);
  if (g_atomic_int_get (&self->n_showing) > 0)
    {
      g_thread_pool_free (self->pool, TRUE, FALSE);
      abandoned = self;
      return;
    }
  g_thread_pool_free (self->pool, TRUE, TRUE);
  for (guint i = 0; i < N_MATTERS; i++)
    g_clear_object (&self->bubbles[i]);
  g_free (self);
}
