/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The façade: what is asked for becomes a change for the writer or an order for the
 * readers, and what has happened becomes signals. Nothing here touches the disk, save for
 * opening and closing.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store.h"

#include "clip-check-files.h"
#include "clip-error.h"
#include "clip-history-folder.h"
#include "clip-paths.h"
#include "clip-store-private.h"
#include "clip-sweep.h"

#include <sys/stat.h>

G_DEFINE_FINAL_TYPE (ClipStore, clip_store, G_TYPE_OBJECT)

static guint signals[CLIP_N_SIGNALS];

static void
announce (ClipStore *self, const ClipStoreSignal *signal)
{
  switch (signal->kind)
    {
    case CLIP_SIGNAL_ADDED:
    case CLIP_SIGNAL_CHANGED:
      g_signal_emit (self, signals[signal->kind], 0, signal->entry);
      break;
    case CLIP_SIGNAL_MOVED:
      g_signal_emit (self, signals[signal->kind], 0, signal->n, signal->id);
      break;
    case CLIP_SIGNAL_REMOVED:
      clip_readers_drop (self->readers);
      g_signal_emit (self, signals[signal->kind], 0, signal->removed);
      break;
    default: /* those that carry no number take no notice of it */
      g_signal_emit (self, signals[signal->kind], 0, signal->n);
    }
}

static void
announce_all (ClipStore *self)
{
  g_autoptr (GPtrArray) pending = NULL;

  g_mutex_lock (&self->mutex);
  pending = self->pending;
  self->pending =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_store_signal_free);
  g_mutex_unlock (&self->mutex);
  for (guint i = 0; i < pending->len; i++)
    announce (self, pending->pdata[i]);
}

/* what was written between the new history and its watch is looked for */
static void
renew_watches (ClipStore *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_old, is_db_old;

  g_mutex_lock (&self->mutex);
  is_old = self->watch_is_old;
  is_db_old = self->db_watch_is_old;
  self->watch_is_old = self->db_watch_is_old = FALSE;
  g_mutex_unlock (&self->mutex);
  if (self->watch && is_db_old)
    clip_store_watch_db_file (self);
  if (!self->watch || !is_old)
    return;
  if (!clip_folder_watch_renew (self->watch, self->dir, &error))
    g_message ("changes by other programs are noticed late: %s", error->message);
  clip_writer_look (self->writer);
}

static gboolean
on_announce (gpointer user_data)
{
  g_autoptr (ClipStore) self = g_object_ref (user_data);

  g_source_set_ready_time (self->announcer, -1);
  renew_watches (self);
  announce_all (self);
  return G_SOURCE_CONTINUE;
}

/* on any thread: what no event of the history says */
void
clip_store_announce (ClipStore *self, ClipStoreSignalKind kind, gint64 n)
{
  g_mutex_lock (&self->mutex);
  g_ptr_array_add (self->pending, clip_store_signal_new (kind, n));
  g_mutex_unlock (&self->mutex);
  g_source_set_ready_time (self->announcer, 0);
}

static gboolean
dispatch (GSource *source G_GNUC_UNUSED, GSourceFunc callback, gpointer user_data)
{
  return callback (user_data);
}

static GSource *
new_announcer (ClipStore *self)
{
  static GSourceFuncs functions = { .dispatch = dispatch };
  GSource *source = g_source_new (&functions, sizeof (GSource));

  g_source_set_callback (source, on_announce, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
  return source;
}

static gboolean
has_notes (const GArray *events)
{
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, ClipEvent, i).kind == CLIP_EVENT_NOTE)
      return TRUE;
  return FALSE;
}

