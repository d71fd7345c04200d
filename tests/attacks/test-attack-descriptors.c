/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors that never answer. What holds here holds for a file system that has lost
 * its server, too. The file is served by this program, so nothing of it is touched here
 * while the daemon is held.
 */
#include "bus-fixture.h"
#include "clip-fd.h"
#include "clip-paths.h"
#include "hostile-file.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define FLAGS G_DBUS_CALL_FLAGS_NONE
#define SOON_MS 10000
#define MANY 8

/* with four connections each: GLib's pool of threads grows to so many in a minute */
#define N_CALLERS 25

/* a query */
#define NOTHING "(@a{sv} {},)"

static const char *caller_path;

typedef struct
{
  BusFixture *bus;
  HostileFile *file;
} Attack;

typedef struct
{
  gboolean has_ended;
  char *error; /* (nullable): the name of it */
} Call;

static void
on_called (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Call *call = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply G_GNUC_UNUSED =
      g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (source), NULL,
                                                       result, &error);

  call->has_ended = TRUE;
  call->error = error ? g_dbus_error_get_remote_error (error) : NULL;
}

static void
begin (BusFixture *self, const char *method, GVariant *parameters, int fd, Call *call)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();

  *call = (Call){ 0 };
  g_assert_cmpint (g_unix_fd_list_append (fds, fd, NULL), ==, 0);
  g_dbus_connection_call_with_unix_fd_list (
      self->connection, CLIP_BUS_NAME, CLIP_BUS_PATH, CLIP_BUS_NAME, method, parameters,
      NULL, FLAGS, G_MAXINT, fds, NULL, on_called, call);
}

static GVariant *
store_call (void)
{
  return g_variant_new_parsed ("([('text/plain', @h 0)], @a{sv} {})");
}

static GVariant *
stream_call (void)
{
  return g_variant_new_parsed ("(@h 0, @a{sv} {})");
}

/* what only the main loop can answer */
static void
assert_answers (BusFixture *self)
{
  g_autoptr (GVariant) entries = NULL;
  g_autoptr (GError) error = NULL;

  clip_dbus_history_call_list_sync (self->proxy, g_variant_new ("a{sv}", NULL), FLAGS,
                                    SOON_MS, &entries, NULL, &error);
  g_assert_no_error (error);
}

static void
store_piped (BusFixture *self, gsize length)
{
  g_autofree char *data = g_strnfill (length, 'p');
  clip_autofd int reader = -1;
  int fds[2];
  Call call;

  g_assert_true (clip_pipe (fds, NULL));
  reader = fds[0];
  begin (self, "Store", store_call (), reader, &call);
  g_dbus_connection_flush_sync (self->connection, NULL, NULL);
  clip_fd_clear (&reader);
  g_assert_true (clip_write_all (fds[1], data, length, NULL));
  close (fds[1]);
  wait_until (call.has_ended);
  g_assert_cmpstr (call.error, ==, NULL);
}

static gboolean
set_up (Attack *attack, BusFixture *self)
{
  const char *missing = NULL;

  *attack = (Attack){ .bus = self, .file = hostile_file_new (self->dir, &missing) };
  if (attack->file)
    return TRUE;
  g_test_skip (missing);
  return FALSE;
}

static void
hold (Attack *attack, HostileCalls calls)
{
  hostile_file_hold (attack->file, calls,
                     g_subprocess_get_identifier (attack->bus->daemon));
}

/* the file goes first: the kernel lets no thread end that waits for it */
static void
tear_down (Attack *attack, Call *calls, guint n)
{
  hostile_file_free (attack->file);
  for (guint i = 0; i < n; i++)
    {
      wait_until (calls[i].has_ended);
      g_free (calls[i].error);
    }
}

static void
test_looks (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = -1;
  Attack attack;
  Call calls[3];

  if (!set_up (&attack, self))
    return;
  fd = hostile_file_open (attack.file);
  hold (&attack, HOSTILE_LOOKS);
  begin (self, "Store", store_call (), fd, &calls[0]);
  begin (self, "Import", stream_call (), fd, &calls[1]);
  begin (self, "Print", g_variant_new_parsed ("(@a{sv} {}, @h 0)"), fd, &calls[2]);
  assert_answers (self);
  store_piped (self, 1024 * 1024);
  tear_down (&attack, calls, G_N_ELEMENTS (calls));
}

