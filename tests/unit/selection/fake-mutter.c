/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fake-mutter.h"

#include "clip-fd.h"

#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <poll.h>
#include <string.h>

#define NAME "org.gnome.Mutter.RemoteDesktop"
#define SAVER "org.gnome.ScreenSaver"
#define PATH "/org/gnome/Mutter/RemoteDesktop"
#define SESSION_INTERFACE NAME ".Session"

static const char interfaces[] =
    "<node>"
    "<interface name='org.gnome.Mutter.RemoteDesktop'>"
    "<method name='CreateSession'><arg type='o' direction='out'/></method>"
    "</interface>"
    "<interface name='org.gnome.Mutter.RemoteDesktop.Session'>"
    "<method name='EnableClipboard'><arg type='a{sv}' direction='in'/></method>"
    "<method name='DisableClipboard'/>"
    "<method name='SetSelection'><arg type='a{sv}' direction='in'/></method>"
    "<method name='SelectionWrite'><arg type='u' direction='in'/>"
    "<arg type='h' direction='out'/></method>"
    "<method name='SelectionWriteDone'><arg type='u' direction='in'/>"
    "<arg type='b' direction='in'/></method>"
    "<method name='SelectionRead'><arg type='s' direction='in'/>"
    "<arg type='h' direction='out'/></method>"
    "</interface>"
    "</node>";

typedef struct
{
  FakeMutter *fake;
  char *path;
  char *peer;
  guint registration;
  gboolean enabled;
  gboolean busy;
  gboolean lingering; /* the pipe has ended, which it does not know yet */
  int stalled_fd;
} Session;

typedef struct
{
  int fd; /* what the answer is read from; -1 until it comes */
  gboolean done;
  gboolean whole;
  gboolean to_keep;
} Transfer;

struct FakeMutter
{
  GDBusConnection *bus;
  GDBusNodeInfo *node;
  FakeMutterTraits traits;
  gboolean locked;
  guint registration;
  guint names[2];
  guint n_names;
  guint n_made;
  guint n_refused;
  GPtrArray *sessions; /* of Session */

  GStrv types;          /* NULL: nothing is selected */
  Session *owner;       /* NULL: an application, or Mutter itself */
  GHashTable *contents; /* type -> text, of an application */
  char *kept_type;
  char *kept;
  guint32 serial;
  GHashTable *transfers; /* serial -> Transfer */
};

static void
session_free (gpointer data)
{
  Session *self = data;

  g_dbus_connection_unregister_object (self->fake->bus, self->registration);
  clip_fd_clear (&self->stalled_fd);
  g_free (self->path);
  g_free (self->peer);
  g_free (self);
}

static void
transfer_free (gpointer data)
{
  clip_fd_clear (&((Transfer *) data)->fd);
  g_free (data);
}

/* --- what it tells --- */

static void
emit (FakeMutter *self, Session *session, const char *name, GVariant *parameters)
{
  g_assert_true (g_dbus_connection_emit_signal (self->bus, session->peer, session->path,
                                                SESSION_INTERFACE, name, parameters,
                                                NULL));
}

static void
tell_owner (FakeMutter *self, Session *session)
{
  GVariantBuilder options;
  GVariant *list;

  g_variant_builder_init (&options, G_VARIANT_TYPE_VARDICT);
  if (self->types)
    {
      list = g_variant_new_strv ((const char *const *) self->types, -1);
      if (!(self->traits & FAKE_MUTTER_51))
        list = g_variant_new_tuple (&list, 1);
      g_variant_builder_add (&options, "{sv}", "mime-types", list);
      g_variant_builder_add (&options, "{sv}", "session-is-owner",
                             g_variant_new_boolean (session == self->owner));
    }
  emit (self, session, "SelectionOwnerChanged", g_variant_new ("(a{sv})", &options));
}

