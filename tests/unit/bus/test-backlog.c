/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that come faster than they are done, and what comes with them. Here we are the
 * bus, and the program behind it. */
#include "bus-pair.h"
#include "clip-backlog.h"
#include "clip-fd.h"
#include "clip-sent-fds.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <poll.h>
#include <unistd.h>

#define SENDER ":1.7"

/* more than any that is to be seen takes */
#define PATIENCE_MS 20000

typedef struct
{
  GDBusConnection *bus;
  GDBusConnection *daemon;
  ClipBacklog *backlog;
  GAsyncQueue *calls; /* that have come, and are not done */
} Pair;

/* what GIO answers goes on to it */
static GDBusMessage *
on_message (GDBusConnection *connection G_GNUC_UNUSED,
            GDBusMessage *message_take,
            gboolean incoming,
            gpointer user_data)
{
  Pair *self = user_data;

  if (!incoming || g_strcmp0 (g_dbus_message_get_member (message_take), "Ping") == 0)
    return message_take;
  g_async_queue_push (self->calls, message_take);
  return NULL;
}

static void
set_up (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  bus_pair_connect (&self->bus, &self->daemon);
  self->calls = g_async_queue_new_full (g_object_unref);
  clip_sent_fds_watch (self->daemon);
  self->backlog = clip_backlog_new (self->daemon);
  g_dbus_connection_add_filter (self->daemon, on_message, self, NULL);
}

static void
tear_down (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  bus_pair_close (self->bus, self->daemon);
  clip_backlog_unref (self->backlog);
  g_async_queue_unref (self->calls);
}

static GDBusMessage *
make_call (const char *interface, const char *member)
{
  GDBusMessage *call = g_dbus_message_new_method_call (NULL, "/", interface, member);

  g_dbus_message_set_sender (call, SENDER);
  return call;
}

static void
send_call (Pair *self, GDBusMessage *call_take, GDBusSendMessageFlags flags)
{
  g_autoptr (GDBusMessage) call = call_take;

  g_assert_true (g_dbus_connection_send_message (self->bus, call, flags, NULL, NULL));
}

static void
send_calls (Pair *self, guint n)
{
  for (guint i = 0; i < n; i++)
    send_call (self, make_call ("org.example", "Wait"), G_DBUS_SEND_MESSAGE_FLAGS_NONE);
}

/* Returns: the name of the error that a call is refused with; NULL where it is not */
static char *
call (Pair *self, GDBusMessage *call_take)
{
  g_autoptr (GDBusMessage) call = call_take;
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusMessage) answer = g_dbus_connection_send_message_with_reply_sync (
      self->bus, call, G_DBUS_SEND_MESSAGE_FLAGS_NONE, PATIENCE_MS, NULL, NULL, &error);

  g_assert_no_error (error);
  return g_strdup (g_dbus_message_get_error_name (answer));
}

/* Returns: how many calls wait, of all that were sent */
static gint
count_calls (Pair *self)
{
  g_autofree char *error = call (self, make_call ("org.freedesktop.DBus.Peer", "Ping"));

  g_assert_true (!error || g_str_has_suffix (error, ".Limits"));
  return g_async_queue_length (self->calls);
}

