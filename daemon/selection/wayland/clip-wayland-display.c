/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A connection to a compositor as a GSource, which owns it: dropping the source
 * inside one of its own events (an offer leads to a signal, which leads to anything) does
 * not pull the connection from under libwayland.
 *
 * libwayland reads in two steps, so that several threads can share a connection: first
 * say that we are going to read, then poll, then read or take it back. prepare() says so
 * and check() redeems it, with one catch: GLib may prepare a source twice without
 * checking it in between. */
#define G_LOG_DOMAIN "clip-selection"
#include "clip-wayland-display.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <wayland-client.h>

#include "clip-error.h"
#include "clip-fd.h"
#include "clip-ownership.h"

typedef struct
{
  GSource base;
  struct wl_display *display;
  gpointer tag;
  GIOCondition awaited;
  gboolean reading;
} DisplaySource;

static char *
describe_error (struct wl_display *display)
{
  const struct wl_interface *interface = NULL;
  int saved_errno = wl_display_get_error (display);

  if (saved_errno == EPROTO)
    {
      guint32 id = 0;
      guint32 code = wl_display_get_protocol_error (display, &interface, &id);

      return g_strdup_printf ("compositor reported error %u on %s#%u", code,
                              interface ? interface->name : "unknown", id);
    }
  if (saved_errno == 0 || saved_errno == EPIPE || saved_errno == ECONNRESET)
    return g_strdup ("compositor has gone");
  return g_strdup_printf ("compositor connection failed: %s", g_strerror (saved_errno));
}

/* says what goes out as soon as there is room; whether the connection is broken, only
 * reading tells, as there may be an explanation to read */
static void
flush_or_await (DisplaySource *self)
{
  gboolean full = wl_display_flush (self->display) < 0 && errno == EAGAIN;
  GIOCondition awaited = full ? G_IO_IN | G_IO_OUT : G_IO_IN;

  if (awaited != self->awaited)
    g_source_modify_unix_fd (&self->base, self->tag, awaited);
  self->awaited = awaited;
}

static gboolean
display_prepare (GSource *source, int *timeout_ms)
{
  DisplaySource *self = (DisplaySource *) source;

  *timeout_ms = -1;
  if (!self->reading && wl_display_prepare_read (self->display) != 0)
    return TRUE; /* events wait already */
  self->reading = TRUE;
  flush_or_await (self);
  return FALSE;
}

static gboolean
display_check (GSource *source)
{
  DisplaySource *self = (DisplaySource *) source;
  GIOCondition seen = g_source_query_unix_fd (source, self->tag);

  if (!self->reading)
    return FALSE;
  self->reading = FALSE;
  if (seen & (G_IO_IN | G_IO_HUP | G_IO_ERR))
    {
      wl_display_read_events (self->display); /* a failure is found at dispatch */
      return TRUE;
    }
  wl_display_cancel_read (self->display);
  return FALSE;
}

static gboolean
display_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  DisplaySource *self = (DisplaySource *) source;
  g_autofree char *why = NULL;

  if (wl_display_dispatch_pending (self->display) >= 0)
    return G_SOURCE_CONTINUE;
  why = describe_error (self->display);
  if (!g_source_is_destroyed (source))
    ((ClipWaylandLost) (void (*) (void)) callback) (why, user_data);
  return G_SOURCE_REMOVE;
}

static void
display_finalize (GSource *source)
{
  DisplaySource *self = (DisplaySource *) source;

  if (self->reading)
    wl_display_cancel_read (self->display);
  if (self->display)
    wl_display_disconnect (self->display);
}

static GSourceFuncs display_funcs = { display_prepare, display_check, display_dispatch,
                                      display_finalize };

/**
 * clip_wayland_display_find:
 * @name: (nullable): as in WAYLAND_DISPLAY, which %NULL stands for
 *
 * Returns: (transfer full): where its socket is, whether or not it is there. Errors:
 * %CLIP_ERROR_NO_BACKEND.
 */
