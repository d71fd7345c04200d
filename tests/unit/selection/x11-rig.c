/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "x11-rig.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "clip-fd.h"
#include "clip-x11-private.h"

/* long enough for a loaded machine under a sanitizer; only a failure takes as long */
#define PATIENCE_SECONDS 60
#define PATIENCE_MS 15000

gint64
rig_deadline (void)
{
  return g_get_monotonic_time () + PATIENCE_SECONDS * G_USEC_PER_SEC;
}

static gboolean
on_tick (gpointer user_data G_GNUC_UNUSED)
{
  return G_SOURCE_CONTINUE;
}

/* one turn of the main context; fails the test once @late_us has passed */
void
rig_iterate (gint64 late_us, const char *fact)
{
  static guint tick;

  if (tick == 0)
    tick = g_timeout_add (5, on_tick, NULL);
  if (g_get_monotonic_time () > late_us)
    g_error ("it never came true that %s", fact);
  g_main_context_iteration (NULL, TRUE);
}

static void
die_with_parent (gpointer user_data G_GNUC_UNUSED)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* its output is a pipe; not a GSubprocess, whose thread is nothing to test here */
Program *
program_start (const char *const *words, const char *display)
{
  g_auto (GStrv) environment =
      g_environ_setenv (g_get_environ (), "DISPLAY", display ? display : "", TRUE);
  g_autoptr (GError) error = NULL;
  Program *self = g_new0 (Program, 1);

  g_spawn_async_with_pipes (
      NULL, (char **) words, environment,
      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL,
      die_with_parent, NULL, &self->pid, NULL, &self->stdout_fd, NULL, &error);
  g_assert_no_error (error);
  return self;
}

void
program_kill (Program *self)
{
  kill (self->pid, SIGKILL);
}

static gboolean
has_exited (Program *self, int *out_status)
{
  return waitpid (self->pid, out_status, WNOHANG) == self->pid;
}

/* while the main context runs, as the program may wait for us; whether it succeeded */
gboolean
program_wait (Program *self)
{
  int status = 0;

  until (has_exited (self, &status));
  self->pid = 0;
  return WIFEXITED (status) && WEXITSTATUS (status) == 0;
}

void
program_free (Program *self)
{
  if (self->pid != 0)
    {
      program_kill (self);
      waitpid (self->pid, NULL, 0);
    }
  clip_fd_clear (&self->stdout_fd);
  g_free (self);
}

static char *
read_number (int fd)
{
  char text[16] = { 0 };
  gsize length = 0;

  while (length < sizeof text - 1 && !strchr (text, '\n') &&
         read (fd, text + length, 1) == 1)
    length++;
  g_assert_cmpuint (length, >, 1);
  text[length - 1] = '\0';
  return g_strdup_printf (":%s", text);
}

/* a private Xvfb under a number of its own choice; @launcher: (nullable): what starts it,
 * and its words; @options: (nullable): further words */
XServer *
xserver_start_by (const char *const *launcher, const char *const *options)
{
  static const char *const words[] = {
    "Xvfb",     "-displayfd", "1",   "-screen",  "0",
    "64x64x24", "-nolisten",  "tcp", "-noreset", NULL
  };
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) command = NULL;
  XServer *self = g_new0 (XServer, 1);

  if (launcher)
    g_strv_builder_addv (builder, (const char **) launcher);
  g_strv_builder_addv (builder, (const char **) words);
  if (options)
    g_strv_builder_addv (builder, (const char **) options);
  command = g_strv_builder_end (builder);
  self->program = program_start ((const char *const *) command, NULL);
  self->display = read_number (self->program->stdout_fd);
  return self;
}

/* a private Xvfb under a number of its own choice */
XServer *
xserver_start (const char *const *options)
{
  return xserver_start_by (NULL, options);
}

void
xserver_free (XServer *self)
{
  program_free (self->program);
  g_free (self->display);
  g_free (self);
}

Program *
xserver_run (XServer *self, const char *command)
{
  const char *const words[] = { "sh", "-c", command, NULL };

  return program_start (words, self->display);
}

/* what a short command prints */
char *
xserver_read (XServer *self, const char *command)
{
  g_autoptr (Program) program = xserver_run (self, command);
  g_autoptr (GBytes) output = NULL;

  g_assert_true (program_wait (program));
  output = clip_read_to_end (program->stdout_fd, 1 << 16, NULL);
  return g_strndup (g_bytes_get_data (output, NULL), g_bytes_get_size (output));
}

void
xserver_run_to_end (XServer *self, const char *command)
{
  g_autoptr (Program) program = xserver_run (self, command);

  g_assert_true (program_wait (program));
}

/* nobody owns anything when it is there */
X11Peer *
xserver_new_peer (XServer *self)
{
  X11Peer *peer = x11_peer_new (self->display);

  x11_peer_own (peer, "CLIPBOARD");
  x11_peer_disown (peer, "CLIPBOARD");
  return peer;
}

/* returns @self, of which nobody owns anything then */
XServer *
xserver_empty (XServer *self)
{
  x11_peer_free (xserver_new_peer (self));
  return self;
}

/* runs the tests against one server, which @server points to meanwhile */
int
rig_main (int argc, char *argv[], XServer **server, const RigTest *tests, gsize n)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  *server = xserver_start (NULL);
  for (gsize i = 0; i < n; i++)
    g_test_add_func (tests[i].path, tests[i].test);
  status = g_test_run ();
  xserver_free (*server);
  return status;
}

