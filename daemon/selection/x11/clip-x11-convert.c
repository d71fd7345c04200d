/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clip-x11-convert.h"

struct ClipX11Convert
{
  ClipX11Display *display;
  xcb_atom_t selection;
  xcb_atom_t target;
  xcb_window_t window;
  guint32 sequence;
  ClipX11Answer answer;
  GSource *deadline;
  ClipX11AnswerFunc on_answer;
  gpointer user_data;
};

static void
set_answer (ClipX11Convert *self, ClipX11Answer answer)
{
  self->answer = answer;
  clip_x11_event_source_clear (&self->deadline);
  if (self->on_answer)
    self->on_answer (answer, self->user_data);
}

static gboolean
on_late (gpointer user_data)
{
  set_answer (user_data, CLIP_X11_SILENT);
  return G_SOURCE_REMOVE;
}

static void
on_window_event (xcb_generic_event_t *event, gpointer user_data)
{
  ClipX11Convert *self = user_data;
  const xcb_selection_notify_event_t *notify =
      (const xcb_selection_notify_event_t *) event;

  if ((event->response_type & 0x7f) != XCB_SELECTION_NOTIFY ||
      self->answer != CLIP_X11_PENDING || notify->selection != self->selection ||
      notify->target != self->target)
    return;
  set_answer (self,
              notify->property == XCB_ATOM_NONE ? CLIP_X11_REFUSED : CLIP_X11_GIVEN);
}

/**
 * clip_x11_convert_new:
 * @when: a time at which the owner did own @selection
 * @wait_ms: how long the answer may take
 * @on_answer: (nullable): called once, and not from here; may free the object
 *
 * Asks the owner of @selection for @target.
 */
ClipX11Convert *
clip_x11_convert_new (ClipX11Display *display,
                      xcb_atom_t selection,
                      xcb_atom_t target,
                      xcb_timestamp_t when,
                      guint wait_ms,
                      ClipX11AnswerFunc on_answer,
                      gpointer user_data)
{
  ClipX11Convert *self = g_new0 (ClipX11Convert, 1);

  self->display = display;
  self->selection = selection;
  self->target = target;
  self->on_answer = on_answer;
  self->user_data = user_data;
  self->window = clip_x11_display_add_window (display, on_window_event, self);
  self->sequence =
      xcb_convert_selection (clip_x11_display_connection (display), self->window,
                             selection, target,
                             clip_x11_display_atom (display, CLIP_X11_ATOM_CONTENT), when)
          .sequence;
  self->deadline =
      clip_x11_deadline_new (clip_x11_display_context (display), on_late, self);
  clip_x11_deadline_set (self->deadline, wait_ms);
  return self;
}

/**
 * clip_x11_convert_listen:
 *
 * Takes the answer from now on: at once, from here, where it is there already.
 */
void
clip_x11_convert_listen (ClipX11Convert *self,
                         ClipX11AnswerFunc on_answer,
                         gpointer user_data)
{
  self->on_answer = on_answer;
  self->user_data = user_data;
  if (self->answer != CLIP_X11_PENDING)
    on_answer (self->answer, user_data);
}

/* what the owner has still to answer, or to send, keeps its window for a while */
void
clip_x11_convert_free (ClipX11Convert *self)
{
  clip_x11_event_source_clear (&self->deadline);
  if (self->window && self->answer == CLIP_X11_REFUSED)
    clip_x11_display_drop_window (self->display, self->window);
  else if (self->window)
    clip_x11_display_retire_window (self->display, self->window);
  g_free (self);
}

/* whether the question went out after the event of that sequence: then it was the owner
 * after the event who got it */
gboolean
clip_x11_convert_is_after (ClipX11Convert *self, guint32 sequence)
{
  return clip_x11_is_before (sequence, self->sequence);
}

/* whether the owner has still to answer */
gboolean
clip_x11_convert_is_open (const ClipX11Convert *self)
{
  return self->answer == CLIP_X11_PENDING;
}

/* the caller retires or removes it */
xcb_window_t
clip_x11_convert_steal_window (ClipX11Convert *self)
{
  xcb_window_t window = self->window;

  self->window = XCB_WINDOW_NONE;
  return window;
}