char *
clip_wayland_display_find (const char *name, GError **error)
{
  const char *runtime_dir = g_getenv ("XDG_RUNTIME_DIR");

  if (!name)
    name = g_getenv ("WAYLAND_DISPLAY");
  if (!name || *name == '\0')
    name = "wayland-0";
  if (g_path_is_absolute (name))
    return g_strdup (name);
  if (runtime_dir)
    return g_build_filename (runtime_dir, name, NULL);
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND,
               "connect to display '%s': XDG_RUNTIME_DIR is not set", name);
  return NULL;
}

/**
 * clip_wayland_display_connect_on_thread:
 *
 * Waits only for the file system that @path is on: not by wl_display_connect(), which
 * waits when the compositor does not accept. Asks for nothing in the environment, which
 * the main loop may change meanwhile; so it makes no message, as g_strerror() does ask.
 *
 * Returns: a descriptor, or a negative errno
 */
int
clip_wayland_display_connect_on_thread (const char *path)
{
  clip_autofd int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  if (g_strlcpy (address.sun_path, path, sizeof address.sun_path) >=
      sizeof address.sun_path)
    return -ENAMETOOLONG;
  if (fd < 0 || connect (fd, (struct sockaddr *) &address, sizeof address) < 0)
    return -errno;
  /* who runs it is told what we offer */
  return clip_ownership_is_trusted_server (fd) ? g_steal_fd (&fd) : -EPERM;
}

static void G_GNUC_PRINTF (1, 0) on_log (const char *format, va_list args)
{
  g_autofree char *text = g_strdup_vprintf (format, args);

  g_debug ("libwayland: %s", g_strchomp (text));
}

static GSource *
set_unconnected (const char *path, int number, GError **error)
{
  g_set_error (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, "connect to display '%s': %s",
               path,
               number == EPERM ? "neither you nor root runs it" : g_strerror (number));
  if (number == EPERM)
    g_message ("%s", (*error)->message);
  return NULL;
}

/**
 * clip_wayland_display_new:
 * @path: where it is, for messages
 * @fd_take: what clip_wayland_display_connect_on_thread() returned
 *
 * Returns: a source that owns the connection, not watched yet; end it by
 * g_source_destroy() and g_source_unref(). Errors: %CLIP_ERROR_NO_BACKEND.
 */
GSource *
clip_wayland_display_new (const char *path, int fd_take, GError **error)
{
  struct wl_display *display;
  GSource *source;

  if (fd_take < 0)
    return set_unconnected (path, -fd_take, error);
  wl_log_set_handler_client (on_log);
  display = wl_display_connect_to_fd (fd_take); /* which closes it on failure, too */
  if (!display)
    return set_unconnected (path, errno, error);
  source = g_source_new (&display_funcs, sizeof (DisplaySource));
  g_source_set_static_name (source, "wayland");
  ((DisplaySource *) source)->display = display;
  return source;
}

struct wl_display *
clip_wayland_display_get (GSource *source)
{
  return ((DisplaySource *) source)->display;
}

/**
 * clip_wayland_display_watch:
 * @lost: called once, when the connection has broken
 *
 * Dispatches the events of the connection in the thread's default context from now on.
 */
void
clip_wayland_display_watch (GSource *source, ClipWaylandLost lost, gpointer user_data)
{
  DisplaySource *self = (DisplaySource *) source;

  /* otherwise GLib takes the descriptor out of the poll around each dispatch, and wakes
   * itself up twice for it */
  g_source_set_can_recurse (source, TRUE);
  self->awaited = G_IO_IN;
  self->tag =
      g_source_add_unix_fd (source, wl_display_get_fd (self->display), self->awaited);
  g_source_set_callback (source, G_SOURCE_FUNC (lost), user_data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static gboolean
set_lost (DisplaySource *self, GError **error)
{
  g_autofree char *why = describe_error (self->display);

  g_set_error_literal (error, CLIP_ERROR, CLIP_ERROR_NO_BACKEND, why);
  return FALSE;
}

/**
 * clip_wayland_display_flush:
 *
 * Sends what was asked for, as far as it goes without waiting; the rest follows by
 * itself.
 *
 * Errors: %CLIP_ERROR_NO_BACKEND when the compositor has gone.
 */
gboolean
clip_wayland_display_flush (GSource *source, GError **error)
{
  DisplaySource *self = (DisplaySource *) source;

  if (wl_display_flush (self->display) >= 0 || errno == EAGAIN)
    return TRUE;
  return set_lost (self, error);
}
