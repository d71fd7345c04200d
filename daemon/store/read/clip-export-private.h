/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-archive-writer.h"
#include "clip-export.h"
#include "clip-reader-private.h"
G_BEGIN_DECLS

/* a content that is a member of its own */
typedef struct
{
  GBytes *bytes; /* or */
  int fd;
  gint64 size;
} ClipExportFile;

struct ClipExport
{
  ClipExportFilter filter;
  ClipArchiveWriter *writer;
  GString *buffer;
  GByteArray *content;
  GPtrArray *files; /* ClipExportFile: of the last entry that was gathered */
  guint next_file;
  gint64 next_id;
  guint next_of_ids;
  gint64 padded; /* the size of the file that was handed out, whose padding is due; -1 */
  gint64 gathered;
  gint64 doubtful; /* the id of an entry that looked damaged once; 0 = none */
  GArray *left_out;
  gboolean has_begun;
  gboolean has_gathered_all;
  gboolean has_ended;
};

gboolean clip_export_add_entry (ClipExport *self,
                                ClipReader *reader,
                                sqlite3_stmt *rows,
                                GError **error);

G_END_DECLS
