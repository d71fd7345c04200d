/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program on X11 that copies as fast, as much and as stubbornly as nobody does by hand;
 * on Wayland it is tests/session/copier.py.
 *
 *   x11-copier pace COUNT MICROSECONDS [asked]
 *       "copy number 1" and so on, each at least so long after the one before, and once
 *       that was asked for: a text that was replaced cannot be asked for any more
 *   x11-copier half-way BYTES WORD
 *       a text of so many bytes, by INCR; once half of it has been read WORD is copied
 *       instead, and the rest never comes
 *   x11-copier whole BYTES
 *       a text of so many bytes, by INCR; it says when it was asked for, and when the end
 *       of it had been taken
 *   x11-copier reown
 *       takes over whatever is copied, as some managers do; it says so once somebody has
 *       asked for it
 *
 * It says `NUMBER NANOSECONDS` (CLOCK_MONOTONIC) for each of its copies: all of them, and
 * the word; behind that `unasked` where one was replaced before anybody had asked for it.
 * It stays the owner of the last one until it is told to end.
 */
#include <err.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/xcb.h>
#include <xcb/xfixes.h>

#define NS_PER_S 1000000000
#define FOR_GOOD INT64_MAX
#define CHUNK_BYTES 262144
#define MOST_TEXT 4096

typedef struct
{
  xcb_connection_t *connection;
  xcb_window_t window;
  xcb_window_t root;
  xcb_atom_t clipboard;
  xcb_atom_t targets;
  xcb_atom_t text_type;
  xcb_atom_t incr;
  xcb_atom_t content;
  uint8_t owner_changed; /* the event of XFixes */
  char text[MOST_TEXT];
  uint32_t length;
  int n_copies;
  bool asked;       /* somebody has, for the present text */
  int64_t taken_ns; /* when that was taken over, until it was said; 0: it was */

  /* a text that is too long for one property */
  int64_t giant_bytes; /* 0: none is offered */
  int64_t sent;
  bool ended; /* so is its end */
  /* it says when whoever took all of it had asked, and when all was taken */
  bool is_timed;
  int64_t begun_ns;       /* the last one asked; one before may have left it at that */
  xcb_window_t requestor; /* who gets it */
  xcb_atom_t property;
} Copier;

static int64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * NS_PER_S + now.tv_nsec;
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
  const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;

  self->connection = xcb_connect (NULL, NULL);
  if (xcb_connection_has_error (self->connection))
    errx (1, "no X server");
  self->root = xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data->root;
  self->window = xcb_generate_id (self->connection);
  xcb_create_window (self->connection, XCB_COPY_FROM_PARENT, self->window, self->root, 0,
                     0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT,
                     XCB_CW_EVENT_MASK, &mask);
  self->clipboard = atom (self->connection, "CLIPBOARD");
  self->targets = atom (self->connection, "TARGETS");
  self->text_type = atom (self->connection, "UTF8_STRING");
  self->incr = atom (self->connection, "INCR");
  self->content = atom (self->connection, "COPIER_CONTENT");
}

static void
own (Copier *self)
{
  xcb_set_selection_owner (self->connection, self->window, self->clipboard,
                           XCB_CURRENT_TIME);
  xcb_flush (self->connection);
}

/* copies the text that has been set, and notes when */
static int64_t
copy_text (Copier *self)
{
  const int64_t now = now_ns ();

  self->length = (uint32_t) strlen (self->text);
  self->giant_bytes = 0;
  self->n_copies++;
  self->asked = false;
  own (self);
  return now;
}

static void
say (const Copier *self, int64_t when)
{
  printf ("%d %lld\n", self->n_copies, (long long) when);
  fflush (stdout);
}

static void
say_moment (Copier *self, int64_t moment_ns)
{
  self->n_copies++;
  say (self, moment_ns);
}

/* --- others ask --- */

static void
put (const Copier *self,
     const xcb_selection_request_event_t *request,
     xcb_atom_t type,
     uint8_t format,
     uint32_t length,
     const void *data)
{
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                       request->property, type, format, length, data);
}

