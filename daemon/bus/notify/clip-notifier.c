/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the user is told of all that happens to a history, and in which words:
 * clip-notification-queue shows it. Fed by the signals of the history and of its store,
 * and by the progress of what lasts long; it calls back only when the user clicks.
 */
#define G_LOG_DOMAIN "clip-bus"
#include "clip-notifier.h"

#include "clip-error.h"
#include "clip-notification-queue.h"
#include "clip-paths.h"
#include "clip-pushed-out.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

/* an end of a pause that a person waits for */
#define SOON_US (5 * G_TIME_SPAN_MINUTE)

struct ClipNotifier
{
  ClipHistory *history; /* NULL: we are gone, and something is still looked up for us */
  ClipNotificationQueue *notifications;
  ClipPushedOut pushed_out;
  gboolean was_paused;
  gboolean is_keeping;    /* a copy that was too large, because the user asked for it */
  gboolean shows_long[2]; /* by ClipTransferDirection: a transfer that lasts long */
  gint64 room_told_us;    /* when it was last told that old entries go; 0 = never */
  char *mistakes;         /* (nullable): of the configuration, as they were told */
};

/* takes what the message owns, shown or not */
static void
push (ClipNotifier *self, const ClipNotification *message)
{
  g_autoptr (ClipNotification) copy = g_memdup2 (message, sizeof *message);

  if (clip_settings_number (clip_history_settings (self->history), CLIP_SETTING_NOTIFY))
    clip_notification_queue_show (self->notifications, g_steal_pointer (&copy));
}

/* of normal urgency, without a button */
static void
say (ClipNotifier *self,
     ClipMatter matter,
     const char *category,
     const char *summary,
     char *body_take)
{
  push (self, &(ClipNotification){ .matter = matter,
                                   .urgency = CLIP_URGENCY_NORMAL,
                                   .category = category,
                                   .summary = g_strdup (summary),
                                   .body = body_take });
}

static char *
say_size (gint64 bytes)
{
  return g_format_size_full ((guint64) bytes, G_FORMAT_SIZE_IEC_UNITS);
}

static gint64
number (ClipNotifier *self, ClipSetting setting)
{
  return clip_settings_number (clip_history_settings (self->history), setting);
}

/* as the user wrote it, where it is the setting that says so, and has a unit */
static char *
say_limit (ClipNotifier *self, ClipSetting setting, gint64 limit)
{
  const char *text = clip_settings_text (clip_history_settings (self->history), setting);

  return number (self, setting) == limit && *text &&
                 g_ascii_isalpha (text[strlen (text) - 1])
             ? g_strdup (text)
             : say_size (limit);
}

/* --- a copy that is too large --- */

static void
on_dropped (ClipHistory *history, int drop, gint64 limit, gpointer user_data)
{
  ClipNotifier *self = user_data;
  gint64 most = number (self, CLIP_SETTING_MAX_TOTAL_SIZE);
  /* what was wanted all the same is larger than all may be */
  gboolean has_room = !self->is_keeping && most != limit;
  gboolean may_keep = has_room && clip_history_may_keep_refused (history);
  ClipSetting setting =
      has_room ? CLIP_SETTING_MAX_STORE_SIZE : CLIP_SETTING_MAX_TOTAL_SIZE;
  g_autofree char *size = say_limit (self, setting, has_room ? limit : most);

  self->is_keeping = FALSE;
  if (drop != CLIP_DROP_TOO_LARGE)
    return;
  push (self,
        &(ClipNotification){
            .matter = CLIP_MATTER_TOO_LARGE,
            .urgency = CLIP_URGENCY_NORMAL,
            .category = "transfer.error",
            .summary = g_strdup (_ ("A copy was too large for the clipboard history")),
            .body = g_strdup_printf (_ ("Copies of more than %s are not kept. The "
                                        "clipboard itself still holds it."),
                                     size),
            .action = may_keep ? g_strdup (_ ("Keep anyway")) : NULL,
            .advice = g_strdup_printf (_ ("The setting %s is this limit."),
                                       clip_settings_key (setting)) });
}

