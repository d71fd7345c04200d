/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which window has the focus, asked of a bus of screen readers (AT-SPI) that hangs, or
 * whose programs do; and of an X server that does. */
#include "private-bus.h"
#include "wait-until.h"

#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>

#define ROOT "/org/a11y/atspi/accessible/root"

/* Each answers just before it would be passed over */
#define N_SLOW 60
#define SLOW_MS 80

typedef struct
{
  GTestDBus *daemon;
  GDBusConnection *bus;
  const char *address; /* borrowed: where screen readers are told to connect */
  guint n_asked;
} Reader;

typedef struct
{
  GDBusMethodInvocation *invocation;
  GVariant *answer;
} Late;

static const char interfaces[] =
    "<node><interface name='org.a11y.Bus'>"
    "<method name='GetAddress'><arg type='s' direction='out'/></method></interface>"
    "<interface name='org.a11y.atspi.Accessible'>"
    "<method name='GetChildren'><arg type='a(so)' direction='out'/></method>"
    "</interface></node>";

static GVariant *
list_programs (Reader *self)
{
  g_auto (GVariantBuilder) list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("(a(so))"));

  g_variant_builder_open (&list, G_VARIANT_TYPE ("a(so)"));
  for (guint i = 0; i < N_SLOW; i++)
    g_variant_builder_add (&list, "(so)", g_dbus_connection_get_unique_name (self->bus),
                           "/slow");
  g_variant_builder_close (&list);
  return g_variant_builder_end (&list);
}

static void
answer_late (gpointer user_data)
{
  g_autofree Late *late = user_data;

  g_dbus_method_invocation_return_value (late->invocation, late->answer);
}

static void
on_called (GDBusConnection *bus,
           const char *sender,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *args,
           GDBusMethodInvocation *invocation,
           gpointer user_data)
{
  Reader *self = user_data;
  Late *late;

  if (g_str_equal (method, "GetAddress"))
    g_dbus_method_invocation_return_value (invocation,
                                           g_variant_new ("(s)", self->address));
  else if (g_str_equal (path, ROOT))
    g_dbus_method_invocation_return_value (invocation, list_programs (self));
  else
    {
      self->n_asked++;
      late = g_new0 (Late, 1);
      late->invocation = invocation;
      late->answer = g_variant_new ("(a(so))", NULL);
      g_timeout_add_once (SLOW_MS, answer_late, late);
    }
}

static void
serve (Reader *self, GDBusNodeInfo *node, const char *interface, const char *path)
{
  static const GDBusInterfaceVTable table = { .method_call = on_called };
  g_autoptr (GError) error = NULL;

  g_dbus_connection_register_object (self->bus, path,
                                     g_dbus_node_info_lookup_interface (node, interface),
                                     &table, self, NULL, &error);
  g_assert_no_error (error);
}

static void
own (Reader *self, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply G_GNUC_UNUSED = g_dbus_connection_call_sync (
      self->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "RequestName", g_variant_new ("(su)", name, 0), NULL, G_DBUS_CALL_FLAGS_NONE, -1,
      NULL, &error);

  g_assert_no_error (error);
}

static void
set_up (Reader *self, gconstpointer data)
{
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (interfaces, NULL);

  self->daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  private_bus_up (self->daemon);
  self->address = g_test_dbus_get_bus_address (self->daemon);
  self->bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  serve (self, node, "org.a11y.Bus", "/org/a11y/bus");
  serve (self, node, "org.a11y.atspi.Accessible", ROOT);
  serve (self, node, "org.a11y.atspi.Accessible", "/slow");
  own (self, "org.a11y.Bus");
  own (self, "org.a11y.atspi.Registry");
}

static void
tear_down (Reader *self, gconstpointer data)
{
  g_clear_object (&self->bus);
  g_test_dbus_down (self->daemon);
  g_object_unref (self->daemon);
}

static void
on_said (GObject *source, GAsyncResult *result, gpointer said)
{
  g_autoptr (GError) error = NULL;

  g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, said, NULL,
                                        &error);
  g_assert_no_error (error);
}