static guint32
ask_owner (FakeMutter *self, const char *mime, gboolean to_keep)
{
  Transfer *transfer = g_new0 (Transfer, 1);

  transfer->fd = -1;
  transfer->to_keep = to_keep;
  self->serial++;
  g_hash_table_insert (self->transfers, GUINT_TO_POINTER (self->serial), transfer);
  emit (self, self->owner, "SelectionTransfer",
        g_variant_new ("(su)", mime, self->serial));
  return self->serial;
}

/* it keeps one type of everything that comes by */
static void
keep (FakeMutter *self)
{
  static const char *const best[] = { "text/plain;charset=utf-8", "text/plain",
                                      "image/png" };

  g_clear_pointer (&self->kept, g_free);
  g_clear_pointer (&self->kept_type, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (best) && !self->kept_type; i++)
    if (g_strv_contains ((const char *const *) self->types, best[i]))
      self->kept_type = g_strdup (best[i]);
  if (self->kept_type && self->owner)
    ask_owner (self, self->kept_type, TRUE);
  else if (self->kept_type)
    self->kept = g_strdup (g_hash_table_lookup (self->contents, self->kept_type));
}

/* @types_take: NULL: nobody */
static void
set_owner (FakeMutter *self, Session *owner, GStrv types_take)
{
  g_strfreev (self->types);
  self->types = types_take;
  self->owner = owner;
  for (guint i = 0; i < self->sessions->len; i++)
    if (((Session *) self->sessions->pdata[i])->enabled)
      tell_owner (self, self->sessions->pdata[i]);
}

/* the owner has gone: what was kept takes its place */
static void
unset_owner (FakeMutter *self)
{
  const char *const types[] = { self->kept_type, NULL };

  set_owner (self, NULL, NULL);
  g_hash_table_remove_all (self->contents);
  if (!self->kept)
    return;
  g_hash_table_insert (self->contents, g_strdup (self->kept_type), g_strdup (self->kept));
  set_owner (self, NULL, g_strdupv ((char **) types));
}

/* --- what it is asked --- */

static void
refuse (FakeMutter *self, GDBusMethodInvocation *call, const char *why)
{
  self->n_refused++;
  if (self->traits & FAKE_MUTTER_51)
    g_dbus_method_invocation_return_error_literal (call, G_IO_ERROR, G_IO_ERROR_FAILED,
                                                   why);
  else
    g_dbus_method_invocation_return_error_literal (call, G_DBUS_ERROR,
                                                   G_DBUS_ERROR_LIMITS_EXCEEDED, why);
}

static void
return_fd (GDBusMethodInvocation *call, int fd_take)
{
  clip_autofd int fd = fd_take;
  g_autoptr (GUnixFDList) list = g_unix_fd_list_new ();
  int index = g_unix_fd_list_append (list, fd, NULL);

  g_dbus_method_invocation_return_value_with_unix_fd_list (
      call, g_variant_new ("(h)", index), list);
}

static void
set_selection (Session *session, GVariant *parameters, GDBusMethodInvocation *call)
{
  FakeMutter *self = session->fake;
  g_autoptr (GVariant) options = g_variant_get_child_value (parameters, 0);
  GStrv types = NULL;

  if (g_variant_lookup (options, "mime-types", "^as", &types))
    {
      set_owner (self, session, types);
      keep (self);
    }
  else if (self->owner == session)
    unset_owner (self);
  g_dbus_method_invocation_return_value (call, NULL);
}

/* it looks, and takes one whose reader has gone for ended */
static void
end_what_is_not_read (Session *self)
{
  struct pollfd pipe = { .fd = self->stalled_fd };

  if (self->busy && poll (&pipe, 1, 0) > 0)
    {
      clip_fd_clear (&self->stalled_fd);
      self->busy = FALSE;
    }
}

