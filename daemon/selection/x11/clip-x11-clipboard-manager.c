/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* There is one manager at a time. Where there is another we let it be, and take its place
 * once it has gone. */
#define G_LOG_DOMAIN "clip-selection"

#include "clip-x11-clipboard-manager.h"

#include <string.h>

#include "clip-x11-property.h"

/* programs that end at the same moment */
#define MAX_SAVES 16

typedef struct
{
  guint64 id;
  xcb_selection_request_event_t request;
} Save;

struct ClipX11ClipboardManager
{
  ClipX11Display *display;
  ClipX11Mailbox *news;
  xcb_atom_t atom;
  xcb_window_t window; /* none while we do not own it */
  xcb_timestamp_t since;
  guint64 last_id;
  GArray *saves; /* of Save: those who wait */
};

static xcb_window_t
find_owner (ClipX11ClipboardManager *self)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply (
      connection, xcb_get_selection_owner (connection, self->atom), NULL);

  return reply ? reply->owner : XCB_WINDOW_NONE;
}

/* as ICCCM 2.8 wants it */
static void
tell_root (ClipX11ClipboardManager *self)
{
  const xcb_client_message_event_t message = {
    .response_type = XCB_CLIENT_MESSAGE,
    .format = 32,
    .window = clip_x11_display_root (self->display),
    .type = clip_x11_display_atom (self->display, CLIP_X11_ATOM_MANAGER),
    .data.data32 = { self->since, self->atom, self->window },
  };

  xcb_send_event (clip_x11_display_connection (self->display), FALSE, message.window,
                  XCB_EVENT_MASK_STRUCTURE_NOTIFY, (const char *) &message);
}

static void
give_up (ClipX11ClipboardManager *self)
{
  if (self->window)
    clip_x11_display_remove_window (self->display, self->window);
  self->window = XCB_WINDOW_NONE;
}

static void
on_time (xcb_timestamp_t now, gpointer user_data)
{
  ClipX11ClipboardManager *self = user_data;

  if (find_owner (self) != XCB_WINDOW_NONE)
    return;
  give_up (self); /* where another program has destroyed our window */
  self->window = clip_x11_display_add_window (self->display, NULL, NULL);
  self->since = now;
  xcb_set_selection_owner (clip_x11_display_connection (self->display), self->window,
                           self->atom, now);
  if (find_owner (self) == self->window)
    tell_root (self);
  else
    give_up (self);
}

/**
 * clip_x11_clipboard_manager_new:
 * @news: gets a %CLIP_X11_SAVE for each program that ends; the answer is
 * clip_x11_clipboard_manager_saved()
 */
ClipX11ClipboardManager *
clip_x11_clipboard_manager_new (ClipX11Display *display, ClipX11Mailbox *news)
{
  ClipX11ClipboardManager *self = g_new0 (ClipX11ClipboardManager, 1);

  self->display = display;
  self->news = clip_x11_mailbox_ref (news);
  self->atom = clip_x11_display_atom (display, CLIP_X11_ATOM_CLIPBOARD_MANAGER);
  self->saves = g_array_new (FALSE, FALSE, sizeof (Save));
  clip_x11_display_watch_selection (display, self->atom);
  clip_x11_display_ask_time (display, on_time, self);
  return self;
}

void
clip_x11_clipboard_manager_free (ClipX11ClipboardManager *self)
{
  g_array_unref (self->saves);
  clip_x11_mailbox_unref (self->news);
  g_free (self);
}

/* whether it was about this selection */
gboolean
clip_x11_clipboard_manager_owner_changed (
    ClipX11ClipboardManager *self,
    const xcb_xfixes_selection_notify_event_t *event)
{
  if (event->selection != self->atom)
    return FALSE;
  if (event->subtype != XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER ||
      event->owner == XCB_WINDOW_NONE)
    clip_x11_display_ask_time (self->display, on_time, self);
  return TRUE;
}

static gboolean
put_atoms (ClipX11ClipboardManager *self, const ClipX11Property *place)
{
  const xcb_atom_t targets[] = {
    clip_x11_display_atom (self->display, CLIP_X11_ATOM_TARGETS),
    clip_x11_display_atom (self->display, CLIP_X11_ATOM_TIMESTAMP),
    clip_x11_display_atom (self->display, CLIP_X11_ATOM_SAVE_TARGETS),
  };

  return clip_x11_property_put (self->display, place, XCB_PROP_MODE_REPLACE,
                                XCB_ATOM_ATOM, 32, targets, G_N_ELEMENTS (targets), NULL);
}

static gboolean
put_time (ClipX11ClipboardManager *self, const ClipX11Property *place)
{
  return clip_x11_property_put (self->display, place, XCB_PROP_MODE_REPLACE,
                                XCB_ATOM_INTEGER, 32, &self->since, 1, NULL);
}

static void
begin_save (ClipX11ClipboardManager *self, const xcb_selection_request_event_t *request)
{
  const Save save = { ++self->last_id, *request };

  if (self->saves->len >= MAX_SAVES)
    {
      clip_x11_property_notify (self->display, request, XCB_ATOM_NONE);
      return;
    }
  g_array_append_val (self->saves, save);
  clip_x11_mailbox_post (self->news, clip_x11_message_new (CLIP_X11_SAVE, save.id));
}

/**
 * clip_x11_clipboard_manager_request:
 *
 * Returns: whether it was for the manager; then it is answered, now or later
 */
gboolean
clip_x11_clipboard_manager_request (ClipX11ClipboardManager *self,
                                    const xcb_selection_request_event_t *event)
{
  xcb_selection_request_event_t request = *event;
  const ClipX11Property place = { request.requestor, request.property ?: request.target };
  gboolean done = FALSE;

  if (!self->window || request.owner != self->window)
    return FALSE;
  request.property = place.property;
  if (request.target == clip_x11_display_atom (self->display, CLIP_X11_ATOM_SAVE_TARGETS))
    {
      begin_save (self, &request);
      return TRUE;
    }
  if (request.target == clip_x11_display_atom (self->display, CLIP_X11_ATOM_TARGETS))
    done = put_atoms (self, &place);
  else if (request.target ==
           clip_x11_display_atom (self->display, CLIP_X11_ATOM_TIMESTAMP))
    done = put_time (self, &place);
  clip_x11_property_notify (self->display, &request,
                            done ? place.property : XCB_ATOM_NONE);
  return TRUE;
}

/* another manager has taken over */
void
clip_x11_clipboard_manager_lose (ClipX11ClipboardManager *self, xcb_window_t window)
{
  if (self->window && self->window == window)
    give_up (self);
}

static void
answer (ClipX11ClipboardManager *self,
        const xcb_selection_request_event_t *request,
        gboolean saved)
{
  const ClipX11Property place = { request->requestor, request->property };
  const xcb_atom_t nothing = clip_x11_display_atom (self->display, CLIP_X11_ATOM_NULL);

  if (saved)
    saved = clip_x11_property_put (self->display, &place, XCB_PROP_MODE_REPLACE, nothing,
                                   32, NULL, 0, NULL);
  clip_x11_property_notify (self->display, request,
                            saved ? place.property : XCB_ATOM_NONE);
}

/* @saved: whether all of it is kept: the program ends now */
void
clip_x11_clipboard_manager_saved (ClipX11ClipboardManager *self,
                                  guint64 id,
                                  gboolean saved)
{
  for (guint i = 0; i < self->saves->len; i++)
    if (g_array_index (self->saves, Save, i).id == id)
      {
        answer (self, &g_array_index (self->saves, Save, i).request, saved);
        g_array_remove_index (self->saves, i);
        return;
      }
}
