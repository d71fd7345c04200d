/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-window"
#include "clip-removal.h"

#include "clip-choice.h"

/* for which it can be taken back */
#define OFFER_S 6

struct ClipRemoval
{
  CliphistHistory *history;
  GtkFilterListModel *rows; /* of the history, without those */
  GtkFilter *filter;        /* set only while there are some */
  GHashTable *ids;          /* of guint64 */
  guint timer;
  ClipRemovalFunc changed;
  gpointer user_data;
};

static gboolean
is_shown (gpointer entry, gpointer user_data)
{
  guint64 id = clip_choice_entry_id (entry);

  return !g_hash_table_contains (user_data, &id);
}

static void
update (ClipRemoval *self)
{
  gboolean has_some = g_hash_table_size (self->ids) > 0;

  if (has_some)
    gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  gtk_filter_list_model_set_filter (self->rows, has_some ? self->filter : NULL);
  self->changed (self->user_data);
}

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!cliphist_history_delete_finish (CLIPHIST_HISTORY (source), result, NULL, &error))
    g_warning ("nothing was deleted: %s", error->message);
  g_application_release (g_application_get_default ());
}

/* Sends what is hidden to be deleted: it cannot be taken back from then on. */
void
clip_removal_commit (ClipRemoval *self)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer id;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (g_hash_table_size (self->ids) == 0)
    return;
  g_hash_table_iter_init (&iter, self->ids);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_array_append_vals (ids, id, 1);
  g_application_hold (g_application_get_default ());
  cliphist_history_delete_async (self->history, (const guint64 *) ids->data, ids->len,
                                 NULL, on_deleted, NULL);
  /* they stay hidden: the history says in a moment that they have gone, and no id comes
     again */
  self->changed (self->user_data);
}

static gboolean
on_over (gpointer user_data)
{
  ClipRemoval *self = user_data;

  self->timer = 0;
  clip_removal_commit (self);
  return G_SOURCE_REMOVE;
}

/* whether something can be taken back, and how many entries that are */
guint
clip_removal_count (const ClipRemoval *self)
{
  return self->timer ? g_hash_table_size (self->ids) : 0;
}

/* hides them; what was hidden before goes for good */
void
clip_removal_add (ClipRemoval *self, const GArray *ids)
{
  if (self->timer)
    clip_removal_commit (self);
  g_hash_table_remove_all (self->ids);
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_add (self->ids,
                      g_memdup2 (&g_array_index (ids, guint64, i), sizeof (guint64)));
  self->timer = g_timeout_add_seconds (OFFER_S, on_over, self);
  update (self);
}

void
clip_removal_take_back (ClipRemoval *self)
{
  if (!self->timer)
    return;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_hash_table_remove_all (self->ids);
  update (self);
}

/* (transfer none): the rows of the history that are to be seen */
GListModel *
clip_removal_rows (ClipRemoval *self)
{
  return G_LIST_MODEL (self->rows);
}

/**
 * clip_removal_new:
 * @changed: is called when clip_removal_count () is another
 */
ClipRemoval *
clip_removal_new (CliphistHistory *history, ClipRemovalFunc changed, gpointer user_data)
{
  ClipRemoval *self = g_new0 (ClipRemoval, 1);

  self->history = g_object_ref (history);
  self->ids = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_shown, self->ids, NULL));
  self->rows = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (history)), NULL);
  self->changed = changed;
  self->user_data = user_data;
  return self;
}

void
clip_removal_free (ClipRemoval *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  gtk_filter_list_model_set_filter (self->rows, NULL);
  g_object_unref (self->rows);
  g_object_unref (self->filter);
  g_hash_table_unref (self->ids);
  g_object_unref (self->history);
  g_free (self);
}