static void
test_reads (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = -1;
  Attack attack;
  Call calls[2 * MANY];

  if (!set_up (&attack, self))
    return;
  fd = hostile_file_open (attack.file);
  hold (&attack, HOSTILE_READS);
  for (guint i = 0; i < MANY; i++)
    begin (self, "Store", store_call (), fd, &calls[i]);
  for (guint i = MANY; i < 2 * MANY; i++)
    begin (self, "Import", stream_call (), fd, &calls[i]);
  wait_until (hostile_file_n_held (attack.file) > 0);
  assert_answers (self);
  store_piped (self, 1024 * 1024);
  tear_down (&attack, calls, G_N_ELEMENTS (calls));
}

static gpointer
read_on_thread (gpointer data)
{
  char byte;

  (void) !read (GPOINTER_TO_INT (data), &byte, 1);
  return NULL;
}

/* who reads from a description of a file holds a lock that lseek(2) takes */
static void
test_position (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *ourselves = g_strdup_printf ("%d", getpid ());
  clip_autofd int fd = -1;
  GThread *reader;
  Attack attack;
  Call calls[2];

  if (!set_up (&attack, self))
    return;
  fd = hostile_file_open (attack.file);
  hostile_file_hold (attack.file, HOSTILE_READS, ourselves);
  reader = g_thread_new ("reader", read_on_thread, GINT_TO_POINTER (fd));
  wait_until (hostile_file_n_held (attack.file) == 1);
  begin (self, "Store", store_call (), fd, &calls[0]);
  begin (self, "Import", stream_call (), fd, &calls[1]);
  assert_answers (self);
  store_piped (self, 1024 * 1024);
  tear_down (&attack, calls, G_N_ELEMENTS (calls));
  g_thread_join (reader);
}

static void
test_closes (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = -1;
  Attack attack;
  Call calls[3];

  if (!set_up (&attack, self))
    return;
  fd = hostile_file_open (attack.file);
  hold (&attack, HOSTILE_CLOSES);
  begin (self, "Store", store_call (), fd, &calls[0]);
  begin (self, "Import", stream_call (), fd, &calls[1]);
  begin (self, "Lookup", g_variant_new ("(t)", (guint64) 1), fd, &calls[2]);
  wait_until (hostile_file_n_held (attack.file) > 0);
  assert_answers (self);
  store_piped (self, 1024 * 1024);
  tear_down (&attack, calls, G_N_ELEMENTS (calls));
}

/* to a call that we have not made */
static GDBusMessage *
make_answer (GDBusMessageType type, guint32 serial)
{
  GDBusMessage *answer = g_dbus_message_new ();

  g_dbus_message_set_message_type (answer, type);
  g_dbus_message_set_reply_serial (answer, serial);
  if (type == G_DBUS_MESSAGE_TYPE_ERROR)
    g_dbus_message_set_error_name (answer, "org.example.Error");
  return answer;
}

/* nothing of it is for us, but the descriptor has come */
static GDBusMessage *
make_message (guint which)
{
  switch (which)
    {
    case 0:
      return g_dbus_message_new_signal (CLIP_BUS_PATH, "org.example", "Any");
    case 1:
      return g_dbus_message_new_method_call (CLIP_BUS_NAME, "/nowhere", "org.example",
                                             "Any");
    case 2:
      return g_dbus_message_new_method_call (CLIP_BUS_NAME, CLIP_BUS_PATH,
                                             "org.freedesktop.DBus.Peer", "Ping");
    case 3:
      return g_dbus_message_new_method_call (CLIP_BUS_NAME, CLIP_BUS_PATH "/Runner",
                                             "org.kde.krunner1", "Teardown");
    case 4:
      return make_answer (G_DBUS_MESSAGE_TYPE_ERROR, 123456);
    case 5:
      return make_answer (G_DBUS_MESSAGE_TYPE_METHOD_RETURN, 123456);
    case 6:
      return make_answer (G_DBUS_MESSAGE_TYPE_METHOD_RETURN, 1);
    default:
      return NULL;
    }
}

static void
test_closes_any (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = -1;
  GDBusMessage *message;
  Attack attack;
  guint n = 0;

  if (!set_up (&attack, self))
    return;
  fd = hostile_file_open (attack.file);
  hold (&attack, HOSTILE_CLOSES);
  for (; (message = make_message (n)); n++)
    {
      g_autoptr (GDBusMessage) owned G_GNUC_UNUSED = message;
      g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();

      g_assert_cmpint (g_unix_fd_list_append (fds, fd, NULL), ==, 0);
      g_dbus_message_set_destination (message, CLIP_BUS_NAME);
      g_dbus_message_set_unix_fd_list (message, fds);
      g_assert_true (g_dbus_connection_send_message (
          self->connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL));
    }
  assert_answers (self);
  wait_until (hostile_file_n_held (attack.file) == n);
  store_piped (self, 1024 * 1024);
  tear_down (&attack, NULL, 0);
}

