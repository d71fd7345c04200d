/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each change of owner is an offer with a number of its own, from the moment it is heard
 * of. The first thing asked of a new owner is its TARGETS, never a content: a password is
 * recognised by its types. A change supersedes the question to the owner before. One that
 * is known to be superseded is not asked at all: thousands of changes may lie ahead.
 *
 * Programs that copy many times in a row are gone before a second question reaches them.
 * So in such a burst what was wanted of the last copy is asked for together with TARGETS,
 * and a question that did reach its owner stays open beyond the next change.
 *
 * An owner that does not answer in time has nothing that is worth a longer wait. It
 * is asked once more, with more patience: a large document keeps a program busy for
 * longer than that. Of one that was silent then, too, this is told. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11-watch.h"

#include "clip-secrecy.h"
#include "clip-x11-targets.h"

/* How many copies of a burst may wait to be received: as many as come while the main
 * context is held up for a second, on a machine that is slow. What is more is asked for
 * when it is wanted, and none of those that wait makes way for it: a program may have
 * copied again only because it was asked. */
#define MAX_QUESTIONS 256
/* changes that follow each other so quickly are in a row (milliseconds of the server) */
#define RAPID_MS 100
/* an owner that never stops is asked so often */
#define SLOW_MS 250
/* how often is looked whether a selection is still being made */
#define HELD_MS 100
/* an owner that was silent, perhaps because it is at work, gets so many times the time
   once more */
#define LATE_FACTOR 10
/* a copy that went before it had told what it is may come over a bridge for so long, on a
   busy machine */
#define UNTOLD_US (3 * G_USEC_PER_SEC)

/* one who waits until each owner up to that offer has told what it has */
typedef struct
{
  guint64 id;
  guint64 offer;
} Sync;

struct ClipX11Watch
{
  ClipX11Display *display;
  ClipSelection selection;
  xcb_atom_t atom;
  ClipX11Limits limits;
  ClipX11Mailbox *news;
  guint64 offer;
  xcb_window_t owner;
  xcb_timestamp_t when; /* the present owner did own it then */
  gboolean initial;
  gboolean is_due;   /* it is still to be asked what it has */
  xcb_atom_t ahead;  /* together with that content, or none */
  gboolean is_known; /* which program that is: */
  gboolean is_bridge;
  char *app;
  guint n_rapid;        /* changes in a row, by the same owner */
  xcb_atom_t wanted;    /* what was asked for last */
  GPtrArray *questions; /* open ones and claimable ones, the oldest first */
  /* (nullable): what was offered with the last secret, and by whom */
  char **secret;
  xcb_window_t secret_owner;
  /* the last copy that went before it had told what it is, or 0, and whose it was */
  guint64 missed;
  xcb_window_t missed_owner;
  gint64 untold_until_us;    /* monotonic: so long a copy that went untold is about */
  xcb_window_t untold_owner; /* whose it is; none where more than one had such */
  GArray *syncing;           /* of Sync, the oldest first */
  GSource *forget;           /* what is not claimed */
  GSource *release;          /* while a button or Shift is held down */
};

static ClipX11Message *
new_offer (ClipX11Watch *self, guint64 id, char **names_take)
{
  ClipX11Message *message = clip_x11_message_new (CLIP_X11_OFFERED, id);

  message->selection = self->selection;
  message->names = names_take;
  return message;
}

static void
assume_secret (ClipX11Watch *self, guint64 offer_id)
{
  g_debug ("x11: a copy whose types were asked for too late is taken for a secret");
  clip_x11_mailbox_post (self->news,
                         new_offer (self, offer_id, g_strdupv (self->secret)));
}

static gboolean
is_untold (const ClipX11Watch *self)
{
  return g_get_monotonic_time () < self->untold_until_us;
}

/* A copy that went before it had told what it is may have come over a bridge all the
 * same, without the mark of a secret. It is taken for one if that is what the same owner
 * offered last, or does next. Where another owner comes nothing tells. */
static void
miss (ClipX11Watch *self, guint64 offer_id, xcb_window_t owner)
{
  if (self->secret && owner == self->secret_owner)
    {
      assume_secret (self, offer_id);
      return;
    }
  self->missed = offer_id;
  self->missed_owner = owner;
  self->untold_owner =
      is_untold (self) && owner != self->untold_owner ? XCB_WINDOW_NONE : owner;
  self->untold_until_us = g_get_monotonic_time () + UNTOLD_US;
}