static void
say_not_kept (ClipNotifier *self, ClipMatter matter, const char *why)
{
  say (self, matter, "transfer.error", _ ("The copy could not be kept"), g_strdup (why));
}

/* --- what goes wrong --- */

/* not where a pipe failed, or descriptors ran out */
static gboolean
is_of_the_store (const GError *error)
{
  static const int codes[] = { G_FILE_ERROR_ACCES, G_FILE_ERROR_PERM,
                               G_FILE_ERROR_ROFS,  G_FILE_ERROR_NOTDIR,
                               G_FILE_ERROR_ISDIR, G_FILE_ERROR_EXIST,
                               G_FILE_ERROR_NOENT, G_FILE_ERROR_LOOP,
                               G_FILE_ERROR_IO };

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_error_matches (error, G_FILE_ERROR, codes[i]))
      return TRUE;
  return FALSE;
}

static void
on_trouble (ClipHistory *history G_GNUC_UNUSED, const GError *error, gpointer user_data)
{
  ClipNotifier *self = user_data;
  gboolean was_keeping = self->is_keeping;

  self->is_keeping = FALSE;
  if (is_of_the_store (error))
    {
      say (self, CLIP_MATTER_UNWRITTEN, "device.error", _ ("The copy could not be kept"),
           g_strdup (_ ("The clipboard history cannot be written. “cliphist doctor” says "
                        "why.")));
      return;
    }
  if (!g_error_matches (error, CLIP_ERROR, CLIP_ERROR_NO_SPACE))
    {
      if (was_keeping || g_error_matches (error, CLIP_ERROR, CLIP_ERROR_STALLED))
        say_not_kept (self, was_keeping ? CLIP_MATTER_TOO_LARGE : CLIP_MATTER_STALLED,
                      _ ("The program that you copied it in did not hand it over."));
      return;
    }
  say (self, CLIP_MATTER_NO_SPACE, "device.error",
       _ ("The clipboard history has no room for a copy"),
       g_strdup (_ ("The last copy does not fit on the disk, or would leave less free "
                    "than min-free-space says. Earlier entries are safe, and new ones "
                    "are kept as soon as there is room for them.")));
}

/* on a disk that stays full they go for each copy */
static void
on_room_made (ClipStore *store G_GNUC_UNUSED, gpointer user_data)
{
  ClipNotifier *self = user_data;
  gint64 now_us = g_get_monotonic_time ();

  if (self->room_told_us != 0 && now_us - self->room_told_us < G_TIME_SPAN_HOUR)
    return;
  self->room_told_us = now_us;
  say (self, CLIP_MATTER_NO_SPACE, "device.error",
       _ ("Old entries of the clipboard history are deleted"),
       g_strdup (_ ("The disk is almost full, so each copy takes the place of "
                    "the oldest that are not pinned. Make room on the disk, "
                    "or lower min-free-space.")));
}

static void
on_spared_changed (ClipHistory *history, gpointer user_data)
{
  ClipNotifier *self = user_data;
  g_auto (GStrv) keys = clip_history_spared (history);
  g_autofree char *list = g_strjoinv (", ", keys);

  if (!*keys)
    {
      clip_notification_queue_hide (self->notifications, CLIP_MATTER_SPARED);
      return;
    }
  push (self,
        &(ClipNotification){
            .matter = CLIP_MATTER_SPARED,
            .urgency = CLIP_URGENCY_NORMAL,
            .category = "device",
            .summary = g_strdup (_ ("The clipboard history is larger than its limits")),
            .body = g_strdup_printf (
                _ ("More than a tenth of it would go because of %s, so all of it is "
                   "kept."),
                list),
            .action = g_strdup (_ ("Delete the oldest")),
            .advice =
                g_strdup (_ ("The command “cliphist trim” removes what is too much.")) });
}