static void
read_selection (Session *session, const char *mime, GDBusMethodInvocation *call)
{
  FakeMutter *self = session->fake;
  const char *text = g_hash_table_lookup (self->contents, mime);
  clip_autofd int read_fd = -1;
  clip_autofd int write_fd = -1;
  int fds[2];

  end_what_is_not_read (session);
  if (session->busy || session->lingering || !self->types || session == self->owner)
    {
      session->lingering = FALSE;
      refuse (self, call, "cannot read this now");
      return;
    }
  g_assert_true (clip_pipe (fds, NULL));
  read_fd = fds[0];
  write_fd = fds[1];
  g_assert_cmpint (fcntl (read_fd, F_SETFL, O_NONBLOCK), ==, 0);
  session->busy = (self->traits & FAKE_MUTTER_STALLS) != 0;
  session->lingering = !session->busy;
  if (session->busy)
    session->stalled_fd = g_steal_fd (&write_fd);
  else
    g_assert_true (clip_write_all (write_fd, text ?: "", text ? strlen (text) : 0, NULL));
  clip_fd_clear (&write_fd);
  return_fd (call, g_steal_fd (&read_fd));
}

static void
begin_answer (FakeMutter *self, guint32 serial, GDBusMethodInvocation *call)
{
  Transfer *transfer = g_hash_table_lookup (self->transfers, GUINT_TO_POINTER (serial));
  int fds[2];

  if (!transfer)
    {
      refuse (self, call, "no such transfer");
      return;
    }
  g_assert_true (clip_pipe (fds, NULL));
  transfer->fd = fds[0];
  return_fd (call, fds[1]);
}

