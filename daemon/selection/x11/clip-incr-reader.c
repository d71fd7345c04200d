/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The receiving half of ICCCM 2.7.2. A property is read slice by slice, and the request
 * that reads its last slice deletes it too: in one step, so that an owner which appends
 * meanwhile loses nothing. The deletion asks for the next chunk, which then waits inside
 * the server until the next step: one slice is all that is ever held here.
 *
 * An INCR ends with an empty chunk. So it is known whether everything came. */
#include "clip-incr-reader.h"

#include "clip-error.h"

#include <string.h>

#define SLICE_BYTES 262144

struct ClipIncrReader
{
  ClipX11Display *display;
  xcb_window_t window;
  xcb_atom_t property;
  xcb_atom_t type; /* of the first chunk of an INCR */
  guint32 offset;  /* of the next slice, in units of 4 bytes */
  gboolean is_incr;
  guint32 at_least_bytes; /* that the owner has announced */
  gboolean is_fresh;      /* there is a property to read */
  gboolean ended;
  xcb_get_property_reply_t *slice;
};

/**
 * clip_incr_reader_new:
 * @window: where the owner has put its answer into %CLIP_X11_ATOM_CONTENT
 */
ClipIncrReader *
clip_incr_reader_new (ClipX11Display *display, xcb_window_t window)
{
  ClipIncrReader *self = g_new0 (ClipIncrReader, 1);

  self->display = display;
  self->window = window;
  self->property = clip_x11_display_atom (display, CLIP_X11_ATOM_CONTENT);
  self->is_fresh = TRUE;
  clip_x11_display_heed_properties (display, window);
  return self;
}

void
clip_incr_reader_free (ClipIncrReader *self)
{
  g_free (self->slice);
  g_free (self);
}

/**
 * clip_incr_reader_notify:
 * @event: any event of the window
 *
 * Learns that the owner has put the next chunk. One that came soon enough to be read with
 * the chunk before turns out to be missing then.
 *
 * Returns: whether there is something to step for
 */
gboolean
clip_incr_reader_notify (ClipIncrReader *self, const xcb_generic_event_t *event)
{
  const xcb_property_notify_event_t *change = (const xcb_property_notify_event_t *) event;

  if ((event->response_type & 0x7f) == XCB_PROPERTY_NOTIFY &&
      change->atom == self->property && change->state == XCB_PROPERTY_NEW_VALUE &&
      self->is_incr)
    self->is_fresh = TRUE;
  return self->is_fresh;
}

static gboolean
read_slice (ClipIncrReader *self, GError **error)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  xcb_get_property_cookie_t cookie =
      xcb_get_property (connection, TRUE, self->window, self->property,
                        XCB_GET_PROPERTY_TYPE_ANY, self->offset, SLICE_BYTES / 4);

  g_clear_pointer (&self->slice, g_free);
  self->slice = xcb_get_property_reply (connection, cookie, NULL);
  if (!self->slice)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, "the answer cannot be read");
      return FALSE;
    }
  if (self->slice->bytes_after > 0)
    self->offset += SLICE_BYTES / 4;
  else
    self->offset = 0;
  self->is_fresh = self->slice->bytes_after > 0;
  return TRUE;
}

static ClipIncrStep
read_chunk (ClipIncrReader *self, gboolean is_first_slice, gsize length, GError **error)
{
  if (self->type == XCB_ATOM_NONE)
    self->type = self->slice->type;
  if (length == 0 && is_first_slice)
    self->ended = TRUE;
  else if (self->type != self->slice->type)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED,
                   "the type changes in the middle of a transfer");
      return CLIP_INCR_FAILED;
    }
  return self->ended ? CLIP_INCR_END : CLIP_INCR_CHUNK;
}

/* some owners leave it out, and some do not know it */
static guint32
read_announced (const xcb_get_property_reply_t *slice)
{
  guint32 bytes = 0;

  if (slice->format == 32 && slice->value_len > 0)
    memcpy (&bytes, xcb_get_property_value (slice), sizeof bytes);
  return bytes;
}

static ClipIncrStep
begin_incr (ClipIncrReader *self)
{
  self->is_incr = TRUE;
  self->at_least_bytes = read_announced (self->slice);
  if (self->is_fresh) /* longer than the one number it should be: not deleted yet */
    xcb_delete_property (clip_x11_display_connection (self->display), self->window,
                         self->property);
  self->is_fresh = FALSE;
  self->offset = 0;
  return CLIP_INCR_WAIT;
}

/**
 * clip_incr_reader_step:
 * @out_data: (out): the bytes of a chunk, until the next step
 *
 * Errors: %CLIP_ERROR_FAILED.
 */
ClipIncrStep
clip_incr_reader_step (ClipIncrReader *self,
                       const guint8 **out_data,
                       gsize *out_length,
                       GError **error)
{
  gboolean is_first_slice = self->offset == 0;

  *out_length = 0;
  if (self->ended)
    return CLIP_INCR_END;
  if (!self->is_fresh)
    return CLIP_INCR_WAIT;
  if (!read_slice (self, error))
    return CLIP_INCR_FAILED;
  if (self->slice->type == XCB_ATOM_NONE && self->is_incr)
    return CLIP_INCR_WAIT;
  if (self->slice->type == XCB_ATOM_NONE)
    {
      g_set_error (error, CLIP_ERROR, CLIP_ERROR_FAILED, "the answer is missing");
      return CLIP_INCR_FAILED;
    }
  if (!self->is_incr && is_first_slice &&
      self->slice->type == clip_x11_display_atom (self->display, CLIP_X11_ATOM_INCR))
    return begin_incr (self);
  *out_data = xcb_get_property_value (self->slice);
  *out_length = (gsize) xcb_get_property_value_length (self->slice);
  if (self->is_incr)
    return read_chunk (self, is_first_slice, *out_length, error);
  self->ended = !self->is_fresh;
  return *out_length > 0 ? CLIP_INCR_CHUNK : CLIP_INCR_END;
}

/* what the owner has announced by now: no less will come; 0 = it does not say */
guint32
clip_incr_reader_at_least (const ClipIncrReader *self)
{
  return self->at_least_bytes;
}

/* whether the owner may still write to the window after a chunk */
gboolean
clip_incr_reader_is_incr (const ClipIncrReader *self)
{
  return self->is_incr;
}

/* whether the last step has brought all that was left, and nothing of it is in the server
   any more */
gboolean
clip_incr_reader_has_ended (const ClipIncrReader *self)
{
  return self->ended;
}
