/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* A connection and the statements of one table, each prepared when it is first used. One
 * thread at a time. */
typedef struct ClipStatements ClipStatements;

/* what clip_statements_next() says */
typedef enum
{
  CLIP_ROWS_FAILED = -1,
  CLIP_ROWS_END = 0,
  CLIP_ROWS_ROW = 1,
} ClipRows;

/* rows that are reset at the end of their scope: no read stays open by accident */
#define clip_autorows __attribute__ ((cleanup (clip_rows_clear)))

ClipStatements *clip_statements_new (sqlite3 *db_take,
                                     const char *const *texts,
                                     guint n_texts);
ClipStatements *clip_statements_new_guest (ClipStatements *host,
                                           const char *const *texts,
                                           guint n_texts);
void clip_statements_free (ClipStatements *self);
sqlite3 *clip_statements_handle (const ClipStatements *self);
void clip_statements_heed (ClipStatements *self, const gint *stops);

sqlite3_stmt *clip_statements_query (ClipStatements *self,
                                     guint statement,
                                     GError **error,
                                     const char *types,
                                     ...);
ClipRows clip_statements_next (ClipStatements *self, sqlite3_stmt *rows, GError **error);
gboolean clip_statements_run (ClipStatements *self,
                              guint statement,
                              GError **error,
                              const char *types,
                              ...);
ClipRows clip_statements_number (ClipStatements *self,
                                 guint statement,
                                 gint64 *out_number,
                                 GError **error,
                                 const char *types,
                                 ...);
gboolean clip_statements_check_tables (ClipStatements *self,
                                       guint statement,
                                       GError **error);
gboolean clip_statements_check_numbers (ClipStatements *self,
                                        guint used_up,
                                        GError **error);
gboolean clip_statements_check_mark (ClipStatements *self,
                                     guint own_tables,
                                     guint get_version,
                                     gint64 *version,
                                     GError **error);

void clip_rows_clear (sqlite3_stmt **rows);
void clip_value_append (GByteArray *bytes, sqlite3_value *value);
gboolean clip_statements_set_error (sqlite3 *db, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipStatements, clip_statements_free)

G_END_DECLS
