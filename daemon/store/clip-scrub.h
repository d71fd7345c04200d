/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include <glib.h>
#include <sqlite3.h>
G_BEGIN_DECLS

/* What rows have left behind in the pages of a database never reaches its file. */
#define CLIP_SCRUB_BITE_PAGES 16

/* whether what was written so far is to be synced */
typedef gboolean (*ClipScrubBiteFunc) (gpointer user_data);

typedef struct
{
  ClipScrubBiteFunc func; /* NULL = all at once */
  gpointer user_data;
} ClipScrubBite;

const char *clip_scrub_vfs (void);
void clip_scrub_set_bite (sqlite3 *db, ClipScrubBiteFunc func, gpointer user_data);
gboolean clip_scrub_page (guint8 *page, gsize size, gboolean is_first);

G_END_DECLS
