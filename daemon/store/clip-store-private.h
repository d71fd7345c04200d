/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipStore, for the files that it is made of: clip-store opens,
 * announces and closes it, clip-store-* are its calls, a file for each kind. */
#pragma once
#include "clip-folder-watch.h"
#include "clip-readers.h"
#include "clip-store-signals.h"
#include "clip-store.h"
#include "clip-writer.h"
G_BEGIN_DECLS

struct _ClipStore
{
  GObject parent_instance;
  char *dir;
  gboolean was_in_use; /* by another process, when this one opened it */
  ClipBlobs *blobs;
  ClipWriter *writer; /* NULL = closed */
  ClipReaders *readers;
  ClipFolderWatch *watch;    /* (nullable): of the database, and of the file at db-path */
  ClipFolderWatch *db_watch; /* (nullable) */
  GSource *db_timer;         /* (nullable): that file was removed a moment ago */
  GSource *announcer;
  GThread *sweeper;
  GThreadPool *workers; /* what takes long */
  gint stops;           /* atomic: the sweeper is to end, and so is every list */
  gint check_stops;     /* atomic: and the check under way */
  gint files_stop;      /* atomic: and the search over files */

  GMutex mutex;
  ClipTotals totals; /* from here on guarded by mutex */
  gint64 newest;
  gint64 next_expiry_us;
  gboolean watch_is_old;    /* its folder is another one by now */
  gboolean db_watch_is_old; /* likewise */
  GHashTable *notes;
  GPtrArray *pending; /* ClipStoreSignal: to be announced */
};

GTask *clip_store_new_task (ClipStore *self,
                            gpointer tag,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
void clip_store_refuse (GTask *task_take);
gulong clip_store_heed (ClipStore *self, GCancellable *cancellable, gint *stops);
void clip_store_announce (ClipStore *self, ClipStoreSignalKind kind, gint64 n);
void clip_store_watch_db_file (ClipStore *self);
void clip_store_heed_db_file (ClipStore *self);
void clip_store_unwatch_db_file (ClipStore *self);
void clip_store_work (gpointer data, gpointer user_data);

G_END_DECLS