/* on the writer's thread, before those who asked for the changes are told */
static void
on_news (const ClipNews *news, gpointer user_data)
{
  ClipStore *self = user_data;
  g_autoptr (GHashTable) notes = NULL;
  g_autoptr (GPtrArray) pending =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_store_signal_free);

  /* what reads the files of a history that is gone lets go of them */
  if (news->is_new_history)
    clip_readers_drop (self->readers);
  if (news->is_new_history || has_notes (news->events))
    notes = clip_reader_notes (news->reader, NULL);
  clip_store_signals_append (pending, news->events, news->reader);

  /* for which the main loop may wait: nothing is read under it */
  g_mutex_lock (&self->mutex);
  self->totals = news->totals;
  self->newest = news->newest;
  self->watch_is_old |= news->is_new_history;
  self->db_watch_is_old |= news->is_new_db_file;
  if (notes)
    {
      g_hash_table_unref (self->notes);
      self->notes = g_steal_pointer (&notes);
    }
  g_ptr_array_extend_and_steal (self->pending, g_steal_pointer (&pending));
  if (self->next_expiry_us != news->next_expiry_us)
    g_ptr_array_add (self->pending, clip_store_signal_new (CLIP_SIGNAL_EXPIRY, 0));
  self->next_expiry_us = news->next_expiry_us;
  if (news->n_wiped > 0)
    g_ptr_array_add (self->pending,
                     clip_store_signal_new (CLIP_SIGNAL_WIPED, news->n_wiped));
  g_mutex_unlock (&self->mutex);
  g_source_set_ready_time (self->announcer, 0);
}

static gboolean
sweep_names (char **names_take, gpointer user_data)
{
  ClipStore *self = user_data;

  clip_store_change_wait (self, clip_change_sweep (names_take), NULL, NULL);
  return !g_atomic_int_get (&self->stops);
}

/* on a reader's thread: before the writer does anything, it sees to it that there is a
 * history */
static void
on_renew (gpointer user_data)
{
  clip_store_change_wait (user_data, clip_change_sweep (NULL), NULL, NULL);
}

static gpointer
run_sweeper (gpointer data)
{
  ClipStore *self = data;

  clip_sweep (clip_blobs_fd (self->blobs), sweep_names, self);
  return NULL;
}

static void
on_written (gpointer user_data)
{
  ClipStore *self = user_data;

  clip_writer_look (self->writer);
}

static gboolean
read_state (ClipStore *self, GError **error)
{
  g_autoptr (ClipReader) reader = clip_reader_open (self->dir, error);

  if (!reader || !clip_reader_totals (reader, &self->totals, error))
    return FALSE;
  self->newest = clip_reader_newest (reader, error);
  self->notes = clip_reader_notes (reader, error);
  return self->newest >= 0 && self->notes;
}

/* whether the files of contents are all that is left of a history */
static gboolean
is_lost (const char *dir)
{
  g_autofree char *path = g_build_filename (dir, CLIP_DATABASE_NAME, NULL);
  g_autoptr (ClipReport) report = clip_report_new ();
  struct stat status;

  return (stat (path, &status) < 0 || status.st_size == 0) &&
         clip_check_gone (dir, report, NULL) &&
         clip_report_has (report, CLIP_FINDING_GONE);
}

static ClipTransaction *
open_transaction (ClipStore *self, gboolean journals, GError **error)
{
  ClipStatements *database;

  self->blobs = clip_blobs_open (self->dir, error);
  if (!self->blobs)
    return NULL;
  database = clip_history_folder_open (self->dir, error);
  return database
             ? clip_transaction_new (self->dir, database, self->blobs, journals, error)
             : NULL;
}

/* without it, what others write is heard of at the next change of our own */
static void
start_watching (ClipStore *self)
{
  g_autoptr (GError) error = NULL;

  self->watch = clip_folder_watch_new (self->dir, CLIP_DATABASE_NAME,
                                       g_main_context_get_thread_default (), on_written,
                                       self, &error);
  if (!self->watch)
    g_message ("changes by other programs are noticed late: %s", error->message);
  clip_store_watch_db_file (self);
  clip_store_heed_db_file (self);
}

/**
 * clip_store_open:
 * @dir: the folder of the history; made where it is missing, readable by its user alone
 * @flags: whether this is the session's daemon
 *
 * Opens the history to change it, made where there is none. Blocks on the disk. The
 * signals are emitted on the main context that is the thread's default now.
 *
 * Returns: (transfer full): to be closed with clip_store_close() before it is dropped
 *
 * Errors: %CLIP_ERROR_NEWER_DATABASE, %CLIP_ERROR_CORRUPT, %CLIP_ERROR_NO_SPACE,
 * %G_FILE_ERROR, %CLIP_ERROR_FAILED.
 */
