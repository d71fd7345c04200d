/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each change of owner is an offer with a number of its own, from the moment it is heard
 * of. The first thing asked of a new owner is its TARGETS, never a content: a password is
 * recognised by its types. A change supersedes the question to the owner before. */
#include "clip-x11-watch.h"

#include <string.h>

#include "clip-x11-convert.h"

/* more targets than that are not read; the offer itself has a lower limit */
#define MAX_TARGETS 1024
#define MAX_APP_BYTES 256

struct ClipX11Watch
{
  ClipX11Display *display;
  ClipSelection selection;
  xcb_atom_t atom;
  ClipX11Limits limits;
  ClipX11Mailbox *news;
  guint64 offer;
  xcb_timestamp_t when; /* the present owner did own it then */
  gboolean initial;
  ClipX11Convert *targets;       /* the question that is open */
  xcb_get_property_cookie_t app; /* asked with it */
  xcb_window_t owner;
};

static ClipX11Message *
news_new (ClipX11Watch *self, ClipX11Kind kind)
{
  ClipX11Message *message = clip_x11_message_new (kind, self->offer);

  message->selection = self->selection;
  message->flag = self->initial;
  return message;
}

static void
tell (ClipX11Watch *self, ClipX11Kind kind)
{
  clip_x11_mailbox_post (self->news, news_new (self, kind));
}

static void
close_question (ClipX11Watch *self)
{
  if (self->app.sequence)
    xcb_discard_reply (clip_x11_display_connection (self->display), self->app.sequence);
  self->app.sequence = 0;
  g_clear_pointer (&self->targets, clip_x11_convert_free);
}

/* the second of the two strings of WM_CLASS, which many owners lack */
static char *
read_app (ClipX11Watch *self)
{
  g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply (
      clip_x11_display_connection (self->display), self->app, NULL);
  gsize length = reply ? (gsize) xcb_get_property_value_length (reply) : 0;
  const char *value = length > 0 ? xcb_get_property_value (reply) : NULL;
  const char *end = length > 0 ? memchr (value, '\0', length) : NULL;

  self->app.sequence = 0;
  if (!end || end + 1 >= value + length)
    return NULL;
  return g_utf8_make_valid (
      end + 1, (gssize) strnlen (end + 1, (gsize) (value + length - end - 1)));
}

static void
offer (ClipX11Watch *self, char **names_take)
{
  ClipX11Message *message = news_new (self, CLIP_X11_OFFERED);

  message->names = names_take;
  message->app = self->app.sequence ? read_app (self) : NULL;
  clip_x11_mailbox_post (self->news, message);
}

static char **
content_names (ClipX11Watch *self, const xcb_atom_t *targets, guint n_targets)
{
  ClipX11Atoms *atoms = clip_x11_display_atoms (self->display);
  g_autoptr (GArray) contents = g_array_new (FALSE, FALSE, sizeof (xcb_atom_t));

  for (guint i = 0; i < n_targets; i++)
    if (targets[i] != XCB_ATOM_NONE && !clip_x11_atoms_is_verb (atoms, targets[i]))
      g_array_append_val (contents, targets[i]);
  return clip_x11_atoms_names (atoms, (const xcb_atom_t *) (gpointer) contents->data,
                               contents->len);
}

/* (nullable): old programs answer with the type TARGETS instead of ATOM */
static char **
read_targets (ClipX11Watch *self)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_property_reply_t *reply = xcb_get_property_reply (
      connection,
      xcb_get_property (connection, TRUE, clip_x11_convert_window (self->targets),
                        clip_x11_display_atom (self->display, CLIP_X11_ATOM_CONTENT),
                        XCB_GET_PROPERTY_TYPE_ANY, 0, MAX_TARGETS),
      NULL);

  if (!reply || reply->format != 32 ||
      (reply->type != XCB_ATOM_ATOM &&
       reply->type != clip_x11_display_atom (self->display, CLIP_X11_ATOM_TARGETS)))
    return NULL;
  return content_names (self, xcb_get_property_value (reply), reply->value_len);
}

