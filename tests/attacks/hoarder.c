/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * hoarder ADDRESS N [METHOD]: takes all calls that the daemon lets one process have, over
 * N connections, and lets none of them go on: contents that nobody reads, copies and
 * archives of which no byte comes. Says how many it has, and keeps them until its
 * standard input ends.
 */
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "org.cliphist.History1"
#define PATH "/org/cliphist/History1"

typedef struct
{
  const char *method;
  const char *parameters; /* (nullable): as many ids as a call may have */
  const char *path;       /* (nullable): that of the history */
  const char *interface;  /* (nullable): likewise */
  guint n_sent;           /* pipes of which no byte comes */
  gboolean answers;       /* when it begins, and not when it ends */
  gboolean alone;         /* not where all kinds are taken */
  const char *name;       /* (nullable): by which it is asked for; that of the method */
} Attack;

/* as many ids as a call may have */
#define EIGHT "'1', '1', '1', '1', '1', '1', '1', '1'"
#define HALF EIGHT ", " EIGHT ", " EIGHT ", " EIGHT

static const Attack attacks[] = {
  { "Open", "(@t 1, '', @a{sv} {})", NULL, NULL, 0, TRUE },
  { "Store", "([('text/plain', @h 0)], @a{sv} {})", NULL, NULL, 1, FALSE },
  { "Store",
    "([('a/0', @h 0), ('a/1', @h 1), ('a/2', @h 2), ('a/3', @h 3), ('a/4', @h 4), "
    "('a/5', @h 5), ('a/6', @h 6), ('a/7', @h 7)], @a{sv} {})",
    NULL, NULL, 8, FALSE, TRUE, "Store8" },
  { "Import", "(@h 0, @a{sv} {})", NULL, NULL, 1, FALSE },
  { "List", "({'regex': <'(x+x+)+y'>},)", NULL, NULL, 0, FALSE },
  { "GetInitialResultSet", "(['nowhere'],)", PATH "/SearchProvider",
    "org.gnome.Shell.SearchProvider2", 0, FALSE },
  { "GetResultMetas", "([" HALF ", " HALF "],)", PATH "/SearchProvider",
    "org.gnome.Shell.SearchProvider2", 0, FALSE, TRUE },
  { "Match", "('clip nowhere',)", PATH "/Runner", "org.kde.krunner1", 0, FALSE },
  { "DeleteMatching", "(b'nowhere', @a{sv} {})", NULL, NULL, 0, FALSE, TRUE },
  { "Check", "(@a{sv} {},)", NULL, NULL, 0, FALSE, TRUE },
  { "Trim", "({'dry-run': <true>},)", NULL, NULL, 0, FALSE, TRUE },
  { "Delete", NULL, NULL, NULL, 0, FALSE, TRUE },
  { "Thumbnail", "(@t 1, {'size': <uint32 2047>})", NULL, NULL, 0, FALSE, TRUE },
};

static int n_refused;
static int n_failed; /* these, and what the bus itself refuses */
static int n_answered;

static gboolean
is_limit (const GError *error)
{
  g_autofree char *name = g_dbus_error_get_remote_error (error);

  return g_strcmp0 (name, NAME ".Error.Limits") == 0;
}

static void
on_reply (GObject *source, GAsyncResult *result, gpointer user_data G_GNUC_UNUSED)
{
  GUnixFDList *kept = NULL;
  GError *error = NULL;
  GVariant *reply = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), &kept, result, &error);

  n_failed += error != NULL;
  n_refused += error && is_limit (error);
  n_answered += reply != NULL;
  g_clear_pointer (&reply, g_variant_unref);
  g_clear_error (&error);
  /* its pipe stays open, and nobody reads it */
}

static GVariant *
make_parameters (const char *text)
{
  gsize n_bytes = 100000 * sizeof (guint64);
  g_autofree guint64 *ids = g_malloc (n_bytes);
  g_autoptr (GVariant) list = NULL;

  if (text)
    return g_variant_new_parsed (text);
  memset (ids, 0x7f, n_bytes);
  list = g_variant_ref_sink (g_variant_new_fixed_array (
      G_VARIANT_TYPE_UINT64, ids, n_bytes / sizeof *ids, sizeof *ids));
  return g_variant_new ("(@ata{sv})", list, NULL);
}

static void
attack (GDBusConnection *connection, const Attack *self)
{
  g_autoptr (GUnixFDList) fds = self->n_sent > 0 ? g_unix_fd_list_new () : NULL;
  int pipe_fds[2];

  for (guint i = 0; i < self->n_sent; i++)
    {
      if (pipe (pipe_fds) < 0)
        exit (1);
      g_unix_fd_list_append (fds, pipe_fds[0], NULL);
      close (pipe_fds[0]);
    }
  g_dbus_connection_call_with_unix_fd_list (
      connection, NAME, self->path ?: PATH, self->interface ?: NAME, self->method,
      make_parameters (self->parameters), NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, fds,
      NULL, on_reply, NULL);
}

static gboolean
wants (const Attack *self, const char *method)
{
  return method ? g_str_equal (self->name ?: self->method, method) : !self->alone;
}

/* what ends soon has to come faster */
static guint
n_at_once (const Attack *self, const char *method)
{
  return method && self->path ? 64 : 4;
}

static gboolean
on_silence (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

/* until the daemon has looked at all that was sent before */
static void
settle (GDBusConnection *connection)
{
  gboolean is_silent = FALSE;

  g_dbus_connection_flush_sync (connection, NULL, NULL);
  g_timeout_add (20, on_silence, &is_silent);
  while (!is_silent)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char *argv[])
{
  const int n_connections = argc >= 3 ? atoi (argv[2]) : 0;
  const char *method = argc > 3 ? argv[3] : NULL;
  g_autoptr (GPtrArray) connections = g_ptr_array_new ();
  char byte;

  for (int i = 0; i < n_connections; i++)
    g_ptr_array_add (connections, g_dbus_connection_new_for_address_sync (
                                      argv[1],
                                      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                          G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                      NULL, NULL, NULL));
  /* in turns, until more is refused than was taken; a bus on which the daemon is slow may
   * refuse first what it is asked too fast */
  for (int round = 0; round < 40 && (method ? n_refused : n_failed) < 40; round++)
    for (guint i = 0; i < connections->len; i++)
      {
        for (guint j = 0; j < G_N_ELEMENTS (attacks); j++)
          for (guint k = 0;
               k < n_at_once (&attacks[j], method) && wants (&attacks[j], method); k++)
            attack (connections->pdata[i], &attacks[j]);
        settle (connections->pdata[i]);
      }
  printf ("%d opened, %d refused\n", n_answered, n_refused);
  fflush (stdout);
  while (read (STDIN_FILENO, &byte, 1) > 0)
    ;
  return 0;
}