ClipStore *
clip_store_open (const char *dir, ClipStoreFlags flags, GError **error)
{
  g_autoptr (ClipStore) self = g_object_new (CLIP_TYPE_STORE, NULL);
  gboolean is_session = (flags & CLIP_STORE_SESSION) != 0;
  gboolean was_lost = is_lost (dir);
  g_autoptr (ClipTransaction) transaction = NULL;

  self->dir = g_strdup (dir);
  self->was_in_use = clip_reader_is_in_use (dir);
  transaction = open_transaction (self, !is_session, error);
  if (!transaction || !read_state (self, error))
    return NULL;
  self->announcer = new_announcer (self);
  self->readers = clip_readers_new (dir, on_renew, self);
  self->writer = clip_writer_new (g_steal_pointer (&transaction), on_news, self);
  self->workers = g_thread_pool_new (clip_store_work, self, 1, FALSE, NULL);
  if (was_lost)
    clip_store_announce (self, CLIP_SIGNAL_LOST, 0);
  if (is_session)
    {
      start_watching (self);
      self->sweeper = g_thread_new ("clip-sweep", run_sweeper, self);
    }
  return g_steal_pointer (&self);
}

/**
 * clip_store_close:
 *
 * Makes the changes that have been asked for, announces them, and lets go of the files.
 * Blocks on the disk. What was to be read, and has not been, fails with
 * %G_IO_ERROR_CANCELLED; what is asked for from now on with %CLIP_ERROR_CANCELLED.
 */
void
clip_store_close (ClipStore *self)
{
  g_atomic_int_set (&self->stops, TRUE);
  g_atomic_int_set (&self->check_stops, TRUE);
  g_atomic_int_set (&self->files_stop, TRUE);
  if (self->readers)
    clip_readers_stop (self->readers);
  g_clear_pointer (&self->sweeper, g_thread_join);
  if (self->workers)
    g_thread_pool_free (g_steal_pointer (&self->workers), FALSE, TRUE);
  g_clear_pointer (&self->watch, clip_folder_watch_free);
  clip_store_unwatch_db_file (self);
  if (self->readers)
    clip_readers_join (self->readers);
  g_clear_pointer (&self->writer, clip_writer_free);
  /* what is removed drops the readers */
  announce_all (self);
  g_clear_pointer (&self->readers, clip_readers_free);
  if (self->announcer)
    g_source_destroy (self->announcer);
  g_clear_pointer (&self->announcer, g_source_unref);
}

static void
clip_store_dispose (GObject *object)
{
  clip_store_close (CLIP_STORE (object));
  G_OBJECT_CLASS (clip_store_parent_class)->dispose (object);
}

static void
clip_store_finalize (GObject *object)
{
  ClipStore *self = CLIP_STORE (object);

  g_free (self->dir);
  g_clear_pointer (&self->blobs, clip_blobs_unref);
  g_clear_pointer (&self->notes, g_hash_table_unref);
  g_ptr_array_unref (self->pending);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (clip_store_parent_class)->finalize (object);
}

static guint
new_signal (const char *name, guint n_parameters, GType first, GType second)
{
  return g_signal_new (name, CLIP_TYPE_STORE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                       G_TYPE_NONE, n_parameters, first, second);
}

static void
clip_store_class_init (ClipStoreClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = clip_store_dispose;
  object_class->finalize = clip_store_finalize;
  signals[CLIP_SIGNAL_ADDED] = new_signal ("entry-added", 1, G_TYPE_POINTER, 0);
  signals[CLIP_SIGNAL_MOVED] = new_signal ("entry-moved", 2, G_TYPE_INT64, G_TYPE_INT64);
  signals[CLIP_SIGNAL_REMOVED] = new_signal ("entries-removed", 1, G_TYPE_ARRAY, 0);
  signals[CLIP_SIGNAL_IMPORTED] = new_signal ("entries-imported", 1, G_TYPE_INT64, 0);
  signals[CLIP_SIGNAL_CHANGED] = new_signal ("entry-changed", 1, G_TYPE_POINTER, 0);
  signals[CLIP_SIGNAL_NOTES] = new_signal ("notes-changed", 0, 0, 0);
  signals[CLIP_SIGNAL_PUSHED_OUT] = new_signal ("pushed-out", 1, G_TYPE_INT64, 0);
  signals[CLIP_SIGNAL_WIPED] = new_signal ("wiped", 1, G_TYPE_INT64, 0);
  signals[CLIP_SIGNAL_REPAIRED] = new_signal ("repaired", 0, 0, 0);
  signals[CLIP_SIGNAL_LOST] = new_signal ("lost", 0, 0, 0);
  signals[CLIP_SIGNAL_ROOM_MADE] = new_signal ("room-made", 0, 0, 0);
  signals[CLIP_SIGNAL_EXPIRY] = new_signal ("expiry-changed", 0, 0, 0);
}

