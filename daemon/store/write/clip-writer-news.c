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
  g_autoptr (GArray) events = g_array_copy (clip_ledger_events (self->ledger));
  g_autoptr (GError) error = NULL;
  ClipNews news = { .events = events,
                    .is_new_history = self->is_new,
                    .is_new_db_file = self->is_new_db_file };

  if (clip_ledger_journals (self->ledger) && events->len > 0)
    clip_watch_touch (self->dir);
  g_array_set_size (clip_ledger_events (self->ledger), 0);
  if (!clip_ledger_begin_look (self->ledger, &error) ||
      !clip_ledger_look (self->ledger, events, &news.newest, &error) ||
      clip_database_number (clip_ledger_database (self->ledger), CLIP_SQL_NEXT_EXPIRY,
                            &news.next_expiry_us, &error, "") == CLIP_ROWS_FAILED)
    {
      g_warning ("history cannot be looked at: %s", error->message);
      clip_ledger_end_look (self->ledger);
      g_array_append_vals (self->untold, events->data, events->len);
      return;
    }
  news.sums = *clip_ledger_sums (self->ledger);
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

/* that every entry is gone */
void
clip_writer_tell_gone (ClipWriter *self)
{
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (ClipEvent));
  const ClipEvent many = { CLIP_EVENT_REMOVED, CLIP_EVENT_MANY, 0 };
  ClipNews news = { .events = events };

  if (self->gone || clip_store_folder_has_database (self->place))
    return;
  self->gone = TRUE;
  g_array_append_val (events, many);
  if (self->on_news)
    self->on_news (&news, self->user_data);
}