static void
on_pushed_out (ClipStore *store, gint64 n, gpointer user_data)
{
  ClipNotifier *self = user_data;
  ClipTotals totals;

  clip_store_get_totals (store, &totals);
  if (!clip_pushed_out_add (&self->pushed_out, n, totals.count, g_get_monotonic_time ()))
    return;
  push (self, &(ClipNotification){
                  .matter = CLIP_MATTER_PUSHED_OUT,
                  .urgency = CLIP_URGENCY_NORMAL,
                  .category = "device",
                  .summary = g_strdup (_ ("Many old entries made room for new copies")),
                  .body = g_strdup (
                      _ ("The copies of the last minute pushed a tenth of the clipboard "
                         "history out, or more. Pinned entries stay.")),
                  .action = g_strdup (_ ("Pause the history")),
                  .advice = g_strdup (
                      _ ("The command “cliphist pause” keeps further copies out.")) });
}

/* a folder of caches is emptied by who knows of no history beside it */
static void
on_wiped (ClipStore *store, gint64 n, gpointer user_data)
{
  g_autofree char *path = clip_paths_db_file (clip_store_dir (store));

  say (user_data, CLIP_MATTER_WIPED, "device", _ ("The clipboard history was emptied"),
       g_strdup_printf (ngettext ("%u entry was deleted, as the file %s was removed.",
                                  "%u entries were deleted, as the file %s was removed.",
                                  (gulong) n),
                        (guint) n, path));
}

static void
on_repaired (ClipStore *store, gpointer user_data)
{
  say (user_data, CLIP_MATTER_REPAIRED, "device",
       _ ("The clipboard history was damaged, and is repaired"),
       g_strdup_printf (
           _ ("What is whole was kept. The rest is in the folder %s/damaged."),
           clip_store_dir (store)));
}

/* the entries are, and no wipe has asked for that */
static void
on_lost (ClipStore *store, gpointer user_data)
{
  say (user_data, CLIP_MATTER_REPAIRED, "device.error",
       _ ("The clipboard history was lost"),
       g_strdup_printf (
           _ ("Its file history.db was missing or empty, and a new history has begun. "
              "“cliphist import” brings back what you have exported; large contents "
              "of the old one are in the folder %s/damaged."),
           clip_store_dir (store)));
}

static void
add_idle (ClipNotifier *self,
          const char *const *backends,
          gboolean has_logind,
          gboolean has_locker,
          GStrvBuilder *lines)
{
  const ClipSettings *settings = clip_history_settings (self->history);

  if (!has_logind && clip_history_clears_on (self->history, "logout"))
    g_strv_builder_add (lines,
                        _ ("clear-on logout: no logind tells when the session ends; the "
                           "history is emptied once XDG_RUNTIME_DIR is made anew, or "
                           "after a restart of the machine"));
  if (backends && !has_locker && clip_history_clears_on (self->history, "lock"))
    g_strv_builder_add (lines, _ ("clear-on lock: no service of this desktop tells when "
                                  "it is locked"));
  if (!backends || !g_strv_contains (backends, "mutter"))
    return;
  if (*clip_settings_text (settings, CLIP_SETTING_IGNORE_APP))
    g_strv_builder_add (lines, _ ("ignore-app: GNOME does not say which program copies"));
  if (clip_settings_number (settings, CLIP_SETTING_PRIMARY) != 0)
    g_strv_builder_add (lines, _ ("primary: GNOME does not say what is selected"));
}

/**
 * clip_notifier_say_mistakes:
 * @complaints: (array zero-terminated=1): what is wrong in the configuration
 * @backends: (nullable) (array zero-terminated=1): of the desktop that it was changed on
 * @has_logind: or does not lack it, as far as is known; so with @has_locker, a service
 * that tells when the screen is locked
 *
 * Tells that, and what can do nothing on that desktop; that there is nothing any more
 * ends what was told. The same is told once.
 */
