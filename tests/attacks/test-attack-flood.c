/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that calls and calls, and one beside it that wants a list. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define CALLS "40000"

/* of which these wait: their messages, and the answers of those that are served */
#define MOST_KIB (64 * 1024)

/* below the limit of calls that wait */
#define N_LARGE 280

/* of eight pages, each of them as entries, as an answer and on its way */
#define MOST_LARGE_KIB (160 * 1024)

/* pages that would have 130 MB */
#define PAGE_BYTES (2 * 1024 * 1024)
#define N_UNREAD 50
#define MOST_UNREAD_BYTES (32 * 1024 * 1024)

/* together they would have 125 MB; this bus takes no more than 127 */
#define N_DEAF 16
#define MOST_OF_ALL_BYTES (90 * 1024 * 1024)

/* eight pages of each, which would be all that this bus takes; of this process, what may
 * be unread, what was sent while the bus was asked, and what was on its way by then:
 * eight pages each time */
#define N_NEW 12
#define MOST_OF_NEW_BYTES ((32 + 2 * 8 * 3) * 1024 * 1024)

static const char *flooder;

static GSubprocess *
start_flooder (BusFixture *self)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, flooder,
                        g_test_dbus_get_bus_address (self->bus), CALLS, NULL);

  g_assert_no_error (error);
  return process;
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **said = user_data;

  g_assert_true (g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result,
                                                       said, NULL, NULL));
}

static gint64
list (BusFixture *self)
{
  g_autoptr (GVariant) entries = NULL;
  g_autoptr (GError) error = NULL;
  const gint64 begun_us = g_get_monotonic_time ();

  clip_dbus_history_call_list_sync (self->proxy, g_variant_new ("a{sv}", NULL),
                                    G_DBUS_CALL_FLAGS_NONE, G_MAXINT, &entries, NULL,
                                    &error);
  g_assert_no_error (error);
  return g_get_monotonic_time () - begun_us;
}

/* the most that the daemon ever had, in KiB */
static guint64
peak (BusFixture *self)
{
  g_autofree char *path =
      g_strdup_printf ("/proc/%s/status", g_subprocess_get_identifier (self->daemon));
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "VmHWM:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10);
}

/* what takes longer to answer than to send */
static void
fill (BusFixture *self)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      bus_fixture_store_text (self, text);
    }
}

static void
test_flood (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GSubprocess) process = NULL;
  g_autofree char *said = NULL;
  gint64 longest_us = 0;
  guint64 before;
  int n_refused, n_refused_later;

  fill (self);
  before = peak (self);
  process = start_flooder (self);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, on_ended, &said);
  while (!said)
    {
      longest_us = MAX (longest_us, list (self));
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  g_test_message ("another waited %.1f ms, and it took %" G_GUINT64_FORMAT " KiB",
                  (double) longest_us / 1000, peak (self) - before);
  g_assert_cmpint (sscanf (said, "%d refused\n%d", &n_refused, &n_refused_later), ==, 2);
  g_assert_cmpint (n_refused, >, 0);
  g_assert_cmpint (n_refused_later, ==, 0);
  if (BUS_FIXTURE_IS_MEASURABLE)
    g_assert_cmpuint (peak (self) - before, <=, MOST_KIB);
}

/* as many and as long as the limits let them be: a page of these entries has 2.6 MB */
static void
tag_all (BusFixture *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) tags = NULL;

  for (guint i = 0; i < 256; i++)
    {
      g_autofree char *tag = g_strdup_printf ("%0253u", i);

      g_strv_builder_add (builder, tag);
    }
  tags = g_strv_builder_end (builder);
  for (guint64 id = 1; id <= 40; id++)
    {
      g_autoptr (GError) error = NULL;

      clip_dbus_history_call_set_tags_sync (self->proxy, id, (const char *const *) tags,
                                            g_variant_new ("a{sv}", NULL),
                                            G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
      g_assert_no_error (error);
    }
}

static void
on_list_answered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  guint *n_answered = user_data;
  g_autoptr (GDBusMessage) answer = g_dbus_connection_send_message_with_reply_finish (
      G_DBUS_CONNECTION (source), result, NULL);

  g_assert_nonnull (answer);
  (*n_answered)++;
}

