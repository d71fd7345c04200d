/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What of all that happens to a history is worth a word, and which: clip-bubbles shows it. Fed by
 * the signals of the history and of its store; it calls back only where somebody clicks.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-notifier.h"

#include "clip-bubbles.h"
#include "clip-error.h"

#include <glib/gi18n.h>

struct ClipNotifier
{
  ClipHistory *history;
  ClipBubbles *bubbles;
  gboolean was_paused;
};

/* takes what the bubble owns, shown or not */
static void
push (ClipNotifier *self, const ClipBubble *bubble)
{
  g_autoptr (ClipBubble) copy = g_memdup2 (bubble, sizeof *bubble);

  if (clip_settings_number (clip_history_settings (self->history), CLIP_SETTING_NOTIFY))
    clip_bubbles_show (self->bubbles, g_steal_pointer (&copy));
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
        &(ClipBubble){
            .matter = CLIP_MATTER_TOO_LARGE,
            .urgency = CLIP_URGENCY_NORMAL,
            .category = "transfer.error",
            .summary = g_strdup (_ ("A copy was too large for the clipboard history")),
            .body = g_strdup_printf (_ ("Copies of more than %s are not kept. The "
                                        "clipboard itself still holds it."),
                                     size) });
}

static void
on_trouble (ClipHistory *history G_GNUC_UNUSED, const GError *error, gpointer user_data)
{
  if (!g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    return;
  push (
      user_data,
      &(ClipBubble){ .matter = CLIP_MATTER_NO_SPACE,
                     .urgency = CLIP_URGENCY_NORMAL,
                     .category = "device.error",
                     .summary = g_strdup (_ ("The clipboard history has no room left")),
                     .body = g_strdup (_ (
                         "The last copy could not be kept, as the disk is almost full. "
                         "Earlier entries are safe, and new ones are kept again as soon "
                         "as there is room.")) });
}

static void
on_spared_changed (ClipHistory *history, gpointer user_data)
{
  ClipNotifier *self = user_data;
  g_auto (GStrv) keys = clip_history_spared (history);
  g_autofree char *list = g_strjoinv (", ", keys);

  if (!*keys)
    {
      clip_bubbles_hide (self->bubbles, CLIP_MATTER_SPARED);
      return;
    }
  push (self,
        &(ClipBubble){
            .matter = CLIP_MATTER_SPARED,
            .urgency = CLIP_URGENCY_NORMAL,
            .category = "device",
            .summary = g_strdup (_ ("The clipboard history is larger than its limits")),
            .body = g_strdup_printf (
                _ ("More than a tenth of it would go because of %s, so all of it is "
                   "kept. The command “cliphist trim” removes what is too much."),
                list) });
}

static void
on_repaired (ClipStore *store, gpointer user_data)
{
  push (
      user_data,
      &(ClipBubble){
          .matter = CLIP_MATTER_REPAIRED,
          .urgency = CLIP_URGENCY_NORMAL,
          .category = "device",
          .summary = g_strdup (_ ("The clipboard history was damaged, and is repaired")),
          .body = g_strdup_printf (
              _ ("What is whole was kept. The rest is in the folder %s/damaged."),
              clip_store_dir (store)) });
}

/* (transfer full): when it ends; with the date, where that is not today */
static char *
say_until (gint64 until_us)
{
  g_autoptr (GDateTime) time =
      g_date_time_new_from_unix_local (until_us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  gboolean is_today =
      time && g_date_time_get_year (time) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (now);
  g_autofree char *text =
      time ? g_date_time_format (time, is_today ? "%H:%M" : "%Y-%m-%d %H:%M") : NULL;

  return text ? g_strdup_printf (_ ("Nothing that you copy is kept until %s."), text)
              : g_strdup (_ ("Nothing that you copy is kept until you resume it."));
}

/* of what was the matter before we came, and is no more, nothing is said */
static void
on_pause_changed (ClipHistory *history, gpointer user_data)
{
  ClipNotifier *self = user_data;
  gint64 until_us = clip_history_paused_until (history);
  ClipBubble bubble = { .matter = CLIP_MATTER_PAUSED,
                        .urgency = CLIP_URGENCY_LOW,
                        .category = "device" };

  if (until_us == 0 && !self->was_paused)
    return;
  self->was_paused = until_us != 0;
  if (until_us == 0)
    {
      bubble.summary = g_strdup (_ ("The clipboard history goes on"));
      bubble.body = g_strdup (_ ("What you copy from now on is kept."));
    }
  else
    {
      bubble.summary = g_strdup (_ ("The clipboard history is paused"));
      bubble.body = say_until (until_us);
      bubble.action = g_strdup (_ ("Resume"));
      bubble.instead = g_strdup (_ ("The command “cliphist resume” ends the pause."));
    }
  push (self, &bubble);
}

static void
on_clicked (ClipMatter matter, gpointer user_data)
{
  ClipNotifier *self = user_data;

  if (matter == CLIP_MATTER_PAUSED)
    clip_history_pause (self->history, 0);
}

/**
 * clip_notifier_new:
 * @history: what is listened to; outlives the notifier
 */
ClipNotifier *
clip_notifier_new (ClipHistory *history)
{
  ClipNotifier *self = g_new0 (ClipNotifier, 1);
  ClipStore *store = clip_history_store (history);

  self->history = history;
  self->bubbles = clip_bubbles_new (on_clicked, self);
  self->was_paused = clip_history_paused_until (history) != 0;
  g_signal_connect (history, "dropped", G_CALLBACK (on_dropped), self);
  g_signal_connect (history, "trouble", G_CALLBACK (on_trouble), self);
  g_signal_connect (history, "spared-changed", G_CALLBACK (on_spared_changed), self);
  g_signal_connect (history, "pause-changed", G_CALLBACK (on_pause_changed), self);
  g_signal_connect (store, "repaired", G_CALLBACK (on_repaired), self);
  return self;
}

void
clip_notifier_free (ClipNotifier *self)
{
  if (!self)
    return;
  g_signal_handlers_disconnect_by_data (clip_history_store (self->history), self);
  g_signal_handlers_disconnect_by_data (self->history, self);
  clip_bubbles_free (self->bubbles);
  g_free (self);
}
