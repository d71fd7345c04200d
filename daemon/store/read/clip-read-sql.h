/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* the newest schema that this program knows; the steps to it are in ../schema/ */
#define CLIP_SCHEMA_VERSION 1

/* The statements of the reading half. */
typedef enum
{
  CLIP_READ_SET_CACHE,
  CLIP_READ_SET_PRIVATE,
  CLIP_READ_VERSION,
  CLIP_READ_MIN_READER,
  CLIP_READ_TOTALS,
  CLIP_READ_NEWEST,
  CLIP_READ_NAME,
  CLIP_READ_NAME_ID,
  CLIP_READ_PAGE,
  CLIP_READ_PAGE_KIND,
  CLIP_READ_PAGE_PINNED,
  CLIP_READ_PAGE_TAG,
  CLIP_READ_TEXT_PAGE,
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
  CLIP_READ_NOTES,
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
  CLIP_COLUMN_BLOB, /* from here on: of a page whose text is searched */
  CLIP_COLUMN_BODY,
};

extern const char *const clip_reads[CLIP_N_READS];

G_END_DECLS