/* @display: (nullable): of an X server; the compositor, if there is one, tells of no
   focus. Returns: (transfer full): what is said */
static char *
ask_which (const char *display)
{
  g_autoptr (GSubprocessLauncher) launcher =
      g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) program = NULL;
  g_autoptr (GError) error = NULL;
  char *said = NULL;

  g_subprocess_launcher_setenv (launcher, "WAYLAND_DISPLAY", "none", TRUE);
  if (display)
    g_subprocess_launcher_setenv (launcher, "DISPLAY", display, TRUE);
  else
    g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
  program = g_subprocess_launcher_spawn (launcher, &error, CLIP_TEST_KEY, "which", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8_async (program, NULL, NULL, on_said, &said);
  wait_until (said);
  return said;
}

static void
assert_is_usual (void)
{
  g_autofree char *said = ask_which (NULL);

  g_assert_cmpstr (said, ==, "ctrl+v\n");
}

/* as one that is stopped */
static void
test_bus_that_never_answers (Reader *self, gconstpointer data)
{
  g_autofree char *dir = g_dir_make_tmp ("cliphist-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "bus", NULL);
  g_autofree char *address = g_strconcat ("unix:path=", path, NULL);
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketAddress) at = g_unix_socket_address_new (path);
  g_autoptr (GError) error = NULL;

  g_socket_listener_add_address (listener, at, G_SOCKET_TYPE_STREAM,
                                 G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, &error);
  g_assert_no_error (error);
  self->address = address;
  assert_is_usual ();
  g_unlink (path);
  g_rmdir (dir);
}

/* it stops asking after a while; on a busy machine perhaps before the first of them */
static void
test_programs_that_are_slow (Reader *self, gconstpointer data)
{
  for (guint i = 0; i < 10 && self->n_asked == 0; i++)
    assert_is_usual ();
  g_assert_cmpuint (self->n_asked, >, 0);
  g_assert_cmpuint (self->n_asked, <, N_SLOW);
}

#ifdef CLIP_HAVE_X11
/* @path: of a socket that no file stands for. Returns: (transfer full) (nullable) */
static GSocketAddress *
listen_at (GSocketListener *listener, const char *path)
{
  g_autoptr (GSocketAddress) at =
      g_unix_socket_address_new_with_type (path, -1, G_UNIX_SOCKET_ADDRESS_ABSTRACT);

  return g_socket_listener_add_address (listener, at, G_SOCKET_TYPE_STREAM,
                                        G_SOCKET_PROTOCOL_DEFAULT, NULL, NULL, NULL)
             ? g_steal_pointer (&at)
             : NULL;
}

/* another program is connected to it, without which it is not asked */
static void
test_x_server_that_never_answers (Reader *self, gconstpointer data)
{
  g_autoptr (GSocketListener) listener = g_socket_listener_new ();
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GSocketConnection) program = NULL;
  g_autoptr (GSocketConnection) accepted = NULL;
  g_autoptr (GSocketAddress) at = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *display = NULL;
  g_autofree char *said = NULL;

  for (guint number = 4000; !at; number++)
    {
      g_autofree char *path = g_strdup_printf ("/tmp/.X11-unix/X%u", number);

      g_free (display);
      display = g_strdup_printf (":%u", number);
      at = listen_at (listener, path);
    }
  program = g_socket_client_connect (client, G_SOCKET_CONNECTABLE (at), NULL, &error);
  g_assert_no_error (error);
  accepted = g_socket_listener_accept (listener, NULL, NULL, &error);
  g_assert_no_error (error);
  said = ask_which (display);
  g_assert_cmpstr (said, ==, "");
}
#endif

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/key-focus/bus-that-never-answers", Reader, NULL, set_up,
              test_bus_that_never_answers, tear_down);
  g_test_add ("/key-focus/programs-that-are-slow", Reader, NULL, set_up,
              test_programs_that_are_slow, tear_down);
#ifdef CLIP_HAVE_X11
  g_test_add ("/key-focus/x-server-that-never-answers", Reader, NULL, set_up,
              test_x_server_that_never_answers, tear_down);
#endif
  return g_test_run ();
}
