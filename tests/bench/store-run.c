/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * store-run CALLS FILE: how long a program that is on the bus already waits until the
 * daemon has stored a text of its, one call after the other. After each of them
 * bare-server is called, which makes as much durable and does nothing else: what anybody
 * waits for then is the bus, the machine and the disk. Then 4 KiB are written to FILE and
 * synced: that is the disk. One line for each three, in microseconds: Store, bare Store,
 * write and fdatasync.
 */
#include <err.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NAME "org.cliphist.History1"
#define PATH "/org/cliphist/History1"
#define BARE_NAME "org.cliphist.Bare1"
#define BARE_PATH "/org/cliphist/Bare1"

#define PAGE_BYTES 4096

/* 150 bytes that nobody has stored */
static GUnixFDList *
make_text (int number)
{
  g_autofree char *text = g_strdup_printf ("%06d %016" G_GINT64_MODIFIER "x %0125d\n",
                                           number, g_get_real_time (), 0);
  int fd = memfd_create ("text", MFD_CLOEXEC);

  if (fd < 0 || write (fd, text, strlen (text)) < 0 || lseek (fd, 0, SEEK_SET) < 0)
    err (1, "text");
  return g_unix_fd_list_new_from_array (&fd, 1);
}

static gint64
store (GDBusConnection *bus, const char *name, const char *path, int number)
{
  g_autoptr (GUnixFDList) list = make_text (number);
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_sync (
      bus, name, path, name, "Store",
      g_variant_new_parsed ("([('text/plain', handle 0)], @a{sv} {})"), NULL,
      G_DBUS_CALL_FLAGS_NONE, -1, list, NULL, NULL, &error);

  if (!answer)
    errx (1, "Store: %s", error->message);
  return g_get_monotonic_time () - start_us;
}

static gint64
write_page (int fd)
{
  static const char page[PAGE_BYTES];
  gint64 start_us = g_get_monotonic_time ();

  if (pwrite (fd, page, sizeof page, 0) != sizeof page || fdatasync (fd) < 0)
    err (1, "write");
  return g_get_monotonic_time () - start_us;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = NULL;
  int fd;

  if (argc != 3)
    errx (2, "usage: store-run CALLS FILE");
  fd = open (argv[2], O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    err (1, "%s", argv[2]);
  bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (!bus)
    errx (1, "%s", error->message);
  for (int left = atoi (argv[1]); left > 0; left--)
    {
      gint64 ours_us = store (bus, NAME, PATH, left);
      gint64 bare_us = store (bus, BARE_NAME, BARE_PATH, left);

      printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", ours_us,
              bare_us, write_page (fd));
    }
  return 0;
}