static void
on_targets (ClipX11Answer answer, gpointer user_data)
{
  ClipX11Watch *self = user_data;
  /* programs older than TARGETS have text and nothing else */
  static const char *const plain[] = { "UTF8_STRING", "STRING", NULL };
  char **names = NULL;

  if (answer == CLIP_X11_GIVEN)
    names = read_targets (self);
  else if (answer == CLIP_X11_REFUSED)
    names = g_strdupv ((char **) plain);
  if (names)
    offer (self, names);
  else
    {
      g_debug ("x11: an owner does not tell what it offers");
      tell (self, CLIP_X11_REPLACED);
    }
  close_question (self);
}

static void
ask_targets (ClipX11Watch *self)
{
  self->app =
      xcb_get_property (clip_x11_display_connection (self->display), FALSE, self->owner,
                        XCB_ATOM_WM_CLASS, XCB_ATOM_STRING, 0, MAX_APP_BYTES / 4);
  self->targets =
      clip_x11_convert_new (self->display, self->atom,
                            clip_x11_display_atom (self->display, CLIP_X11_ATOM_TARGETS),
                            self->when, self->limits.first_ms, on_targets, self);
}

/* the owner that was there before us, unless a newer one has been heard of meanwhile */
static void
on_time (xcb_timestamp_t now, gpointer user_data)
{
  ClipX11Watch *self = user_data;

  if (!self->initial)
    return;
  self->when = now;
  ask_targets (self);
}

static void
look_for_owner (ClipX11Watch *self)
{
  xcb_connection_t *connection = clip_x11_display_connection (self->display);
  g_autofree xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply (
      connection, xcb_get_selection_owner (connection, self->atom), NULL);

  if (!reply || reply->owner == XCB_WINDOW_NONE)
    return;
  self->owner = reply->owner;
  self->initial = TRUE;
  self->offer++;
  clip_x11_display_ask_time (self->display, on_time, self);
}

/**
 * clip_x11_watch_new:
 * @news: where %CLIP_X11_OFFERED, %CLIP_X11_REPLACED and %CLIP_X11_CLEARED go
 */
ClipX11Watch *
clip_x11_watch_new (ClipX11Display *display,
                    ClipSelection selection,
                    const ClipX11Limits *limits,
                    ClipX11Mailbox *news)
{
  ClipX11Watch *self = g_new0 (ClipX11Watch, 1);

  self->display = display;
  self->selection = selection;
  self->atom = selection == CLIP_SELECTION_PRIMARY
                   ? XCB_ATOM_PRIMARY
                   : clip_x11_display_atom (display, CLIP_X11_ATOM_CLIPBOARD);
  self->limits = *limits;
  self->news = clip_x11_mailbox_ref (news);
  clip_x11_display_watch_selection (display, self->atom);
  look_for_owner (self);
  return self;
}

void
clip_x11_watch_free (ClipX11Watch *self)
{
  close_question (self);
  clip_x11_mailbox_unref (self->news);
  g_free (self);
}

/**
 * clip_x11_watch_owner_changed:
 * @own_names: (nullable): what is offered, where we own the selection ourselves: nobody
 * needs to be asked
 */
void
clip_x11_watch_owner_changed (ClipX11Watch *self,
                              const xcb_xfixes_selection_notify_event_t *event,
                              const char *const *own_names)
{
  gboolean is_set = event->subtype == XCB_XFIXES_SELECTION_EVENT_SET_SELECTION_OWNER &&
                    event->owner != XCB_WINDOW_NONE;

  close_question (self);
  self->initial = FALSE;
  self->offer++;
  self->when = event->timestamp;
  self->owner = is_set ? event->owner : XCB_WINDOW_NONE;
  if (!is_set)
    tell (self, CLIP_X11_CLEARED);
  else if (own_names)
    offer (self, g_strdupv ((char **) own_names));
  else if (clip_x11_display_is_ours (self->display, event->owner))
    tell (self, CLIP_X11_REPLACED); /* it was ours, and is not any more */
  else
    ask_targets (self);
}

xcb_atom_t
clip_x11_watch_selection (ClipX11Watch *self)
{
  return self->atom;
}

/* the number of the present offer; a CLIP_X11_OFFERED says the same */
guint64
clip_x11_watch_offer (ClipX11Watch *self)
{
  return self->offer;
}

xcb_timestamp_t
clip_x11_watch_when (ClipX11Watch *self)
{
  return self->when;
}
