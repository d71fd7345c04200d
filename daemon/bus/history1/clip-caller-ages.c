/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A bus that does not give a descriptor of a caller's process (dbus-daemon 1.14, a kernel
 * before 6.5) gives its number, which another process may have by now. That one is
 * younger than the connection.
 */
#include "clip-caller-ages.h"

#include "clip-process.h"

#define BUS "org.freedesktop.DBus"

struct ClipCallerAges
{
  GDBusConnection *bus;
  guint subscription; /* 0 where the bus gives descriptors */
  GCancellable *asking;
  GHashTable *made;        /* unique name -> gint64, in microseconds since the boot */
  gint64 watched_since_us; /* 0 until the bus has begun to tell */
};

static void
on_owner_changed (GDBusConnection *bus G_GNUC_UNUSED,
                  const char *sender G_GNUC_UNUSED,
                  const char *path G_GNUC_UNUSED,
                  const char *interface G_GNUC_UNUSED,
                  const char *signal_name G_GNUC_UNUSED,
                  GVariant *parameters,
                  gpointer user_data)
{
  ClipCallerAges *self = user_data;
  const char *name, *owner;

  g_variant_get (parameters, "(&s&s&s)", &name, NULL, &owner);
  if (*name != ':')
    return;
  if (*owner)
    g_hash_table_insert (
        self->made, g_strdup (name),
        g_memdup2 (&(gint64){ clip_process_now_us () }, sizeof (gint64)));
  else
    g_hash_table_remove (self->made, name);
}

static void
stop_watching (ClipCallerAges *self)
{
  if (self->subscription)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  self->subscription = 0;
  g_hash_table_remove_all (self->made);
}

/* the reply comes behind what the bus was asked to tell */
static void
on_own_credentials (GObject *source, GAsyncResult *result, gpointer user_data)
{
  ClipCallerAges *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), NULL, result, &error);
  g_autoptr (GVariant) credentials = reply ? g_variant_get_child_value (reply, 0) : NULL;
  gint32 handle;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->watched_since_us = clip_process_now_us ();
  if (credentials && g_variant_lookup (credentials, "ProcessFD", "h", &handle))
    stop_watching (self);
}

/* @bus: one that gives names */
ClipCallerAges *
clip_caller_ages_new (GDBusConnection *bus)
{
  ClipCallerAges *self = g_new0 (ClipCallerAges, 1);

  self->bus = g_object_ref (bus);
  self->asking = g_cancellable_new ();
  self->made = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->subscription = g_dbus_connection_signal_subscribe (
      bus, BUS, BUS, "NameOwnerChanged", "/org/freedesktop/DBus", NULL,
      G_DBUS_SIGNAL_FLAGS_NONE, on_owner_changed, self, NULL);
  g_dbus_connection_call_with_unix_fd_list (
      bus, BUS, "/org/freedesktop/DBus", BUS, "GetConnectionCredentials",
      g_variant_new ("(s)", g_dbus_connection_get_unique_name (bus)),
      G_VARIANT_TYPE ("(a{sv})"), G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, self->asking,
      on_own_credentials, self);
  return self;
}

void
clip_caller_ages_free (ClipCallerAges *self)
{
  if (!self)
    return;
  g_cancellable_cancel (self->asking);
  stop_watching (self);
  g_hash_table_unref (self->made);
  g_object_unref (self->asking);
  g_object_unref (self->bus);
  g_free (self);
}

/**
 * clip_caller_ages_since:
 * @name: unique
 *
 * Returns: by when at the latest that connection was there, in microseconds since the
 * boot: of one that is older than we, when we began to watch
 */
gint64
clip_caller_ages_since (const ClipCallerAges *self, const char *name)
{
  const gint64 *made_us = g_hash_table_lookup (self->made, name);

  if (made_us)
    return *made_us;
  return self->watched_since_us ?: clip_process_now_us ();
}
