/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A compositor without a screen: seats, and data control. The clipboard of a desktop with
 * nothing around it, which does what it is told on its standard input, misbehaving
 * included (script.c has the commands). When it is ready it prints the line
 * WAYLAND_DISPLAY=NAME; when its input ends it ends, so that it never outlives the test
 * that started it. */
#include "compositor.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define SEAT_VERSION 7

static void
seat_refuse (struct wl_client *client, struct wl_resource *resource, guint32 id)
{
  wl_resource_post_error (resource, WL_SEAT_ERROR_MISSING_CAPABILITY, "no such device");
}

static void
seat_release (struct wl_client *client, struct wl_resource *resource)
{
  wl_resource_destroy (resource);
}

static const struct wl_seat_interface seat_requests = {
  seat_refuse,
  seat_refuse,
  seat_refuse,
  seat_release,
};

static void
bind_seat (struct wl_client *client, void *data, guint32 version, guint32 id)
{
  Seat *seat = data;
  struct wl_resource *resource =
      wl_resource_create (client, &wl_seat_interface, (int) version, id);
  g_autofree char *name = g_strdup_printf ("seat%u", seat->number);

  wl_resource_set_implementation (resource, &seat_requests, seat, NULL);
  wl_seat_send_capabilities (resource, 0);
  if (version >= WL_SEAT_NAME_SINCE_VERSION)
    wl_seat_send_name (resource, name);
}

Seat *
seat_add (Compositor *compositor)
{
  static guint n_made;
  Seat *seat = g_new0 (Seat, 1);

  seat->number = ++n_made;
  seat->devices = g_ptr_array_new ();
  seat->global = wl_global_create (compositor->display, &wl_seat_interface, SEAT_VERSION,
                                   seat, bind_seat);
  g_ptr_array_add (compositor->seats, seat);
  return seat;
}

/* it stays in memory: clients may still hold the object */
void
seat_remove (Compositor *compositor, Seat *seat)
{
  control_finish (seat);
  wl_global_remove (seat->global);
  g_ptr_array_remove (compositor->seats, seat);
}

int
main (int argc, char **argv)
{
  Compositor compositor = { 0 };
  g_autofree char *protocol = NULL;
  g_autofree char *commands = NULL;
  int n_seats = 1;
  const GOptionEntry entries[] = {
    { "protocol", 0, 0, G_OPTION_ARG_STRING, &protocol, "What to offer",
      "ext|wlr|wlr1|none" },
    { "seats", 0, 0, G_OPTION_ARG_INT, &n_seats, "How many seats", "N" },
    { "commands", 0, 0, G_OPTION_ARG_FILENAME, &commands,
      "Take commands from a FIFO that never ends", "PATH" },
    { 0 },
  };
  g_autoptr (GOptionContext) options = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  const char *name;

  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error))
    {
      fprintf (stderr, "%s\n", error->message);
      return 2;
    }
  signal (SIGPIPE, SIG_IGN);
  compositor.display = wl_display_create ();
  compositor.seats = g_ptr_array_new ();
  name = wl_display_add_socket_auto (compositor.display);
  if (!name || !control_start (&compositor, protocol ? protocol : "ext"))
    {
      fprintf (stderr, "no socket in XDG_RUNTIME_DIR, or no such protocol\n");
      return 1;
    }
  for (int i = 0; i < n_seats; i++)
    seat_add (&compositor);
  script_start (&compositor,
                commands ? open (commands, O_RDWR | O_CLOEXEC) : STDIN_FILENO);
  printf ("WAYLAND_DISPLAY=%s\n", name);
  fflush (stdout);
  wl_display_run (compositor.display);
  wl_display_destroy_clients (compositor.display);
  wl_display_destroy (compositor.display);
  _exit (0); /* removed seats and unfinished pastes are no leaks worth a report */
}
