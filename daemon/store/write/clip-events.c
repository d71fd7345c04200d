/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-events.h"

ClipNotice *
clip_notice_new (ClipNoticeKind kind, gint64 n)
{
  ClipNotice *self = g_new0 (ClipNotice, 1);

  self->kind = kind;
  self->n = n;
  return self;
}

void
clip_notice_free (ClipNotice *self)
{
  clip_entry_free (self->entry);
  g_clear_pointer (&self->removed, g_array_unref);
  g_free (self);
}

static ClipNotice *
append (GPtrArray *notices, ClipNoticeKind kind, const ClipEvent *event)
{
  ClipNotice *notice = clip_notice_new (kind, event->was);

  notice->id = event->id;
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
      last = append (notices, CLIP_NOTICE_REMOVED, event);
      last->removed = g_array_new (FALSE, FALSE, sizeof (gint64));
    }
  if (event->id != CLIP_EVENT_MANY)
    g_array_append_val (last->removed, event->id);
}

/* an entry that is gone by now has its own event, which follows */
static void
append_entry (GPtrArray *notices,
              ClipNoticeKind kind,
              const ClipEvent *event,
              ClipReader *reader)
{
  g_autoptr (ClipEntry) entry =
      reader ? clip_reader_lookup (reader, event->id, NULL) : NULL;

  if (entry)
    append (notices, kind, event)->entry = g_steal_pointer (&entry);
}

/**
 * clip_notices_append:
 * @notices: (element-type ClipNotice): gets the signals to be emitted for them
 * @events: (element-type ClipEvent)
 * @reader: (nullable): where only removals are to be told
 */
void
clip_notices_append (GPtrArray *notices, const GArray *events, ClipReader *reader)
{
  for (guint i = 0; i < events->len; i++)
    {
      const ClipEvent *event = &g_array_index (events, ClipEvent, i);

      switch (event->kind)
        {
        case CLIP_EVENT_ADDED:
          append_entry (notices, CLIP_NOTICE_ADDED, event, reader);
          break;
        case CLIP_EVENT_CHANGED:
          append_entry (notices, CLIP_NOTICE_CHANGED, event, reader);
          break;
        case CLIP_EVENT_MOVED:
          append (notices, CLIP_NOTICE_MOVED, event);
          break;
        case CLIP_EVENT_REMOVED:
          append_removed (notices, event);
          break;
        case CLIP_EVENT_IMPORTED:
          append (notices, CLIP_NOTICE_IMPORTED, event);
          break;
        case CLIP_EVENT_NOTE:
          append (notices, CLIP_NOTICE_NOTES, event);
          break;
        }
    }
}
