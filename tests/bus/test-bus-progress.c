/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* TransferProgress: who hears of a transfer, what, and when not. The other end of each
 * one is played here, which moves a little, waits for the word, and goes on. */
#include "bus-fixture.h"
#include "clip-fd.h"

#include <fcntl.h>
#include <string.h>

#define NO_OPTIONS g_variant_new ("a{sv}", NULL)
#define NAME "org.cliphist.History1"
#define PATH "/org/cliphist/History1"

/* more than a pipe holds, however much it is enlarged */
#define BIG_BYTES ((guint64) 3 * 1024 * 1024)

typedef struct
{
  guint64 transfer;
  guint64 id;
  char direction[4];
  guint64 done;
  guint64 total;
} Word;

typedef struct
{
  guint64 only; /* which transfer; 0 = any */
  guint n;
  guint n_added; /* EntryAdded */
  Word last;
  GVariant *answer;
  GError *error;
  gboolean has_answer;
  GDBusConnection *connection;
  guint subscription;
} Heard;

static void
heard_clear (Heard *self)
{
  g_dbus_connection_signal_unsubscribe (self->connection, self->subscription);
  g_object_unref (self->connection);
  g_clear_pointer (&self->answer, g_variant_unref);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Heard, heard_clear)

static void
on_signal (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *name,
           GVariant *args,
           gpointer user_data)
{
  Heard *heard = user_data;
  const char *direction;
  Word word = { 0 };

  if (g_str_equal (name, "EntryAdded"))
    heard->n_added++;
  if (!g_str_equal (name, "TransferProgress"))
    return;
  g_variant_get (args, "(tt&stt)", &word.transfer, &word.id, &direction, &word.done,
                 &word.total);
  if (heard->only && heard->only != word.transfer)
    return;
  g_assert_false (heard->has_answer);
  g_strlcpy (word.direction, direction, sizeof word.direction);
  heard->last = word;
  heard->n++;
}

static void
listen (GDBusConnection *connection, Heard *heard)
{
  heard->connection = g_object_ref (connection);
  heard->subscription = g_dbus_connection_signal_subscribe (
      connection, NULL, NAME, NULL, PATH, NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_signal,
      heard, NULL);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Heard *heard = user_data;

  heard->answer = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &heard->error);
  heard->has_answer = TRUE;
}

static void
call (BusFixture *self, Heard *heard, const char *method, GVariant *args, int fd)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();

  g_unix_fd_list_append (fds, fd, NULL);
  g_dbus_connection_call_with_unix_fd_list (self->connection, NAME, PATH, NAME, method,
                                            args, NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
                                            fds, NULL, on_answer, heard);
}

static void
store_big (BusFixture *self)
{
  g_autofree char *big = g_malloc0 (BIG_BYTES);
  clip_autofd int fd = bus_fixture_memfd (big, BIG_BYTES);

  g_assert_cmpuint (bus_fixture_store (self, "a/b", fd, NULL, NULL, NULL), ==, 1);
}

static void
read_to_end (int fd, guint64 bytes)
{
  g_autoptr (GBytes) rest = clip_read_to_end (fd, 64 * BIG_BYTES, NULL);

  g_assert_cmpuint (g_bytes_get_size (rest), ==, bytes);
}

static void
assert_last (const Heard *heard, guint64 id, const char *direction, guint64 done)
{
  g_assert_cmpuint (heard->last.id, ==, id);
  g_assert_cmpstr (heard->last.direction, ==, direction);
  g_assert_cmpuint (heard->last.done, ==, done);
  g_assert_cmpuint (heard->last.total, ==, done);
}

/* calls a method whose sink nobody reads until a word has come, then reads it all */
static void
drain_slowly (BusFixture *self,
              Heard *heard,
              const char *method,
              GVariant *args,
              guint64 bytes)
{
  clip_autofd int ours = -1;
  int ends[2];

  g_assert_true (clip_pipe (ends, NULL));
  ours = ends[0];
  call (self, heard, method, args, ends[1]);
  close (ends[1]);
  wait_until (heard->n > 0);
  g_assert_cmpuint (heard->last.done, >, 0);
  g_assert_cmpuint (heard->last.done, <, bytes);
  read_to_end (ours, bytes);
  wait_until (heard->has_answer);
  g_assert_no_error (heard->error);
}

static GVariant *
send_args (const char *options)
{
  return g_variant_new ("(ts@h@a{sv})", (guint64) 1, "", g_variant_new_handle (0),
                        g_variant_new_parsed (options));
}

/* what the other one heard last was said after all that it must not hear */
static void
test_caller_alone_hears (BusFixture *self, gconstpointer data)
{
  g_autoptr (GDBusConnection) other = bus_fixture_connect (self);
  g_auto (Heard) heard = { 0 };
  g_auto (Heard) overheard = { 0 };

  store_big (self);
  listen (self->connection, &heard);
  listen (other, &overheard);
  drain_slowly (self, &heard, "Send", send_args ("{'transfer': <@t 77>}"), BIG_BYTES);
  assert_last (&heard, 1, "out", BIG_BYTES);
  g_assert_cmpuint (heard.last.transfer, ==, 77);
  bus_fixture_store_text (self, "word");
  wait_until (overheard.n_added == 1);
  g_assert_cmpuint (overheard.n, ==, 0);
}

/* Returns: the end to read from */
static int
begin_sending (BusFixture *self, Heard *heard, const char *options)
{
  int ends[2];

  g_assert_true (clip_pipe (ends, NULL));
  call (self, heard, "Send", send_args (options), ends[1]);
  close (ends[1]);
  return ends[0];
}