/* where what tells a sandbox from the host would be */
static char *
mount_as_info (Attack *attack)
{
  char *root = g_build_filename (attack->bus->dir, "root", NULL);
  g_autofree char *info = g_build_filename (root, ".flatpak-info", NULL);

  g_assert_cmpint (mkdir (root, 0755), ==, 0);
  g_assert_true (g_file_set_contents (info, "", 0, NULL));
  hostile_file_show_at (attack->file, info);
  return root;
}

/* with no right to gain privileges. @query: of List, on each of @n connections */
static GSubprocess *
start_caller (BusFixture *self, const char *root, const char *query, const char *n)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GError) error = NULL;
  GSubprocess *caller;

  g_subprocess_launcher_setenv (launcher, "DBUS_SESSION_BUS_ADDRESS",
                                g_test_dbus_get_bus_address (self->bus), TRUE);
  caller = g_subprocess_launcher_spawn (launcher, &error, caller_path, root, "shown",
                                        CLIP_BUS_NAME ".List", query, n, NULL);
  g_assert_no_error (error);
  return caller;
}

static void
end_caller (gpointer data)
{
  g_autoptr (GSubprocess) caller = data;

  g_subprocess_force_exit (caller);
  g_subprocess_wait (caller, NULL, NULL);
}

/* each look at a caller waits for ever, and nothing else does: of one process there are
 * four, and sixty-four wait for them */
static void
test_looks_at_callers (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GPtrArray) callers = g_ptr_array_new_with_free_func (end_caller);
  g_autoptr (GSubprocess) last = NULL;
  g_autofree char *root = NULL, *said = NULL;
  Attack attack;

  if (!set_up (&attack, self))
    return;
  root = mount_as_info (&attack);
  hold (&attack, HOSTILE_READS);
  for (guint i = 0; i < N_CALLERS; i++)
    g_ptr_array_add (callers, start_caller (self, root, NOTHING, "4"));
  wait_until (hostile_file_n_held (attack.file) == N_CALLERS * 4);
  assert_answers (self);
  store_piped (self, 1024 * 1024);
  last = start_caller (self, root, NOTHING, "69");
  g_assert_true (g_subprocess_communicate_utf8 (last, NULL, NULL, &said, NULL, NULL));
  g_assert_cmpstr (said, ==, "org.cliphist.History1.Error.Limits\n");
  /* (their threads may not have come there yet) */
  wait_until (hostile_file_n_held (attack.file) >= (N_CALLERS + 1) * 4);
  g_assert_cmpint (hostile_file_n_held (attack.file), ==, (N_CALLERS + 1) * 4);
  g_ptr_array_set_size (callers, 0);
  tear_down (&attack, NULL, 0);
}

/* their messages stay for as long */
static void
test_looks_hold_little (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *bytes = g_strnfill (100000, 'x');
  g_autofree char *query = g_strdup_printf ("({'key': <'%s'>},)", bytes);
  g_autoptr (GSubprocess) caller = NULL;
  g_autofree char *root = NULL, *said = NULL;
  Attack attack;

  if (!set_up (&attack, self))
    return;
  root = mount_as_info (&attack);
  hold (&attack, HOSTILE_READS);
  caller = start_caller (self, root, query, "60");
  g_assert_true (g_subprocess_communicate_utf8 (caller, NULL, NULL, &said, NULL, NULL));
  g_assert_cmpstr (said, ==, "org.cliphist.History1.Error.Limits\n");
  tear_down (&attack, NULL, 0);
}

/* who has more connections than are looked at is only slower */
static void
test_looks_in_turn (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GSubprocess) caller = NULL;
  g_autofree char *root = NULL, *said = NULL;
  Attack attack;

  if (!set_up (&attack, self))
    return;
  root = mount_as_info (&attack);
  hold (&attack, HOSTILE_READS);
  caller = start_caller (self, root, NOTHING, "12");
  wait_until (hostile_file_n_held (attack.file) == 4);
  tear_down (&attack, NULL, 0);
  g_assert_true (g_subprocess_communicate_utf8 (caller, NULL, NULL, &said, NULL, NULL));
  g_assert_cmpstr (said, ==, "org.cliphist.History1.Error.Sandboxed\n");
}

