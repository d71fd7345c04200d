/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the index can be asked, the stretches that it names; else all there is. A search
 * that has looked at much all the same gets a second thread: the ids below are cut into
 * windows, this thread and the scout take turns, and what the scout has found in its
 * window is what is looked at of it.
 */
#include "clip-trail.h"

#include "clip-reader-private.h"
#include "clip-scout.h"

/* rows that were looked at when a second thread is worth its start */
#define MUCH_ROWS 16384

#define WINDOW_IDS 16384

struct ClipTrail
{
  ClipReader *reader;
  gint64 before; /* where the last page ended */
  ClipPlan *plan;
  guint64 n_scanned;
  gboolean is_alone; /* no second thread */
  ClipScout *scout;
  gint64 floor;       /* with a scout: this thread's window ends above this id */
  gint64 scout_floor; /* and the scout's, which follows, above this one */
  gint64 resume;      /* where this thread's window begins */
  GArray *found;      /* by the scout, in the window that is done; (nullable) */
  guint n_taken;      /* of them */
};

/* @reader: outlives it */
ClipTrail *
clip_trail_new (ClipReader *reader, const ClipQuery *query)
{
  ClipTrail *self = g_new0 (ClipTrail, 1);
  ClipTerms *terms =
      reader->has_index
          ? clip_terms_new ((const char *const *) query->words, query->regex)
          : NULL;

  self->reader = reader;
  self->before = query->before;
  self->plan = terms ? clip_plan_new (terms) : NULL;
  self->is_alone = reader->is_alone;
  return self;
}

void
clip_trail_free (ClipTrail *self)
{
  if (!self)
    return;
  clip_scout_free (self->scout);
  clip_plan_free (self->plan);
  g_clear_pointer (&self->found, g_array_unref);
  g_free (self);
}

/* whether @query, of the same words, goes on where this ended */
gboolean
clip_trail_is_for (const ClipTrail *self, const ClipQuery *query)
{
  return self->before == query->before;
}

guint
clip_trail_n_loaded (const ClipTrail *self)
{
  return self->plan ? clip_plan_n_loaded (self->plan) : 0;
}

/* at the end of a page */
void
clip_trail_leave (ClipTrail *self, const ClipQuery *query, guint n_scanned)
{
  self->before = query->before;
  self->n_scanned += n_scanned;
}

static gint64
window_below (gint64 before, const ClipQuery *query)
{
  return MAX (before - 1 - WINDOW_IDS, query->after);
}

/* from @before down: a window for this thread, one for the scout */
static void
share (ClipTrail *self, gint64 before, const ClipQuery *query)
{
  self->resume = before;
  self->floor = window_below (before, query);
  self->scout_floor = window_below (self->floor + 1, query);
  clip_scout_send (self->scout, self->floor + 1, self->scout_floor);
}

static gboolean
is_worth_sharing (const ClipTrail *self, const ClipQuery *query)
{
  return !self->is_alone && !self->scout && self->n_scanned >= MUCH_ROWS &&
         query->before - query->after > 2 * WINDOW_IDS;
}

/* what the scout has found, in its window; where it could not look, this thread does */
static void
collect (ClipTrail *self, ClipQuery *query)
{
  guint n_given_up;

  self->n_taken = 0;
  self->found = clip_scout_wait (self->scout, &n_given_up);
  if (!self->found)
    {
      g_clear_pointer (&self->scout, clip_scout_free);
      self->is_alone = TRUE;
      return;
    }
  query->n_given_up += n_given_up;
  share (self, self->scout_floor + 1, query);
}

static gboolean
take_found (ClipTrail *self, ClipQuery *query, ClipStretch *out_stretch)
{
  while (self->found && self->n_taken < self->found->len)
    {
      gint64 id = g_array_index (self->found, gint64, self->n_taken++);

      *out_stretch = (ClipStretch){ id, id };
      if (id < query->before)
        return TRUE;
    }
  if (!self->found)
    return FALSE;
  /* all of the scout's window is behind us: this thread's next one begins */
  query->before = self->resume;
  g_clear_pointer (&self->found, g_array_unref);
  return FALSE;
}

static gboolean
find_own (ClipTrail *self,
          ClipDatabase *database,
          const ClipQuery *query,
          gint64 floor,
          ClipStretch *out_stretch,
          GError **error)
{
  if (self->plan)
    return clip_plan_next (self->plan, database, query->before, floor, out_stretch,
                           error);
  *out_stretch = (ClipStretch){ 0 };
  if (query->before - 1 > floor)
    *out_stretch = (ClipStretch){ floor + 1, query->before - 1 };
  return TRUE;
}

/**
 * clip_trail_next:
 * @query: its `before` says where to go on, and moves over what need not be looked at
 * @out_stretch: (out): the ids to look at next
 *
 * Within a read transaction.
 */
gboolean
clip_trail_next (ClipTrail *self,
                 ClipDatabase *database,
                 ClipQuery *query,
                 ClipStretch *out_stretch,
                 GError **error)
{
  if (is_worth_sharing (self, query))
    {
      self->scout = clip_scout_new (self->reader->dir, query);
      share (self, query->before, query);
    }
  for (;;)
    {
      gboolean shared = self->scout != NULL;

      if (take_found (self, query, out_stretch))
        return TRUE;
      if (!find_own (self, database, query, shared ? self->floor : query->after,
                     out_stretch, error))
        return FALSE;
      if (out_stretch->last > 0 || !shared || self->floor <= query->after)
        return TRUE;
      query->before = MIN (query->before, self->floor + 1);
      collect (self, query);
    }
}