static void
begin_giant (Copier *self, const xcb_selection_request_event_t *request)
{
  const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
  const uint32_t least = CHUNK_BYTES;

  self->requestor = request->requestor;
  self->property = request->property;
  self->sent = 0;
  self->ended = false;
  self->begun_ns = now_ns ();
  xcb_change_window_attributes (self->connection, request->requestor, XCB_CW_EVENT_MASK,
                                &mask);
  put (self, request, self->incr, 32, 1, &least);
}

static void
answer (Copier *self, const xcb_selection_request_event_t *request)
{
  const xcb_atom_t listed[] = { self->targets, self->text_type };
  union
  {
    xcb_selection_notify_event_t notify;
    char bytes[32];
  } event = { .notify = { .response_type = XCB_SELECTION_NOTIFY,
                          .requestor = request->requestor,
                          .selection = request->selection,
                          .target = request->target,
                          .property = request->property,
                          .time = request->time } };

  if (request->target == self->targets)
    put (self, request, XCB_ATOM_ATOM, 32, 2, listed);
  else if (request->target != self->text_type)
    event.notify.property = XCB_NONE;
  else if (self->giant_bytes > 0)
    begin_giant (self, request);
  else
    {
      put (self, request, self->text_type, 8, self->length, self->text);
      self->asked = true;
    }
  xcb_send_event (self->connection, 0, request->requestor, 0, event.bytes);
  if (self->asked && self->taken_ns > 0)
    {
      xcb_flush (self->connection);
      say (self, self->taken_ns);
      self->taken_ns = 0;
    }
}

/* the reader has taken a chunk */
static void
go_on (Copier *self, const xcb_property_notify_event_t *change)
{
  static char chunk[CHUNK_BYTES];
  uint32_t length;

  if (self->giant_bytes == 0 || change->window != self->requestor ||
      change->atom != self->property || change->state != XCB_PROPERTY_DELETE)
    return;
  if (self->ended && self->is_timed)
    {
      say_moment (self, self->begun_ns);
      say_moment (self, now_ns ());
    }
  if (self->ended)
    return;
  if (chunk[0] == '\0')
    memset (chunk, 'g', sizeof chunk);
  length = self->giant_bytes - self->sent < CHUNK_BYTES
               ? (uint32_t) (self->giant_bytes - self->sent)
               : CHUNK_BYTES;
  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, self->requestor,
                       self->property, self->text_type, 8, length, chunk);
  self->sent += length;
  self->ended = length == 0;
}

/* --- taking over --- */

static void
ask_owner (const Copier *self)
{
  xcb_convert_selection (self->connection, self->window, self->clipboard, self->text_type,
                         self->content, XCB_CURRENT_TIME);
}

static void
take_over (Copier *self, const xcb_selection_notify_event_t *event)
{
  xcb_get_property_reply_t *reply =
      event->property == XCB_NONE
          ? NULL
          : xcb_get_property_reply (self->connection,
                                    xcb_get_property (self->connection, 1, self->window,
                                                      self->content, self->text_type, 0,
                                                      MOST_TEXT / 4),
                                    NULL);
  int length = reply ? xcb_get_property_value_length (reply) : 0;

  if (length > 0 && length < MOST_TEXT)
    {
      memcpy (self->text, xcb_get_property_value (reply), (size_t) length);
      self->text[length] = '\0';
      self->taken_ns = copy_text (self);
    }
  free (reply);
}

static void
watch_owner (Copier *self)
{
  const xcb_query_extension_reply_t *extension =
      xcb_get_extension_data (self->connection, &xcb_xfixes_id);

  if (!extension || !extension->present)
    errx (1, "no XFixes");
  self->owner_changed = extension->first_event + XCB_XFIXES_SELECTION_NOTIFY;
  xcb_discard_reply (self->connection,
                     xcb_xfixes_query_version (self->connection, 1, 0).sequence);
  xcb_xfixes_select_selection_input (self->connection, self->window, self->clipboard,
                                     XCB_XFIXES_SELECTION_EVENT_MASK_SET_SELECTION_OWNER);
  atom (self->connection, "COPIER_WATCHES"); /* from its answer on it does */
}

/* --- events --- */

