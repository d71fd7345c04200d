/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-draft.h"
#include "clip-entry.h"
#include "clip-stage.h"
G_BEGIN_DECLS

/* one content of an entry to be */
typedef struct
{
  char *mime;
  gint64 size;
  ClipStage *stage; /* NULL where there have been bytes from the start */
  GBytes *bytes;    /* once prepared; NULL where the file of the stage is the blob */
  char *type;       /* once prepared: the one for all names of its type, lower case */
} ClipDraftPart;

struct ClipDraft
{
  char *origin;
  gint64 first_us;
  gint64 last_us;
  GPtrArray *parts; /* ClipDraftPart */
  gboolean guessed; /* nobody has named the type of the primary content */
  gboolean initial; /* nothing changes where an entry holds all of it */
  gint64 begun_us;  /* monotonic: since when it has been coming */
  gint64 replaces;  /* the id of an entry that goes; 0 = none does */

  ClipClass kind; /* from here on: once prepared */
  char *preview;
  gboolean begins; /* the primary content begins with the preview */
  gint64 hash;     /* of the primary content, short */
};

gboolean clip_draft_has_blobs (const ClipDraft *self);
gboolean clip_draft_prepare (ClipDraft *self, GError **error);
gint64 clip_draft_bytes (const ClipDraft *self);

G_END_DECLS
