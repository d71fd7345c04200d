/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blob-file.h"
#include "clip-change-repair.h"
#include "clip-job.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_JOB_ADD,
  CLIP_JOB_DELETE,
  CLIP_JOB_DELETE_MATCHING,
  CLIP_JOB_DELETE_NEWEST,
  CLIP_JOB_WIPE,
  CLIP_JOB_TRIM,
  CLIP_JOB_MOVE,
  CLIP_JOB_PIN,
  CLIP_JOB_EXPIRE_AT,
  CLIP_JOB_TAG,
  CLIP_JOB_NOTHING,
  CLIP_JOB_NOTE,
  CLIP_JOB_SWEEP,
  CLIP_JOB_RETURN_PAGES,
  CLIP_JOB_IMPORT,
  CLIP_JOB_NOTE_BLOB,
  CLIP_JOB_REPAIR,
} ClipJobKind;

typedef void (*ClipJobFunc) (ClipJob *job);

/* One change: what is asked for, each kind by data of its own, and what came of it. */
struct ClipJob
{
  ClipJobKind kind;
  union
  {
    struct
    {
      ClipDraft *draft;
      ClipLimits limits;
    } add;
    struct
    {
      GArray *ids; /* gint64 */
    } delete;
    struct
    {
      GBytes *needle;
      GHashTable *verdicts; /* of clip_change_search_blobs() */
    } delete_matching;
    struct
    {
      gint64 since_us; /* 0 = everything */
      gboolean pinned_too;
    } wipe;
    struct
    {
      ClipLimits limits;
      gboolean pretends; /* only says what it would remove */
    } trim;
    struct
    {
      gint64 id;
    } move;
    struct
    {
      gint64 id;
      gboolean pinned;
    } pin;
    struct
    {
      gint64 id;
      gint64 expires_us; /* 0 = never */
    } expire;
    struct
    {
      gint64 id;
      char **tags;
    } tag;
    struct
    {
      char *key;
      char *value; /* (nullable): it is forgotten */
    } note;
    struct
    {
      char **blobs; /* names of files that a row may refer to, or not */
    } sweep;
    struct
    {
      gint64 n_before; /* how many were unused when it was asked for */
    } return_pages;
    struct
    {
      ClipBatch *batch; /* borrowed */
      ClipLimits limits;
    } import;
    struct
    {
      gint64 id;
      ClipBlobState state; /* in which its bytes are known to be right */
    } note_blob;
    struct
    {
      const ClipFinding *finding; /* (nullable): borrowed, as is what it leaves */
      ClipAside *aside;
    } repair;
  };

  ClipJobFunc done; /* called once, on the writer's thread; the job is freed after it */
  gpointer user_data;

  ClipAdded added;
  ClipTrimmed trimmed;
  gint64 n;
  GError *error; /* NULL: it is done, for good */

  ClipAdded added_before; /* the writer's, from here on: as of the last commit */
  ClipTrimmed trimmed_before;
  gint64 n_before;
  guint n_retries;  /* with room that was kept for it */
  gboolean weighed; /* the limits are those that are to be obeyed */
  gboolean prepared;
  gboolean ready; /* guarded by the writer's mutex: nothing else works on it */
};

ClipJob *clip_job_new (ClipJobKind kind, ClipJobFunc done, gpointer user_data);
gboolean clip_job_gives_room (const ClipJob *self);
gboolean clip_job_is_slow (const ClipJob *self);
gboolean clip_job_prepare (ClipJob *self, GError **error);
ClipChangeStep clip_job_run (ClipJob *self, ClipLedger *ledger, GError **error);
void clip_job_keep (ClipJob *self);
void clip_job_revert (ClipJob *self);
void clip_job_settle (ClipJob *self);
void clip_job_restart (ClipJob *self);

/* queues of ClipJob */
void clip_jobs_fail (GQueue *self, const GError *error);
void clip_jobs_move (GQueue *from, GQueue *to);
void clip_jobs_restart (GQueue *self);
gboolean clip_jobs_are_notes (const GQueue *self);
gboolean clip_jobs_have_change (const GQueue *self);

G_END_DECLS
