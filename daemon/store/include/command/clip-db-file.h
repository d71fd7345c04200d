/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* The file at db-path: where the existing tool has its database, shells watch for
 * changes, and scripts remove it to clear the history. Ours says no more than that there
 * is one. */
#define CLIP_DB_FILE_MAGIC "# cliphist 1: "

typedef enum
{
  CLIP_DB_FILE_ABSENT,
  CLIP_DB_FILE_OURS,
  CLIP_DB_FILE_BOLT,   /* a database of the existing tool */
  CLIP_DB_FILE_FOREIGN /* something else, or not for us to look at: leave it alone */
} ClipDbFileKind;

/* of the databases that were taken over: a script may put one there again and again */
#define CLIP_DB_FILE_MOST_KEPT 100

/* under which the history notes where its file stood, as clip_db_file_folder() says it */
#define CLIP_DB_FILE_NOTE "db-file-in"

ClipDbFileKind clip_db_file_open (const char *path, int flags, int *out_fd);
gboolean clip_db_file_is_absent (const char *path);
gboolean clip_db_file_tells_nothing (const char *path);
char *clip_db_file_folder (const char *path);
gboolean clip_db_file_was_removed (const char *path, const char *noted);
char *clip_db_file_kept_name (const char *path, guint n);
GPtrArray *clip_db_file_list_kept (const char *path);
gboolean clip_db_file_sync_folder (const char *path, GError **error);

G_END_DECLS