static void
on_offered (ClipBackend *backend G_GNUC_UNUSED, ClipOffer *offer, Ear *self)
{
  g_set_object (&self->offer, offer);
  self->n_offered++;
  if (self->takes)
    g_ptr_array_add (self->takes, take_new (self, clip_offer_mimes (offer)[0]));
}

static void
on_stalled (ClipBackend *backend, int selection, Ear *self)
{
  g_assert_cmpint (selection, ==, CLIP_SELECTION_CLIPBOARD);
  self->n_stalled++;
}

static void
on_cleared (ClipBackend *backend G_GNUC_UNUSED, int selection G_GNUC_UNUSED, Ear *self)
{
  self->n_cleared++;
}

static void
on_disconnected (ClipBackend *backend G_GNUC_UNUSED, const char *why, Ear *self)
{
  g_assert_nonnull (why);
  self->n_disconnected++;
}

static Ear *
listen_to (XServer *server, gboolean primary, guint patience_ms, guint burst_ms)
{
  const ClipX11Limits limits = { .first_ms = patience_ms,
                                 .owner_ms = patience_ms,
                                 .stall_ms = patience_ms,
                                 .pipe_ms = 20000,
                                 .burst_ms = burst_ms,
                                 .max_rapid = 300,
                                 .max_feeds = 64 };
  g_autoptr (GError) error = NULL;
  Ear *self = g_new0 (Ear, 1);

  self->backend = clip_x11_new_with_limits (server->display, primary, &limits, &error);
  g_assert_no_error (error);
  g_signal_connect (self->backend, "offered", G_CALLBACK (on_offered), self);
  g_signal_connect (self->backend, "stalled", G_CALLBACK (on_stalled), self);
  g_signal_connect (self->backend, "cleared", G_CALLBACK (on_cleared), self);
  g_signal_connect (self->backend, "disconnected", G_CALLBACK (on_disconnected), self);
  return self;
}

/* patient enough for a machine that is busy */
Ear *
ear_new (XServer *server, gboolean primary)
{
  return listen_to (server, primary, PATIENCE_MS, 0);
}

/* takes every copy at once, and takes all of them for a burst */
Ear *
ear_new_greedy (XServer *server)
{
  Ear *self = listen_to (server, FALSE, PATIENCE_MS, 60000);

  self->takes = g_ptr_array_new_with_free_func ((GDestroyNotify) take_free);
  return self;
}

/* for what is to stall */
Ear *
ear_new_hasty (XServer *server)
{
  return listen_to (server, FALSE, 700, 0);
}

/* for what says nothing at all, however long it has */
Ear *
ear_new_rash (XServer *server)
{
  return listen_to (server, FALSE, 20, 0);
}

void
ear_free (Ear *self)
{
  g_clear_pointer (&self->takes, g_ptr_array_unref);
  g_signal_handlers_disconnect_by_data (self->backend, self);
  g_assert_finalize_object (self->backend);
  g_clear_object (&self->offer);
  g_free (self);
}

static void
on_opened (int source_fd_take, gpointer user_data)
{
  Take *self = user_data;

  g_assert_cmpint (self->fd, ==, -1);
  g_assert_false (self->done);
  self->fd = source_fd_take;
}

static void
on_taken (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Take *self = user_data;

  self->verdict =
      clip_backend_receive_finish (CLIP_BACKEND (source), result, &self->error);
  g_assert_cmpint (self->verdict == CLIP_VERDICT_BROKEN, ==, self->error != NULL);
  self->done = TRUE;
}

/* receives @mime of the last offer */
Take *
take_new (Ear *ear, const char *mime)
{
  Take *self = g_new0 (Take, 1);

  self->mime = g_strdup (mime);
  self->fd = -1;
  self->cancellable = g_cancellable_new ();
  clip_backend_receive_async (ear->backend, ear->offer, mime, on_opened,
                              self->cancellable, on_taken, self);
  return self;
}

/* waits until there is something to read from */
int
take_fd (Take *self)
{
  until (self->fd >= 0);
  return self->fd;
}

void
take_free (Take *self)
{
  clip_fd_clear (&self->fd);
  until (self->done);
  g_clear_error (&self->error);
  g_object_unref (self->cancellable);
  g_free (self->mime);
  g_free (self->text);
  g_free (self);
}

/* waits for the verdict; what fits into a pipe */
char *
take_text (Take *self)
{
  g_autoptr (GBytes) bytes = NULL;

  until (self->done);
  g_assert_no_error (self->error);
  g_assert_cmpint (self->verdict, ==, CLIP_VERDICT_WHOLE);
  bytes = clip_read_to_end (take_fd (self), 1 << 20, &self->error);
  g_assert_no_error (self->error);
  return g_bytes_get_size (bytes) == 0
             ? g_strdup ("")
             : g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
}

/* a sanitizer keeps freed memory for a while, so that only what is in use counts there */
gsize __sanitizer_get_current_allocated_bytes (void) __attribute__ ((weak));

/* bytes of memory that are this process's own */
gsize
rig_memory (void)
{
  g_autofree char *status = NULL;
  const char *line = NULL;
  unsigned long kib = 0;

  if (__sanitizer_get_current_allocated_bytes)
    return __sanitizer_get_current_allocated_bytes ();
  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL, NULL));
  line = strstr (status, "RssAnon:");
  g_assert_cmpint (sscanf (line, "RssAnon: %lu", &kib), ==, 1);
  return kib * 1024;
}