static void
clip_store_init (ClipStore *self)
{
  g_mutex_init (&self->mutex);
  self->pending =
      g_ptr_array_new_with_free_func ((GDestroyNotify) clip_store_signal_free);
}

/* the absolute folder of the history; borrowed */
const char *
clip_store_dir (ClipStore *self)
{
  return self->dir;
}

/* whether another process had it open when this one opened it, as a daemon that runs
   always has */
gboolean
clip_store_was_in_use (ClipStore *self)
{
  return self->was_in_use;
}

/* (transfer full): what to receive a content in. Errors: as clip_stage_new(). */
ClipStage *
clip_store_stage (ClipStore *self, GError **error)
{
  return clip_stage_new (self->blobs, error);
}

/* (transfer full): a content that is there, and stays as it is; see
   clip_stage_new_full() */
ClipStage *
clip_store_stage_full (ClipStore *self, int fd_take)
{
  return clip_stage_new_full (self->blobs, fd_take);
}

/* (transfer full) (nullable): what was last set under @key, NULL where nothing was */
char *
clip_store_get_note (ClipStore *self, const char *key)
{
  char *value;

  g_mutex_lock (&self->mutex);
  value = g_strdup (g_hash_table_lookup (self->notes, key));
  g_mutex_unlock (&self->mutex);
  return value;
}

/* the highest id there is, as of the last change that was reported; 0 = none */
gint64
clip_store_newest (ClipStore *self)
{
  gint64 newest;

  g_mutex_lock (&self->mutex);
  newest = self->newest;
  g_mutex_unlock (&self->mutex);
  return newest;
}

/* when the first entry expires that is not pinned, in microseconds since the epoch, as of
 * the last change that was reported; 0 = none does */
gint64
clip_store_next_expiry (ClipStore *self)
{
  gint64 next_us;

  g_mutex_lock (&self->mutex);
  next_us = self->next_expiry_us;
  g_mutex_unlock (&self->mutex);
  return next_us;
}

/* as of the last change that was reported: it waits for nobody */
void
clip_store_get_totals (ClipStore *self, ClipTotals *out_totals)
{
  g_mutex_lock (&self->mutex);
  *out_totals = self->totals;
  g_mutex_unlock (&self->mutex);
}

/* whether something deleted may still be found in the files of the database, for now */
gboolean
clip_store_is_overwriting (ClipStore *self)
{
  return self->writer && clip_writer_is_overwriting (self->writer);
}

/* (transfer full): the task of a call; its result arrives where the caller is */
GTask *
clip_store_new_task (ClipStore *self,
                     gpointer tag,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  return task;
}

/* the answer of a closed store */
void
clip_store_refuse (GTask *task_take)
{
  g_autoptr (GTask) task = task_take;

  g_task_return_new_error (task, CLIP_ERROR, CLIP_ERROR_CANCELLED, "history is closed");
}

static void
on_cancelled (GCancellable *cancellable G_GNUC_UNUSED, gpointer stops)
{
  g_atomic_int_set ((gint *) stops, TRUE);
}

/**
 * clip_store_heed:
 * @cancellable: (nullable): of what begins now on a thread
 * @stops: (atomic): becomes true when that is cancelled, or the store closes
 *
 * Returns: to be disconnected from @cancellable before the next begins
 */
gulong
clip_store_heed (ClipStore *self, GCancellable *cancellable, gint *stops)
{
  g_atomic_int_set (stops, FALSE);
  if (g_atomic_int_get (&self->stops))
    g_atomic_int_set (stops, TRUE);
  return cancellable
             ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), stops, NULL)
             : 0;
}
