/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-file-id.h"
#include "clip-hash.h"
#include "clip-match.h"
#include "clip-read-sql.h"
#include "clip-reader.h"
#include "clip-statements.h"
G_BEGIN_DECLS

/* names already looked up; a number always stands for the same one, so nothing goes stale
 */
#define CLIP_N_NAMES 64

typedef struct
{
  gint64 id;
  char *text;
} ClipName;

struct ClipReader
{
  char *dir;
  char *path;    /* of the database */
  ClipFileId id; /* of that, when it was opened */
  int blobs_fd;  /* opened when the first blob is */
  ClipStatements *database;
  gboolean is_newer;
  ClipName mimes[CLIP_N_NAMES];
  ClipName origins[CLIP_N_NAMES];
  gint64 max_age_us;  /* that the history obeys; 0 = none */
  gint64 age_read_us; /* when that was looked up */
  gboolean is_wiped;  /* but for pinned entries, as soon as something writes to it */
  ClipMatch *match;   /* of the query that goes on */
  GByteArray *buffer; /* a text that lies in two columns, or in a file */
};

/* as of when an entry has to be there still */
typedef struct
{
  gint64 now_us;
  gint64 old_us; /* what was last copied by then is too old */
} ClipMoment;

/* what the sum of a content is of, beside its bytes */
typedef struct
{
  gint64 id;
  gint64 position;
  const char *mime;
  gint64 size;
} ClipSummed;

gboolean clip_totals_read (ClipStatements *database,
                           guint statement,
                           ClipTotals *out_totals,
                           GError **error);
gboolean clip_reader_has_log (const char *path);
ClipMoment clip_reader_moment (ClipReader *self);
const char *clip_reader_mime (ClipReader *self,
                              sqlite3_stmt *rows,
                              int column,
                              GError **error);
const char *clip_reader_origin (ClipReader *self, sqlite3_stmt *rows, GError **error);
gboolean clip_reader_set_disorder (const ClipReader *self, GError **error);
void clip_reader_fill_preview (sqlite3_stmt *rows, int column, ClipRow *row);
gboolean clip_reader_fill_row (ClipReader *self,
                               sqlite3_stmt *rows,
                               ClipRow *row,
                               GError **error);
int clip_reader_blobs (ClipReader *self);
int clip_reader_open_blob (ClipReader *self, gint64 blob, gint64 size, GError **error);
gboolean clip_reader_open_file (ClipReader *self,
                                gint64 blob,
                                ClipPayload *payload,
                                ClipHash *out_hash,
                                GError **error);
gboolean clip_reader_check_sum (sqlite3_stmt *rows,
                                int column,
                                const ClipSummed *content,
                                const void *data,
                                gsize length,
                                GError **error);

G_END_DECLS
