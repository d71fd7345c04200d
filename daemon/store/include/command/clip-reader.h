/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once
#include "clip-entry.h"
#include "clip-payload.h"
G_BEGIN_DECLS

/* The reading half of the store: read-only, no GIO, no daemon needed. One thread at a
 * time. */
typedef struct ClipReader ClipReader;
typedef struct ClipStatements ClipStatements;

/* until when nothing is kept, in microseconds since the epoch: a note of the history; -1
 * = until told, 0 = it is */
#define CLIP_NOTE_PAUSED "paused-until"

/* Which entries: everything unset selects all of them, newest first. */
typedef struct
{
  gint64 before;     /* ids below this; 0 = from the newest */
  gint64 after;      /* ids above this; 0 = to the oldest */
  gint64 limit;      /* at most so many; 0 = all */
  gint64 page_rows;  /* at most so many at a time; 0 = as a page has room for */
  char **words;      /* all of them must occur; case is folded as Unicode does, diacritics
                        in a word that has none; data, never patterns */
  const char *regex; /* PCRE2 */
  const char *mime;  /* an entry that holds this type */
  ClipClass kind;    /* 0 = any */
  gboolean pinned;   /* only pinned ones */
  gboolean loose;    /* only those that are not */
  gboolean pinned_first; /* pinned ones, and then the others */
  gint64 loose_before;   /* kept meanwhile: where those begin */
  const char *tag;
  gboolean is_handle; /* the tag names an entry: in no other letters */
  const char *
      program; /* part of the name of the program that it was copied in; case is folded */
  gint64 since_us; /* last copied not before; 0 = any */
  gint64 until_us;
  gboolean brief; /* only id and preview of a row are used, and of a list the class: the
                     rest may be left empty */
  gboolean with_tags; /* rows have their tags */
  gint64
      deadline_us; /* monotonic: a search that is not through by then fails; 0 = none */
  guint turn;      /* how many of the same caller are before it; who has fewer is first */
  guint n_given_up; /* grows: entries that cost too much to be matched with the regex */
} ClipQuery;

/* what a search over D-Bus may take, in microseconds of its own work */
#define CLIP_QUERY_BUDGET_US (2 * G_USEC_PER_SEC)

/* what is true of the history as a whole */
typedef struct
{
  gint64 count; /* entries */
  gint64 bytes; /* of all contents */
  gint64 pinned;
  gint64 pinned_bytes;
  gint64 last_id;     /* that was ever given */
  gint64 first_loose; /* no entry below it is one that is not pinned */
} ClipTotals;

/* FALSE stops. */
typedef gboolean (*ClipRowFunc) (const ClipRow *row, gpointer user_data);

/* A tag, and how many entries have it. */
typedef void (*ClipTagFunc) (const char *tag, gint64 count, gpointer user_data);

gboolean clip_reader_is_in_use (const char *dir);
ClipReader *clip_reader_open (const char *dir, GError **error);
gboolean clip_reader_is_newer (const ClipReader *self);
ClipReader *clip_reader_new_guest (const char *dir, ClipStatements *host);
void clip_reader_free (ClipReader *self);
gboolean clip_reader_is_current (ClipReader *self);
void clip_reader_forget (ClipReader *self);
gboolean clip_reader_heed_db_file (ClipReader *self, const char *path, GError **error);

gboolean clip_reader_page (ClipReader *self,
                           ClipQuery *query,
                           ClipRowFunc function,
                           gpointer user_data,
                           gboolean *out_more,
                           GError **error);
char **clip_reader_list_tags (ClipReader *self, gint64 id, GError **error);
gboolean clip_reader_fill_tags (ClipReader *self, ClipEntry *entry, GError **error);
ClipEntry *clip_reader_lookup (ClipReader *self, gint64 id, GError **error);
ClipPayload *clip_reader_open_content (ClipReader *self,
                                       gint64 id,
                                       const char *mime,
                                       GError **error);
gboolean clip_reader_totals (ClipReader *self, ClipTotals *out_totals, GError **error);
gint64 clip_reader_newest (ClipReader *self, GError **error);
GHashTable *clip_reader_notes (ClipReader *self, GError **error);
gboolean clip_reader_tags (ClipReader *self,
                           ClipTagFunc function,
                           gpointer user_data,
                           GError **error);

void clip_query_set_budget (ClipQuery *self, gint64 us);
void clip_query_init_copy (ClipQuery *self, const ClipQuery *query);
void clip_query_clear (ClipQuery *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ClipReader, clip_reader_free)

G_END_DECLS
