/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-window"
#include "clip-removal.h"

#include "clip-choice.h"
#include "clip-words.h"

/* for which it can be taken back */
#define OFFER_S 6

struct ClipRemoval
{
  CliphistHistory *history;
  GtkFilterListModel *rows; /* of the history, without those */
  GtkFilter *filter;        /* set only while there are some */
  GHashTable *hidden;       /* of guint64: until the history has said that they went */
  GPtrArray
      *offered; /* of GArray of guint64: of those, what can be taken back, one deletion
                         after the other */
  guint timer;
  ClipRemovalFunc changed;
  gpointer user_data;
};

/* What the daemon was told to delete. */
typedef struct
{
  GHashTable *hidden;
  GtkFilter *filter;
  GArray *ids;       /* of guint64 */
  gboolean is_again; /* the daemon ended before it said that it had done so */
} Deletion;

static gboolean
is_shown (gpointer entry, gpointer user_data)
{
  guint64 id = clip_choice_entry_id (entry);

  return !g_hash_table_contains (user_data, &id);
}

static void
update (ClipRemoval *self)
{
  gboolean has_some = g_hash_table_size (self->hidden) > 0;

  if (has_some)
    gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  gtk_filter_list_model_set_filter (self->rows, has_some ? self->filter : NULL);
  self->changed (self->user_data);
}

static void
show_again (GHashTable *hidden, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_remove (hidden, &g_array_index (ids, guint64, i));
}

/* who deleted a secret has closed the window, and takes it for gone */
static void
tell_failure (void)
{
  g_autoptr (GNotification) notification = g_notification_new (_ ("Nothing was deleted"));

  g_notification_set_body (
      notification, _ ("That failed. “cliphist doctor” in a terminal may say why."));
  g_application_send_notification (g_application_get_default (), "deletion",
                                   notification);
}

static void on_deleted (GObject *source, GAsyncResult *result, gpointer user_data);

static void
begin (CliphistHistory *history, Deletion *deletion)
{
  cliphist_history_delete_async (history, (const guint64 *) deletion->ids->data,
                                 deletion->ids->len, NULL, on_deleted, deletion);
}

/* Their rows have gone by now, or the daemon still has them. One that was killed over it
 * is started by a second call. */
static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Deletion *deletion = user_data;
  g_autoptr (GError) error = NULL;

  cliphist_history_delete_finish (CLIPHIST_HISTORY (source), result, NULL, &error);
  if (!deletion->is_again &&
      g_error_matches (error, CLIPHIST_ERROR, CLIPHIST_ERROR_UNAVAILABLE))
    {
      deletion->is_again = TRUE;
      begin (CLIPHIST_HISTORY (source), deletion);
      return;
    }
  show_again (deletion->hidden, deletion->ids);
  if (error)
    {
      g_message ("nothing was deleted: %s", error->message);
      tell_failure ();
      gtk_filter_changed (deletion->filter, GTK_FILTER_CHANGE_LESS_STRICT);
    }
  g_hash_table_unref (deletion->hidden);
  g_object_unref (deletion->filter);
  g_array_unref (deletion->ids);
  g_free (deletion);
  g_application_release (g_application_get_default ());
}

static GArray *
take_all (ClipRemoval *self)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < self->offered->len; i++)
    {
      const GArray *deletion = self->offered->pdata[i];

      g_array_append_vals (ids, deletion->data, deletion->len);
    }
  g_ptr_array_set_size (self->offered, 0);
  return ids;
}

/* Sends what can be taken back to be deleted. It stays hidden: a busy daemon takes its
   time. */
void
clip_removal_commit (ClipRemoval *self)
{
  Deletion *deletion;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->offered->len == 0)
    return;
  deletion = g_new0 (Deletion, 1);
  deletion->hidden = g_hash_table_ref (self->hidden);
  deletion->filter = g_object_ref (self->filter);
  deletion->ids = take_all (self);
  g_application_hold (g_application_get_default ());
  begin (self->history, deletion);
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

/* what can be taken back can be so for as long as what was deleted, or came back, last */
static void
renew (ClipRemoval *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  if (self->offered->len > 0)
    self->timer = g_timeout_add_seconds (OFFER_S, on_over, self);
  update (self);
}

/* whether something can be taken back, and how many entries that are */
guint
clip_removal_count (const ClipRemoval *self)
{
  guint n = 0;

  for (guint i = 0; i < self->offered->len; i++)
    n += ((const GArray *) self->offered->pdata[i])->len;
  return n;
}

/* hides them */
void
clip_removal_add (ClipRemoval *self, const GArray *ids)
{
  g_ptr_array_add (self->offered, g_array_copy ((GArray *) ids));
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_add (self->hidden,
                      g_memdup2 (&g_array_index (ids, guint64, i), sizeof (guint64)));
  renew (self);
}

/* The last deletion. Returns: the id of the newest of its entries, which is to be seen;
 * 0: there is none */
guint64
clip_removal_take_back (ClipRemoval *self)
{
  g_autoptr (GArray) last = NULL;
  guint64 newest = 0;

  if (self->offered->len == 0)
    return 0;
  last = g_ptr_array_steal_index (self->offered, self->offered->len - 1);
  show_again (self->hidden, last);
  renew (self);
  for (guint i = 0; i < last->len; i++)
    newest = MAX (newest, g_array_index (last, guint64, i));
  return newest;
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
  self->hidden = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->offered = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->filter = GTK_FILTER (gtk_custom_filter_new (
      is_shown, g_hash_table_ref (self->hidden), (GDestroyNotify) g_hash_table_unref));
  self->rows = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (history)), NULL);
  self->changed = changed;
  self->user_data = user_data;
  return self;
}

void
clip_removal_free (ClipRemoval *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_object_unref (self->rows);
  g_object_unref (self->filter);
  g_hash_table_unref (self->hidden);
  g_ptr_array_unref (self->offered);
  g_object_unref (self->history);
  g_free (self);
}
