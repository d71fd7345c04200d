/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * There is one timer, for what is due next: the first expiry, which the store
 * announces when it changes, or the age of the oldest entry, which the last trim has
 * found. When it goes off the history is trimmed, and that finds the next. An entry that
 * is pinned, deleted or copied again meanwhile makes it go off in vain, once.
 */
#define G_LOG_DOMAIN "clip-history"
#include "clip-limiter.h"

#include "clip-policy.h"
#include "clip-wall-timer.h"

/* after one that failed: the disk may be full */
#define RETRY_US (60 * G_USEC_PER_SEC)

struct ClipLimiter
{
  ClipStore *store;
  ClipWallTimer *timer;
  ClipLimits limits;
  gint64 oldest_us; /* 0 = no age is waited for */
  gint64 came_us;  /* of what has come while it is trimmed, the oldest; 0 = nothing has */
  gint64 retry_us; /* 0 = the last trim went well */
  guint spared;
  gboolean trimming;
  gboolean again;
  ClipLimiterFunc on_spared;
  gpointer user_data;
  GCancellable *gone; /* the trim under way outlives us */
};

static void trim (ClipLimiter *self);

/* of two moments; 0 is none */
static gint64
older (gint64 one_us, gint64 other_us)
{
  return one_us == 0 || other_us == 0 ? MAX (one_us, other_us) : MIN (one_us, other_us);
}

/* when the oldest is too old; 0 = never */
static gint64
find_age_due (const ClipLimiter *self)
{
  if (self->limits.max_age_us <= 0 || self->oldest_us == 0 ||
      (self->spared & CLIP_LIMIT_AGE) != 0 ||
      self->limits.max_age_us > G_MAXINT64 - self->oldest_us)
    return 0;
  return self->oldest_us + self->limits.max_age_us;
}

static void
arm (ClipLimiter *self)
{
  gint64 expiry_us = clip_store_next_expiry (self->store);
  gint64 due_us = find_age_due (self);

  if (expiry_us > 0 && (due_us == 0 || expiry_us < due_us))
    due_us = expiry_us;
  due_us = MAX (due_us, self->retry_us);
  clip_wall_timer_set (self->timer, due_us);
}

static void
set_spared (ClipLimiter *self, guint spared)
{
  g_auto (GStrv) keys = clip_policy_limit_keys (spared);
  g_autofree char *list = g_strjoinv (", ", keys);

  if (self->spared == spared)
    return;
  self->spared = spared;
  if (spared != 0)
    g_message ("%s would take more than a tenth of the history: nothing is taken before "
               "'cliphist trim'",
               list);
  self->on_spared (spared, self->user_data);
}

typedef struct
{
  ClipLimiter *limiter; /* valid while not cancelled */
  GCancellable *gone;
} Trim;

static void
take_outcome (ClipLimiter *self, const ClipOutcome *trimmed, const GError *error)
{
  self->trimming = FALSE;
  if (error)
    {
      g_warning ("history is not trimmed for now: %s", error->message);
      self->retry_us = g_get_real_time () + RETRY_US;
    }
  else
    {
      if (trimmed->n > 0)
        g_info ("%" G_GINT64_FORMAT " entries gave way", trimmed->n);
      self->retry_us = 0;
      self->oldest_us = older (trimmed->oldest_us, self->came_us);
      set_spared (self, trimmed->spared);
    }
  if (self->again)
    trim (self);
  else
    arm (self);
}

static void
on_trimmed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Trim *call = user_data;
  g_autoptr (GCancellable) gone = call->gone;
  g_autoptr (GError) error = NULL;
  ClipOutcome trimmed = { 0 };

  clip_store_change_finish (CLIP_STORE (source), result, &trimmed, &error);
  if (!g_cancellable_is_cancelled (gone))
    take_outcome (call->limiter, &trimmed, error);
}

static void
trim (ClipLimiter *self)
{
  Trim *call;

  self->again = self->trimming;
  if (self->trimming)
    return;
  self->trimming = TRUE;
  self->came_us = 0;
  call = g_new (Trim, 1);
  *call = (Trim){ self, g_object_ref (self->gone) };
  clip_store_change_async (self->store, clip_change_trim (&self->limits, FALSE),
                           on_trimmed, call);
}

static void
on_time (gpointer user_data)
{
  trim (user_data);
}

static void
on_expiry_changed (ClipLimiter *self)
{
  if (!self->trimming)
    arm (self);
}

/* what an import brings goes when its turn comes, and no entry has a wakeup of its own */
static gboolean
is_too_old (const ClipLimiter *self, const ClipEntry *entry)
{
  return entry->row.last_us <= g_get_real_time () - self->limits.max_age_us;
}

/* a trim that is under way may not have seen it */
static void
on_entry_added (ClipLimiter *self, const ClipEntry *entry)
{
  const gint64 oldest_us = older (self->oldest_us, entry->row.last_us);

  if (self->trimming)
    self->came_us = older (self->came_us, entry->row.last_us);
  if (self->limits.max_age_us <= 0 || self->oldest_us == oldest_us ||
      (self->oldest_us != 0 && is_too_old (self, entry)))
    return;
  self->oldest_us = oldest_us;
  on_expiry_changed (self);
}

/**
 * clip_limiter_new:
 * @limits: obeyed at once, and from now on
 * @on_spared: called when the history is too large for a limit that does not take it, and
 * when that is over
 */
ClipLimiter *
clip_limiter_new (ClipStore *store,
                  const ClipLimits *limits,
                  ClipLimiterFunc on_spared,
                  gpointer user_data)
{
  ClipLimiter *self = g_new0 (ClipLimiter, 1);

  self->store = g_object_ref (store);
  self->timer = clip_wall_timer_new (on_time, self);
  self->gone = g_cancellable_new ();
  self->on_spared = on_spared;
  self->user_data = user_data;
  g_signal_connect_swapped (store, "expiry-changed", G_CALLBACK (on_expiry_changed),
                            self);
  g_signal_connect_swapped (store, "entry-added", G_CALLBACK (on_entry_added), self);
  clip_limiter_set (self, limits);
  return self;
}

void
clip_limiter_free (ClipLimiter *self)
{
  if (!self)
    return;
  g_cancellable_cancel (self->gone);
  g_signal_handlers_disconnect_by_data (self->store, self);
  g_clear_pointer (&self->timer, clip_wall_timer_free);
  g_object_unref (self->gone);
  g_object_unref (self->store);
  g_free (self);
}

/* @limits: copied, and obeyed at once */
void
clip_limiter_set (ClipLimiter *self, const ClipLimits *limits)
{
  self->limits = *limits;
  trim (self);
}

/* ClipLimit: those that would take so much that they are not obeyed */
guint
clip_limiter_spared (const ClipLimiter *self)
{
  return self->spared;
}
