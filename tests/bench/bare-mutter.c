/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bare-mutter: the least that a listener on GNOME can do. It opens sessions of Mutter's
 * remote desktop, asks for the text of each copy as soon as it is told of it, in one
 * session after the other, and takes whatever comes for a copy, even where that is the
 * one after it. What it misses GNOME Shell has shown to nobody. Says "ready"; once its
 * standard input ends, the texts, each once.
 */
#include <err.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <stdio.h>
#include <unistd.h>

#define NAME "org.gnome.Mutter.RemoteDesktop"
#define PATH "/org/gnome/Mutter/RemoteDesktop"
#define SESSION NAME ".Session"
#define TEXT "text/plain;charset=utf-8"
#define TEXT_BYTES 64
#define N_SESSIONS 8

typedef struct
{
  GDBusConnection *bus;
  GMainLoop *loop;
  char *paths[N_SESSIONS];
  guint next;
  guint n_told;
  guint n_refused;
  GHashTable *texts;
} Reader;

typedef struct
{
  Reader *reader;
  char text[TEXT_BYTES];
  gsize length;
} Content;

static GVariant *
call (Reader *self,
      const char *path,
      const char *interface,
      const char *method,
      GVariant *args)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer =
      g_dbus_connection_call_sync (self->bus, NAME, path, interface, method, args, NULL,
                                   G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  if (!answer)
    errx (1, "%s: %s", method, error->message);
  return answer;
}

static gboolean
on_readable (int fd, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  Content *content = user_data;
  gssize n = read (fd, content->text + content->length, TEXT_BYTES - 1 - content->length);

  if (n > 0)
    {
      content->length += (gsize) n;
      return G_SOURCE_CONTINUE;
    }
  if (content->length > 0)
    g_hash_table_add (content->reader->texts, g_strdup (content->text));
  close (fd);
  g_free (content);
  return G_SOURCE_REMOVE;
}

static void ask (Reader *self);

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Reader *self = user_data;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) answer = g_dbus_connection_call_with_unix_fd_list_finish (
      G_DBUS_CONNECTION (source), &fds, result, NULL);
  Content *content;

  if (!answer || !fds)
    {
      /* that session has not done with the copy before */
      self->n_refused++;
      ask (self);
      return;
    }
  content = g_new0 (Content, 1);
  content->reader = self;
  g_unix_fd_add (g_unix_fd_list_get (fds, 0, NULL), G_IO_IN | G_IO_HUP, on_readable,
                 content);
}

static void
ask (Reader *self)
{
  g_dbus_connection_call_with_unix_fd_list (
      self->bus, NAME, self->paths[self->next++ % N_SESSIONS], SESSION, "SelectionRead",
      g_variant_new ("(s)", TEXT), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL,
      on_answer, self);
}

static void
on_changed (GDBusConnection *bus G_GNUC_UNUSED,
            const char *sender G_GNUC_UNUSED,
            const char *path G_GNUC_UNUSED,
            const char *interface G_GNUC_UNUSED,
            const char *name G_GNUC_UNUSED,
            GVariant *parameters,
            gpointer user_data)
{
  Reader *self = user_data;
  g_autoptr (GVariant) options = g_variant_get_child_value (parameters, 0);

  if (!g_variant_lookup (options, "mime-types", "*", NULL))
    return;
  self->n_told++;
  ask (self);
}

static void
open_sessions (Reader *self)
{
  for (guint i = 0; i < N_SESSIONS; i++)
    {
      g_autoptr (GVariant) made = call (self, PATH, NAME, "CreateSession", NULL);

      g_variant_get (made, "(o)", &self->paths[i]);
      if (i == 0)
        g_dbus_connection_signal_subscribe (
            self->bus, NULL, SESSION, "SelectionOwnerChanged", self->paths[i], NULL,
            G_DBUS_SIGNAL_FLAGS_NONE, on_changed, self, NULL);
      g_variant_unref (call (self, self->paths[i], SESSION, "EnableClipboard",
                             g_variant_new ("(a{sv})", NULL)));
    }
}

static gboolean
on_end (int fd G_GNUC_UNUSED, GIOCondition condition G_GNUC_UNUSED, gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

int
main (void)
{
  Reader self = { 0 };
  g_autoptr (GError) error = NULL;
  GHashTableIter iter;
  gpointer text;

  self.bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (!self.bus)
    errx (1, "%s", error->message);
  self.texts = g_hash_table_new (g_str_hash, g_str_equal);
  self.loop = g_main_loop_new (NULL, FALSE);
  open_sessions (&self);
  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, on_end, self.loop);
  puts ("ready");
  fflush (stdout);
  g_main_loop_run (self.loop);
  g_hash_table_iter_init (&iter, self.texts);
  while (g_hash_table_iter_next (&iter, &text, NULL))
    puts (text);
  fprintf (stderr, "bare-mutter: told of %u, refused %u times\n", self.n_told,
           self.n_refused);
  return 0;
}
