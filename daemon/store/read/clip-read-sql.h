/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* the newest schema that this program knows; the steps to it are in ../schema/ */
#define CLIP_SCHEMA_VERSION 3

/* from which on there is an index to search by */
#define CLIP_SCHEMA_WITH_INDEX 2

/* from which on rows carry sums */
#define CLIP_SCHEMA_WITH_SUMS 3

/* The statements of the reading half. */
typedef enum
{
  CLIP_READ_SET_CACHE,
  CLIP_READ_SET_PRIVATE,
  CLIP_READ_BEGIN,
  CLIP_READ_END,
  CLIP_READ_VERSION,
  CLIP_READ_MIN_READER,
  CLIP_READ_TOTALS,
  CLIP_READ_NEWEST,
  CLIP_READ_IS_OVERDUE,
  CLIP_READ_OLDEST,
  CLIP_READ_MAX_AGE,
  CLIP_READ_NAME,
  CLIP_READ_NAME_ID,
  CLIP_READ_BRIEF_PAGE,
  CLIP_READ_PAGE,
  CLIP_READ_PAGE_KIND,
  CLIP_READ_PAGE_PINNED,
  CLIP_READ_PAGE_TAG,
  CLIP_READ_TEXT_STRETCH,
  CLIP_READ_TEXT_PAGE_KIND,
  CLIP_READ_TEXT_PAGE_PINNED,
  CLIP_READ_TEXT_PAGE_TAG,
  CLIP_READ_ENTRY,
  CLIP_READ_HAS_TAG,
  CLIP_READ_TAGS,
  CLIP_READ_EXTRAS,
  CLIP_READ_EXTRA_MIMES,
  CLIP_READ_PRIMARY_BYTES,
  CLIP_READ_EXTRA_BYTES,
  CLIP_READ_BLOB,
  CLIP_READ_BLOB_SIZE,
  CLIP_READ_EXPORT,
  CLIP_READ_EXPORT_EXTRAS,
  CLIP_READ_BLOB_HASH,
  CLIP_READ_NOTES,
  CLIP_READ_TEXTS,
  CLIP_READ_SEGMENT, /* from here on: where there is an index */
  CLIP_READ_POSTINGS,
  CLIP_READ_IS_STALE,
  CLIP_READ_SUMMED_PRIMARY, /* from here on: where rows have sums */
  CLIP_READ_SUMMED_EXTRA,
  CLIP_READ_CHECKED_BLOB,
  CLIP_N_READS,
} ClipRead;

/* the columns of a row, in the order of the statements that select one */
enum
{
  CLIP_COLUMN_ID,
  CLIP_COLUMN_LAST_US,
  CLIP_COLUMN_FIRST_US,
  CLIP_COLUMN_COPIES,
  CLIP_COLUMN_EXPIRES_US,
  CLIP_COLUMN_PINNED,
  CLIP_COLUMN_KIND,
  CLIP_COLUMN_EXTRAS,
  CLIP_COLUMN_SIZE,
  CLIP_COLUMN_MIME,
  CLIP_COLUMN_ORIGIN,
  CLIP_COLUMN_PREVIEW,
  CLIP_COLUMN_BLOB, /* these two only of what is exported */
  CLIP_COLUMN_BODY,
};

/* the columns of a row whose text is searched; the first two are those of a brief page */
enum
{
  CLIP_TEXT_ID,
  CLIP_TEXT_PREVIEW,
  CLIP_TEXT_REST, /* INTEGER: blob.id; BLOB: the body; NULL: neither */
};

extern const char *const clip_reads[CLIP_N_READS];

G_END_DECLS