static void
send_list (GDBusConnection *connection, guint *n_answered)
{
  g_autoptr (GDBusMessage) call = g_dbus_message_new_method_call (
      "org.cliphist.History1", "/org/cliphist/History1", "org.cliphist.History1", "List");

  g_dbus_message_set_body (call, g_variant_new_parsed ("(@a{sv} {},)"));
  g_dbus_connection_send_message_with_reply (connection, call,
                                             G_DBUS_SEND_MESSAGE_FLAGS_NONE, G_MAXINT,
                                             NULL, NULL, on_list_answered, n_answered);
}

/* fewer calls than may wait, with large answers; or they are refused */
static void
test_large_answers (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GDBusConnection) other = NULL;
  guint n_answered = 0;
  guint64 before;

  fill (self);
  tag_all (self);
  list (self);
  before = peak (self);
  other = bus_fixture_connect (self);
  for (guint i = 0; i < N_LARGE; i++)
    send_list (other, &n_answered);
  while (n_answered < N_LARGE)
    g_main_context_iteration (NULL, TRUE);
  g_test_message ("it took %" G_GUINT64_FORMAT " KiB", peak (self) - before);
  if (BUS_FIXTURE_IS_MEASURABLE)
    g_assert_cmpuint (peak (self) - before, <=, MOST_LARGE_KIB);
}

/* --- who reads no answer --- */

static void
write_whole (int fd, const void *data, gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize n = send (fd, (const char *) data + done, length - done, MSG_NOSIGNAL);

      g_assert_cmpint (n, >, 0);
      done += (gsize) n;
    }
}

/* the bus takes it as it comes */
static void
send_raw (int fd, guint32 serial, const char *name, const char *method, const char *body)
{
  g_autofree char *path = g_strdelimit (g_strconcat ("/", name, NULL), ".", '/');
  g_autoptr (GDBusMessage) call =
      g_dbus_message_new_method_call (name, path, name, method);
  g_autofree guint8 *blob = NULL;
  gsize length;

  if (body)
    g_dbus_message_set_body (call, g_variant_new_parsed (body));
  g_dbus_message_set_serial (call, serial);
  blob = g_dbus_message_to_blob (call, &length, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  g_assert_nonnull (blob);
  write_whole (fd, blob, length);
}

static int
connect_raw (BusFixture *self)
{
  const char *bus = strstr (g_test_dbus_get_bus_address (self->bus), "unix:path=");
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofree char *user = g_strdup_printf ("%u", getuid ());
  g_autoptr (GString) hello = g_string_new ("AUTH EXTERNAL ");
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  char said[256];

  g_assert_nonnull (bus);
  bus += strlen ("unix:path=");
  g_strlcpy (address.sun_path, bus,
             MIN (sizeof address.sun_path, strcspn (bus, ",;") + 1));
  g_assert_cmpint (connect (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  for (const char *digit = user; *digit; digit++)
    g_string_append_printf (hello, "%02x", (guint) *digit);
  g_string_append (hello, "\r\n");
  write_whole (fd, "", 1);
  write_whole (fd, hello->str, hello->len);
  g_assert_cmpint (read (fd, said, sizeof said), >, 2);
  g_assert_true (strncmp (said, "OK", 2) == 0);
  write_whole (fd, "BEGIN\r\n", strlen ("BEGIN\r\n"));
  send_raw (fd, 1, "org.freedesktop.DBus", "Hello", NULL);
  return fd;
}

/* what the bus has of the daemon, that its callers have not read
 * Returns: whether it says so: that it counts is chosen when it is built */
static gboolean
get_unread (BusFixture *self, guint32 *out_bytes)
{
  g_autofree char *owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (self->proxy));
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.Debug.Stats", "GetConnectionStats",
      g_variant_new ("(s)", owner), G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NONE,
      -1, NULL, &error);
  g_autoptr (GVariant) stats = NULL;

  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_INTERFACE) ||
      g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_UNKNOWN_METHOD))
    return FALSE;
  g_assert_no_error (error);
  stats = g_variant_get_child_value (reply, 0);
  return g_variant_lookup (stats, "IncomingBytes", "u", out_bytes);
}

static guint32
count_unread (BusFixture *self)
{
  guint32 n = 0;

  g_assert_true (get_unread (self, &n));
  return n;
}

static void
check_unread (BusFixture *self, guint32 most)
{
  const guint32 n_unread = count_unread (self);

  g_test_message ("the bus has %u MiB", n_unread / (1024 * 1024));
  g_assert_cmpuint (n_unread, <=, most);
}