void
clip_notifier_say_mistakes (ClipNotifier *self,
                            const char *const *complaints,
                            const char *const *backends,
                            gboolean has_logind,
                            gboolean has_locker)
{
  g_autoptr (GStrvBuilder) lines = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;
  g_autofree char *list = NULL;

  g_strv_builder_addv (lines, (const char **) complaints);
  add_idle (self, backends, has_logind, has_locker, lines);
  all = g_strv_builder_end (lines);
  list = g_strjoinv ("\n", all);
  if (g_strcmp0 (self->mistakes, list) == 0)
    return;
  g_free (self->mistakes);
  self->mistakes = g_steal_pointer (&list);
  if (!*all)
    clip_notification_queue_hide (self->notifications, CLIP_MATTER_MISTAKE);
  else
    say (self, CLIP_MATTER_MISTAKE, "device.error",
         *complaints ? _ ("The configuration of the clipboard history has a mistake")
                     : _ ("A setting of the clipboard history is off on this desktop"),
         g_strdup (self->mistakes));
}

/**
 * clip_notifier_say_store:
 * @dir: (nullable): the folder in which the history will be from the next start on; %NULL
 * takes back that there is one
 */
void
clip_notifier_say_store (ClipNotifier *self, const char *dir)
{
  if (!dir)
    clip_notification_queue_hide (self->notifications, CLIP_MATTER_ELSEWHERE);
  else
    say (self, CLIP_MATTER_ELSEWHERE, "device",
         _ ("The clipboard history stays where it is"),
         g_strdup_printf (_ ("From your next login on it is in %s, as "
                             "db-path says."),
                          dir));
}

/* --- a pause --- */

/* (transfer full): when it ends; with the date, where that is not today, and with the
 * seconds, where it is soon. A pause that lasts until it is told has no end to name, nor
 * has one that no calendar reaches */
static char *
say_until (gint64 until_us)
{
  g_autoptr (GDateTime) time =
      until_us > 0 ? g_date_time_new_from_unix_local (until_us / G_USEC_PER_SEC) : NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  gboolean is_today =
      time && g_date_time_get_year (time) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (now);
  gboolean is_soon = time && g_date_time_difference (time, now) < SOON_US;
  const char *format = is_soon ? "%H:%M:%S" : is_today ? "%H:%M" : "%Y-%m-%d %H:%M";
  g_autofree char *text = time ? g_date_time_format (time, format) : NULL;

  return text ? g_strdup_printf (_ ("Nothing that you copy is kept until %s."), text)
              : g_strdup (_ ("Nothing that you copy is kept until you resume it."));
}

/* of what was the matter before we came, and is no more, nothing is said */
static void
on_pause_changed (ClipHistory *history, gpointer user_data)
{
  ClipNotifier *self = user_data;
  gint64 until_us = clip_history_paused_until (history);
  ClipNotification message = { .matter = CLIP_MATTER_PAUSED,
                               .urgency = CLIP_URGENCY_NORMAL,
                               .category = "device" };

  if (until_us == 0 && !self->was_paused)
    return;
  self->was_paused = until_us != 0;
  if (until_us == 0)
    {
      message.passes = TRUE;
      message.summary = g_strdup (_ ("The clipboard history is on again"));
      message.body = g_strdup (_ ("What you copy from now on is kept."));
    }
  else
    {
      message.summary = g_strdup (_ ("The clipboard history is paused"));
      message.body = say_until (until_us);
      message.action = g_strdup (_ ("Resume"));
      message.advice = g_strdup (_ ("The command “cliphist resume” ends the pause."));
    }
  push (self, &message);
}

/**
 * clip_notifier_say_pause:
 *
 * Tells of one that began in an earlier session, and goes on.
 */
void
clip_notifier_say_pause (ClipNotifier *self)
{
  if (self->was_paused)
    on_pause_changed (self->history, self);
}

/* --- what lasts long --- */

static char *
say_amount (const ClipLongTransfersSum *sum)
{
  g_autofree char *done = say_size (sum->done);
  g_autofree char *total = say_size (sum->total);

  if (sum->total == 0)
    /* Translators: how much has come, of a transfer whose size is unknown */
    return g_strdup_printf (_ ("%s so far"), done);
  /* Translators: how much has come, and how much there is */
  return g_strdup_printf (_ ("%s of %s"), done, total);
}