static void
test_pings (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  send_calls (self, CLIP_BACKLOG_MAX_CALLS);
  g_assert_cmpint (count_calls (self), ==, CLIP_BACKLOG_MAX_CALLS);
  for (guint i = 0; i < CLIP_BACKLOG_MAX_CALLS; i++)
    {
      GDBusMessage *ping = make_call ("org.freedesktop.DBus.Peer", "Ping");

      g_dbus_message_set_flags (ping, G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
      send_call (self, ping, G_DBUS_SEND_MESSAGE_FLAGS_NONE);
    }
  send_calls (self, CLIP_BACKLOG_MAX_CALLS / 2);
  g_assert_cmpint (count_calls (self), ==, CLIP_BACKLOG_MAX_CALLS);
}

/* those that want no answer are answered by GIO, which does not know that */
static void
test_answered_pings (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  send_calls (self, CLIP_BACKLOG_MAX_CALLS / 2);
  for (guint i = 0; i < CLIP_BACKLOG_MAX_CALLS; i++)
    {
      GDBusMessage *ping = make_call ("org.freedesktop.DBus.Peer", "Ping");

      g_dbus_message_set_flags (ping, G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
      send_call (self, ping, G_DBUS_SEND_MESSAGE_FLAGS_NONE);
      count_calls (self);
    }
  send_calls (self, CLIP_BACKLOG_MAX_CALLS);
  g_assert_cmpint (count_calls (self), ==, CLIP_BACKLOG_MAX_CALLS);
}

static void
test_one_serial (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  for (guint i = 0; i < CLIP_BACKLOG_MAX_CALLS; i++)
    {
      GDBusMessage *message = make_call ("org.example", "Wait");

      g_dbus_message_set_serial (message, 1000000);
      send_call (self, message, G_DBUS_SEND_MESSAGE_FLAGS_PRESERVE_SERIAL);
    }
  g_assert_cmpint (count_calls (self), ==, 1);
}

/* GIO would repeat it */
static void
test_long_names (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = g_strnfill (100000, 'a');
  g_autofree char *name = g_strnfill (100000, 'a');
  GDBusMessage *message;
  g_autofree char *error = NULL, *other = NULL;

  *path = '/';
  message = make_call ("org.freedesktop.DBus.Peer", "Ping");
  g_dbus_message_set_path (message, path);
  error = call (self, message);
  g_assert_cmpstr (error, ==, "org.cliphist.History1.Error.Limits");
  message = make_call ("org.freedesktop.DBus.Properties", "Get");
  g_dbus_message_set_body (message, g_variant_new ("(ss)", name, "Count"));
  other = call (self, message);
  g_assert_cmpstr (other, ==, "org.cliphist.History1.Error.Limits");
  g_assert_cmpint (count_calls (self), ==, 0);
}

/* of an interface of ours it may be long */
static void
test_long_words (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *word = g_strnfill (8000, 'a');
  GDBusMessage *message =
      make_call ("org.gnome.Shell.SearchProvider2", "GetInitialResultSet");

  g_dbus_message_set_body (message, g_variant_new_parsed ("([%s],)", word));
  send_call (self, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE);
  g_assert_cmpint (count_calls (self), ==, 1);
}

/* --- descriptors --- */

static void
add_fds (GDBusMessage *message, int fd, guint n)
{
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    g_unix_fd_list_append (fds, fd, &error);
  g_assert_no_error (error);
  g_dbus_message_set_unix_fd_list (message, fds);
}

/* @n: ends of a pipe, of which we keep none. Returns: the other end */
static int
send_ends (Pair *self, const char *member, guint n)
{
  GDBusMessage *message = make_call ("org.example", member);
  g_autoptr (GError) error = NULL;
  int fds[2];

  g_assert_true (clip_pipe (fds, &error));
  add_fds (message, fds[1], n);
  send_call (self, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE);
  close (fds[1]);
  return fds[0];
}

static gboolean
is_hung_up (int fd, int ms)
{
  struct pollfd ends = { .fd = fd, .events = POLLIN };

  return poll (&ends, 1, ms) == 1 && (ends.revents & POLLHUP);
}

/* a message that was sent may live on for a moment on the side that sends */
static void
test_fds_not_taken (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = send_ends (self, "Wipe", 2);

  g_assert_cmpint (count_calls (self), ==, 1);
  g_assert_true (is_hung_up (fd, PATIENCE_MS));
}

static void
test_fds_taken (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  clip_autofd int fd = send_ends (self, "Store", 2);

  g_assert_cmpint (count_calls (self), ==, 1);
  g_assert_false (is_hung_up (fd, 0));
  g_object_unref (g_async_queue_pop (self->calls));
  g_assert_true (is_hung_up (fd, PATIENCE_MS));
}

static void
test_many_fds_of_one (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  GDBusMessage *message = make_call ("org.example", "Store");
  g_autofree char *error = NULL;

  add_fds (message, STDIN_FILENO, 9);
  error = call (self, message);
  g_assert_cmpstr (error, ==, "org.cliphist.History1.Error.Limits");
  g_assert_cmpint (count_calls (self), ==, 0);
}

/* those that are done make room for others */
static void
test_many_fds (Pair *self, gconstpointer data G_GNUC_UNUSED)
{
  gint n;

  for (guint i = 0; i < 200; i++)
    close (send_ends (self, "Store", 8));
  n = count_calls (self);
  g_assert_cmpint (n, >=, 4);
  g_assert_cmpint (n, <=, 128);
  while (g_async_queue_length (self->calls) > 0)
    g_object_unref (g_async_queue_pop (self->calls));
  close (send_ends (self, "Store", 8));
  g_assert_cmpint (count_calls (self), ==, 1);
}

static void
add (const char *name, void (*test) (Pair *, gconstpointer))
{
  g_test_add (name, Pair, NULL, set_up, test, tear_down);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  add ("/backlog/pings-make-no-room", test_pings);
  add ("/backlog/answers-to-pings-make-no-room", test_answered_pings);
  add ("/backlog/of-one-serial-one-waits", test_one_serial);
  add ("/backlog/names-that-are-too-long-are-not-repeated", test_long_names);
  add ("/backlog/words-that-are-long-are-let-through", test_long_words);
  add ("/backlog/descriptors-of-a-call-that-takes-none-are-closed", test_fds_not_taken);
  add ("/backlog/descriptors-of-a-call-stay-as-long-as-it", test_fds_taken);
  add ("/backlog/a-call-has-few-descriptors", test_many_fds_of_one);
  add ("/backlog/calls-with-descriptors-are-few", test_many_fds);
  return g_test_run ();
}