static void
miss_question (ClipX11Watch *self, ClipX11Targets *question)
{
  const ClipX11TargetsJob *job = clip_x11_targets_job (question);

  if (clip_x11_targets_is_open (question) && !job->again)
    miss (self, job->offer, job->owner);
}

static void
learn_secret (ClipX11Watch *self, const ClipX11TargetsJob *job, char **names)
{
  const gboolean is_secret =
      clip_secrecy_of_names ((const char *const *) names) != CLIP_SECRECY_NONE;

  if (is_secret || job->owner == self->secret_owner)
    g_clear_pointer (&self->secret, g_strfreev);
  if (is_secret)
    {
      self->secret = g_strdupv (names);
      self->secret_owner = job->owner;
      if (self->missed != 0 && self->missed_owner == job->owner)
        assume_secret (self, self->missed);
    }
  self->missed = 0;
}

/* messages come in order: an owner that has not answered by now is passed over */
static void
drop_older (ClipX11Watch *self, guint64 offer_id)
{
  for (guint i = self->questions->len; i-- > 0;)
    {
      ClipX11Targets *question = self->questions->pdata[i];

      if (!clip_x11_targets_is_open (question) ||
          clip_x11_targets_job (question)->offer >= offer_id)
        continue;
      miss_question (self, question);
      g_ptr_array_remove_index (self->questions, i);
    }
}

static void
tell (ClipX11Watch *self, ClipX11Kind kind, gboolean flag)
{
  ClipX11Message *message = clip_x11_message_new (kind, self->offer);

  drop_older (self, self->offer);
  message->selection = self->selection;
  message->flag = flag;
  clip_x11_mailbox_post (self->news, message);
}

/* whether the owner of that offer, or of one before, may still tell what it has; one that
 * was there before us is asked once the time is known */
static gboolean
is_asking (ClipX11Watch *self, guint64 offer_id)
{
  if (self->offer <= offer_id &&
      (self->is_due || (self->initial && self->when == XCB_CURRENT_TIME)))
    return TRUE;
  for (guint i = 0; i < self->questions->len; i++)
    {
      ClipX11Targets *question = self->questions->pdata[i];

      if (clip_x11_targets_is_open (question) &&
          !clip_x11_targets_job (question)->again &&
          clip_x11_targets_job (question)->offer <= offer_id)
        return TRUE;
    }
  return FALSE;
}

/* an owner that came later is not waited for: one that never tells, and takes the
 * selection again and again, would hold up each copy on the display above */
static void
tell_synced (ClipX11Watch *self)
{
  guint n = 0;

  for (; n < self->syncing->len; n++)
    {
      const Sync sync = g_array_index (self->syncing, Sync, n);
      ClipX11Message *message;

      if (is_asking (self, sync.offer))
        break;
      message = clip_x11_message_new (CLIP_X11_SYNCED, sync.id);
      message->flag = is_untold (self);
      clip_x11_mailbox_post (self->news, message);
    }
  g_array_remove_range (self->syncing, 0, n);
}

static gboolean
on_forget (gpointer user_data)
{
  ClipX11Watch *self = user_data;

  for (guint i = self->questions->len; i-- > 0;)
    if (!clip_x11_targets_is_open (self->questions->pdata[i]))
      g_ptr_array_remove_index (self->questions, i);
  clip_x11_deadline_set (self->forget, 0);
  return G_SOURCE_CONTINUE;
}

/* a secret is not even left lying in the server */
static gboolean
is_claimable (ClipX11Targets *question, char **names)
{
  return clip_x11_targets_job (question)->ahead != XCB_ATOM_NONE &&
         clip_secrecy_of_names ((const char *const *) names) == CLIP_SECRECY_NONE;
}

static void
forget_program (ClipX11Watch *self)
{
  self->is_known = FALSE;
  g_clear_pointer (&self->app, g_free);
}

static void
learn_program (ClipX11Watch *self, gboolean is_bridge, const char *app)
{
  forget_program (self);
  self->is_known = TRUE;
  self->is_bridge = is_bridge;
  self->app = g_strdup (app);
}

