/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipStore, for the files that it is made of: clip-store opens,
 * announces and closes it, clip-store-* are its calls, a file for each kind. */
#pragma once
#include "clip-readers.h"
#include "clip-store.h"
#include "clip-watch.h"
#include "clip-writer.h"
G_BEGIN_DECLS

struct _ClipStore
{
  GObject parent_instance;
  char *dir;
  ClipBlobs *blobs;
  ClipWriter *writer; /* NULL = closed */
  ClipReaders *readers;
  ClipWatch *watch;
  ClipWatch *db_watch;     /* (nullable): of the file at db-path */
  GSource *db_timer;       /* (nullable): it was removed a moment ago */
  ClipReader *news_reader; /* the writer's thread's */
  GSource *announcer;
  GThread *sweeper;
  GThreadPool *workers; /* what takes long */
  gint stops;           /* atomic: the sweeper is to end, and so is every list */
  gint was_repaired;    /* atomic: to be announced */
  guint n_pushed_out;   /* likewise */
  gint took_old;        /* atomic: to be announced */

  GMutex mutex;
  ClipTotals totals; /* from here on guarded by mutex */
  gint64 newest;
  gint64 next_expiry_us;
  gboolean expiry_changed; /* to be announced */
  gboolean notes_changed;  /* likewise */
  gboolean watches_old;    /* the folder is another one by now */
  gboolean db_watches_old; /* that of the file at db-path, likewise */
  GHashTable *notes;
  GPtrArray *notices; /* ClipNotice: to be announced */
};

GTask *clip_store_new_task (ClipStore *self,
                            gpointer tag,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
void clip_store_refuse (GTask *task_take);
gboolean clip_store_wait_job (ClipStore *self,
                              ClipJob *job_take,
                              gint64 *out_n,
                              GError **error);
void clip_store_announce_pushed_out (ClipStore *self, gint64 n);
void clip_store_announce_repair (ClipStore *self);
void clip_store_announce_room (ClipStore *self);
void clip_store_watch_db_file (ClipStore *self);
void clip_store_renew_db_watch (ClipStore *self);
void clip_store_unwatch_db_file (ClipStore *self);
void clip_store_work (gpointer data, gpointer user_data);

G_END_DECLS
