/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-store.h"

#include <sqlite3.h>
G_BEGIN_DECLS

/* A history in a folder of its own, and calls that wait for their answer. What fails
 * without an error to put it in ends the test. */
typedef struct
{
  char *dir;
  ClipStore *store;
} Hoard;

Hoard *hoard_new (ClipStoreFlags flags);
void hoard_free (Hoard *self);
void hoard_reopen (Hoard *self, ClipStoreFlags flags);
char *hoard_make_dir (void);
void hoard_remove_dir (const char *dir);

char *hoard_make_bytes (gsize length, guint32 seed);
ClipStage *hoard_stage (ClipStore *store, const void *data, gsize length);
ClipStage *hoard_stage_of (ClipStore *store, gsize length, guint32 seed);
ClipDraft *hoard_draft (ClipStore *store, ...) G_GNUC_NULL_TERMINATED;
gboolean hoard_try_add (ClipStore *store,
                        ClipDraft *draft_take,
                        const ClipLimits *limits,
                        ClipOutcome *out_added,
                        GError **error);
ClipOutcome hoard_add (ClipStore *store, ClipDraft *draft_take, const ClipLimits *limits);
gint64 hoard_add_text (ClipStore *store, const char *text);
gint64 hoard_add_blob (ClipStore *store, gsize length, guint32 seed);

#define HOARD_WORD_BYTES 100

void hoard_fill (Hoard *self, guint n);
char *hoard_word (gint64 id);
gboolean hoard_is_being_read (Hoard *self);
void hoard_exec (sqlite3 *db, const char *sql);
char *hoard_find_blob (const char *dir);
int hoard_run_sql (const char *dir, const char *sql);

/* runs the main context until the callback that it is given to was called */
typedef struct
{
  GAsyncResult *result;
} Answer;

void on_answer (GObject *source, GAsyncResult *result, gpointer user_data);
GAsyncResult *answer_wait (Answer *self);
gint64 hoard_wait_n (ClipStore *store, Answer *answer, GError **error);
gint64 hoard_delete (ClipStore *store, gint64 id);
gint64 hoard_wipe (ClipStore *store, gboolean pinned_too, gint64 since_us);
ClipOutcome hoard_trim (ClipStore *store, ClipLimits limits, gboolean pretends);
gint64 hoard_pin (ClipStore *store, gint64 id, gboolean pinned);

ClipEntry *hoard_lookup (ClipStore *store, gint64 id, GError **error);
GBytes *hoard_bytes (ClipStore *store, gint64 id, const char *mime, GError **error);
char *hoard_list (ClipStore *store);
guint hoard_count_files (const char *dir, const char *below);
gboolean hoard_holds (const char *dir, const char *needle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Hoard, hoard_free)

G_END_DECLS