/* A program that copies again, with the same window, and has owned the selection all the
 * time, is who it was. One that had nothing to tell it by is looked at again: it may
 * have opened a window since. */
static gboolean
is_still_known (ClipX11Watch *self, gboolean is_burst)
{
  return self->is_known && (self->app || self->is_bridge || is_burst);
}

static void ask (ClipX11Watch *self, xcb_atom_t ahead, gboolean again);

static void
on_names (ClipX11Targets *question, char **names_take, gpointer user_data)
{
  ClipX11Watch *self = user_data;
  const ClipX11TargetsJob *job = clip_x11_targets_job (question);
  const gboolean claimable = names_take && is_claimable (question, names_take);

  if (names_take)
    {
      ClipX11Message *message = new_offer (self, job->offer, names_take);

      drop_older (self, job->offer);
      message->flag = job->initial;
      message->bridged = clip_x11_targets_is_bridged (question);
      message->app = message->bridged ? NULL : clip_x11_targets_app (question);
      if (!message->bridged)
        learn_secret (self, job, names_take);
      if (job->owner == self->untold_owner)
        self->untold_until_us = 0;
      if (job->offer == self->offer && !job->is_known)
        learn_program (self, message->bridged, message->app);
      clip_x11_mailbox_post (self->news, message);
    }
  else if (job->offer == self->offer && !job->again)
    {
      g_debug ("x11: an owner does not tell what it offers");
      tell (self, CLIP_X11_REPLACED, TRUE);
      ask (self, XCB_ATOM_NONE, TRUE);
    }
  else if (job->offer == self->offer && !job->initial)
    tell (self, CLIP_X11_STALLED, FALSE);
  if (claimable)
    clip_x11_deadline_set (self->forget, self->limits.first_ms);
  else
    g_ptr_array_remove (self->questions, question);
  tell_synced (self);
}

static void
ask (ClipX11Watch *self, xcb_atom_t ahead, gboolean again)
{
  const ClipX11TargetsJob job = {
    .offer = self->offer,
    .initial = self->initial,
    .again = again,
    .selection = self->atom,
    .owner = self->owner,
    .when = self->when,
    .ahead = ahead,
    .is_known = self->is_known,
    .is_bridge = self->is_bridge,
    .app = self->app,
    .ahead_ms = self->limits.owner_ms,
    .wait_ms = again ? LATE_FACTOR * self->limits.first_ms : self->limits.first_ms,
  };

  g_ptr_array_add (self->questions,
                   clip_x11_targets_new (self->display, &job, on_names, self));
}

/* some programs stop selecting when they are asked in the middle of it */
static gboolean
is_being_made (ClipX11Watch *self)
{
  const guint16 held = XCB_KEY_BUT_MASK_BUTTON_1 | XCB_KEY_BUT_MASK_BUTTON_2 |
                       XCB_KEY_BUT_MASK_BUTTON_3 | XCB_KEY_BUT_MASK_SHIFT;

  return self->selection == CLIP_SELECTION_PRIMARY &&
         (clip_x11_display_held (self->display) & held) != 0;
}

/* Some programs own the selection anew when they are asked, and would be asked for ever.
 * No person makes so many copies in a row. */
static gboolean
never_stops (ClipX11Watch *self)
{
  return self->n_rapid > self->limits.max_rapid;
}

static void
count_change (ClipX11Watch *self, xcb_window_t owner, xcb_timestamp_t when)
{
  const gboolean is_rapid =
      owner == self->owner && clip_x11_is_before (when, self->when + RAPID_MS);

  if (is_rapid)
    self->n_rapid++;
  else if (!never_stops (self) || owner != self->owner ||
           !clip_x11_is_before (when, self->when + 4 * SLOW_MS))
    self->n_rapid = 0;
}

static void
ask_when_made (ClipX11Watch *self, xcb_atom_t ahead)
{
  if (is_being_made (self))
    clip_x11_deadline_set (self->release, HELD_MS);
  else
    ask (self, ahead, FALSE);
}

static gboolean
on_release (gpointer user_data)
{
  ClipX11Watch *self = user_data;

  clip_x11_deadline_set (self->release, 0);
  ask_when_made (self, XCB_ATOM_NONE);
  return G_SOURCE_CONTINUE;
}