static void
say_long (ClipNotifier *self,
          ClipTransferDirection way,
          ClipMatter matter,
          const char *summary)
{
  ClipLongTransfersSum sum =
      clip_long_transfers_sum (clip_history_long_transfers (self->history), way);
  gboolean is_shown = self->shows_long[way];

  /* a program that has not said a byte yet may have nothing to say */
  self->shows_long[way] = sum.n > 0 && (is_shown || sum.done > 0 || sum.total > 0);
  if (self->shows_long[way])
    push (self, &(ClipNotification){
                    .matter = matter,
                    .urgency = CLIP_URGENCY_LOW,
                    .category = "transfer",
                    .summary = g_strdup (summary),
                    .body = say_amount (&sum),
                    .has_percent = sum.total > 0,
                    .percent = sum.total > 0 ? (guint) (100 * sum.done / sum.total) : 0,
                    .goes_on = is_shown });
  else if (is_shown)
    clip_notification_queue_hide (self->notifications, matter);
}

static void
on_long_transfers (gpointer user_data)
{
  say_long (user_data, CLIP_TRANSFER_IN, CLIP_MATTER_CAPTURE,
            _ ("A large copy is being received"));
  say_long (user_data, CLIP_TRANSFER_OUT, CLIP_MATTER_PASTE,
            _ ("A large entry is being pasted"));
}

/* --- each copy, where the setting asks for that --- */

/* by class: the words are whole, as languages order them */
static char *
say_copy (const ClipEntry *entry)
{
  g_autofree char *size = say_size (entry->row.size);

  switch ((ClipClass) entry->row.kind)
    {
    case CLIP_CLASS_TEXT:
      return g_strdup_printf (_ ("A text of %s"), size);
    case CLIP_CLASS_IMAGE:
      return g_strdup_printf (_ ("An image of %s"), size);
    case CLIP_CLASS_FILES:
      return g_strdup (_ ("A list of files"));
    case CLIP_CLASS_OTHER:
    default:
      return g_strdup_printf (_ ("Data of %s"), size);
    }
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ClipNotifier *self = user_data;
  g_autoptr (ClipEntry) entry =
      clip_store_lookup_finish (CLIP_STORE (source), result, NULL);

  if (entry && self->history)
    push (self, &(ClipNotification){ .matter = CLIP_MATTER_COPY,
                                     .urgency = CLIP_URGENCY_NORMAL,
                                     .category = "transfer.complete",
                                     .passes = TRUE,
                                     .summary = g_strdup (_ ("Copied")),
                                     .body = say_copy (entry) });
  g_rc_box_release (self);
}

static void
on_current_changed (ClipHistory *history, gpointer user_data)
{
  ClipNotifier *self = user_data;
  gint64 id = clip_history_current (history);

  if (id == 0)
    return;
  self->is_keeping = FALSE;
  if (number (self, CLIP_SETTING_NOTIFY) && number (self, CLIP_SETTING_NOTIFY_COPIES))
    clip_store_lookup_async (clip_history_store (history), id, on_looked_up,
                             g_rc_box_acquire (self));
}

/**
 * clip_notifier_say_chosen:
 * @is_there: whether it is on the clipboard
 *
 * Tells what has become of what the desktop's own search was asked for: that closes, and
 * nothing else is seen.
 */
void
clip_notifier_say_chosen (ClipNotifier *self, gboolean is_there)
{
  push (self,
        &(ClipNotification){
            .matter = CLIP_MATTER_COPY,
            .urgency = CLIP_URGENCY_NORMAL,
            .category = "transfer.complete",
            .passes = TRUE,
            .summary = g_strdup (is_there ? _ ("It is on the clipboard")
                                          : _ ("Nothing was copied")),
            .body = g_strdup (is_there ? _ ("Paste it where you want to have it.")
                                       : _ ("The entry cannot be read, or was deleted "
                                            "meanwhile.")) });
}

/* --- a history that does not open --- */

/* (transfer full): a file that is there once this was told in the session */
static char *
unopened_path (void)
{
  return g_build_filename (g_get_user_runtime_dir (), CLIP_UNOPENED_NAME, NULL);
}

/**
 * clip_notifier_say_unopened:
 *
 * Tells that there is no daemon for this: once, as a service manager starts it anew, and
 * again after one that could open it. Waits for the server.
 */