static void
handle (Copier *self, const xcb_generic_event_t *event)
{
  const uint8_t type = event->response_type & 0x7f;

  if (type == XCB_SELECTION_REQUEST)
    answer (self, (const xcb_selection_request_event_t *) event);
  else if (type == XCB_PROPERTY_NOTIFY)
    go_on (self, (const xcb_property_notify_event_t *) event);
  else if (type == XCB_SELECTION_NOTIFY)
    take_over (self, (const xcb_selection_notify_event_t *) event);
  else if (self->owner_changed && type == self->owner_changed &&
           ((const xcb_xfixes_selection_notify_event_t *) event)->owner != self->window)
    ask_owner (self);
}

/* Until a moment, or until half of a giant has been read. Who has asked by then is
 * answered, also where we got the processor too late: what is copied next is not what
 * they asked for. */
static void
serve_until (Copier *self, int64_t end_ns)
{
  struct pollfd poller = { .fd = xcb_get_file_descriptor (self->connection),
                           .events = POLLIN };

  for (;;)
    {
      xcb_generic_event_t *event;
      const int64_t left_ns = end_ns - now_ns ();
      const struct timespec left = { .tv_nsec = left_ns > 0 ? left_ns % NS_PER_S : 0,
                                     .tv_sec = left_ns > 0 ? left_ns / NS_PER_S : 0 };

      while ((event = xcb_poll_for_event (self->connection)))
        {
          handle (self, event);
          free (event);
        }
      if (xcb_connection_has_error (self->connection))
        errx (1, "the X server has gone");
      xcb_flush (self->connection);
      if (self->giant_bytes > 0 && !self->is_timed && self->sent > self->giant_bytes / 2)
        return;
      if (left_ns <= 0)
        return;
      ppoll (&poller, 1, &left, NULL);
    }
}

static void
pace (Copier *self, int count, int64_t gap_ns, bool is_patient)
{
  int64_t *stamps = calloc ((size_t) count, sizeof *stamps);
  bool *asked = calloc ((size_t) count, sizeof *asked);

  if (!stamps || !asked)
    err (1, "no memory");
  for (int i = 0; i < count; i++)
    {
      snprintf (self->text, sizeof self->text, "copy number %d", i + 1);
      stamps[i] = copy_text (self);
      serve_until (self, now_ns () + gap_ns);
      while (is_patient && !self->asked)
        serve_until (self, now_ns () + NS_PER_S / 1000);
      asked[i] = self->asked;
    }
  for (int i = 0; i < count; i++)
    printf ("%d %lld%s\n", i + 1, (long long) stamps[i], asked[i] ? "" : " unasked");
  fflush (stdout);
  free (stamps);
  free (asked);
}

static void
half_way (Copier *self, int64_t bytes, const char *word)
{
  self->giant_bytes = bytes;
  own (self);
  serve_until (self, FOR_GOOD);
  snprintf (self->text, sizeof self->text, "%s", word);
  say (self, copy_text (self));
}

static void
whole (Copier *self, int64_t bytes)
{
  self->giant_bytes = bytes;
  self->is_timed = true;
  own (self);
  puts ("ready");
  fflush (stdout);
}

int
main (int argc, char *argv[])
{
  const char *verb = argc > 1 ? argv[1] : "";
  Copier copier = { 0 };

  start (&copier);
  if (argc >= 4 && strcmp (verb, "pace") == 0)
    pace (&copier, atoi (argv[2]), (int64_t) atoi (argv[3]) * 1000, argc == 5);
  else if (argc == 4 && strcmp (verb, "half-way") == 0)
    half_way (&copier, atoll (argv[2]), argv[3]);
  else if (argc == 3 && strcmp (verb, "whole") == 0)
    whole (&copier, atoll (argv[2]));
  else if (argc == 2 && strcmp (verb, "reown") == 0)
    {
      watch_owner (&copier);
      puts ("ready");
      fflush (stdout);
    }
  else
    errx (2,
          "pace COUNT MICROSECONDS [asked], half-way BYTES WORD, whole BYTES, or reown");
  serve_until (&copier, FOR_GOOD);
  return 0;
}
