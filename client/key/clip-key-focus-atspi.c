/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which program's window is the active one, as it tells screen readers itself (AT-SPI:
 * org.a11y.atspi.Accessible of at-spi2-core): the shell does not say. Not all programs
 * do; GNOME's terminals do.
 */
#include "clip-key.h"

#include "clip-session-bus.h"

#define A11Y "org.a11y.Bus"
#define REGISTRY "org.a11y.atspi.Registry"
#define ROOT "/org/a11y/atspi/accessible/root"
#define ACCESSIBLE "org.a11y.atspi.Accessible"

/* ATSPI_STATE_ACTIVE */
#define ACTIVE (1u << 1)

/* for the shell: to give the focus on, when our own window has gone */
#define FOCUS_PATIENCE_US (150 * G_TIME_SPAN_MILLISECOND)
#define LOOK_EVERY_US 5000

/* We pass over a program that hangs; where several are slow, or their bus is, we stop
 * asking after a while, as by then the user has gone on. */
#define CALL_MS 100
#define ALL_US (400 * G_TIME_SPAN_MILLISECOND)

static gint64 give_up_us;

/* @args: (nullable): those of a property */
static GVariant *
call (GDBusConnection *bus,
      const char *name,
      const char *path,
      const char *method,
      GVariant *args,
      const char *answer)
{
  const char *interface = args ? "org.freedesktop.DBus.Properties" : ACCESSIBLE;
  g_autoptr (GVariant) taken = args ? g_variant_ref_sink (args) : NULL;

  if (g_get_monotonic_time () > give_up_us)
    return NULL;
  return g_dbus_connection_call_sync (
      bus, name, path, interface, method, taken, G_VARIANT_TYPE (answer),
      G_DBUS_CALL_FLAGS_NO_AUTO_START, CALL_MS, NULL, NULL);
}

/* Returns: (nullable) (transfer full): of a(so): a name on the bus, and a path */
static GVariant *
list_children (GDBusConnection *bus, const char *name, const char *path)
{
  g_autoptr (GVariant) reply = call (bus, name, path, "GetChildren", NULL, "(a(so))");

  return reply ? g_variant_get_child_value (reply, 0) : NULL;
}

static gboolean
is_active (GDBusConnection *bus, const char *name, const char *path)
{
  g_autoptr (GVariant) reply = call (bus, name, path, "GetState", NULL, "(au)");
  g_autoptr (GVariant) states = reply ? g_variant_get_child_value (reply, 0) : NULL;
  guint32 low = 0;

  if (states && g_variant_n_children (states) > 0)
    g_variant_get_child (states, 0, "u", &low);
  return low & ACTIVE;
}

static gboolean
has_active (GDBusConnection *bus, const char *name, const char *path)
{
  g_autoptr (GVariant) windows = list_children (bus, name, path);
  gsize n = windows ? g_variant_n_children (windows) : 0;
  gboolean has_one = FALSE;

  for (gsize i = 0; i < n && !has_one; i++)
    {
      const char *owner, *window;

      g_variant_get_child (windows, i, "(&s&o)", &owner, &window);
      has_one = is_active (bus, owner, window);
    }
  return has_one;
}

static char *
get_name (GDBusConnection *bus, const char *name, const char *path)
{
  g_autoptr (GVariant) reply =
      call (bus, name, path, "Get", g_variant_new ("(ss)", ACCESSIBLE, "Name"), "(v)");
  g_autoptr (GVariant) value = NULL;

  if (reply)
    g_variant_get (reply, "(v)", &value);
  return value && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
             ? g_variant_dup_string (value, NULL)
             : NULL;
}

/* Returns: (nullable) (transfer full): the program whose window is active; of several a
   terminal, as the shell may count as one, too */
static char *
find_active (GDBusConnection *bus)
{
  g_autoptr (GVariant) programs = list_children (bus, REGISTRY, ROOT);
  gsize n = programs ? g_variant_n_children (programs) : 0;
  char *found = NULL;

  for (gsize i = 0; i < n; i++)
    {
      const char *name, *path;
      g_autofree char *app = NULL;

      g_variant_get_child (programs, i, "(&s&o)", &name, &path);
      if (!has_active (bus, name, path))
        continue;
      app = get_name (bus, name, path);
      /* no such terminal tells anything here; one that says so would end every paste */
      if (clip_key_pastes_primary (clip_key_of_app (app)))
        continue;
      if (!found || clip_key_is_of_terminals (clip_key_of_app (app)))
        {
          g_free (found);
          found = g_steal_pointer (&app);
        }
    }
  return found;
}

static GDBusConnection *
open_bus (void)
{
  g_autoptr (GDBusConnection) session = clip_session_bus (NULL);
  g_autoptr (GVariant) reply =
      session ? g_dbus_connection_call_sync (session, A11Y, "/org/a11y/bus", A11Y,
                                             "GetAddress", NULL, G_VARIANT_TYPE ("(s)"),
                                             G_DBUS_CALL_FLAGS_NO_AUTO_START, CALL_MS,
                                             NULL, NULL)
              : NULL;
  const gint64 left_us = give_up_us - g_get_monotonic_time ();
  const char *address;

  if (!reply || left_us <= 0)
    return NULL;
  g_variant_get (reply, "(&s)", &address);
  return clip_session_bus_at (address, (guint) (left_us / G_TIME_SPAN_MILLISECOND), NULL);
}

char *
clip_key_focus_atspi (void)
{
  g_autoptr (GDBusConnection) bus = NULL;
  gint64 deadline_us;
  char *app;

  give_up_us = g_get_monotonic_time () + ALL_US;
  bus = open_bus ();
  deadline_us = g_get_monotonic_time () + FOCUS_PATIENCE_US;
  app = bus ? find_active (bus) : NULL;
  while (bus && !app && g_get_monotonic_time () < deadline_us)
    {
      g_usleep (LOOK_EVERY_US);
      app = find_active (bus);
    }
  return app;
}
