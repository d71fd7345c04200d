/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* A connection and the statements of one table, each prepared when it is first used. One
 * thread at a time. */
typedef struct ClipDatabase ClipDatabase;

/* what clip_database_next() says */
typedef enum
{
  CLIP_ROWS_FAILED = -1,
  CLIP_ROWS_END = 0,
  CLIP_ROWS_ROW = 1,
} ClipRows;

/* rows that are reset at the end of their scope: no read stays open by accident */
#define clip_autorows __attribute__ ((cleanup (clip_rows_clear)))

ClipDatabase *clip_database_new (sqlite3 *db_take,
                                 const char *const *texts,
                                 guint n_texts);
ClipDatabase *clip_database_new_guest (ClipDatabase *host,
                                       const char *const *texts,
                                       guint n_texts);
void clip_database_free (ClipDatabase *self);
sqlite3 *clip_database_handle (const ClipDatabase *self);

sqlite3_stmt *clip_database_query (ClipDatabase *self,
                                   guint statement,
                                   GError **error,
                                   const char *types,
                                   ...);
ClipRows clip_database_next (ClipDatabase *self, sqlite3_stmt *rows, GError **error);
gboolean clip_database_run (ClipDatabase *self,
                            guint statement,
                            GError **error,
                            const char *types,
                            ...);
ClipRows clip_database_number (ClipDatabase *self,
                               guint statement,
                               gint64 *out_number,
                               GError **error,
                               const char *types,
                               ...);

void clip_rows_clear (sqlite3_stmt **rows);
gboolean clip_database_set_error (sqlite3 *db, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipDatabase, clip_database_free)

G_END_DECLS