/* the owner that was there before us, unless a newer one has been heard of meanwhile */
static void
on_time (xcb_timestamp_t now, gpointer user_data)
{
  ClipX11Watch *self = user_data;

  if (!self->initial)
    return;
  self->when = now;
  ask (self, XCB_ATOM_NONE, FALSE);
}

static void
look_for_owner (ClipX11Watch *self)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply (
      connection, xcb_get_selection_owner (connection, self->atom), NULL);

  if (!reply || reply->owner == XCB_WINDOW_NONE)
    return;
  self->owner = reply->owner;
  self->initial = TRUE;
  self->offer++;
  clip_x11_display_ask_time (self->display, on_time, self);
}

/**
 * clip_x11_watch_new:
 * @news: where %CLIP_X11_OFFERED, %CLIP_X11_REPLACED, %CLIP_X11_STALLED and
 * %CLIP_X11_CLEARED go
 */
ClipX11Watch *
clip_x11_watch_new (ClipX11Display *display,
                    ClipSelection selection,
                    const ClipX11Limits *limits,
                    ClipX11Mailbox *news)
{
  ClipX11Watch *self = g_new0 (ClipX11Watch, 1);

  self->display = display;
  self->selection = selection;
  self->atom = selection == CLIP_SELECTION_PRIMARY
                   ? XCB_ATOM_PRIMARY
                   : clip_x11_display_atom (display, CLIP_X11_ATOM_CLIPBOARD);
  self->limits = *limits;
  self->news = clip_x11_mailbox_ref (news);
  self->questions =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_x11_targets_free);
  self->syncing = g_array_new (FALSE, FALSE, sizeof (Sync));
  self->forget =
      clip_x11_deadline_new (clip_x11_display_context (display), on_forget, self);
  self->release =
      clip_x11_deadline_new (clip_x11_display_context (display), on_release, self);
  clip_x11_display_watch_selection (display, self->atom);
  look_for_owner (self);
  return self;
}

void
clip_x11_watch_free (ClipX11Watch *self)
{
  g_array_unref (self->syncing);
  clip_x11_event_source_clear (&self->forget);
  clip_x11_event_source_clear (&self->release);
  forget_program (self);
  g_strfreev (self->secret);
  g_ptr_array_unref (self->questions);
  clip_x11_mailbox_unref (self->news);
  g_free (self);
}

/* not where the new owner may answer it: with the new copy */
static gboolean
survives (ClipX11Targets *question, const xcb_xfixes_selection_notify_event_t *event)
{
  const guint32 sequence = clip_x11_event_sequence ((const xcb_generic_event_t *) event);

  return clip_x11_targets_job (question)->ahead != XCB_ATOM_NONE &&
         !clip_x11_targets_is_after (question, sequence) &&
         !clip_x11_targets_awaits (question, event->owner);
}

static void
close_questions (ClipX11Watch *self, const xcb_xfixes_selection_notify_event_t *event)
{
  if (self->is_due)
    miss (self, self->offer, self->owner);
  self->is_due = FALSE;
  for (guint i = self->questions->len; i-- > 0;)
    if (!survives (self->questions->pdata[i], event))
      {
        miss_question (self, self->questions->pdata[i]);
        g_ptr_array_remove_index (self->questions, i);
      }
}

/* what to ask for together with TARGETS */
static xcb_atom_t
choose_ahead (ClipX11Watch *self, gboolean is_burst)
{
  return is_burst && self->questions->len < MAX_QUESTIONS ? self->wanted : XCB_ATOM_NONE;
}

/**
 * clip_x11_watch_owner_changed:
 * @own_names: (nullable): what is offered, where we own the selection ourselves: no
 * program needs to be asked
 */
