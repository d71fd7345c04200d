/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-blob-file.h"
#include "clip-change-repair.h"
G_BEGIN_DECLS

typedef enum
{
  CLIP_JOB_ADD,
  CLIP_JOB_DELETE,
  CLIP_JOB_DELETE_MATCHING,
  CLIP_JOB_DELETE_NEWEST,
  CLIP_JOB_WIPE,
  CLIP_JOB_TRIM,
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

typedef struct ClipJob ClipJob;
typedef void (*ClipJobFunc) (ClipJob *job);

/* One change: what is asked for, and what came of it. */
struct ClipJob
{
  ClipJobKind kind;
  ClipDraft *draft;
  ClipBatch *batch; /* borrowed */
  ClipLimits limits;
  GArray *ids; /* gint64 */
  GBytes *needle;
  gint64 id;
  gint64 number; /* a time, or a switch */
  gboolean pinned_too;
  gboolean pretends;          /* only says what a trim would remove */
  char *text;                 /* a note's key */
  char **texts;               /* tags; names of files; a note's value */
  ClipBlobState blob;         /* in which its bytes are known to be right */
  const ClipFinding *finding; /* borrowed, as is what it leaves */
  ClipAside *aside;

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
  GHashTable *verdicts;
};

ClipJob *clip_job_new (ClipJobKind kind, ClipJobFunc done, gpointer user_data);
void clip_job_free (ClipJob *self);
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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipJob, clip_job_free)

G_END_DECLS
