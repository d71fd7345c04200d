/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The inside of a ClipChange, for the clip-change-* that are its kinds, and for the
 * writer. */
#pragma once
#include "clip-aside.h"
#include "clip-blob-file.h"
#include "clip-change.h"
#include "clip-report.h"
#include "clip-transaction.h"
G_BEGIN_DECLS

/* how far a change has come */
typedef enum
{
  CLIP_CHANGE_FAILED,
  CLIP_CHANGE_DONE,
  CLIP_CHANGE_MORE,  /* this much is to be committed; called again, it goes on */
  CLIP_CHANGE_AGAIN, /* nothing was done: prepare it again */
} ClipChangeStep;

/* what sets a kind of change apart */
typedef struct
{
  const char *name;
  gboolean is_asked_for; /* of entries, so that the file at db-path tells of it */
  gboolean is_note;      /* it does not wait for what that file asks for */
  gboolean gives_room;   /* it may take what is kept for deleting meanwhile */
  gboolean yields;       /* a transaction for itself, and others come between its steps */
  gboolean empties_log;  /* what it gives back shows once the log is carried over */
  gsize bytes;           /* of its struct, which begins with a ClipChange */

  /* within a transaction */
  ClipChangeStep (*run) (ClipChange *change,
                         ClipTransaction *transaction,
                         GError **error);
  /* (nullable): what can be done outside of one; may be called again */
  gboolean (*prepare) (ClipChange *change, GError **error);
  void (*clear) (ClipChange *change); /* (nullable) */
} ClipChangeKind;

/* what a lost transaction takes back */
typedef struct
{
  ClipOutcome outcome;
  gboolean is_weighed;
  ClipLimits limits; /* that are to be obeyed, once weighed */
  gint64 room_bytes; /* what is yet to go for want of room */
  gboolean has_room; /* that has gone, or is not to */
  gboolean is_even;  /* what went for other limits is committed */
  guint n_done;      /* of many */
} ClipChangeProgress;

struct ClipChange
{
  const ClipChangeKind *kind;
  void (*done) (ClipChange *change); /* (nullable): once, on the writer's thread, which
                                      * frees it behind that */
  gpointer user_data;
  GError *error; /* NULL: it is done, for good */
  ClipChangeProgress now;
  ClipChangeProgress kept;  /* as of the last commit */
  ClipChangeProgress begun; /* before anything was done */

  gboolean gives_room; /* the step that is under way does */
  gboolean yields;     /* others come before the next step */
  gboolean is_slow;    /* it is prepared beside the writer */
  gboolean prepared;
  gboolean ready;  /* guarded by the writer's mutex: nothing else works on it */
  guint n_retries; /* with room that was kept for it */
};

/* those that the room asks for itself */
ClipChange *clip_change_delete_matching (GBytes *needle, GHashTable *blobs_take);
ClipChange *clip_change_sweep (char **names_take);
ClipChange *clip_change_return_pages (const gint *stops);
ClipChange *clip_change_note_blob (gint64 blob, const ClipBlobState *state);
ClipChange *clip_change_repair (ClipAside *aside, const ClipFinding *finding);

gpointer clip_change_new (const ClipChangeKind *kind);
gboolean clip_change_prepare (ClipChange *self, GError **error);
void clip_change_keep (ClipChange *self);
void clip_change_revert (ClipChange *self);
void clip_change_restart (ClipChange *self);
GHashTable *clip_change_search_blobs (int blobs_fd, GBytes *needle, const gint *stops);

G_END_DECLS
