/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-reader-private.h"
G_BEGIN_DECLS

/* A page that is being read. */
typedef struct
{
  ClipReader *reader;
  ClipQuery *query;
  ClipRowFunc function;
  gpointer user_data;
  gboolean searches;
  gboolean brief; /* nothing is asked of a row but that it is there */
  const void *text;
  gsize length;
  gint64 tag;         /* name.id */
  ClipLeaves *leaves; /* NULL = every row is asked of SQLite */
  ClipDeadline deadline;
  gboolean has_age; /* the deadline leaves out what is too old */
  gint64 n_rows;
  gint64 n_scanned;
  gsize preview_bytes;
  gsize scanned_bytes;
  gboolean stopped;
} ClipPage;

gboolean clip_page_look (ClipPage *page, sqlite3_stmt *rows, gint64 id, GError **error);
gboolean clip_page_look_at_leaf (ClipPage *page, const ClipLeafRow *leaf, GError **error);

G_END_DECLS