/* until the daemon has looked at what was sent before; a process that reads no answers is
 * refused this one, too */
static void
pace (BusFixture *self)
{
  g_autoptr (GVariant) entry = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;

  if (clip_dbus_history_call_lookup_sync (self->proxy, 1, G_DBUS_CALL_FLAGS_NONE,
                                          G_MAXINT, &entry, NULL, &error))
    return;
  name = g_dbus_error_get_remote_error (error);
  g_assert_cmpstr (name, ==, "org.cliphist.History1.Error.Limits");
}

/* Returns: how many bytes came */
static gsize
read_until_silent (BusFixture *self, int fd)
{
  static char buffer[1024 * 1024];
  gsize n_read = 0;
  gssize n;

  pace (self);
  do
    {
      n = recv (fd, buffer, sizeof buffer, MSG_DONTWAIT);
      n_read += (gsize) MAX (n, 0);
    }
  while (n > 0 || count_unread (self) > 0);
  return n_read;
}

static void
test_unread_answers (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int deaf = -1;
  guint32 serial = 2, n_unread = 0;

  if (!get_unread (self, &n_unread))
    {
      g_test_skip ("this bus does not count");
      return;
    }
  fill (self);
  tag_all (self);
  deaf = connect_raw (self);
  for (guint32 i = 0; i < N_UNREAD; i++)
    {
      send_raw (deaf, serial++, "org.cliphist.History1", "List", "(@a{sv} {},)");
      pace (self);
    }
  check_unread (self, MOST_UNREAD_BYTES);
  /* who has read them is answered again; a call that is refused has the bus asked anew */
  read_until_silent (self, deaf);
  for (gsize n = 0; n < PAGE_BYTES; n = read_until_silent (self, deaf))
    send_raw (deaf, serial++, "org.cliphist.History1", "List", "(@a{sv} {},)");
}

/* each has less unread than one may have */
static void
test_unread_of_many (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  int deaf[N_DEAF];
  guint32 n_unread = 0;

  if (!get_unread (self, &n_unread))
    {
      g_test_skip ("this bus does not count");
      return;
    }
  fill (self);
  tag_all (self);
  for (guint i = 0; i < N_DEAF; i++)
    deaf[i] = connect_raw (self);
  for (guint32 serial = 2; serial < 5; serial++)
    for (guint i = 0; i < N_DEAF; i++)
      {
        send_raw (deaf[i], serial, "org.cliphist.History1", "List", "(@a{sv} {},)");
        pace (self);
      }
  check_unread (self, MOST_OF_ALL_BYTES);
  for (guint i = 0; i < N_DEAF; i++)
    close (deaf[i]);
}

/* each is new to the daemon, and asks for more than it knows of at once */
static void
test_unread_of_new_ones (BusFixture *self, gconstpointer data G_GNUC_UNUSED)
{
  int deaf[N_NEW];
  guint32 n_unread = 0;

  if (!get_unread (self, &n_unread))
    {
      g_test_skip ("this bus does not count");
      return;
    }
  fill (self);
  tag_all (self);
  for (guint i = 0; i < N_NEW; i++)
    {
      deaf[i] = connect_raw (self);
      for (guint32 serial = 2; serial < 2 + 8; serial++)
        send_raw (deaf[i], serial, "org.cliphist.History1", "List", "(@a{sv} {},)");
      pace (self);
    }
  check_unread (self, MOST_OF_NEW_BYTES);
  for (guint i = 0; i < N_NEW; i++)
    close (deaf[i]);
}

int
main (int argc, char *argv[])
{
  g_assert_cmpint (argc, >, 2);
  flooder = argv[--argc];
  argv[argc] = NULL;
  bus_fixture_init (&argc, &argv);
  bus_fixture_add ("/attack/flood/of-calls-on-one-connection", test_flood);
  bus_fixture_add ("/attack/flood/of-calls-with-large-answers", test_large_answers);
  bus_fixture_add ("/attack/flood/of-calls-whose-answers-stay-with-the-bus",
                   test_unread_answers);
  bus_fixture_add (
      "/attack/flood/of-calls-whose-answers-stay-with-the-bus-on-many-connections",
      test_unread_of_many);
  bus_fixture_add (
      "/attack/flood/of-calls-whose-answers-stay-with-the-bus-on-new-connections",
      test_unread_of_new_ones);
  return g_test_run ();
}
