/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-scout.h"

#include "clip-reader-private.h"

struct ClipScout
{
  char *dir;
  ClipQuery query;    /* the thread's, while it is under way */
  ClipReader *reader; /* the thread's */
  GArray *ids;        /* gint64: found, newest first; the thread's meanwhile */
  GThread *thread;
  gint stops; /* atomic */

  GMutex mutex;
  GCond changed;
  gboolean under_way; /* from here on guarded by mutex */
  gboolean failed;
};

static gboolean
take_id (const ClipRow *row, gpointer user_data)
{
  ClipScout *self = user_data;

  g_array_append_val (self->ids, row->id);
  return TRUE;
}

static gboolean
look (ClipScout *self)
{
  gboolean more = TRUE;

  if (!self->reader)
    self->reader = clip_reader_open (self->dir, NULL);
  if (!self->reader)
    return FALSE;
  self->reader->is_alone = TRUE;
  while (more && !g_atomic_int_get (&self->stops))
    if (!clip_reader_page (self->reader, &self->query, take_id, self, &more, NULL))
      return FALSE;
  return !more;
}

static gpointer
run (gpointer data)
{
  ClipScout *self = data;

  g_mutex_lock (&self->mutex);
  while (!g_atomic_int_get (&self->stops))
    {
      gboolean done;

      if (!self->under_way)
        {
          g_cond_wait (&self->changed, &self->mutex);
          continue;
        }
      g_mutex_unlock (&self->mutex);
      done = look (self);
      g_mutex_lock (&self->mutex);
      self->failed = !done;
      self->under_way = FALSE;
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->mutex);
  return NULL;
}

/* @query: copied */
ClipScout *
clip_scout_new (const char *dir, const ClipQuery *query)
{
  ClipScout *self = g_new0 (ClipScout, 1);

  self->dir = g_strdup (dir);
  clip_query_init_copy (&self->query, query);
  self->query.limit = 0;
  self->query.brief = TRUE;
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->thread = g_thread_new ("clip-scout", run, self);
  return self;
}

/* does not wait for more than the page that it is at */
void
clip_scout_free (ClipScout *self)
{
  if (!self)
    return;
  g_mutex_lock (&self->mutex);
  g_atomic_int_set (&self->stops, TRUE);
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  g_thread_join (self->thread);
  g_clear_pointer (&self->ids, g_array_unref);
  clip_reader_free (self->reader);
  clip_query_clear (&self->query);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self->dir);
  g_free (self);
}

/* to the ids between these two; after clip_scout_wait(), if it was sent before */
void
clip_scout_send (ClipScout *self, gint64 before, gint64 after)
{
  g_mutex_lock (&self->mutex);
  g_clear_pointer (&self->ids, g_array_unref);
  self->ids = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->query.before = before;
  self->query.after = after;
  self->query.n_given_up = 0;
  self->query.damage = CLIP_DAMAGE_NONE;
  self->under_way = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/**
 * clip_scout_wait:
 * @out_n_given_up: (out): how many entries cost too much to be matched
 *
 * Returns: (transfer full) (element-type gint64) (nullable): those that match, newest
 * first; %NULL where it could not look
 */
GArray *
clip_scout_wait (ClipScout *self, guint *out_n_given_up)
{
  GArray *ids = NULL;

  g_mutex_lock (&self->mutex);
  while (self->under_way)
    g_cond_wait (&self->changed, &self->mutex);
  if (!self->failed)
    ids = g_steal_pointer (&self->ids);
  *out_n_given_up = self->query.n_given_up;
  g_mutex_unlock (&self->mutex);
  return ids;
}
