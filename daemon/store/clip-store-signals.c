/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define G_LOG_DOMAIN "clip-store"
#include "clip-store-signals.h"

ClipStoreSignal *
clip_store_signal_new (ClipStoreSignalKind kind, gint64 n)
{
  ClipStoreSignal *self = g_new0 (ClipStoreSignal, 1);

  self->kind = kind;
  self->n = n;
  return self;
}

void
clip_store_signal_free (ClipStoreSignal *self)
{
  clip_entry_free (self->entry);
  g_clear_pointer (&self->removed, g_array_unref);
  g_free (self);
}

static ClipStoreSignal *
append (GPtrArray *pending, ClipStoreSignalKind kind, const ClipEvent *event)
{
  ClipStoreSignal *signal = clip_store_signal_new (kind, event->was);

  signal->id = event->id;
  g_ptr_array_add (pending, signal);
  return signal;
}

static gboolean
takes_one_more (const ClipStoreSignal *signal)
{
  return signal->removed && signal->removed->len > 0 &&
         signal->removed->len < CLIP_EVENT_MOST_REMOVED;
}

static void
append_removed (GPtrArray *pending, const ClipEvent *event)
{
  ClipStoreSignal *last = pending->len ? pending->pdata[pending->len - 1] : NULL;

  if (!last || event->id == CLIP_EVENT_MANY || !takes_one_more (last))
    {
      last = append (pending, CLIP_SIGNAL_REMOVED, event);
      last->removed = g_array_new (FALSE, FALSE, sizeof (gint64));
    }
  if (event->id != CLIP_EVENT_MANY)
    g_array_append_val (last->removed, event->id);
}

/* an entry that is gone by now has its own event, which follows */
static void
append_entry (GPtrArray *pending,
              ClipStoreSignalKind kind,
              const ClipEvent *event,
              ClipReader *reader)
{
  g_autoptr (ClipEntry) entry =
      reader ? clip_reader_lookup (reader, event->id, NULL) : NULL;

  if (entry)
    append (pending, kind, event)->entry = g_steal_pointer (&entry);
}

/**
 * clip_store_signals_append:
 * @pending: (element-type ClipStoreSignal): gets the signals to be emitted for them
 * @events: (element-type ClipEvent)
 * @reader: (nullable): where only removals are to be told
 */
void
clip_store_signals_append (GPtrArray *pending, const GArray *events, ClipReader *reader)
{
  for (guint i = 0; i < events->len; i++)
    {
      const ClipEvent *event = &g_array_index (events, ClipEvent, i);

      switch (event->kind)
        {
        case CLIP_EVENT_ADDED:
          append_entry (pending, CLIP_SIGNAL_ADDED, event, reader);
          break;
        case CLIP_EVENT_CHANGED:
          append_entry (pending, CLIP_SIGNAL_CHANGED, event, reader);
          break;
        case CLIP_EVENT_MOVED:
          append (pending, CLIP_SIGNAL_MOVED, event);
          break;
        case CLIP_EVENT_REMOVED:
          append_removed (pending, event);
          break;
        case CLIP_EVENT_IMPORTED:
          append (pending, CLIP_SIGNAL_IMPORTED, event);
          break;
        case CLIP_EVENT_NOTE:
          append (pending, CLIP_SIGNAL_NOTES, event);
          break;
        }
    }
}
