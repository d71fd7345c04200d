/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader.h"
G_BEGIN_DECLS

/* how many of the largest entries are named */
#define CLIP_STATS_LARGEST 5

typedef struct
{
  gint64 entries;
  gint64 bytes; /* of their primary contents */
} ClipStatsSum;

typedef struct
{
  char *mime;
  gint64 contents;
  gint64 bytes;
} ClipStatsType;

typedef struct
{
  char name[sizeof "2025-12-31"]; /* in local time; "?" for a time that is on none */
  ClipStatsSum sum;               /* of what was last copied on it */
} ClipStatsDay;

typedef struct
{
  gint64 id;
  gint64 size; /* of the primary content */
  const char *mime;
} ClipStatsEntry;

/* What a history is made of, in numbers. */
typedef struct
{
  gint64 entries;
  gint64 pinned;
  gint64 contents; /* the further ones, too */
  gint64 bytes;    /* of all contents */
  /* when the entry was last copied for which that is longest ago; 0 = none */
  gint64 oldest_us;
  gint64 newest_us;
  ClipStatsSum classes[CLIP_CLASS_OTHER + 1];
  GPtrArray *types; /* ClipStatsType, the one with most bytes first */
  GArray *days;     /* ClipStatsDay, the last one first, none that is empty */
  GArray *largest;  /* ClipStatsEntry, the largest first */

  gint64 database_bytes; /* on the disk */
  gint64 log_bytes;
  gint64 blobs; /* files */
  gint64 blob_bytes;

  gint64 repeated;       /* copies that made no entry, as there was one */
  gint64 repeated_bytes; /* of these */
  gint64 shared_bytes;   /* of contents that lie in the file of another one */
} ClipStats;

ClipStats *clip_stats_new (ClipReader *reader, GError **error);
ClipStats *clip_stats_new_empty (void);
void clip_stats_free (ClipStats *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStats, clip_stats_free)

G_END_DECLS
