/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "hoard.h"

#include <sqlite3.h>
G_BEGIN_DECLS

/* A history whose texts are known, so that every search of it can be compared with
 * looking at all of them. */
typedef struct
{
  Hoard *hoard;
  GPtrArray *texts; /* of entry 1 and on; NULL = deleted */
} Shelf;

Shelf *shelf_new (guint n, ClipStoreFlags flags);
void shelf_free (Shelf *self);
void shelf_add (Shelf *shelf, const char *text);
void shelf_delete (Shelf *shelf, gint64 id);
void shelf_insert_texts (const char *dir, GPtrArray *texts, guint n);
void shelf_wait_overwritten (ClipStore *store);

sqlite3 *shelf_open_database (const char *dir);
gint64 shelf_get_number (const char *dir, const char *sql);
guint32 shelf_next_number (guint32 *state);

gboolean shelf_append_id (const ClipRow *row, gpointer user_data);
char *shelf_search (const char *dir, ClipQuery query);
void shelf_check_search (const char *dir,
                         const GPtrArray *texts,
                         const char *first,
                         const char *second,
                         const char *regex);
void shelf_check (Shelf *shelf);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shelf, shelf_free)

G_END_DECLS