static void
assert_refused (BusFixture *self, const char *method, GVariant *parameters, int fd)
{
  Call call;

  begin (self, method, parameters, fd, &call);
  wait_until (call.has_ended);
  g_assert_cmpstr (call.error, ==, "org.cliphist.History1.Error.InvalidArgument");
  g_free (call.error);
}

/* poll(2) says that it can be read, and a read waits for ever */
static int
open_userfaultfd (void)
{
  struct uffdio_api api = { .api = UFFD_API };
  int fd = (int) syscall (SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);

  if (fd >= 0)
    g_assert_cmpint (ioctl (fd, UFFDIO_API, &api), ==, 0);
  return fd;
}

static void
test_userfaultfd (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const methods[] = { "Import", "Store" };
  clip_autofd int fd = open_userfaultfd ();

  if (fd < 0)
    {
      g_test_skip ("this kernel has no userfaultfd(2)");
      return;
    }
  for (guint i = 0; i < 64; i++)
    assert_refused (self, methods[i % 2], i % 2 == 0 ? stream_call () : store_call (),
                    fd);
}

/* who shares it has its locks, which to ask what it is waits for as well */
static void
test_terminal (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
  clip_autofd int slave = -1;

  g_assert_cmpint (grantpt (master), ==, 0);
  g_assert_cmpint (unlockpt (master), ==, 0);
  slave = open (ptsname (master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  g_assert_cmpint (slave, >=, 0);
  store_piped (self, 1);
  for (guint i = 0; i < 2; i++)
    {
      const int fd = i == 0 ? slave : master;

      assert_refused (self, "Import", stream_call (), fd);
      assert_refused (self, "Store", store_call (), fd);
      assert_refused (self, "Print", g_variant_new_parsed ("(@a{sv} {}, @h 0)"), fd);
      assert_refused (self, "Send",
                      g_variant_new_parsed ("(uint64 1, '', @h 0, @a{sv} {})"), fd);
      assert_refused (self, "Join", g_variant_new_parsed ("(@at [1], @h 0, @a{sv} {})"),
                      fd);
    }
}

/* another reader of a pipe, that goes once it has taken so many bytes */
#define TAKEN 20

typedef struct
{
  int fd;
  gint n; /* atomic */
} SecondReader;

static gpointer
take_some (gpointer data)
{
  SecondReader *self = data;
  char byte;

  while (g_atomic_int_get (&self->n) < TAKEN)
    if (read (self->fd, &byte, 1) == 1)
      g_atomic_int_inc (&self->n);
  return NULL;
}

static gboolean
is_empty (int fd)
{
  int n = 0;

  g_assert_cmpint (ioctl (fd, FIONREAD, &n), ==, 0);
  return n == 0;
}

/* both wake up for each byte, and one of them gets it: the last one the other reader. Who
 * reads what poll(2) has seen, and waits for it, waits for ever then. */
static void
race (BusFixture *self, int reader, int writer)
{
  SecondReader second = { .fd = reader };
  GThread *thread;

  g_assert_true (clip_write_all (writer, "x", 1, NULL));
  g_dbus_connection_flush_sync (self->connection, NULL, NULL);
  wait_until (is_empty (reader)); /* the daemon reads */
  thread = g_thread_new ("second-reader", take_some, &second);
  while (g_atomic_int_get (&second.n) < TAKEN)
    if (is_empty (reader))
      g_assert_true (clip_write_all (writer, "x", 1, NULL));
  g_thread_join (thread);
}

static gboolean
has_stream_thread (BusFixture *self)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/task", g_subprocess_get_identifier (self->daemon));
  g_autoptr (GDir) tasks = g_dir_open (path, 0, NULL);
  gboolean has_one = FALSE;
  const char *name;

  while ((name = g_dir_read_name (tasks)))
    {
      g_autofree char *file = g_build_filename (path, name, "comm", NULL);
      g_autofree char *comm = NULL;

      has_one |= g_file_get_contents (file, &comm, NULL, NULL) &&
                 g_str_equal (comm, "clip-stream\n");
    }
  return has_one;
}

static void
test_second_reader (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_build_filename (self->dir, "pipe", NULL);
  GDBusConnection *kept = self->connection;
  g_autoptr (GDBusConnection) leaver = bus_fixture_connect (self);
  Call calls[MANY];
  int readers[MANY], writers[MANY];

  self->connection = leaver;
  for (guint i = 0; i < MANY; i++)
    {
      g_assert_cmpint (mkfifo (path, 0600), ==, 0);
      readers[i] = open (path, O_RDWR | O_CLOEXEC);
      writers[i] = open (path, O_WRONLY | O_CLOEXEC);
      g_assert_cmpint (unlink (path), ==, 0);
      begin (self, "Import", stream_call (), readers[i], &calls[i]);
      race (self, readers[i], writers[i]);
    }
  self->connection = kept;
  assert_answers (self);
  /* their caller leaves: what waits for a byte could not end */
  g_dbus_connection_close_sync (leaver, NULL, NULL);
  wait_until (!has_stream_thread (self));
  for (guint i = 0; i < MANY; i++)
    {
      wait_until (calls[i].has_ended);
      g_free (calls[i].error);
      close (readers[i]);
      close (writers[i]);
    }
}

/* one that has no size before it is read, as those of the kernel */
static void
test_larger (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *text = NULL;
  g_autoptr (GVariant) entry = NULL;
  g_autoptr (GError) error = NULL;
  clip_autofd int fd = open ("/proc/filesystems", O_RDONLY | O_CLOEXEC);
  gsize length;
  guint64 size = 0;
  Call call;

  g_assert_true (g_file_get_contents ("/proc/filesystems", &text, &length, NULL));
  begin (self, "Store", store_call (), fd, &call);
  wait_until (call.has_ended);
  g_assert_cmpstr (call.error, ==, NULL);
  clip_dbus_history_call_lookup_sync (self->proxy, 1, FLAGS, SOON_MS, &entry, NULL,
                                      &error);
  g_assert_no_error (error);
  g_variant_lookup (entry, "size", "t", &size);
  g_assert_cmpuint (size, ==, length);
}

/* nor does it get past a limit */
static void
test_larger_than_may_be (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = open ("/proc/filesystems", O_RDONLY | O_CLOEXEC);
  g_autoptr (GVariant) entry = NULL;
  Call call;

  begin (
      self, "Store",
      g_variant_new_parsed ("([('text/plain', @h 0)], {'max-store-size': <int64 16>})"),
      fd, &call);
  wait_until (call.has_ended);
  g_assert_cmpstr (call.error, ==, NULL);
  g_assert_false (clip_dbus_history_call_lookup_sync (self->proxy, 1, FLAGS, SOON_MS,
                                                      &entry, NULL, NULL));
}

/* it would stop threads that cannot be stopped, to look for leaks as the daemon ends */
static void
forget_leaks (void)
{
  const char *given = g_getenv ("ASAN_OPTIONS");
  g_autofree char *options = g_strconcat (given ?: "", ":detect_leaks=0", NULL);

  g_setenv ("ASAN_OPTIONS", options, TRUE);
}

int
main (int argc, char *argv[])
{
  g_assert_cmpint (argc, >, 2);
  caller_path = argv[--argc];
  argv[argc] = NULL;
  forget_leaks ();
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/descriptors/file-that-cannot-be-looked-at", test_looks);
  bus_fixture_add ("/attack/descriptors/file-that-cannot-be-read", test_reads);
  bus_fixture_add ("/attack/descriptors/file-that-somebody-reads", test_position);
  bus_fixture_add ("/attack/descriptors/file-that-cannot-be-closed", test_closes);
  bus_fixture_add ("/attack/descriptors/file-that-cannot-be-closed-in-any-message",
                   test_closes_any);
  bus_fixture_add ("/attack/descriptors/file-that-is-larger-than-it-says", test_larger);
  bus_fixture_add ("/attack/descriptors/file-that-is-larger-than-may-be",
                   test_larger_than_may_be);
  bus_fixture_add ("/attack/descriptors/file-that-tells-who-calls",
                   test_looks_at_callers);
  bus_fixture_add ("/attack/descriptors/file-that-tells-who-calls,-and-large-calls",
                   test_looks_hold_little);
  bus_fixture_add ("/attack/descriptors/file-that-tells-who-calls,-late",
                   test_looks_in_turn);
  bus_fixture_add ("/attack/descriptors/userfaultfd", test_userfaultfd);
  bus_fixture_add ("/attack/descriptors/terminal", test_terminal);
  bus_fixture_add ("/attack/descriptors/pipe-with-a-second-reader", test_second_reader);
  return g_test_run ();
}
