/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the writer tells: what its own commits did, what other processes have written
 * meanwhile, and that a history is gone. It is said once for each commit, before the jobs
 * of that commit are told.
 */
#define G_LOG_DOMAIN "clip-store"
#include "clip-watch.h"
#include "clip-writer-private.h"

/* what this process and others have written since it was told last; where that cannot be
 * said now, it is said with what comes next */
void
clip_writer_tell (ClipWriter *self)
{
  g_autoptr (GArray) events = g_array_copy (self->ledger->events);
  g_autoptr (GError) error = NULL;
  ClipNews news = { .events = events,
                    .is_new_history = self->is_new,
                    .is_new_db_file = self->is_new_db_file };

  if (self->ledger->journals && events->len > 0)
    clip_watch_touch (self->dir);
  g_array_set_size (self->ledger->events, 0);
  if (!clip_ledger_begin_look (self->ledger, &error) ||
      !clip_ledger_look (self->ledger, events, &news.newest, &error) ||
      clip_database_number (self->ledger->database, CLIP_SQL_NEXT_EXPIRY,
                            &news.next_expiry_us, &error, "") == CLIP_ROWS_FAILED)
    {
      g_warning ("history cannot be looked at: %s", error->message);
      clip_ledger_end_look (self->ledger);
      g_array_append_vals (self->untold, events->data, events->len);
      return;
    }
  news.sums = self->ledger->sums;
  self->is_new = self->is_new_db_file = FALSE;
  g_array_insert_vals (events, 0, self->untold->data, self->untold->len);
  g_array_set_size (self->untold, 0);
  if (self->on_news)
    {
      news.reader = clip_ledger_reader (self->ledger);
      self->on_news (&news, self->user_data);
    }
  clip_ledger_end_look (self->ledger);
}

/* @events: (inout): gets one for each entry that is not in @successor.
 * @successor: (nullable): NULL = for all of them */
void
clip_writer_list_gone (ClipWriter *self, ClipDatabase *successor, GArray *events)
{
  g_autoptr (GError) error = NULL;

  if (!clip_ledger_list_gone (self->ledger, successor, events, &error))
    g_warning ("not all that was removed is announced: %s", error->message);
}

/* that every entry is gone: all of it can be read as long as it is open */
void
clip_writer_tell_gone (ClipWriter *self)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  ClipNews news = { .events = events };

  if (self->gone || clip_place_has_database (self->place))
    return;
  self->gone = TRUE;
  clip_writer_list_gone (self, NULL, events);
  if (self->on_news)
    self->on_news (&news, self->user_data);
}
