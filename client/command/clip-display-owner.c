/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Who runs the display that the environment names. A display may have ended, and left its
 * name to a terminal that goes on: another user who listens there now is shown what comes
 * on it, and types into it.
 */
#include "clip-display-owner.h"

#include "clip-display-name.h"
#include "clip-fd.h"
#include "clip-ownership.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define X11_SOCKET "/tmp/.X11-unix/X"
#define X11_PORT 6000

/* which programs take that are told of none: wl_display_connect() */
#define DEFAULT_COMPOSITOR "wayland-0"

#define PATIENCE_S 2

typedef enum
{
  NO_SERVER,
  OURS,
  STRANGER, /* or who takes no connection, and may take the next one */
} Owner;

static gboolean
set_patience (int fd)
{
  const struct timeval patience = { .tv_sec = PATIENCE_S };

  return fd >= 0 &&
         setsockopt (fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) == 0;
}

static Owner
owner_at (const struct sockaddr_un *address, gsize path_length)
{
  clip_autofd int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (!set_patience (fd))
    return STRANGER;
  if (connect (fd, (const struct sockaddr *) address,
               (socklen_t) (offsetof (struct sockaddr_un, sun_path) + path_length)) < 0)
    return errno == EAGAIN || errno == EINTR ? STRANGER : NO_SERVER;
  return clip_ownership_is_trusted_server (fd) ? OURS : STRANGER;
}

/* @is_abstract: a name of the kernel's, and no file: unix(7) */
static Owner
owner_of_socket (const char *path, gboolean is_abstract)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const gsize length = strlen (path);

  if (length + 2 > sizeof address.sun_path)
    return NO_SERVER;
  memcpy (address.sun_path + is_abstract, path, length);
  return owner_at (&address, length + 1);
}

static gboolean
takes_tcp (const struct sockaddr *address, socklen_t size)
{
  clip_autofd int fd = socket (address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

  return set_patience (fd) && connect (fd, address, size) == 0;
}

static gboolean
is_on_tcp (const char *number)
{
  const guint16 port = htons ((guint16) (X11_PORT + g_ascii_strtoull (number, NULL, 10)));
  const struct sockaddr_in four = { .sin_family = AF_INET,
                                    .sin_port = port,
                                    .sin_addr = { htonl (INADDR_LOOPBACK) } };
  const struct sockaddr_in6 six = { .sin6_family = AF_INET6,
                                    .sin6_port = port,
                                    .sin6_addr = IN6ADDR_LOOPBACK_INIT };

  return takes_tcp ((const struct sockaddr *) &four, sizeof four) ||
         takes_tcp ((const struct sockaddr *) &six, sizeof six);
}

/* The addresses of this machine alone, as proc(5) writes them; and those of all. */
static gboolean
is_loopback (const char *address)
{
  static const char *const loopback[] = { "0100007F",
                                          "00000000",
                                          "00000000000000000000000001000000",
                                          "0000000000000000FFFF00000100007F",
                                          "00000000000000000000000000000000",
                                          NULL };

  return g_strv_contains (loopback, address);
}

/* The kernel says who listens at a port (proc(5), /proc/net/tcp: the local address is the
 * second field, the state the fourth, LISTEN 0A, the user the eighth). */
static gboolean
has_stranger (const char *table, guint port)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (!g_file_get_contents (table, &text, NULL, NULL))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 1; lines[i]; i++)
    {
      char address[33];
      guint local, state, uid;

      if (sscanf (lines[i], "%*s %32[0-9A-F]:%x %*s %x %*s %*s %*s %u", address, &local,
                  &state, &uid) == 4 &&
          local == port && state == 0x0A && is_loopback (address) && uid != 0 &&
          uid != geteuid ())
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_this_machine (const char *host, gsize length)
{
  static const char *const names[] = { "localhost", "127.0.0.1", "::1", "[::1]",
                                       "ip6-localhost" };
  const char *own = g_get_host_name ();

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strlen (names[i]) == length && g_ascii_strncasecmp (host, names[i], length) == 0)
      return TRUE;
  return strlen (own) == length && g_ascii_strncasecmp (host, own, length) == 0;
}

/* Behind ssh -X a display is reached over TCP, where ssh listens as its user.
 * @number: of the X server, behind which may be a screen */
static gboolean
is_tunnel_of_stranger (const char *server, const char *number)
{
  const guint16 port = (guint16) (X11_PORT + g_ascii_strtoull (number, NULL, 10));

  return is_this_machine (server, (gsize) (number - 1 - server)) &&
         (has_stranger ("/proc/net/tcp", port) || has_stranger ("/proc/net/tcp6", port));
}

static gboolean
is_file_of_stranger (const char *path)
{
  struct stat status;

  return lstat (path, &status) == 0 && !clip_ownership_is_trusted (&status);
}

/* Programs take the first that answers: the name of the kernel's, the file, and then TCP,
 * where any user may listen. Below a compositor the first program that connects starts
 * the X server, which is not for us to do.
 * @number: of the X server, behind which may be a screen */
static gboolean
is_x_server_of_stranger (const char *number, gboolean has_compositor)
{
  g_autofree char *path =
      g_strdup_printf (X11_SOCKET "%.*s", (int) strspn (number, "0123456789"), number);
  Owner owner;

  if (has_compositor)
    return is_file_of_stranger (path);
  owner = owner_of_socket (path, TRUE);
  if (owner == NO_SERVER)
    owner = owner_of_socket (path, FALSE);
  return owner == STRANGER || (owner == NO_SERVER && is_on_tcp (number));
}

/* libxcb takes blanks, a sign, zeros and more digits, too: strtoul(3) */
static gboolean
is_plain (const char *number)
{
  const gsize n_digits = strspn (number, "0123456789");

  return n_digits > 0 && n_digits <= 5 && (n_digits == 1 || *number != '0');
}

/* @server: as in $DISPLAY. libxcb takes "unix/x:0", too, the path of a socket, and a
 * number in other ways: those are not looked at, and nothing needs them. */
static gboolean
is_server_of_stranger (const char *server, gboolean has_compositor)
{
  const char *number = strrchr (server, ':');

  if (strchr (server, '/') || (number && !is_plain (number + 1)))
    return TRUE;
  if (!number)
    return FALSE;
  return clip_display_name_is_remote (server)
             ? is_tunnel_of_stranger (server, number + 1)
             : is_x_server_of_stranger (number + 1, has_compositor);
}

/* @path: of its socket. A link of another user's may lead to a server of root's that
 * knows nothing of displays, and never answers. */
static Owner
owner_of_compositor (const char *path)
{
  if (g_file_test (path, G_FILE_TEST_IS_SYMLINK) && is_file_of_stranger (path))
    return STRANGER;
  return owner_of_socket (path, FALSE);
}

/**
 * clip_display_owner_stranger:
 *
 * Returns: (nullable): the display that the environment names, or a program takes that
 * is told of none, where neither its user nor root runs it; owned by the environment
 */
const char *
clip_display_owner_stranger (void)
{
  const char *named = g_getenv ("WAYLAND_DISPLAY");
  const char *wayland = named && *named ? named : DEFAULT_COMPOSITOR;
  const char *server = g_getenv ("DISPLAY");
  g_autofree char *path = clip_display_name_wayland (wayland);
  const Owner owner = owner_of_compositor (path);

  if (owner == STRANGER)
    return wayland;
  if (server && *server &&
      is_server_of_stranger (server, owner == OURS && wayland == named))
    return server;
  return NULL;
}
