/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-checkpoint.h"
#include "clip-db-keeper.h"
#include "clip-store-folder.h"
#include "clip-writer.h"
G_BEGIN_DECLS

struct ClipWriter
{
  char *dir;
  ClipStoreFolder *place;  /* the thread's */
  gboolean gone;           /* the thread's: it is not there any more, which was told */
  gboolean is_new;         /* the thread's: there is another, which was not told */
  GArray *untold;          /* the thread's: ClipEvent: what was not told before */
  gboolean is_new_db_file; /* the thread's: likewise */
  ClipLedger *ledger;      /* the thread's */
  ClipDbKeeper *keeper;
  ClipCheckpoint checkpoint; /* the thread's */
  GThreadPool *sealers;
  ClipNewsFunc on_news;
  gpointer user_data;
  int log_pages;      /* the thread's */
  gboolean returning; /* the thread's: a job that gives pages back is queued */
  GThread *thread;
  GMutex mutex;
  GCond changed;
  GQueue jobs;    /* from here on guarded by mutex */
  gboolean looks; /* for what others wrote */
  gboolean closing;
};

/* all of these on the writer's thread */
void clip_writer_tell (ClipWriter *self);
void clip_writer_tell_gone (ClipWriter *self);

void clip_writer_watch_log (ClipWriter *self, ClipDatabase *database);
void clip_writer_note_checkpoint (ClipWriter *self);
gboolean clip_writer_look_for_place (ClipWriter *self);
gboolean clip_writer_commit (ClipWriter *self,
                             GQueue *batch,
                             GQueue *through,
                             GArray *fds);
void clip_writer_follow_up (ClipWriter *self, gboolean publishes, GArray *fds);

G_END_DECLS
