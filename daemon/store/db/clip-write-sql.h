/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* The statements of the writer; those that readers use are in clip-read-sql. */
typedef enum
{
#define SQL(name, text) CLIP_SQL_##name,
#include "clip-write-sql.def"
#undef SQL
  CLIP_N_SQL,
} ClipSql;

/* the columns of CLIP_SQL_GET_ENTRY */
enum
{
  CLIP_ENTRY_LAST_US,
  CLIP_ENTRY_FIRST_US,
  CLIP_ENTRY_COPIES,
  CLIP_ENTRY_EXPIRES_US,
  CLIP_ENTRY_PINNED,
  CLIP_ENTRY_EXTRAS,
  CLIP_ENTRY_SIZE,
  CLIP_ENTRY_BLOB,
  CLIP_ENTRY_KIND,
  CLIP_ENTRY_ORIGIN,
  CLIP_ENTRY_MIME,
  CLIP_ENTRY_PREVIEW,
  CLIP_ENTRY_BODY,
};

/* the columns of CLIP_SQL_LIST_CONTENTS */
enum
{
  CLIP_CONTENT_MIME,
  CLIP_CONTENT_SIZE,
  CLIP_CONTENT_BLOB,
  CLIP_CONTENT_BODY,
};

extern const char *const clip_writes[CLIP_N_SQL];

G_END_DECLS
