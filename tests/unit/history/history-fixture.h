/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-backend-fake.h"
#include "clip-history.h"
#include "wait-until.h"
G_BEGIN_DECLS

/* A history with a store in a folder of its own and a display that the test plays. */
typedef struct
{
  char *dir;
  ClipStore *store;
  ClipSettings *settings;
  ClipHistory *history;
  ClipBackendFake *display;
  int last_drop;
  guint n_drops;
  guint n_added;
  guint n_moved;
  guint n_stalled; /* copies that their program did not hand over */
} HistoryFixture;

void history_fixture_setup (HistoryFixture *self, gconstpointer data);
void history_fixture_teardown (HistoryFixture *self, gconstpointer data);
void history_fixture_open (HistoryFixture *self);
void history_fixture_close (HistoryFixture *self);
ClipBackendFake *history_fixture_put_bridge (HistoryFixture *self);

ClipEntry *history_fixture_lookup (HistoryFixture *self, gint64 id, GError **error);
char *history_fixture_text (HistoryFixture *self, gint64 id, const char *mime);
gint64 history_fixture_count (HistoryFixture *self);
void keep_result (GObject *source, GAsyncResult *result, gpointer user_data);

G_END_DECLS
