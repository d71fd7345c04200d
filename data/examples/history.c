/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clipboard history from a program of your own, in C.
 *
 *   cc history.c -o history $(pkg-config --cflags --libs gio-unix-2.0)
 *
 *   history list            the newest entries: id, class, size, preview
 *   history follow          what is added, moved, removed, changed, until ^C
 *   history read ID [TYPE]  a content, on standard output
 *   history store [TYPE]    standard input becomes an entry; prints its id
 *   history select ID       puts an entry on the clipboard
 *
 * A content never travels in a message. "read" gets a pipe that the daemon fills, "store"
 * sends its own standard input along, which the daemon reads.
 */
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAME "org.cliphist.History1"
#define PATH "/org/cliphist/History1"

/* what is stored, read or sent may be large: no time-out */
static GVariant *
call (GDBusConnection *bus,
      const char *method,
      GVariant *arguments,
      GUnixFDList *send,
      GUnixFDList **receive,
      GError **error)
{
  return g_dbus_connection_call_with_unix_fd_list_sync (
      bus, NAME, PATH, NAME, method, arguments, NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
      send, receive, NULL, error);
}

static gboolean
list (GDBusConnection *bus, GError **error)
{
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariantIter) entries = NULL;
  GVariant *entry;

  /* for more, ask again with "before" set to the last id, until a page is empty */
  reply = call (bus, "List", g_variant_new_parsed ("({'limit': <uint32 20>},)"), NULL,
                NULL, error);
  if (!reply)
    return FALSE;
  g_variant_get (reply, "(aa{sv})", &entries);
  while ((entry = g_variant_iter_next_value (entries)))
    {
      guint64 id = 0, size = 0;
      const char *class = "", *preview = "";

      g_variant_lookup (entry, "id", "t", &id);
      g_variant_lookup (entry, "size", "t", &size);
      g_variant_lookup (entry, "class", "&s", &class);
      g_variant_lookup (entry, "preview", "&s", &preview);
      printf ("%" G_GUINT64_FORMAT "\t%s\t%" G_GUINT64_FORMAT "\t%s\n", id, class, size,
              preview);
      g_variant_unref (entry);
    }
  return TRUE;
}

static void
on_signal (GDBusConnection *bus,
           const char *sender,
           const char *path,
           const char *interface,
           const char *name,
           GVariant *arguments,
           gpointer user_data)
{
  g_autofree char *text = g_variant_print (arguments, FALSE);

  printf ("%s %s\n", name, text);
  fflush (stdout);
}

/* the match is there when the bus has answered something that was asked after it */
static gboolean
follow (GDBusConnection *bus, GError **error)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GVariant) reply = NULL;

  g_dbus_connection_signal_subscribe (bus, NAME, NAME, NULL, PATH, NULL,
                                      G_DBUS_SIGNAL_FLAGS_NONE, on_signal, NULL, NULL);
  reply = call (bus, "List", g_variant_new_parsed ("({'limit': <uint32 1>},)"), NULL,
                NULL, error);
  if (!reply)
    return FALSE;
  puts ("following");
  fflush (stdout);
  g_main_loop_run (loop);
  return TRUE;
}

static gboolean
copy_to_stdout (int fd, guint64 *out_bytes)
{
  char buffer[65536];
  ssize_t n;

  *out_bytes = 0;
  while ((n = read (fd, buffer, sizeof buffer)) > 0)
    {
      *out_bytes += (guint64) n;
      if (fwrite (buffer, 1, (size_t) n, stdout) != (size_t) n)
        return FALSE;
    }
  return n == 0 && fflush (stdout) == 0;
}

/* @type: "" for the primary one; Lookup says which there are */
static gboolean
read_content (GDBusConnection *bus, guint64 id, const char *type, GError **error)
{
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = NULL;
  guint64 size, got;
  gint32 handle;
  int fd;
  gboolean good;

  reply =
      call (bus, "Open", g_variant_new ("(tsa{sv})", id, type, NULL), NULL, &fds, error);
  if (!reply)
    return FALSE;
  g_variant_get (reply, "(hts)", &handle, &size, NULL);
  fd = g_unix_fd_list_get (fds, handle, error);
  if (fd < 0)
    return FALSE;
  good = copy_to_stdout (fd, &got);
  close (fd);
  /* fewer bytes than announced are not the content: it is damaged, or the daemon has
     ended */
  if (good && got == size)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "only %" G_GUINT64_FORMAT " bytes",
               got);
  return FALSE;
}

/* @type: "" is found out from the bytes. Several types of one copy are several pairs */
static gboolean
store (GDBusConnection *bus, const char *type, GError **error)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) details = NULL;
  GVariantBuilder contents;
  const char *dropped = NULL;
  guint64 id;

  g_variant_builder_init (&contents, G_VARIANT_TYPE ("a(sh)"));
  g_variant_builder_add (&contents, "(sh)", type,
                         g_unix_fd_list_append (fds, STDIN_FILENO, error));
  reply = call (bus, "Store", g_variant_new ("(a(sh)a{sv})", &contents, NULL), fds, NULL,
                error);
  if (!reply)
    return FALSE;
  g_variant_get (reply, "(t@a{sv})", &id, &details);
  if (id)
    printf ("%" G_GUINT64_FORMAT "\n", id);
  else if (g_variant_lookup (details, "dropped", "&s", &dropped))
    fprintf (stderr, "not kept: %s\n", dropped);
  return TRUE;
}

static gboolean
select_entry (GDBusConnection *bus, guint64 id, GError **error)
{
  g_autoptr (GVariant) reply =
      call (bus, "Select", g_variant_new ("(ta{sv})", id, NULL), NULL, NULL, error);

  return reply != NULL;
}

static gboolean
run (GDBusConnection *bus, int argc, char *argv[], GError **error)
{
  const char *verb = argc > 1 ? argv[1] : "";
  const char *word = argc > 2 ? argv[2] : "";

  if (strcmp (verb, "list") == 0)
    return list (bus, error);
  if (strcmp (verb, "follow") == 0)
    return follow (bus, error);
  if (strcmp (verb, "read") == 0)
    return read_content (bus, g_ascii_strtoull (word, NULL, 10), argc > 3 ? argv[3] : "",
                         error);
  if (strcmp (verb, "store") == 0)
    return store (bus, word, error);
  if (strcmp (verb, "select") == 0)
    return select_entry (bus, g_ascii_strtoull (word, NULL, 10), error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "list | follow | read ID [TYPE] | store [TYPE] | select ID");
  return FALSE;
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);

  if (bus && run (bus, argc, argv, &error))
    return 0;
  /* the name says what to do, the text is for people */
  if (g_dbus_error_is_remote_error (error))
    {
      g_autofree char *name = g_dbus_error_get_remote_error (error);

      g_dbus_error_strip_remote_error (error);
      fprintf (stderr, "%s: %s\n", name, error->message);
    }
  else
    fprintf (stderr, "%s\n", error->message);
  return 1;
}
