/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * x11-copies COUNT MICROSECONDS
 *
 * One program that copies COUNT texts, "copy number 1" and so on, each so many microseconds
 * after the one before, whether anybody has read that or not: on X11 a text that was
 * replaced cannot be asked for any more, so this finds out how quick a listener is. Stays
 * the owner of the last one for a second.
 */
#include <err.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/xcb.h>

#define LAST_US 1000000

typedef struct
{
  xcb_connection_t *connection;
  xcb_window_t window;
  xcb_atom_t clipboard;
  xcb_atom_t targets;
  xcb_atom_t text_type;
  char text[64];
} Copier;

static int64_t
now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static xcb_atom_t
atom (xcb_connection_t *connection, const char *name)
{
  xcb_intern_atom_cookie_t cookie =
      xcb_intern_atom (connection, 0, (uint16_t) strlen (name), name);
  xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply (connection, cookie, NULL);
  xcb_atom_t found;

  if (!reply)
    errx (1, "the X server knows no atom %s", name);
  found = reply->atom;
  free (reply);
  return found;
}

static void
start (Copier *self)
{
  xcb_screen_t *screen;

  self->connection = xcb_connect (NULL, NULL);
  if (xcb_connection_has_error (self->connection))
    errx (1, "no X server");
  screen = xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data;
  self->window = xcb_generate_id (self->connection);
  xcb_create_window (self->connection, XCB_COPY_FROM_PARENT, self->window, screen->root,
                     0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0,
                     NULL);
  self->clipboard = atom (self->connection, "CLIPBOARD");
  self->targets = atom (self->connection, "TARGETS");
  self->text_type = atom (self->connection, "UTF8_STRING");
}

static void
answer (const Copier *self, const xcb_selection_request_event_t *request)
{
  xcb_selection_notify_event_t notify = { .response_type = XCB_SELECTION_NOTIFY,
                                          .requestor = request->requestor,
                                          .selection = request->selection,
                                          .target = request->target,
                                          .property = request->property,
                                          .time = request->time };
  xcb_atom_t listed[] = { self->targets, self->text_type };

  if (request->target == self->targets)
    xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                         request->property, XCB_ATOM_ATOM, 32, 2, listed);
  else if (request->target == self->text_type)
    xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                         request->property, self->text_type, 8,
                         (uint32_t) strlen (self->text), self->text);
  else
    notify.property = XCB_NONE;
  xcb_send_event (self->connection, 0, request->requestor, 0, (const char *) &notify);
}

static void
serve_until (const Copier *self, int64_t end_us)
{
  struct pollfd poller = { .fd = xcb_get_file_descriptor (self->connection),
                           .events = POLLIN };

  do
    {
      xcb_generic_event_t *event;
      int64_t left_us = end_us - now_us ();
      struct timespec left = { .tv_nsec = left_us > 0 ? left_us % 1000000 * 1000 : 0,
                               .tv_sec = left_us > 0 ? left_us / 1000000 : 0 };

      while ((event = xcb_poll_for_event (self->connection)))
        {
          if ((event->response_type & 0x7f) == XCB_SELECTION_REQUEST)
            answer (self, (const xcb_selection_request_event_t *) event);
          free (event);
        }
      xcb_flush (self->connection);
      ppoll (&poller, 1, &left, NULL);
    }
  while (now_us () < end_us);
}

int
main (int argc, char *argv[])
{
  int64_t next_us = now_us ();
  Copier copier;

  if (argc != 3)
    errx (2, "usage: x11-copies COUNT MICROSECONDS");
  start (&copier);
  for (int number = 1; number <= atoi (argv[1]); number++)
    {
      snprintf (copier.text, sizeof copier.text, "copy number %d", number);
      xcb_set_selection_owner (copier.connection, copier.window, copier.clipboard,
                               XCB_CURRENT_TIME);
      next_us += atoi (argv[2]);
      serve_until (&copier, next_us);
    }
  serve_until (&copier, now_us () + LAST_US);
  xcb_disconnect (copier.connection);
  return 0;
}
