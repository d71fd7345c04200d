/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Many at once, on one connection to the bus:
 *   crowd readers COUNT ID       COUNT calls of Send, each into a pipe that is drained
 *   crowd captures COUNT BYTES   COUNT calls of Store, each from a pipe that is filled
 *   crowd stalled COUNT ID       COUNT pipes from Open, unread until stdin ends
 *   crowd bare COUNT FILE        the yardstick: as readers, but each pipe gets FILE
 * All but `stalled` print the seconds that they took.
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
#define CHUNK_BYTES ((gsize) 256 * 1024)
#define PIPE_BYTES (1024 * 1024)

typedef struct
{
  GDBusConnection *bus;
  guint n_running; /* calls */
  GPtrArray *threads;
  int count;
} Crowd;

static void
make_pipe (int *out_reader, int *out_writer)
{
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    err (1, "pipe");
  *out_reader = fds[0];
  *out_writer = fds[1];
}

static void
splice_all (int source_fd, int sink_fd)
{
  ssize_t n;

  do
    n = splice (source_fd, NULL, sink_fd, NULL, CHUNK_BYTES, 0);
  while (n > 0);
  if (n < 0)
    err (1, "splice");
}

static gpointer
drain (gpointer data)
{
  int fd = GPOINTER_TO_INT (data);
  int null_fd = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  splice_all (fd, null_fd);
  close (null_fd);
  close (fd);
  return NULL;
}

typedef struct
{
  int source_fd;
  int sink_fd;
} Ends;

static gpointer
fill (gpointer data)
{
  g_autofree Ends *ends = data;

  fcntl (ends->sink_fd, F_SETPIPE_SZ, PIPE_BYTES);
  splice_all (ends->source_fd, ends->sink_fd);
  close (ends->source_fd);
  close (ends->sink_fd);
  return NULL;
}

static void
start (Crowd *self, GThreadFunc run, gpointer data)
{
  g_ptr_array_add (self->threads, g_thread_new ("peer", run, data));
}

static void
start_filling (Crowd *self, int source_fd, int sink_fd)
{
  Ends *ends = g_new (Ends, 1);

  *ends = (Ends){ .source_fd = source_fd, .sink_fd = sink_fd };
  start (self, fill, ends);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Crowd *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &error);

  if (!answer)
    errx (1, "%s", error->message);
  self->n_running--;
}

/* takes the descriptor: once the message is out, only the daemon has it */
static void
call (Crowd *self, const char *method, GVariant *body, int fd_take)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new_from_array (&fd_take, 1);

  self->n_running++;
  g_dbus_connection_call_with_unix_fd_list (self->bus, NAME, PATH, NAME, method, body,
                                            NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, fds,
                                            NULL, on_answer, self);
}

static GVariant *
no_options (void)
{
  return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0);
}

static void
send_to_reader (Crowd *self, const char *id)
{
  int reader, writer;

  make_pipe (&reader, &writer);
  start (self, drain, GINT_TO_POINTER (reader));
  call (self, "Send",
        g_variant_new ("(tsh@a{sv})", g_ascii_strtoull (id, NULL, 10), "", 0,
                       no_options ()),
        writer);
}

/* a content that is like no other, in memory */
static int
make_content (gsize size, int number)
{
  int fd = memfd_create ("content", MFD_CLOEXEC);
  g_autofree char *head =
      g_strdup_printf ("%d %" G_GINT64_FORMAT "\n", number, g_get_monotonic_time ());
  g_autofree char *block = g_malloc (CHUNK_BYTES);

  memset (block, 'x', CHUNK_BYTES);
  for (gsize at = 0; at < size; at += CHUNK_BYTES)
    if (pwrite (fd, block, MIN (CHUNK_BYTES, size - at), (off_t) at) < 0)
      err (1, "content");
  if (pwrite (fd, head, strlen (head), 0) < 0)
    err (1, "content");
  return fd;
}

static void
store_content (Crowd *self, int content_fd)
{
  g_autoptr (GVariantBuilder) contents = g_variant_builder_new (G_VARIANT_TYPE ("a(sh)"));
  int reader, writer;

  make_pipe (&reader, &writer);
  start_filling (self, content_fd, writer);
  g_variant_builder_add (contents, "(sh)", "text/plain;charset=utf-8", 0);
  call (self, "Store", g_variant_new ("(a(sh)@a{sv})", contents, no_options ()), reader);
}

static void
splice_to_reader (Crowd *self, const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  int reader, writer;

  if (fd < 0)
    err (1, "open %s", path);
  make_pipe (&reader, &writer);
  start (self, drain, GINT_TO_POINTER (reader));
  start_filling (self, fd, writer);
}

static void
finish (Crowd *self)
{
  while (self->n_running > 0)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < self->threads->len; i++)
    g_thread_join (g_ptr_array_index (self->threads, i));
}

static void
stall (Crowd *self, const char *id)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  char byte;

  for (int i = 0; i < self->count; i++)
    {
      g_autoptr (GError) error = NULL;
      GUnixFDList *pipes = NULL;
      g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_sync (
          self->bus, NAME, PATH, NAME, "Open",
          g_variant_new ("(ts@a{sv})", g_ascii_strtoull (id, NULL, 10), "",
                         no_options ()),
          NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &pipes, NULL, &error);

      if (!answer)
        errx (1, "%s", error->message);
      g_ptr_array_add (kept, pipes);
    }
  puts ("ready");
  fflush (stdout);
  while (read (STDIN_FILENO, &byte, 1) > 0)
    continue;
}

static void
run (Crowd *self, const char *task, const char *what)
{
  g_autofree int *contents = g_new (int, (gsize) self->count);
  gboolean captures = strcmp (task, "captures") == 0;
  gint64 start_us;

  for (int i = 0; captures && i < self->count; i++)
    contents[i] = make_content (g_ascii_strtoull (what, NULL, 10), i);
  start_us = g_get_monotonic_time ();
  for (int i = 0; i < self->count; i++)
    if (captures)
      store_content (self, contents[i]);
    else if (strcmp (task, "readers") == 0)
      send_to_reader (self, what);
    else
      splice_to_reader (self, what);
  finish (self);
  printf ("%.6f\n", (double) (g_get_monotonic_time () - start_us) / G_USEC_PER_SEC);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GError) error = NULL;
  Crowd crowd = { 0 };

  if (argc != 4)
    errx (2, "usage: crowd readers|captures|stalled|bare COUNT ID|BYTES|FILE");
  crowd.count = atoi (argv[2]);
  crowd.threads = g_ptr_array_new ();
  crowd.bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (!crowd.bus)
    errx (1, "%s", error->message);
  if (strcmp (argv[1], "stalled") == 0)
    stall (&crowd, argv[3]);
  else
    run (&crowd, argv[1], argv[3]);
  return 0;
}
