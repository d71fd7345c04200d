/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-news.h"

void
clip_notice_free (ClipNotice *self)
{
  clip_entry_free (self->entry);
  g_clear_pointer (&self->removed, g_array_unref);
  g_free (self);
}

static ClipNotice *
append_notice (GPtrArray *notices, const ClipEvent *event)
{
  ClipNotice *notice = g_new0 (ClipNotice, 1);

  notice->kind = event->kind;
  notice->id = event->id;
  notice->was = event->was;
  g_ptr_array_add (notices, notice);
  return notice;
}

static gboolean
takes_one_more (const ClipNotice *notice)
{
  return notice->removed && notice->removed->len > 0 &&
         notice->removed->len < CLIP_EVENT_MOST_REMOVED;
}

static void
append_removed (GPtrArray *notices, const ClipEvent *event)
{
  ClipNotice *last = notices->len ? notices->pdata[notices->len - 1] : NULL;

  if (!last || event->id == CLIP_EVENT_MANY || !takes_one_more (last))
    {
      last = append_notice (notices, event);
      last->removed = g_array_new (FALSE, FALSE, sizeof (gint64));
    }
  if (event->id != CLIP_EVENT_MANY)
    g_array_append_val (last->removed, event->id);
}

/* an entry that is gone by now has its own event, which follows */
static void
append_entry (GPtrArray *notices, const ClipEvent *event, ClipReader *reader)
{
  g_autoptr (ClipEntry) entry =
      reader ? clip_reader_lookup (reader, event->id, NULL) : NULL;

  if (entry)
    append_notice (notices, event)->entry = g_steal_pointer (&entry);
}

/**
 * clip_notices_make:
 * @events: (element-type ClipEvent)
 * @reader: (nullable): where only removals are to be told
 *
 * Returns: (transfer full) (element-type ClipNotice): the signals to be emitted for them
 */
GPtrArray *
clip_notices_make (const GArray *events, ClipReader *reader)
{
  GPtrArray *notices = g_ptr_array_new_with_free_func ((GDestroyNotify) clip_notice_free);

  for (guint i = 0; i < events->len; i++)
    {
      const ClipEvent *event = &g_array_index (events, ClipEvent, i);

      if (event->kind == CLIP_EVENT_REMOVED)
        append_removed (notices, event);
      else if (event->kind == CLIP_EVENT_MOVED || event->kind == CLIP_EVENT_IMPORTED)
        append_notice (notices, event);
      else if (event->kind != CLIP_EVENT_NOTE)
        append_entry (notices, event, reader);
    }
  return notices;
}