void
clip_notifier_say_unopened (void)
{
  g_autofree char *path = unopened_path ();
  ClipNotification message = {
    .matter = CLIP_MATTER_UNOPENED,
    .urgency = CLIP_URGENCY_NORMAL,
    .category = "device.error",
    .summary = (char *) _ ("The clipboard history does not work"),
    .body = (char *) _ ("Nothing watches the clipboard here: what you copy is not kept. "
                        "“cliphist doctor” says why."),
  };

  if (access (path, F_OK) < 0 && clip_notification_queue_show_alone (&message))
    g_file_set_contents (path, "", 0, NULL);
}

/* --- a click --- */

static void
keep_anyway (ClipNotifier *self)
{
  if (clip_history_keep_refused (self->history))
    self->is_keeping = TRUE;
  else if (self->was_paused)
    on_pause_changed (self->history, self);
  else
    say_not_kept (self, CLIP_MATTER_TOO_LARGE, _ ("The clipboard no longer holds it."));
}

static void
on_trimmed (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer user_data)
{
  ClipNotifier *self = user_data;
  g_autoptr (GError) error = NULL;

  if (clip_history_trim_finish (result, &error) < 0 && self->history)
    say (self, CLIP_MATTER_SPARED, "device.error", _ ("Nothing was deleted"),
         g_strdup (error->message));
  g_rc_box_release (self);
}

static void
on_clicked (ClipMatter matter, gpointer user_data)
{
  ClipNotifier *self = user_data;

  if (matter == CLIP_MATTER_PAUSED)
    clip_history_pause (self->history, 0);
  else if (matter == CLIP_MATTER_PUSHED_OUT)
    clip_history_pause (self->history, -1);
  else if (matter == CLIP_MATTER_SPARED)
    clip_history_trim_async (self->history, clip_history_settings (self->history), FALSE,
                             on_trimmed, g_rc_box_acquire (self));
  else if (matter == CLIP_MATTER_TOO_LARGE)
    keep_anyway (self);
}

/**
 * clip_notifier_new:
 * @history: what is listened to; outlives the notifier
 */
ClipNotifier *
clip_notifier_new (ClipHistory *history)
{
  ClipNotifier *self = g_rc_box_new0 (ClipNotifier);
  ClipStore *store = clip_history_store (history);
  g_autofree char *unopened = unopened_path ();

  unlink (unopened);
  self->history = history;
  self->notifications = clip_notification_queue_new (on_clicked, self);
  self->was_paused = clip_history_paused_until (history) != 0;
  g_signal_connect (history, "dropped", G_CALLBACK (on_dropped), self);
  g_signal_connect (history, "trouble", G_CALLBACK (on_trouble), self);
  g_signal_connect (history, "spared-changed", G_CALLBACK (on_spared_changed), self);
  g_signal_connect (history, "pause-changed", G_CALLBACK (on_pause_changed), self);
  g_signal_connect (history, "current-changed", G_CALLBACK (on_current_changed), self);
  g_signal_connect (store, "pushed-out", G_CALLBACK (on_pushed_out), self);
  g_signal_connect (store, "wiped", G_CALLBACK (on_wiped), self);
  g_signal_connect (store, "repaired", G_CALLBACK (on_repaired), self);
  g_signal_connect (store, "lost", G_CALLBACK (on_lost), self);
  g_signal_connect (store, "room-made", G_CALLBACK (on_room_made), self);
  clip_long_transfers_watch (clip_history_long_transfers (history), on_long_transfers,
                             self);
  return self;
}

void
clip_notifier_free (ClipNotifier *self)
{
  if (!self)
    return;
  g_signal_handlers_disconnect_by_data (clip_history_store (self->history), self);
  g_signal_handlers_disconnect_by_data (self->history, self);
  clip_long_transfers_watch (clip_history_long_transfers (self->history), NULL, NULL);
  clip_notification_queue_free (self->notifications);
  self->history = NULL;
  g_clear_pointer (&self->mistakes, g_free);
  g_rc_box_release (self);
}
