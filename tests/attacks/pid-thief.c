/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pid-thief ROOT: a process in the sandbox of ROOT connects to the session bus and ends.
 * Says so, waits for a line, gives its number to a process outside, and calls over that
 * connection. Prints "ok" or the name of the error. "-" instead of ROOT: neither a
 * sandbox nor an end.
 */
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* the kernel counts the age of a process in ticks */
#define TICKS_LATER 3

G_GNUC_NORETURN static void
fail (const char *what)
{
  perror (what);
  exit (1);
}

/* who connects is whom the bus takes all that comes for */
G_GNUC_NORETURN static void
connect_and_stay (int socket_fd, int told_fd, const char *root)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  const char *path =
      strstr (getenv ("DBUS_SESSION_BUS_ADDRESS"), "path=") + strlen ("path=");

  g_strlcpy (address.sun_path, path,
             MIN (strcspn (path, ",") + 1, sizeof address.sun_path));
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (connect (socket_fd, (struct sockaddr *) &address, sizeof address) < 0 ||
      chroot (root) < 0 || write (told_fd, "x", 1) != 1)
    fail ("connect");
  for (;;)
    pause ();
}

static pid_t
connect_from_sandbox (int socket_fd, const char *root)
{
  int told[2];
  char byte;
  pid_t pid;

  if (pipe (told) < 0)
    fail ("pipe");
  pid = fork ();
  if (pid == 0)
    connect_and_stay (socket_fd, told[1], root);
  close (told[1]);
  if (pid < 0 || read (told[0], &byte, 1) != 1)
    fail ("fork");
  close (told[0]);
  return pid;
}

/* in ticks since the boot */
static guint64
birth_of (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    fail (path);
  words = g_strsplit (strrchr (text, ')'), " ", -1);
  return g_ascii_strtoull (words[20], NULL, 10);
}

/* of a process that begins now */
static guint64
birth_of_next (void)
{
  guint64 birth;
  pid_t pid = fork ();

  if (pid == 0)
    for (;;)
      pause ();
  if (pid < 0)
    fail ("fork");
  birth = birth_of (pid);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  return birth;
}

/* the next process gets that number */
static void
reuse (pid_t pid)
{
  FILE *file = fopen ("/proc/sys/kernel/ns_last_pid", "we");
  pid_t given;

  if (!file || fprintf (file, "%d", (int) pid - 1) < 0 || fclose (file) != 0)
    fail ("ns_last_pid");
  given = fork ();
  if (given == 0)
    {
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        pause ();
    }
  if (given != pid)
    {
      fprintf (stderr, "%d is not %d\n", (int) given, (int) pid);
      exit (1);
    }
}

static void
call (GDBusConnection *bus)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *remote = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      bus, "org.cliphist.History1", "/org/cliphist/History1", "org.cliphist.History1",
      "List", g_variant_new_parsed ("(@a{sv} {},)"), NULL,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, &error);

  if (!reply)
    remote = g_dbus_error_get_remote_error (error);
  puts (reply ? "ok" : remote ?: error->message);
}

/* no thread before the last fork */
int
main (int argc, char *argv[])
{
  const gboolean steals = argc == 2 && strcmp (argv[1], "-") != 0;
  int socket_fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  pid_t pid = connect_from_sandbox (socket_fd, steals ? argv[1] : "/");
  g_autoptr (GSocket) socket = g_socket_new_from_fd (socket_fd, NULL);
  g_autoptr (GSocketConnection) stream =
      g_socket_connection_factory_create_connection (socket);
  g_autoptr (GDBusConnection) bus =
      g_dbus_connection_new_sync (G_IO_STREAM (stream), NULL,
                                  G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                      G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                  NULL, NULL, NULL);
  const guint64 connected = birth_of_next ();
  char line[8];

  if (!bus)
    fail ("bus");
  puts ("connected");
  fflush (stdout);
  if (!fgets (line, sizeof line, stdin))
    fail ("stdin");
  if (steals)
    {
      while (birth_of_next () < connected + TICKS_LATER)
        ;
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);
      reuse (pid);
    }
  call (bus);
  return 0;
}
