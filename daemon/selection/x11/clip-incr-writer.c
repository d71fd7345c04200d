/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sending half of ICCCM 2.7.2: the requestor deletes the property to ask for the next
 * chunk. */
#include "clip-incr-writer.h"

struct ClipIncrWriter
{
  ClipX11Display *display;
  ClipX11Property place;
  xcb_atom_t type;
  guint32 sequence; /* of the last change */
  gboolean ready;
};

/**
 * clip_incr_writer_begin:
 * @type: of the content
 * @at_least_bytes: a lower bound of its size
 *
 * Announces an INCR. We listen to the requestor's window from before on, so that its
 * first deletion is heard; freeing the last writer for a window ends that.
 *
 * Returns: (nullable): %NULL where the window is gone
 */
ClipIncrWriter *
clip_incr_writer_begin (ClipX11Display *display,
                        const ClipX11Property *place,
                        xcb_atom_t type,
                        guint32 at_least_bytes)
{
  const xcb_atom_t incr = clip_x11_display_atom (display, CLIP_X11_ATOM_INCR);
  g_autoptr (ClipIncrWriter) self = g_new0 (ClipIncrWriter, 1);

  self->display = display;
  self->place = *place;
  self->type = type;
  if (!clip_x11_property_listen (display, place) ||
      !clip_x11_property_put (display, place, XCB_PROP_MODE_REPLACE, incr, 32,
                              &at_least_bytes, 1, &self->sequence))
    return NULL;
  return g_steal_pointer (&self);
}

void
clip_incr_writer_free (ClipIncrWriter *self)
{
  g_free (self);
}

/**
 * clip_incr_writer_notify:
 * @event: any event
 *
 * Learns that the requestor has taken the last chunk. A deletion from before that chunk
 * was put does not count.
 *
 * Returns: whether the writer has become ready
 */
gboolean
clip_incr_writer_notify (ClipIncrWriter *self, const xcb_generic_event_t *event)
{
  const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *) event;

  if ((event->response_type & 0x7f) != XCB_PROPERTY_NOTIFY || self->ready ||
      change->window != self->place.requestor || change->atom != self->place.property ||
      change->state != XCB_PROPERTY_DELETE ||
      clip_x11_is_before (clip_x11_event_sequence (event), self->sequence))
    return FALSE;
  self->ready = TRUE;
  return TRUE;
}

/* whether the requestor waits for a chunk */
gboolean
clip_incr_writer_is_ready (const ClipIncrWriter *self)
{
  return self->ready;
}

/**
 * clip_incr_writer_put:
 * @n_bytes: at most clip_x11_display_chunk_bytes(); 0 says that this was all
 *
 * Returns: %FALSE where the window is gone
 */
gboolean
clip_incr_writer_put (ClipIncrWriter *self, gconstpointer bytes, gsize n_bytes)
{
  self->ready = FALSE;
  return clip_x11_property_put (self->display, &self->place, XCB_PROP_MODE_APPEND,
                                self->type, 8, bytes, n_bytes, &self->sequence);
}