static void
read_some (int fd)
{
  guint8 some[65536];

  g_assert_cmpint (read (fd, some, sizeof some), >, 0);
}

/* another transfer, which moves on, shows that there was time for more */
static void
test_stalled_is_mentioned_once (BusFixture *self, gconstpointer data)
{
  g_auto (Heard) stalled = { .only = 1 };
  g_auto (Heard) moving = { .only = 2 };
  clip_autofd int first = -1;
  clip_autofd int second = -1;

  store_big (self);
  listen (self->connection, &stalled);
  listen (self->connection, &moving);
  first = begin_sending (self, &stalled, "{'transfer': <@t 1>}");
  wait_until (stalled.n > 0);
  second = begin_sending (self, &moving, "{'transfer': <@t 2>}");
  for (guint i = 1; i < 4; i++)
    {
      wait_until (moving.n >= i);
      read_some (second);
    }
  g_assert_cmpuint (stalled.n, ==, 1);
  g_assert_cmpuint (stalled.last.total, ==, BIG_BYTES);
  /* a reader that leaves has no last word */
  clip_fd_clear (&first);
  clip_fd_clear (&second);
  wait_until (stalled.has_answer && moving.has_answer);
  g_assert_cmpuint (stalled.n, ==, 1);
}

static void
test_short_is_not_mentioned (BusFixture *self, gconstpointer data)
{
  g_auto (Heard) heard = { 0 };
  clip_autofd int null = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  listen (self->connection, &heard);
  bus_fixture_store_text (self, "word");
  call (self, &heard, "Send", send_args ("@a{sv} {}"), null);
  wait_until (heard.has_answer);
  wait_until (heard.n_added == 1);
  g_assert_cmpuint (heard.n, ==, 0);
}

static void
test_open_is_mentioned (BusFixture *self, gconstpointer data)
{
  g_auto (Heard) heard = { 0 };
  g_autoptr (GUnixFDList) fds = NULL;
  clip_autofd int ours = -1;

  store_big (self);
  listen (self->connection, &heard);
  g_assert_true (clip_dbus_history_call_open_sync (self->proxy, 0, "", NO_OPTIONS,
                                                   G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL,
                                                   NULL, NULL, &fds, NULL, NULL));
  ours = g_unix_fd_list_get (fds, 0, NULL);
  g_assert_cmpint (ours, >=, 0);
  wait_until (heard.n > 0);
  g_assert_cmpuint (heard.last.total, ==, BIG_BYTES);
  read_to_end (ours, BIG_BYTES);
  wait_until (heard.last.done == BIG_BYTES);
  assert_last (&heard, 1, "out", BIG_BYTES);
}

static void
test_join_is_mentioned (BusFixture *self, gconstpointer data)
{
  g_auto (Heard) heard = { 0 };

  store_big (self);
  listen (self->connection, &heard);
  drain_slowly (self, &heard, "Join",
                g_variant_new ("(@at@h@a{sv})", g_variant_new_parsed ("[@t 1, 1]"),
                               g_variant_new_handle (0),
                               g_variant_new_parsed ("{'separator': <b'-'>}")),
                2 * BIG_BYTES + 2);
  assert_last (&heard, 0, "out", 2 * BIG_BYTES + 2);
}

/* of a pipe nobody knows how much will come */
static void
test_store_is_mentioned (BusFixture *self, gconstpointer data)
{
  g_auto (Heard) heard = { 0 };
  g_autofree char *some = g_malloc0 (BIG_BYTES);
  clip_autofd int ours = -1;
  int ends[2];

  listen (self->connection, &heard);
  g_assert_true (clip_pipe (ends, NULL));
  ours = ends[1];
  call (self, &heard, "Store",
        g_variant_new ("(@a(sh)@a{sv})", g_variant_new_parsed ("[('a/b', @h 0)]"),
                       NO_OPTIONS),
        ends[0]);
  close (ends[0]);
  g_assert_true (clip_write_all (ours, "x", 1, NULL));
  wait_until (heard.n > 0);
  g_assert_cmpuint (heard.last.done, ==, 1);
  g_assert_cmpuint (heard.last.total, ==, 0);
  g_assert_true (clip_write_all (ours, some, BIG_BYTES, NULL));
  clip_fd_clear (&ours);
  wait_until (heard.has_answer);
  g_assert_no_error (heard.error);
  assert_last (&heard, 0, "in", BIG_BYTES + 1);
}

static void
test_number_has_a_type (BusFixture *self, gconstpointer data)
{
  g_auto (Heard) heard = { 0 };
  clip_autofd int null = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  g_autofree char *remote = NULL;

  listen (self->connection, &heard);
  bus_fixture_store_text (self, "word");
  call (self, &heard, "Send", send_args ("{'transfer': <'one'>}"), null);
  wait_until (heard.has_answer);
  remote = g_dbus_error_get_remote_error (heard.error);
  g_assert_cmpstr (remote, ==, NAME ".Error.InvalidArgument");
}

#define add(path, function) bus_fixture_add ("/bus-progress/" path, function)

int
main (int argc, char *argv[])
{
  bus_fixture_init (&argc, &argv);
  add ("its-caller-alone-hears", test_caller_alone_hears);
  add ("stalled-is-mentioned-once", test_stalled_is_mentioned_once);
  add ("short-is-not-mentioned", test_short_is_not_mentioned);
  add ("open-is-mentioned", test_open_is_mentioned);
  add ("join-is-mentioned", test_join_is_mentioned);
  add ("store-is-mentioned", test_store_is_mentioned);
  add ("number-has-a-type", test_number_has_a_type);
  return g_test_run ();
}
