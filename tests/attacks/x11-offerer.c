/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program on X11 that copies under any names, of any bytes:
 *
 *   x11-offerer FILE [NEXT [other|held]]   pairs of a name and a path, each with a NUL
 *
 * It says `ready` once it owns the clipboard, and ends when somebody else does. A path
 * that is empty is offered, and not answered. Asked for the first content, it copies what
 * NEXT says, with the same window or another one, and gives that: `held`, after it has
 * stopped itself, and another program has let it go on.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

#define MOST_NAMES 8192
#define MOST_BYTES 65536

typedef struct
{
  xcb_connection_t *connection;
  xcb_window_t window;
  xcb_atom_t targets, clipboard;
  xcb_atom_t names[MOST_NAMES];
  const char *paths[MOST_NAMES];
  uint32_t n_names;
  const char *next; /* NULL: nothing more is copied */
  int other;        /* whether that has a window of its own */
  int held;         /* whether it stops before that */
} Offerer;

static char *
read_file (const char *path, size_t *out_length)
{
  const size_t most = 16 * 1024 * 1024;
  FILE *file = fopen (path, "rb");
  char *text = malloc (most);

  if (!file || !text)
    err (1, "%s", path);
  *out_length = fread (text, 1, most, file);
  fclose (file);
  return text;
}

/* names with a NUL in them are written with the byte \1 in its place */
static xcb_atom_t
intern (Offerer *self, const char *name)
{
  char *bytes = strdup (name);
  const size_t length = strlen (name);
  xcb_intern_atom_reply_t *reply;
  xcb_atom_t atom;

  if (!bytes)
    err (1, "no memory");
  for (char *at = bytes; (at = strchr (at, '\1'));)
    *at = '\0';
  reply = xcb_intern_atom_reply (
      self->connection, xcb_intern_atom (self->connection, 0, (uint16_t) length, bytes),
      NULL);
  if (!reply)
    errx (1, "no atom '%s'", name);
  atom = reply->atom;
  free (reply);
  free (bytes);
  return atom;
}

static void
read_names (Offerer *self, const char *path)
{
  size_t length;
  self->n_names = 0;
  const char *text = read_file (path, &length);
  const char *end = text + length;

  while (text < end && self->n_names < MOST_NAMES)
    {
      self->names[self->n_names] = intern (self, text);
      text += strlen (text) + 1;
      self->paths[self->n_names++] = text;
      text += strlen (text) + 1;
    }
}

static void
put_content (Offerer *self, const xcb_selection_request_event_t *request, uint32_t number)
{
  size_t length;
  char *text = read_file (self->paths[number], &length);

  xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                       request->property, request->target, 8, (uint32_t) length, text);
  free (text);
}

static void
make_window (Offerer *self)
{
  self->window = xcb_generate_id (self->connection);
  xcb_create_window (
      self->connection, XCB_COPY_FROM_PARENT, self->window,
      xcb_setup_roots_iterator (xcb_get_setup (self->connection)).data->root, 0, 0, 1, 1,
      0, XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, 0, NULL);
}

static void
own (const Offerer *self)
{
  xcb_set_selection_owner (self->connection, self->window, self->clipboard,
                           XCB_CURRENT_TIME);
}

static void
answer (Offerer *self, const xcb_selection_request_event_t *request)
{
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
  uint32_t number = 0;

  if (request->target != self->targets && self->next)
    {
      if (self->held)
        raise (SIGSTOP);
      if (self->other)
        make_window (self);
      own (self);
      read_names (self, self->next);
      self->next = NULL;
    }
  while (number < self->n_names && self->names[number] != request->target)
    number++;
  if (request->target == self->targets)
    xcb_change_property (self->connection, XCB_PROP_MODE_REPLACE, request->requestor,
                         request->property, XCB_ATOM_ATOM, 32, self->n_names,
                         self->names);
  else if (number < self->n_names && *self->paths[number])
    put_content (self, request, number);
  else
    event.notify.property = XCB_NONE;
  xcb_send_event (self->connection, 0, request->requestor, 0, event.bytes);
  xcb_flush (self->connection);
}

int
main (int argc, char *argv[])
{
  Offerer self = { .connection = xcb_connect (NULL, NULL) };
  xcb_generic_event_t *event;

  if (argc < 2 || argc > 4 || xcb_connection_has_error (self.connection))
    errx (2, "x11-offerer FILE [NEXT [other|held]], on an X server");
  make_window (&self);
  self.targets = intern (&self, "TARGETS");
  self.clipboard = intern (&self, "CLIPBOARD");
  read_names (&self, argv[1]);
  if (argc > 2)
    self.next = argv[2];
  self.other = argc > 3 && strcmp (argv[3], "other") == 0;
  self.held = argc > 3 && strcmp (argv[3], "held") == 0;
  own (&self);
  intern (&self, "ready"); /* with its answer, the server has done that */
  puts ("ready");
  fflush (stdout);
  while ((event = xcb_wait_for_event (self.connection)))
    {
      const uint8_t type = event->response_type & 0x7f;

      if (type == XCB_SELECTION_REQUEST)
        answer (&self, (const xcb_selection_request_event_t *) event);
      if (type == XCB_SELECTION_CLEAR &&
          ((const xcb_selection_clear_event_t *) event)->owner == self.window)
        return 0;
      free (event);
    }
  return 1;
}