static char *
take_text (Transfer *transfer)
{
  g_autoptr (GBytes) bytes = clip_read_to_end (transfer->fd, 1 << 20, NULL);

  return g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

static void
end_answer (FakeMutter *self, GVariant *parameters, GDBusMethodInvocation *call)
{
  Transfer *transfer;
  guint32 serial;
  gboolean whole;

  g_variant_get (parameters, "(ub)", &serial, &whole);
  transfer = g_hash_table_lookup (self->transfers, GUINT_TO_POINTER (serial));
  g_assert_nonnull (transfer);
  transfer->done = TRUE;
  transfer->whole = whole;
  if (transfer->to_keep)
    {
      g_free (self->kept);
      self->kept = whole ? take_text (transfer) : NULL;
      g_hash_table_remove (self->transfers, GUINT_TO_POINTER (serial));
    }
  g_dbus_method_invocation_return_value (call, NULL);
}

static void
enable (Session *session, GDBusMethodInvocation *call)
{
  FakeMutter *self = session->fake;

  if (self->traits & FAKE_MUTTER_NO_CLIPBOARD)
    {
      refuse (self, call, "not for you");
      return;
    }
  if (self->types)
    tell_owner (self, session);
  session->enabled = TRUE;
  g_dbus_method_invocation_return_value (call, NULL);
}

static void
on_session_call (GDBusConnection *bus G_GNUC_UNUSED,
                 const char *sender G_GNUC_UNUSED,
                 const char *path G_GNUC_UNUSED,
                 const char *interface G_GNUC_UNUSED,
                 const char *name,
                 GVariant *parameters,
                 GDBusMethodInvocation *call,
                 gpointer user_data)
{
  Session *session = user_data;
  const char *mime;
  guint32 serial;

  if (g_str_equal (name, "EnableClipboard"))
    enable (session, call);
  else if (g_str_equal (name, "SetSelection"))
    set_selection (session, parameters, call);
  else if (g_str_equal (name, "SelectionWriteDone"))
    end_answer (session->fake, parameters, call);
  else if (g_str_equal (name, "SelectionRead"))
    {
      g_variant_get (parameters, "(&s)", &mime);
      read_selection (session, mime, call);
    }
  else if (g_str_equal (name, "SelectionWrite"))
    {
      g_variant_get (parameters, "(u)", &serial);
      begin_answer (session->fake, serial, call);
    }
  else
    {
      session->enabled = FALSE;
      g_dbus_method_invocation_return_value (call, NULL);
    }
}

static const GDBusInterfaceVTable session_calls = { .method_call = on_session_call };

static void
on_manager_call (GDBusConnection *bus,
                 const char *sender,
                 const char *path G_GNUC_UNUSED,
                 const char *interface G_GNUC_UNUSED,
                 const char *name G_GNUC_UNUSED,
                 GVariant *parameters G_GNUC_UNUSED,
                 GDBusMethodInvocation *call,
                 gpointer user_data)
{
  FakeMutter *self = user_data;
  Session *session;

  if (self->locked || self->traits & FAKE_MUTTER_NO_SESSION)
    {
      refuse (self, call, "inhibited");
      return;
    }
  session = g_new0 (Session, 1);
  session->fake = self;
  session->stalled_fd = -1;
  session->peer = g_strdup (sender);
  session->path = g_strdup_printf (PATH "/Session/u%u", ++self->n_made);
  session->registration = g_dbus_connection_register_object (
      bus, session->path, self->node->interfaces[1], &session_calls, session, NULL, NULL);
  g_assert_cmpuint (session->registration, !=, 0);
  g_ptr_array_add (self->sessions, session);
  g_dbus_method_invocation_return_value (call, g_variant_new ("(o)", session->path));
}

static const GDBusInterfaceVTable manager_calls = { .method_call = on_manager_call };

/* --- for the tests --- */

static void
on_name (GDBusConnection *bus G_GNUC_UNUSED,
         const char *name G_GNUC_UNUSED,
         gpointer user_data)
{
  ((FakeMutter *) user_data)->n_names++;
}

/* one more caller on the bus */
GDBusConnection *
fake_mutter_bus_of (const char *address)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *bus = g_dbus_connection_new_for_address_sync (
      address,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  g_assert_no_error (error);
  return bus;
}

FakeMutter *
fake_mutter_new (const char *address, FakeMutterTraits traits)
{
  FakeMutter *self = g_new0 (FakeMutter, 1);

  self->traits = traits;
  self->bus = fake_mutter_bus_of (address);
  self->node = g_dbus_node_info_new_for_xml (interfaces, NULL);
  self->sessions = g_ptr_array_new_with_free_func (session_free);
  self->contents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->transfers = g_hash_table_new_full (NULL, NULL, NULL, transfer_free);
  self->registration = g_dbus_connection_register_object (
      self->bus, PATH, self->node->interfaces[0], &manager_calls, self, NULL, NULL);
  self->names[0] = g_bus_own_name_on_connection (
      self->bus, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, on_name, NULL, self, NULL);
  self->names[1] = g_bus_own_name_on_connection (
      self->bus, SAVER, G_BUS_NAME_OWNER_FLAGS_NONE, on_name, NULL, self, NULL);
  while (self->n_names < G_N_ELEMENTS (self->names))
    g_main_context_iteration (NULL, TRUE);
  return self;
}

/* it leaves the bus, as a shell that crashes does */
void
fake_mutter_free (FakeMutter *self)
{
  g_ptr_array_unref (self->sessions);
  g_dbus_connection_unregister_object (self->bus, self->registration);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_bus_unown_name (self->names[i]);
  g_dbus_connection_close_sync (self->bus, NULL, NULL);
  g_object_unref (self->bus);
  g_dbus_node_info_unref (self->node);
  g_hash_table_unref (self->contents);
  g_hash_table_unref (self->transfers);
  g_strfreev (self->types);
  g_free (self->kept);
  g_free (self->kept_type);
  g_free (self);
}

void
fake_mutter_set_traits (FakeMutter *self, FakeMutterTraits traits)
{
  self->traits = traits;
}

const char *
fake_mutter_peer (FakeMutter *self)
{
  return g_dbus_connection_get_unique_name (self->bus);
}

/* plays an application that copies: a type and its text, and so on */
void
fake_mutter_copy (FakeMutter *self, const char *first_mime, ...)
{
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();
  va_list args;

  g_hash_table_remove_all (self->contents);
  va_start (args, first_mime);
  for (const char *mime = first_mime; mime; mime = va_arg (args, const char *))
    {
      g_strv_builder_add (types, mime);
      g_hash_table_insert (self->contents, g_strdup (mime),
                           g_strdup (va_arg (args, const char *)));
    }
  va_end (args);
  set_owner (self, NULL, g_strv_builder_end (types));
  keep (self);
}

/* plays one that copies so many types; there is nothing to read of them */
void
fake_mutter_copy_many (FakeMutter *self, guint n_types)
{
  g_autoptr (GStrvBuilder) types = g_strv_builder_new ();

  g_hash_table_remove_all (self->contents);
  for (guint i = 0; i < n_types; i++)
    {
      g_autofree char *mime = g_strdup_printf ("x-t/%u", i);

      g_strv_builder_add (types, mime);
    }
  set_owner (self, NULL, g_strv_builder_end (types));
  keep (self);
}

/* plays an application that goes */
void
fake_mutter_clear (FakeMutter *self)
{
  unset_owner (self);
}

/* all sessions end, and what one of them owned is what was kept of it */
void
fake_mutter_lock (FakeMutter *self)
{
  self->locked = TRUE;
  for (guint i = 0; i < self->sessions->len; i++)
    {
      emit (self, self->sessions->pdata[i], "Closed", NULL);
      ((Session *) self->sessions->pdata[i])->enabled = FALSE;
    }
  if (self->owner)
    unset_owner (self);
  g_ptr_array_set_size (self->sessions, 0);
}

void
fake_mutter_unlock (FakeMutter *self)
{
  self->locked = FALSE;
  fake_mutter_say_unlocked (self);
}

/* whether or not it is so */
void
fake_mutter_say_unlocked (FakeMutter *self)
{
  g_assert_true (g_dbus_connection_emit_signal (self->bus, NULL, "/org/gnome/ScreenSaver",
                                                SAVER, "ActiveChanged",
                                                g_variant_new ("(b)", FALSE), NULL));
}

/* what is selected now, without our token; "" = nothing */
char *
fake_mutter_types (FakeMutter *self)
{
  g_autoptr (GString) types = g_string_new (NULL);

  for (char **type = self->types; type && *type; type++)
    if (!g_str_has_prefix (*type, "application/x-org.cliphist"))
      g_string_append_printf (types, "%s%s", types->len ? " " : "", *type);
  return g_strdup (types->str);
}

/* plays somebody who pastes what a session owns; fake_mutter_take() brings it */
guint32
fake_mutter_ask (FakeMutter *self, const char *mime)
{
  g_assert_nonnull (self->owner);
  return ask_owner (self, mime, FALSE);
}

/* (nullable): NULL where it was not whole */
char *
fake_mutter_take (FakeMutter *self, guint32 serial)
{
  Transfer *transfer = g_hash_table_lookup (self->transfers, GUINT_TO_POINTER (serial));

  while (!transfer->done)
    g_main_context_iteration (NULL, TRUE);
  return transfer->whole ? take_text (transfer) : NULL;
}

guint
fake_mutter_n_sessions (FakeMutter *self)
{
  return self->sessions->len;
}

/* a part of what stalls comes */
void
fake_mutter_give (FakeMutter *self, const char *text)
{
  for (guint i = 0; i < self->sessions->len; i++)
    {
      const Session *session = self->sessions->pdata[i];

      if (session->stalled_fd >= 0)
        g_assert_true (clip_write_all (session->stalled_fd, text, strlen (text), NULL));
    }
}

/* what stalls is at its end */
void
fake_mutter_end (FakeMutter *self)
{
  for (guint i = 0; i < self->sessions->len; i++)
    {
      Session *session = self->sessions->pdata[i];

      session->busy = FALSE;
      clip_fd_clear (&session->stalled_fd);
    }
}

guint
fake_mutter_n_refused (FakeMutter *self)
{
  return self->n_refused;
}