void
clip_x11_watch_owner_changed (ClipX11Watch *self,
                              const xcb_xfixes_selection_notify_event_t *event,
                              const char *const *own_names)
{
  const gboolean is_set =
      event->subtype == XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER &&
      event->owner != XCB_WINDOW_NONE;
  /* an owner that goes is told as that; a bridge clears in any case what happened on its
     other side */
  const gboolean on_purpose =
      event->subtype == XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER && !is_set &&
      !(self->is_known && self->is_bridge);
  const gboolean is_burst =
      clip_x11_is_before (event->timestamp, self->when + self->limits.burst_ms) &&
      !self->initial;

  close_questions (self, event);
  clip_x11_deadline_set (self->release, 0);
  count_change (self, event->owner, event->timestamp);
  if (!is_set || event->owner != self->owner || !is_still_known (self, is_burst))
    forget_program (self);
  self->initial = FALSE;
  self->offer++;
  self->when = event->timestamp;
  self->owner = is_set ? event->owner : XCB_WINDOW_NONE;
  if (!is_set)
    tell (self, CLIP_X11_CLEARED, on_purpose);
  else if (own_names)
    {
      drop_older (self, self->offer);
      clip_x11_mailbox_post (
          self->news, new_offer (self, self->offer, g_strdupv ((char **) own_names)));
    }
  else if (clip_x11_display_is_ours (self->display, event->owner))
    tell (self, CLIP_X11_REPLACED, FALSE); /* it was ours, and is not any more */
  else if (never_stops (self))
    clip_x11_deadline_set (self->release, SLOW_MS);
  else
    {
      self->is_due = TRUE;
      self->ahead = self->selection == CLIP_SELECTION_PRIMARY
                        ? XCB_ATOM_NONE
                        : choose_ahead (self, is_burst);
    }
  tell_synced (self);
}

/**
 * clip_x11_watch_ask_owner:
 *
 * Asks the owner that was heard of last what it has, unless that has been done. To be
 * called when no change is known that is still to be handled.
 */
void
clip_x11_watch_ask_owner (ClipX11Watch *self)
{
  if (!self->is_due)
    return;
  self->is_due = FALSE;
  ask_when_made (self, self->ahead);
  tell_synced (self);
}

/**
 * clip_x11_watch_sync:
 *
 * Answers with a %CLIP_X11_SYNCED of that @id when every owner that has been heard of by
 * now has told what it has, or has been given up, as for a later one; flagged, where one
 * has gone before, a moment ago.
 */
void
clip_x11_watch_sync (ClipX11Watch *self, guint64 id)
{
  const Sync sync = { id, self->offer };

  g_array_append_val (self->syncing, sync);
  tell_synced (self);
}

/* claims come in the order of the offers: what is older and waits is not wanted */
static ClipX11Convert *
claim_ahead (ClipX11Watch *self,
             guint64 offer_id,
             xcb_atom_t target,
             xcb_window_t *out_owner)
{
  ClipX11Convert *convert = NULL;

  for (guint i = self->questions->len; i-- > 0;)
    {
      ClipX11Targets *question = self->questions->pdata[i];
      const guint64 offer = clip_x11_targets_job (question)->offer;

      if (offer > offer_id || (offer < offer_id && clip_x11_targets_is_open (question)))
        continue;
      if (offer == offer_id)
        {
          *out_owner = clip_x11_targets_job (question)->owner;
          convert = clip_x11_targets_claim (question, target);
        }
      g_ptr_array_remove_index (self->questions, i);
    }
  return convert;
}

/**
 * clip_x11_watch_ask:
 * @offer: the number of an offer that was announced
 * @out_owner: (out): who was asked
 *
 * Asks the owner of @offer for @target, unless that has been done ahead.
 *
 * Returns: (transfer full) (nullable): the question; %NULL where there is another owner
 */
ClipX11Convert *
clip_x11_watch_ask (ClipX11Watch *self,
                    guint64 offer_id,
                    xcb_atom_t target,
                    xcb_window_t *out_owner)
{
  ClipX11Convert *ahead = claim_ahead (self, offer_id, target, out_owner);

  self->wanted = target;
  if (ahead || self->offer != offer_id)
    return ahead;
  *out_owner = self->owner;
  return clip_x11_convert_new (self->display, self->atom, target, self->when,
                               self->limits.owner_ms, NULL, NULL);
}

xcb_atom_t
clip_x11_watch_selection (ClipX11Watch *self)
{
  return self->atom;
}

/* the number of the present offer; a CLIP_X11_OFFERED says the same */
guint64
clip_x11_watch_offer (ClipX11Watch *self)
{
  return self->offer;
}
